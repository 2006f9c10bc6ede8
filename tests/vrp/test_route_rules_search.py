"""Problems with rules of routes, against all of their plans.

``python -m tests.vrp.test_route_rules_search --count 2000`` looks at so many.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import ncc_routing as nr
from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io.pyvrp_adapter import from_problem_data
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.route_rules import BegunRoute, RouteRules
from tests.full_plans import cheapest_full_plan
from tests.vrp.rich_problems import full_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

NUM_PROBLEMS = 80
MOST_STOPS = 5

ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""


def with_rules(instance: nr.Instance, seed: int) -> nr.Instance | None:
    """Return an instance with some rules; ``None`` where they contradict."""
    rng = np.random.default_rng([seed, 7])
    stops = range(1, instance.num_customers + 1)
    nodes = range(len(instance.demands))
    kinds = instance.vehicle_types
    changes: dict[str, Any] = {}

    def draws(share: float) -> bool:
        return bool(rng.random() < share)

    def some(least: int, most: int) -> tuple[int, ...]:
        size = min(len(stops), int(rng.integers(least, most + 1)))
        return tuple(rng.permutation(stops)[:size].tolist())

    if draws(0.4):
        kinds = tuple(
            replace(k, skills=tuple(s for s in "ab" if draws(0.7)))
            for k in kinds
        )
        changes["skills"] = tuple(
            tuple(s for s in "ab" if node in stops and draws(0.2))
            for node in nodes
        )
    if draws(0.4):
        changes["vehicles"] = tuple(
            (int(rng.integers(len(kinds))),)
            if node in stops and draws(0.3)
            else None
            for node in nodes
        )
    if draws(0.5):
        changes["same_route"] = (some(2, 3),)
    if draws(0.5):
        changes["different_routes"] = (some(2, 3),)
    if draws(0.4):
        changes["districts"] = tuple(
            int(rng.integers(-1, 3)) if node in stops else -1 for node in nodes
        )
        changes["max_districts"] = int(rng.integers(1, 3))
    if draws(0.4):
        kind = int(rng.integers(len(kinds)))
        changes["begun"] = (BegunRoute(kind, some(1, 2)),)
    try:
        fleet = Fleet(kinds)
        rules = RouteRules(**changes)
        return replace(instance, fleet=fleet, rules=rules)
    except InstanceError:
        return None


def count_verdicts(seeds: Iterable[int]) -> Counter[str]:
    """Solve problems of few stops, print what goes wrong, count verdicts.

    The solver checks each answer itself: a broken rule raises.
    """
    verdicts: Counter[str] = Counter()
    for seed in seeds:
        data = full_problem(seed, num_clients=3)
        plain = from_problem_data(data)
        instance = with_rules(plain, seed)
        if plain.num_customers > MOST_STOPS or instance is None:
            continue
        optimum = cheapest_full_plan(instance)
        try:
            stop = nr.MaxIterations(ITERATIONS)
            cost = nr.solve(instance, stop=stop, time_limit=5.0).cost
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


def test_search_finds_the_cheapest_plans_that_keep_rules() -> None:
    """Nothing is refused that has a plan, and 98 of 100 are the best."""
    verdicts = count_verdicts(range(NUM_PROBLEMS))
    assert not {"false refusal", "too cheap"} & verdicts.keys()
    assert verdicts["optimal"] > 15
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
