"""Arcs that no vehicle may drive, as arcs that are too long for any.

Searches compute with finite lengths. No route of a vehicle type can be longer
than a bound that its capacity and its longest arc give; forbidden arcs become
longer than that, and the bound becomes the maximum distance of the type.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.magnitudes import longest_finite
from ncc_routing.problems.profiles import Profile, arc_distances, own_durations
from ncc_routing.problems.simplification import longest_route

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


class _Lengths(NamedTuple):
    """Distances and durations of a profile, as in ``Profile``."""

    matrix: np.ndarray
    durations: np.ndarray | None


def without_forbidden_arcs(instance: Instance) -> Instance:
    """Return the problem with finite lengths and the same feasible plans.

    Parameters
    ----------
    instance
        Any instance; one without forbidden arcs comes back as it is.

    Returns
    -------
    Instance
        Each plan without a forbidden arc keeps its cost. The vehicle types
        keep their order.
    """
    if not instance.has_forbidden_arcs:
        return instance
    types = instance.vehicle_types
    limits = [
        min(kind.max_distance, longest_route(instance, kind)) for kind in types
    ]
    forbidden_length = np.ceil(2.0 * max(limits)) + 1.0
    first, *others = (
        _finite_lengths(instance, profile, forbidden_length)
        for profile in range(1 + len(instance.profiles))
    )
    vehicles = None if instance.fleet is None else instance.fleet.vehicles
    kept = (
        replace(kind, max_distance=limit)
        for kind, limit in zip(types, limits, strict=True)
    )
    return replace(
        instance,
        fleet=Fleet(tuple(kept), vehicles),
        matrix=first.matrix,
        durations=first.durations,
        profiles=tuple(Profile(*lengths) for lengths in others),
    )


def _finite_lengths(
    instance: Instance, profile: int, forbidden_length: float
) -> _Lengths:
    """Return the lengths of a profile, those of forbidden arcs replaced."""
    nodes = np.arange(len(instance.demands))
    distances = arc_distances(instance, profile, nodes[:, None], nodes)
    durations: Any = own_durations(instance, profile)
    is_forbidden = np.isinf(distances)
    if durations is not None:
        is_forbidden |= np.isinf(durations)
        longest = longest_finite(durations)
        durations = np.where(is_forbidden, longest, durations)
    matrix = np.where(is_forbidden, forbidden_length, distances)
    return _Lengths(matrix, durations)
