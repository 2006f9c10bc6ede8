"""The methods gap and petal against hand counts and brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa

METHODS = ["gap", "petal"]


def routed(instance: nr.Instance, method: str, **more: Any) -> nr.Result:
    """Return the checked result of a method alone."""
    params = nr.SolveParams(polish="none", router="local-search")
    result = nr.solve(instance, method=method, params=params, **more)
    assert nr.check_solution(instance, result.best) == []
    return result


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("demands", "capacity", "num_routes"),
    [
        ([3, 3, 3], 5, 3),  # ceil(9 / 5) = 2 vehicles do not do
        ([51] * 60, 100, 60),
        ([1] * 60, 60, 1),
        ([7] * 12, 7, 12),
        ([0] * 12, 7, 1),
    ],
    ids=["threes", "halves", "one", "full", "none"],
)
def test_vehicles_that_are_needed_are_taken(
    method: str, demands: list[int], capacity: int, num_routes: int
) -> None:
    """Where loads leave one number of routes, however they are packed."""
    rng = np.random.default_rng(2)
    coords = rng.integers(0, 100, (len(demands) + 1, 2))
    instance = nr.Instance("needed", np.array([0, *demands]), capacity, coords)
    assert routed(instance, method).num_routes == num_routes


def test_a_vehicle_for_each_arm_of_a_cross() -> None:
    """Two customers on each arm; the assignment mixes no arms."""
    arms = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    coords = [(0, 0), *((k * x, k * y) for x, y in arms for k in (10, 12))]
    instance = nr.Instance(
        "cross", np.array([0, *[1] * 8]), 2, np.array(coords)
    )
    assert routed(instance, "gap").cost == 4 * 24


def test_gap_needs_few_vehicles(random_instance: nr.Instance) -> None:
    """At most a fifth more than the least number, and one."""
    found = routed(random_instance, "gap")
    assert found.num_routes <= 1.2 * random_instance.min_num_routes + 1


@pytest.mark.parametrize("method", METHODS)
def test_without_time_all_have_a_place(
    random_instance: nr.Instance, method: str
) -> None:
    """The first assignment, or the petals of a sweep, stand."""
    routed(random_instance, method, time_limit=1e-6)


def test_large_problems_go_without_highs() -> None:
    """Too many variables, and too many pairs for all distances."""
    instance = generate_uchoa(5000, 1, route_length=6.0)
    assert 5000 * instance.min_num_routes > 4_000_000
    routed(instance, "gap")


def best_cut(instance: nr.Instance) -> float:
    """Return the best partition into consecutive petals, by all cuts."""
    assert instance.coords is not None
    arms = instance.coords[1:] - instance.coords[0]
    order = 1 + np.argsort(np.arctan2(arms[:, 1], arms[:, 0]), kind="stable")
    count = len(order)

    def cost(petal: list[int]) -> float:
        if instance.demands[petal].sum() > instance.capacity:
            return np.inf
        return min(map(instance.route_cost, permutations(petal)))

    best = np.inf
    for start in range(count):
        ring = np.roll(order, -start).tolist()
        least = [0.0] + [np.inf] * count
        for stop in range(1, count + 1):
            least[stop] = min(
                least[first] + cost(ring[first:stop]) for first in range(stop)
            )
        best = min(best, least[count])
    return best


@pytest.mark.parametrize("seed", range(5))
def test_petals_are_no_dearer_than_the_best_of_all_cuts(seed: int) -> None:
    """Brute force over starts, cuts and tours of seven customers."""
    instance = generate_uchoa(7, seed, route_length=3.0)
    assert routed(instance, "petal").cost <= best_cut(instance)


def test_petals_are_no_worse_than_sweeps(random_instance: nr.Instance) -> None:
    """The routes of all sweeps are petals."""
    costs = [
        routed(random_instance, method).cost
        for method in ("petal", "sweep+", "sweep")
    ]
    assert costs == sorted(costs)


@pytest.mark.parametrize("seed", [1, 2])
def test_petals_of_tight_instances(seed: int) -> None:
    """Full vehicles: at most a route in thirty-three more than needed."""
    instance = generate_uchoa(300, seed, demands="unitary", route_length=9.0)
    fewest = instance.min_num_routes
    instance = replace(instance, capacity=-(-300 // fewest))
    found = nr.solve(instance, method="petal", polish="none")
    assert nr.check_solution(instance, found.best) == []
    assert found.num_routes <= np.ceil(1.03 * instance.min_num_routes)
