"""Problems with everything that PyVRP knows, against all of their plans."""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import ncc_routing as nr
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.oracles.brute_force import cheapest_full_plan
from tests.oracles.problems import small_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyvrp

NUM_PROBLEMS = 110
ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""

SECONDS = 1.0
"""Processor time after which no plan is looked for any more."""


class Answer(NamedTuple):
    """What the search finds, and the cheapest of all plans; inf for none."""

    cost: float
    optimum: float

    @property
    def verdict(self) -> str:
        """What that means, in a word."""
        if self.cost < self.optimum:
            return "too cheap"
        if self.cost > self.optimum:
            return "dearer" if self.cost < math.inf else "false refusal"
        return "optimal" if self.cost < math.inf else "infeasible"


def answer(data: pyvrp.ProblemData | nr.Instance, seed: int = 1) -> Answer:
    """Solve a problem, and look at all of its plans.

    The solver checks each answer itself, and lets PyVRP judge its own data: a
    wrong cost or a broken rule raises.
    """
    given = data
    if not isinstance(given, nr.Instance):
        given = from_problem_data(given)
    optimum = cheapest_full_plan(given)
    stop = nr.first_of(
        nr.MaxIterations(ITERATIONS),
        TimeLimit(SECONDS, clock=time.process_time),
    )
    try:
        found = nr.solve(data, seed=seed, stop=stop)
    except nr.InfeasibleError:
        return Answer(math.inf, optimum)
    return Answer(found.cost, optimum)


def count_verdicts(
    numbers: Iterable[int],
    problem: Callable[[int], pyvrp.ProblemData | nr.Instance] = small_problem,
) -> Counter[str]:
    """Solve problems, print what goes wrong, count verdicts."""
    verdicts: Counter[str] = Counter()
    for number in numbers:
        found = answer(problem(number))
        verdicts[found.verdict] += 1
        if found.verdict not in ("optimal", "infeasible"):
            print(f"{number}: {found.verdict}, {found}")
    return verdicts


def test_search_finds_the_cheapest_plans() -> None:
    """Nothing is refused that has a plan, and 98 of 100 are the best."""
    verdicts = count_verdicts(range(0, 7 * NUM_PROBLEMS, 7))
    assert not {"false refusal", "too cheap"} & verdicts.keys()
    assert verdicts["optimal"] > 30
    assert verdicts["dearer"] <= 0.02 * verdicts.total()
