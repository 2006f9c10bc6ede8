"""Limits of clusters beyond one capacity, against every partition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import check_clustering
from ncc_routing.problems.features import OBJECTIVES
from tests.oracles.brute_force_clusters import cheapest_clusters
from tests.robustness.support import seeds

LINE = np.array([[0.0], [1], [2], [10], [11], [30]])
"""Two groups on a line, and one point apart."""


def small_problem(seed: int) -> tuple[nr.PointSet, int]:
    """Return up to nine points with limits drawn at random."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 10))
    count = int(rng.integers(1, min(4, size) + 1))
    coords = rng.random((size, int(rng.integers(1, 4))))
    if seed % 3 == 0:  # some coincide
        coords = rng.integers(0, 4, coords.shape).astype(float)
    num_weights = int(rng.choice([1, 2]))
    weights = rng.integers(0, 6, (size, num_weights))
    mean = weights.sum(axis=0) / count
    limits: dict[str, Any] = {}
    if rng.random() < 0.6:
        limits["capacity"] = np.ceil(mean * rng.uniform(1.0, 2.0, num_weights))
        # No point is heavier than what a cluster holds.
        weights = np.minimum(weights, limits["capacity"].astype(int))
    if rng.random() < 0.4:
        limits["min_load"] = np.floor(mean * rng.uniform(0, 1, num_weights))
    if rng.random() < 0.4:
        limits["min_size"] = rng.integers(0, size // count + 2, count)
    if rng.random() < 0.4:
        least = int(np.max(limits.get("min_size", 1)))
        limits["max_size"] = int(rng.integers(least, size + 2)) or 1
    if rng.random() < 0.2:
        limits["tolerance"] = float(rng.uniform(0.05, 0.8))
    if num_weights == 1:
        weights = weights[:, 0]
        for name in ("capacity", "min_load"):
            if name in limits:
                limits[name] = limits[name][0].item()
    return nr.PointSet.from_arrays(coords, weights, **limits), count


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_problems_are_solved_as_by_every_partition(
    objective: str,
) -> None:
    """Sixty problems: the optimum, or an error where nothing is feasible."""
    for seed in seeds(60, step=3):
        points, count = small_problem(seed)
        best = cheapest_clusters(points, count, objective)
        try:
            found = nr.cluster(points, count, objective=objective)
        except (nr.InfeasibleError, nr.InstanceError):
            assert best == np.inf, f"seed {seed} is feasible"
            continue
        assert check_clustering(points, found, count) == []
        assert found.cost == pytest.approx(best, abs=1e-9), f"seed {seed}"


def test_limits_by_weight_are_taken_from_any_points() -> None:
    """A table and points have one for each weight, as an array has."""
    weights = np.array([[1, 3], [1, 3], [1, 1], [1, 1], [1, 1], [1, 1]])
    table = {
        "x": LINE[:, 0],
        "y": np.zeros(6),
        "weight": weights[:, 0],
        "weight 2": weights[:, 1],
    }
    loads = []
    for points, more in (
        (LINE, weights),
        (table, None),
        (nr.PointSet.from_arrays(LINE, weights, [9, 9]), None),
    ):
        found = nr.cluster(points, 3, [4, 4], more, min_load=[1, 3])
        loads.append(sorted(found.loads_by_weight.tolist()))
    assert loads == [[[1, 3], [2, 4], [3, 3]]] * 3
    free = nr.PointSet.from_arrays(LINE, weights, [9, 3])
    assert free.limited([np.inf, 7]).capacity == 6
    with pytest.raises(nr.InstanceError, match="must be 2 numbers"):
        free.limited(9)
    with pytest.raises(nr.InstanceError, match="from_arrays takes several"):
        nr.PointSet(LINE, weights, 9)


@pytest.mark.parametrize(
    ("limits", "sizes"),
    [
        ({"max_size": 6}, [3, 2, 1]),
        ({"min_size": 2}, [2, 2, 2]),
        ({"min_size": 2, "max_size": 2}, [2, 2, 2]),
        ({"tolerance": 0.5}, [3, 2, 1]),
        ({"tolerance": 0.49}, [2, 2, 2]),
        ({"min_load": 2}, [2, 2, 2]),
        ({"min_size": [1, 1, 3]}, [1, 2, 3]),
        ({"capacity": [3, 2, 1]}, [3, 2, 1]),
    ],
)
def test_each_limit_counts(limits: dict[str, Any], sizes: list[int]) -> None:
    """Three clusters on a line: 3, 2 and 1 points without a limit."""
    found = nr.cluster(LINE, 3, **limits)
    assert sorted(np.bincount(found.labels)) == sorted(sizes)


def test_several_weights_are_limited_together() -> None:
    """Two heavy points at 0 and 1 and two dear ones at 10 and 11."""
    coords = np.array([[0.0], [1], [10], [11]])
    weights = np.array([[2, 1], [2, 1], [1, 2], [1, 2]])
    near = nr.cluster(coords, 2, weights=weights, capacity=[4, 4])
    assert near.labels[0] == near.labels[1]
    apart = nr.cluster(coords, 2, weights=weights, capacity=[3, np.inf])
    assert apart.labels[0] != apart.labels[1]
    balanced = nr.cluster(coords, 2, weights=weights, min_load=[0, 3])
    assert balanced.labels[0] != balanced.labels[1]


@pytest.mark.parametrize(
    ("rule", "limits", "count"),
    [
        ("fewest", {"max_size": 2}, 3),
        ("most", {"min_size": 2}, 3),
        ("most", {"min_load": 4}, 1),
        ("fewest", {"capacity": 4, "min_size": 3}, 2),
    ],
)
def test_number_of_clusters_is_free(
    rule: str, limits: dict[str, Any], count: int
) -> None:
    """Six points of weight 1."""
    assert nr.cluster(LINE, rule, **limits).num_clusters == count


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_size": 3}, "min_size cannot hold: 3 clusters need 9 in all"),
        ({"max_size": 1}, "max_size cannot hold: 3 clusters hold 3 in all"),
        ({"min_load": 2.5}, "min_load cannot hold: 3 clusters need 9 in all"),
        (
            {"capacity": [9, 1], "weights": [[1, 1]] * 6},
            "capacity of weight 2 cannot hold: 3 clusters hold 3 in all",
        ),
        ({"tolerance": 0.1, "weights": [1, 1, 1, 1, 1, 2]}, "no load of"),
        ({"tolerance": 0.4, "weights": [5, 1, 1, 1, 1, 1]}, "point 0 has 5"),
        ({"min_load": 3, "max_size": 2, "capacity": 6}, "min_load cannot"),
        (
            {"min_load": 5, "weights": [3, 3, 3, 3, 3, 1]},
            "no way to place every point in 3 clusters of capacity 16 with",
        ),
    ],
)
def test_a_limit_that_cannot_hold_is_named(
    limits: dict[str, Any], message: str
) -> None:
    """Six points in three clusters."""
    if "weights" in limits:
        limits = {**limits, "weights": np.array(limits["weights"])}
    with pytest.raises(nr.InfeasibleError, match=message):
        nr.cluster(LINE, 3, **limits)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"min_size": -1}, "min_size: must not be negative, got -1"),
        ({"max_size": 1.5}, "max_size: must be whole numbers, got 1.5"),
        ({"min_size": 3, "max_size": 2}, "min_size: must not exceed max_size"),
        ({"tolerance": -0.1}, "tolerance: must not be negative"),
        ({"min_load": np.nan}, "min_load: must be finite"),
        ({"min_load": [[1]]}, "min_load: must be one number, or one for each"),
        ({"min_size": [1, 2]}, "num_clusters: must be 2, one for each min_"),
        ({"capacity": [1] * 7}, "capacities: must be 1 to 6 numbers, got 7"),
    ],
)
def test_wrong_limits_are_refused(
    limits: dict[str, Any], message: str
) -> None:
    """The error names field, rule and value."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.cluster(LINE, 3, **limits)


def test_weights_without_their_limits_are_refused() -> None:
    """Two weights need two capacities."""
    with pytest.raises(nr.InstanceError, match="must be 2 numbers"):
        nr.cluster(LINE, 3, weights=np.ones((6, 2)), capacity=[3])


def test_methods_without_limits_refuse_them() -> None:
    """A limit is never ignored."""
    with pytest.raises(
        nr.UnsupportedProblemError, match="minimum loads, size limits"
    ):
        nr.cluster(LINE, 3, min_size=2, method="gb21")


@pytest.mark.parametrize("num_dims", [2, 8])
def test_many_points_keep_both_limits(num_dims: int) -> None:
    """3,200 points in 32 clusters of 95 to 105; from 3,001 on prices do it."""
    coords = np.random.default_rng(1).random((3200, num_dims)) ** 2
    stop = nr.stop.MaxIterations(3)
    found = nr.cluster(coords, 32, stop=stop, min_size=95, max_size=105)
    sizes = np.bincount(found.labels)
    assert sizes.min() >= 95
    assert sizes.max() <= 105
    free = nr.cluster(coords, 32, stop=stop, max_size=3200)
    assert free.cost <= found.cost <= 1.2 * free.cost


def test_a_result_keeps_its_limits_in_json() -> None:
    """Written and read again, the limits are those of the points."""
    weights = np.column_stack([np.ones(6, int), np.arange(6)])
    found = nr.cluster(
        LINE, 3, [3, np.inf], weights, min_size=2, tolerance=0.9
    )
    again = type(found).from_json(found.to_json())
    assert again.points.min_size == 2
    assert again.points.tolerance == 0.9
    assert again.points.other_limits[0][2] == np.inf


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_clusters_spread_over_islands_of_points(seed: int) -> None:
    """Of ten clusters of 13 to 17 points, three have the island of 50.

    Any others have points of both islands, at six times the inertia.
    """
    rng = np.random.default_rng(7)
    island = np.repeat([0, 1], [50, 100])
    centers = 12.0 * rng.normal(size=(2, 4))
    places = rng.normal(size=(150, 4)) + centers[island]
    found = nr.cluster(places, 10, min_size=13, max_size=17, seed=seed)
    on_first = np.bincount(found.labels[island == 0], minlength=10)
    sizes = np.bincount(found.labels, minlength=10)
    assert sorted(on_first)[-4:] == [0, 16, 17, 17]
    assert ((on_first == 0) | (on_first == sizes)).all()
