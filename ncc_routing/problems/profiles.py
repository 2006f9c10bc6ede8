"""Distances and durations of arcs, by profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.magnitudes import require_size
from ncc_routing.problems.values import ReadOnlyArrays, lengths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True, eq=False)
class Profile(ReadOnlyArrays):
    """Distances and durations that count for some vehicle types.

    Parameters
    ----------
    matrix
        Distances between all nodes, depots included. ``inf`` stands for an
        arc that no vehicle of the profile may drive.
    durations
        Durations between them; ``inf`` as there. Default: equal to the
        distances.

    Raises
    ------
    InstanceError
        If a matrix is not square, the two differ in size, or an entry is
        negative or no number.
    """

    matrix: np.ndarray = field(repr=False)
    durations: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        size = len(np.atleast_1d(self.matrix))
        matrix = checked_matrix("profile", "matrix", self.matrix, size)
        object.__setattr__(self, "matrix", matrix)
        if self.durations is not None:
            durations = checked_matrix(
                "profile", "durations", self.durations, size
            )
            object.__setattr__(self, "durations", durations)


def checked_matrix(
    source: str, field: str, value: object, size: int
) -> np.ndarray:
    """Return a matrix of lengths that are not negative, ``inf`` included.

    Raises
    ------
    InstanceError
        If it is none of shape ``(size, size)``, or of an extreme size.
    """
    matrix = lengths(source, field, value, (size, size))
    if matrix.min() < 0:
        name = "distances" if field == "matrix" else field
        rule = f"{name} must not be negative"
        raise InstanceError(source, field, rule, float(matrix.min()))
    require_size(source, field, matrix[np.isfinite(matrix)])
    return matrix


def matrices(instance: Instance) -> Iterator[np.ndarray]:
    """Return every matrix of distances or durations that is given.

    Parameters
    ----------
    instance
        The instance.
    """
    given = [instance.matrix, instance.durations]
    for profile in instance.profiles:
        given += [profile.matrix, profile.durations]
    return (matrix for matrix in given if matrix is not None)


def arc_distances(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the distance of each arc for a profile.

    Parameters
    ----------
    instance
        The instance.
    profile
        Index as in ``VehicleType.profile``.
    tails, heads
        Int arrays of nodes whose shapes broadcast.
    """
    if profile == 0:
        return instance.lengths(tails, heads)
    return np.asarray(instance.profiles[profile - 1].matrix[tails, heads])


def arc_durations(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the duration of each arc for a profile.

    Parameters
    ----------
    instance, profile, tails, heads
        As for :func:`arc_distances`.
    """
    own = own_durations(instance, profile)
    if own is None:
        return arc_distances(instance, profile, tails, heads)
    return np.asarray(own[tails, heads])


def own_durations(instance: Instance, profile: int) -> np.ndarray | None:
    """Return the durations of a profile, ``None`` for its distances.

    Parameters
    ----------
    instance, profile
        As for :func:`arc_distances`.
    """
    if profile == 0:
        return instance.durations
    return instance.profiles[profile - 1].durations
