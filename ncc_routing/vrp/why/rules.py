"""Route constraints that no plan can keep, alone or together.

Whom an in-progress route or a rule brings onto one route is a party. Customers
who need no service count where their route has begun.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing.problems.constraints import FINDING, say
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
    joined,
)
from ncc_routing.problems.routes.checking import check_routes
from ncc_routing.problems.routes.schedules import arc_distances, arc_durations
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import exceed
from ncc_routing.vrp.why.arcs import drive
from ncc_routing.vrp.why.findings import Finding, finding, listed, proof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.why.arcs import Arcs

_OF_ONE_ROUTE = ("capacity", "skill", "pin", "apart", "district", "stops")
"""Kinds of what the beginning of a route breaks, whoever follows."""


def find_broken_rules(arcs: Arcs) -> Iterator[Finding]:
    """Yield the route constraints that no plan of an instance can keep."""
    instance = arcs.instance
    constraints = instance.constraints
    if constraints is None:
        return
    allowed = instance.allowed_types()
    if allowed is None:
        shape = (len(instance.vehicle_types), len(instance.demands))
        allowed = np.ones(shape, dtype=bool)
    yield from _short_types(instance, allowed, arcs.customers)
    wrong: set[int] = set()
    for findings in (
        *_without_vehicle(instance, constraints, allowed, arcs.customers),
        *_in_progress_in_vain(arcs, constraints),
    ):
        wrong.update(findings.customers)
        yield findings
    parties = _parties(constraints, set(arcs.customers.tolist()))
    for party in parties:
        if wrong.isdisjoint(party.customers):
            yield from _broken_by(instance, constraints, party, allowed)


def _without_vehicle(
    instance: Instance,
    constraints: RouteConstraints,
    allowed: np.ndarray,
    customers: np.ndarray,
) -> Iterator[Finding]:
    vehicle_types = instance.vehicle_types
    capacities = np.array(
        [vehicle_type.capacities for vehicle_type in vehicle_types]
    )
    for node in customers.tolist():
        able = np.flatnonzero(allowed[:, node])
        needed = constraints.skills[node] if constraints.skills else ()
        if len(able) == 0:
            words = "skill", ""
            if any(set(needed) <= set(each.skills) for each in vehicle_types):
                words = "pin", "skills"
            values = {"node": node, "skills": needed}
            yield proof(instance, words[0], words, [node], values=values)
            continue
        amounts, room = instance.deliveries[node], capacities[able]
        if (
            len(able) < len(vehicle_types)
            and (amounts > room).any(axis=1).all()
        ):
            words = "pin", ""
            values = {"node": node}
            yield proof(instance, "pin", words, [node], values=values)


def _short_types(
    instance: Instance, allowed: np.ndarray, customers: np.ndarray
) -> Iterator[Finding]:
    for able in np.unique(allowed[:, customers], axis=1).T:
        vehicle_types = [
            instance.vehicle_types[idx] for idx in np.flatnonzero(able)
        ]
        if able.all() or any(
            vehicle_type.num_available is None
            for vehicle_type in vehicle_types
        ):
            continue
        is_own = ~allowed[~able][:, customers].any(axis=0)
        served = customers[is_own]
        total = int(instance.demands[served].sum())
        room = sum(
            vehicle_type.capacity * (vehicle_type.num_available or 0)
            for vehicle_type in vehicle_types
        )
        if vehicle_types and total > room:
            load, most = map(instance.stated_load, (total, room))
            names = map(instance.describe_type, np.flatnonzero(able).tolist())
            yield proof(
                *(instance, "fleet-load", ("capacity", "types"), served),
                {"load": load, "capacity": most},
                values={
                    "types": " and ".join(names),
                    "who": listed(instance, served.tolist()),
                },
            )


def _in_progress_in_vain(
    arcs: Arcs, constraints: RouteConstraints
) -> Iterator[Finding]:
    instance, in_progress = arcs.instance, constraints.in_progress
    for idx, count in Counter(one.vehicle_type for one in in_progress).items():
        available = instance.vehicle_types[idx].num_available
        if available is not None and count > available:
            nodes = [
                node
                for one in in_progress
                if one.vehicle_type == idx
                for node in (*one.customers, *one.on_board)
            ]
            yield proof(
                *(instance, "in_progress", ("in_progress", ""), nodes),
                values={"value": count, "vehicle": idx, "limit": available},
            )
    in_progress = tuple(one for one in in_progress if one.customers)
    routes = tuple(one.stops(instance.depots) for one in in_progress)
    types = tuple(one.vehicle_type for one in in_progress)
    served = set(chain.from_iterable(routes))
    for group in instance.selection.groups if instance.selection else ():
        nodes = sorted(served.intersection(group.customers))
        if len(nodes) > 1:
            names = " and ".join(map(instance.describe_node, nodes))
            words = "in_progress", "group"
            values = {"names": names}
            yield proof(instance, words[0], words, nodes, values=values)
    plan = Solution(routes, 0.0, types)
    broken = [
        each.message
        for each in check_routes(arcs.given, plan)
        if each.kind in _OF_ONE_ROUTE
    ]
    for number, one in enumerate(in_progress, start=1):
        name = f"route {number} "
        reasons = [text for text in broken if text.startswith(name)]
        reasons += (name + reason for reason in _late(arcs, one))
        for text in reasons[:1]:
            yield finding(
                instance, "in_progress", f"in-progress {text}", one.customers
            )


def _late(arcs: Arcs, one: InProgressRoute) -> Iterator[str]:
    """Yield whom an in-progress route cannot reach, or not in this order."""
    instance = arcs.instance if one.departures else arcs.given
    windows = instance.windows or arcs.windows
    vehicle_type = instance.vehicle_types[one.vehicle_type]
    for pickup, delivery in (
        (each.pickup, each.delivery) for each in instance.shipments
    ):
        if delivery in one.customers:
            place = one.customers.index(delivery)
            if pickup not in one.customers[:place]:
                both = {"pickup": pickup, "delivery": delivery}
                yield say(instance, "shipment", FINDING, **both)
    ends = instance.ends_of(vehicle_type)
    stops = one.stops(arcs.given.depots)
    visits = np.array([ends[0], *stops])
    release = windows.release_times[visits[1:]].max()
    if exceed(float(release), float(vehicle_type.start_late)):
        yield say(instance, "start", FINDING, "started")
    along = (instance, vehicle_type.profile, visits[:-1], visits[1:])
    travel = arc_durations(*along)
    is_forbidden = np.isinf(travel + arc_distances(*along))
    travel_times = [*travel.tolist(), 0.0]
    route = drive(windows, vehicle_type, ends, stops, travel_times, release)
    is_late = exceed(np.array(route.arrivals), windows.tw_late[visits[1:]])
    for stop, node in enumerate(stops):
        if is_forbidden[stop] or is_late[stop]:
            kind = "arc" if is_forbidden[stop] else "window"
            yield say(instance, kind, FINDING, "started", node=node)
            return


class _Party(NamedTuple):
    """Customers who share a route, and the in-progress routes of these."""

    customers: tuple[int, ...]
    in_progress: tuple[InProgressRoute, ...]


def _parties(constraints: RouteConstraints, served: set[int]) -> list[_Party]:
    """Return who surely share a route; rules may bring parties together."""
    groups = [
        {*one.customers, *one.on_board} for one in constraints.in_progress
    ]
    served = served.union(*groups)
    groups += [served.intersection(group) for group in constraints.same_route]
    return [
        _Party(
            tuple(sorted(party)),
            tuple(
                one
                for one in constraints.in_progress
                if party & {*one.customers, *one.on_board}
            ),
        )
        for party in joined(groups, served)
        if len(party) > 1
    ]


def _broken_by(
    instance: Instance,
    constraints: RouteConstraints,
    party: _Party,
    allowed: np.ndarray,
) -> Iterator[Finding]:
    members = list(party.customers)
    may = np.asarray(allowed[:, members].all(axis=1))
    for one in party.in_progress:
        may &= np.arange(may.size) == one.vehicle_type
    rivals = [
        {*group} & {*members}
        for group in constraints.different_routes
        if len({*group} & {*members}) > 1
    ]
    total = instance.deliveries[members].sum(axis=0)
    fits = [
        idx
        for idx in np.flatnonzero(may).tolist()
        if (total <= instance.vehicle_types[idx].capacities).all()
        or instance.vehicle_types[idx].can_reload
    ]
    kind, why = "together", ""
    values: dict[str, Any] = {"who": listed(instance, members)}
    if len(party.in_progress) > 1:
        why = "two"
        for group in constraints.same_route:
            started = [
                {*group} & {*one.customers} for one in party.in_progress
            ]
            if sum(map(bool, started)) > 1:
                kind = "in_progress"
    elif rivals:
        why, values["rivals"] = "apart", listed(instance, sorted(rivals[0]))
    elif not may.any():
        why = "served"
    elif not fits:
        why, values["amounts"] = "carried", total.tolist()
    elif constraints.max_districts is not None:
        districts = {constraints.districts[node] for node in members} - {-1}
        if len(districts) > constraints.max_districts:
            why = "districts"
            values |= {
                "value": len(districts),
                "limit": constraints.max_districts,
            }
    if why:
        yield proof(instance, kind, ("together", why), members, values=values)
