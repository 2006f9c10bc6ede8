"""Where one more order fits into a plan, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.core.text import counted
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.constraints import OF_SOLUTIONS
from ncc_routing.problems.routes.checking import check_routes
from ncc_routing.problems.routes.comparison import moves
from ncc_routing.problems.routes.schedules import Schedule, schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.timetable import has_times, route_titles
from ncc_routing.problems.routes.unserved import without_required
from ncc_routing.vrp.dispatch.question import Question, Slot, begins_of
from ncc_routing.vrp.initial_solution import Start
from ncc_routing.vrp.params import FEWEST_VEHICLES
from ncc_routing.vrp.solve import solve
from ncc_routing.vrp.why.placements import (
    Cheapest,
    Placements,
    evaluate,
    placed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.changes import AddOrder
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.result import Result


_MINUTE: Final = 60.0


@dataclass(frozen=True)
class Offer:
    """A position of an order in a plan, and its price.

    Parameters
    ----------
    cost
        Cost that the order adds to the plan.
    vehicle
        Title of the route, as in the timetable: its driver, or "Route 1".
    route
        Number of the route, from 1. A new route comes last.
    is_new
        Whether no other order is on the route.
    position
        Number of the stop on the route, from 1.
    start
        When its service begins, as the input writes times; ``None`` without
        times.
    delivery_position, delivery_start
        The same for the delivery of a shipment; ``None`` for other orders.
    delays
        Delays of the services of other orders, by id, in minutes if the unit
        of the times is known. Default: none.
    slot
        The slot that it was asked for. Default: none.
    moved
        Other orders that change their vehicle, by id, with the routes before
        and after: only with ``improve``. Default: none.
    """

    cost: float
    vehicle: str
    route: int
    is_new: bool
    position: int
    start: float | str | None
    delivery_position: int | None = None
    delivery_start: float | str | None = None
    delays: Mapping[str, float] = field(default_factory=dict)
    slot: Slot | None = None
    moved: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    _take: Callable[[], Result] | None = field(
        default=None, repr=False, compare=False
    )

    @cached_property
    def result(self) -> Result:
        """The plan with the order at this position."""
        if self._take is None:
            raise ParameterError(
                "the offer must come from ncc_routing.offers."
            )
        return self._take()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        plain = {
            name: value
            for name, value in vars(self).items()
            if name not in ("_take", "result")
        }
        return plain | {"delays": {**self.delays}, "moved": {**self.moved}}

    def __str__(self) -> str:
        """Return it in one line of words."""
        parts = [f"{self.vehicle}{' (new)' if self.is_new else ''}"]
        for place, start in (
            (self.position, self.start),
            (self.delivery_position, self.delivery_start),
        ):
            if place is not None:
                at = "" if start is None else f" at {start}"
                parts.append(f"stop {place}{at}")
        parts.append(f"cost {self.cost:+,.10g}")
        if self.delays:
            longest = max(self.delays.values())
            most = f"{longest:,.0f}" if longest >= 100 else f"{longest:.3g}"
            if isinstance(self.start, str):  # a clock
                most += " min"
            orders = counted(len(self.delays), "order")
            parts.append(f"delays {orders} by up to {most}")
        if self.moved:
            parts.append(f"moves {counted(len(self.moved), 'order')}")
        return ", ".join(parts)


def offers(
    result: Result,
    order: Mapping[str, Any] | AddOrder | str | int,
    k: int = 20,
    *,
    slots: Iterable[Slot] | None = None,
    improve: AnyStop | float | None = None,
    now: float | str | None = None,
) -> list[Offer]:
    """Return the cheapest positions for one more order.

    The other orders keep their vehicles and their sequence, and all
    constraints hold. Every position on every route is priced, and a new route
    of each vehicle type that has a vehicle left.

    Parameters
    ----------
    result
        The plan: of :func:`ncc_routing.solve` or :func:`ncc_routing.replan`.
        Served stops of the latter stay, and nothing departs before its moment.
    order
        A row with the columns of a table of customers and a new ``id``; beside
        a matrix with ``place``, the id of a customer or depot at the same
        place, or with ``distances`` and ``durations`` (the fields of
        ``changes.AddOrder``, which is accepted too). Or the id of an unserved
        order: both stops of a shipment are placed, and one customer
        of a group.
    k
        Largest number of offers, for each slot. Default 20.
    slots
        Time windows to price in place of the order's, one by one: pairs of
        times, or texts as in a table, at least one. Default: the window of
        the order.
    improve
        Seconds for a search in which the other orders may move as well, all
        slots together; or a criterion, as ``stop`` of
        :func:`ncc_routing.solve`. Its result is one more offer if it is
        cheaper. No served order is left out for it. Default: no search.
    now
        Time from which the plan may change, as for :func:`ncc_routing.replan`,
        with the vehicles on time. Default: the plan has not begun.

    Returns
    -------
    list[Offer]
        The cheapest first, for each slot in turn; with the objective
        "fewest-vehicles", those on a new route last, and with one of the
        largest amount of a route, those by which it rises least first. Empty
        if the order fits nowhere; :func:`ncc_routing.explain` says why.

    Raises
    ------
    InstanceError
        If the order or a slot is wrong.
    ParameterError
        If there is no such order or it is served, or an argument is wrong.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ParameterError(f"k must be at least 1, got {describe_value(k)}.")
    question = Question.of(result, order, now)
    asked = [question]
    if slots is not None:
        is_list = isinstance(slots, Iterable)
        is_list &= not isinstance(slots, str | Mapping)
        given = list(slots) if is_list else []
        if not given:
            raise ParameterError(
                "slots must be a list with a window or more, got "
                f"{describe_value(slots)}."
            )
        asked = [question.in_slot(slot) for slot in given]
    listed: list[Offer] = []
    for one in asked:
        best = list(_cheapest(one, k))
        if improve is not None:
            stop = (
                TimeLimit(improve / len(asked))
                if isinstance(improve, int | float)
                else improve
            )
            best = [*_improved(one, best, stop), *best]
        listed += best[:k]
    return listed


def _cheapest(question: Question, k: int) -> Iterator[Offer]:
    """Yield the cheapest places, the other orders as they are."""
    instance, plan = question.instance, question.plan
    is_by_vehicles = question.result.params.get("objective") == FEWEST_VEHICLES
    limit = question.result.min_max
    asked = None if is_by_vehicles or limit is not None else Cheapest(k)
    evaluated = evaluate(instance, plan, question.order, asked)
    placements, costs = evaluated.placements, evaluated.costs
    places = np.flatnonzero(evaluated.is_possible)
    keys = [costs[places]]
    if is_by_vehicles:
        keys.append(placements.origins[places] < 0)
    if limit is not None:
        routes = [placements.routes[place] for place in places.tolist()]
        longer = Solution(tuple(routes), 0.0, tuple(placements.types[places]))
        amounts = longer.amounts(instance, limit)
        keys.append(np.maximum(amounts, plan.largest(instance, limit)))
    ranked = places[np.lexsort(keys)].tolist()
    titles = route_titles(instance, plan)
    before = cache(question.begins)
    for place in _accepted(instance, placements, ranked, k):
        route, idx = placements.routes[place], int(placements.types[place])
        number = int(placements.origins[place])
        is_new = number < 0
        if is_new:
            longer = Solution(
                (*plan.routes, route), 0.0, (*plan.vehicle_types, idx)
            )
            number = plan.num_routes
            titles[number:] = route_titles(instance, longer)[number:]
        yield _offer(
            question,
            cost=float(costs[place]),
            title=titles[number],
            number=number,
            before={} if is_new else before(number),
            after=[schedule_route(instance, route, idx)],
            take=partial(_taken, question, placements, place),
        )


def _taken(question: Question, placements: Placements, place: int) -> Result:
    plan = placed(question.instance, question.plan, placements, place)
    return question.answered(plan)


def _accepted(
    instance: Instance, placements: Placements, ranked: list[int], k: int
) -> list[int]:
    """Return the first ``k`` placements against which no check speaks."""

    def is_wrong(places: Sequence[int]) -> bool:
        plan = Solution(
            tuple(placements.routes[place] for place in places),
            0.0,
            tuple(placements.types[places].tolist()),
        )
        violations = check_routes(instance, plan)
        return any(each.kind not in OF_SOLUTIONS for each in violations)

    accepted: list[int] = []
    while ranked and len(accepted) < k:
        count = k - len(accepted)
        some, ranked = ranked[:count], ranked[count:]
        if is_wrong(some):
            some = [place for place in some if not is_wrong([place])]
        accepted += some
    return accepted


def _improved(
    question: Question, best: Sequence[Offer], stop: AnyStop | None
) -> list[Offer]:
    """Return the offer of a search that moves others, where it is cheaper."""
    instance, plan = question.instance, question.plan
    objective = question.result.params.get("objective")
    start = best[0].result.best if best else plan
    others = question.others
    result = solve(
        without_required(instance, others),
        stop,
        initial_solution=Start(start),
        allow_unserved=True,
        objective=objective if isinstance(objective, str) else None,
    )
    if result.unserved:
        return []
    after = Solution.from_routes(
        instance, result.routes, result.best.vehicle_types
    )
    before = Solution.from_routes(instance, plan.routes, plan.vehicle_types)
    cost = after.cost - before.cost
    asked = set(chain(*question.order))
    numbers = [k for k, r in enumerate(after.routes) if asked & set(r)]
    if not numbers or (best and cost >= best[0].cost):
        return []
    number = numbers[0]
    offer = _offer(
        question,
        cost=cost,
        title=route_titles(instance, after)[number],
        number=number,
        before=begins_of(instance, before.schedules(instance)),
        after=after.schedules(instance),
        take=partial(question.answered, after),
    )
    return [replace(offer, moved=moves((instance, before), (instance, after)))]


def _offer(
    question: Question,
    *,
    cost: float,
    title: str,
    number: int,
    before: Mapping[int, float],
    after: Sequence[Schedule],
    take: Callable[[], Result],
) -> Offer:
    """Return an offer, given the routes that it changes.

    ``before`` are the times of their orders without it.
    """
    instance = question.instance
    asked, depots = set(chain(*question.order)), set(instance.depots)
    ((visits, begins),) = [
        (one.visits[one.stops], one.begins[one.stops])
        for one in after
        if not asked.isdisjoint(one.visits)
    ]
    places = [k for k, node in enumerate(visits) if node in asked]
    form = instance.source.time_form
    starts = [
        form.cell(begins[k] if begins[k] % 1 else int(begins[k]))
        if has_times(instance)
        else None
        for k in places
    ]
    new = begins_of(instance, after)
    minute = _MINUTE if form.kind else 1.0
    return Offer(
        cost=cost,
        vehicle=title,
        route=number + 1,
        is_new=len(set(visits) - depots - asked) == 0,
        position=places[0] + 1,
        start=starts[0],
        delivery_position=places[1] + 1 if len(places) > 1 else None,
        delivery_start=starts[1] if len(places) > 1 else None,
        delays={
            instance.node_ids[node]: round((new[node] - begin) / minute, 3)
            for node, begin in before.items()
            if node in new and new[node] > begin
        },
        slot=question.slot,
        _take=take,
    )
