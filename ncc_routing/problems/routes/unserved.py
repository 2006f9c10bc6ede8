"""Customers whom a solution leaves out where not all can be served."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.constraints import OF_SOLUTIONS, topic_of
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.routes.checking import check_routes
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class Reason:
    """Why the vehicles of a type do not serve an order.

    Wherever the order is placed on a route of the type or on a new one, with
    the other orders in their sequence, the constraint is broken. If a type has
    several reasons, one of their constraints is broken. A late vehicle still
    serves, and goes on.

    Parameters
    ----------
    vehicle_type
        Index of the type, an entry of ``Instance.vehicle_types``.
    constraint
        "capacity" ("capacity 2", ... in further load dimensions), "window"
        (its own), "later-windows" (of others on the route), "start",
        "return", "shift", "break", "hours" (of service), "distance",
        "driving", "stops", "waiting" (in all), "wait" (once), "least" (stops
        or load), "arc" (only forbidden ones lead there), "skill", "pin",
        "apart", "order", "district", "together" (others of its group are not
        on the route, or not served), "goods" (the vehicle cannot load them),
        "in_progress" (its goods are on board another vehicle), "over" (it
        drives no further), "spread" (the routes would differ by too much), or
        "vehicles" (all are in use).
    text
        The least excess in words.
    excess
        Least amount by which the constraint is broken, in its unit. Default:
        ``None``, where it has none.
    certain
        Whether it holds in every solution. Default no.
    """

    vehicle_type: int
    constraint: str
    text: str
    excess: float | None = None
    certain: bool = False

    def __str__(self) -> str:
        """Return the excess in words."""
        return self.text


@dataclass(frozen=True)
class Unserved:
    """A customer who is on no route.

    Parameters
    ----------
    customer
        Its number. For a required group it is the first customer.
    id
        Its id, or its number as a text.
    priority
        Its priority; for a shipment that of the pickup, for a group the
        highest one. Default 0.
    reasons
        Why each vehicle type does not serve it. Default: not known.
    was_planned
        Whether the plan before had it on a route, see
        :func:`ncc_routing.replan`. Default no.
    optional
        Whether it need not be served. Default no.
    """

    customer: int
    id: str
    priority: int = 0
    reasons: tuple[Reason, ...] = ()
    was_planned: bool = False
    optional: bool = False

    @property
    def why(self) -> str:
        """The reasons in short: the closest one of each constraint.

        That it was planned before comes first. That all vehicles are in use is
        said where nothing else is.
        """
        if self.optional:
            return "optional"
        planned = ["was planned"] * self.was_planned
        return "; ".join([*planned, *map(str, self._closest().values())])

    @property
    def topic(self) -> str:
        """What its reasons are about, to count orders by it."""
        if self.optional:
            return "optional"
        topics = map(topic_of, self._closest())
        return " or ".join(dict.fromkeys(topics)) or "not known"

    def _closest(self) -> dict[str, Reason]:
        least: dict[str, Reason] = {}
        for one in self.reasons:
            known = least.setdefault(one.constraint, one)
            if (one.excess or 0.0) < (known.excess or 0.0):
                least[one.constraint] = one
        if len(least) > 1:
            least.pop("vehicles", None)
        return least


def priorities_of(instance: Instance) -> np.ndarray:
    """Return the priority of each node, those of groups and shipments alike.

    Partners have that of the pickup; a group has its highest one.
    """
    given = instance.selection
    if given is None or given.priorities is None:
        return np.zeros(len(instance.demands), dtype=np.int64)
    priorities = given.priorities.copy()
    for shipment in instance.shipments:
        priorities[shipment.delivery] = priorities[shipment.pickup]
    for group in given.groups:
        members = list(group.customers)
        priorities[members] = priorities[members].max()
    return priorities


def ranks_of(instance: Instance, promised: Collection[int] = ()) -> np.ndarray:
    """Return the rank of each node: higher ones are left out later.

    Orders on board outrank all others, then the priority counts, and then who
    is ``promised``.
    """
    is_promised = np.zeros(len(instance.demands), dtype=np.int64)
    is_promised[list(promised)] = 1
    for shipment in instance.shipments:
        is_promised[shipment.delivery] = is_promised[shipment.pickup]
    groups = () if instance.selection is None else instance.selection.groups
    for group in groups:
        members = list(group.customers)
        is_promised[members] = is_promised[members].max()
    ranks = 2 * priorities_of(instance) + is_promised
    on_board = [*instance.open_deliveries]
    on_board += chain(*(one.on_board for one in instance.in_progress))
    ranks[on_board] += 1 + ranks.max()
    return ranks


def absent_of(
    instance: Instance,
    solution: Solution,
    reasons: Mapping[int, tuple[Reason, ...]] | None = None,
    planned: Collection[int] = (),
) -> tuple[Unserved, ...]:
    """Return the required customers on no route, with known reasons.

    Those who were ``planned`` come first.
    """
    ids, priorities = instance.node_ids, priorities_of(instance)
    absent = instance.unserved(solution.routes)
    return tuple(
        Unserved(
            node,
            ids[node],
            int(priorities[node]),
            (reasons or {}).get(node, ()),
            was_planned=node in planned,
        )
        for node in sorted(absent, key=lambda node: node not in planned)
    )


def left_out_of(
    instance: Instance, solution: Solution
) -> tuple[Unserved, ...]:
    """Return the customers on no route who need not be on one.

    Of a group one is enough.
    """
    served = set(chain.from_iterable(solution.routes))
    aside = set(instance.unserved(solution.routes)) | served
    groups = () if instance.selection is None else instance.selection.groups
    for group in groups:
        if group.required or not served.isdisjoint(group.customers):
            aside |= set(group.customers)
    ids, priorities = instance.node_ids, priorities_of(instance)
    return tuple(
        Unserved(node, ids[node], int(priorities[node]), optional=True)
        for node in range(1, instance.num_customers + 1)
        if node not in aside
    )


def without_required(instance: Instance, customers: Iterable[int]) -> Instance:
    """Return the problem in which some customers need not be served."""
    return Draft.of(instance).make_optional(customers).build()


def kept_whole(instance: Instance, solution: Solution) -> Solution:
    """Return the routes without those whose partners are left out.

    Partners must share a route. A route that breaks a rule without one of its
    customers, as it can where a detour is shorter, is left out as a whole.
    Routes that have begun stay.
    """
    constraints = instance.constraints
    if constraints is None or not constraints.same_route:
        return solution
    started = set(chain(*(one.customers for one in instance.in_progress)))
    required = set(np.flatnonzero(instance.required).tolist())
    groups = [
        required.intersection(group)
        for group in constraints.same_route
        if started.isdisjoint(group)
    ]
    routes = [list(route) for route in solution.routes]
    types = solution.vehicle_types
    is_whole = False
    while not is_whole:
        is_whole = True
        for group in groups:
            served = set(chain.from_iterable(routes))
            lost = served.intersection(group)
            if not lost or lost == group:
                continue
            is_whole = False
            for idx, route in enumerate(routes):
                left = _without(instance, route, lost)
                if len(left) < len(route):
                    alone = Solution((tuple(left),), 0.0, (types[idx],))
                    broken = check_routes(instance, alone)
                    is_kept = all(one.kind in OF_SOLUTIONS for one in broken)
                    routes[idx] = left if is_kept else []
    return Solution.from_routes(instance, routes, types)


def _without(
    instance: Instance, route: list[int], lost: set[int]
) -> list[int]:
    """Return a route without some customers and their shipments."""
    ends = [{each.pickup, each.delivery} for each in instance.shipments]
    lost = lost.union(*(pair for pair in ends if pair & lost))
    return [node for node in route if node not in lost]


def unserved_lines(
    unserved: Sequence[Unserved], name: str = "unserved", more: str = ""
) -> list[str]:
    """Return who is left out and why in lines of text.

    Of several orders it is counted first how many each reason leaves out.
    """
    head = f"{name:<10}{len(unserved)}{more and f', {more}'}"
    topics = Counter(one.topic for one in unserved).most_common()
    if len(unserved) > 1:
        counts = (f"{count} {topic}" for topic, count in topics)
        head += f": {', '.join(counts)}"
    lines = [head] if unserved else []
    for one in unserved:
        why = f" ({one.why})" if one.why else ""
        lines.append(f"{'':<10}{one.id}{why}")
    return lines
