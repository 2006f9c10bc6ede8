"""Problems with rules of routes, against all of their plans.

``python -m tests.vrp.test_route_rules_search --count 2000`` looks at so many.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io.pyvrp_adapter import from_problem_data
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.route_rules import BegunRoute, RouteRules
from tests.vrp.test_full_problems import count_verdicts, small_problem

if TYPE_CHECKING:
    import ncc_routing as nr

NUM_PROBLEMS = 80


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
        customers = some(1, 2)
        times = np.sort(rng.integers(0, 200, 1 + len(customers))).tolist()
        known = tuple(time if draws(0.5) else None for time in times)
        departures = known if draws(0.5) else ()
        changes["begun"] = (BegunRoute(kind, customers, departures),)
    try:
        fleet = Fleet(kinds)
        rules = RouteRules(**changes)
        return replace(instance, fleet=fleet, rules=rules)
    except InstanceError:
        return None


def ruled_problem(number: int) -> nr.Instance:
    """Return a problem so small that all plans can be looked at."""
    plain = from_problem_data(small_problem(number))
    found = (with_rules(plain, seed) for seed in count(number, 100_000))
    return next(each for each in found if each is not None)


def test_search_finds_the_cheapest_plans_that_keep_rules() -> None:
    """Nothing is refused that has a plan, and 98 of 100 are the best."""
    verdicts = count_verdicts(range(NUM_PROBLEMS), ruled_problem)
    assert not {"false refusal", "too cheap"} & verdicts.keys()
    assert verdicts["optimal"] > 15
    assert verdicts["dearer"] <= 0.02 * verdicts.total()


def main() -> None:
    """Look at as many problems as wanted, and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=NUM_PROBLEMS)
    numbers = range(parser.parse_args().count)
    for name, number in count_verdicts(numbers, ruled_problem).items():
        print(f"{name}: {number}")


if __name__ == "__main__":
    main()
