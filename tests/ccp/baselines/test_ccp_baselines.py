"""The baselines of the clustering problem: feasible, and as described."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans
from ncc_routing.ccp.baselines.gb21 import Gb21Params, cluster_gb21
from ncc_routing.ccp.baselines.pack import cluster_pack
from ncc_routing.ccp.baselines.simple import cluster_simple
from ncc_routing.ccp.solve import cluster
from ncc_routing.clustering.capacitated_kmeans import KMeansParams
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.points import PointSet


@pytest.fixture
def points() -> PointSet:
    """Forty points whose weights fill 85 % of four clusters."""
    rng = np.random.default_rng(11)
    weights = rng.integers(1, 10, 40)
    capacity = int(np.ceil(weights.sum() / 0.85 / 4))
    return points_of(100 * rng.random((40, 2)), weights, capacity)


def points_of(
    coords: Any, weights: Any, capacity: float, **more: Any
) -> PointSet:
    """Return points that are given as lists."""
    return PointSet(np.array(coords), np.array(weights), capacity, **more)


LINE = [[0.0], [1], [2], [10], [11], [12]]
"""Two groups of three."""


@pytest.mark.parametrize(
    ("method", "count", "params"),
    [
        ("random", 5, {}),
        ("rnd-nn", 5, {}),
        ("topk-nn", 5, {}),
        ("capkmeans", 5, {"kmeans": KMeansParams(init="ckm++")}),
        ("capkmeans", 5, {"kmeans": KMeansParams(init="topk")}),
        ("capkmeans-alt", 5, {"kmeans": KMeansParams(init="k-means++")}),
        ("pack", 4, {}),
        ("gb21", 4, {"gb21": Gb21Params(2, target_size=20)}),
    ],
)
def test_random_points_are_placed(
    points: PointSet, method: str, count: int, params: dict[str, Any]
) -> None:
    """Within the capacity: the plain ones with room to spare."""
    found = cluster(points, count, method=method, time_limit=8.0, **params)
    assert check_clustering(points, found, count) == []


def test_heaviest_points_are_seeds_and_take_turns() -> None:
    """Seeds 9 and 8 at the ends; each takes the nearer ones in turn."""
    line = [[0.0], [1], [2], [8], [9], [10]]
    points = points_of(line, [9, 1, 1, 1, 1, 8], 12)
    rng = np.random.default_rng(0)
    found = cluster_simple(points, 2, "topk-nn", rng=rng)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_simple_rules_say_what_they_cannot_place() -> None:
    """Seeds 3 and 3 have no room for the third; late, seeds stay alone."""
    points = points_of(np.eye(3), [3, 3, 3], 5)
    rng = np.random.default_rng(0)
    with pytest.raises(InfeasibleError, match="1 points"):
        cluster_simple(points, 2, "rnd-nn", rng=rng)
    with pytest.raises(ParameterError, match="rule"):
        cluster_simple(points, 2, "best", rng=rng)
    late = Deadline(0.0)
    points = points_of(np.eye(3), [1, 1, 1], 5)
    for rule in ("random", "rnd-nn", "topk-nn"):
        with pytest.raises(InfeasibleError, match="leaves 1 points"):
            cluster_simple(points, 2, rule, rng=rng, deadline=late)


def test_capkmeans_stops_in_time(points: PointSet) -> None:
    """After the deadline the first feasible round is the answer."""
    inertias = [
        cluster_capkmeans(
            points,
            5,
            rng=np.random.default_rng(1),
            deadline=Deadline(seconds),
        ).inertia
        for seconds in (0.0, None)
    ]
    assert inertias[1] < inertias[0]


def test_pack_separates_two_groups() -> None:
    """Two groups of equal weight: the weighted inertia is 0.5 each."""
    points = points_of([[0.0], [1], [10], [11]], [1, 1, 1, 1], 2)
    rng = np.random.default_rng(0)
    found = cluster_pack(points, 2, rng=rng, deadline=Deadline(20.0))
    assert check_clustering(points, found, 2) == []
    assert found.inertia == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("capacities", "medians", "cost"),
    [
        (None, [1, 4], 4.0),
        # Only points 0 and 5 may serve three.
        ([3, 1, 1, 1, 1, 3], [0, 5], 6.0),
        # The best of 0, 1, 4 and 5.
        ([3, 3, 1, 1, 3, 3], [1, 4], 4.0),
    ],
)
def test_gb21_finds_the_medians_of_two_groups(
    capacities: list[int] | None, medians: list[int], cost: float
) -> None:
    """The middles, unless they lack the capacity."""
    points = points_of(LINE, [1] * 6, 3, point_capacities=capacities)
    found = cluster_gb21(
        points,
        2,
        params=Gb21Params(num_starts=40),
        rng=np.random.default_rng(3),
        deadline=Deadline(20.0),
    )
    assert check_clustering(points, found, 2) == []
    assert sorted(found.medoids) == medians
    assert found.cost == cost


def test_gb21_takes_one_capacity_per_cluster() -> None:
    """Four and two points: the local phase has no candidates for that."""
    points = points_of(
        [[0.0], [1], [2], [3], [11], [12]],
        [1, 1, 1, 1, 1, 1],
        4,
        capacities=[4, 2],
    )
    rng = np.random.default_rng(1)
    found = cluster_gb21(points, 2, rng=rng, deadline=Deadline(20.0))
    assert check_clustering(points, found, 2) == []
    assert found.cost == 5.0


def test_gb21_says_when_it_finds_nothing() -> None:
    """Three weights of 3 do not fit two clusters of 5."""
    points = points_of(np.eye(3), [3, 3, 3], 5)
    rng = np.random.default_rng(0)
    with pytest.raises(InfeasibleError):
        cluster_gb21(points, 2, rng=rng, deadline=Deadline(5.0))
