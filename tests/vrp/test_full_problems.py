"""Problems with everything that PyVRP knows, against all of their plans.

``python -m tests.vrp.test_full_problems --count 4000`` looks at so many.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from typing import TYPE_CHECKING

import ncc_routing as nr
from ncc_routing.io.pyvrp_adapter import from_problem_data
from tests.full_plans import cheapest_full_plan
from tests.vrp.rich_problems import full_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

NUM_PROBLEMS = 110
MOST_STOPS = 5

ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""


def count_verdicts(seeds: Iterable[int]) -> Counter[str]:
    """Solve problems of few stops, print what goes wrong, count verdicts.

    The solver checks each answer itself, and lets PyVRP judge it: a wrong
    cost or a broken rule raises.
    """
    verdicts: Counter[str] = Counter()
    for seed in seeds:
        data = full_problem(seed, num_clients=3)
        if data.num_clients + 2 * data.num_shipments > MOST_STOPS:
            continue
        optimum = cheapest_full_plan(from_problem_data(data))
        try:
            stop = nr.MaxIterations(ITERATIONS)
            cost = nr.solve(data, stop=stop, time_limit=5.0).cost
        except nr.InfeasibleError:
            cost = math.inf
        verdict = "optimal"
        if cost > optimum:
            verdict = "dearer" if cost < math.inf else "false refusal"
        elif cost < optimum:
            verdict = "too cheap"
        elif cost == math.inf:
            verdict = "infeasible"
        if verdict not in ("optimal", "infeasible"):
            print(f"{seed}: {verdict}, {cost:g} instead of {optimum:g}")
        verdicts[verdict] += 1
    return verdicts


def test_search_finds_the_cheapest_plans() -> None:
    """Nothing is refused that has a plan, and 98 of 100 are the best."""
    verdicts = count_verdicts(range(0, 7 * NUM_PROBLEMS, 7))
    assert not {"false refusal", "too cheap"} & verdicts.keys()
    assert verdicts["optimal"] > 30
    assert verdicts["dearer"] <= 0.02 * verdicts.total()


def main() -> None:
    """Look at as many problems as wanted, and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=NUM_PROBLEMS)
    for name, count in count_verdicts(
        range(parser.parse_args().count)
    ).items():
        print(f"{name}: {count}")


if __name__ == "__main__":
    main()
