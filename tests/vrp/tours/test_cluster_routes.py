"""Clusters of one instance become the routes of a checked solution."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.vrp.tours import cluster_routes
from ncc_routing.vrp.tours.cluster_routes import route_clusters
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

ROUTERS = sorted({DEFAULT_ROUTER, "local-search"})
"""Those that are installed."""


@pytest.mark.parametrize("router", ROUTERS)
def test_square_by_hand(square: Instance, router: str) -> None:
    """Two pairs of opposite sides: 2 (71 + 100 + 71)."""
    clusters: list[list[int]] = [[1, 4], [], [3, 2]]
    solution = route_clusters(square, clusters, router)
    assert check_solution(square, solution) == []
    assert solution.cost == 484
    assert [sorted(route) for route in solution.routes] == [[1, 4], [2, 3]]


@pytest.mark.parametrize("router", ROUTERS)
def test_no_clusters(square: Instance, router: str) -> None:
    """Nothing to route gives the empty solution."""
    assert route_clusters(square, [], router).routes == ()
    assert route_clusters(square, [[], []], router).cost == 0.0


def _clusters(instance: Instance) -> list[np.ndarray]:
    """Return feasible clusters: customers by angle, filled in turn."""
    coords = instance.require_coords("the test")
    delta = coords[1:] - coords[0]
    order = 1 + np.argsort(np.arctan2(delta[:, 1], delta[:, 0]))
    clusters: list[list[int]] = [[]]
    load = 0
    for customer in order.tolist():
        demand = int(instance.demands[customer])
        if load + demand > instance.capacity:
            clusters.append([])
            load = 0
        clusters[-1].append(customer)
        load += demand
    return [np.array(cluster) for cluster in clusters]


@pytest.mark.parametrize("router", ROUTERS)
def test_random_instance_is_feasible(
    random_instance: Instance, router: str
) -> None:
    """All customers are served and the stated cost is the true one."""
    clusters = _clusters(random_instance)
    solution = route_clusters(random_instance, clusters, router)
    assert check_solution(random_instance, solution) == []
    assert solution.num_routes == len(clusters)


def test_both_routers_cost_the_same(random_instance: Instance) -> None:
    """Small clusters have the same optimal routes by both routers."""
    clusters = _clusters(random_instance)
    costs = {
        route_clusters(random_instance, clusters, router, seed=2).cost
        for router in ROUTERS
    }
    assert len(costs) == 1


def test_explicit_matrix() -> None:
    """Directed distances are routed in the cheap direction."""
    matrix = np.full((4, 4), 9.0)
    for tail, head in ((0, 3), (3, 1), (1, 2), (2, 0)):
        matrix[tail, head] = 1.0
    instance = Instance(
        name="ring", demands=np.array([0, 1, 1, 1]), capacity=3, matrix=matrix
    )
    for router in ROUTERS:
        solution = route_clusters(instance, [[1, 2, 3]], router)
        assert solution.routes == ((3, 1, 2),)
        assert solution.cost == 4.0


def test_customer_in_two_clusters(square: Instance) -> None:
    """Overlapping clusters are refused."""
    with pytest.raises(ParameterError, match="repeated"):
        route_clusters(square, [[1, 2], [2, 3]])


def test_unknown_router(square: Instance) -> None:
    """The message lists what can be asked for."""
    with pytest.raises(ParameterError, match="lkh, local-search"):
        route_clusters(square, [[1]], "concorde")


@pytest.mark.parametrize("router", ROUTERS)
def test_routing_after_the_deadline(
    random_instance: Instance, router: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is improved in any case; the last keeps its order."""
    monkeypatch.setattr(cluster_routes, "_CHUNK_WORK", 1)
    clusters = np.array_split(np.arange(random_instance.num_customers) + 1, 3)
    solution = route_clusters(
        random_instance, clusters, router, deadline=Deadline(0.0)
    )
    assert [set(route) for route in solution.routes] == [*map(set, clusters)]
    assert solution.routes[0] != tuple(clusters[0])
    assert solution.routes[2] == tuple(clusters[2])
