"""The genetic search as it is called."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import MaxIterations, TargetCost
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing import ruin_recreate
from ncc_routing.vrp.polishing.genetic import _evolution_kernels
from ncc_routing.vrp.polishing.genetic.search import (
    GeneticSearch,
    annealed_share,
    evolve_solutions,
)
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from tests.brute_force import cheapest_plan

PLAIN = generate_uchoa(60, 6, demands="1-10", route_length=6.0)


def with_matrix(instance: Instance) -> Instance:
    """Return an instance of distances alone."""
    nodes = np.arange(instance.num_customers + 1)
    matrix = instance.distances(nodes, nodes)
    return replace(instance, coords=None, matrix=matrix)


@pytest.mark.parametrize(
    "instance",
    [PLAIN, replace(PLAIN, rounding="none"), with_matrix(PLAIN)],
    ids=["rounded", "unrounded", "matrix"],
)
def test_children_get_shorter_and_repeat(instance: Instance) -> None:
    """A hundred founders and their children; the same with one seed."""
    start = solve_savings(instance, router=None)
    costs = []
    for seed in (1, 1, 2):
        one = GeneticSearch(instance, [start], seed=seed)
        one.run(MaxIterations(600))
        found = one.best()
        assert check_solution(instance, found) == []
        assert found.cost == pytest.approx(one.best_cost)
        assert one.num_children == 600
        costs.append(found.cost)
    assert costs[0] == costs[1]
    assert max(costs) < 0.995 * start.cost


def test_finds_the_best_of_small_problems() -> None:
    """Where the best routes can be counted out."""
    for seed in range(5):
        instance = generate_uchoa(7, seed, demands="1-10", route_length=3.0)
        customers = range(1, 8)
        start = Solution.from_routes(instance, [[k] for k in customers])
        one = GeneticSearch(instance, [start])
        one.run(MaxIterations(150))
        assert one.best_cost == pytest.approx(cheapest_plan(instance))


def test_a_limited_fleet_gets_no_route_more() -> None:
    """As many routes as the load needs, which a descent alone exceeds."""
    start = solve_savings(PLAIN, router=None)
    one = GeneticSearch(PLAIN, [start], max_routes=start.num_routes)
    one.run(MaxIterations(300))
    found = one.best()
    assert check_solution(PLAIN, found) == []
    assert found.num_routes <= start.num_routes


def test_a_population_that_stands_still_begins_anew() -> None:
    """Few customers are soon solved; the best solution is not lost."""
    instance = generate_uchoa(10, 6, demands="1-10", route_length=6.0)
    start = solve_savings(instance, router=None)
    one = GeneticSearch(instance, [start])
    one.run(MaxIterations(_evolution_kernels.NUM_FOUNDERS))
    before = one.best_cost
    one.run(MaxIterations(_evolution_kernels.MAX_IDLE + 5_000))
    assert one.best_cost <= before
    assert one.num_children < _evolution_kernels.MAX_IDLE
    assert check_solution(instance, one.best()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_evolves_within_the_time(jobs: int) -> None:
    """Threads share what they find."""
    start = solve_savings(PLAIN, router=None)
    deadline = Deadline(1.0)
    found = evolve_solutions(PLAIN, [start], deadline, jobs=jobs)
    assert check_solution(PLAIN, found) == []
    assert found.cost < start.cost
    assert deadline.remaining() > -0.5


def test_no_time_or_a_met_target_gives_the_start_back() -> None:
    """Nothing is tried."""
    start = solve_savings(PLAIN, router=None)
    assert evolve_solutions(PLAIN, [start], Deadline(0.0)) is start
    met = TargetCost(start.cost)
    assert evolve_solutions(PLAIN, [start], Deadline(9.0), met) is start


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (1, 10.0, 1.0),
        (100, 1.9, 1.0),
        (100, 2.0, 0.5),
        (500, 49.0, 1.0),
        (500, 50.0, 0.5),
        (1000, 199.0, 1.0),
        (1000, 200.0, 0.5),
        (1001, 600.0, 1.0),
        (100, math.inf, 1.0),
    ],
)
def test_children_take_half_of_much_time(
    num_customers: int, seconds: float, expected: float
) -> None:
    """And none of little time or where there is no limit."""
    instance = generate_uchoa(num_customers, 1, route_length=5.0)
    assert annealed_share(instance, seconds) == expected


@pytest.mark.parametrize(
    ("route_length", "seconds"), [(10.0, 16.0), (20.0, 8.0), (40.0, 8.0)]
)
def test_children_of_long_routes_take_less_time(
    route_length: float, seconds: float
) -> None:
    """Down to a quarter of what those with five customers take."""
    instance = generate_uchoa(400, 1, route_length=route_length)
    assert annealed_share(instance, 0.95 * seconds) == 1.0
    assert annealed_share(instance, 1.05 * seconds) == 0.5


def test_one_way_streets_have_no_children() -> None:
    """A route turned round would cost something else."""
    rng = np.random.default_rng(4)
    matrix = rng.integers(1, 100, (41, 41)).astype(float)
    np.fill_diagonal(matrix, 0.0)
    demands = np.concatenate([[0], np.ones(40, dtype=int)])
    instance = Instance("one-way", demands, 10, matrix=matrix)
    assert annealed_share(instance, 60.0) == 1.0


@pytest.mark.parametrize("limit", ["time", "iterations"])
def test_only_a_time_limit_raises_children(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Iterations go to the annealing alone."""
    calls = []

    def noted(*_: object, **settings: object) -> Solution:
        calls.append(settings)
        return start

    start = solve_savings(PLAIN, router=None)
    monkeypatch.setattr(ruin_recreate, "evolve_solutions", noted)
    if limit == "time":
        ruin_and_recreate(PLAIN, start, deadline=Deadline(0.8), seed=4)
        assert [each["seed"] for each in calls] == [4]
    else:
        ruin_and_recreate(
            PLAIN, start, deadline=Deadline(60.0), max_iterations=10
        )
        assert calls == []
