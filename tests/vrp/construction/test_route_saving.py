"""Fewer routes where little room is left."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.petal import solve_petal
from ncc_routing.vrp.construction.route_saving import save_routes


def chain_instance() -> nr.Instance:
    """Return six customers on a ray, two to a vehicle."""
    places = [0.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]
    return nr.Instance(
        "ray",
        np.array([0, 1, 1, 1, 1, 1, 1]),
        2,
        np.column_stack([places, np.zeros(7)]),
    )


def saved(instance: nr.Instance, routes: list[list[int]]) -> nr.Solution:
    """Return what becomes of routes, checked."""
    found = save_routes(
        instance, [np.array(route) for route in routes], TimeLimit()
    )
    solution = nr.Solution.from_routes(instance, found)
    assert nr.check_solution(instance, solution) == []
    return solution


def test_room_is_carried_along_a_chain() -> None:
    """No customer of a half empty route fits onto the other one's.

    The room lies on the routes of 1 and of 6: with one of them gone, two
    customers have to move. Before the cost is 102.
    """
    instance = chain_instance()
    solution = saved(instance, [[1], [2, 3], [4, 5], [6]])
    assert solution.num_routes == 3
    assert solution.cost <= 80


def test_full_routes_stay_as_they_are() -> None:
    """With the fewest routes there is nothing to save."""
    routes = [[1, 2], [3, 4], [5, 6]]
    solution = saved(chain_instance(), routes)
    assert [sorted(route) for route in solution.routes] == routes


def test_no_dearer_routes_are_taken() -> None:
    """Four customers in opposite corners are cheaper one by one."""
    matrix = np.full((5, 5), 100.0)
    matrix[0], matrix[:, 0] = 1.0, 1.0
    np.fill_diagonal(matrix, 0.0)
    instance = nr.Instance("far", np.array([0, 1, 1, 1, 1]), 4, matrix=matrix)
    assert saved(instance, [[1], [2], [3], [4]]).num_routes == 4


def test_no_time_and_too_many_customers() -> None:
    """The routes come back as they were."""
    routes = [np.array(route) for route in ([1], [2, 3], [4, 5], [6])]
    assert len(save_routes(chain_instance(), routes, TimeLimit(0.0))) == 4
    size = 2001
    demands = np.minimum(np.arange(size + 1), 1)
    large = nr.Instance("large", demands, size, np.zeros((size + 1, 2)))
    singles = list(np.arange(1, size + 1)[:, None])
    assert len(save_routes(large, singles, TimeLimit())) == size


@pytest.mark.parametrize("seed", range(4))
def test_random_routes_never_get_dearer(seed: int) -> None:
    """Every customer keeps one visit, whatever the demands."""
    instance = generate_uchoa(40, seed, route_length=5.0)
    rng = np.random.default_rng(seed)
    routes = [[c] for c in rng.permutation(np.arange(1, 41)).tolist()]
    before = nr.Solution.from_routes(instance, routes).cost
    solution = saved(instance, routes)
    assert sorted(chain(*solution.routes)) == list(range(1, 41))
    assert solution.cost <= before
    assert solution.num_routes < 40


@pytest.mark.parametrize("seed", [1, 2])
def test_petals_of_tight_instances(seed: int) -> None:
    """Full vehicles: at most a route in thirty-three more than needed."""
    instance = generate_uchoa(300, seed, demands="unitary", route_length=9.0)
    instance = replace(instance, capacity=-(-300 // instance.min_num_routes))
    fewest = instance.min_num_routes
    assert solve_petal(instance).num_routes <= np.ceil(1.03 * fewest)
