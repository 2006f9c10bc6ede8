"""Tests of the petal method."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import construction as kernels
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction import petal
from ncc_routing.vrp.construction.arcs import finish_routes
from ncc_routing.vrp.construction.petal import drop_duplicates, solve_petal
from ncc_routing.vrp.construction.sweep import (
    both_directions,
    build_ring,
    solve_sweep,
    solve_sweep_plus,
)


def best_cut(instance: nr.Instance) -> float:
    """Return the best partition into consecutive petals, by all cuts."""
    order, _ = both_directions(instance, "test")
    n = len(order)

    def cost(petal: list[int]) -> float:
        if instance.demands[petal].sum() > instance.capacity:
            return np.inf
        return min(map(instance.route_cost, permutations(petal)))

    best = np.inf
    for start in range(n):
        ring = np.roll(order, -start).tolist()
        least = [0.0] + [np.inf] * n
        for stop in range(1, n + 1):
            least[stop] = min(
                least[first] + cost(ring[first:stop]) for first in range(stop)
            )
        best = min(best, least[n])
    return best


@pytest.mark.parametrize("seed", range(5))
def test_partition_is_the_best_of_all_cuts(seed: int) -> None:
    """The shortest path equals brute force over starts, cuts and tours."""
    instance = generate_uchoa(7, seed, route_length=3.0)
    ring, ends = build_ring(instance, both_directions(instance, "test")[0])
    routes = petal.best_partition(instance, ring, ends, TimeLimit())
    solution = finish_routes(instance, routes, Run(), "local-search")
    assert nr.check_solution(instance, solution) == []
    assert solution.cost == best_cut(instance)


def test_limited_petals_still_close_the_ring(
    random_instance: nr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With full petals only, the best sweep's last route closes it."""
    monkeypatch.setattr(petal, "MAX_WORK", 1)
    solution = solve_petal(random_instance, router="local-search")
    assert nr.check_solution(random_instance, solution) == []
    assert solution.cost <= solve_sweep(random_instance).cost


def test_petal_is_no_worse_than_sweeps(random_instance: nr.Instance) -> None:
    """The routes of all sweeps are petals."""
    solution = solve_petal(random_instance, router="local-search")
    sweeps = solve_sweep_plus(random_instance, router="local-search")
    assert nr.check_solution(random_instance, solution) == []
    assert solution.cost <= sweeps.cost


@pytest.mark.parametrize(
    ("band", "expected"),
    [
        (9.0, [[1, 3], [2, 3], [3, 4], [4, 1]]),
        (1.0, [[1], [2, 3], [3, 4], [4, 3]]),
    ],
)
def test_petals_that_skip_respect_band_and_capacity(
    band: float, expected: list[list[int]]
) -> None:
    """Four customers on a ray: the third skips the one that does not fit."""
    ring = np.array([1, 2, 3, 4, 1, 2, 3, 4])
    demands, radii = np.array([0, 3, 3, 2, 1]), np.arange(5.0)
    members, offsets = np.empty(16, np.int64), np.empty(5, np.int64)
    kernels.grow_petals(ring, demands, 5, radii, band, 4, members, offsets)
    petals = np.split(members[: offsets[4]], offsets[1:4])
    assert [one.tolist() for one in petals] == expected


def test_petal_after_its_deadline(random_instance: nr.Instance) -> None:
    """With no time left the solution is still complete."""
    solution = solve_petal(random_instance, Run(Budget.of(0.0)))
    assert nr.check_solution(random_instance, solution) == []


def test_drop_duplicates_removes_the_dearer_visit() -> None:
    """Customer 2 leaves the route for which it is a detour."""
    coords = np.array([[0, 0], [10, 0], [20, 0], [0, 10]])
    instance = nr.Instance("line", np.array([0, 1, 1, 1]), 3, coords)
    kept = drop_duplicates(instance, [[1, 2], [2, 3]])
    assert kept == [[1, 2], [3]]
    assert drop_duplicates(instance, [[2], [2], [1, 3]]) == [[2], [1, 3]]


def test_drop_duplicates_without_triangle_inequality() -> None:
    """Where every removal costs, the cheapest one is made."""
    matrix = np.array(
        [[0, 1, 1, 1], [50, 0, 1, 1], [90, 1, 0, 1], [90, 9, 1, 0]],
        dtype=float,
    )
    instance = nr.Instance("odd", np.array([0, 1, 1, 1]), 3, matrix=matrix)
    # Without 1 the first route gets dearer by 90 - 51, the second by 38.
    kept = drop_duplicates(instance, [[2, 1], [3, 1]])
    cost = sum(instance.route_cost(route) for route in kept)
    others = [[[2, 1], [3]], [[2], [3, 1]]]
    assert cost == min(
        sum(instance.route_cost(route) for route in routes)
        for routes in others
    )
