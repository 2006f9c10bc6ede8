"""Plans of several days on which customers see few drivers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.params import changed, chosen, following_seed
from ncc_routing.problems.routes.days import (
    DayMeasures,
    compare_days,
    number_customers,
)
from ncc_routing.problems.routes.references import FREE
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.extra_cost import WeightScale, cap_of, part_of, share_of
from ncc_routing.vrp.methods import AUTOMATIC
from ncc_routing.vrp.params import WEIGHTS, SolveParams
from ncc_routing.vrp.problem import as_instance, require_several
from ncc_routing.vrp.solve import solve
from ncc_routing.vrp.stages import default_seconds
from ncc_routing.vrp.steps import with_files_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveOptions
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.result import Result

MAX_EXTRA_COST: Final = 0.03
"""Largest extra cost, as a share of the cost of the days alone."""

FIRST_WEIGHT: Final = 3.0
"""Consistency of the first round."""

NUM_ROUNDS: Final = 6
ALONE: Final = 3
"""Rounds through all days, and the rounds whose time the days alone take."""


@dataclass(frozen=True)
class SolvedDays:
    """Plans of several days.

    Parameters
    ----------
    results
        The plan of each day.
    alone
        The plans of each day alone from the same call; the limit on the cost
        refers to them.
    """

    results: tuple[Result, ...]
    alone: tuple[Result, ...]

    @property
    def cost(self) -> float:
        """The cost of all days."""
        return sum(result.cost for result in self.results)

    @property
    def extra_percent(self) -> float:
        """Extra cost over the days alone, in percent."""
        base = sum(result.cost for result in self.alone)
        return 100.0 * (self.cost - base) / (abs(base) or 1.0)

    @cached_property
    def measures(self) -> DayMeasures:
        """Measures of consistency, and the driver of each route."""
        return compare_days(self.results)


def solve_days(
    problems: Iterable[Problem],
    stop: AnyStop | None = None,
    *,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    **options: Unpack[SolveOptions],
) -> SolvedDays:
    """Plan several days so that customers see few drivers.

    Each day is planned alone. Then each day in turn is planned again with a
    preference for the driver who serves a customer most often on the other
    days. The weight of the preference rises while the cost allows it.

    Parameters
    ----------
    problems
        The days, each as for :func:`ncc_routing.solve`. Customers are matched
        as by :func:`ncc_routing.problems.routes.days.compare_days`.
    stop
        As for :func:`ncc_routing.solve`. All searches of a day share its
        iterations.
    params, **options
        Parameters of the searches, as for :func:`ncc_routing.solve`; the
        construction is for the days alone, and the time limit is for all days.
        ``max_extra_cost`` is the largest extra cost of all days, as a share of
        the cost of the days alone. Default: ``SolveParams()``, with the sum of
        the default time limits of the days and an extra cost of 0.03.
    callbacks
        Called for each search.

    Returns
    -------
    SolvedDays
        The plans with the fewest drivers for each customer, each checked.

    Raises
    ------
    ParameterError
        If there is no day, a parameter is unknown or out of range, or a
        reference is given: the other days are the reference of each day.
    MissingDependencyError
        Without scipy, which assigns the drivers.
    UnsupportedProblemError, InfeasibleError
        As for :func:`ncc_routing.solve`, for any of the days.

    References
    ----------
    C. Groër, B. Golden, E. Wasil (2009). The consistent vehicle routing
    problem. Manufacturing & Service Operations Management 11(4).
    """
    require_extra("scipy")  # not only after the searches
    params = chosen(SolveParams, params, **options)
    share = share_of(params.max_extra_cost, MAX_EXTRA_COST)
    params = replace(params, max_extra_cost=None)
    params.require_all_served("solve_days")
    budget = budget_of(stop, params.time_limit)
    params = with_files_read(params)
    if params.reference is not None:
        raise ParameterError(
            "reference: the other days are the reference of each day."
        )
    again = _without_construction(params)
    # Conflicts with consistency are reported before the first search.
    changed(again, {"reference": {}, "consistency": FIRST_WEIGHT})
    days = [as_instance(problem) for problem in require_several(problems)]
    if not days:
        raise ParameterError("problems must be of one day or more.")
    default = sum(default_seconds(day.num_customers) for day in days)
    budget = budget.or_within(default)
    parts = enumerate(_parts(budget, len(days)))

    def search(
        day: Instance, day_params: SolveParams, start: Result | None = None
    ) -> Result:
        number, part = next(parts)
        seed = following_seed(day_params.seed, number)
        result = solve(
            *(day, part),
            params=changed(day_params, {"time_limit": None, "seed": seed}),
            callbacks=callbacks,
            initial_solution=start,
        )
        if result.interrupted:
            budget.time_limit.expire()
        return result

    alone = [search(day, params) for day in days]
    best = SolvedDays(tuple(alone), tuple(alone))
    cap = cap_of(_exact_cost(best), share)
    scale = WeightScale()
    for _ in range(NUM_ROUNDS):
        is_within = True
        weight = min(WEIGHTS[1], FIRST_WEIGHT * scale.factor)
        for number, day in enumerate(days):
            others = [i for i in range(len(days)) if i != number]
            labels = _usual_drivers(
                *(day, [best.results[i] for i in others]),
                [best.measures.drivers[i] for i in others],
            )
            if budget.time_limit.passed() or labels.max() == FREE:
                continue
            wish = {"reference": labels, "consistency": weight}
            plans = list(best.results)
            plans[number] = search(day, changed(again, wish), plans[number])
            solved = SolvedDays(tuple(plans), best.alone)
            if _exact_cost(solved) > cap:
                is_within = False
            elif _rank(solved) < _rank(best):
                best = solved
        scale = scale.after(is_within)
    return best


def _without_construction(params: SolveParams) -> SolveParams:
    idle = ["priority", "ckm", "ncc", "ncc_paper"]
    if params.affinity == 0.0:
        idle.append("scorer")
    return changed(params, {**dict.fromkeys(idle, None), "method": AUTOMATIC})


def _parts(budget: Budget, num_days: int) -> Iterator[Budget]:
    sizes = [ALONE] * num_days + [1] * (NUM_ROUNDS * num_days)
    left = sum(sizes)
    for size in sizes:
        yield part_of(budget, size / (ALONE + NUM_ROUNDS), size / left)
        left -= size


def _rank(days: SolvedDays) -> tuple[float, float]:
    """Return the mean drivers of a customer, then the cost; less is better."""
    return days.measures.mean_drivers, days.cost


def _exact_cost(days: SolvedDays) -> Fraction:
    return sum((Fraction(one.cost) for one in days.results), Fraction())


def keeping_drivers(
    params: SolveParams, day: Instance, past: Sequence[Result], weight: float
) -> SolveParams:
    """Return the parameters of a day whose customers keep their drivers.

    That is the driver who has served each most often on the days before.
    """
    if weight == 0.0 or not past:
        return params
    labels = _usual_drivers(day, past, compare_days(past).drivers)
    if labels.max() == FREE:
        return params
    return changed(params, {"reference": labels, "consistency": weight})


def _usual_drivers(
    day: Instance, others: Sequence[Result], drivers: Sequence[Sequence[int]]
) -> np.ndarray:
    """Return the most frequent driver of each customer on other days."""
    instances = [day, *(result.instance for result in others)]
    own, *customers = number_customers(instances)
    width = 1 + max(
        max(each.values(), default=0) for each in (own, *customers)
    )
    num_drivers = max((max(each, default=0) for each in drivers), default=0)
    times = np.zeros((width, 1 + num_drivers), int)
    for known, result, numbers in zip(customers, others, drivers, strict=True):
        for route, driver in zip(result.routes, numbers, strict=True):
            served = [known.get(node) for node in route]
            times[[one for one in served if one is not None], driver] += 1
    labels = np.full(len(day.demands), FREE)
    for node, customer in own.items():
        if times[customer].any():
            labels[node] = times[customer].argmax()
    return labels
