"""Tests of the generalised assignment method."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.gap import place_seeds, solve_gap
from ncc_routing.vrp.construction.sweep import both_directions


def test_seeds_of_a_cross_by_hand() -> None:
    """Four equal customers, four cones: a seed at each of them."""
    instance = nr.Instance(
        "cross",
        np.array([0, 2, 2, 2, 2]),
        2,
        np.array([[5, 5], [15, 5], [5, 25], [-25, 5], [5, -35]]),
    )
    order, _ = both_directions(instance, "test")
    seeds = place_seeds(instance, order, 4)
    found = sorted(map(tuple, seeds.round(9).tolist()))
    assert found == [(-25, 5), (5, -35), (5, 25), (15, 5)]


def test_seed_radius_holds_three_quarters_of_the_demand() -> None:
    """One cone with demands 1, 1, 1, 1 at 10, 20, 30, 40: radius 30."""
    instance = nr.Instance(
        "ray",
        np.array([0, 1, 1, 1, 1]),
        4,
        np.array([[0, 0], [10, 0], [20, 0], [30, 0], [40, 0]]),
    )
    order, _ = both_directions(instance, "test")
    assert np.hypot(*place_seeds(instance, order, 1)[0]) == pytest.approx(30)


def test_gap_on_random_customers(random_instance: nr.Instance) -> None:
    """Feasible, and no more than a fifth above the plain lower bound K."""
    solution = solve_gap(random_instance, router="local-search")
    assert nr.check_solution(random_instance, solution) == []
    assert solution.num_routes <= 1.2 * random_instance.min_num_routes + 1


def test_vehicles_are_added_where_bins_do_not_pack() -> None:
    """Demands 3 and capacity 5: ceil(9 / 5) = 2 vehicles do not do."""
    instance = nr.Instance(
        "threes",
        np.array([0, 3, 3, 3]),
        5,
        np.array([[0, 0], [1, 0], [0, 1], [-1, 0]]),
    )
    solution = solve_gap(instance, router="local-search")
    assert nr.check_solution(instance, solution) == []
    assert solution.num_routes == 3


def test_many_vehicles_are_added_at_once() -> None:
    """Sixty demands above half the capacity: a vehicle each, in no time."""
    rng = np.random.default_rng(2)
    instance = nr.Instance(
        "halves",
        coords=rng.integers(0, 100, size=(61, 2)),
        demands=np.repeat([0, 51], [1, 60]),
        capacity=100,
    )
    solution = solve_gap(instance, router="local-search")
    assert nr.check_solution(instance, solution) == []
    assert solution.num_routes == 60


def test_one_vehicle_is_enough(random_instance: nr.Instance) -> None:
    """A single seed."""
    size = random_instance.num_customers
    demands = np.array([0, *np.ones(size, dtype=np.int64)])
    one = nr.Instance("one", demands, size, random_instance.coords)
    assert solve_gap(one, router="local-search").num_routes == 1


def test_without_time_all_have_a_place(random_instance: nr.Instance) -> None:
    """The assignment by regret stands."""
    solution = solve_gap(random_instance, Run(Budget.of(0.0)))
    assert nr.check_solution(random_instance, solution) == []


def test_large_problems_go_without_highs() -> None:
    """Too many variables, and too many pairs for all distances."""
    instance = generate_uchoa(5000, 1, route_length=6.0)
    assert 5000 * instance.min_num_routes > 4_000_000
    solution = solve_gap(instance, router="local-search")
    assert nr.check_solution(instance, solution) == []
