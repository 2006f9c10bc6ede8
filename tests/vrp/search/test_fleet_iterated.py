"""Tests of the iterated local search beyond the CVRP."""

from __future__ import annotations

from collections import Counter

import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_shipments,
    generate_time_windows,
)
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker
from tests.oracles.problems import SEARCHED, random_problem
from tests.robustness.support import seeds


def iterated(
    instance: nr.Instance, iterations: int, seed: int = 1
) -> nr.Solution:
    """Return the checked routes after some iterations from a first plan."""
    start = nr.solve(instance, nr.stop.MaxIterations(1), seed=seed).best
    run = Run(Budget.of(iterations=iterations), seed=seed)
    phases = (Phase(Step.ITERATE),)
    found = ruin_and_recreate(instance, start, run, phases=phases)
    assert nr.check_solution(instance, found) == []
    assert found.cost <= start.cost
    return found


@pytest.mark.parametrize(
    "instance",
    [
        generate_time_windows(60, 1),
        generate_time_windows(60, 2, "clustered", "long"),
        generate_fleet(60, 3, "limited"),
        generate_fleet(60, 4, "capacities"),
        generate_depots(60, 5),
    ],
    ids=lambda instance: instance.name,
)
def test_routes_get_shorter_by_seed(instance: nr.Instance) -> None:
    """Nothing but seed and iterations decides."""
    first = nr.solve(instance, nr.stop.MaxIterations(1), seed=1)
    found = iterated(instance, 500)
    assert found.cost < 0.95 * first.cost
    assert found == iterated(instance, 500)
    assert found != iterated(instance, 500, seed=2)


PROBLEMS = seeds(660, step=53)


def test_few_customers_are_served_at_least_cost() -> None:
    """With any features; no cost is wrong."""
    verdicts: Counter[str] = Counter()
    for seed in PROBLEMS:
        instance = random_problem(seed, SEARCHED, 5, share=0.25)
        optimum = cheapest_plan(instance)
        try:
            found = iterated(instance, 200)
        except nr.InfeasibleError:
            continue
        assert found.cost == pytest.approx(
            Checker(instance).plan_cost(found), rel=1e-12
        )
        slack = 1e-9 * abs(optimum)
        assert found.cost >= optimum - slack
        verdicts[
            "cheapest" if found.cost <= optimum + slack else "dearer"
        ] += 1
    assert verdicts["cheapest"] > 0.5 * len(PROBLEMS)
    assert verdicts["dearer"] <= 0.1 * verdicts.total()


def test_shipments_are_annealed() -> None:
    """A phase of another step is refused by name."""
    instance = generate_shipments(20, 1)
    with pytest.raises(nr.ParameterError, match="shipments"):
        iterated(instance, 10)
