"""Plans of several days on which customers see few drivers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, Unpack

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import changed, chosen
from ncc_routing.problems.days import (
    DayMeasures,
    compare_days,
    number_customers,
)
from ncc_routing.problems.references import FREE
from ncc_routing.vrp.extra_cost import (
    WeightScale,
    cap_of,
    part_of,
    share_of,
    whole_budget,
)
from ncc_routing.vrp.methods import AUTOMATIC
from ncc_routing.vrp.params import WEIGHTS, SolveParams
from ncc_routing.vrp.plan import default_seconds
from ncc_routing.vrp.problem import as_instance
from ncc_routing.vrp.solve import solve, with_files_read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveChanges
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.result import Result

MAX_EXTRA_COST: Final = 0.03
"""Share of the cost of independent days that the days may cost more."""

FIRST_WEIGHT: Final = 3.0
"""Consistency of the first round."""

NUM_ROUNDS: Final = 6
ALONE: Final = 3
"""Rounds through all days, and as how many of them the time counts in which
each day is planned alone."""


@dataclass(frozen=True)
class SolvedDays:
    """Plans of several days.

    Parameters
    ----------
    results
        The plan of each day.
    alone
        The plans of the same call with which their costs were compared: each
        day for itself.
    """

    results: tuple[Result, ...]
    alone: tuple[Result, ...]

    @property
    def cost(self) -> float:
        """The cost of all days."""
        return sum(result.cost for result in self.results)

    @property
    def extra_percent(self) -> float:
        """What they cost more than the days alone, in percent of these."""
        base = sum(result.cost for result in self.alone)
        return 100.0 * (self.cost - base) / (abs(base) or 1.0)

    @property
    def rank(self) -> tuple[float, float]:
        """Drivers that a customer sees, then the cost: less is better."""
        return self.measures.mean_drivers, self.cost

    @cached_property
    def measures(self) -> DayMeasures:
        """How consistent they are, and the driver of each route."""
        return compare_days(self.results)


def solve_days(
    problems: Sequence[Problem],
    params: SolveParams | None = None,
    *,
    max_extra_cost: float = MAX_EXTRA_COST,
    deadline: Deadline | None = None,
    stop: AnyStop | None = None,
    callbacks: Callbacks | None = None,
    **changes: Unpack[SolveChanges],
) -> SolvedDays:
    """Plan several days so that customers see few drivers.

    Each day is planned alone. Then each day in turn is planned anew, and
    customers prefer the driver who serves them most often on the other days.
    The weight of that rises while the cost allows it, and falls otherwise.

    Parameters
    ----------
    problems
        The days, each as for :func:`ncc_routing.solve`. Customers are the
        same as for :func:`ncc_routing.compare_days`.
    params
        Parameters of the searches, whose construction makes the first plans
        alone. The time limit is that of all days. Default: ``SolveParams()``,
        and the sum of the times that each day gets by default.
    max_extra_cost
        What all days may cost more than the days alone, as a share of their
        cost, at least 0. It is kept exactly. Default 0.03.
    deadline
        A clock of the caller, as for :func:`ncc_routing.solve`.
    stop
        As for :func:`ncc_routing.solve`. All searches of a day share its
        iterations.
    callbacks
        Hears of each search.
    changes
        Single parameters by name: ``solve_days(days, time_limit=30.0)``.

    Returns
    -------
    SolvedDays
        The plans with the fewest drivers for each customer, each checked.

    Raises
    ------
    ParameterError
        If there is no day, a parameter is unknown or out of range, or a
        reference is given: each day has that of the other days.
    UnsupportedProblemError, InfeasibleError
        As for :func:`ncc_routing.solve`, for any of the days.

    References
    ----------
    C. Groër, B. Golden, E. Wasil (2009). The consistent vehicle routing
    problem. Manufacturing & Service Operations Management 11(4).
    """
    share = share_of(max_extra_cost)
    params = with_files_read(chosen(SolveParams, params, changes))
    if params.reference is not None:
        raise ParameterError(
            "reference: each of several days has that of the other days."
        )
    again = _without_construction(params)
    # What does not go with a consistency is said before the first search.
    changed(again, {"reference": {}, "consistency": FIRST_WEIGHT})
    days = [as_instance(problem) for problem in problems]
    if not days:
        raise ParameterError("problems must be of one day or more.")
    default = sum(default_seconds(day.num_customers) for day in days)
    budget = whole_budget(params.time_limit, deadline, stop, default)
    parts = enumerate(_parts(budget, len(days)))

    def search(
        day: Instance, own: SolveParams, start: Result | None = None
    ) -> Result:
        number, part = next(parts)
        found = solve(
            day,
            changed(own, {"time_limit": None, "seed": own.seed + number}),
            deadline=part.deadline,
            stop=part.stop,
            callbacks=callbacks,
            initial_solution=start,
        )
        if found.interrupted:
            budget.deadline.expire()
        return found

    alone = [search(day, params) for day in days]
    best = SolvedDays(tuple(alone), tuple(alone))
    cap = cap_of(_exact_cost(best), share)
    scale = WeightScale()
    for _ in range(NUM_ROUNDS):
        is_within = True
        weight = min(WEIGHTS[1], FIRST_WEIGHT * scale.factor)
        for number, day in enumerate(days):
            labels = _usual_drivers(best, number)
            if budget.deadline.passed() or labels.max() == FREE:
                continue
            wish = {"reference": labels, "consistency": weight}
            plans = list(best.results)
            plans[number] = search(day, changed(again, wish), plans[number])
            found = SolvedDays(tuple(plans), best.alone)
            if _exact_cost(found) > cap:
                is_within = False
            elif found.rank < best.rank:
                best = found
        scale = scale.after(is_within)
    return best


def _without_construction(params: SolveParams) -> SolveParams:
    """Return parameters of a search that begins with a plan."""
    idle = ["priority", "ckm", "ncc", "ncc_paper"]
    if params.affinity == 0.0:
        idle.append("scorer")
    return changed(params, {**dict.fromkeys(idle, None), "method": AUTOMATIC})


def _parts(budget: Budget, num_days: int) -> Iterator[Budget]:
    """Yield the budget of each search."""
    sizes = [ALONE] * num_days + [1] * (NUM_ROUNDS * num_days)
    left = sum(sizes)
    for size in sizes:
        yield part_of(budget, size / (ALONE + NUM_ROUNDS), size / left)
        left -= size


def _exact_cost(days: SolvedDays) -> Fraction:
    """Return the cost without rounding errors of the sum."""
    return sum((Fraction(one.cost) for one in days.results), Fraction())


def _usual_drivers(days: SolvedDays, number: int) -> np.ndarray:
    """Return for each node who serves it most often on the other days."""
    instances = [result.instance for result in days.results]
    customers = number_customers(instances)
    width = 1 + max(max(own.values(), default=0) for own in customers)
    drivers = days.measures.drivers
    times = np.zeros((width, 1 + max(map(max, filter(None, drivers)))), int)
    for other, result in enumerate(days.results):
        if other == number:
            continue
        for route, driver in zip(result.routes, drivers[other], strict=True):
            known = [customers[other].get(node) for node in route]
            times[[one for one in known if one is not None], driver] += 1
    labels = np.full(len(instances[number].demands), FREE)
    for node, customer in customers[number].items():
        if times[customer].any():
            labels[node] = times[customer].argmax()
    return labels
