"""Distances and durations between the places that the kernels know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core.fleets import PlaceLengths
from ncc_routing.problems.distances import (
    ARC_UNROUNDED,
    LARGEST_MATRIX,
    UNROUNDED,
    unit_vectors,
)
from ncc_routing.problems.routes.schedules import (
    arc_distances,
    arc_durations,
)
from ncc_routing.problems.routes.simplification import longest_distance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

_BLOCK: Final = 256
"""Rows of a matrix that are filled at once."""

_SAMPLE: Final = 1000
"""Pairs of places whose distances are looked at for a mean."""


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs by profile: matrices, or places between which they are computed.

    Matrices are (profiles, places, places), float32 where that is exact, else
    float64. ``distances`` and ``durations`` are one object where times are
    lengths. ``order`` are the places as the instance knows them.

    Where driving has a price, ``distances`` are what arcs cost, there is a
    profile for each price, and arcs above ``most`` are forbidden; between
    places all vehicles have the same ``prices`` of distance and driving.
    ``roads`` are the lengths of arcs.
    """

    instance: Instance
    order: np.ndarray
    distances: np.ndarray | PlaceLengths
    durations: np.ndarray | PlaceLengths
    roads: np.ndarray | PlaceLengths
    profiles: tuple[int, ...]  # of each vehicle type
    most: float = np.inf
    prices: tuple[float, float] | None = None

    @classmethod
    def of(cls, instance: Instance, order: np.ndarray) -> Arcs:
        """Return the arcs between the places in an order.

        Up to ``LARGEST_MATRIX`` places they are matrices.
        """
        types = instance.vehicle_types
        profiles = tuple(each.profile for each in types)
        is_priced = any(each.unit_driving_cost for each in types)
        prices = _prices_alike(instance) if is_priced else None
        is_given = (is_priced and prices is None) or (
            instance.matrix is not None or instance.durations is not None
        )
        if not (is_given or instance.profiles or len(order) <= LARGEST_MATRIX):
            lengths = times = _places_of(instance, order)
            if instance.speed is not None:
                times = lengths.at_speed(instance.speed)
            costs = lengths
            if prices is not None and instance.speed is not None:
                costs = lengths.priced(instance.speed, *prices)
            places = instance, order, costs, times, lengths, profiles
            return cls(*places, prices=prices)
        distances = _stack(instance, arc_distances, order)
        # What counts beside rounding is a share of the longest length.
        most = 2.0 * float(max(each.max_distance for each in types)) + 1.0
        if distances.max(initial=0.0) > most:
            is_useless = (distances > most) & (distances < np.inf)
            distances = np.where(is_useless, most, distances)
        durations = distances
        if instance.has_durations or instance.profiles:
            durations = _stack(instance, arc_durations, order)
            common = np.result_type(distances, durations)
            distances = distances.astype(common, copy=False)
            durations = durations.astype(common, copy=False)
        if is_priced:
            return _priced(instance, order, distances, durations)
        given = instance, order, distances, durations
        return cls(*given, distances, profiles)

    @property
    def are_costs(self) -> bool:
        """Whether the distances are costs."""
        return self.roads is not self.distances

    def unit_cost(self, vehicle_type: VehicleType) -> float:
        """Return what a unit of the distances costs for vehicles of a type."""
        if not self.are_costs:
            return vehicle_type.unit_distance_cost
        return 1.0

    @property
    def both(self) -> tuple[np.ndarray | PlaceLengths, ...]:
        """Distances and durations."""
        return self.distances, self.durations

    def back(self) -> tuple[np.ndarray | PlaceLengths, ...]:
        """Return the arcs the other way, the same object where all agree."""
        back = _back(self.distances)
        if self.durations is self.distances:
            return back, back
        return back, _back(self.durations)

    @property
    def num_profiles(self) -> int:
        """Number of profiles."""
        if self.are_costs:
            return 1 + max(self.profiles)
        return 1 + len(self.instance.profiles)

    @property
    def measures(self) -> list[Callable[..., np.ndarray]]:
        """The lengths, and the times where they are others."""
        if self.durations is self.distances:
            return [self.lengths]
        return [self.lengths, self.times]

    def lengths(
        self, profile: int, tails: np.ndarray, heads: np.ndarray
    ) -> np.ndarray:
        """Return the distances of some arcs; shapes broadcast."""
        if self.are_costs and isinstance(self.distances, np.ndarray):
            return np.asarray(self.distances[profile, tails, heads], float)
        order = self.order
        arcs = self.instance, profile, order[tails], order[heads]
        if self.prices is None:
            return arc_distances(*arcs)
        far, long = self.prices
        return far * arc_distances(*arcs) + long * arc_durations(*arcs)

    def times(
        self, profile: int, tails: np.ndarray, heads: np.ndarray
    ) -> np.ndarray:
        """Return the durations of some arcs; shapes broadcast."""
        if self.are_costs and isinstance(self.durations, np.ndarray):
            return np.asarray(self.durations[profile, tails, heads], float)
        order = self.order
        return arc_durations(
            self.instance, profile, order[tails], order[heads]
        )

    @property
    def are_whole(self) -> tuple[bool, bool]:
        """Whether all distances are whole numbers, and all durations."""
        return self._is_whole(self.distances), self._is_whole(self.durations)

    def _is_whole(self, arcs: np.ndarray | PlaceLengths) -> bool:
        if isinstance(arcs, np.ndarray):
            return bool((arcs == np.rint(arcs)).all())
        if arcs is self.durations and arcs is not self.roads:
            return True  # times at a speed
        if self.prices is not None and not all(
            float(price).is_integer() for price in self.prices
        ):
            return False
        kind = self.instance.length_rule.kind
        return kind not in (UNROUNDED, ARC_UNROUNDED)

    @property
    def longest(self) -> float:
        """The longest distance, or a bound on it."""
        if isinstance(self.distances, np.ndarray):
            return float(self.distances.max())
        longest = longest_distance(self.instance)
        if self.prices is not None and self.instance.speed is not None:
            far, long = self.prices
            return far * longest + long * (1.0 + longest / self.instance.speed)
        return longest

    def mean_of(self, measure: Callable[..., np.ndarray]) -> float:
        """Return the mean of a measure over all arcs, or over a sample."""
        arcs = self.distances if measure == self.lengths else self.durations
        if isinstance(arcs, np.ndarray):
            return float(arcs.mean(dtype=np.float64))
        rng = np.random.default_rng(1)
        tails, heads = rng.integers(len(self.order), size=(2, _SAMPLE))
        return float(measure(0, tails, heads).mean())

    def round_trips(self, depots: Sequence[int], num_nodes: int) -> np.ndarray:
        """Return the shortest trip from a depot to each node and back."""
        nodes = np.arange(num_nodes)
        trips = [
            self.lengths(0, np.array(depot), nodes)
            + self.lengths(0, nodes, np.array(depot))
            for depot in depots
        ]
        return np.asarray(np.min(np.array(trips), axis=0))


def _prices_alike(instance: Instance) -> tuple[float, float] | None:
    """Return what distance and driving cost at a speed, if all pay that."""
    prices = {
        (one.unit_distance_cost, one.unit_driving_cost)
        for one in instance.vehicle_types
    }
    if len(prices) > 1 or instance.speed is None or instance.in_progress:
        return None
    return prices.pop()


def _places_of(instance: Instance, order: np.ndarray) -> PlaceLengths:
    coords = instance.require_coords("distances")[order]
    points = np.pad(coords, ((0, 0), (0, 1)))
    if instance.is_geographic:
        points = unit_vectors(coords)
    if instance.has_nowhere:
        points[order == len(instance.demands) - 1] = np.nan
    return PlaceLengths(points, *instance.length_rule)


def _priced(
    instance: Instance,
    order: np.ndarray,
    distances: np.ndarray,
    durations: np.ndarray,
) -> Arcs:
    """Return the arcs with their costs in place of the distances."""
    types = instance.vehicle_types
    rates = [
        (each.profile, each.unit_distance_cost, each.unit_driving_cost)
        for each in types
    ]
    alike = list(dict.fromkeys(rates))
    of_rates = [profile for profile, _, _ in alike]
    costs = np.array(
        [
            far * distances[profile].astype(float)
            + long * durations[profile].astype(float)
            for profile, far, long in alike
        ]
    )
    parts = [each[of_rates] for each in (durations, distances)]
    longest = max(float(each.max_distance) for each in types)
    is_forbidden = parts[1] > longest
    most = np.inf
    if is_forbidden.any():
        dearest = float(costs[~is_forbidden].max(initial=1.0))
        most = 2.0 * len(order) * dearest
        costs[is_forbidden] = 2.0 * most
    whole = costs.astype(np.float32)
    common = costs.dtype
    if distances.dtype == whole.dtype and (whole == costs).all():
        costs, common = whole, whole.dtype
    times, roads = (each.astype(common, copy=False) for each in parts)
    profiles = tuple(map(alike.index, rates))
    return Arcs(instance, order, costs, times, roads, profiles, most)


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


def _back(arcs: np.ndarray | PlaceLengths) -> np.ndarray | PlaceLengths:
    if isinstance(arcs, PlaceLengths):
        return arcs
    back = arcs.transpose(0, 2, 1)
    return arcs if np.array_equal(arcs, back) else np.ascontiguousarray(back)
