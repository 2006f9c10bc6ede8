"""Tests of the search by PyVRP: its start, its end, and its parts."""

from __future__ import annotations

import itertools
import logging
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.routes.simplification import (
    simplify,
    without_forbidden_arcs,
)
from ncc_routing.pyvrp import adapter
from ncc_routing.pyvrp.search import NUM_ROUNDS, improve_pyvrp
from ncc_routing.stop import TimeLimit
from tests.oracles.problems import FLEETS, PARTS, random_problem
from tests.vrp.search.calls import one_by_one


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return forty customers of the X family."""
    return generate_uchoa(40, 3, demands="1-100", route_length=6)


@pytest.fixture(scope="module")
def start(instance: nr.Instance) -> nr.Solution:
    """Return the poor solution with a route for each customer."""
    return one_by_one(instance)


def test_improves_a_start(instance: nr.Instance, start: nr.Solution) -> None:
    """No iteration gives it back; a seed and a number decide the answer."""
    none, good, again = (
        improve_pyvrp(
            instance, start, Run(Budget.of(iterations=number), seed=1)
        )
        for number in (0, 300, 300)
    )
    assert none == start
    assert good == again
    assert good.cost < start.cost
    assert nr.check_solution(instance, good) == []
    for seed in range(3):
        once = improve_pyvrp(
            instance, good, Run(Budget.of(iterations=1), seed=seed)
        )
        assert once.cost <= good.cost


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["savings", "sweep"])
def test_begins_in_the_better_local_optimum(method: str, seed: int) -> None:
    """It is that of the start, or PyVRP's own start."""
    instance = generate_uchoa(60, seed, route_length=6)
    data = adapter.to_problem_data(instance)
    none = pyvrp.stop.MaxIterations(0)
    cold = pyvrp.solve(data, none, seed=1).best.distance()
    given = nr.solve(instance, method=method, polish="none").best
    run = Run(Budget.of(iterations=1), seed=1)
    best = improve_pyvrp(instance, given, run, tries_own_start=True)
    own = improve_pyvrp(instance, given, run)
    assert best.cost <= cold
    assert own.cost < given.cost
    kind = nr.VehicleType(
        capacity=instance.capacity, num_available=given.num_routes
    )
    limited = replace(instance, fleet=nr.Fleet((kind,)))
    found = improve_pyvrp(limited, given, run, tries_own_start=True)
    assert nr.check_solution(limited, found) == []
    assert found.cost < given.cost


def test_criteria_hear_our_costs(
    instance: nr.Instance, start: nr.Solution
) -> None:
    """PyVRP sees scaled integers; targets and answers have the true cost."""
    unrounded = replace(
        instance, coords=instance.require_coords("") / 1000, rounding="none"
    )
    poor = nr.Solution.from_routes(unrounded, start.routes)
    target, most = (
        nr.stop.TargetCost(0.9 * poor.cost),
        nr.stop.MaxIterations(500),
    )
    near, far = (
        improve_pyvrp(unrounded, poor, Run(Budget(stop=stop)))
        for stop in (nr.stop.first_of(most, target), most)
    )
    assert far.cost < near.cost <= 0.9 * poor.cost < 100
    assert nr.check_solution(unrounded, far) == []
    idle = nr.stop.NoImprovement(20)
    assert (
        improve_pyvrp(instance, start, Run(Budget(stop=idle), seed=1)) != start
    )


def test_needs_a_limit(instance: nr.Instance, start: nr.Solution) -> None:
    """PyVRP would run for ever."""
    with pytest.raises(nr.ParameterError, match="time limit or a number"):
        improve_pyvrp(instance, start, Run(seed=1))


def test_no_time_to_set_up(
    instance: nr.Instance, start: nr.Solution, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the set-up would overrun the deadline it is not begun."""
    deadline = TimeLimit(1e-4, clock=lambda: 0.0)
    with caplog.at_level(logging.INFO):
        assert (
            improve_pyvrp(instance, start, Run(Budget(deadline), seed=1))
            is start
        )
    assert "no time left to set PyVRP up for 41 nodes" in caplog.text


@pytest.mark.parametrize(
    ("seconds", "improves"), [(1, False), (4, False), (6, False), (99, True)]
)
def test_set_up_and_first_search_need_time(
    instance: nr.Instance, start: nr.Solution, seconds: float, improves: bool
) -> None:
    """Each look at the clock takes a second: none is left for the search."""
    ticks = itertools.count()
    deadline = TimeLimit(seconds, clock=lambda: float(next(ticks)))
    found = improve_pyvrp(instance, start, Run(Budget(deadline), seed=1))
    assert (found.cost < start.cost) == improves


@pytest.fixture
def cut_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the customers of each problem that PyVRP gets."""
    sizes = []
    real = adapter.to_problem_data

    def recorded(instance: nr.Instance) -> adapter.pyvrp.ProblemData:
        sizes.append(instance.num_customers)
        return real(instance)

    monkeypatch.setattr(adapter, "to_problem_data", recorded)
    return sizes


@pytest.mark.parametrize(
    ("max_whole", "is_cut"), [(39, True), (40, False), (None, False)]
)
def test_large_problems_are_cut(
    instance: nr.Instance,
    start: nr.Solution,
    cut_sizes: list[int],
    max_whole: int | None,
    is_cut: bool,
) -> None:
    """PyVRP sees no more than a part of those beyond a size; seeds decide."""
    sizes: dict[str, Any] = {}
    if max_whole is not None:
        sizes["max_whole"] = max_whole
    run = Run(Budget.of(iterations=400), seed=1)
    found, again = (
        improve_pyvrp(instance, start, run, **sizes, part_size=10)
        for _ in range(2)
    )
    assert found == again
    assert found.cost < start.cost
    assert nr.check_solution(instance, found) == []
    assert (max(cut_sizes) < 20) == is_cut
    if is_cut:
        # Four parts a round, other ones in each of five rounds.
        assert len(cut_sizes) == 2 * 4 * NUM_ROUNDS
        better = improve_pyvrp(instance, found, run, max_whole=0, part_size=10)
        assert better.cost <= found.cost


def test_parts_keep_to_the_clock_and_to_criteria(
    instance: nr.Instance, start: nr.Solution
) -> None:
    """Time, a target, and both at once; without time nothing happens."""
    found = improve_pyvrp(
        instance, start, Run(Budget.of(0.5)), max_whole=0, part_size=10
    )
    assert found.cost < start.cost
    target = nr.stop.TargetCost(0.7 * start.cost)
    most = Budget(stop=nr.stop.first_of(nr.stop.MaxIterations(2000), target))
    near, far = (
        improve_pyvrp(instance, start, Run(own), max_whole=0, part_size=10)
        for own in (most, Budget.of(iterations=2000))
    )
    assert far.cost < near.cost <= 0.7 * start.cost
    frozen = Budget(TimeLimit(1e-6, clock=lambda: 0.0))
    assert (
        improve_pyvrp(instance, start, Run(frozen), max_whole=0, part_size=10)
        is start
    )


def test_parts_in_processes(instance: nr.Instance, start: nr.Solution) -> None:
    """Several jobs find good routes as well, by criteria that stay here."""
    asked: list[float] = []

    def listen(cost: float) -> bool:
        asked.append(cost)
        return False

    budget = Budget(stop=nr.stop.first_of(nr.stop.MaxIterations(200), listen))
    found = improve_pyvrp(
        instance, start, Run(budget, jobs=2), max_whole=0, part_size=10
    )
    assert found.cost < start.cost
    assert nr.check_solution(instance, found) == []
    assert len(asked) > 1


def test_parts_of_any_problem() -> None:
    """Every feature of PyVRP's goes through the parts, in any combination."""
    num_improved = 0
    for seed in range(24):
        given = random_problem(seed, FLEETS + PARTS, 24, share=0.3)
        problem = without_forbidden_arcs(simplify(given))
        try:
            poor = nr.solve(problem, polish="none", time_limit=2.0).best
        except nr.InfeasibleError:
            continue  # there is no plan to begin with
        run = Run(Budget.of(iterations=200), seed=1)
        found = improve_pyvrp(problem, poor, run, max_whole=0, part_size=6)
        assert nr.check_solution(problem, found) == [], seed
        assert found.cost <= poor.cost
        num_improved += found.cost < poor.cost
    assert num_improved > 6


def test_fractional_costs_are_refused(start: nr.Solution) -> None:
    """Before anything is cut, by name."""
    instance = nr.Instance(
        "halves",
        np.array([0, 1, 1]),
        coords=np.array([[0, 0], [3, 4], [6, 8]]),
        fleet=nr.Fleet((nr.VehicleType(capacity=2, fixed_cost=0.5),)),
    )
    run = Run(Budget.of(iterations=10))
    with pytest.raises(nr.UnsupportedProblemError, match="halves: fixed_cost"):
        improve_pyvrp(instance, start, run, max_whole=0)
