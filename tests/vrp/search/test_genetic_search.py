"""The genetic search as it is called."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ncc_routing as nr
from ncc_routing._core import genetic as kernels
from ncc_routing.core.budget import Budget
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.run import Run
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.genetic.search import (
    GeneticSearch,
    evolve_solutions,
)
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.brute_force import cheapest_plan
from tests.vrp.search.calls import one_by_one, with_matrix
from tests.vrp.search.test_genetic_local_search import problem_of

PLAIN = nr.generate_uchoa(60, 6, demands="1-10", route_length=6.0)


@pytest.mark.parametrize(
    "instance",
    [PLAIN, replace(PLAIN, rounding="none"), with_matrix(PLAIN)],
    ids=["rounded", "unrounded", "matrix"],
)
def test_offspring_get_shorter_and_repeat(instance: nr.Instance) -> None:
    """A hundred founders and their offspring; the same with one seed."""
    start = solve_savings(instance, router=None)
    costs = []
    for seed in (1, 1, 2):
        one = GeneticSearch(instance, [start], seed=seed)
        one.evolve(nr.MaxIterations(600))
        found = one.best()
        assert nr.check_solution(instance, found) == []
        assert found.cost == pytest.approx(one.best_cost)
        assert one.num_offspring == 600
        costs.append(found.cost)
    assert costs[0] == costs[1]
    assert max(costs) < 0.995 * start.cost


def test_finds_the_best_of_small_problems() -> None:
    """Where the best routes can be counted out."""
    for seed in range(5):
        instance = nr.generate_uchoa(7, seed, demands="1-10", route_length=3.0)
        one = GeneticSearch(instance, [one_by_one(instance)])
        one.evolve(nr.MaxIterations(150))
        assert one.best_cost == pytest.approx(cheapest_plan(instance))


def test_a_limited_fleet_gets_no_route_more() -> None:
    """As many routes as the load needs, which a descent alone exceeds."""
    start = solve_savings(PLAIN, router=None)
    one = GeneticSearch(PLAIN, [start], max_routes=start.num_routes)
    one.evolve(nr.MaxIterations(300))
    found = one.best()
    assert nr.check_solution(PLAIN, found) == []
    assert found.num_routes <= start.num_routes


def test_a_population_that_stands_still_begins_anew() -> None:
    """Few customers are soon solved; the best solution is not lost."""
    instance = nr.generate_uchoa(10, 6, demands="1-10", route_length=6.0)
    one = kernels.GeneticSearch(
        problem_of(instance),
        max_routes=5,
        penalty=10.0,
        seed=1,
        params=kernels.Params(max_idle=400),
    )
    one.evolve(300)
    before = one.population.best_length
    assert one.num_offspring == 300
    one.evolve(700)
    assert one.num_offspring < 700
    assert one.population.best_length <= before
    found = nr.Solution.from_routes(instance, one.population.best_routes())
    assert nr.check_solution(instance, found) == []
    assert found.cost == one.population.best_length


@pytest.mark.parametrize("jobs", [1, 2])
def test_evolves_within_the_time(jobs: int) -> None:
    """Threads share what they find."""
    start = solve_savings(PLAIN, router=None)
    deadline = Deadline(1.0)
    found = evolve_solutions(PLAIN, [start], Run(Budget(deadline), jobs=jobs))
    assert nr.check_solution(PLAIN, found) == []
    assert found.cost < start.cost
    assert deadline.remaining() > -0.5


def test_no_time_or_a_met_target_gives_the_start_back() -> None:
    """Nothing is tried."""
    start = solve_savings(PLAIN, router=None)
    assert evolve_solutions(PLAIN, [start], Run(Budget.of(0.0))) is start
    met = nr.TargetCost(start.cost)
    assert (
        evolve_solutions(PLAIN, [start], Run(Budget(Deadline(9.0), met)))
        is start
    )


def test_iterations_go_to_the_annealing_alone() -> None:
    """A minute for ten of them is not used up."""
    start = solve_savings(PLAIN, router=None)
    deadline = Deadline(60.0)
    ruin_and_recreate(
        PLAIN, start, Run(Budget(deadline, nr.MaxIterations(10)))
    )
    assert deadline.remaining() > 30.0
