"""The baselines of the clustering problem: feasible, and as described."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing import InfeasibleError, ParameterError, check_clustering
from ncc_routing.clustering.simple import cluster_simple
from ncc_routing.core.budget import Budget
from ncc_routing.core.exceptions import OutOfTimeError
from ncc_routing.core.run import Run
from ncc_routing.paper.baselines.capkmeans import cluster_capkmeans
from ncc_routing.paper.baselines.gb21 import Gb21Params, cluster_gb21
from ncc_routing.paper.baselines.pack import cluster_pack
from tests.ccp.points import points_of

LINE = [[0.0], [1], [2], [10], [11], [12]]
"""Two groups of three."""


def test_heaviest_points_are_seeds_and_take_turns() -> None:
    """Seeds 9 and 8 at the ends; each takes the nearer ones in turn."""
    line = [[0.0], [1], [2], [8], [9], [10]]
    points = points_of(line, [9, 1, 1, 1, 1, 8], 12)
    found = cluster_simple(points, 2, rule="topk-nn")
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_simple_rules_say_what_they_cannot_place() -> None:
    """Seeds 3 and 3 have no room for the third; late, seeds stay alone."""
    points = points_of(np.eye(3), [3, 3, 3], 5)
    with pytest.raises(InfeasibleError, match="1 point "):
        cluster_simple(points, 2, rule="rnd-nn")
    with pytest.raises(ParameterError, match="rule"):
        cluster_simple(points, 2, rule="best")
    points = points_of(np.eye(3), [1, 1, 1], 5)
    for rule in ("random", "rnd-nn", "topk-nn"):
        with pytest.raises(OutOfTimeError, match="leaves 1 point "):
            cluster_simple(points, 2, Run(Budget.of(0.0)), rule=rule)


def test_capkmeans_stops_in_time() -> None:
    """After the deadline the first feasible round is the answer."""
    rng = np.random.default_rng(11)
    weights = rng.integers(1, 10, 40)
    capacity = int(np.ceil(weights.sum() / 0.85 / 4))
    points = points_of(100 * rng.random((40, 2)), weights, capacity)
    late, whole = (
        cluster_capkmeans(
            *(points, 5), Run(Budget.of(seconds), seed=1)
        ).inertia
        for seconds in (0.0, None)
    )
    assert whole < late


@pytest.mark.numeric
def test_pack_separates_two_groups() -> None:
    """Two groups of equal weight: the weighted inertia is 0.5 each."""
    points = points_of([[0.0], [1], [10], [11]], [1, 1, 1, 1], 2)
    found = cluster_pack(points, 2, Run(Budget.of(20.0)))
    assert check_clustering(points, found, 2) == []
    assert found.inertia == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("capacities", "medians", "cost"),
    [
        (None, [1, 4], 4.0),
        ([3, 1, 1, 1, 1, 3], [0, 5], 6.0),  # only these may serve three
        ([3, 3, 1, 1, 3, 3], [1, 4], 4.0),  # the best of 0, 1, 4 and 5
    ],
)
def test_gb21_finds_the_medians_of_two_groups(
    capacities: list[int] | None, medians: list[int], cost: float
) -> None:
    """The middles, unless they lack the capacity."""
    points = points_of(LINE, [1] * 6, 3, point_capacities=capacities)
    found = cluster_gb21(
        *(points, 2),
        Run(Budget.of(20.0), seed=3),
        params=Gb21Params(num_starts=40),
    )
    assert check_clustering(points, found, 2) == []
    assert sorted(found.medoids) == medians
    assert found.cost == cost


def test_gb21_takes_one_capacity_per_cluster() -> None:
    """Four and two points: the local phase has no candidates for that."""
    line = [[0.0], [1], [2], [3], [11], [12]]
    points = points_of(line, [1] * 6, 4, capacities=[4, 2])
    found = cluster_gb21(points, 2, Run(Budget.of(20.0)))
    assert check_clustering(points, found, 2) == []
    assert found.cost == 5.0


def test_medians_stay_apart_where_distances_are_equal() -> None:
    """An empty cluster does not keep the median of another one."""
    for seed in (8, 13, 59):
        rng = np.random.default_rng(seed)
        size = 12
        count = int(rng.integers(2, 13))
        matrix = rng.integers(0, 30, (size, size)) * (1.0 - np.eye(size))
        points = points_of(
            rng.normal(size=(size, 2)), np.ones(size, int), 2, matrix=matrix
        )
        run = Run(Budget.of(1.0), seed=seed)
        found = cluster_gb21(points, count, run, objective="cpmp")
        assert check_clustering(points, found) == []
