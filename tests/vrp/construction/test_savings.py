"""Tests of the savings method."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from tests.vrp.search.calls import one_way

if TYPE_CHECKING:
    from pathlib import Path

# Costs and routes of VeRyPy's parallel savings, paper's metric.
PUBLISHED = {
    "X-n101-k25": (28.9420, 28),
    "X-n106-k14": (27.2758, 14),
    "X-n110-k13": (15.8650, 13),
    "X-n219-k73": (118.3688, 73),
}


def plain_savings(instance: nr.Instance) -> float:
    """Return the cost of directed parallel savings on lists of routes."""
    nodes = range(1, instance.num_customers + 1)
    cost = instance.distances([0, *nodes], [0, *nodes])
    routes = [[i] for i in nodes]
    links = sorted(
        (
            (-(cost[i, 0] + cost[0, j] - cost[i, j]), i, j)
            for i, j in product(nodes, nodes)
            if i != j
        )
    )
    for saving, i, j in links:
        first = next((r for r in routes if r[-1] == i), None)
        second = next((r for r in routes if r[0] == j), None)
        if saving > 0 or first is None or second is None or first is second:
            continue
        if instance.demands[first + second].sum() <= instance.capacity:
            routes.remove(second)
            first += second
    return sum(map(instance.route_cost, routes))


def test_two_pairs_by_hand() -> None:
    """Savings 2 * 10 within each pair, none across: two routes of 22."""
    instance = nr.Instance(
        "pairs",
        np.array([0, 1, 1, 1, 1]),
        2,
        np.array([[0, 0], [10, 0], [10, 2], [-10, 0], [-10, 2]]),
    )
    solution = solve_savings(instance, shapes=(1.0,), router=None)
    assert nr.check_solution(instance, solution) == []
    assert {frozenset(route) for route in solution.routes} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }
    assert solution.cost == 2 * (10 + 2 + 10)


def test_routes_are_joined_at_any_ends() -> None:
    """On a line, 3 2 and 1 come together from the far end inwards."""
    instance = nr.Instance(
        "line",
        np.array([0, 1, 1, 1, 1]),
        3,
        np.array([[0, 0], [1, 0], [2, 0], [3, 0], [-4, 0]]),
    )
    solution = solve_savings(instance, shapes=(1.0,), router=None)
    assert nr.check_solution(instance, solution) == []
    assert solution.cost == 6 + 8


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_savings(data_dir: Path, name: str) -> None:
    """The plain method meets an independent implementation."""
    instance = nr.read(data_dir / "cvrp" / "X" / f"{name}.vrp", metric="paper")
    solution = solve_savings(instance, shapes=(1.0,), router=None)
    cost, num_routes = PUBLISHED[name]
    assert nr.check_solution(instance, solution) == []
    assert solution.num_routes == num_routes
    assert solution.cost == pytest.approx(cost, abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_asymmetric_distances_are_not_turned_around(seed: int) -> None:
    """Directed links on a random matrix: as lists of routes merge them."""
    instance = one_way(seed, 24, 30)
    solution = solve_savings(instance, shapes=(1.0,), router=None)
    assert nr.check_solution(instance, solution) == []
    assert solution.cost == pytest.approx(plain_savings(instance))


@pytest.mark.parametrize("num", [1, 2, 5, 20])
def test_short_lists_end_in_all_pairs_of_ends(num: int) -> None:
    """Far-apart ends are merged too: no two routes could still be joined."""
    instance = generate_uchoa(150, 1, route_length=9.0)
    solution = solve_savings(
        instance, num_neighbours=num, shapes=(1.0,), router=None
    )
    assert nr.check_solution(instance, solution) == []
    loads = sorted(instance.demands[list(r)].sum() for r in solution.routes)
    assert loads[0] + loads[1] > instance.capacity


def test_more_shapes_do_not_hurt(random_instance: nr.Instance) -> None:
    """The default is no worse than the method of 1964."""
    plain = solve_savings(random_instance, shapes=(1.0,), router=None)
    best = solve_savings(random_instance, router="local-search")
    assert nr.check_solution(random_instance, best) == []
    assert best.cost <= plain.cost


def test_deadline_leaves_one_shape(random_instance: nr.Instance) -> None:
    """With no time left: the routes of shape 1, shortened if they can be."""
    plain = solve_savings(random_instance, shapes=(1.0,), router=None)
    solution = solve_savings(random_instance, Run(Budget.of(0.0)))
    assert nr.check_solution(random_instance, solution) == []
    assert set(map(frozenset, solution.routes)) == set(
        map(frozenset, plain.routes)
    )
