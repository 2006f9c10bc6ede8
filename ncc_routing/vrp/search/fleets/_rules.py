"""Route constraints as the kernels see them, and routes that have begun.

An in-progress route is one of a vehicle type of its own, which starts where
its last customer is. The kernels know neither these customers nor whom they
exclude.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.features import ROUTE_ORDERS
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.route_constraints import (
    FIRST,
    LAST,
    RouteConstraints,
    joined,
)

if TYPE_CHECKING:
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute


def with_in_progress_types(instance: Instance) -> Instance:
    """Return an instance with one more type for each in-progress route."""
    in_progress = instance.in_progress
    if not in_progress:
        return instance
    vehicle_types = instance.vehicle_types
    of_routes = [
        _going_on(vehicle_types[b.vehicle_type], b) for b in in_progress
    ]
    taken = Counter(each.vehicle_type for each in in_progress)
    left = [
        # A type without a vehicle left serves nobody, see ``rules_of``.
        vehicle_type
        if vehicle_type.num_available is None
        else replace(
            vehicle_type,
            num_available=max(1, vehicle_type.num_available - count),
        )
        for vehicle_type, count in (
            (k, taken[t]) for t, k in enumerate(vehicle_types)
        )
    ]
    constraints = replace(
        instance.constraints or RouteConstraints(), in_progress=()
    )
    selection = instance.selection
    if selection is not None:  # of what is on board it is in ``_options_of``
        prizes, required = selection.prizes.copy(), selection.required.copy()
        for one in instance.shipments:
            prizes[one.delivery] = 0
            required[one.delivery] = required[one.pickup]
        selection = replace(selection, prizes=prizes, required=required)
    return instance.derived(
        fleet=Fleet((*left, *of_routes)),
        constraints=constraints,
        selection=selection,
    )


def _going_on(vehicle_type: VehicleType, one: InProgressRoute) -> VehicleType:
    """Return the type of a vehicle on its way, from its last reload on."""
    left = [
        each
        for number, each in enumerate(vehicle_type.breaks)
        if number not in one.breaks_had
    ]
    vehicle_type = replace(
        vehicle_type,
        breaks=tuple(left),
        max_stops=max(
            0, vehicle_type.max_stops - len(one.customers) + len(one.trip)
        ),
        min_stops=0,
        min_load=0,
    )
    if not one.reloads:
        return replace(vehicle_type, num_available=1)
    return replace(
        vehicle_type,
        num_available=1,
        start_depot=one.reloads[-1][1],
        max_reloads=max(0, vehicle_type.max_reloads - len(one.reloads)),
    )


def settled_customers(instance: Instance) -> set[int]:
    """Return who is served already, and who no longer can be."""
    served = set(
        chain.from_iterable(b.customers for b in instance.in_progress)
    )
    if not served or instance.selection is None:
        return served
    groups = (set(group.customers) for group in instance.selection.groups)
    return served.union(*(g for g in groups if not g.isdisjoint(served)))


def rules_of(
    instance: Instance, order: np.ndarray, ranks: np.ndarray
) -> kernels.Rules | None:
    """Return the rules of an instance, by the nodes of the kernels.

    ``order`` holds the places of the nodes, and ``ranks`` is its inverse.
    """
    constraints = instance.constraints
    if constraints is None:
        return None
    in_progress = constraints.in_progress
    may_serve = _may_serve(instance)
    first = len(instance.vehicle_types)
    settled = settled_customers(instance)
    number_of = {
        c: b for b, each in enumerate(in_progress) for c in each.customers
    }
    groups = []
    for party in _parties(instance, settled):
        routes = {number_of[each] for each in party if each in number_of}
        rest = sorted(party - settled)
        if routes:
            _leave_to(may_serve, first + min(routes), rest)
        elif len(rest) > 1:
            groups.append(ranks[rest].tolist())
    parted = []
    for group in constraints.different_routes:
        routes = {number_of[each] for each in group if each in number_of}
        rest = [each for each in group if each not in settled]
        may_serve[np.ix_([first + route for route in routes], rest)] = False
        if len(rest) > 1:
            parted.append(ranks[rest].tolist())
    for delivery, route in instance.open_deliveries.items():
        _leave_to(may_serve, first + route, [delivery])
    for number, one in enumerate(in_progress):
        _leave_to(may_serve, first + number, list(one.on_board))
        if one.is_over:
            may_serve[first + number, 1 : instance.num_customers + 1] = False
    for number, one in enumerate(in_progress):
        may_serve[first + number, _too_late(constraints, one)] = False
    names, districts = _districts(instance)
    before: list[list[int]] = [[] for _ in range(first)]
    before += [
        sorted({int(districts[c]) for c in each.customers} - {-1})
        for each in in_progress
    ]
    return kernels.Rules(
        may_serve=np.ascontiguousarray(may_serve[:, order]),
        groups=groups,
        wholes=[
            ranks[[each for each in group if each not in settled]].tolist()
            for group in constraints.all_or_none
        ],
        sets=parted,
        district_of=districts[order].astype(np.int32),
        num_districts=names,
        most_districts=constraints.max_districts or names,
        districts_before=before,
    )


def _too_late(
    constraints: RouteConstraints, one: InProgressRoute
) -> list[int]:
    """Return who can no longer be on a route, for the order of its stops."""
    if not one.customers:
        return []
    positions = dict(enumerate(constraints.positions))
    late = [node for node, place in positions.items() if place == FIRST]
    if LAST in map(positions.get, one.customers):
        late += positions
    before = set(one.customers[: len(one.customers) - len(one.trip)])
    for group in constraints.sequences:
        if not before.isdisjoint(group):  # a reload lies between
            late += group
    return sorted(set(late).difference(one.customers))


def order_of(
    instance: Instance, order: np.ndarray, ranks: np.ndarray
) -> kernels.RouteOrder | None:
    """Return who comes before whom; ``None``: no order counts."""
    constraints = instance.constraints
    if constraints is None or ROUTE_ORDERS not in constraints.features:
        return None
    numbers = {"": 0, FIRST: -1, LAST: 1}
    positions = np.zeros(len(instance.demands), dtype=np.int64)
    if constraints.positions:
        positions[:] = [numbers[each] for each in constraints.positions]
    return kernels.RouteOrder(
        precedences=[ranks[list(g)].tolist() for g in constraints.precedences],
        sequences=[ranks[list(g)].tolist() for g in constraints.sequences],
        positions=positions[order].tolist(),
    )


def _parties(instance: Instance, settled: set[int]) -> list[set[int]]:
    """Return who share a route, those who surely do in one party.

    Customers whom nobody can serve any more say nothing.
    """
    served = {c for each in instance.in_progress for c in each.customers}
    groups = instance.constraints.same_route if instance.constraints else ()
    left = [set(group) - (settled - served) for group in groups]
    sure = served.union(np.flatnonzero(instance.required).tolist())
    return joined(left, sure)


def _leave_to(
    may_serve: np.ndarray, vehicle_type: int, customers: list[int]
) -> None:
    others = np.arange(len(may_serve)) != vehicle_type
    may_serve[np.ix_(others, customers)] = False


def _may_serve(instance: Instance) -> np.ndarray:
    """Return which places vehicles may serve, bool (types, places).

    Depots are places as well. The types of in-progress routes come last.
    """
    vehicle_types = instance.vehicle_types
    allowed = instance.allowed_types()
    if allowed is None:
        allowed = np.ones(
            (len(vehicle_types), len(instance.demands)), dtype=bool
        )
    types = [each.vehicle_type for each in instance.in_progress]
    may_serve = np.concatenate([allowed, allowed[types]])
    for vehicle_type, count in Counter(types).items():
        if vehicle_types[vehicle_type].num_available == count:
            may_serve[vehicle_type] = False
    may_serve[:, list(instance.depots)] = True
    return may_serve


def _districts(instance: Instance) -> tuple[int, np.ndarray]:
    constraints = instance.constraints
    districts = np.full(len(instance.demands), -1)
    if constraints is None or constraints.max_districts is None:
        return 0, districts
    given = np.array(constraints.districts)
    is_in_one = given >= 0
    names, numbers = np.unique(given[is_in_one], return_inverse=True)
    districts[: len(given)][is_in_one] = numbers
    return len(names), districts
