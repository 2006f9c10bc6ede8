"""The cheapest plan of all, against every plan written down."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.oracles.brute_force import cheapest_plan, cheapest_route
from tests.oracles.problems import random_problem


def least_of_all(instance: nr.Instance) -> float:
    """Return the least cost of the plans that pass the check."""
    count = instance.num_customers
    kinds = range(len(instance.vehicle_types))
    best = math.inf
    for order in permutations(range(1, count + 1)):
        for cuts in product([False, True], repeat=count - 1):
            places = np.flatnonzero(cuts) + 1
            routes = [part.tolist() for part in np.split(order, places)]
            for types in product(kinds, repeat=len(routes)):
                plan = nr.Solution.from_routes(instance, routes, types)
                if plan.cost < best and not nr.check_solution(instance, plan):
                    best = plan.cost
    return best


def test_it_is_the_least_of_all_plans() -> None:
    """Of a third of the combinations of features, up to three customers."""
    num_infeasible = 0
    for seed in range(0, 256, 3):
        instance = from_problem_data(random_problem(seed, 3))
        cheapest = cheapest_plan(instance)
        assert cheapest == least_of_all(instance), seed
        num_infeasible += math.isinf(cheapest)
    assert 3 < num_infeasible < 40


def test_waiting_costs_what_the_shortest_duration_says() -> None:
    """Customer 1 opens at 50, 2 closes at 30, and all ways are 10 or 20."""
    instance = nr.Instance(
        "two",
        np.array([0, 1, 1]),
        2,
        coords=np.array([[0, 0], [10, 0], [20, 0]]),
        fleet=nr.Fleet(
            (
                nr.VehicleType(
                    capacity=2,
                    num_available=1,
                    fixed_cost=7,
                    unit_distance_cost=1,
                    unit_duration_cost=3,
                ),
            )
        ),
        windows=nr.TimeWindows.of(
            3, tw_early=[0, 50, 0], tw_late=[90, 60, 30]
        ),
    )
    assert cheapest_route(instance, (1,), 0) == 7 + 20 + 3 * 20
    # 2 at 30, 1 at 40 and a wait until 50, back at 60: a start at 10.
    assert cheapest_route(instance, (1, 2), 0) == 7 + 40 + 3 * 50
    assert cheapest_plan(instance) == 7 + 40 + 3 * 50


def test_a_limited_fleet_limits_the_plans() -> None:
    """Two customers of 3 on a vehicle of 3 each; the cheap one is alone."""
    types = (
        nr.VehicleType(capacity=3, num_available=1, fixed_cost=5),
        nr.VehicleType(capacity=3, num_available=1, fixed_cost=50),
    )
    instance = nr.Instance(
        "two",
        np.array([0, 3, 3]),
        3,
        coords=np.array([[0, 0], [4, 0], [0, 6]]),
        fleet=nr.Fleet(types),
    )
    assert cheapest_plan(instance) == 5 + 50 + 8 + 12
    few = nr.Instance(
        "two",
        np.array([0, 3, 3]),
        3,
        coords=np.array([[0, 0], [4, 0], [0, 6]]),
        fleet=nr.Fleet(types[:1]),
    )
    assert math.isinf(cheapest_plan(few))
