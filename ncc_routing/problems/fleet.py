"""The vehicles of an instance, where they are more than a capacity."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted
from ncc_routing.problems import features
from ncc_routing.problems.balance import ALL, Balance
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.constraints import ROUTE_LIMITS
from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    limit,
    names,
    number,
    parts,
    text,
    whole,
    whole_limit,
    wholes,
)
from ncc_routing.problems.hours_of_service import (
    RULE,
    HoursOfService,
    parse_hours,
)
from ncc_routing.problems.price_steps import PriceStep
from ncc_routing.problems.values import (
    NO_LIMIT,
    require_kind,
    whole_numbers,
    whole_tuple,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.constraints import Constraint

COSTS: Final = (
    *("fixed_cost", "unit_distance_cost"),
    *("unit_duration_cost", "unit_overtime_cost", "unit_driving_cost"),
)
"""Fields of costs of a vehicle type."""

MOST_BREAKS: Final = 6
"""Breaks of a route at most: a search looks at each set of them."""


def _hours(source: str, name: str, given: object) -> HoursOfService:
    hours = parse_hours(given) if isinstance(given, str) else given
    if isinstance(hours, HoursOfService):
        return hours
    raise InstanceError(source, name, RULE, given)


def _vehicles(source: str, name: str, given: object) -> tuple[int, ...]:
    return tuple(whole_numbers(source, name, given).ravel().tolist())


@dataclass(frozen=True, kw_only=True)
class VehicleType(Declared):
    """Identical vehicles; all arguments are keywords.

    Names and meanings are PyVRP's, but the default number of vehicles is
    unlimited, not one, and ``capacity`` may be a number instead of a list.
    Fields that are declared with ``pyvrp=False`` are not PyVRP's.

    Parameters
    ----------
    capacity
        Largest load, in the unit of the demands. A sequence has one for each
        load dimension; those after the first become ``other_capacities``.
        Default: no limit, as in PyVRP.
    num_available
        Number of vehicles, at least 1. Default: no limit.
    start_depot, end_depot
        Where a route begins and ends: indices of ``Instance.depots``.
        ``None``: at its first or last customer. Default 0, the first depot.
    tw_early, tw_late
        Earliest start and latest end of a route. Default: none.
    start_late
        Latest start of a route. Default: ``tw_late``.
    shift_duration
        Longest duration of a route, from its start to its end, without
        overtime. Default: no limit.
    max_distance
        Longest distance of a route. Default: no limit.
    fixed_cost
        Cost of each vehicle used; may be negative. Default 0.
    unit_distance_cost
        Cost of a unit of distance, >= 0. Default 1.
    unit_duration_cost
        Cost of a unit of the duration of a route, >= 0. Default 0.
    profile
        Distances and durations of the vehicles: 0 for those of the instance, p
        > 0 for those of ``Instance.profiles[p - 1]``. Default 0.
    name
        Name of the type. Default: empty.
    other_capacities
        Capacities in the load dimensions beyond the first. Default: none.
    initial_load
        Load in each dimension from the start until the first reload or the
        end. Default: none.
    max_reloads
        Largest number of reloads of a route. Default: no limit.
    reload_depots
        Depots where a route may reload: indices of ``Instance.depots``.
        Default: none.
    max_overtime
        Time by which a route may exceed ``shift_duration``. Default 0.
    unit_overtime_cost
        Cost of a unit of overtime, in addition to ``unit_duration_cost``.
        Default 0.
    skills
        Skills of the vehicles (``RouteConstraints.skills``), without regard to
        case and spare blanks. Default: none.
    unit_driving_cost
        Cost of a unit of the driving time of a route, >= 0: the durations of
        its arcs, without service and waiting. Default 0.
    max_driving_time
        Longest driving time of a route. Default: no limit.
    max_stops
        Largest number of customers on a route; both stops of a shipment count,
        depots do not. Default: no limit.
    min_stops
        Least number of customers of a route that has not begun. Default 0.
    min_load
        Least load of a route that has not begun: all deliveries and pickups of
        its customers in the first dimension, on all trips, and the amounts of
        its shipments. Default 0.
    price_steps
        Costs of each unit of an amount of a route beyond some of it. Default:
        none.
    balances
        Prices and limits of how unequal the routes of the types are that share
        them. Default: none.
    speed_factor
        Divisor of the durations of arcs; lengths stay. Default 1.
    service_durations
        Service duration of each node by these vehicles. Default: those of
        ``Instance.windows``.
    breaks
        Breaks that each route has, at most six, in any order. They count in
        the duration of the route. Default: none.
    hours_of_service
        Limits on driving and work, and rests between: "EU", "US", such a text
        with other limits ("EU, 10 h driving, 15 h span"), or the numbers. They
        lower ``max_driving_time``, and ``shift_duration`` unless the time
        window of the type is shorter. Default: none.
    setup_durations
        Set-up duration of each node by these vehicles, 0 for depots. Default:
        those of ``Instance.windows``.
    max_waiting
        Longest time that a route waits in all, before its stops and its end.
        What has happened on a route in progress does not count, nor the wait
        of one that only returns. Default: no limit.
    max_wait
        Longest time that it waits before one customer or reload. Default: no
        limit.
    starts_empty
        Whether no goods are where a route starts, so that it delivers none
        before its first reload. Default ``False``.

    Raises
    ------
    InstanceError
        If a number other than ``fixed_cost`` is negative, a time or a load is
        not a whole number, a cost is above 2**60, an initial load is above its
        capacity, or a window closes before it opens.
    """

    capacity: int = whole(
        NO_LIMIT,
        is_limit=True,
        says="largest load; needed here or as an argument",
        unit="loads",
        needed=True,
    )
    num_available: int | None = whole(
        None,
        is_limit=True,
        least=1,
        says="number of vehicles, 1 without the column",
        column="number",
    )
    start_depot: int | None = whole(
        0,
        may_be_none=True,
        says="id of the depot where routes start; none: at the first customer",
        cells="text",
        vrplib="VEHICLES_DEPOT depot",
    )
    end_depot: int | None = whole(
        0,
        may_be_none=True,
        says="id of the depot where routes end; none: at the last customer",
        cells="text",
    )
    tw_early: int = whole(
        0,
        says="earliest start of a route; also `start`, with times of day",
        column="shift_start",
        cells="moment",
    )
    tw_late: int = whole_limit(
        says="latest end of a route; also `end`, with times of day",
        column="shift_end",
        cells="moment",
    )
    start_late: int = whole_limit(
        says="latest start of a route", column="latest_start", cells="moment"
    )
    shift_duration: float = limit(
        says="longest duration of a route",
        column="max_duration",
        cells="limit",
        vrplib="VEHICLES_MAX_DURATION time limits fleet",
    )
    max_distance: float = limit(
        says="longest distance of a route",
        unit="length",
        vrplib="VEHICLES_MAX_DISTANCE time limits fleet",
        vroom="max_distance",
    )
    fixed_cost: float = number(
        0,
        least=-NO_LIMIT,
        says="cost of each vehicle used; empty: 0",
        vrplib="VEHICLES_FIXED_COST cost fleet",
    )
    unit_distance_cost: float = number(
        1,
        says="cost of a unit of distance; empty: 1",
        column="cost_per_distance",
        unit="per length",
        vrplib="VEHICLES_UNIT_DISTANCE_COST amount fleet",
    )
    unit_duration_cost: float = number(
        0,
        says="cost of a unit of route duration; empty: 0",
        column="cost_per_time",
        unit="per time",
    )
    profile: int = whole(0)
    name: str = text("", says="name of the vehicle type", column="vehicle")
    other_capacities: tuple[int, ...] = wholes(is_limit=True, pyvrp=False)
    initial_load: tuple[int, ...] = wholes(
        says="load on board at the start; empty: 0", unit="loads", blank=0
    )
    max_reloads: int = whole_limit(
        says="largest number of reloads on a route",
        vrplib="VEHICLES_MAX_RELOADS count",
    )
    reload_depots: tuple[int, ...] = wholes(
        says="depots for reloading: ids separated by bars, or yes",
        cells="text",
        vrplib="VEHICLES_RELOAD_DEPOT depots",
    )
    max_overtime: float = number(
        0,
        is_limit=True,
        says="overtime beyond `max_duration`; empty: 0",
        cells="limit",
    )
    unit_overtime_cost: float = number(
        0,
        says="extra cost of a unit of overtime",
        column="cost_per_overtime",
        unit="per time",
    )
    skills: tuple[str, ...] = names(
        says="skills of the vehicles", column="has_skills", pyvrp=False
    )
    unit_driving_cost: float = number(
        0,
        says="cost of a unit of driving time, without service and waiting; "
        "empty: 0",
        column="cost_per_driving_time",
        unit="per time",
        pyvrp=False,
    )
    max_driving_time: float = limit(
        says="longest driving time of a route, without service and waiting",
        cells="limit",
        vroom="max_travel_time",
        pyvrp=False,
    )
    max_stops: int = whole_limit(
        says="largest number of customers on a route",
        vroom="max_tasks",
        pyvrp=False,
    )
    min_stops: int = whole(
        0,
        says="least number of customers on a route; empty: 0",
        pyvrp=False,
    )
    min_load: int = whole(
        0,
        says="least load of all customers of a route together; empty: 0",
        cells="amount",
        unit="loads",
        pyvrp=False,
    )
    price_steps: tuple[PriceStep, ...] = parts(PriceStep, pyvrp=False)
    balances: tuple[Balance, ...] = parts(Balance, pyvrp=False)
    speed_factor: float = number(
        1,
        says="divisor of travel times: 0.8 for a slower vehicle; empty: 1",
        pyvrp=False,
    )
    service_durations: tuple[int, ...] = wholes(pyvrp=False)
    breaks: tuple[Break, ...] = parts(Break, pyvrp=False)
    hours_of_service: HoursOfService | str | None = declared(
        _hours,
        None,
        kind=HoursOfService,
        says="rules on driving and rests: EU or US, also with other limits: "
        "EU, 10 h driving, 15 h span; empty: none",
        cells="text",
        pyvrp=False,
    )
    setup_durations: tuple[int, ...] = wholes(pyvrp=False)
    max_waiting: float = limit(
        says="longest waiting time of a route in all",
        cells="limit",
        pyvrp=False,
    )
    max_wait: float = limit(
        says="longest wait of a route before one customer or reload",
        cells="limit",
        pyvrp=False,
    )
    starts_empty: bool = flag(
        False,
        says="where the goods are as a route starts: depot (it loads at one "
        "of `reload_depots` first) or driver; empty: depot, if the vehicle "
        "starts at a place of its own and orders have loads",
        column="goods_at",
        cells="text",
        pyvrp=False,
    )

    def __post_init__(self) -> None:
        require_kind("vehicle type", "name", self.name, str)
        source = self.name or "vehicle type"
        given: object = self.capacity
        if isinstance(given, np.ndarray):
            given = given.tolist()
        if isinstance(given, (list, tuple)) and given:
            capacities = whole_tuple(source, "capacity", given, is_limit=True)
            self.keep(capacity=capacities[0], other_capacities=capacities[1:])
        self.read_fields(source)
        if self.speed_factor == 0:
            raise InstanceError(source, "speed_factor", "must be positive", 0)
        self._check_initial_load(source)
        self._check_breaks(source)
        if self.tw_early > self.tw_late:
            rule = f"must not be before tw_early {self.tw_early}"
            raise InstanceError(source, "tw_late", rule, self.tw_late)
        latest = min(self.start_late, self.tw_late)
        self.keep(start_late=latest)
        if latest < self.tw_early:
            rule = f"must not be before tw_early {self.tw_early}"
            raise InstanceError(source, "start_late", rule, latest)
        self._keep_hours()

    def _keep_hours(self) -> None:
        hours = self.hours
        if hours is None:
            return
        most = min(self.max_driving_time, hours.max_driving)
        self.keep(max_driving_time=most)
        if self.tw_late - self.tw_early > hours.max_span:
            shift = min(self.shift_duration, hours.max_span)
            overtime = min(self.max_overtime, hours.max_span - shift)
            self.keep(shift_duration=shift, max_overtime=overtime)

    def _check_breaks(self, source: str) -> None:
        if len(self.breaks) > MOST_BREAKS:
            rule = f"must be at most {MOST_BREAKS}"
            raise InstanceError(source, "breaks", rule, len(self.breaks))
        for one in self.breaks:
            if len(one.max_load or ()) > len(self.capacities):
                rule = "must have at most one load for each dimension"
                raise InstanceError(source, "breaks", rule, one.max_load)

    def _check_initial_load(self, source: str) -> None:
        loads, capacities = self.initial_load, self.capacities
        if loads and len(loads) != len(capacities):
            wanted = counted(len(capacities), "load")
            rule = f"must hold {wanted}, one a dimension"
            raise InstanceError(source, "initial_load", rule, len(loads))
        for load, capacity in zip(loads, capacities, strict=False):
            if load > capacity:
                rule = f"must not exceed the capacity {capacity}"
                raise InstanceError(source, "initial_load", rule, load)

    @property
    def capacities(self) -> tuple[int, ...]:
        """Capacity of each load dimension."""
        return (self.capacity, *self.other_capacities)

    @property
    def counts_idle(self) -> bool:
        """Whether a balance counts vehicles without a route."""
        return any(one.among == ALL for one in self.balances)

    @property
    def hours(self) -> HoursOfService | None:
        """The rules on driving and work, ``None`` without any."""
        hours = self.hours_of_service
        return hours if isinstance(hours, HoursOfService) else None

    @property
    def unpaid_duration(self) -> float:
        """Duration of the unpaid breaks."""
        return sum(one.duration for one in self.breaks if not one.paid)

    @property
    def can_reload(self) -> bool:
        """Whether a route may reload."""
        return bool(self.reload_depots) and self.max_reloads > 0

    @property
    def max_duration(self) -> float:
        """Longest duration of a route, overtime included."""
        return min(self.shift_duration + self.max_overtime, NO_LIMIT)

    def limited(self, limit: Constraint, most: float) -> VehicleType:
        """Return the type where routes have at most so much of an amount."""
        least = min(getattr(self, limit.field), most)
        if limit.field != "max_duration":
            return replace(self, **{limit.field: least})
        shift = min(self.shift_duration, least)
        return replace(self, shift_duration=shift, max_overtime=least - shift)

    def priced(self, price: str) -> VehicleType:
        """Return the type whose only cost is one of 1 a unit."""
        costs: dict[str, Any] = dict.fromkeys(COSTS, 0)
        costs |= {"price_steps": (), "balances": (), price: 1}
        return replace(self, **costs)

    def _priced_amounts(self) -> dict[str, bool]:
        stepped = [one.is_timed for one in self.price_steps]
        balanced = [one.is_timed for one in self.balances]
        return {
            features.PRICE_STEPS: not all(stepped),
            features.TIME_STEPS: any(stepped),
            features.BALANCES: not all(balanced),
            features.TIME_BALANCES: any(balanced),
        }

    @property
    def all_price_steps(self) -> tuple[PriceStep, ...]:
        """The price steps, of which overtime is one."""
        overtime = self.shift_duration, self.unit_overtime_cost
        steps = (*self.price_steps, PriceStep("duration", *overtime))
        paid = (one for one in steps if one.beyond < NO_LIMIT)
        return tuple(one for one in paid if one.unit_cost != 0)

    def features(self) -> Iterator[str]:
        """Yield what it has beyond a capacity, in words."""
        is_used = {
            features.LIMITED_FLEET: self.num_available is not None,
            features.FIXED_COSTS: self.fixed_cost > 0,
            features.NEGATIVE_FIXED_COSTS: self.fixed_cost < 0,
            features.UNIT_DISTANCE_COSTS: self.unit_distance_cost != 1,
            features.UNIT_DURATION_COSTS: self.unit_duration_cost > 0,
            features.VEHICLE_WINDOWS: self.tw_early > 0
            or min(self.tw_late, self.start_late) < NO_LIMIT,
            features.SHIFT_DURATIONS: self.shift_duration < NO_LIMIT,
            features.MAX_DISTANCES: self.max_distance < NO_LIMIT,
            features.PROFILES: self.profile > 0,
            features.INITIAL_LOADS: any(self.initial_load),
            features.EMPTY_STARTS: self.starts_empty,
            features.RELOAD_DEPOTS: self.can_reload,
            features.OVERTIME: self.max_overtime > 0,
            features.UNIT_DRIVING_COSTS: self.unit_driving_cost > 0,
            features.MAX_DRIVING_TIMES: self.max_driving_time < NO_LIMIT,
            features.MAX_STOPS: self.max_stops < NO_LIMIT,
            features.MIN_STOPS: self.min_stops > 1,
            features.MIN_LOADS: self.min_load > 0,
            **self._priced_amounts(),
            features.OPEN_ROUTES: None in (self.start_depot, self.end_depot),
            features.SPEED_FACTORS: self.speed_factor != 1,
            features.OWN_SERVICES: bool(self.service_durations),
            features.OWN_SETUPS: bool(self.setup_durations),
            features.BREAKS: bool(self.breaks),
            features.HOURS_OF_SERVICE: self.hours is not None,
        }
        is_used |= {
            each.feature: True
            for each in ROUTE_LIMITS
            if getattr(self, each.field) < NO_LIMIT
        }
        return (feature for feature, is_there in is_used.items() if is_there)


@dataclass(frozen=True)
class Fleet(Declared):
    """The vehicle types of an instance.

    Parameters
    ----------
    types
        The types, at least one.
    vehicles
        Type of each numbered vehicle: route k of a solution file is that of
        vehicle k. Default: the vehicles of the first type, then those of the
        second one, ... (``all_vehicles``).

    Raises
    ------
    InstanceError
        If there is no type, or ``vehicles`` does not agree with the numbers
        of vehicles available.
    """

    types: tuple[VehicleType, ...] = parts(VehicleType, MISSING)
    vehicles: tuple[int, ...] | None = declared(_vehicles, None)

    def __post_init__(self) -> None:
        self.read_fields("fleet")
        if not self.types:
            raise InstanceError("fleet", "types", "must hold a vehicle type")
        dimensions = {
            len(vehicle_type.capacities) for vehicle_type in self.types
        }
        if len(dimensions) > 1:
            rule = "must be of equally many load dimensions in all types"
            raise InstanceError("fleet", "capacity", rule, max(dimensions))
        if self.vehicles is None:
            return
        vehicles = self.vehicles
        for idx, vehicle_type in enumerate(self.types):
            listed, available = vehicles.count(idx), vehicle_type.num_available
            if available is not None and listed != available:
                rule = f"must name type {idx} {available} times"
                raise InstanceError("fleet", "vehicles", rule, listed)
        if not set(vehicles) <= set(range(len(self.types))):
            rule = f"must be types 0..{len(self.types) - 1}"
            raise InstanceError("fleet", "vehicles", rule, max(vehicles))

    @property
    def capacity(self) -> int:
        """Largest capacity of a vehicle."""
        return max(vehicle_type.capacity for vehicle_type in self.types)

    @property
    def capacities(self) -> tuple[int, ...]:
        """Largest capacity of a vehicle in each load dimension."""
        each = [vehicle_type.capacities for vehicle_type in self.types]
        return tuple(map(max, zip(*each, strict=True)))

    @property
    def is_integral(self) -> bool:
        """Whether every cost is a whole number, and no speed is changed.

        No overtime costs either that follows a shift of a part of a unit.
        """
        return all(
            vehicle_type.speed_factor == 1
            and (
                vehicle_type.unit_overtime_cost == 0
                or float(vehicle_type.shift_duration).is_integer()
            )
            and all(
                float(getattr(vehicle_type, cost)).is_integer()
                for cost in COSTS
            )
            and all(
                float(step.beyond).is_integer()
                and float(step.unit_cost).is_integer()
                for step in vehicle_type.price_steps
            )
            and all(
                float(one.largest_cost).is_integer()
                and float(one.spread_cost).is_integer()
                for one in vehicle_type.balances
            )
            for vehicle_type in self.types
        )

    @property
    def num_vehicles(self) -> int | None:
        """Number of vehicles, ``None`` if one type has no limit."""
        total = 0
        for vehicle_type in self.types:
            if vehicle_type.num_available is None:
                return None
            total += vehicle_type.num_available
        return total

    @property
    def features(self) -> tuple[str, ...]:
        """What it has beyond vehicles that are alike, in words."""
        used = [] if len(self.types) == 1 else [features.VEHICLE_TYPES]
        for vehicle_type in self.types:
            used += vehicle_type.features()
        return tuple(dict.fromkeys(used))

    def all_vehicles(self, num_customers: int) -> tuple[int, ...]:
        """Return the types of the vehicles, none more often than customers."""
        if self.vehicles is not None:
            return self.vehicles
        counts = (
            min(vehicle_type.num_available or num_customers, num_customers)
            for vehicle_type in self.types
        )
        return tuple(
            idx for idx, count in enumerate(counts) for _ in range(count)
        )

    def check(self, source: str, num_depots: int, num_profiles: int) -> None:
        """Refuse a type whose depot or profile does not exist."""
        for idx, vehicle_type in enumerate(self.types):
            for name, values, count in (
                ("start_depot", (vehicle_type.start_depot,), num_depots),
                ("end_depot", (vehicle_type.end_depot,), num_depots),
                ("reload_depots", vehicle_type.reload_depots, num_depots),
                ("profile", (vehicle_type.profile,), num_profiles),
            ):
                largest = max((v for v in values if v is not None), default=0)
                if largest >= count:
                    raise InstanceError(
                        f"{source}, vehicle type {idx}",
                        name,
                        f"must be below {count}",
                        largest,
                    )
