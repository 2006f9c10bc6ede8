"""Distances and durations between the places that the kernels know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.schedules import arc_distances, arc_durations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.instance import Instance

_BLOCK: Final = 256
"""Rows of a matrix that are filled at once."""


class Arcs(NamedTuple):
    """Arcs by profile: float32 where that is exact, else float64."""

    distances: np.ndarray  # (profiles, places, places)
    durations: np.ndarray  # likewise; the same array where times are lengths

    @classmethod
    def of(cls, instance: Instance, order: np.ndarray) -> Arcs:
        """Return the arcs between the places in an order."""
        distances = _stack(instance, arc_distances, order)
        if instance.durations is None and not instance.profiles:
            return cls(distances, distances)
        durations = _stack(instance, arc_durations, order)
        common = np.result_type(distances, durations)
        return cls(
            distances.astype(common, copy=False),
            durations.astype(common, copy=False),
        )

    def back(self) -> Arcs:
        """Return the arcs the other way, the same array where all agree."""
        back = _back(self.distances)
        if self.durations is self.distances:
            return Arcs(back, back)
        return Arcs(back, _back(self.durations))

    def round_trips(self, depots: Sequence[int], num_nodes: int) -> np.ndarray:
        """Return the shortest trip from a depot to each node and back."""
        lengths = self.distances[0, depots, :num_nodes].astype(np.float64)
        lengths += self.distances[0, :num_nodes, depots]
        shortest: np.ndarray = lengths.min(axis=0)
        return shortest


def _stack(
    instance: Instance,
    measure: Callable[..., np.ndarray],
    order: np.ndarray,
    dtype: type[np.floating] = np.float32,
) -> np.ndarray:
    size = len(order)
    arcs = np.empty((1 + len(instance.profiles), size, size), dtype)
    for profile, block in enumerate(arcs):
        for low in range(0, size, _BLOCK):
            part = order[low : low + _BLOCK]
            lengths = measure(instance, profile, part[:, None], order)
            with np.errstate(over="ignore"):
                block[low : low + _BLOCK] = lengths
            if (block[low : low + _BLOCK] != lengths).any():
                return _stack(instance, measure, order, np.float64)
    return arcs


def _back(arcs: np.ndarray) -> np.ndarray:
    back = arcs.transpose(0, 2, 1)
    return arcs if np.array_equal(arcs, back) else np.ascontiguousarray(back)
