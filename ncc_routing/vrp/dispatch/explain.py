"""Why an order is where it is, and what binds a route."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text import counted
from ncc_routing.problems.changes import AddOrder
from ncc_routing.problems.constraints import LIMIT, ROUTE_LIMITS, say
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.timetable import (
    PASSED_BY,
    route_titles,
)
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.dispatch.question import Question
from ncc_routing.vrp.why.placements import Cheapest, evaluate
from ncc_routing.vrp.why.reasons import reasons_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.unserved import Reason
    from ncc_routing.vrp.result import Result

_MOST_LINES: Final = 8
"""Routes that the words name."""

_FORBIDDEN: Final = "it takes a forbidden arc"


@dataclass(frozen=True)
class Alternative:
    """Another route for an order, the other orders in their sequence.

    Parameters
    ----------
    vehicle
        Title of the route, or of a new one the name of the vehicle type.
    route
        Number of the route, from 1; ``None`` for a new one.
    cost
        Least cost that the order adds there; ``None`` if it does not fit.
    position
        Which stop of the route it is then, from 1; ``None`` without a place.
    reasons
        The fewest constraints of which each place breaks one, as of unserved
        orders. Default: there is a place.
    """

    vehicle: str
    route: int | None
    cost: float | None
    position: int | None = None
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        """Return it in one line of words."""
        name = f"a new route of {self.vehicle}"
        if self.route is not None:
            name = self.vehicle
        if self.cost is None:
            return f"{name}: {'; '.join(map(str, self.reasons))}"
        return f"{name}, stop {self.position}: {self.cost:,.10g}"


@dataclass(frozen=True)
class Limit:
    """A limit of a route.

    Parameters
    ----------
    constraint
        "capacity" ("capacity 2", ... in further load dimensions), "stops",
        "shift", "driving", "distance", "waiting", "wait", "return", "window"
        (the closest one), or "break", for the end of the window that it begins
        in.
    value, limit
        What the route takes, and may take.
    slack
        The difference, as a share of the limit; of moments, of the length of
        the route.
    text
        Both in words.
    """

    constraint: str
    value: float
    limit: float
    slack: float
    text: str


@dataclass(frozen=True)
class Explanation:
    """Why an order is on its route, or what binds a route.

    Parameters
    ----------
    name
        Id of the order, or title of the route.
    vehicle, route
        Title and number of the route, from 1; ``None`` for an unserved order.
    position
        Which stop of the route the order is, from 1; ``None`` for a route.
    cost
        By how much the plan is cheaper without the order, or the cost of the
        route. ``None`` for an unserved order, and where an arc is forbidden:
        of the route, or of the one without the order.
    limits
        Limits of the route, the closest first.
    is_begun
        Whether the order stays where it is: it is served, or next.
    alternatives
        For an order all other routes, and a new one of each vehicle type, the
        cheapest first. Those without a place come last, new routes behind
        the others.
    is_cancelled
        Whether the order was cancelled while its vehicle was on the way there,
        which passes by.
    """

    name: str
    vehicle: str | None
    route: int | None
    position: int | None
    cost: float | None
    limits: tuple[Limit, ...] = ()
    is_begun: bool = False
    alternatives: tuple[Alternative, ...] = ()
    is_cancelled: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)

    def __str__(self) -> str:
        """Return some lines of text."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.route is not None and self.position is None:
            yield f"{self.name} is route {self.route}"
            is_driven = self.cost is not None
            yield f"cost {self.cost:,.10g}" if is_driven else _FORBIDDEN
            yield from (f"  {one.text}" for one in self.limits)
            return
        if self.route is None:
            yield f"{self.name} is not served"
        else:
            yield f"{self.name} is stop {self.position} of {self.vehicle}"
        if self.cost is not None:
            how = "cheaper" if self.cost >= 0.0 else "dearer"
            yield f"cost {self.cost:,.10g}: the plan is {how} without it"
        if self.is_begun:
            yield PASSED_BY if self.is_cancelled else "it is served, or next"
            return
        lines = [*dict.fromkeys(map(str, self.alternatives))]
        yield from (f"  {line}" for line in lines[:_MOST_LINES])
        if more := lines[_MOST_LINES:]:
            yield f"  and {counted(len(more), 'more route')}"


def explain(
    result: Result, id: str | int | Mapping[str, Any] | AddOrder
) -> Explanation:
    """Explain why an order is on its route, or what limits a route.

    Parameters
    ----------
    result
        The plan.
    id
        Id of an order (its number without ids); or the title of a route: its
        driver as in the timetable, or "Route 1". Or a new order as for
        :func:`ncc_routing.offers`.

    Returns
    -------
    Explanation
        Of an order: its route, its stop, the cost that it adds, and for each
        other route the cost there or the reasons against it. Of a route: its
        cost, and the value and limit of each constraint. ``str`` gives it as
        text. A shipment is explained with both stops.

    Raises
    ------
    ParameterError
        If there is no such order or route.
    InstanceError
        If a new order is wrong.
    """
    if isinstance(id, Mapping | AddOrder):
        asked = Question.of(result, id)
        return _order(asked.instance, asked.plan, asked.node)
    instance, plan = result.instance, result.best
    name, ids = str(id), instance.node_ids
    if name in ids and (node := ids.index(name)) not in instance.depots:
        return _order(instance, plan, node)
    for number, title in enumerate(route_titles(instance, plan)):
        if name.casefold() in (title.casefold(), f"route {number + 1}"):
            cost = plan.route_costs(instance)[number]
            limits = _limits(instance, plan, number)
            known = cost if math.isfinite(cost) else None
            return Explanation(title, title, number + 1, None, known, limits)
    raise ParameterError(f"there is no order and no route {name}.")


def _order(instance: Instance, plan: Solution, node: int) -> Explanation:
    order = next(
        (
            (one.pickup, one.delivery)
            for one in instance.shipments
            if node in (one.pickup, one.delivery)
        ),
        (node,),
    )
    at = next((k for k, r in enumerate(plan.routes) if node in r), None)
    left = [
        (number, tuple(stop for stop in route if stop not in order))
        for number, route in enumerate(plan.routes)
    ]
    kept = [each for each in left if not set(each[1]) <= {*instance.depots}]
    numbers = [number for number, _ in kept]
    without = Solution(
        tuple(route for _, route in kept),
        0.0,
        tuple(plan.vehicle_types[number] for number in numbers),
    )
    titles = route_titles(instance, plan)
    started = {c for one in instance.in_progress for c in one.customers}
    others = []
    for origin, idx, one in _alternatives(instance, without, order):
        if origin >= 0 and numbers[origin] != at:
            number = numbers[origin]
            others.append(
                replace(one, vehicle=titles[number], route=number + 1)
            )
        elif origin < 0 and not (
            at is not None
            and at not in numbers
            and idx == plan.vehicle_types[at]
        ):  # a new route of its type would be its own one
            others.append(one)
    others.sort(
        key=lambda one: (one.cost is None, one.cost or 0.0, one.route is None)
    )
    return Explanation(
        name=instance.node_ids[node],
        vehicle=None if at is None else titles[at],
        route=None if at is None else at + 1,
        position=None if at is None else plan.routes[at].index(node) + 1,
        cost=None if at is None else _saving(instance, plan, at, order),
        limits=() if at is None else _limits(instance, plan, at),
        is_begun=at is not None and not started.isdisjoint(order),
        alternatives=tuple(others),
        is_cancelled=node in instance.passed_by,
    )


def _saving(
    instance: Instance, plan: Solution, number: int, order: tuple[int, ...]
) -> float | None:
    """Return by how much a plan is cheaper without some stops of a route."""
    routes, idx = plan.routes, plan.vehicle_types[number]
    left = tuple(stop for stop in routes[number] if stop not in order)
    costs = []
    for own in (routes[number], left):
        alone = Solution.from_routes(instance, [own], [idx])
        whole = Solution.from_routes(
            instance,
            (*routes[:number], own, *routes[number + 1 :]),
            plan.vehicle_types,
        )
        more = whole.balance_cost(instance) - alone.balance_cost(instance)
        costs.append(alone.cost + more)
    cost = costs[0] - costs[1]  # the prizes of all others cancel out
    return cost if math.isfinite(cost) else None


def _alternatives(
    instance: Instance, plan: Solution, order: tuple[int, ...]
) -> Iterator[tuple[int, int, Alternative]]:
    """Yield what an order costs on each route, and on a new one of each type.

    They come with the number of the route, -1 for a new one, and the type.
    """
    evaluated = evaluate(instance, plan, (order,), Cheapest(1, by_route=True))
    placements, is_possible = evaluated.placements, evaluated.is_possible
    pairs = np.column_stack([placements.origins, placements.types])
    for origin, idx in np.unique(pairs, axis=0).tolist():
        rows = np.flatnonzero((pairs == (origin, idx)).all(axis=1))
        free = rows[is_possible[rows]]
        name = instance.vehicle_types[idx].name or f"type {idx}"
        if len(free) == 0:
            broken = {k: b.of(rows) for k, b in evaluated.broken.items()}
            reasons = tuple(reasons_by(instance, idx, (order,), broken))
            one = Alternative(name, None, None, None, reasons)
        else:
            place = free[evaluated.costs[free].argmin()]
            position = placements.routes[place].index(order[0]) + 1
            cost = float(evaluated.costs[place])
            one = Alternative(name, None, cost, position)
        yield origin, idx, one


def _limits(
    instance: Instance, plan: Solution, number: int
) -> tuple[Limit, ...]:
    """Return the limits of a route, the closest first."""
    idx = plan.vehicle_types[number]
    one = schedule_route(instance, plan.routes[number], idx)
    vehicle = instance.vehicle_types[idx]
    closes = np.full(len(one.visits), NO_LIMIT)
    if instance.windows is not None:
        closes = instance.windows.tw_late[list(one.visits)]
    left = (closes - np.array(one.begins))[one.stops]
    place = int(np.argmin(left)) + one.stops.start
    end, last = vehicle.tw_late, int(closes[place])
    if vehicle.end_depot is not None:
        end = min(end, int(closes[-1]))
    limits = []

    def note(
        kind: str, value: float, limit: float, size: float = 0.0, **more: Any
    ) -> None:
        if limit < NO_LIMIT and math.isfinite(value):
            slack = (limit - value) / max(size or limit, 1.0)
            said = {"value": value, "limit": limit} | more
            text = say(instance, kind.split()[0], LIMIT, **said)
            limits.append(Limit(kind, value, limit, slack, text))

    for each in ROUTE_LIMITS:
        value = one.amounts[each.amount]
        note(each.name, value, getattr(vehicle, each.field))
    for dim, capacity in enumerate(vehicle.capacities):
        which = f" {dim + 1}" if dim > 0 else ""
        load = max(loads[dim] for loads in one.loads)
        stated = [instance.stated_load(each, dim) for each in (load, capacity)]
        note(f"capacity{which}", load, capacity, which=which, stated=stated)
    note("return", one.end, end, one.duration)
    visit = instance.node_ids[one.visits[place]]
    note("window", one.begins[place], last, one.duration, id=visit)
    for taken in one.breaks:
        if taken.number < 0:  # a rest by hours of service
            continue
        for early, late in vehicle.breaks[taken.number].windows:
            if early <= taken.begin <= late:
                number = taken.number + 1
                note("break", taken.begin, late, one.duration, number=number)
    return tuple(sorted(limits, key=lambda each: each.slack))
