"""The same problem without the parts that change nothing, and back.

A fleet of a vehicle for each customer is no limit, a shift that no route can
fill is none, and service durations mean nothing where no time counts. Every
plan keeps its cost, and the feasible plans stay the same.

Searches need finite lengths. Capacity and longest arc bound the routes of a
vehicle type: forbidden arcs become longer than that bound, which becomes the
maximum distance of the type.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing.problems.distances import ARC_UNROUNDED, UNROUNDED
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.features import (
    CLIENT_GROUPS,
    DRIVERS_DAY,
    MAX_DRIVING_TIMES,
    OPTIONAL_CUSTOMERS,
    OWN_WORK,
    SERVICE_DURATIONS,
    SETUP_DURATIONS,
    SHIFT_DURATIONS,
    TIME_BALANCES,
    TIME_STEPS,
    UNIT_DRIVING_COSTS,
    UNIT_DURATION_COSTS,
    VEHICLE_WINDOWS,
)
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.matrices import MARKS, Profile
from ncc_routing.problems.route_constraints import ORDERS, RouteConstraints
from ncc_routing.problems.routes.schedules import (
    arc_distances,
    own_durations,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.types_as_arcs import (
    have_company,
    with_types_as_arcs,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT, longest_finite

if TYPE_CHECKING:
    from typing import Self

    from ncc_routing.problems.instance import Instance


def simplify(instance: Instance) -> Instance:
    """Return the instance without the parts that change nothing.

    The feasible plans and costs stay, and so do the customers. Vehicle types
    keep their order; equal ones become one, unless a rule names one, and a
    profile that all share that of the instance. Depots of no vehicle are left
    out. Where nothing but a capacity is left, ``fleet`` is ``None``.
    """
    instance = _without_trivial_choices(with_types_as_arcs(instance))
    instance = _without_trivial_rules(_without_trivial_work(instance))
    given = (instance.fleet, instance.windows, instance.durations)
    has_no_more = all(part is None for part in given) and not instance.profiles
    if has_no_more and instance.speed is None:
        return instance
    instance = _without_unused_depots(instance)
    parts = _without_wide_limits(instance)
    parts = _without_shared_profile(parts)
    parts = _without_idle_times(parts)
    parts = _without_scale(parts)
    fleet = _fleet_of(instance, parts.types)
    is_alone = instance.num_depots == instance.num_load_dimensions == 1
    is_alone &= not any(vehicle_type.skills for vehicle_type in fleet.types)
    is_idle = is_alone and fleet.capacity > 0 and not fleet.features
    return instance.derived(
        capacity=fleet.capacity,
        fleet=None if is_idle else fleet,
        windows=parts.windows,
        durations=parts.durations,
        profiles=parts.profiles,
        matrix=parts.matrix,
        speed=parts.speed,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """The three forms of a problem, and the way between them.

    Parameters
    ----------
    given
        As the user gave it.
    simplified
        Without the parts that change nothing: what methods accept or refuse.
    searched
        With finite lengths and without balances besides: what methods are
        given. Its routes and vehicle types are those of the simplified one.
    customers
        Given customers who are searched. Default: all.
    """

    given: Instance
    simplified: Instance
    searched: Instance
    customers: tuple[int, ...] | None = None

    @classmethod
    def of(cls, given: Instance) -> Self:
        """Return all forms of a problem."""
        simplified = simplify(given)
        searched = _without_balances(without_forbidden_arcs(simplified))
        return cls(given, simplified, searched)

    @cached_property
    def nodes(self) -> list[int]:
        """The given node of each searched one, for nowhere one more."""
        given = with_types_as_arcs(self.given)
        depots = given.depots
        if given.num_depots > self.searched.num_depots:
            depots = tuple(depots[idx] for idx in _used_depots(given))
        first, *others = depots
        everybody = range(1, self.given.num_customers + 1)
        return [first, *(self.customers or everybody), *others]

    def to_given(self, solution: Solution) -> Solution:
        """Return a solution as one of the given problem.

        Where all types became one, routes take the vehicles in the order of
        the types. Reloads are at the given depots.
        """
        types, used = self.given.vehicle_types, solution.vehicle_types
        place = self.nodes.__getitem__
        routes = tuple(tuple(map(place, route)) for route in solution.routes)
        if len(types) == len(self.searched.vehicle_types):
            return Solution(routes, solution.cost, used)
        vehicles = chain.from_iterable(
            repeat(idx, len(routes))
            if vehicle_type.num_available is None
            else repeat(idx, vehicle_type.num_available)
            for idx, vehicle_type in enumerate(types)
        )
        # A construction may have more routes than there are vehicles.
        any_more = chain(vehicles, repeat(len(types) - 1))
        used = tuple(islice(any_more, len(routes)))
        return Solution(routes, solution.cost, used)

    def from_given(self, solution: Solution) -> Solution:
        """Return a solution of the given problem as one of the searched.

        Customers and reloads at a depot that are left out are on no route. The
        cost stays.
        """
        place = {node: idx for idx, node in enumerate(self.nodes)}
        routes = tuple(
            tuple(place[node] for node in route if node in place)
            for route in solution.routes
        )
        types = solution.vehicle_types
        if len(self.searched.vehicle_types) == 1:  # all became one
            types = (0,) * len(routes)
        return Solution(routes, solution.cost, types)


def _without_balances(instance: Instance) -> Instance:
    fleet = instance.fleet
    if fleet is None or not any(each.balances for each in fleet.types):
        return instance
    return instance.with_types(
        replace(each, balances=()) for each in fleet.types
    )


def _without_trivial_choices(instance: Instance) -> Instance:
    changes: dict[str, Any] = {}
    loads = instance.loads
    if loads is None and instance.selection is None:
        return instance
    if loads and loads.num_dimensions == 1 and not loads.has_pickups:
        changes["loads"] = None
    if not {OPTIONAL_CUSTOMERS, CLIENT_GROUPS} & set(instance.features):
        changes["selection"] = None
    return instance.derived(**changes)


def _without_trivial_work(instance: Instance) -> Instance:
    """Return the problem with set-ups only where one may do for several.

    Services and set-ups that are alike for all types are none of theirs.
    """
    if OWN_WORK.isdisjoint(instance.features):
        return instance
    types, size = instance.vehicle_types, len(instance.demands)
    work = [instance.work_of(each) for each in types]
    services, setups = (np.array(each) for each in zip(*work, strict=True))
    is_shared = have_company(instance)
    services, setups = services + setups * ~is_shared, setups * is_shared

    def own(values: np.ndarray, idx: int) -> tuple[int, ...]:
        are_alike = (values == values[0]).all()
        return () if are_alike else tuple(values[idx].tolist())

    windows = replace(
        instance.windows or TimeWindows.of(size),
        service_durations=services.min(axis=0),
        setup_durations=setups.min(axis=0),
    )
    working = tuple(
        replace(
            each,
            service_durations=own(services, idx),
            setup_durations=own(setups, idx),
        )
        for idx, each in enumerate(types)
    )
    fleet = replace(instance.fleet or Fleet(types), types=working)
    return instance.derived(windows=windows, fleet=fleet)


def _without_trivial_rules(instance: Instance) -> Instance:
    constraints, fleet = instance.constraints, instance.fleet
    if constraints is not None:
        constraints = _without_kept_rules(instance, constraints)
    if fleet is not None and (constraints is None or not constraints.skills):
        types = tuple(
            replace(vehicle_type, skills=()) for vehicle_type in fleet.types
        )
        fleet = replace(fleet, types=types)
    if (constraints, fleet) == (instance.constraints, instance.fleet):
        return instance
    return instance.derived(constraints=constraints, fleet=fleet)


def _without_kept_rules(
    instance: Instance, constraints: RouteConstraints
) -> RouteConstraints | None:
    """Return the rules that a route can break; ``None``: there is none."""
    types, size = instance.vehicle_types, len(instance.demands)
    changes: dict[str, Any] = {
        field: tuple(
            group for group in getattr(constraints, field) if group[1:]
        )
        for field in ("same_route", "different_routes", *ORDERS)
    }
    for field, alone in (
        ("skills", RouteConstraints(skills=constraints.skills)),
        ("vehicles", RouteConstraints(vehicles=constraints.vehicles)),
    ):
        if alone.allowed_types(types, size) is None:
            changes[field] = ()
    most = constraints.max_districts
    if most is None or len({*constraints.districts} - {-1}) <= most:
        changes |= {"districts": (), "max_districts": None}
    left = replace(constraints, **changes)
    return None if left == RouteConstraints() else left


def _used_depots(instance: Instance) -> list[int]:
    """Return the depots that a vehicle may visit, indices of ``depots``."""
    used = set()
    for vehicle_type in instance.vehicle_types:
        ends = vehicle_type.start_depot, vehicle_type.end_depot
        used |= {depot for depot in ends if depot is not None}
        used |= (
            set(vehicle_type.reload_depots)
            if vehicle_type.can_reload
            else set()
        )
    for one in instance.in_progress:
        used |= {depot for _, depot in one.reloads}
    if instance.has_nowhere and len(used) == 1:
        used.add(0)  # nowhere is the last depot, and none is the first
    return sorted(used)


def _without_unused_depots(instance: Instance) -> Instance:
    used = _used_depots(instance)
    if instance.fleet is None or len(used) == instance.num_depots:
        return instance
    first, *others = (instance.depots[idx] for idx in used)
    customers = range(1, instance.num_customers + 1)
    nodes = [first, *customers, *others]
    place = {idx: new for new, idx in enumerate(used)}
    types = tuple(
        replace(
            vehicle_type,
            start_depot=place[vehicle_type.start_depot or 0],
            end_depot=place[vehicle_type.end_depot or 0],
            reload_depots=tuple(
                place[idx]
                for idx in vehicle_type.reload_depots
                if idx in place
            ),
            max_reloads=vehicle_type.max_reloads
            if vehicle_type.can_reload
            else 0,
        )
        for vehicle_type in instance.vehicle_types
    )
    in_progress = (
        replace(one, reloads=tuple((n, place[k]) for n, k in one.reloads))
        for one in instance.in_progress
    )
    draft = Draft.of(instance).set(in_progress=tuple(in_progress))
    draft.set_types(types)
    return draft.keep(nodes).set(num_depots=len(used)).build()


def _fleet_of(instance: Instance, types: tuple[VehicleType, ...]) -> Fleet:
    """Return the fleet of the remaining types, one where all are alike."""
    given = instance.fleet
    vehicles = None if given is None else given.vehicles
    distinct = {
        replace(vehicle_type, name="", num_available=None)
        for vehicle_type in types
    }
    constraints = instance.constraints
    is_named = constraints is not None and bool(
        constraints.vehicles or constraints.in_progress
    )
    if (
        len(distinct) == 1 and not is_named
    ):  # the first one's name stands for all
        total = Fleet(types).num_vehicles
        is_ample = total is not None and total >= instance.num_customers
        if is_ample and not types[0].counts_idle:
            total = None
        types = (replace(types[0], num_available=total),)
        vehicles = None if vehicles is None else (0,) * len(vehicles)
    return Fleet(types, vehicles)


class _Parts(NamedTuple):
    """What is left of the parts of an instance."""

    types: tuple[VehicleType, ...]
    windows: TimeWindows | None
    durations: np.ndarray | None
    profiles: tuple[Profile, ...]
    matrix: np.ndarray | None
    speed: float | None

    def counts_time(self) -> bool:
        lengths = [self.durations, *(one.durations for one in self.profiles)]
        if any(each is not None and np.isinf(each).any() for each in lengths):
            return True
        timed = {VEHICLE_WINDOWS, SHIFT_DURATIONS, UNIT_DURATION_COSTS}
        timed |= {UNIT_DRIVING_COSTS, MAX_DRIVING_TIMES}
        timed |= {TIME_STEPS, TIME_BALANCES, *DRIVERS_DAY}
        used = {
            feature
            for vehicle_type in self.types
            for feature in vehicle_type.features()
        }
        of_windows = () if self.windows is None else self.windows.features
        work = {SERVICE_DURATIONS, SETUP_DURATIONS}
        return bool(used & timed or set(of_windows) - work)


class _Bounds(NamedTuple):
    """Upper bounds on any route of a type; ``work`` is without waiting."""

    distance: float
    work: float


def _route_bounds(instance: Instance) -> list[_Bounds]:
    """Return what no route of each type can exceed."""
    types = instance.vehicle_types
    longest = {
        profile: _longest_arcs(instance, profile)
        for profile in {each.profile for each in types}
    }
    return [
        _bounds_of_type(instance, each, *longest[each.profile])
        for each in types
    ]


def _bounds_of_type(
    instance: Instance,
    vehicle_type: VehicleType,
    distance: float,
    duration: float,
) -> _Bounds:
    """Return what no route of a type can exceed, by its longest arcs.

    A route that may be loaded anew is, at most before and after each stop.
    """
    demands = np.sort(np.delete(instance.demands, instance.depots))
    fitting = np.cumsum(demands) <= vehicle_type.capacity
    num_stops, num_reloads = int(np.count_nonzero(fitting)), 0
    if vehicle_type.can_reload:
        num_stops = instance.num_customers
        num_reloads = min(vehicle_type.max_reloads, num_stops + 1)
    times = np.add(*instance.work_of(vehicle_type))
    longest_services = np.sort(np.delete(times, instance.depots))[::-1]
    service = int(longest_services[:num_stops].sum())
    most = int(times[list(instance.depots)].max())
    service += (1 + num_reloads) * most
    arcs = num_stops + num_reloads + 1
    return _Bounds(arcs * distance, arcs * duration + service)


def _longest_arcs(instance: Instance, profile: int) -> tuple[float, float]:
    if profile > 0:
        longest = longest_finite(instance.profiles[profile - 1].matrix)
    else:
        longest = longest_distance(instance)
        if instance.speed is not None and instance.durations is None:
            return longest, float(np.rint(longest / instance.speed))
    durations = own_durations(instance, profile)
    return longest, longest if durations is None else longest_finite(durations)


def longest_distance(instance: Instance) -> float:
    """Return an upper bound on finite distances, tight up to a factor of 2."""
    if instance.matrix is not None:
        return longest_finite(instance.matrix)
    if instance.is_geographic:  # by the depot
        nodes = np.arange(len(instance.demands))
        return 2.0 * float(instance.lengths(np.zeros_like(nodes), nodes).max())
    coords = instance.require_coords("distances")
    rule = instance.length_rule
    diagonal = rule.scale * float(np.linalg.norm(np.ptp(coords, axis=0)))
    if rule.kind in (UNROUNDED, ARC_UNROUNDED):
        return diagonal
    return float(np.ceil(diagonal + rule.shift))


def _without_wide_limits(instance: Instance) -> _Parts:
    """Drop limits and windows that no single route can break."""
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    bounds = _route_bounds(instance)
    each = list(zip(instance.vehicle_types, bounds, strict=True))
    # A vehicle on its way may be ahead, or late.
    has_departed = any(one.departures for one in instance.in_progress)
    is_idle = not has_departed and all(
        _never_waits(instance, windows, *pair) for pair in each
    )
    loads = _total_loads(instance)
    types = []
    for given, bound in each:
        vehicle_type = _without_idle_fields(given, loads)
        changes: dict[str, Any] = {}
        if vehicle_type.capacity >= NO_LIMIT:  # no route carries more than all
            changes["capacity"] = max(1, int(instance.demands.sum()))
        available = vehicle_type.num_available
        is_ample = (available or 0) >= instance.num_customers
        if is_ample and not vehicle_type.counts_idle:
            changes["num_available"] = None
        if vehicle_type.max_distance >= bound.distance:
            changes["max_distance"] = NO_LIMIT
        hours = vehicle_type.hours
        if (
            hours is not None
            and hours.free_work >= bound.work
            and not has_departed
        ):
            changes["hours_of_service"] = None
        if vehicle_type.max_driving_time >= bound.work:
            changes["max_driving_time"] = NO_LIMIT
        if vehicle_type.max_stops >= instance.num_customers:
            changes["max_stops"] = NO_LIMIT
        longest = _span(instance, windows, vehicle_type)
        if has_departed:
            longest = np.inf
        if is_idle:
            longest = min(longest, bound.work)
            changes |= {"tw_early": 0, "tw_late": NO_LIMIT}
            changes["start_late"] = NO_LIMIT
        if vehicle_type.shift_duration >= longest:
            changes |= {"shift_duration": NO_LIMIT, "max_overtime": 0}
            changes["unit_overtime_cost"] = 0
        types.append(replace(vehicle_type, **changes))
    kept = instance.windows
    if is_idle and kept is not None:
        kept = TimeWindows.of(
            len(kept.service_durations),
            service_durations=kept.service_durations,
            setup_durations=kept.setup_durations,
        )
    return _Parts(
        tuple(types),
        kept,
        instance.durations,
        instance.profiles,
        instance.matrix,
        instance.speed,
    )


def _total_loads(instance: Instance) -> np.ndarray:
    totals = instance.deliveries.sum(axis=0)
    if instance.loads is not None:
        totals = totals + instance.loads.pickup.sum(axis=0)
    for shipment in instance.shipments:
        totals = totals + shipment.amount
    for one in instance.in_progress:
        totals = totals + np.sum(one.undelivered or [0 * totals], axis=0)
    return np.asarray(totals)


def _without_idle_fields(
    vehicle_type: VehicleType, total_loads: np.ndarray
) -> VehicleType:
    changes: dict[str, Any] = {}
    initial = (
        vehicle_type.initial_load if any(vehicle_type.initial_load) else ()
    )
    most = total_loads + (initial or 0)
    # A capacity is not 0 where nothing has a load.
    changes["capacity"] = tuple(
        min(capacity, int(total)) if total > 0 else 1
        for capacity, total in zip(vehicle_type.capacities, most, strict=True)
    )
    changes["initial_load"] = initial
    if not vehicle_type.can_reload:
        changes |= {"reload_depots": (), "max_reloads": NO_LIMIT}
    if vehicle_type.unit_overtime_cost == 0 or vehicle_type.max_overtime == 0:
        changes |= {
            "shift_duration": vehicle_type.max_duration,
            "max_overtime": 0,
        }
        changes["unit_overtime_cost"] = 0
    return replace(vehicle_type, **changes)


def _span(
    instance: Instance, windows: TimeWindows, vehicle_type: VehicleType
) -> float:
    start = instance.ends_of(vehicle_type)[0]
    end = instance.ends_of(vehicle_type)[1]
    earliest = max(vehicle_type.tw_early, int(windows.tw_early[start]))
    earliest = min(earliest, vehicle_type.start_late)  # and waits at its depot
    return min(vehicle_type.tw_late, int(windows.tw_late[end])) - earliest


def _never_waits(
    instance: Instance,
    windows: TimeWindows,
    vehicle_type: VehicleType,
    bound: _Bounds,
) -> bool:
    """Whether any route, started at once, neither waits nor is late."""
    if vehicle_type.can_reload or windows.windows is not None:
        return False  # a trip may wait for its goods
    if windows.preferred is not None:
        return False
    if vehicle_type.breaks or vehicle_type.hours is not None:
        return False
    start, end = instance.ends_of(vehicle_type)
    begin = max(vehicle_type.tw_early, int(windows.tw_early[start]))
    nodes = np.append(np.delete(windows.tw_early, instance.depots), 0)
    opening = max(int(nodes.max()), int(windows.tw_early[end]))
    opening = max(opening, int(windows.release_times.max()))
    customers = np.delete(windows.tw_late, instance.depots)
    closing = min(int(customers.min()), int(windows.tw_late[end]))
    latest_start = min(vehicle_type.start_late, int(windows.tw_late[start]))
    return opening <= begin <= latest_start and begin + bound.work <= min(
        closing, vehicle_type.tw_late
    )


def _without_shared_profile(parts: _Parts) -> _Parts:
    """Take the lengths of the only profile in use as those of all."""
    used = {vehicle_type.profile for vehicle_type in parts.types}
    if len(used) > 1:
        return parts
    profile = used.pop()
    if profile == 0:
        return parts._replace(profiles=())
    matrices = parts.profiles[profile - 1]
    return parts._replace(
        types=tuple(
            replace(vehicle_type, profile=0) for vehicle_type in parts.types
        ),
        durations=matrices.durations,
        profiles=(),
        matrix=matrices.matrix,
        speed=None,
    )


def _without_idle_times(parts: _Parts) -> _Parts:
    if parts.counts_time():
        if parts.windows is not None and not parts.windows.features:
            return parts._replace(windows=None)
        return parts
    profiles = tuple(Profile(p.matrix) for p in parts.profiles)
    types = tuple(
        replace(each, service_durations=(), setup_durations=())
        for each in parts.types
    )
    return parts._replace(
        types=types,
        windows=None,
        durations=None,
        profiles=profiles,
        speed=None,
    )


def _without_scale(parts: _Parts) -> _Parts:
    """Put a unit distance cost that all vehicles share into a matrix."""
    units = {vehicle_type.unit_distance_cost for vehicle_type in parts.types}
    is_limited = any(
        each.max_distance < NO_LIMIT
        or any(one.amount == "distance" for one in each.price_steps)
        or any(one.amount == "distance" for one in each.balances)
        for each in parts.types
    )
    if parts.matrix is None or is_limited or len(units) > 1 or 0 in units:
        return parts
    unit = units.pop()
    if unit == 1:
        return parts
    # Where durations are those of the distances, they stay as they are.
    durations = parts.durations
    if durations is None and parts.counts_time():
        durations = parts.matrix
        if parts.speed is not None:
            durations = np.rint(parts.matrix / parts.speed)
    profiles = tuple(
        Profile(
            unit * profile.matrix,
            profile.matrix if profile.durations is None else profile.durations,
        )
        if parts.counts_time()
        else Profile(unit * profile.matrix)
        for profile in parts.profiles
    )
    types = tuple(
        replace(vehicle_type, unit_distance_cost=1)
        for vehicle_type in parts.types
    )
    return parts._replace(
        types=types,
        matrix=unit * parts.matrix,
        durations=durations,
        profiles=profiles,
    )


def without_forbidden_arcs(instance: Instance) -> Instance:
    """Return the problem with finite lengths and the same feasible plans.

    Plans without a forbidden arc keep their costs, vehicle types their order.
    """
    if not instance.has_forbidden_arcs:
        return instance
    types = instance.vehicle_types
    limits = [
        min(vehicle_type.max_distance, bound.distance)
        for vehicle_type, bound in zip(
            types, _route_bounds(instance), strict=True
        )
    ]
    forbidden_length = np.ceil(2.0 * max(limits)) + 1.0
    if forbidden_length in MARKS:  # it is to be a length
        forbidden_length += 2.0
    first, *others = (
        _finite_lengths(instance, profile, forbidden_length)
        for profile in range(1 + len(instance.profiles))
    )
    vehicles = None if instance.fleet is None else instance.fleet.vehicles
    kept = (
        replace(vehicle_type, max_distance=limit)
        for vehicle_type, limit in zip(types, limits, strict=True)
    )
    return replace(
        instance,
        fleet=Fleet(tuple(kept), vehicles),
        matrix=first.matrix,
        durations=first.durations,
        profiles=tuple(others),
    )


def _finite_lengths(
    instance: Instance, profile: int, forbidden_length: float
) -> Profile:
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
    return Profile(matrix, durations)


def with_forbidden_types_as_arcs(instance: Instance) -> Instance:
    """Return the problem with a profile for each choice of customers.

    The distances to those whom a vehicle type may not serve are infinite
    there. Types keep their order, and plans their feasibility and cost.
    """
    allowed = instance.allowed_types()
    if instance.constraints is None or allowed is None:
        return instance
    nodes = np.arange(len(instance.demands))
    profiles, types = list(instance.profiles), []
    place: dict[tuple[int, bytes], int] = {}
    for vehicle_type, may in zip(instance.vehicle_types, allowed, strict=True):
        key = (vehicle_type.profile, may.tobytes())
        if may.all():
            place[key] = vehicle_type.profile
        elif key not in place:
            arcs = (instance, vehicle_type.profile)
            matrix = np.array(arc_distances(*arcs, nodes[:, None], nodes))
            matrix[:, ~may] = np.inf
            profiles.append(Profile(matrix, own_durations(*arcs)))
            place[key] = len(profiles)
        types.append(replace(vehicle_type, profile=place[key]))
    fleet = instance.fleet or Fleet(instance.vehicle_types)
    return instance.derived(
        fleet=replace(fleet, types=tuple(types)),
        profiles=tuple(profiles),
        constraints=replace(instance.constraints, skills=(), vehicles=()),
    )
