"""Tests of the iterated local search."""

from __future__ import annotations

import itertools

import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.oracles.brute_force import cheapest_plan
from tests.vrp.search.calls import one_by_one, one_way, with_matrix

ITERATE = (Phase(Step.ITERATE),)


def iterated(
    instance: nr.Instance, iterations: int, *, seed: int = 1, jobs: int = 1
) -> nr.Solution:
    """Return the checked routes after some iterations from single trips."""
    run = Run(Budget.of(iterations=iterations), seed=seed, jobs=jobs)
    start = one_by_one(instance)
    found = ruin_and_recreate(instance, start, run, phases=ITERATE)
    assert nr.check_solution(instance, found) == []
    assert found.cost <= start.cost
    return found


def test_seed_and_jobs_decide() -> None:
    """Under an iteration limit nothing else does."""
    instance = generate_uchoa(120, 4, demands="1-100", route_length=7)
    first, again, other = (iterated(instance, 150, seed=s) for s in (3, 3, 4))
    assert first == again
    assert first != other
    pair = [iterated(instance, 150, seed=3, jobs=2) for _ in range(2)]
    assert pair[0] == pair[1]


@pytest.mark.parametrize("kind", ["coordinates", "matrix", "one-way"])
def test_few_customers_are_served_at_least_cost(kind: str) -> None:
    """Of 70 problems all but two at most; none costs less than it can."""
    num_missed = 0
    for size, seed in itertools.product(range(1, 8), range(10)):
        instance = generate_uchoa(size, seed, route_length=2.5)
        if kind == "matrix":
            instance = with_matrix(instance)
        if kind == "one-way":
            instance = one_way(seed, size, 16)
        excess = iterated(instance, 200).cost - cheapest_plan(instance)
        assert excess > -1e-6
        num_missed += excess > 1e-6
    assert num_missed <= 2


def test_lengths_kept_and_computed_are_the_same() -> None:
    """Above 3,000 places lengths are computed; a few iterations suffice."""
    instance = generate_uchoa(3100, 5, route_length=12)
    found = iterated(instance, 20)
    assert found.cost < 0.5 * one_by_one(instance).cost
