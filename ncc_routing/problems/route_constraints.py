"""Which customers a route and its vehicle may serve, and what has begun."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted
from ncc_routing.problems import features
from ncc_routing.problems.declared import (
    Declared,
    blanks_of,
    declared,
    flag,
    part,
    parts,
    per_node,
    whole,
    wholes,
)
from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.values import (
    LARGEST_SUM,
    listed,
    names_tuple,
    one_number,
    whole_numbers,
    whole_tuple,
)

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Container,
        Iterable,
        Iterator,
        Sequence,
    )

    from ncc_routing.problems.fleet import VehicleType

IN_SERVICE: Final = "in service"
"""Skill of the vehicles, and of what is not served, once one has failed."""

OUT_OF_SERVICE: Final = "out of service"
TOO_LATE: Final = "past its latest start"
RETIRED: Final = (OUT_OF_SERVICE, TOO_LATE)
"""What the other vehicles are: skills that nobody needs."""

LOST_GOODS: Final = ("goods on board ", " (out of service)")
"""Skill that nobody has, around the title of a vehicle that has failed."""

_SOURCE: Final = "route constraints"
_IN_PROGRESS: Final = "in-progress route"

ORDERS: Final = ("precedences", "sequences")
"""Fields that are groups of customers in an order."""

GROUPS: Final = ("same_route", "different_routes", "all_or_none", *ORDERS)
"""Fields that are groups of customers."""

FIRST, LAST = "first", "last"
"""Places on a route."""

_LISTS: Final = "lists"
"""What the fields hold, for messages."""


BreakTaken = tuple[int, int, float | None, float]
"""An entry of ``InProgressRoute.breaks_taken``."""


def _time(source: str, name: str, given: object) -> float:
    return one_number(source, name, given, whole=False)


def _departures(
    source: str, name: str, given: object
) -> tuple[float | None, ...]:
    return tuple(
        None if each is None else _time(source, name, each)
        for each in listed(source, name, given, "times")
    )


def _reloads(
    source: str, name: str, given: object
) -> tuple[tuple[int, ...], ...]:
    pairs = listed(source, name, given, "pairs of numbers")
    reloads = tuple(whole_tuple(source, name, pair) for pair in pairs)
    if any(len(pair) != 2 for pair in reloads):
        rule = "must be pairs of a number of customers and a depot"
        raise InstanceError(source, name, rule, reloads)
    return reloads


def _breaks_taken(
    source: str, name: str, given: object
) -> tuple[BreakTaken, ...]:
    breaks = []
    for each in listed(source, name, given, "breaks"):
        if not isinstance(each, list | tuple) or len(each) != 4:
            rule = "must have an index, a number of stops before, a begin "
            raise InstanceError(source, name, f"{rule}and a duration", each)
        index, place, begin, duration = each
        number = int(one_number(source, name, index, least=-1))
        stops = int(one_number(source, name, place))
        if begin is not None:
            begin = _time(source, name, begin)
        breaks.append((number, stops, begin, _time(source, name, duration)))
    return tuple(breaks)


def _trips(
    source: str, name: str, given: object
) -> tuple[tuple[int, ...], ...]:
    trips = listed(source, name, given, "lists of amounts")
    return tuple(whole_tuple(source, name, amounts) for amounts in trips)


def _delays(
    source: str, name: str, given: object
) -> tuple[tuple[int, float], ...]:
    delays = []
    for each in listed(source, name, given, "pairs"):
        if not isinstance(each, list | tuple) or len(each) != 2:
            rule = "must be pairs of a number of stops before and a time"
            raise InstanceError(source, name, rule, each)
        stops = int(one_number(source, name, each[0]))
        delays.append((stops, _time(source, name, each[1])))
    return tuple(delays)


def _distances(source: str, name: str, given: object) -> tuple[float, ...]:
    each = listed(source, name, given, "numbers")
    return tuple(_time(source, name, distance) for distance in each)


@dataclass(frozen=True)
class InProgressRoute(Declared):
    """The beginning of a route, and what its vehicle has on board.

    Parameters
    ----------
    vehicle_type
        Index of the type, an entry of ``Instance.vehicle_types``.
    customers
        Nodes of the first customers of the route, in their order. Default:
        none; the vehicle is then loaded and has not left.
    departures
        Times at which the vehicle left its depot and each stop, one entry
        more than stops, in the unit of the durations, fractions allowed;
        ``None`` if unknown. Entries before the first known one are traced back
        without waiting; later ones follow from travel, opening and service,
        but are no later than the next known one. If one is known, these
        customers and the start are not late, and release times do not apply
        to them. Default: no time is known, and the search chooses the start.
    on_board
        Customers whose goods are on board. They stay on this route, in any
        order, and may be left out only if customers may be unserved. Their
        goods take room until they are delivered or the vehicle is at a depot.
        Default: none is known.
    reloads
        The reloads so far: for each the number of customers before it, and
        the depot, an index of ``Instance.depots``. They need ``departures``.
        Default: none.
    is_over
        Whether the vehicle serves nobody else. Default no.
    breaks_taken
        Breaks that the driver has had, and is having: for each its index in
        ``VehicleType.breaks``, -1 for a rest by hours of service; the number
        of stops before it; its begin, ``None`` for the departure there; and
        its duration. They follow a known departure. Default: none.
    hours_so_far
        What the driver has driven, worked and rested at the departure from
        the last of these stops, where the vehicle type has hours of service.
        It needs ``departures``. Default: nothing.
    undelivered
        What else each trip so far had on board from its depot on, until the
        next one: an entry for each trip, the last one for the trip that is
        going on, each with an amount for each load dimension. Default:
        nothing.
    cancelled
        Which of ``customers`` are passed by, and not served: their orders were
        cancelled while the vehicle was on its way there. No output counts
        them as served, and they have no goods. Default: none.
    break_distances
        Distance driven since the stop before each of ``breaks_taken``.
        Default: the share of the arc that its begin leaves time for.
    delays
        How much longer than its arc the way to a stop took: pairs of the
        number of stops before it and a time. Of the way after the last stop it
        is what is known to be lost. They follow a known departure. Default:
        none.

    Raises
    ------
    InstanceError
        If there is no customer, neither served nor on board, one occurs twice,
        one of ``cancelled`` is none of ``customers`` or occurs twice,
        the reloads are not in order, the number of departures is wrong, or one
        is negative, above 2**51 or earlier than one before it.
    """

    vehicle_type: int = whole()
    customers: tuple[int, ...] = wholes()
    departures: tuple[float | None, ...] = declared(_departures, ())
    on_board: tuple[int, ...] = wholes()
    reloads: tuple[tuple[int, int], ...] = declared(_reloads, ())
    is_over: bool = flag(False)
    breaks_taken: tuple[BreakTaken, ...] = declared(_breaks_taken, ())
    hours_so_far: HoursSoFar = part(HoursSoFar, HoursSoFar())
    undelivered: tuple[tuple[int, ...], ...] = declared(_trips, ())
    delays: tuple[tuple[int, float], ...] = declared(_delays, ())
    break_distances: tuple[float, ...] = declared(_distances, ())
    cancelled: tuple[int, ...] = wholes()

    def __post_init__(self) -> None:
        self.read_fields(_IN_PROGRESS)
        both = self.customers + self.on_board
        if not both or len(set(both)) < len(both):
            name, rule = "customers, on_board", "must be one or more different"
            raise InstanceError(_IN_PROGRESS, name, f"{rule} customers", both)
        if others := set(self.cancelled).difference(self.customers):
            rule = "must be some of customers"
            raise InstanceError(_IN_PROGRESS, "cancelled", rule, min(others))
        if len(set(self.cancelled)) < len(self.cancelled):
            twice = self.cancelled
            raise InstanceError(
                _IN_PROGRESS, "cancelled", "must not repeat", twice
            )
        self._check_departures()
        self._check_reloads()
        self._check_breaks()
        if self.hours_so_far != HoursSoFar() and not self.departures:
            name = "hours_so_far"
            raise InstanceError(_IN_PROGRESS, name, "needs departures")
        if len(self.undelivered) not in (0, 1 + len(self.reloads)):
            rule = f"must have {counted(1 + len(self.reloads), 'trip')}"
            given = len(self.undelivered)
            raise InstanceError(_IN_PROGRESS, "undelivered", rule, given)
        for stops, time in self.delays:
            self._require_departure("delays", stops, (stops, time))

    def _check_departures(self) -> None:
        source, name = _IN_PROGRESS, "departures"
        times = [each for each in self.departures if each is not None]
        wanted = 1 + len(self.customers) + len(self.reloads)
        if len(self.departures) not in (0, wanted):
            rule = "must be one of the depot, and one of each stop"
            raise InstanceError(source, name, rule, len(self.departures))
        if times != sorted(times):
            rule = "must not be before the one of an earlier stop"
            raise InstanceError(source, name, rule, times)
        if max(times, default=0) > LARGEST_SUM:
            rule = f"must be at most {LARGEST_SUM} (2**51)"
            raise InstanceError(source, name, rule, times[-1])
        if not times:
            self.keep(departures=())

    def _check_reloads(self) -> None:
        source, name = _IN_PROGRESS, "reloads"
        places = [0, *(at for at, _ in self.reloads), len(self.customers)]
        if places != sorted(places):
            rule = f"must be in order, after 0..{places[-1]} customers"
            raise InstanceError(source, name, rule, places[1:-1])
        if self.reloads and not self.departures:
            raise InstanceError(source, name, "need departures")

    def _check_breaks(self) -> None:
        source, name = _IN_PROGRESS, "breaks_taken"
        for each in self.breaks_taken:
            self._require_departure(name, each[1], each)
        places = [place for _, place, _, _ in self.breaks_taken]
        most = len(self.customers) + len(self.reloads)
        if [*places, most] != sorted([*places, most]):
            rule = f"must be in order, after 0..{most} stops"
            raise InstanceError(source, name, rule, places)
        had = [number for number, *_ in self.breaks_taken if number >= 0]
        if len(set(had)) < len(had):
            raise InstanceError(source, name, "must have a break once", had)
        count = len(self.break_distances)
        if count not in (0, len(places)):
            rule = f"must be those of {counted(len(places), 'break')}"
            raise InstanceError(source, "break_distances", rule, count)

    def _require_departure(self, name: str, stops: int, given: object) -> None:
        """Refuse what follows so many stops and no known departure."""
        if all(left is None for left in self.departures[: stops + 1]):
            rule = "must follow a known departure of departures"
            raise InstanceError(_IN_PROGRESS, name, rule, given)

    @property
    def breaks_had(self) -> frozenset[int]:
        """Indices of the breaks that are not owed any more."""
        return frozenset(n for n, *_ in self.breaks_taken if n >= 0)

    def delay_after(self, num_stops: int) -> float:
        """Return what was lost on the way after some first stops."""
        return sum(time for at, time in self.delays if at == num_stops)

    def rested_after(self, num_stops: int) -> float:
        """Return how long breaks and delays after some first stops took."""
        breaks = (d for _, at, _, d in self.breaks_taken if at == num_stops)
        return sum(breaks) + self.delay_after(num_stops)

    def is_there(self, num_stops: int, there: float) -> float:
        """Return when a vehicle is at the stop after some, and had breaks.

        It is ``there`` without breaks and delays.
        """
        there += self.delay_after(num_stops)
        for _, place, begin, duration in self.breaks_taken:
            if place == num_stops:
                there = max(there, begin or 0) + duration
        return there

    @classmethod
    def of_stops(
        cls,
        vehicle_type: int,
        stops: Sequence[int],
        departures: Sequence[float | None],
        depots: Sequence[int],
        **changes: Any,
    ) -> InProgressRoute:
        """Return one of the nodes that a vehicle visited, depots included."""
        customers = tuple(node for node in stops if node not in depots)
        reloads = tuple(
            (number - calls, depots.index(node))
            for calls, (number, node) in enumerate(
                pair for pair in enumerate(stops) if pair[1] in depots
            )
        )
        given = (vehicle_type, customers, tuple(departures))
        return cls(*given, reloads=reloads, **changes)

    def stops(self, depots: Sequence[int]) -> tuple[int, ...]:
        """Return its customers, and the depots of its reloads, as nodes."""
        nodes = list(self.customers)
        for place, depot in reversed(self.reloads):
            nodes.insert(place, depots[depot])
        return tuple(nodes)

    def goods_of(self, trip: int, num_dimensions: int) -> tuple[int, ...]:
        """Return what else a trip has on board, the first one being 0."""
        nothing = (0,) * num_dimensions
        return self.undelivered[trip] if self.undelivered else nothing

    @property
    def trip(self) -> tuple[int, ...]:
        """The customers since the last reload."""
        return self.customers[self.reloads[-1][0] if self.reloads else 0 :]

    def begins(
        self, route: Sequence[int], vehicle_type: int, depots: Sequence[int]
    ) -> bool:
        """Whether a route of a vehicle type goes on with it."""
        if vehicle_type != self.vehicle_type:
            return False
        if not self.customers and set(self.on_board).isdisjoint(route):
            return False
        stops = self.stops(depots)
        return tuple(route[: len(stops)]) == stops


def _skills(
    source: str, name: str, given: object
) -> tuple[tuple[str, ...], ...]:
    each = listed(source, name, given, _LISTS)
    return tuple(names_tuple(source, name, own) for own in each)


def _vehicles(
    source: str, name: str, given: object
) -> tuple[tuple[int, ...] | None, ...]:
    found: list[tuple[int, ...] | None] = []
    for each in listed(source, name, given, _LISTS):
        types = each if each is None else whole_tuple(source, name, each)
        if types is not None and not types:
            rule = "must name a vehicle type, or be None for all"
            raise InstanceError(source, name, rule)
        found.append(types and tuple(sorted(set(types))))
    return tuple(found)


def _groups(
    source: str, name: str, given: object
) -> tuple[tuple[int, ...], ...]:
    groups = [
        whole_tuple(source, name, group)
        for group in listed(source, name, given, _LISTS)
    ]
    for group in groups:
        if not group or len(set(group)) < len(group):
            rule = "a group must be one or more different customers"
            raise InstanceError(source, name, rule, group)
    return tuple(groups)


def _positions(source: str, name: str, given: object) -> tuple[str, ...]:
    places = tuple(
        each.strip().casefold() if isinstance(each, str) else each
        for each in listed(source, name, given, _LISTS)
    )
    for place in places:
        if place not in ("", FIRST, LAST):
            rule = f"must be {FIRST}, {LAST} or empty"
            raise InstanceError(source, name, rule, place)
    return places


def _districts(source: str, name: str, given: object) -> tuple[int, ...]:
    districts = whole_numbers(source, name, given).ravel().tolist()
    if min(districts, default=0) < -1:
        rule = "must be -1 for none, or not negative"
        raise InstanceError(source, name, rule, min(districts))
    return tuple(districts)


@dataclass(frozen=True)
class RouteConstraints(Declared):
    """Constraints on the customers of a route and its vehicle.

    Fields with an entry for each node may be empty. Entries of depots say
    nothing: ``()``, ``None`` or -1.

    Parameters
    ----------
    skills
        Skills that each node needs: all must be in ``VehicleType.skills``,
        without regard to case and spare blanks. Default: none.
    vehicles
        Vehicle types that may serve each node, at least one, ``None`` for all.
        Default: all.
    same_route
        Groups of customers: the served customers of a group are on one route.
        A customer in two groups joins them; without that customer they may be
        on two routes. Default: none.
    different_routes
        Groups of customers: no two of a group are on one route. Default:
        none.
    districts
        District of each node, -1 for none. Default: none.
    max_districts
        Largest number of districts on a route, at least 1. Needs
        ``districts``. Default: no limit.
    in_progress
        In-progress routes, each of a different vehicle. For each, a plan has a
        route of its type that starts with its customers; other customers may
        follow, and those on board do. Default: none.
    all_or_none
        Groups of customers: all of a group are served, or none. Default:
        none.
    precedences
        Groups of customers who share a route, and are served in their order,
        perhaps with others between them. ``same_route`` gets each group.
        Default: none.
    sequences
        The same for customers who follow each other directly. Default: none.
    positions
        "first" or "last" of each node who is the first or the last customer of
        its route; "" for any place. Default: any.

    Raises
    ------
    InstanceError
        If a value has another type, a group is empty or has a customer twice,
        a customer has no vehicle type, two routes begin with the same
        customer, two customers must share a route and must not, or no order
        keeps all.
    """

    skills: tuple[tuple[str, ...], ...] = per_node(
        _skills,
        (),
        blank=(),
        says="skills that the vehicle needs: tail lift;cold",
        cells="words",
    )
    vehicles: tuple[tuple[int, ...] | None, ...] = per_node(
        _vehicles, (), blank=None
    )
    same_route: tuple[tuple[int, ...], ...] = declared(_groups, ())
    different_routes: tuple[tuple[int, ...], ...] = declared(_groups, ())
    districts: tuple[int, ...] = per_node(_districts, (), blank=-1)
    max_districts: int | None = whole(None, least=1)
    in_progress: tuple[InProgressRoute, ...] = parts(InProgressRoute)
    all_or_none: tuple[tuple[int, ...], ...] = declared(_groups, ())
    precedences: tuple[tuple[int, ...], ...] = declared(_groups, ())
    sequences: tuple[tuple[int, ...], ...] = declared(_groups, ())
    positions: tuple[str, ...] = per_node(
        _positions,
        (),
        blank="",
        says="first or last: whether the customer is that of its route; "
        "empty: anywhere",
        column="place_on_route",
        cells="text",
    )

    def __post_init__(self) -> None:
        self.read_fields(_SOURCE)
        together = [
            group
            for group in (*self.precedences, *self.sequences)
            if not any(set(group) <= set(own) for own in self.same_route)
        ]
        object.__setattr__(self, "same_route", (*self.same_route, *together))
        if self.max_districts is not None and not self.districts:
            rule = "needs the district of each node"
            most = self.max_districts
            raise InstanceError(_SOURCE, "max_districts", rule, most)

    @property
    def features(self) -> tuple[str, ...]:
        """The constraints in use, in words."""
        is_used = {
            features.SKILLS: any(self.skills),
            features.PINNED: any(each is not None for each in self.vehicles),
            features.SAME_ROUTE: bool(self.same_route or self.all_or_none),
            features.ROUTE_ORDERS: bool(
                self.precedences or self.sequences or any(self.positions)
            ),
            features.DIFFERENT_ROUTES: bool(self.different_routes),
            features.DISTRICTS: self.max_districts is not None,
            features.IN_PROGRESS_ROUTES: bool(self.in_progress),
        }
        return tuple(name for name, is_there in is_used.items() if is_there)

    def broken_orders(
        self, route: Sequence[int], vehicle_type: int, depots: Sequence[int]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the orders that a route breaks behind what is served already.

        It is the variant of the words for it, and the values in them.
        """
        done = 0
        for one in self.in_progress:
            if one.begins(route, vehicle_type, depots):
                done = len(one.stops(depots))
        left = range(done, len(route))
        for group in (*self.precedences, *self.sequences):
            ranks = {node: rank for rank, node in enumerate(group)}
            if any(
                ranks.get(route[place], len(group)) < ranks.get(before, -1)
                for place in left
                for before in route[:place]
            ):
                served = [node for node in group if node in route]
                yield "", {"nodes": served}
        for group in self.sequences:
            if any(
                route[place] in group
                and route[place - 1] not in group
                and not set(group).isdisjoint(route[:place])
                for place in left
            ):
                served = [node for node in group if node in route]
                yield "direct", {"nodes": served}
        if not self.positions:
            return
        stops = [node for node in route if node not in depots]
        num_done = sum(node not in depots for node in route[:done])
        for place, node in enumerate(stops):
            position = self.positions[node]
            is_late = position == FIRST and place > 0 and place >= num_done
            if is_late or (
                position == LAST and stops[max(place + 1, num_done) :]
            ):
                yield "place", {"node": node, "place": position}

    def allowed_types(
        self, types: Sequence[VehicleType], size: int
    ) -> np.ndarray | None:
        """Return which types may serve each of ``size`` nodes, or ``None``.

        bool, shape (types, nodes), from skills and vehicles together;
        ``None`` where all may.
        """
        allowed = np.ones((len(types), size), dtype=bool)
        for node, needed in enumerate(self.skills):
            for idx, vehicle_type in enumerate(types):
                allowed[idx, node] = set(needed) <= set(vehicle_type.skills)
        for node, pinned in enumerate(self.vehicles):
            if pinned is not None:
                allowed[np.delete(np.arange(len(types)), pinned), node] = False
        return None if allowed.all() else allowed

    def check(  # noqa: C901
        self,
        source: str,
        num_types: int,
        size: int,
        stops: range,
        describe: Callable[[int], str],
    ) -> None:
        """Refuse rules that do not suit an instance of ``size`` nodes.

        ``stops`` are its customers, and ``describe`` returns a node in words.
        """
        for field, nothing in blanks_of(type(self)).items():
            entries = getattr(self, field)
            place = f"constraints, {field}"
            if len(entries) not in (0, size):
                rule = f"must hold {size} entries, one for each node"
                raise InstanceError(source, place, rule, len(entries))
            for node, entry in enumerate(entries):
                if node not in stops and entry != nothing:
                    rule = f"must say nothing of {describe(node)}"
                    raise InstanceError(source, place, rule, entry)
        types = chain.from_iterable(each or () for each in self.vehicles)
        used = [one.vehicle_type for one in self.in_progress]
        for place, numbers in (
            ("vehicles", list(types)),
            ("in_progress", used),
        ):
            if max(numbers, default=0) >= num_types:
                rule = f"must be vehicle types 0..{num_types - 1}"
                largest = max(numbers)
                raise InstanceError(
                    source, f"constraints, {place}", rule, largest
                )
        num_depots = size - len(stops)
        depots = [k for one in self.in_progress for _, k in one.reloads]
        if max(depots, default=0) >= num_depots:
            rule = f"reloads must be at depots 0..{num_depots - 1}"
            place = "constraints, in_progress"
            raise InstanceError(source, place, rule, max(depots))
        in_progress = [
            one.customers + one.on_board for one in self.in_progress
        ]
        for place, groups in (
            *((field, getattr(self, field)) for field in GROUPS),
            ("in_progress", in_progress),
        ):
            for number, group in enumerate(groups, start=1):
                for node in group:
                    if node not in stops:
                        rule = f"must be customers {stops[0]}..{stops[-1]}"
                        where = f"constraints, {place} {number}"
                        raise InstanceError(source, where, rule, node)
        nodes = list(chain.from_iterable(in_progress))
        for node in nodes:
            if nodes.count(node) > 1:
                rule = f"{describe(node)} must be on one in-progress route"
                raise InstanceError(source, "constraints, in_progress", rule)
        self._require_apart(source, describe)
        self._require_order(source, describe)

    def _require_apart(
        self, source: str, describe: Callable[[int], str]
    ) -> None:
        together = {
            frozenset(pair)
            for group in self.same_route
            for pair in combinations(group, 2)
        }
        for group in self.different_routes:
            for pair in combinations(group, 2):
                if frozenset(pair) in together:
                    names = " and ".join(map(describe, pair))
                    rule = f"{names} must share a route, and must not"
                    raise InstanceError(source, "constraints", rule)

    def _require_order(
        self, source: str, describe: Callable[[int], str]
    ) -> None:
        """Refuse orders that no route can keep."""

        def refuse(node: int, rule: str, field: str) -> None:
            place = f"constraints, {field}"
            raise InstanceError(source, place, f"{describe(node)} {rule}")

        in_sequences = list(chain.from_iterable(self.sequences))
        for node in in_sequences:
            if in_sequences.count(node) > 1:
                refuse(node, "must be in one sequence", "sequences")
        behind: dict[int, set[int]] = {}
        for group in (*self.precedences, *self.sequences):
            for first, second in combinations(group, 2):
                behind.setdefault(second, set()).add(first)
        try:
            TopologicalSorter(behind).prepare()
        except CycleError as error:
            refuse(error.args[1][0], "must come before itself", "precedences")
        ahead = {node for each in behind.values() for node in each}
        for node, position in enumerate(self.positions):
            if position == FIRST and node in behind:
                rule = "must be the first customer, and come behind others"
                refuse(node, rule, "positions")
            if position == LAST and node in ahead:
                rule = "must be the last customer, and come before others"
                refuse(node, rule, "positions")


def joined(
    groups: Iterable[Iterable[int]], links: Container[int]
) -> list[set[int]]:
    """Return the groups, those with one of ``links`` in common as one."""
    parties: list[set[int]] = []
    for group in map(set, groups):
        ends = {each for each in group if each in links}
        apart = [other for other in parties if other.isdisjoint(ends)]
        near = [other for other in parties if not other.isdisjoint(ends)]
        parties = [*apart, group.union(*near)]
    return parties
