"""A problem as the bounds see it: whole numbers, and what is left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.problems import features
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.problems.schedules import (
    arc_distances,
    arc_driving,
    arc_durations,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import LOAD_TOLERANCE, NO_LIMIT
from ncc_routing.vrp.bounds.packing import least_bins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

NG_SIZE: Final = 8
"""Customers in an ng set at first."""

_MOST_NEAR: Final = 16
"""Most customers in one."""

LARGEST_COST: Final = 2.0**46
"""Largest cost of a route, in units."""

_MOST_STEPS: Final = 2000
"""Largest capacity in the pricing; larger ones are scaled down."""

_MOST_TIMES: Final = 30_000
"""The same of times."""

_MOST_EXTRAS: Final = 2
"""Limits of a route beside its main resource."""

_MODELLED: Final = frozenset(
    {
        *(features.MATRIX_ONLY, features.PROFILES, features.FORBIDDEN_ARCS),
        *(features.LIMITED_FLEET, features.VEHICLE_TYPES),
        *(features.SEVERAL_DEPOTS, features.INITIAL_LOADS),
        *(features.FIXED_COSTS, features.UNIT_DISTANCE_COSTS),
        *(features.UNIT_DURATION_COSTS, features.DURATIONS),
        *(features.TIME_WINDOWS, features.VEHICLE_WINDOWS),
        *(features.SERVICE_DURATIONS, features.SHIFT_DURATIONS),
        *(features.MAX_DISTANCES, features.LOAD_DIMENSIONS),
        *(features.OPTIONAL_CUSTOMERS, features.CLIENT_GROUPS),
        *(features.SKILLS, features.PINNED),
        *(features.UNIT_DRIVING_COSTS, features.MAX_DRIVING_TIMES),
        *(features.MAX_STOPS, features.OPEN_ROUTES),
        *(features.SPEED_FACTORS, features.OWN_SERVICES),
    }
)
"""Features that the bounds model."""

_IN_PART: Final = frozenset(
    {
        *(features.PICKUPS, features.RELEASE_TIMES, features.OVERTIME),
        *(features.IN_PROGRESS_ROUTES, features.BREAKS),
    }
)
"""Features of which they ignore what only forbids routes or costs more.

Of the duration of a route they price travel and service, no break.
"""

TAKEN: Final = _MODELLED | _IN_PART | features.RESTRICTIONS
"""Features that are not refused."""


class TypeRoutes(NamedTuple):
    """The routes of a vehicle type, with the customers 1..n and a depot 0.

    ``costs`` are float64, with the fixed cost on the arcs of the depot;
    ``units`` the same in whole units, rounded down. ``limit`` is the largest
    weight of a route. ``near`` are the ng sets by node, padded with -1.
    ``num_available`` is at most the number of customers.
    """

    costs: np.ndarray
    units: np.ndarray
    limit: int
    is_symmetric: bool
    near: np.ndarray
    pricer: _columns.Pricer
    num_available: int


@dataclass(frozen=True, eq=False)
class Relaxation:
    """A problem without what the bounds do not model.

    Parameters
    ----------
    types
        Routes of each vehicle type.
    weights
        Weight of each node in the pricing, int32, >= 1 for customers.
    rows
        Row of each customer, int64: its own, or that of its group.
    skipped
        Cost of serving nobody of each row, ``inf`` where that is not allowed.
    loads, capacity, num_vehicles
        Load of each required customer, the largest capacity, and how many
        vehicles the loads need: what rounded capacity inequalities count.
    constant
        Cost of every solution beside these, in units.
    exponent
        A unit is 2**-exponent.
    is_integral
        Whether the cost of every solution is a whole number.
    relaxed
        The features that are left out, in words.
    """

    types: tuple[TypeRoutes, ...]
    weights: np.ndarray
    rows: np.ndarray
    skipped: np.ndarray
    loads: np.ndarray
    capacity: int
    num_vehicles: int
    constant: int
    exponent: int
    is_integral: bool
    relaxed: tuple[str, ...]

    @property
    def num_nodes(self) -> int:
        """Number of nodes, the depot included."""
        return len(self.weights)

    def of_customers(self, shares: np.ndarray) -> np.ndarray:
        """Return what customers have of the shares of rows, in equal parts."""
        parts = shares / np.bincount(self.rows)
        return np.asarray(parts[self.rows])

    def by_weight(self, amount: float) -> np.ndarray:
        """Return the part of each row in an amount for all."""
        weights = np.bincount(self.rows, self.weights[1:])
        return np.asarray(amount * weights / weights.sum())

    def bound_of(self, units: int) -> float:
        """Return a proven bound as a float that is not above it.

        Whole costs round up.
        """
        exact = Fraction(units) / Fraction(2) ** self.exponent
        if self.is_integral:
            return float(math.ceil(exact))
        value = float(exact)
        return value if value <= exact else math.nextafter(value, -math.inf)

    def worth_of(self, cost: float) -> float:
        """Return what a solution must exceed, in units, to cost so much.

        Better whole costs are less by 1 at least.
        """
        least = cost - (1.0 if self.is_integral else 0.0)
        return least * 2.0**self.exponent if cost < math.inf else math.inf


def require_bounded(instance: Instance, given: Instance | None = None) -> None:
    """Refuse features that may lower costs, and problems too large.

    Work that depends on the previous stop is not exact in the form that is
    ``given`` no longer.
    """
    if len(instance.demands) > LARGEST_MATRIX:
        rule = f"does not support more than {LARGEST_MATRIX} nodes"
        raise UnsupportedProblemError(instance.name, "lower bound", rule)
    used = list(instance.features)
    if given is not None:
        work = features.OWN_WORK.intersection(given.features)
        used += sorted(work - {features.OWN_SERVICES})
        if work and features.BREAKS in given.features:
            used += [f"{features.BREAKS} and other {name}" for name in work]
    for feature in used:
        if feature not in TAKEN:
            raise UnsupportedProblemError(
                instance.name, "lower bound", f"does not support {feature}"
            )


def relax(instance: Instance) -> Relaxation:
    """Return a problem as the bounds see it, if they take it."""
    require_bounded(instance)
    count = instance.num_customers
    demands = instance.demands[: count + 1]
    capacities = [
        _capacity(vehicle_type, 0) for vehicle_type in instance.vehicle_types
    ]
    weights, limits = _positive(demands, capacities)
    rows, skipped, served, saved = _rows_of(instance)
    has_left = any(one.departures for one in instance.in_progress)
    builders = [
        _Builder(instance, idx, weights, limit, served, has_left)
        for idx, limit in enumerate(limits)
    ]
    exponent = _exponent([each.costs for each in builders])
    is_integral = instance.is_integral
    relaxed = {feature: None for each in builders for feature in each.relaxed}
    names = [f for f in instance.features if f not in _MODELLED]
    required = instance.required[: count + 1]
    loads = np.where(required, demands, 0).astype(np.int64)
    capacity = max(1, *capacities)
    return Relaxation(
        types=tuple(each.build(exponent, is_integral) for each in builders),
        weights=weights,
        rows=rows,
        skipped=skipped,
        loads=loads,
        capacity=capacity,
        num_vehicles=least_bins(loads[loads > 0], capacity),
        constant=math.floor(Fraction(saved) * Fraction(2) ** exponent),
        exponent=exponent,
        is_integral=is_integral,
        relaxed=tuple(dict.fromkeys([*names, *relaxed])),
    )


def _capacity(vehicle_type: VehicleType, dimension: int) -> int:
    initial = (
        vehicle_type.initial_load[dimension]
        if vehicle_type.initial_load
        else 0
    )
    return vehicle_type.capacities[dimension] - initial


def _positive(
    demands: np.ndarray, capacities: list[int]
) -> tuple[np.ndarray, list[int]]:
    """Return demands of at least 1, and capacities, in small numbers.

    What fits still does. Customers without a demand, which could be visited
    in circles, get a small one.
    """
    total = int(demands.sum())
    limits = [max(1, min(capacity, total)) for capacity in capacities]
    scale = max(int(np.gcd.reduce(demands)), 1, -(-max(limits) // _MOST_STEPS))
    amounts_of, limits = (
        demands // scale,
        [max(1, limit // scale) for limit in limits],
    )
    zeros = int((amounts_of[1:] == 0).sum())
    if zeros > 0:
        more = max(1, min(zeros + 1, _MOST_STEPS // max(limits)))
        amounts_of = amounts_of * more + (amounts_of == 0)
        limits = [limit * more + zeros for limit in limits]
    weights = amounts_of.astype(np.int32)
    weights[0] = 0
    return weights, limits


def _rows_of(
    instance: Instance,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return the row of each customer, and the prizes.

    These are the cost of serving nobody of a row, the cost of serving each
    customer, and the cost in any case: of a group the largest prize can be
    saved.
    """
    count = instance.num_customers
    rows = np.arange(count)
    served = np.zeros(count + 1)
    if instance.selection is None:
        return rows, np.full(count, np.inf), served, 0.0
    choice, saved = instance.selection, 0.0
    skipped = np.where(
        choice.required[1 : count + 1], np.inf, choice.prizes[1 : count + 1]
    )
    for group in choice.groups:
        members = np.array(group.customers)
        prizes = choice.prizes[members]
        rows[members - 1] = members[0] - 1
        served[members] = prizes.max() - prizes
        saved += float(prizes.sum() - prizes.max())
        most = np.inf if group.required else prizes.max()
        skipped[members - 1] = most
    used, rows = np.unique(rows, return_inverse=True)
    return rows, skipped[used], served, saved


class _Builder:
    """The routes of a vehicle type, on the way to whole numbers."""

    def __init__(
        self,
        instance: Instance,
        idx: int,
        weights: np.ndarray,
        limit: int,
        served: np.ndarray,
        has_left: bool,
    ) -> None:
        self._instance, self._weights, self._limit = instance, weights, limit
        self._vehicle_type = vehicle_type = instance.vehicle_types[idx]
        count = instance.num_customers
        nodes = np.arange(1, count + 1)
        self._tails = np.append(instance.ends_of(vehicle_type)[0], nodes)
        self._heads = np.append(instance.ends_of(vehicle_type)[1], nodes)
        arcs = (
            instance,
            vehicle_type.profile,
            self._tails[:, None],
            self._heads,
        )
        self._distances = arc_distances(*arcs).astype(float)
        windows = instance.windows or TimeWindows.of(len(instance.demands))
        self._windows = windows
        services = windows.service_durations[self._tails]
        self._travel = arc_driving(*arcs).astype(float)
        self._works = arc_durations(*arcs) + services[:, None]
        is_arc = np.isfinite(self._distances + self._works)
        allowed = instance.allowed_types()
        if allowed is not None:
            is_arc[:, 1:] &= allowed[idx, 1 : count + 1]
        self._is_arc = is_arc & ~np.eye(count + 1, dtype=bool)
        self._near = _near(self._distances)
        self._distances = np.where(self._is_arc, self._distances, 0.0)
        self._works = np.where(self._is_arc, self._works, 0.0)
        self._travel = np.where(self._is_arc, self._travel, 0.0)
        named = set(vehicle_type.features()) | set(windows.features)
        is_open = not named & {features.TIME_WINDOWS, features.VEHICLE_WINDOWS}
        self.relaxed: list[str] = []
        self._has_times = not is_open and not has_left
        timed = {features.UNIT_DURATION_COSTS, features.SHIFT_DURATIONS}
        if not is_open or has_left:  # waiting, and what has been
            self.relaxed += sorted(named & timed)
        if not is_open and has_left:
            both = {features.TIME_WINDOWS, features.VEHICLE_WINDOWS}
            self.relaxed += sorted(named & both)
        self._has_left = has_left
        costs = vehicle_type.unit_distance_cost * self._distances
        if vehicle_type.unit_duration_cost > 0 and not has_left:
            costs = costs + vehicle_type.unit_duration_cost * self._works
        if vehicle_type.unit_driving_cost > 0:
            costs = costs + vehicle_type.unit_driving_cost * self._travel
        costs = costs + served
        costs[0, 1:] += vehicle_type.fixed_cost / 2
        costs[1:, 0] += vehicle_type.fixed_cost / 2
        self.costs = np.where(self._is_arc, costs, np.inf)

    def build(self, exponent: int, is_integral: bool) -> TypeRoutes:
        """Return the routes with costs in units of 2**-exponent."""
        is_arc, size = self._is_arc, len(self._weights)
        scaled = np.floor(np.where(is_arc, self.costs, 0.0) * 2.0**exponent)
        # Computed costs may be rounded up.
        units = scaled.astype(np.int64) - (0 if is_integral else 1)
        units[~is_arc] = _columns.NO_ARC
        loads = np.broadcast_to(self._weights, (size, size))
        early = np.zeros(size, dtype=np.int32)
        late = np.full(size, self._limit, dtype=np.int32)
        steps = np.ascontiguousarray(loads)
        extras: list[np.ndarray] = []
        limits: list[int] = []
        if self._has_times:
            extras, limits = [steps], [self._limit]
            steps, early, late = self._times()
        for amounts, limit, feature in self._limits():
            if len(extras) < _MOST_EXTRAS:
                weights_of, most = _whole(amounts, limit)
                extras.append(weights_of)
                limits.append(most)
            elif feature not in self.relaxed:
                self.relaxed.append(feature)
        symmetric = not self._has_times and all(
            bool((table == table.T).all()) for table in (units, *extras)
        )
        pricer = _columns.Pricer(
            steps=steps,
            early=early,
            late=late,
            extras=extras,
            limits=limits,
            weights=self._weights,
            main_is_weight=not self._has_times,
            near=self._near,
            is_symmetric=symmetric,
        )
        available, most = self._vehicle_type.num_available, size - 1
        return TypeRoutes(
            self.costs,
            units,
            self._limit,
            symmetric,
            self._near,
            pricer,
            most if available is None else min(available, most),
        )

    def _limits(self) -> Iterator[tuple[np.ndarray, float, str]]:
        """Yield what is limited: amounts of arcs, a limit, its feature."""
        vehicle_type, instance = self._vehicle_type, self._instance
        if vehicle_type.max_distance < NO_LIMIT:
            yield (
                self._distances,
                vehicle_type.max_distance,
                features.MAX_DISTANCES,
            )
        if vehicle_type.max_driving_time < NO_LIMIT:
            yield (
                self._travel,
                vehicle_type.max_driving_time,
                features.MAX_DRIVING_TIMES,
            )
        if vehicle_type.max_stops < instance.num_customers:
            is_stop = np.arange(len(self._heads)) > 0
            yield (
                np.broadcast_to(is_stop, self._works.shape) * 1.0,
                vehicle_type.max_stops,
                features.MAX_STOPS,
            )
        if vehicle_type.max_duration < NO_LIMIT and not self._has_left:
            yield (
                self._works,
                vehicle_type.max_duration,
                features.SHIFT_DURATIONS,
            )
        loads = [instance.deliveries]
        if instance.loads is not None:
            loads.append(instance.loads.pickup)
        for number, amounts in enumerate(loads):
            for dim in range(number == 0, instance.num_load_dimensions):
                into = amounts[self._heads, dim]
                room = _capacity(vehicle_type, dim)
                if into.sum() > room:
                    yield (
                        np.broadcast_to(into, self._works.shape),
                        room,
                        features.PICKUPS
                        if number
                        else features.LOAD_DIMENSIONS,
                    )

    def _times(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return durations of arcs and windows, in small whole numbers."""
        vehicle_type, windows = self._vehicle_type, self._windows
        start, end = self._tails[0], self._heads[0]
        early = windows.tw_early[self._tails].astype(float)
        early = np.maximum(early, windows.release_times[self._tails])
        early[0] = max(vehicle_type.tw_early, windows.tw_early[start])
        late = windows.tw_late[self._heads].astype(float)
        late[0] = min(vehicle_type.tw_late, windows.tw_late[end])
        works = self._works
        # A route that does not wait any more ends by then.
        last = float(early.max() + works.max(axis=1).sum())
        late = np.minimum(late, last) * (1.0 + LOAD_TOLERANCE)
        late[1:] = np.minimum(late[1:], late[0])
        whole = bool((works == np.rint(works)).all())
        scale = _MOST_TIMES / max(late[0], 1.0)
        if whole and late[0] <= _MOST_TIMES:
            scale = 1.0
        # One more for each arc, so that nobody is visited in circles.
        least = np.floor(works[:, 1:] * scale)[self._is_arc[:, 1:]]
        more = int(least.min(initial=1) < 1)
        times = 1
        if more:
            horizon = max(1.0, late[0] * scale)
            times = max(1, min(len(late), int(_MOST_TIMES / horizon)))
        steps = np.floor(works * scale) * times + more
        steps[:, 1:] = np.maximum(steps[:, 1:], 1.0)  # of arcs that are none
        opens, closes = (np.floor(t * scale) * times for t in (early, late))
        closes += more * (len(late) + 1)
        closes[1:] = np.minimum(closes[1:], closes[0])
        opens = np.minimum(opens, closes[0] + 1)
        return (
            np.ascontiguousarray(steps, dtype=np.int32),
            opens.astype(np.int32),
            closes.astype(np.int32),
        )


def _whole(amounts: np.ndarray, limit: float) -> tuple[np.ndarray, int]:
    """Return amounts and their limit as small whole numbers, rounded down."""
    limit = limit * (1.0 + LOAD_TOLERANCE)
    scale = 2.0**29 / max(limit, 1.0)
    if (amounts == np.rint(amounts)).all() and limit <= 2.0**29:
        scale = 1.0
    # No more than the limit, lest sums overflow.
    scaled = np.minimum(np.floor(amounts * scale), 2.0**29 + 1)
    return np.ascontiguousarray(scaled, dtype=np.int32), math.floor(
        limit * scale
    )


def _exponent(costs: list[np.ndarray]) -> int:
    """Return the exponent of the unit: fine, but no sum overflows."""
    largest = 1.0
    for table in costs:
        finite = table[np.isfinite(table)]
        largest = max(largest, float(finite.max(initial=0.0)))
    largest *= len(costs[0]) + 2
    return min(24, math.floor(math.log2(LARGEST_COST / largest)))


def _near(distances: np.ndarray) -> np.ndarray:
    """Return the ng set of each customer: itself and the nearest ones."""
    both = distances + distances.T
    np.fill_diagonal(both, -1.0)
    count = min(NG_SIZE, len(both) - 1)
    order = np.argsort(both[:, 1:], axis=1, kind="stable")[:, :count] + 1
    near = np.full((len(both), _MOST_NEAR), -1, dtype=np.int32)
    near[:, :count] = order
    return near
