"""An order that is asked about beside a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.desk.changes import add_order, windows_of
from ncc_routing.problems.changes import AddOrder
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.routes.references import FREE
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.dispatch.day import Day
from ncc_routing.vrp.dispatch.rest import rest_of
from ncc_routing.vrp.why.placements import order_of
from ncc_routing.vrp.why.reasons import unserved_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import Schedule
    from ncc_routing.vrp.result import Result
    from ncc_routing.vrp.why.placements import Order

Slot = str | Sequence[float | str]
"""A window: a text as in a table, or a pair of times."""


def begins_of(
    instance: Instance, schedules: Iterable[Schedule]
) -> dict[int, float]:
    """Return when each order on some routes is served."""
    depots = set(instance.depots)
    return {
        node: begin
        for one in schedules
        for node, begin in zip(one.visits, one.begins, strict=True)
        if node not in depots
    }


class Question(NamedTuple):
    """An order that is on no route of a plan.

    ``node`` is who is asked for, one of ``order``. The plan is that of the
    result, unless the day ``has_begun``.
    """

    result: Result
    instance: Instance
    plan: Solution
    node: int
    order: Order
    has_begun: bool = False
    slot: Slot | None = None

    @classmethod
    def of(
        cls,
        result: Result,
        order: Mapping[str, Any] | AddOrder | str | int,
        now: float | str | None = None,
    ) -> Question:
        """Return the order on none of the routes from a moment on."""
        instance, plan = result.instance, result.best
        has_begun = now is not None
        if now is not None:
            instance, plan = rest_of(Day.of(result, now, None))
        if isinstance(order, Mapping):
            row = dict(order)
            places = {
                name: row.pop(name)
                for name in ("place", "distances", "durations")
                if name in row
            }
            order = AddOrder(row, **places)
        if isinstance(order, AddOrder):
            node = instance.num_customers + 1
            draft = Draft.of(instance)
            add_order(draft, order)
            routes = tuple(
                tuple(stop + (stop >= node) for stop in route)
                for route in plan.routes
            )
            plan = Solution(routes, plan.cost, plan.vehicle_types)
            return cls(
                result, draft.build(), plan, node, ((node,),), has_begun
            )
        name, ids = str(order), instance.node_ids
        node = ids.index(name) if name in ids else 0
        if node in instance.depots:
            raise ParameterError(f"there is no order {name}.")
        choices = order_of(instance, node)
        served = set(chain(*plan.routes)).intersection(*[chain(*choices)])
        if served:
            is_passed = not served.isdisjoint(instance.passed_by)
            state = "cancelled" if is_passed else "served"
            raise ParameterError(f"order {ids[min(served)]} is {state}.")
        return cls(result, instance, plan, node, choices, has_begun)

    def in_slot(self, slot: Slot) -> Question:
        """Return it with another window of the order."""
        draft = Draft.of(self.instance)
        draft.set_window(self.node, windows_of(draft, slot))
        order = tuple(each for each in self.order if self.node in each)
        return self._replace(instance=draft.build(), order=order, slot=slot)

    def begins(self, route: int) -> dict[int, float]:
        """Return when a route of the plan serves its orders."""
        if not self.has_begun:  # orders keep their numbers
            old = self.result
            return begins_of(old.instance, [old.schedules[route]])
        driven = self.plan.routes[route], self.plan.vehicle_types[route]
        schedule = schedule_route(self.instance, *driven)
        return begins_of(self.instance, [schedule])

    @property
    def others(self) -> list[int]:
        """The other orders that are not served."""
        mine = set(chain(*self.order))
        absent = self.instance.unserved(self.plan.routes)
        return [node for node in absent if node not in mine]

    def answered(self, plan: Solution) -> Result:
        """Return the result with a plan that serves the order."""
        result, size = self.result, len(self.instance.demands)
        labels = result.labels
        if labels and len(labels) < size:
            labels = (*labels[: self.node], FREE, *labels[self.node :])
        return replace(
            result,
            instance=self.instance,
            best=plan,
            labels=labels,
            trace=(),
            unserved=unserved_of(self.instance, plan),
            lower_bound=None,
        )
