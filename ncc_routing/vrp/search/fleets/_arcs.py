"""Distances and durations between the places that the kernels know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.schedules import (
    arc_distances,
    arc_driving,
    arc_durations,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

_BLOCK: Final = 256
"""Rows of a matrix that are filled at once."""


class Arcs(NamedTuple):
    """Arcs by profile: float32 where that is exact, else float64.

    Where driving has a price, ``distances`` are what arcs cost, and there is a
    profile for each price. Arcs above ``longest`` are forbidden.
    """

    distances: np.ndarray  # (profiles, places, places)
    durations: np.ndarray  # likewise; the same array where times are lengths
    lengths: np.ndarray  # likewise; the same array where these cost
    driving: np.ndarray  # likewise; without any work at the places
    profiles: tuple[int, ...] = ()  # of each vehicle type
    longest: float = np.inf

    @classmethod
    def of(cls, instance: Instance, order: np.ndarray) -> Arcs:
        """Return the arcs between the places in an order."""
        types = instance.vehicle_types
        distances = durations = _stack(instance, arc_distances, order)
        driving = durations
        if instance.durations is not None or instance.profiles:
            durations = _stack(instance, arc_durations, order)
            common = np.result_type(distances, durations)
            distances = distances.astype(common, copy=False)
            durations = driving = durations.astype(common, copy=False)
        if any(each.driving is not None for each in instance.profiles):
            driving = _stack(instance, arc_driving, order)
            common = np.result_type(distances, driving)
            distances, durations, driving = (
                each.astype(common, copy=False)
                for each in (distances, durations, driving)
            )
        arcs = cls(
            *(distances, durations, distances, driving),
            tuple(each.profile for each in types),
        )
        if any(each.unit_driving_cost for each in types):
            return arcs.priced(types)
        return arcs

    def priced(self, types: Sequence[VehicleType]) -> Arcs:
        """Return the arcs with their costs in place of the distances."""
        rates = [
            (each.profile, each.unit_distance_cost, each.unit_driving_cost)
            for each in types
        ]
        alike = list(dict.fromkeys(rates))
        of_rates = [profile for profile, _, _ in alike]
        lengths, durations = self.lengths[of_rates], self.durations[of_rates]
        costs = np.array(
            [
                far * self.lengths[profile].astype(float)
                + long * self.driving[profile].astype(float)
                for profile, far, long in alike
            ]
        )
        most = max(float(each.max_distance) for each in types)
        is_forbidden = lengths > most
        longest = np.inf
        if is_forbidden.any():
            dearest = float(costs[~is_forbidden].max(initial=1.0))
            longest = 2.0 * len(costs[0]) * dearest
            costs[is_forbidden] = 2.0 * longest
        whole = costs.astype(np.float32)
        common = costs.dtype
        if lengths.dtype == whole.dtype and (whole == costs).all():
            costs, common = whole, whole.dtype
        durations, lengths, driving = (
            each.astype(common, copy=False)
            for each in (durations, lengths, self.driving[of_rates])
        )
        places = tuple(map(alike.index, rates))
        return Arcs(costs, durations, lengths, driving, places, longest)

    @property
    def are_costs(self) -> bool:
        """Whether the distances are costs."""
        return self.lengths is not self.distances

    def back(self) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and durations the other way.

        They are the same array where all agree.
        """
        back = _back(self.distances)
        if self.durations is self.distances:
            return back, back
        return back, _back(self.durations)

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
