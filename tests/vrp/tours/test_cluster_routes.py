"""Both routers on small, awkward and random clusters."""

from __future__ import annotations

import sys
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.exceptions import MissingDependencyError
from ncc_routing.core.run import Run
from ncc_routing.problems.distances import ROUNDINGS
from ncc_routing.vrp.tours.cluster_routes import route_clusters
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

ROUTERS = sorted({DEFAULT_ROUTER, "local-search"})
"""Those that are installed."""


@pytest.mark.parametrize("router", ROUTERS)
def test_square_by_hand(square: nr.Instance, router: str) -> None:
    """Two pairs of opposite sides: 2 (71 + 100 + 71)."""
    clusters: list[list[int]] = [[1, 4], [], [3, 2]]
    solution = route_clusters(square, clusters, router=router)
    assert nr.check_solution(square, solution) == []
    assert solution.cost == 484
    assert [sorted(route) for route in solution.routes] == [[1, 4], [2, 3]]


@pytest.mark.parametrize("router", ROUTERS)
def test_no_clusters(square: nr.Instance, router: str) -> None:
    """Nothing to route gives the empty solution."""
    assert route_clusters(square, [], router=router).routes == ()
    assert route_clusters(square, [[], []], router=router).cost == 0.0


def _instance(
    coords: ArrayLike | None,
    rounding: str = "nearest",
    matrix: np.ndarray | None = None,
) -> nr.Instance:
    """Return an instance of unit demands."""
    size = len(np.asarray(coords) if matrix is None else matrix)
    return nr.Instance(
        "tsp",
        np.array([0] + [1] * (size - 1)),
        size,
        None if coords is None else np.asarray(coords),
        rounding,
        matrix=matrix,
    )


def _tour(
    instance: nr.Instance,
    customers: Iterable[int],
    router: str = DEFAULT_ROUTER,
    seed: int = 1,
) -> tuple[int, ...]:
    """Return the route of the only cluster."""
    cluster = list(customers)
    solution = route_clusters(
        instance, [cluster], Run(seed=seed), router=router
    )
    return solution.routes[0]


@pytest.mark.parametrize("router", ROUTERS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e7])
def test_every_rounding_and_scale_gives_the_optimum(
    router: str, rounding: str, scale: float
) -> None:
    """Seven nodes cost what brute force finds, whatever the scale."""
    rng = np.random.default_rng(2)
    coords = rng.integers(0, 1000, (7, 2)) * scale
    instance = _instance(coords, rounding)
    best = min(
        instance.route_cost(order) for order in permutations(range(1, 7))
    )
    cost = instance.route_cost(_tour(instance, range(1, 7), router))
    # Beyond 1e7 LKH sees lengths to a millionth of the largest.
    assert cost == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("router", ROUTERS)
def test_asymmetric_matrix_with_two_customers(router: str) -> None:
    """0 -> 2 -> 1 -> 0 costs 3; the other way round it costs 30."""
    matrix = [[0, 10, 1], [1, 0, 10], [10, 1, 0]]
    instance = _instance(None, matrix=np.array(matrix))
    assert _tour(instance, [1, 2], router) == (2, 1)


@pytest.mark.parametrize("router", ROUTERS)
@pytest.mark.parametrize("factor", [1.0, 0.001, 1e6])
def test_asymmetric_matrices_are_solved(router: str, factor: float) -> None:
    """Random directed distances: brute force finds no better tour."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        matrix = rng.integers(1, 100, (7, 7)) * factor
        np.fill_diagonal(matrix, 0.0)
        instance = _instance(None, matrix=matrix)
        best = min(
            instance.route_cost(order) for order in permutations(range(1, 7))
        )
        order = _tour(instance, range(1, 7), router)
        assert instance.route_cost(order) == pytest.approx(best)


def test_local_search_equals_lkh_up_to_thirty_nodes() -> None:
    """Thirty random cases, scattered or in clumps, cost the same by both."""
    pytest.importorskip("elkai")
    rng = np.random.default_rng(11)
    for case in range(30):
        size = int(rng.integers(5, 31))
        coords = rng.integers(0, 1000, (size, 2)).astype(float)
        if case % 2:
            clumps = rng.integers(0, 1000, (3, 2))
            coords = rng.normal(clumps[rng.integers(0, 3, size)], 40).round()
        instance = _instance(coords, ("nearest", "none", "ceil")[case % 3])
        costs = [
            instance.route_cost(_tour(instance, range(1, size), router))
            for router in ROUTERS
        ]
        assert costs[1] == pytest.approx(costs[0], rel=1e-6)


def test_missing_elkai_is_said_with_its_extra(
    square: nr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for LKH does not silently get something else."""
    monkeypatch.setitem(sys.modules, "elkai", None)
    with pytest.raises(MissingDependencyError, match=r"ncc_routing\[lkh\]"):
        _tour(square, [1, 2, 3], "lkh")
    assert _tour(square, [1, 2, 3], "local-search") in ((1, 2, 3), (3, 2, 1))


def test_unknown_router_names_the_valid_ones(square: nr.Instance) -> None:
    """The message lists what can be asked for."""
    with pytest.raises(nr.ParameterError, match="lkh, local-search, got 'x'"):
        _tour(square, [1], "x")


@pytest.mark.parametrize(
    ("customers", "message"),
    [([0, 1], "1..4, got 0"), ([5], "1..4, got 5"), ([1, 2, 1], "repeated")],
)
def test_wrong_customers(
    square: nr.Instance, customers: list[int], message: str
) -> None:
    """The depot, an unknown and a repeated customer are refused."""
    with pytest.raises(nr.ParameterError, match=message):
        _tour(square, customers)


@pytest.mark.parametrize("router", ROUTERS)
def test_equal_points_and_short_routes(router: str) -> None:
    """Customers on the depot are visited; one or two need no search."""
    instance = _instance(np.full((6, 2), 3.5))
    for customers in ([3], [4, 2], [5, 1, 3, 2]):
        order = _tour(instance, customers, router)
        assert sorted(order) == sorted(customers)
        assert all(type(customer) is int for customer in order)


@pytest.mark.parametrize("router", ROUTERS)
def test_routing_after_the_deadline(router: str) -> None:
    """The first is improved in any case; the last keeps its order."""
    rng = np.random.default_rng(1)
    instance = _instance(rng.integers(0, 1000, (941, 2)))
    clusters = np.split(np.arange(1, 941), [20, 480])
    solution = route_clusters(
        instance, clusters, Run(Budget.of(0.0)), router=router
    )
    assert [set(route) for route in solution.routes] == [*map(set, clusters)]
    assert solution.routes[0] != tuple(clusters[0])
    assert solution.routes[2] == tuple(clusters[2])
