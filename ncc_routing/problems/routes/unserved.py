"""Customers whom a solution leaves out where not all can be served."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.constraints import OF_SOLUTIONS, topic_of
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.routes.checking import check_routes
from ncc_routing.problems.routes.simplification import longest_distance
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import LARGEST_SUM, longest_finite

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ncc_routing.problems.instance import Instance


_EXACT: Final = 2.0**48
"""Bound on prizes of several levels: sums of them differ by whole costs."""

_CLOSE: Final = 2.0**25
"""The same where costs are real numbers, in the longest distance."""

_WEIGHT: Final = 1_000
"""How many orders one of the next level outweighs where sums of prizes that
exceed all lower ones would be too large."""


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
        "apart", "district", "together" (others of its group are not on the
        route), "goods" (the vehicle cannot load them), "in_progress" (its
        goods are on board another vehicle), "over" (it drives no further), or
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


class OpenForm(NamedTuple):
    """A problem in which required customers may be left out.

    ``levels`` are the highest ranks, which have prizes of their own: each of
    ``prizes`` exceeds all lower ones together, and any cost. The last one is
    that of all lower ranks. ``share`` is that of the ranks that differ so, 1
    where all do.
    """

    instance: Instance
    levels: tuple[float, ...]
    prizes: tuple[float, ...]
    share: float

    def split(self, cost: float) -> tuple[int, float]:
        """Return how many are left out at a cost, and the rest of it."""
        count = 0
        for prize in self.prizes:
            more = max(0, math.floor(cost / prize + 1e-12))
            count, cost = count + more, cost - more * prize
        return count, cost


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


def with_prizes(
    instance: Instance,
    most_cost: float | None = None,
    settled: Solution | None = None,
    above: float = math.inf,
    promised: Collection[int] = (),
) -> OpenForm:
    """Return the problem whose required customers may be left out.

    Each is worth more than any plan costs, and than all of lower rank, so
    that the best solution leaves the fewest out. Where sums would not be exact
    the lowest ranks are alike; a further search takes these, with those of
    ``above`` settled. Customers of in-progress routes stay required.

    Parameters
    ----------
    instance
        The problem.
    most_cost
        More than any plan costs. Default: a bound from its data.
    settled
        A solution; whom it serves of a rank of ``above`` and higher must be
        served. Default: none.
    above
        See ``settled``. Default: no rank is settled.
    promised
        Customers who outrank others of their priority. Default: none.
    """
    size = len(instance.demands)
    given = instance.selection
    prizes = np.zeros(size) if given is None else given.prizes.copy()
    groups = () if given is None else given.groups
    is_open = instance.required
    started = set(chain(*(one.customers for one in instance.in_progress)))
    is_open[list(started)] = False
    on_board = instance.open_deliveries
    for shipment in instance.shipments:
        ends = [shipment.pickup, shipment.delivery]
        if shipment.delivery not in on_board:
            is_open[ends] = is_open[ends].all()
    is_open[list(on_board)] = True
    ranks = ranks_of(instance, promised)
    served = set() if settled is None else set(chain(*settled.routes))
    for node in np.flatnonzero(is_open & (ranks >= above)).tolist():
        is_open[node] = node not in served
    kept_groups = {
        group
        for group in groups
        if group.required
        and ranks[group.customers[0]] >= above
        and not served.isdisjoint(group.customers)
    }
    constraints = instance.constraints or RouteConstraints()
    wholes = []
    for party in constraints.same_route:
        members = [node for node in party if instance.required[node]]
        if not started.isdisjoint(party):
            continue
        if is_open[members].all():
            wholes.append(tuple(members))
        else:  # with those who are settled
            is_open[members] = False
    is_counted = is_open.copy()
    for shipment in instance.shipments:
        if shipment.delivery not in on_board:
            is_counted[shipment.delivery] = False
    open_groups = [g for g in groups if g.required and g not in kept_groups]
    for group in open_groups:
        is_counted[group.customers[0]] = True
    of_level = Counter(ranks[is_counted].tolist())
    levels, ladder, share = _ladder(instance, of_level, above, most_cost)
    prize_of = {
        rank: ladder[sum(rank < level for level in levels)]
        for rank in of_level
    }
    for node in np.flatnonzero(is_open & is_counted).tolist():
        prizes[node] += prize_of[int(ranks[node])]
    for group in open_groups:
        members = list(group.customers)
        prizes[members] += prize_of[int(ranks[members[0]])]
    form = Draft.of(instance).set(
        prizes=prizes,
        required=instance.required & ~is_open,
        priorities=None,
        groups=tuple(
            replace(group, required=group.required and group in kept_groups)
            for group in groups
        ),
        all_or_none=tuple(filter(None, wholes)),
    )
    return OpenForm(form.build(), levels, ladder, share)


def _ladder(
    instance: Instance,
    of_level: Mapping[int, int],
    above: float,
    most_cost: float | None,
) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """Return the levels with prizes of their own, all prizes, and a share.

    The highest come first, and the last prize is that of all lower levels.
    The share is that of all levels that differ so.
    """
    lost = 0.0
    if instance.selection is not None:
        lost = float(instance.selection.prizes.sum())
    bound = cost_bound(instance) if most_cost is None else most_cost
    most = LARGEST_SUM - lost
    least = math.floor(min(bound, most / (2 * instance.num_customers)))
    # Those of higher levels are left out already, and come first.
    numbers: Counter[float] = Counter()
    for level, number in of_level.items():
        numbers[min(level, above)] += number
    ranked = sorted(numbers, reverse=True)
    exact = _EXACT if instance.is_integral else _CLOSE * _longest(instance)

    def prizes_of(size: int) -> tuple[list[float], float]:
        prizes = [float(least)]
        total = lost + least * sum(numbers[each] for each in ranked[size:])
        for level in reversed(ranked[:size]):
            prizes.insert(0, math.floor(total + bound))
            total += numbers[level] * prizes[0]
        return prizes, total

    size = max(0, len(ranked) - 1)
    while size > 0 and prizes_of(size)[1] > exact:
        size -= 1
    prizes = prizes_of(size)[0]
    if size == 0 and len(ranked) > 1:
        size = 1
        prizes = [min(least, exact / (_WEIGHT * len(instance.demands)))]
        prizes.insert(0, _WEIGHT * prizes[0])
    share = 1.0 if size + 1 >= len(ranked) else size / len(ranked)
    return tuple(ranked[:size]), tuple(prizes), share


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


def cost_bound(instance: Instance) -> float:
    """Return more than any plan costs, with the prizes of nobody served."""
    count, types = instance.num_customers, instance.vehicle_types
    longest = _longest(instance)
    durations = [0.0 if instance.has_durations else longest]
    if instance.speed is not None:
        durations.append(longest / instance.speed + 1.0)
    for matrix in (
        instance.durations,
        *(each.durations for each in instance.profiles),
    ):
        if matrix is not None:
            durations.append(longest_finite(matrix))
    durations += [longest_finite(p.matrix) for p in instance.profiles]
    slowest = min(1.0, *(each.speed_factor for each in types))
    time = 2.0 * max(*durations, longest_distance(instance)) / slowest
    work = [np.add(*instance.work_of(each)) for each in types]
    time += float(np.max(work))
    if instance.windows is not None:
        windows = instance.windows
        waiting = np.concatenate([windows.tw_early, windows.release_times])
        if windows.windows is not None:
            waiting = np.append(waiting, windows.windows[..., 0])
        time += float(waiting.max())
    for one in chain.from_iterable(each.breaks for each in types):
        time += one.duration + one.windows[-1][0]
    cost = max(abs(each.fixed_cost) for each in types)
    cost += 2.0 * longest * max(abs(each.unit_distance_cost) for each in types)
    cost += time * max(
        each.unit_duration_cost
        + each.unit_overtime_cost
        + each.unit_driving_cost
        for each in types
    )
    lost = _latest_visits_cost(instance, count * time)
    if instance.selection is not None:
        lost += float(instance.selection.prizes.sum())
    return count * cost + lost + 1.0


def _latest_visits_cost(instance: Instance, latest: float) -> float:
    """Return what visits cost at most by their preferred windows."""
    windows = instance.windows
    if windows is None or windows.preferred is None:
        return 0.0
    opens, closes = windows.preferred.T
    late = np.maximum(0, np.minimum(windows.tw_late, latest) - closes)
    total = 0.0
    for costs, times in (
        (windows.early_costs, opens),
        (windows.late_costs, late),
    ):
        if costs is not None:
            total += float((costs * times).sum())
    return total


def _longest(instance: Instance) -> float:
    """Return an upper bound on all distances."""
    profiles = [longest_finite(each.matrix) for each in instance.profiles]
    return max(longest_distance(instance), *profiles, 0.0)


def with_vehicle_costs(instance: Instance) -> tuple[Instance, float]:
    """Return the problem whose best solution has the fewest vehicles.

    Each vehicle costs more than any plan, the second value, besides.
    """
    more = math.floor(cost_bound(instance))
    draft = Draft.of(instance)
    draft.set_types(
        replace(each, fixed_cost=each.fixed_cost + more)
        for each in instance.vehicle_types
    )
    return draft.build(), float(more)


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
