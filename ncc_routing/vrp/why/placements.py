"""Every place for one more order: what it costs, and what it breaks."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems import features
from ncc_routing.problems.balance import spread_of
from ncc_routing.problems.constraints import ROUTE_LIMITS
from ncc_routing.problems.routes.balanced_routes import balanced_amounts
from ncc_routing.problems.routes.schedules import (
    evaluate_routes,
    schedule_route,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import exceed, exceeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute
    from ncc_routing.problems.routes.schedules import EvaluatedRoutes

MOST_STOPS: Final = 4 * 10**7
"""Stops of all placements that are looked at: about ten seconds."""

_AT_ONCE: Final = 10**6
"""Stops of the placements that are judged together, to bound the memory."""

_TIMED: Final = [each for each in ROUTE_LIMITS if each.follows_times]

Order = tuple[tuple[int, ...], ...]
"""What may be served of an order: customers, one of these choices."""


class Placements(NamedTuple):
    """Routes with an order on them, and their vehicle types.

    ``added`` are its stops, and ``origins`` the routes of the plan, -1 for a
    new one.
    """

    routes: list[tuple[int, ...]]
    types: np.ndarray
    added: np.ndarray
    origins: np.ndarray


class Broken(NamedTuple):
    """Which placements break a constraint, and by how much at least."""

    where: np.ndarray
    excess: np.ndarray | None = None

    def judge(self, row: int, value: float, limit: float) -> None:
        """Let a placement have another value."""
        self.where[row] = exceed(value, limit)
        if self.excess is not None:
            self.excess[row] = value - limit

    def of(self, rows: np.ndarray) -> Broken:
        """Return it for some placements."""
        excess = None if self.excess is None else self.excess[rows]
        return Broken(self.where[rows], excess)


class Evaluation(NamedTuple):
    """What each placement adds to the cost, and what it breaks.

    Costs are those of routes less the prizes of whom they serve; they mean
    nothing where a constraint is broken.
    """

    placements: Placements
    costs: np.ndarray
    broken: dict[str, Broken]

    @property
    def is_possible(self) -> np.ndarray:
        """Whether each placement breaks nothing."""
        broken = [each.where for each in self.broken.values()]
        return np.asarray(~np.any(broken, axis=0))


class Cheapest(NamedTuple):
    """What is asked of placements: ``most``, on each route or of all."""

    most: int
    by_route: bool = False


def evaluate(
    instance: Instance,
    plan: Solution,
    order: Order,
    asked: Cheapest | None = None,
    before: np.ndarray | None = None,
) -> Evaluation:
    """Return every placement of an order on the routes of a plan.

    They are all places on each route, the other stops in their sequence, and a
    new route of each vehicle type. Where only the cheapest ones are ``asked``
    for, dearer ones may be said to miss a break. ``before`` is what
    ``costs_before`` returns.
    """
    if before is None:
        before = costs_before(instance, plan)
    placements = placements_of(instance, plan, order)
    costs, broken = zip(
        *(
            _judged(instance, plan, part, before, asked)
            for part in _parts_of(placements)
        ),
        strict=True,
    )
    return Evaluation(
        placements,
        np.concatenate(costs),
        {kind: _joined([each[kind] for each in broken]) for kind in broken[0]},
    )


def costs_before(instance: Instance, plan: Solution) -> np.ndarray:
    """Return what each route costs now, and last 0 for a new one."""
    nobody = Placements(
        [*plan.routes],
        np.array(plan.vehicle_types, dtype=int),
        np.zeros(0, dtype=int),
        np.arange(plan.num_routes),
    )
    before = np.zeros(plan.num_routes + 1)
    if plan.routes:
        known = instance, plan, nobody, before, Cheapest(0)
        before[:-1] = _judged(*known)[0]
    return before


def _parts_of(placements: Placements) -> Iterator[Placements]:
    """Yield the placements by parts of a limited size."""
    routes, types, added, origins = placements
    sizes = np.fromiter(map(len, routes), dtype=int, count=len(routes))
    first = 0
    while first < len(routes):
        width = np.maximum.accumulate(sizes[first:]) + 3
        most = width * np.arange(1, 1 + len(width))
        end = first + max(1, int(np.searchsorted(most, _AT_ONCE, "right")))
        rows = slice(first, end)
        yield Placements(routes[rows], types[rows], added, origins[rows])
        first = end


def _joined(parts: Sequence[Broken]) -> Broken:
    excess = [each.excess for each in parts if each.excess is not None]
    return Broken(
        np.concatenate([each.where for each in parts]),
        np.concatenate(excess) if excess else None,
    )


def order_of(instance: Instance, node: int) -> Order:
    """Return the choices for an unserved customer: its shipment or group."""
    for shipment in instance.shipments:
        if node in instance.open_deliveries:
            break
        if node in (shipment.pickup, shipment.delivery):
            return ((shipment.pickup, shipment.delivery),)
    groups = () if instance.selection is None else instance.selection.groups
    for group in groups:
        if node in group.customers:
            return tuple((member,) for member in group.customers)
    return ((node,),)


def placements_of(
    instance: Instance, plan: Solution, order: Order
) -> Placements:
    """Return every place on a route, and a new route of each type."""
    depots = set(instance.depots)
    routes: list[tuple[int, ...]] = []
    types: list[int] = []
    origins: list[int] = []
    driven = zip(plan.routes, plan.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven):
        driven_stops = (
            one.stops(instance.depots)
            for one in instance.in_progress
            if one.begins(route, idx, instance.depots)
        )
        first = max(map(len, driven_stops), default=0)
        calls = (k for k, node in enumerate(route) if node in depots)
        next_call = next((k for k in calls if k >= first), len(route))
        for choice in order:
            is_on_board = choice[0] in instance.open_deliveries
            last = next_call if is_on_board else len(route)
            more = list(_with(route, choice, range(first, 1 + last), depots))
            routes += more
            types += [idx] * len(more)
            origins += [number] * len(more)
    for idx in range(len(instance.vehicle_types)):
        routes += order
        types += [idx] * len(order)
        origins += [-1] * len(order)
    added = np.array(sorted({node for choice in order for node in choice}))
    return Placements(routes, np.array(types), added, np.array(origins))


def on_board_of(instance: Instance, nodes: Iterable[int]) -> set[int]:
    """Return the in-progress routes that have goods for some nodes."""
    route_of = dict(instance.open_deliveries)
    for number, one in enumerate(instance.in_progress):
        route_of |= dict.fromkeys(one.on_board, number)
    return {route_of[node] for node in nodes if node in route_of}


_Begun = tuple["InProgressRoute", np.ndarray]
"""One in progress, and which placements go on with it."""


def _going_on(
    instance: Instance, placements: Placements, one: InProgressRoute
) -> np.ndarray:
    """Return which routes go on with one in progress."""
    rows = inverse = np.arange(len(placements.routes))
    if {*one.customers, *one.on_board}.isdisjoint(placements.added.tolist()):
        # All placements on a route are alike.
        _, rows, inverse = np.unique(
            placements.origins, return_index=True, return_inverse=True
        )
    goes_on = [
        placements.types[row] == one.vehicle_type
        and one.begins(
            placements.routes[row], one.vehicle_type, instance.depots
        )
        for row in rows.tolist()
    ]
    return np.array(goes_on)[inverse]


def _with(
    route: tuple[int, ...],
    choice: Sequence[int],
    places: Iterable[int],
    depots: set[int],
) -> Iterator[tuple[int, ...]]:
    """Yield a route with stops between its own, all on one trip."""
    node, *others = choice
    for place in places:
        head, tail = (*route[:place], node), route[place:]
        if not others:
            yield (*head, *tail)
            continue
        for end in range(len(tail) + 1):
            yield (*head, *tail[:end], *others, *tail[end:])
            if end < len(tail) and tail[end] in depots:
                break


def _judged(
    instance: Instance,
    plan: Solution,
    placements: Placements,
    before: np.ndarray,
    asked: Cheapest | None = None,
) -> tuple[np.ndarray, dict[str, Broken]]:
    """Return what each route costs more, and what it breaks."""
    started = [
        (one, _going_on(instance, placements, one))
        for one in instance.in_progress
    ]
    begun = np.full(len(placements.routes), -1)
    for number, (_, goes_on) in reversed([*enumerate(started)]):
        begun[goes_on] = number
    routes, types, added, _ = placements
    found = evaluate_routes(instance, routes, types, begun, added)
    of_type = partial(_of_types, instance, placements)
    broken = {
        "arc": Broken(found.is_forbidden),
        **{
            each.name: _over(found.amounts[each.amount], of_type(each.field))
            for each in ROUTE_LIMITS
        },
        **dict(_below_least(instance, placements, found)),
        "start": _late(found.late_starts),
        "window": _late(found.late_added),
        "later-windows": _late(found.late_others),
        "return": _late(found.late_ends),
        **dict(_overloaded(instance, placements, found)),
        "goods": Broken(_unloaded(instance, placements, started)),
        **dict(_against_rules(instance, plan, placements, found)),
    }
    used = Counter(plan.vehicle_types)
    are_out = [
        each.num_available is not None and used[idx] >= each.num_available
        for idx, each in enumerate(instance.vehicle_types)
    ]
    are_out_of = np.array(are_out)[placements.types]
    broken["vehicles"] = Broken((placements.origins < 0) & are_out_of)
    over, beside = _of_begun(instance, placements, started)
    beside &= ~broken["vehicles"].where  # there is none of them
    broken |= {"over": Broken(over), "in_progress": Broken(beside)}
    costs = found.costs - before[placements.origins]
    if instance.selection is not None:
        prizes = instance.selection.prizes[found.nodes]
        costs -= np.bincount(found.rows, prizes, len(costs))
    anew = _schedule_again(instance, placements, broken, costs, asked)
    for row, cost in anew.items():
        costs[row] += cost - found.costs[row]
    added, broken["spread"] = _unbalanced(instance, plan, placements, broken)
    return costs + added, broken


def _unbalanced(
    instance: Instance,
    plan: Solution,
    placements: Placements,
    broken: dict[str, Broken],
) -> tuple[np.ndarray, Broken]:
    """Return what balances cost more, and where a spread becomes too large.

    Placements that break a constraint already are not looked at.
    """
    added, excess = np.zeros((2, len(placements.routes)))
    types, driven = instance.vehicle_types, plan.vehicle_types
    if not any(each.balances for each in types):
        return added, Broken(excess > 0.0)
    had = [one.amounts for one in plan.schedules(instance)]
    before, least = _balance_of(types, driven, had)
    is_possible = ~np.any([each.where for each in broken.values()], axis=0)
    for row in np.flatnonzero(is_possible).tolist():
        route, idx = placements.routes[row], int(placements.types[row])
        own = schedule_route(instance, route, idx).amounts
        origin = int(placements.origins[row])
        others = [k for k in range(len(had)) if k != origin]
        cost, excess[row] = _balance_of(
            types,
            [*(driven[k] for k in others), idx],
            [*(had[k] for k in others), own],
        )
        added[row] = cost - before
    return added, Broken(excess > least, excess)


def _balance_of(
    types: Sequence[VehicleType],
    driven: Sequence[int],
    amounts: Sequence[Mapping[str, float]],
) -> tuple[float, float]:
    """Return what balances cost, and by what they exceed their limits."""
    cost = over = 0.0
    for balance, values in balanced_amounts(types, driven, amounts):
        cost += balance.price(values)
        if exceeds(spread := spread_of(values), balance.max_spread):
            over = max(over, spread - balance.max_spread)
    return cost, over


def _of_types(
    instance: Instance,
    placements: Placements,
    name: str,
    kind: type[float] = float,
) -> np.ndarray:
    """Return a field of the vehicle type of each placement."""
    values = [getattr(each, name) for each in instance.vehicle_types]
    return np.asarray(np.array(values, dtype=kind)[placements.types])


def _schedule_again(
    instance: Instance,
    placements: Placements,
    broken: dict[str, Broken],
    costs: np.ndarray,
    asked: Cheapest | None,
) -> dict[int, float]:
    """Judge routes that are more than a sum of parts by their schedules.

    The first windows may leave long waits. Where time costs nothing, no more
    are scheduled than are asked for. Their costs are returned.
    """
    anew: dict[int, float] = {}
    if features.DRIVERS_DAY.isdisjoint(instance.features):
        return anew
    again, is_paid = _more_than_parts(instance, placements, broken)
    # Those that are passed over below count as not possible.
    rows, misses = np.flatnonzero(again), np.array([again, again])
    if is_paid:
        asked = None
    if asked is not None:
        rows = rows[np.argsort(costs[rows], kind="stable")]
    kept: Counter[tuple[int, int]] = Counter()
    for row in rows.tolist():
        route, idx = placements.routes[row], int(placements.types[row])
        group = 0, 0
        if asked is not None and asked.by_route:
            group = int(placements.origins[row]), idx
        if asked is not None and kept[group] >= asked.most:
            continue
        schedule = schedule_route(instance, route, idx)
        anew[row] = schedule.cost
        misses[:, row] = schedule.misses_break, schedule.misses_rest
        for each in _TIMED:
            limit = getattr(instance.vehicle_types[idx], each.field)
            broken[each.name].judge(row, schedule.amounts[each.amount], limit)
        is_over = any(broken[each.name].where[row] for each in _TIMED)
        kept[group] += not (is_over or misses[:, row].any())
    broken |= {"break": Broken(misses[0]), "hours": Broken(misses[1])}
    return anew


def _more_than_parts(
    instance: Instance, placements: Placements, broken: dict[str, Broken]
) -> tuple[np.ndarray, bool]:
    """Return which routes a schedule may judge otherwise, and if time costs.

    Those that break what does not follow from times are none.
    """
    names = {each.name for each in _TIMED}
    over = np.any([broken[name].where for name in names], axis=0)
    others = [one.where for name, one in broken.items() if name not in names]
    types = instance.vehicle_types
    are_paid = [
        features.PREFERRED_WINDOWS in instance.features
        or each.unit_duration_cost > 0
        or bool(each.all_price_steps)
        for each in types
    ]
    have_more = [bool(each.breaks or each.hours) for each in types]
    again = over | np.logical_or(are_paid, have_more)[placements.types]
    return again & ~np.any(others, axis=0), any(are_paid)


def _of_begun(
    instance: Instance, placements: Placements, started: Sequence[_Begun]
) -> tuple[np.ndarray, np.ndarray]:
    """Return where a route is over, or goods are on board of another one."""
    over, beside = np.zeros((2, len(placements.routes)), dtype=bool)
    are_two = np.sum([goes_on for _, goes_on in started], axis=0) > 1
    for number, (one, goes_on) in enumerate(started):
        if one.is_over:
            over |= goes_on
        if number in on_board_of(instance, placements.added.tolist()):
            beside |= ~goes_on | are_two
    return over, beside


def _over(values: np.ndarray, limits: np.ndarray) -> Broken:
    return Broken(exceed(values, limits), values - limits)


def _late(delays: np.ndarray) -> Broken:
    return Broken(delays > 0, delays)


def _overloaded(
    instance: Instance, placements: Placements, found: EvaluatedRoutes
) -> Iterator[tuple[str, Broken]]:
    capacities = np.array([each.capacities for each in instance.vehicle_types])
    excess = found.loads - capacities[placements.types]
    for dim, more in enumerate(excess.T):
        name = f"capacity {dim + 1}" if dim else "capacity"
        yield name, Broken(more > 0, more)


def _unloaded(
    instance: Instance, placements: Placements, started: Sequence[_Begun]
) -> np.ndarray:
    """Return where a vehicle that starts empty delivers before it loads."""
    unloaded = np.zeros(len(placements.routes), dtype=bool)
    if features.EMPTY_STARTS not in instance.features:
        return unloaded
    served = {node for one, _ in started for node in one.customers}
    goods = set(np.flatnonzero(instance.deliveries.any(axis=1)).tolist())
    types = instance.vehicle_types
    for row, route in enumerate(placements.routes):
        if types[placements.types[row]].starts_empty:
            first = takewhile(lambda node: node not in instance.depots, route)
            unloaded[row] = any(node in goods - served for node in first)
    return unloaded


def _below_least(
    instance: Instance, placements: Placements, found: EvaluatedRoutes
) -> Iterator[tuple[str, Broken]]:
    handled = instance.handled[found.nodes]
    loads = np.bincount(found.rows, handled, len(placements.routes))
    least, least_load = (
        _of_types(instance, placements, name, int)
        for name in ("min_stops", "min_load")
    )
    lacks = (found.amounts["num_stops"] < least) | (loads < least_load)
    yield "least", Broken((placements.origins < 0) & lacks)


def _against_rules(  # noqa: C901
    instance: Instance,
    plan: Solution,
    placements: Placements,
    found: EvaluatedRoutes,
) -> Iterator[tuple[str, Broken]]:
    constraints = instance.constraints
    if constraints is None:
        return

    num, (nodes, rows) = len(placements.routes), (found.nodes, found.rows)

    def count(members: Iterable[int]) -> np.ndarray:
        return np.bincount(rows[np.isin(nodes, list(members))], minlength=num)

    added = set(placements.added.tolist())
    types = instance.vehicle_types
    lacks, forbids = np.zeros((2, len(types), len(instance.demands)), bool)
    for idx, node in product(range(len(types)), added):
        if constraints.skills:
            needed = set(constraints.skills[node])
            lacks[idx, node] = not needed.issubset(types[idx].skills)
        if constraints.vehicles:
            pinned = constraints.vehicles[node]
            forbids[idx, node] = pinned is not None and idx not in pinned
    for kind, is_one in (("skill", lacks), ("pin", forbids)):
        if is_one.any():
            is_wrong = is_one[placements.types[rows], nodes]
            yield kind, Broken(np.bincount(rows, is_wrong, num) > 0)
    nowhere = np.zeros(len(placements.routes), dtype=bool)
    apart, together = nowhere.copy(), nowhere.copy()
    for group in constraints.different_routes:
        if not added.isdisjoint(group):
            apart |= count(group) > 1
    present = added.union(*plan.routes)
    required = set(np.flatnonzero(instance.required).tolist())
    for group in constraints.same_route:
        if added.isdisjoint(group):
            continue
        others = (present | required).intersection(group) - added
        is_here = count(added.intersection(group)) > 0
        together |= is_here & (count(others) < len(others))
    for group in constraints.all_or_none:
        if not added.isdisjoint(group):
            together |= not present.issuperset(group)
    yield "apart", Broken(apart)
    yield "together", Broken(together)
    if features.ROUTE_ORDERS in constraints.features:
        driven = zip(placements.routes, placements.types.tolist(), strict=True)
        is_out_of_order = [
            any(constraints.broken_orders(*one, instance.depots))
            for one in driven
        ]
        yield "order", Broken(np.array(is_out_of_order, dtype=bool))
    if constraints.max_districts is not None:
        pairs = np.stack([rows, np.array(constraints.districts)[nodes]])
        known = np.unique(pairs[:, pairs[1] >= 0], axis=1)
        numbers = np.bincount(known[0], minlength=num)
        yield "district", Broken(numbers > constraints.max_districts)


def placed(
    instance: Instance, plan: Solution, placements: Placements, place: int
) -> Solution:
    """Return a plan with one of the placements."""
    routes, types = list(plan.routes), list(plan.vehicle_types)
    origin = int(placements.origins[place])
    if origin < 0:
        routes.append(placements.routes[place])
        types.append(int(placements.types[place]))
    else:
        routes[origin] = placements.routes[place]
    return Solution.from_routes(instance, routes, types)
