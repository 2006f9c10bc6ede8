"""Clusters of points that coincide, against a look at every partition."""

from __future__ import annotations

from math import inf, isclose, sqrt
from typing import Any, Final

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import PointSet
from ncc_routing.ccp.result import ClusterResult
from ncc_routing.clustering.starts import MOST_TRIED
from ncc_routing.problems.features import OBJECTIVES
from tests.ccp.points import points_of
from tests.oracles.brute_force_clusters import cheapest_clusters
from tests.robustness.support import seeds

LEAST_OPTIMAL: Final = 0.99
"""Share of them that are solved to the optimum."""


def random_points(seed: int, objective: str) -> tuple[PointSet, int]:
    """Return up to seven points, many at one place, and a number."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 8))
    count = int(rng.integers(1, size + 1))
    span = (1, 2, 4, 16, 1000)[rng.integers(5)]
    coords = rng.integers(0, span + 1, (size, 2)).astype(float)
    if rng.random() < 0.5:
        coords = coords[rng.integers(0, size, size)]
    least = 0 if rng.random() < 0.5 else 1
    most = (1, 2, 5, 9)[rng.integers(4)]
    weights: np.ndarray = rng.integers(least, most + 1, size)
    if rng.random() < 0.25:
        weights = weights * 0.1
    heaviest = float(weights.max())
    room = float(weights.sum()) / count * rng.choice([1.0, 1.1, 1.3, 2.0])
    capacity: float = max(heaviest, room)
    if weights.dtype.kind == "i":
        capacity = int(np.ceil(capacity))
    more: dict[str, Any] = {}
    kind, is_cpmp = rng.integers(4), objective == "cpmp"
    if kind == 0 and is_cpmp:
        more["point_capacities"] = _capacities(rng, size, capacity, heaviest)
    elif kind == 1:
        more["capacities"] = _capacities(rng, count, capacity, heaviest)
        more["num_clusters"] = count
    elif kind == 2 and is_cpmp and rng.random() < 0.3:
        more["matrix"] = rng.integers(0, 4, (size, size)).astype(float)
        np.fill_diagonal(more["matrix"], 0.0)
    if rng.random() < 0.1 and is_cpmp and "matrix" not in more:
        more["rounding"] = "floor"
    return PointSet(coords, weights, capacity, **more), count


def _capacities(
    rng: np.random.Generator, count: int, capacity: float, heaviest: float
) -> np.ndarray:
    """Return different capacities of which one holds the heaviest point."""
    found = rng.integers(0, max(2, 2 * int(capacity) + 1), count)
    if found.max() < heaviest:
        found[rng.integers(count)] = int(np.ceil(heaviest))
    return found


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_random_clusters_are_the_best(objective: str) -> None:
    """Costs are right, what has a solution gets one, mostly the best."""
    num_solvable = num_optimal = 0
    for seed in seeds(1000):
        points, count = random_points(seed, objective)
        best = cheapest_clusters(points, count, objective)
        if best == inf:
            with pytest.raises((nr.InfeasibleError, nr.InstanceError)):
                nr.cluster(points, count, objective=objective, seed=1)
            continue
        found = nr.cluster(points, count, objective=objective, seed=1)
        assert nr.check_clustering(points, found) == [], seed
        is_optimal = isclose(found.cost, best, rel_tol=1e-9, abs_tol=1e-9)
        assert is_optimal or found.cost > best, seed
        num_solvable += 1
        num_optimal += is_optimal
    allowed = max(1.0, (1.0 - LEAST_OPTIMAL) * num_solvable)
    assert num_solvable - num_optimal <= allowed


def test_as_many_clusters_as_places() -> None:
    """The first cost is 0: (14, 14) twice, one moves or carries (15, 4)."""
    points = points_of(
        [[14, 14], [14, 14], [11, 6], [15, 4]],
        [4, 3, 1, 4],
        10,
        point_capacities=[10, 7, 2, 2],
    )
    found = nr.cluster(points, 3, objective="cpmp", seed=1)
    assert found.cost == pytest.approx(sqrt(101))


def buildings(num_flats: int, shift: float) -> PointSet:
    """Return the flats of twenty buildings, each moved by about a shift."""
    rng = np.random.default_rng(1)
    places = rng.integers(0, 1000, (20, 2)).astype(float)
    coords = np.repeat(places, num_flats, axis=0)
    coords = coords + shift * rng.standard_normal(coords.shape)
    weights = rng.integers(1, 10, len(coords))
    return PointSet(coords, weights, int(np.ceil(weights.sum() / 20)))


@pytest.mark.parametrize("num_flats", [10, 40])
def test_flats_at_one_place_are_like_flats_apart(num_flats: int) -> None:
    """A millimetre more or less hardly matters for the cost."""
    exact, moved = (
        nr.cluster(
            buildings(num_flats, shift), 20, objective="cpmp", seed=1
        ).cost
        for shift in (0.0, 1e-3)
    )
    assert exact <= 1.05 * moved


def test_a_tower_is_no_world_of_its_own() -> None:
    """Twenty of its 60 flats go next door, the nearest with room."""
    coords = [[0, 0]] * 60 + [[10, 0]] * 20 + [[100, 0]] * 40
    points = points_of(coords, np.ones(120, dtype=np.int64), 40)
    found = nr.cluster(points, 3, objective="cpmp", seed=1)
    assert found.cost == pytest.approx(200.0)


def test_impossible_is_said_where_it_is_proven() -> None:
    """Two points of weight 2 never share a capacity of 3."""
    for size, words in (
        (MOST_TRIED, "no way to place every point in .* exists"),
        (MOST_TRIED + 1, "found no way to place every point in"),
    ):
        count = size - 1
        points = points_of(
            np.arange(2.0 * size).reshape(-1, 2), np.full(size, 2), 3
        )
        for objective in OBJECTIVES:
            with pytest.raises(nr.InfeasibleError, match=words):
                nr.cluster(points, count, objective=objective)


def test_a_proof_is_no_walk_through_all_partitions() -> None:
    """Ten points have 116,000, for each number of clusters from 2 to 10."""
    coords = np.arange(2.0 * MOST_TRIED).reshape(-1, 2)
    most = [5, 4] + [0] * (MOST_TRIED - 2)
    points = points_of(
        coords, np.ones(MOST_TRIED, dtype=np.int64), 5, point_capacities=most
    )
    with pytest.raises(nr.InfeasibleError, match=r"in 10 clusters .* exists"):
        nr.cluster(points, objective="cpmp", time_limit=1.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["ckm", "ncc", "ncc-paper"])
def test_points_without_weight_need_no_capacity(method: str) -> None:
    """Nothing of nothing is no share."""
    points = points_of([[0, 0], [0, 0], [9, 0]], np.zeros(3), 0.0)
    found = nr.cluster(points, 2, objective="cpmp", method=method, seed=1)
    assert found.cost == 0.0


def test_no_number_of_clusters_fits() -> None:
    """No medoid can carry point 1 of weight 3, not even beside point 0."""
    points = points_of([[0, 0], [1, 0]], [1, 3], 3, point_capacities=[3, 2])
    rule = "no way to place every point in 2 clusters of capacity 3 exists"
    with pytest.raises(nr.InfeasibleError, match=rule):
        nr.cluster(points, objective="cpmp")


def test_the_total_capacity_is_the_stated_one() -> None:
    """The tolerance of a sum of real weights is not part of it."""
    points = points_of(np.zeros((9, 2)), np.full(9, 9.5), 10.0)
    with pytest.raises(nr.InstanceError, match="total capacity 80'"):
        nr.cluster(points, 8)


def test_one_cluster_and_one_start_are_no_plural() -> None:
    """In messages and in the summary."""
    points = points_of([[0, 0], [1, 0], [2, 0]], [2, 2, 2], 3)
    with pytest.raises(nr.InstanceError, match="got '1 cluster of total"):
        nr.cluster(points, 1)
    params = nr.ClusterParams("capkmeans", kmeans={"num_starts": 1})
    with pytest.raises(nr.InfeasibleError, match="1 start found no way"):
        nr.cluster(points, 2, params=params)
    alone = nr.cluster(np.zeros((1, 2)), 1, capacity=1)
    assert "1 point, capacity 1" in alone.summary()


LONLAT: Final = np.array([[20.0, 50.0], [20.2, 50.2], [20.4, 50.1]])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_centers_lie_where_the_points_do(objective: str) -> None:
    """Longitude and latitude in the result, its JSON and its table."""
    points = PointSet.from_lonlat(LONLAT, np.ones(3), 3)
    found = nr.cluster(points, 1, objective=objective)
    expected = LONLAT[1] if objective == "cpmp" else LONLAT.mean(axis=0)
    assert found.centers == pytest.approx(expected[None], abs=1e-9)
    again = ClusterResult.from_json(found.to_json())
    assert (again.centers == found.centers).all()
    frame = found.to_dataframe()
    assert frame[["lon", "lat"]].to_numpy().tolist() == LONLAT.tolist()


def test_a_center_on_the_other_side_of_the_date_line() -> None:
    """Between 179 and -177 lies -179."""
    lonlat = np.array([[179.0, 10.0], [-177.0, 10.0]])
    points = PointSet.from_lonlat(lonlat, np.ones(2), 2)
    found = nr.cluster(points, 1)
    assert found.centers == pytest.approx(np.array([[-179.0, 10.0]]))


def test_pictures_use_the_map_in_metres() -> None:
    """A center lies among its points in every picture."""
    from ncc_routing.plotting import plot_clusters
    from ncc_routing.plotting.svg import clusters_svg

    points = PointSet.from_lonlat(LONLAT, np.ones(3), 3)
    flat = PointSet(points.coords, np.ones(3), 3)
    ours, plain = nr.cluster(points, 1), nr.cluster(flat, 1)
    assert clusters_svg(points, ours) == clusters_svg(flat, plain)
    one, other = (
        np.asarray(figure.axes[0].collections[-1].get_offsets())
        for figure in (plot_clusters(points, ours), plot_clusters(flat, plain))
    )
    np.testing.assert_allclose(one, other, atol=1e-3)
