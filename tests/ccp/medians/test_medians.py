"""Clustering by annealing: capacitated p-median and its mean variant."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing import ParameterError, check_clustering, cluster
from ncc_routing._core import medians as kernels
from ncc_routing.ccp.medians.annealing import (
    cluster_by_annealing,
    make_problem,
)
from ncc_routing.ccp.search_params import AnnealingParams
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import pack
from ncc_routing.core.budget import Budget
from tests.ccp.points import points_of

if TYPE_CHECKING:
    from ncc_routing import PointSet


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"end_temperature": 0.2}, "<= start_temperature"),
        (
            {"end_temperature": 0.1, "local_start_temperature": 0.05},
            "<= local_start_temperature",
        ),
        ({"local_price": 0.0}, "local_price"),
        ({"excess": -0.1}, "excess"),
    ],
)
def test_parameters_are_checked(values: Any, message: str) -> None:
    """A price that ends at nothing, or a negative excess, is refused."""
    with pytest.raises(ParameterError, match=message):
        AnnealingParams(**values)


def _clusters_of(
    points: PointSet, labels: Any, num_clusters: int, price: float = 0.0
) -> kernels.Clusters:
    """Return points and labels in the form of the kernels."""
    clusters = kernels.Clusters(make_problem(points, num_clusters, "cpmp"))
    clusters.assign(np.asarray(labels), price)
    return clusters


def _annealing_of(openings: kernels.Openings) -> kernels.Annealing:
    """Return an annealing between 1 and 0.01."""
    params = kernels.LocalParams(
        highest_temperature=1.0,
        lowest_temperature=0.01,
        price_share=0.1,
        effort=5,
    )
    return kernels.Annealing(openings, params)


@pytest.mark.parametrize("objective", ["cpmp", "cccp"])
def test_neighbourhoods_never_end_worse(objective: str) -> None:
    """What costs more than before is undone, and seeds decide."""
    rng = np.random.default_rng(3)
    points = points_of(rng.random((60, 2)), rng.integers(1, 9, 60), 60)
    found = []
    for _ in range(2):
        clusters = kernels.Clusters(make_problem(points, 6, objective))
        clusters.assign(np.arange(60) % 6, 1.0)
        annealing = _annealing_of(kernels.Openings(clusters, 0.1))
        seeded = np.random.default_rng(4)
        best = np.inf
        for _ in range(4):
            annealing.anneal_locally(1.0, 5, seeded)
            distance, excess = clusters.evaluate()
            assert distance + excess <= best + 1e-12
            best = distance + excess
        found.append(clusters.labels.tolist())
        cost = summarize(points, clusters.labels, 6, objective).cost
        assert distance >= cost - 1e-9
    assert found[0] == found[1]


@pytest.mark.parametrize("price", [0.01, 1.0])
def test_many_small_clusters_end_within_the_capacity(price: float) -> None:
    """Loads that may exceed it meanwhile do not do so at the end."""
    rng = np.random.default_rng(5)
    points = points_of(rng.random((120, 2)), rng.integers(1, 40, 120), 90)
    count = int(np.ceil(points.weights.sum() / (0.92 * 90)))
    params = AnnealingParams(num_trials=200, local_price=price)
    found = cluster_by_annealing(points, count, rng, params=params)
    assert check_clustering(points, found, count) == []


def test_no_time_ends_far_below_a_packing() -> None:
    """Without a move the assignment by regret counts, not the packing."""
    rng = np.random.default_rng(5)
    weights = rng.integers(1, 100, 300)
    capacity = int(np.ceil(weights.sum() / (0.9 * 30)))
    points = points_of(rng.random((300, 2)), weights, capacity)
    packed = pack(points, points.cluster_limits(30))
    assert packed is not None
    worst = summarize(points, packed, 30, "cpmp").cost
    found = cluster_by_annealing(points, 30, rng, Budget.of(0.0))
    assert check_clustering(points, found, 30) == []
    assert found.cost < 0.5 * worst


@pytest.mark.parametrize("method", ["ckm", "gb21", "capkmeans", "pack"])
def test_matrix_counts_from_the_point_to_its_medoid(method: str) -> None:
    """Every partition into pairs, by brute force; one direction counts."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        matrix = rng.integers(1, 100, (6, 6)) * (1 - np.eye(6))
        points = points_of(
            rng.random((6, 2)), [1] * 6, 2, matrix=matrix, num_clusters=3
        )
        best = min(
            sum(
                min(matrix[i, j], matrix[j, i])
                for i, j in zip(order[::2], order[1::2], strict=True)
            )
            for order in permutations(range(6))
        )
        found = cluster(points, method=method, objective="cpmp")
        assert check_clustering(points, found, 3) == []
        if method in ("ckm", "gb21"):
            assert found.cost == best


def test_medoid_of_many_members_is_near_the_best() -> None:
    """3,600 points: found from their mean, where trying all takes long."""
    rng = np.random.default_rng(4)
    points = points_of(rng.exponential(size=(3600, 2)), [1] * 3600, 3600)
    clusters = _clusters_of(points, np.zeros(3600, dtype=np.int64), 1)
    gaps = points.coords[:, None] - points.coords
    sums = np.hypot(gaps[..., 0], gaps[..., 1]).sum(axis=1)
    assert clusters.evaluate()[0] <= 1.001 * sums.min()
