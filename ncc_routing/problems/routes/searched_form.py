"""A problem as it is searched: by costs, which say what counts more."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    UnsupportedProblemError,
)
from ncc_routing.problems.constraints import LENGTH, MIN_MAX
from ncc_routing.problems.draft import Draft, restrict
from ncc_routing.problems.features import (
    BALANCES,
    IN_PROGRESS_ROUTES,
    OPTIONAL_CUSTOMERS,
    PREFERRED_WINDOWS,
    PROFILES,
    SPEED_FACTORS,
    TIME_BALANCES,
    TIMED,
)
from ncc_routing.problems.price_steps import AMOUNTS, price_of
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.routes.simplification import (
    Prepared,
    longest_distance,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.unserved import kept_whole, ranks_of
from ncc_routing.problems.values import LARGEST_SUM, longest_finite

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ncc_routing.problems.balance import Balance
    from ncc_routing.problems.constraints import Constraint
    from ncc_routing.problems.instance import Instance

_EXACT: Final = 2.0**48
"""Bound on prizes of several ranks: sums of them differ by whole costs."""

_CLOSE: Final = 2.0**25
"""The same where costs are real numbers, in the longest distance."""

_WEIGHT: Final = 1_000
"""How many orders one of the next rank outweighs where sums of prizes that
exceed all lower ones would be too large."""

_MOST_FORMS: Final = 4
"""Forms for the ranks that do not fit into one; the lowest ones of the last
form count alike."""


@dataclass(frozen=True)
class Objective:
    """What counts before the cost, in this order.

    Parameters
    ----------
    leaves_out
        Whether customers may be left out: as few as possible of the highest
        rank, then of the next one. Default no.
    counts_vehicles
        Whether the number of vehicles counts then. Default no.
    limit
        The limit of routes whose largest amount counts then. Default: none.
    promised
        Customers who outrank others of their priority. Default: none.
    """

    leaves_out: bool = False
    counts_vehicles: bool = False
    limit: Constraint | None = None
    promised: tuple[int, ...] = ()

    @property
    def is_cost(self) -> bool:
        """Whether nothing counts before the cost."""
        return not (self.leaves_out or self.counts_vehicles or self.limit)

    def require(self, instance: Instance) -> None:
        """Refuse an instance to which the objective says nothing.

        Nobody would serve who is optional if the largest amount counts first,
        and preferred windows may lengthen a route that was short.
        """
        if self.limit is None:
            return
        refused = {OPTIONAL_CUSTOMERS}
        refused |= {BALANCES, TIME_BALANCES}
        refused |= {PREFERRED_WINDOWS} if self.limit.follows_times else set()
        found = sorted(refused.intersection(instance.features))
        choice = instance.selection
        if choice is not None and not all(g.required for g in choice.groups):
            found.append("optional client groups")
        for feature in found[:1]:
            raise UnsupportedProblemError(
                instance.name,
                f"objective {self.limit.objective}",
                f"does not support {feature}",
            )


@dataclass(frozen=True, eq=False)
class SearchedForm(Prepared):
    """A problem under its objective, and the way to what is searched and back.

    At first all customers must be served, at the least cost: so constructions
    do. From ``with_vehicles`` and ``with_absent`` on, a vehicle costs more
    than any plan, and an absent customer more than all vehicles and all
    customers of lower rank. Where sums would not be exact the lowest ranks are
    alike, and a further form, in which those above are settled, tells them
    apart.

    Parameters
    ----------
    objective
        What counts before the cost. Default: nothing.
    prizes
        What absent customers cost, by ranks; the last one is that of all lower
        ranks. Default: nobody may be left out.
    settled_from
        The lowest rank with a prize of its own. Default: there is none.
    share
        Share of the ranks that have one, 1 where no further form follows.
    number
        Number of forms with prizes up to this one. Default 0.
    most
        Largest amount of a route that the objective limits. Default: any.
    costs_amount
        Whether routes cost that amount, and nothing else. Default no.
    """

    objective: Objective = Objective()
    prizes: tuple[float, ...] = ()
    settled_from: float = math.inf
    share: float = 1.0
    number: int = 0
    most: float = math.inf
    costs_amount: bool = False

    @cached_property
    def measure(self) -> Constraint | None:
        """The limit of the objective, by the amounts that a search measures.

        Distances are durations where no time counts.
        """
        limit = self.objective.limit
        timed = {*TIMED, IN_PROGRESS_ROUTES, PROFILES, SPEED_FACTORS}
        if limit is None or limit.unit != LENGTH:
            return limit
        is_alike = timed.isdisjoint(self.given.features)
        return MIN_MAX["min-max-duration"] if is_alike else limit

    @cached_property
    def balances(self) -> list[tuple[Balance, ...]]:
        """Those of each searched vehicle type; empty: there are none."""
        found = [each.balances for each in self.simplified.vehicle_types]
        return found if any(found) else []

    @cached_property
    def vehicle_cost(self) -> float:
        """What each vehicle costs besides, more than any plan."""
        counts = self.objective.counts_vehicles
        return float(math.floor(cost_bound(self.given))) if counts else 0.0

    def given_solution(self, solution: Solution) -> Solution:
        """Return a solution of the given problem, at its own cost.

        Customers whose partners are left out are left out too.
        """
        given, answer = self.given, self.to_given(solution)
        if self.objective.is_cost and not self.balances:
            return answer
        return kept_whole(given, answer.costed(given))

    def searched_solution(self, solution: Solution) -> Solution:
        """Return a solution of the given problem as one of the searched."""
        return self.from_given(solution).costed(self.searched)

    def told_cost(self, cost: float) -> float:
        """Return the cost of a searched solution without its vehicles' prices.

        One that leaves somebody out costs what the search counts.
        """
        if cost >= min(self.prizes, default=math.inf):
            return cost
        return self.split(cost)[1]

    def split(self, cost: float) -> tuple[int, float]:
        """Return how many a searched solution leaves out, and its cost."""
        count = 0
        for prize in self.prizes:
            more = max(0, math.floor(cost / prize + 1e-12))
            count, cost = count + more, cost - more * prize
        if self.vehicle_cost > 0.0:
            cost -= self.vehicle_cost * math.floor(cost / self.vehicle_cost)
        # Sums with large prizes have rounding errors.
        is_whole = self.prizes and self.given.is_integral
        return count, float(round(cost)) if is_whole else cost

    def without(self, ids: Container[str]) -> SearchedForm:
        """Return the form without some customers, who are on no route.

        ``InfeasibleError`` is raised where nobody else is left.
        """
        names, size = self.given.node_ids, self.given.num_customers
        kept = [node for node in range(1, size + 1) if names[node] not in ids]
        if not kept:
            text = f"{self.given.name}: no customer"
            raise InfeasibleError(text, Solution((), 0.0))
        searched = restrict(self.searched, np.array(kept))
        return replace(self, searched=searched, customers=tuple(kept))

    def with_vehicles(self) -> SearchedForm:
        """Return the form in which all are served, and vehicles count."""
        return self._of(self._draft())

    def for_largest(self, plan: Solution) -> SearchedForm:
        """Return the form in which routes cost the amount that counts.

        Whom the plan, one of the given problem, serves has to be served.
        """
        return self._for_served(plan, costs_amount=True)

    def with_largest(self, plan: Solution) -> SearchedForm:
        """Return the form in which no route has more of it than in a plan.

        Whom the plan, one of the given problem, serves has to be served.
        """
        limit = self.objective.limit
        most = self.most if limit is None else plan.largest(self.given, limit)
        return self._for_served(plan, most=most, costs_amount=False)

    def _for_served(self, plan: Solution, **changes: Any) -> SearchedForm:
        form = replace(self, **changes)
        if not self.prizes:
            return form.with_vehicles()
        return replace(form, settled_from=-math.inf).with_absent(plan)

    def with_absent(self, plan: Solution) -> SearchedForm:
        """Return the form in which the fewest customers are left out.

        Whom the plan, one of the given problem, serves of the ranks with
        prizes of their own is served from now on; so are the customers of
        in-progress routes.
        """
        given, draft, above = self.given, self._draft(), self.settled_from
        ranks = ranks_of(given, self.objective.promised)
        served = set(chain(*plan.routes))
        is_open, is_alone, wholes = _open_customers(
            given, [node for node in served if ranks[node] >= above]
        )
        groups = draft["groups"] or ()
        open_groups = [
            group
            for group in groups
            if group.required
            and (
                ranks[group.customers[0]] < above
                or served.isdisjoint(group.customers)
            )
        ]
        is_counted = is_alone.copy()  # of a group the first one
        is_counted[[group.customers[0] for group in open_groups]] = True
        prizes = draft.column("prizes") + 0.0
        ranked, ladder, share = self._ladder(ranks[is_counted], prizes.sum())
        worth = ladder[(ranks[:, None] < ranked).sum(axis=1)]
        prizes += worth * is_alone
        for group in open_groups:
            prizes[list(group.customers)] += worth[group.customers[0]]
        draft.set(
            prizes=prizes,
            required=given.required & ~is_open,
            priorities=None,
            groups=tuple(
                replace(one, required=one.required and one not in open_groups)
                for one in groups
            ),
            all_or_none=wholes,
        )
        return self._of(
            draft,
            prizes=tuple(ladder.tolist()),
            settled_from=min(ranked, default=math.inf),
            share=share if self.number + 1 < _MOST_FORMS else 1.0,
            number=self.number + 1,
        )

    def _draft(self) -> Draft:
        draft, more = Draft.of(self.given), self.vehicle_cost
        limit = self.objective.limit
        if more > 0.0:
            draft.set_types(
                replace(each, fixed_cost=each.fixed_cost + more)
                for each in draft.vehicle_types
            )
        if limit is not None and self.most < math.inf:
            draft.set_types(
                each.limited(limit, self.most) for each in draft.vehicle_types
            )
        if self.measure is not None and self.costs_amount:
            price = self.measure.price
            draft.set_types(each.priced(price) for each in draft.vehicle_types)
            draft.set(preferred=None, early_costs=None, late_costs=None)
        return draft

    def _of(self, draft: Draft, **numbers: Any) -> SearchedForm:
        forms = Prepared.of(draft.build())
        simple, searched = forms.simplified, forms.searched
        numbers |= {"simplified": simple, "searched": searched}
        return replace(self, customers=None, **numbers)

    def _ladder(
        self, ranks: np.ndarray, lost: float
    ) -> tuple[list[float], np.ndarray, float]:
        """Return the ranks with prizes of their own, all prizes, and a share.

        The highest come first, and the last prize is that of all lower ranks.
        The share is that of all ranks that differ so.
        """
        given, fleet = self.given, self.given.fleet
        most_routes = given.num_customers
        if fleet is not None and fleet.num_vehicles is not None:
            most_routes = min(most_routes, fleet.num_vehicles)
        bound = cost_bound(given) + most_routes * self.vehicle_cost
        most = (LARGEST_SUM - lost) / (2 * given.num_customers)
        least = math.floor(min(bound, most))
        # Those of higher ranks are left out already, and come first.
        numbers = Counter(np.minimum(ranks, self.settled_from).tolist())
        ranked = sorted(numbers, reverse=True)
        exact = _EXACT if given.is_integral else _CLOSE * _longest(given)

        def prizes_of(size: int) -> tuple[list[float], float]:
            prizes = [float(least)]
            total = lost + least * sum(numbers[each] for each in ranked[size:])
            for rank in reversed(ranked[:size]):
                prizes.insert(0, math.floor(total + bound))
                total += numbers[rank] * prizes[0]
            return prizes, total

        size = max(0, len(ranked) - 1)
        while size > 0 and prizes_of(size)[1] > exact:
            size -= 1
        prizes = prizes_of(size)[0]
        if size == 0 and len(ranked) > 1:
            size = 1
            prizes = [min(least, exact / (_WEIGHT * len(given.demands)))]
            prizes.insert(0, _WEIGHT * prizes[0])
        share = 1.0 if size + 1 >= len(ranked) else size / len(ranked)
        return ranked[:size], np.array(prizes), share


def _open_customers(
    instance: Instance, settled: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, tuple[tuple[int, ...], ...]]:
    """Return who is required and may be left out, without and with a prize.

    Of a shipment the pickup has one. The third value has those who are left
    out together, or not at all: who share a route, and as the problem says.
    """
    is_open, on_board = instance.required, list(instance.open_deliveries)
    started = set(chain(*(one.customers for one in instance.in_progress)))
    is_open[list(started)] = False
    pairs = [x for x in instance.shipments if x.delivery not in on_board]
    for one in pairs:
        ends = [one.pickup, one.delivery]
        is_open[ends] = is_open[ends].all()
    is_open[on_board] = True
    is_open[settled] = False
    constraints = instance.constraints or RouteConstraints()
    parties = [
        party for party in constraints.same_route if started.isdisjoint(party)
    ]
    groups = [
        [node for node in group if instance.required[node]]
        for group in (*parties, *constraints.all_or_none)
    ]
    # Who must be served binds others, and these may bind further ones.
    while bound := [
        group
        for group in groups
        if is_open[group].any() and not is_open[group].all()
    ]:
        is_open[[*chain(*bound)]] = False
    wholes = [
        tuple(group)
        for group in groups[: len(parties)]
        if is_open[group].any()
    ]
    wholes += constraints.all_or_none
    is_alone = is_open.copy()
    is_alone[[one.delivery for one in pairs]] = False
    return is_open, is_alone, tuple(wholes)


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
    # Convex prices are highest where one route has all.
    totals = dict.fromkeys(("duration", "driving"), count * time)
    totals |= {"distance": 2.0 * count * longest, "num_stops": count}
    totals["load"] = float(instance.handled.sum())
    lost += max(price_of(each.price_steps, totals) for each in types)
    for each in {*chain.from_iterable(each.balances for each in types)}:
        lost += each.price([0.0, totals[AMOUNTS[each.amount]]])
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
