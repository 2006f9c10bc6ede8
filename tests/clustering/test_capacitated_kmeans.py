"""Capacitated k-means through its public door."""

import numpy as np
import pytest

from ncc_routing.ccp.num_clusters import fewest_clusters
from ncc_routing.clustering.capacitated_kmeans import (
    INITS,
    KMeansParams,
    capacitated_kmeans,
    describe,
)
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.problems.points import PointSet


@pytest.fixture
def groups() -> PointSet:
    """Three groups of four unit weights around (0, 0), (9, 0) and (0, 9)."""
    offsets = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    middles = np.array([[0, 0], [9, 0], [0, 9]])
    coords = (middles[:, None] + offsets[None]).reshape(-1, 2)
    return PointSet(coords, np.ones(12, dtype=int), 4)


@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize(
    ("assignment", "last_fraction", "num_samples"),
    [
        ("sorted", 0.0, 1),
        ("cyclic", 0.0, 1),
        ("cyclic", 0.5, 1),
        ("cyclic", 0.5, 4),
        ("regret", 0.0, 1),
    ],
)
def test_separate_groups_are_found(
    groups: PointSet,
    init: str,
    assignment: str,
    last_fraction: float,
    num_samples: int,
) -> None:
    """Every algorithm respects the capacity; each group has inertia 2."""
    params = KMeansParams(
        init=init,
        assignment=assignment,
        last_fraction=last_fraction,
        num_samples=num_samples,
        num_starts=20,
    )
    found = capacitated_kmeans(
        groups, 3, params=params, rng=np.random.default_rng(1)
    )
    assert found.loads.tolist() == [4, 4, 4]
    # The paper's priority is not k-means' own: optimal from good seeds only.
    if assignment == "regret" and init != "topk":
        assert found.inertia == pytest.approx(6.0)
    assert found.inertia >= 6.0 - 1e-9


def test_the_same_seed_gives_the_same_clustering(groups: PointSet) -> None:
    """Randomness comes from the generator alone."""
    labels = [
        capacitated_kmeans(groups, 3, rng=np.random.default_rng(5)).labels
        for _ in range(2)
    ]
    assert (labels[0] == labels[1]).all()


def test_integer_capacities_are_exact() -> None:
    """Three unit weights fill capacity 3: thirds in float would not fit."""
    coords = np.random.default_rng(2).random((219, 2))
    points = PointSet(coords, np.ones(219, dtype=int), 3)
    found = capacitated_kmeans(points, 73, rng=np.random.default_rng(1))
    assert found.loads.tolist() == [3] * 73


def test_the_depot_pulls_the_centers(groups: PointSet) -> None:
    """With a depot the algorithm still returns plain means as centers."""
    found = capacitated_kmeans(
        groups, 3, depot=np.array([4.0, 4.0]), rng=np.random.default_rng(1)
    )
    for k, members in enumerate(found.members()):
        mean = groups.coords[members].mean(axis=0)
        assert found.centers[k] == pytest.approx(mean)
        assert found.medoids[k] in members


def test_too_few_clusters_are_infeasible(groups: PointSet) -> None:
    """Two clusters of capacity 4 cannot take twelve points."""
    with pytest.raises(InfeasibleError, match="2 clusters"):
        capacitated_kmeans(groups, 2, rng=np.random.default_rng(1))


@pytest.mark.parametrize("num_clusters", [0, 13])
def test_number_of_clusters_out_of_range(
    groups: PointSet, num_clusters: int
) -> None:
    """K lies between one and the number of points."""
    with pytest.raises(ParameterError, match="num_clusters"):
        capacitated_kmeans(groups, num_clusters, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("init", "kmeans"),
        ("assignment", "greedy"),
        ("last_fraction", 1.5),
        ("num_samples", 0),
        ("num_starts", 0),
        ("max_iterations", 0),
    ],
)
def test_wrong_parameters_are_refused(field: str, value: object) -> None:
    """The message names the parameter."""
    with pytest.raises(ParameterError, match=field):
        KMeansParams(**{field: value})


def test_search_for_the_number_of_clusters_goes_upwards() -> None:
    """Weights 3, 3, 3 with capacity 5 need three clusters, not ceil(9/5)."""
    points = PointSet(np.eye(3)[:, :2], np.array([3, 3, 3]), 5)
    found = fewest_clusters(
        points,
        lambda k: capacitated_kmeans(points, k, rng=np.random.default_rng(1)),
    )
    assert found.num_clusters == 3


def test_search_for_the_number_of_clusters_can_fail(groups: PointSet) -> None:
    """A clusterer that never succeeds is reported, not retried for ever."""

    def refuse(num_clusters: int) -> None:
        raise InfeasibleError(f"{num_clusters}")

    with pytest.raises(InfeasibleError, match="no number"):
        fewest_clusters(groups, refuse)


def test_describe_keeps_the_center_of_an_empty_cluster() -> None:
    """Labels 0, 0 of two clusters: the second is empty and has no medoid."""
    points = PointSet([[0, 0], [2, 0]], np.array([1, 1]), 2)
    found = describe(points, np.array([0, 0]), np.array([[5.0, 5], [6, 6]]))
    assert found.centers.tolist() == [[1.0, 0.0], [6.0, 6.0]]
    assert found.medoids.tolist() == [0, -1]
    assert found.inertia == pytest.approx(2.0)
