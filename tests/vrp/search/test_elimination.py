"""Tests of the elimination of routes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.events import Callbacks, Monitor, Progress
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
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

ELIMINATE = (Phase(Step.ELIMINATE, progress=(0.3, 1.0)),)


def eliminated(
    instance: nr.Instance, start: nr.Solution, iterations: int = 10**6
) -> nr.Solution:
    """Return the checked routes after an elimination."""
    run = Run(Budget.of(iterations=iterations))
    found = ruin_and_recreate(instance, start, run, phases=ELIMINATE)
    assert nr.check_solution(instance, found) == []
    assert found.cost <= start.cost
    return found


def dear_plan(instance: nr.Instance) -> nr.Solution:
    """Return a vehicle for each customer, or a first plan."""
    routes, types = [], []
    for customer in range(1, instance.num_customers + 1):
        for number in range(len(instance.vehicle_types)):
            plan = nr.Solution.from_routes(instance, [[customer]], [number])
            kinds = {one.kind for one in nr.check_solution(instance, plan)}
            if kinds <= {"missing"}:
                routes.append([customer])
                types.append(number)
                break
    plan = nr.Solution.from_routes(instance, routes, types)
    if nr.check_solution(instance, plan):
        plan = nr.solve(instance, nr.stop.MaxIterations(1), seed=1).best
    return plan


def clusters_on_a_line(num_clusters: int) -> nr.Instance:
    """Return clusters behind each other, whose vehicles are not full.

    Each one is served within an hour of its own, the middle one at any time.
    """
    size = 4
    places = np.repeat(100 + 10 * np.arange(num_clusters), size)
    coords = np.column_stack([places, np.tile(np.arange(size), num_clusters)])
    opens = 60 * np.repeat(np.arange(num_clusters), size)
    middle = np.repeat(np.arange(num_clusters), size) == num_clusters // 2
    horizon = 60 * num_clusters + 1000
    return nr.Instance(
        "line",
        np.append(0, np.full(len(places), 10)),
        capacity=50,
        coords=np.vstack([[0.0, 0.0], coords]),
        windows=nr.TimeWindows.of(
            len(places) + 1,
            tw_early=np.append(0, np.where(middle, 0, 150 + opens)),
            tw_late=np.append(horizon, np.where(middle, horizon, 210 + opens)),
        ),
    )


def test_a_cluster_is_served_by_vehicles_that_pass() -> None:
    """Each has room for one of its customers."""
    instance = clusters_on_a_line(5)
    first = np.arange(1, 21).reshape(5, 4)
    start = nr.Solution.from_routes(instance, [[*row] for row in first])
    assert nr.check_solution(instance, start) == []
    found = eliminated(instance, start)
    assert (start.num_routes, found.num_routes) == (5, 4)
    assert found.cost < 0.9 * start.cost
    assert found == eliminated(instance, start)


@pytest.mark.parametrize(
    "instance",
    [
        generate_time_windows(60, 1),
        generate_fleet(60, 3, "costs"),
        generate_fleet(60, 4, "capacities"),
        generate_depots(40, 5),
    ],
    ids=lambda instance: instance.name,
)
def test_other_routes_cost_less(instance: nr.Instance) -> None:
    """Whatever the vehicles."""
    start = dear_plan(instance)
    found = eliminated(instance, start)
    assert found.cost < start.cost
    assert found.num_routes < start.num_routes


PROBLEMS = seeds(330, step=11)


def test_few_customers_cost_what_the_checker_says() -> None:
    """With any features; nothing becomes dearer, or cheaper than any plan."""
    verdicts: Counter[str] = Counter()
    for seed in PROBLEMS:
        instance = random_problem(seed, SEARCHED, 5, share=0.25)
        try:
            start = dear_plan(instance)
            found = eliminated(instance, start)
        except (nr.InfeasibleError, nr.ParameterError) as error:
            verdicts[type(error).__name__] += 1
            continue
        assert found.cost == pytest.approx(
            Checker(instance).plan_cost(found), rel=1e-12
        )
        optimum = cheapest_plan(instance)
        assert found.cost >= optimum - 1e-9 * abs(optimum)
        verdicts["better" if found.cost < start.cost else "same"] += 1
    assert verdicts["better"] > 0
    assert verdicts["same"] > 0


@pytest.mark.parametrize(
    ("instance", "text"),
    [
        (generate_shipments(20, 1), "takes shipments"),
        (generate_uchoa(20, 1), "no plain CVRP"),
    ],
)
def test_other_problems_are_refused(instance: nr.Instance, text: str) -> None:
    """By name."""
    start = nr.solve(instance, nr.stop.MaxIterations(1), seed=1).best
    with pytest.raises(nr.ParameterError, match=text):
        eliminated(instance, start)


def test_jobs_eliminate_in_parts() -> None:
    """Each among its own routes; the plan is as feasible."""
    instance = generate_time_windows(200, 3)
    start = nr.solve(instance, nr.stop.MaxIterations(1), seed=1).best
    run = Run(Budget.of(seconds=20.0), jobs=2)
    found = ruin_and_recreate(instance, start, run, phases=ELIMINATE)
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost


class Counted(Callbacks):
    """Keeps the last count of iterations."""

    iterations = 0

    def on_progress(self, progress: Progress) -> None:
        """Keep it."""
        self.iterations = progress.iterations


@pytest.mark.parametrize("iterations", [10, 1000])
def test_iterations_are_limited_and_told(iterations: int) -> None:
    """An attempt ends with them."""
    instance = generate_time_windows(60, 1)
    start = dear_plan(instance)
    budget, told = Budget.of(iterations=iterations), Counted()
    run = Run(budget, monitor=Monitor(budget.time_limit, (told,)))
    ruin_and_recreate(instance, start, run.watched(), phases=ELIMINATE)
    assert told.iterations == iterations
