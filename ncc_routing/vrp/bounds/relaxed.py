"""A problem as the bounds see it: whole numbers, and what is left out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.problems import features
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.problems.values import LOAD_TOLERANCE, NO_LIMIT
from ncc_routing.vrp.bounds.arcs import TypeArcs
from ncc_routing.vrp.bounds.listed import list_arcs
from ncc_routing.vrp.bounds.packing import least_bins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.bounds.listed import ListedRoutes

NG_SIZE: Final = 8
"""Customers in an ng set at first."""

_MOST_NEAR: Final = 16
"""Most customers in one."""

LARGEST_COST: Final = 2.0**46
"""Largest cost of a route, in units."""

_MOST_UNITS: Final = 2.0**60
"""Costs from which on kernels cannot count."""

_MOST_STEPS: Final = 2000
"""Largest capacity in the pricing; larger ones are scaled down."""

_LARGEST_TABLE: Final = 2**24
"""Most entries, of a node and a load each, in walks over lists."""

LARGEST_PROBLEM: Final = 30_000
"""Nodes up to which there is a bound."""

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

_BY_LABELS: Final = frozenset(
    {
        *(features.TIME_WINDOWS, features.VEHICLE_WINDOWS),
        *(features.SHIFT_DURATIONS, features.MAX_DISTANCES),
        *(features.MAX_DRIVING_TIMES, features.MAX_STOPS),
        *(features.LOAD_DIMENSIONS, features.LIMITED_FLEET),
    }
)
"""Features of which q-routes know nothing."""

SETUPS: Final = frozenset({features.OWN_SETUPS, features.SETUP_DURATIONS})
"""Features that are left out."""

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

    @property
    def round_trips(self) -> np.ndarray:
        """Cost of serving each customer alone, float64."""
        return np.asarray((self.costs[0] + self.costs[:, 0])[1:])


@dataclass(frozen=True, eq=False)
class Relaxation:
    """A problem without what the bounds do not model.

    Parameters
    ----------
    types
        Routes of each vehicle type, up to ``LARGEST_MATRIX`` nodes.
    listed
        Those of larger problems.
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
    listed: tuple[ListedRoutes, ...]
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

    def units_of(self, costs: np.ndarray) -> np.ndarray:
        """Return costs of arcs in units, int64, which are not above them."""
        return _units_of(costs, self.exponent, self.is_integral)

    def in_costs(self, units: int) -> float:
        """Return units as a cost."""
        return units / 2.0**self.exponent

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

        Better whole costs are less by 1 at least. A cost far above all others
        says nothing.
        """
        least = cost - (1.0 if self.is_integral else 0.0)
        units = least * 2.0**self.exponent
        return units if units < _MOST_UNITS else math.inf


def without_setups(prepared: Prepared) -> Prepared:
    """Return a problem without set-ups.

    They only take time. The form that is searched may have longer ones than
    are paid, so that no bound follows from it.
    """
    given = prepared.given
    if SETUPS.isdisjoint(given.features):
        return prepared
    windows, fleet = given.windows, given.fleet
    if windows is not None:
        none = np.zeros_like(windows.setup_durations)
        windows = replace(windows, setup_durations=none)
    if fleet is not None:
        types = (replace(each, setup_durations=()) for each in fleet.types)
        fleet = replace(fleet, types=tuple(types))
    return Prepared.of(given.derived(windows=windows, fleet=fleet))


def require_bounded(instance: Instance) -> None:
    """Refuse features that may lower costs, and problems too large."""
    if len(instance.demands) > LARGEST_PROBLEM:
        rule = f"does not support more than {LARGEST_PROBLEM} nodes"
        raise UnsupportedProblemError(instance.name, "lower bound", rule)
    for feature in instance.features:
        if feature not in TAKEN:
            raise UnsupportedProblemError(
                instance.name, "lower bound", f"does not support {feature}"
            )


def relax(instance: Instance, deadline: TimeLimit) -> Relaxation:
    """Return a problem as the bounds see it, if they take it.

    It has no routes if the time is over before.
    """
    require_bounded(instance)
    count = instance.num_customers
    demands = instance.demands[: count + 1]
    capacities = [
        _capacity(vehicle_type, 0) for vehicle_type in instance.vehicle_types
    ]
    is_large = count >= LARGEST_MATRIX
    most_steps = min(_MOST_STEPS, _LARGEST_TABLE // (count + 1))
    weights, limits = _positive(demands, capacities, most_steps)
    rows, skipped, served, saved = _rows_of(instance)
    arcs = _arcs_of(instance, capacities, served)
    is_integral = instance.is_integral
    builders: list[_Builder] = []
    listed: list[ListedRoutes] = []
    relaxed = [f for f in instance.features if f not in _MODELLED]
    largest = float(skipped[np.isfinite(skipped)].max(initial=0.0))
    if is_large:
        for each, limit in zip(arcs, limits, strict=True):
            lists = list_arcs(each, limit, deadline)
            listed += [] if lists is None else [lists]
        listed = listed if len(listed) == len(arcs) else []
        largest = max([largest, *(each.largest for each in listed)])
        relaxed += [f for f in instance.features if f in _BY_LABELS]
    elif not deadline.passed():
        builders += map(_Builder, arcs, [weights] * len(arcs), limits)
        largest = max([largest, *(each.largest for each in builders)])
    exponent = _exponent(largest, count)
    types = [each.build(exponent, is_integral) for each in builders]
    relaxed += [feature for each in builders for feature in each.relaxed]
    required = instance.required[: count + 1]
    loads = np.where(required, demands, 0).astype(np.int64)
    capacity = max(1, *capacities)
    return Relaxation(
        types=tuple(types),
        listed=tuple(listed),
        weights=weights,
        rows=rows,
        skipped=skipped,
        loads=loads,
        capacity=capacity,
        num_vehicles=least_bins(loads[loads > 0], capacity),
        constant=math.floor(Fraction(saved) * Fraction(2) ** exponent),
        exponent=exponent,
        is_integral=is_integral,
        relaxed=tuple(dict.fromkeys(relaxed)),
    )


def _arcs_of(
    instance: Instance, capacities: list[int], served: np.ndarray
) -> list[TypeArcs]:
    """Return the arcs of each vehicle type, to those whom it may serve."""
    size = len(served)
    has_left = any(one.departures for one in instance.in_progress)
    # In small numbers, what exceeds a vehicle may seem to fit.
    allowed = instance.demands[:size] <= np.array(capacities)[:, None]
    may_serve = instance.allowed_types()
    if may_serve is not None:
        allowed &= may_serve[:, :size]
    return [
        TypeArcs(
            instance,
            vehicle_type,
            None if one.all() else one,
            served,
            has_left,
        )
        for vehicle_type, one in zip(
            instance.vehicle_types, allowed, strict=True
        )
    ]


def _capacity(vehicle_type: VehicleType, dimension: int) -> int:
    initial = (
        vehicle_type.initial_load[dimension]
        if vehicle_type.initial_load
        else 0
    )
    return vehicle_type.capacities[dimension] - initial


def _positive(
    demands: np.ndarray, capacities: list[int], most_steps: int
) -> tuple[np.ndarray, list[int]]:
    """Return demands of at least 1, and capacities, in small numbers.

    What fits still does. Customers without a demand, which could be visited
    in circles, get a small one.
    """
    total = int(demands.sum())
    given = [max(1, min(capacity, total)) for capacity in capacities]
    scale = max(int(np.gcd.reduce(demands)), 1, -(-max(given) // most_steps))
    amounts_of = demands // scale
    limits = [max(1, limit // scale) for limit in given]
    zeros = int((amounts_of[1:] == 0).sum())
    if zeros > 0:
        sums = np.cumsum(np.sort(demands[1:]))
        counts = np.searchsorted(sums, given, side="right").tolist()
        extras = [max(1, min(zeros, count)) for count in counts]
        more = min(max(extras) + 1, most_steps // max(limits))
        more = max(1, more)
        amounts_of = amounts_of * more + (amounts_of == 0)
        limits = [
            limit * more + extra
            for limit, extra in zip(limits, extras, strict=True)
        ]
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

    def __init__(self, arcs: TypeArcs, weights: np.ndarray, limit: int):
        self._arcs, self._weights, self._limit = arcs, weights, limit
        self._instance, self._windows = arcs.instance, arcs.windows
        self._vehicle_type, has_left = arcs.vehicle_type, arcs.has_left
        self._tails, self._heads = arcs.tails, arcs.heads
        nodes = np.arange(len(weights))
        every = (nodes[:, None], nodes)
        distances, works = arcs.distances(*every), arcs.works(*every)
        costs = arcs.costs(*every)
        self._is_arc = np.isfinite(costs) & np.isfinite(works)
        self._near = _near(distances)
        self._distances, self._works, self._travel = (
            np.where(self._is_arc, values, 0.0)
            for values in (distances, works, arcs.travel(*every))
        )
        self.costs = np.where(self._is_arc, costs, np.inf)
        named = set(arcs.vehicle_type.features()) | set(self._windows.features)
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

    @property
    def largest(self) -> float:
        """The largest cost of an arc."""
        return float(self.costs[np.isfinite(self.costs)].max(initial=0.0))

    def build(self, exponent: int, is_integral: bool) -> TypeRoutes:
        """Return the routes with costs in units of 2**-exponent."""
        size = len(self._weights)
        units = _units_of(self.costs, exponent, is_integral)
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


def _units_of(
    costs: np.ndarray, exponent: int, is_integral: bool
) -> np.ndarray:
    is_arc = np.isfinite(costs)
    scaled = np.floor(np.where(is_arc, costs, 0.0) * 2.0**exponent)
    # Computed costs may be rounded up.
    units = scaled.astype(np.int64) - (0 if is_integral else 1)
    units[~is_arc] = _columns.NO_ARC
    return np.asarray(units)


def _exponent(largest: float, num_customers: int) -> int:
    """Return the exponent of the unit: fine, but no sum overflows.

    ``largest`` is that of the costs of arcs and the prizes.
    """
    total = max(1.0, largest) * (num_customers + 3)
    return min(24, math.floor(math.log2(LARGEST_COST / total)))


def _near(distances: np.ndarray) -> np.ndarray:
    """Return the ng set of each customer: itself and the nearest ones."""
    both = distances + distances.T
    np.fill_diagonal(both, -1.0)
    count = min(NG_SIZE, len(both) - 1)
    order = np.argsort(both[:, 1:], axis=1, kind="stable")[:, :count] + 1
    near = np.full((len(both), _MOST_NEAR), -1, dtype=np.int32)
    near[:, :count] = order
    return near
