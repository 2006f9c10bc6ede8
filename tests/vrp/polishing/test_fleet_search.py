"""Tests of the search for fleets, several depots and time windows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from ncc_routing.vrp.polishing.fleets._path_kernels import path_cost
from ncc_routing.vrp.polishing.fleets._route_kernels import (
    insertion_cost,
    refresh,
)

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.polishing._layout import BEST_COST, COST, NUM_FREE
from ncc_routing.vrp.polishing.fleets.limits import keep_to_fleet
from ncc_routing.vrp.polishing.fleets.search import RichSearch, anneal_fleet
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.pyvrp_adapter import from_problem_data
from tests.brute_force import cheapest_plan
from tests.random_problems import random_problem
from tests.vrp.polishing.calls import call

PARAMS = RuinRecreateParams()

NUM_PROBLEMS = 256
"""Random problems: each combination of features once."""


def generated() -> list[nr.Instance]:
    """Return an instance of each kind."""
    return [
        generate_time_windows(60, 1),
        generate_time_windows(60, 2, "clustered", "long"),
        generate_fleet(60, 3, "limited"),
        generate_fleet(60, 4, "costs"),
        generate_depots(60, 5),
    ]


def planned(instance: nr.Instance, iterations: int = 2_000) -> nr.Solution:
    """Return a plan after a few iterations."""
    first = insert_customers(instance, 1, Deadline())
    kept = keep_to_fleet(instance, first, 1, Deadline(5.0))
    stop = nr.MaxIterations(iterations)
    return anneal_fleet(instance, kept, stop, 1, PARAMS)


def test_routes_keep_every_limit() -> None:
    """On instances of each kind; they get shorter, and the seed decides."""
    for instance in generated():
        first = insert_customers(instance, 1, Deadline())
        found = planned(instance)
        assert not nr.check_solution(instance, found)
        assert found.cost < first.cost
        assert planned(instance) == found


def test_the_state_is_that_of_its_routes() -> None:
    """Costs, times and empty routes after many changes, undone or not."""
    for instance in generated():
        search = RichSearch(instance, 1)
        search.insert_all(Deadline())
        start = search.current()
        search.load(start)
        search.run(nr.MaxIterations(3_000), start)
        assert search.num_iterations == 3_000
        state, problem = search.state, search.space.problem
        assert state.costs[COST] == pytest.approx(search.current().cost)
        assert state.costs[BEST_COST] == pytest.approx(search.best().cost)
        sizes = state.routes["size"][:-1]
        assert state.counts[NUM_FREE] == (sizes == 0).sum()
        for route in np.flatnonzero(sizes):
            members = np.flatnonzero(state.route_of == route)
            assert len(members) == sizes[route] + 1  # the depot as well
        times = state.nodes[["ready", "latest"]].copy()
        costs = state.routes["cost"].copy()
        for number in range(len(state.free)):
            call(refresh, problem, state, number)
        size = len(problem.demands)
        if problem.is_timed:
            found = state.nodes[["ready", "latest"]][1:size]
            assert (times[1:size] == found).all()
        assert state.routes["cost"] == pytest.approx(costs)


def test_an_insertion_costs_what_the_longer_route_costs_more() -> None:
    """Judged in O(1), or refused where the longer route is infeasible."""
    num_feasible = num_refused = 0
    for seed in range(NUM_PROBLEMS):
        instance = from_problem_data(random_problem(seed, 6))
        if instance.num_customers < 2:
            continue
        space = RichSearch(instance, 1).space
        problem = space.problem
        *route, customer = range(1, instance.num_customers + 1)
        path = np.array(route, dtype=np.uint32)
        kind = int(problem.type_of[0])
        old = call(path_cost, problem, path, len(path), kind)
        if math.isinf(old):
            continue
        solution = nr.Solution.from_routes(instance, [route], [kind])
        state = space.load(space.pack(solution), 1, [1])
        for spot in range(len(route) + 1):
            before = route[spot - 1] if spot else len(problem.demands)
            longer = np.insert(path, spot, customer)
            new = call(path_cost, problem, longer, len(longer), kind)
            if (
                state.loads[0] + problem.demands[customer]
                > (problem.capacities[0])
            ):
                continue
            found = call(
                insertion_cost, problem, state, customer, before, np.inf
            )
            assert found == pytest.approx(new - old), (seed, spot)
            num_feasible += not math.isinf(new)
            num_refused += math.isinf(new)
    assert min(num_feasible, num_refused) > 50


def test_paths_cost_what_their_schedules_say() -> None:
    """Random routes of random problems; infinite where they break a limit."""
    rng = np.random.default_rng(1)
    num_feasible = 0
    for seed in range(NUM_PROBLEMS):
        instance = from_problem_data(random_problem(seed, 6))
        space = RichSearch(instance, 1).space
        problem = space.problem
        order = rng.permutation(instance.num_customers) + 1
        route = order[: rng.integers(1, len(order) + 1)].astype(np.uint32)
        for kind in range(len(instance.vehicle_types)):
            found = call(path_cost, problem, route, len(route), kind)
            solution = nr.Solution.from_routes(instance, [route], [kind])
            broken = {v.kind for v in nr.check_solution(instance, solution)}
            if broken - {"missing"}:
                assert math.isinf(found), seed
            else:
                assert space.breaks_ties or found == solution.cost, seed
                num_feasible += 1
    assert num_feasible > NUM_PROBLEMS / 4


def test_a_route_that_a_removal_makes_late_is_not_kept() -> None:
    """The way back from customer 1 is short by way of the others alone."""
    instance = from_problem_data(random_problem(225, 5))
    found = planned(instance)
    assert not nr.check_solution(instance, found)
    assert found.cost == cheapest_plan(instance)


def test_a_fleet_too_large_is_cut_down() -> None:
    """Savings take more vehicles than are needed; the fleet has the least."""
    plain = nr.generate_uchoa(60, 3, demands="50-100", route_length=4.0)
    singles = [(customer,) for customer in range(1, 61)]
    count = plain.min_num_routes + 1
    fleet = nr.Fleet((nr.VehicleType(plain.capacity, count),))
    instance = replace(plain, fleet=fleet)
    start = nr.Solution.from_routes(instance, singles)
    kept = keep_to_fleet(instance, start, 1, Deadline(20.0))
    assert not nr.check_solution(instance, kept)
    assert kept.num_routes <= count


def test_a_plan_that_fits_comes_back_as_it_is() -> None:
    """Nothing is done where nothing has to be."""
    instance = generate_fleet(30, 1, "limited")
    found = planned(instance)
    assert keep_to_fleet(instance, found, 1, Deadline(0.0)) is found


def test_customers_who_have_a_place_together_alone_get_it() -> None:
    """To 1 and on to 2 and back is short; any other way is too long."""
    matrix = np.array([[0, 10, 40], [40, 0, 5], [10, 40, 0]])
    instance = nr.Instance(
        "round",
        np.array([0, 1, 1]),
        2,
        matrix=matrix,
        fleet=nr.Fleet((nr.VehicleType(2, max_distance=30),)),
    )
    found = planned(instance)
    assert found.routes == ((1, 2),)
    assert found.cost == 25


def test_placing_needs_no_more_than_the_absent() -> None:
    """Without an absent customer nothing happens."""
    instance = generate_time_windows(20, 1)
    search = RichSearch(instance, 1)
    search.insert_all(Deadline())
    search.place_absent(Deadline())
    assert search.num_iterations == 1  # the insertion


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_limited_fleet_of_a_cvrp_is_kept(jobs: int) -> None:
    """The plain search opens no route beyond it, restarts included."""
    plain = nr.generate_uchoa(120, 3, route_length=5.0)
    wide = ruin_and_recreate(
        plain, insert_customers(plain, 1, Deadline()), max_iterations=5_000
    )
    least = plain.min_num_routes
    fleet = nr.Fleet((nr.VehicleType(plain.capacity, max(least, 25)),))
    instance = replace(plain, fleet=fleet)
    start = keep_to_fleet(instance, wide, 1, Deadline(20.0))
    found = ruin_and_recreate(
        instance, start, deadline=Deadline(1.0), jobs=jobs
    )
    assert not nr.check_solution(instance, found)
    assert found.cost <= start.cost


def test_routes_that_a_limited_fleet_has_to_spare_are_opened() -> None:
    """Three customers in as many directions, one route given, three there."""
    coords = np.array([[0, 0], [0, 9], [9, 0], [-9, 0], [0, -9]])
    matrix = np.full((5, 5), 20.0)
    matrix[0, :] = matrix[:, 0] = 1.0
    np.fill_diagonal(matrix, 0.0)
    instance = nr.Instance(
        "star",
        np.array([0, 1, 1, 1, 1]),
        4,
        coords,
        matrix=matrix,
        fleet=nr.Fleet((nr.VehicleType(4, 3),)),
    )
    start = nr.Solution.from_routes(instance, [(1, 2, 3, 4)])
    found = ruin_and_recreate(instance, start, max_iterations=500)
    assert found.num_routes == 3
    assert found.cost == 2 + 2 + 22
