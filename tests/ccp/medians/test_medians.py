"""Clustering by annealing: capacitated p-median and its mean variant."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing import ParameterError, check_clustering, cluster
from ncc_routing.ccp.medians._annealing_kernels import judge
from ncc_routing.ccp.medians._opening_kernels import (
    open_somewhere,
    try_closing,
    try_opening,
)
from ncc_routing.ccp.medians._state_kernels import (
    MedianProblem,
    State,
    cluster_cost,
    evaluate,
    rebuild,
)
from ncc_routing.ccp.medians.annealing import (
    AnnealingParams,
    cluster_by_annealing,
    make_problem,
    new_log,
    new_state,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import pack
from ncc_routing.core.deadline import Deadline
from tests.ccp.points import points_of

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet

QUICK = AnnealingParams(global_moves=50, num_trials=30)


def test_capacity_of_the_medoid_counts() -> None:
    """Only point 2 may serve three points; it becomes their medoid."""
    line, limits = [[0.0, 0], [1, 0], [2, 0], [9, 0]], [1, 1, 3, 1]
    points = points_of(line, [1] * 4, 3, point_capacities=limits)
    rng = np.random.default_rng(0)
    found = cluster_by_annealing(points, 2, params=QUICK, rng=rng)
    assert check_clustering(points, found, 2) == []
    assert found.cost == 3.0
    assert sorted(found.medoids) == [2, 3]


def test_floor_rounding_and_real_weights() -> None:
    """Each distance is cut; loads keep within the tolerance."""
    rng = np.random.default_rng(2)
    points = points_of(
        100 * rng.random((40, 2)), rng.random(40), 6.0, rounding="floor"
    )
    found = cluster_by_annealing(points, 5, params=QUICK, rng=rng)
    assert check_clustering(points, found, 5) == []
    assert found.cost == int(found.cost)


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


def test_single_cluster_and_one_per_point() -> None:
    """The ends of the range of K."""
    points = points_of([[0.0, 0], [1, 0], [3, 0]], [1, 1, 1], 3)
    rng = np.random.default_rng(0)
    assert cluster_by_annealing(points, 1, rng=rng).cost == 3.0
    assert cluster_by_annealing(points, 3, params=QUICK, rng=rng).cost == 0.0


def test_judgement_is_exact_for_small_clusters() -> None:
    """The change that is foreseen is the change of the best medoids."""
    rng = np.random.default_rng(8)
    points = points_of(rng.random((15, 2)), np.ones(15, int), 15)
    labels = np.arange(15) % 3
    problem, state = _state_of(points, labels, 3)
    before = summarize(points, labels, 3, "cpmp").cost
    assert evaluate(problem, state)[0] == pytest.approx(before)
    for i, j in ((0, 1), (4, 2), (5, -1)):
        to = labels[j] if j >= 0 else 0
        changed = labels.copy()
        changed[i] = to
        if j >= 0:
            changed[j] = labels[i]
        after = summarize(points, changed, 3, "cpmp").cost
        change = judge(problem, state, i, j, to, 0.0)
        assert change == pytest.approx(after - before)


def _state_of(
    points: PointSet, labels: Any, num_clusters: int, price: float = 0.0
) -> tuple[MedianProblem, State]:
    """Return points and labels in the form of the kernels."""
    problem = make_problem(points, num_clusters, "cpmp")
    state = new_state(np.asarray(labels), num_clusters, 2)
    rebuild(problem, state, price)
    return problem, state


def _cities(num_clusters: int) -> tuple[MedianProblem, State]:
    """Return 60 points with tight capacities, split at random."""
    rng = np.random.default_rng(3)
    coords, weights = rng.random((60, 2)), rng.integers(1, 9, 60)
    limit = 1.1 * float(weights.sum()) / num_clusters
    points, labels = points_of(coords, weights, limit), np.arange(60)
    return _state_of(points, labels % num_clusters, num_clusters, 0.01)


def _total(problem: MedianProblem, state: State, price: float) -> float:
    return sum(
        float(cluster_cost(problem, state, k, price))
        for k in range(len(state.head))
        if state.counts[k] > 0
    )


def test_closing_and_opening_leave_a_whole_state() -> None:
    """Lists and loads agree with the labels; the cost is what it says."""
    problem, state = _cities(12)
    log = new_log(60, 12, 0.0)
    assert try_closing(problem, state, log, 4, 0.01, np.inf)
    assert state.counts[4] == 0
    assert state.spare[:2].tolist() == [1, 4]
    before = _total(problem, state, 0.01)
    assert try_opening(problem, state, log, 7, 0.01, np.inf)
    assert state.labels[7] == 4
    assert state.counts.sum() == 60
    assert state.counts.min() > 0
    loads = np.bincount(state.labels, problem.weights, 12)
    assert state.loads == pytest.approx(loads)
    # What the move measured on what it touched is the change of the whole.
    touched = log.touched[: log.counts[1]]
    now = sum(cluster_cost(problem, state, k, 0.01) for k in touched)
    change = _total(problem, state, 0.01) - before
    assert change == pytest.approx(now - log.figures[0])


def test_closing_that_costs_too_much_is_undone() -> None:
    """Labels, medoids and costs are the same as before."""
    problem, state = _cities(12)
    log = new_log(60, 12, 0.0)
    labels, medoids = state.labels.copy(), state.medoids.copy()
    before = _total(problem, state, 5.0)
    for k in range(12):
        assert not try_closing(problem, state, log, k, 5.0, -1e9)
    assert state.labels.tolist() == labels.tolist()
    assert state.medoids.tolist() == medoids.tolist()
    assert state.spare[0] == 0
    assert _total(problem, state, 5.0) == pytest.approx(before)
    assert not try_opening(problem, state, log, 7, 5.0, np.inf)


def test_opening_relieves_a_cluster_that_is_too_full() -> None:
    """At a high price the new cluster starts inside the overloaded one."""
    coords = [[0.0, 0], [1, 0], [2, 0], [3, 0], [50, 0], [90, 0]]
    points = points_of(coords, [1] * 6, 2)
    problem, state = _state_of(points, [0, 0, 0, 0, 1, 1], 3)
    assert evaluate(problem, state)[1] == 2.0
    log, rng = new_log(6, 3, 0.0), np.random.default_rng(1)
    open_somewhere(problem, state, log, 1000.0, rng)
    assert state.labels[4] == state.labels[5] == 1
    assert evaluate(problem, state)[1] == 0.0


@pytest.mark.parametrize("price", [0.01, 1.0])
def test_many_small_clusters_end_within_the_capacity(price: float) -> None:
    """Loads that may exceed it meanwhile do not do so at the end."""
    rng = np.random.default_rng(5)
    points = points_of(rng.random((120, 2)), rng.integers(1, 40, 120), 90)
    count = int(np.ceil(points.weights.sum() / (0.92 * 90)))
    params = AnnealingParams(num_trials=200, local_price=price)
    found = cluster_by_annealing(points, count, params=params, rng=rng)
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
    found = cluster_by_annealing(points, 30, rng=rng, deadline=Deadline(0.0))
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
    _, state = _state_of(points, np.zeros(3600, dtype=np.int64), 1)
    gaps = points.coords[:, None] - points.coords
    sums = np.hypot(gaps[..., 0], gaps[..., 1]).sum(axis=1)
    assert sums[state.medoids[0]] <= 1.001 * sums.min()
