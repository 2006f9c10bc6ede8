"""The baselines of the clustering problem: feasible, and as described."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans
from ncc_routing.ccp.baselines.gb21 import Gb21Params, cluster_gb21
from ncc_routing.ccp.baselines.pack import cluster_pack
from ncc_routing.ccp.baselines.simple import cluster_simple
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


@pytest.mark.parametrize("rule", ["random", "rnd-nn", "topk-nn"])
def test_simple_rules_are_feasible(points: PointSet, rule: str) -> None:
    """With room to spare every rule places every point."""
    rng = np.random.default_rng(1)
    found = cluster_simple(points, 5, rule, rng=rng)
    assert check_clustering(points, found, 5) == []


def test_heaviest_points_are_seeds_and_take_turns() -> None:
    """Seeds 9 and 8 at the ends; each takes the nearer ones in turn."""
    points = points_of(
        [[0.0], [1], [2], [8], [9], [10]], [9, 1, 1, 1, 1, 8], 12
    )
    rng = np.random.default_rng(0)
    found = cluster_simple(points, 2, "topk-nn", rng=rng)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_simple_rules_say_what_they_cannot_place() -> None:
    """Seeds 3 and 3 have no room for the third."""
    points = points_of(np.eye(3), [3, 3, 3], 5)
    rng = np.random.default_rng(0)
    with pytest.raises(InfeasibleError, match="1 points"):
        cluster_simple(points, 2, "rnd-nn", rng=rng)
    with pytest.raises(ParameterError, match="rule"):
        cluster_simple(points, 2, "best", rng=rng)


@pytest.mark.parametrize("init", ["ckm++", "k-means++", "topk"])
@pytest.mark.parametrize("alternative", [False, True])
def test_capkmeans_is_feasible(
    points: PointSet, init: str, alternative: bool
) -> None:
    """Every seeding and both assignments."""
    found = cluster_capkmeans(
        points,
        5,
        params=KMeansParams(init=init),
        alternative=alternative,
        rng=np.random.default_rng(1),
    )
    assert check_clustering(points, found, 5) == []


@pytest.mark.parametrize("num_dims", [1, 3])
def test_capkmeans_takes_any_dimensions(num_dims: int) -> None:
    """Points apart along the last axis alone: nothing of it is cut off."""
    coords = np.zeros((4, num_dims))
    coords[:, -1] = [0, 1, 10, 11]
    points = points_of(coords, [1, 1, 1, 1], 2)
    found = cluster_capkmeans(points, 2, rng=np.random.default_rng(0))
    assert check_clustering(points, found, 2) == []
    assert found.inertia == pytest.approx(1.0)


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


@pytest.mark.parametrize("rule", ["random", "rnd-nn", "topk-nn"])
def test_simple_rules_stop_in_time(points: PointSet, rule: str) -> None:
    """After the deadline only the seeds have a cluster."""
    rng = np.random.default_rng(1)
    with pytest.raises(InfeasibleError, match="leaves 35 points"):
        cluster_simple(points, 5, rule, rng=rng, deadline=Deadline(0.0))


def test_pack_separates_two_groups() -> None:
    """Two groups of equal weight: the weighted inertia is 0.5 each."""
    points = points_of([[0.0], [1], [10], [11]], [1, 1, 1, 1], 2)
    rng = np.random.default_rng(0)
    found = cluster_pack(points, 2, rng=rng, deadline=Deadline(20.0))
    assert check_clustering(points, found, 2) == []
    assert found.inertia == pytest.approx(1.0)


def test_pack_is_feasible(points: PointSet) -> None:
    """On tight random points, within a limit."""
    rng = np.random.default_rng(2)
    found = cluster_pack(
        points, 4, num_starts=2, rng=rng, deadline=Deadline(10.0)
    )
    assert check_clustering(points, found, 4) == []


def test_gb21_finds_the_medians_of_two_groups() -> None:
    """Each group of three has its middle as median."""
    points = points_of(
        [[0.0], [1], [2], [10], [11], [12]], [1, 1, 1, 1, 1, 1], 3
    )
    rng = np.random.default_rng(0)
    found = cluster_gb21(points, 2, rng=rng, deadline=Deadline(20.0))
    assert check_clustering(points, found, 2) == []
    assert sorted(found.medoids) == [1, 4]
    assert found.cost == 4.0


def test_gb21_is_feasible(points: PointSet) -> None:
    """Both phases on tight random points, within a limit."""
    found = cluster_gb21(
        points,
        4,
        params=Gb21Params(num_starts=2, target_size=20),
        rng=np.random.default_rng(2),
        deadline=Deadline(8.0),
    )
    assert check_clustering(points, found, 4) == []
    assert found.objective == "cpmp"


def test_gb21_keeps_the_capacity_of_the_median() -> None:
    """Only points 0 and 5 may serve three; free medians would cost 4."""
    points = points_of(
        [[0.0], [1], [2], [10], [11], [12]],
        [1, 1, 1, 1, 1, 1],
        3,
        point_capacities=[3, 1, 1, 1, 1, 3],
    )
    rng = np.random.default_rng(3)
    found = cluster_gb21(
        points,
        2,
        params=Gb21Params(num_starts=40),
        rng=rng,
        deadline=Deadline(20.0),
    )
    assert check_clustering(points, found, 2) == []
    assert sorted(found.medoids) == [0, 5]
    assert found.cost == 6.0


def test_gb21_moves_to_a_median_with_room() -> None:
    """Points 0, 1, 4 and 5 may serve three; 1 and 4 are the best of them."""
    points = points_of(
        [[0.0], [1], [2], [10], [11], [12]],
        [1, 1, 1, 1, 1, 1],
        3,
        point_capacities=[3, 3, 1, 1, 3, 3],
    )
    for seed in range(3):
        found = cluster_gb21(
            points,
            2,
            params=Gb21Params(num_starts=40),
            rng=np.random.default_rng(seed),
            deadline=Deadline(20.0),
        )
        assert found.cost == 4.0
        assert sorted(found.medoids) == [1, 4]


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
