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
from tests.ccp.points import limits_by, points_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.points import PointSet

QUICK = AnnealingParams(global_moves=50, num_trials=30)


def test_capacity_of_the_medoid_counts() -> None:
    """Only point 2 may serve three points; it becomes their medoid."""
    line, limits = [[0.0, 0], [1, 0], [2, 0], [9, 0]], [1, 1, 3, 1]
    points = points_of(line, [1] * 4, 3, point_capacities=limits)
    rng = np.random.default_rng(0)
    found = cluster_by_annealing(points, 2, rng, params=QUICK)
    assert check_clustering(points, found, 2) == []
    assert found.cost == 3.0
    assert sorted(found.medoids) == [2, 3]


def test_floor_rounding_and_real_weights() -> None:
    """Each distance is cut; loads keep within the tolerance."""
    rng = np.random.default_rng(2)
    points = points_of(
        100 * rng.random((40, 2)), rng.random(40), 6.0, rounding="floor"
    )
    found = cluster_by_annealing(points, 5, rng, params=QUICK)
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
    assert cluster_by_annealing(points, 1, rng).cost == 3.0
    assert cluster_by_annealing(points, 3, rng, params=QUICK).cost == 0.0


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


def test_judgement_is_exact_for_small_clusters() -> None:
    """The change that is foreseen is the change of the best medoids."""
    rng = np.random.default_rng(8)
    points = points_of(rng.random((15, 2)), np.ones(15, int), 15)
    labels = np.arange(15) % 3
    clusters = _clusters_of(points, labels, 3)
    annealing = _annealing_of(kernels.Openings(clusters, 0.0))
    before = summarize(points, labels, 3, "cpmp").cost
    assert clusters.evaluate()[0] == pytest.approx(before)
    for i, j in ((0, 1), (4, 2), (5, -1)):
        to = int(labels[j]) if j >= 0 else 0
        changed = labels.copy()
        changed[i] = to
        if j >= 0:
            changed[j] = labels[i]
        after = summarize(points, changed, 3, "cpmp").cost
        change = annealing.judge(i, j, to, 0.0)
        assert change == pytest.approx(after - before)


def _cities(num_clusters: int) -> tuple[PointSet, kernels.Clusters]:
    """Return 60 points with tight capacities, split at random."""
    rng = np.random.default_rng(3)
    coords, weights = rng.random((60, 2)), rng.integers(1, 9, 60)
    limit = 1.1 * float(weights.sum()) / num_clusters
    points, labels = points_of(coords, weights, limit), np.arange(60)
    labels = labels % num_clusters
    return points, _clusters_of(points, labels, num_clusters, 0.01)


def _total(clusters: kernels.Clusters, price: float) -> float:
    return sum(clusters.cost(k, price) for k in set(clusters.labels.tolist()))


def test_closing_and_opening_leave_a_whole_state() -> None:
    """Loads and costs agree with the labels."""
    points, clusters = _cities(12)
    openings = kernels.Openings(clusters, 0.0)
    assert openings.try_closing(4, 0.01, np.inf)
    assert clusters.spare.tolist() == [4]
    assert 4 not in clusters.labels
    assert clusters.medoids[4] == -1
    before = _total(clusters, 0.01)
    sizes = [clusters.cost(k, 0.01) for k in range(12)]
    assert openings.try_opening(7, 0.01, np.inf)
    assert clusters.labels[7] == 4
    assert np.bincount(clusters.labels, minlength=12).min() > 0
    loads = np.bincount(clusters.labels, points.weights, 12)
    over = np.maximum(loads - points.capacity, 0.0).sum()
    distance, excess = clusters.evaluate()
    assert excess == pytest.approx(over)
    assert _total(clusters, 0.01) == pytest.approx(distance + 0.01 * excess)
    # The change of what the move touched is the change of the whole.
    touched = openings.touched.tolist()
    change = sum(clusters.cost(k, 0.01) - sizes[k] for k in touched)
    assert _total(clusters, 0.01) - before == pytest.approx(change)


def test_closing_that_costs_too_much_is_undone() -> None:
    """Labels, medoids and costs are the same as before."""
    _, clusters = _cities(12)
    openings = kernels.Openings(clusters, 0.0)
    labels, medoids = clusters.labels, clusters.medoids
    before = _total(clusters, 5.0)
    for k in range(12):
        assert not openings.try_closing(k, 5.0, -1e9)
    assert clusters.labels.tolist() == labels.tolist()
    assert clusters.medoids.tolist() == medoids.tolist()
    assert len(clusters.spare) == 0
    assert _total(clusters, 5.0) == pytest.approx(before)
    assert not openings.try_opening(7, 5.0, np.inf)


def test_opening_relieves_a_cluster_that_is_too_full() -> None:
    """At a high price the new cluster starts inside the overloaded one."""
    coords = [[0.0, 0], [1, 0], [2, 0], [3, 0], [50, 0], [90, 0]]
    points = points_of(coords, [1] * 6, 2)
    clusters = _clusters_of(points, [0, 0, 0, 0, 1, 1], 3)
    assert clusters.evaluate()[1] == 2.0
    openings = kernels.Openings(clusters, 0.0)
    openings.open_somewhere(1000.0, np.random.default_rng(1))
    assert clusters.labels[4] == clusters.labels[5] == 1
    assert clusters.evaluate()[1] == 0.0


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


@pytest.mark.parametrize("objective", ["cpmp", "cccp"])
def test_clusters_that_were_empty_have_a_middle(objective: str) -> None:
    """At one place every move is free: clusters empty, and fill again."""
    points = points_of(np.ones((6, 2)), np.ones(6), 10)
    clusters = kernels.Clusters(make_problem(points, 3, objective))
    clusters.assign(np.arange(6) % 3, 1.0)
    annealing = _annealing_of(kernels.Openings(clusters, 0.1))
    rng = np.random.default_rng(4)
    for _ in range(20):
        annealing.anneal_locally(1.0, 5, rng)
        sizes = np.bincount(clusters.labels, minlength=3)
        medoids = np.array(clusters.medoids)
        assert ((medoids >= 0) == (sizes > 0)).all()


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
    assert sums[clusters.medoids[0]] <= 1.001 * sums.min()


def _trio() -> kernels.Clusters:
    """Return three points without clusters."""
    return kernels.Clusters(_problem_of())


def _problem_of(size: int = 3, **sizes: Any) -> kernels.Problem:
    """Return points of weight 1, or of sizes that do not fit."""
    near = np.array(sizes.get("near", ((1,), (2,), (0,))))
    matrix = sizes.get("matrix", 0)
    return kernels.Problem(
        np.zeros((size, 2)),
        np.zeros((matrix, matrix)),
        rounds_down=False,
        uses_means=False,
        limits=limits_by(
            np.ones(sizes.get("weights", size)),
            np.ones(sizes.get("limits", 2)),
        ),
        point_limits=np.ones(sizes.get("point_limits", size)),
        near=near,
    )


def _pair() -> kernels.Openings:
    """Return three points in two clusters."""
    clusters = _trio()
    clusters.assign(np.array([0, 0, 1]), 1.0)
    return kernels.Openings(clusters, 1.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: _problem_of(0, near=np.zeros((0, 1), int)),
        lambda: _problem_of(weights=2),
        lambda: _problem_of(point_limits=4),
        lambda: _problem_of(limits=0),
        lambda: _problem_of(matrix=2),
        lambda: _problem_of(near=((1,), (2,))),
        lambda: _problem_of(near=((1,), (2,), (3,))),
        lambda: _problem_of(near=np.zeros((3, 0), int)),
        lambda: _trio().assign(np.zeros(2, int), 1.0),
        lambda: _trio().assign(np.array([0, 1, 2]), 1.0),
        lambda: _trio().assign(np.array([0, 1, -1]), 1.0),
        lambda: _trio().evaluate(),
        lambda: _trio().cost(2, 1.0),
        lambda: kernels.Openings(_trio(), 1.0).try_closing(0, 1.0, 1.0),
        lambda: _pair().try_closing(2, 1.0, 1.0),
        lambda: _pair().try_opening(3, 1.0, 1.0),
        lambda: _annealing_of(_pair()).judge(3, -1, 0, 1.0),
        lambda: _annealing_of(_pair()).judge(0, -1, 2, 1.0),
        lambda: _annealing_of(_pair()).judge(0, 1, 1, 1.0),
        lambda: _annealing_of(kernels.Openings(_trio(), 1.0)).anneal(
            1.0, 1.0, 1, np.random.default_rng(1)
        ),
        lambda: _annealing_of(kernels.Openings(_trio(), 1.0)).anneal_locally(
            1.0, 1, np.random.default_rng(1)
        ),
    ],
)
def test_sizes_that_do_not_fit_are_refused(
    call: Callable[[], object],
) -> None:
    """Each would read or write outside of an array."""
    with pytest.raises(ValueError, match=r"\.$"):
        call()
