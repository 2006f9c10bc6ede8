"""Capacitated k-means as its callers use it, and figures by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import numpy as np
import pytest

from ncc_routing import InfeasibleError, ParameterError, check_clustering
from ncc_routing.ccp.num_clusters import fewest_clusters
from ncc_routing.clustering.capacitated_kmeans import (
    ASSIGNMENTS,
    INITS,
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.objectives import (
    inertia_of,
    spectral_inertia,
    summarize,
)
from ncc_routing.clustering.priority import (
    Priority,
    PriorityFormula,
    RegretPriority,
    formula_of,
)
from ncc_routing.stop import TimeLimit
from tests.ccp.points import points_of

if TYPE_CHECKING:
    from ncc_routing import PointSet
    from ncc_routing.problems.ccp.clusters import Clustering


def clustered(
    points: PointSet, num_clusters: int, seed: int = 1, **more: Any
) -> Clustering:
    """Run capacitated k-means with a seed."""
    rng = np.random.default_rng(seed)
    return capacitated_kmeans(points, num_clusters, rng=rng, **more)


@pytest.fixture
def groups() -> PointSet:
    """Three groups of four unit weights around (0, 0), (9, 0) and (0, 9)."""
    offsets = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    middles = np.array([[0, 0], [9, 0], [0, 9]])
    coords = (middles[:, None] + offsets[None]).reshape(-1, 2)
    return points_of(coords, np.ones(12, dtype=int), 4)


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
    params = KMeansParams(init, assignment, last_fraction, num_samples, 20)
    found, again = (clustered(groups, 3, params=params) for _ in range(2))
    assert found.labels.tolist() == again.labels.tolist()
    assert found.loads.tolist() == [4, 4, 4]
    # The paper's priority is not k-means' own: optimal from good seeds only.
    if assignment == "regret" and init != "topk":
        assert found.inertia == pytest.approx(6.0)
    assert found.inertia >= 6.0 - 1e-9


def test_integer_capacities_are_exact() -> None:
    """Three unit weights fill capacity 3: thirds in float would not fit."""
    coords = np.random.default_rng(2).random((219, 2))
    found = clustered(points_of(coords, np.ones(219, dtype=int), 3), 73)
    assert found.loads.tolist() == [3] * 73


def test_the_depot_pulls_the_centers(groups: PointSet) -> None:
    """With a depot the algorithm still returns plain means as centers."""
    found = clustered(groups, 3, depot=np.array([4.0, 4.0]))
    for k, members in enumerate(found.members()):
        mean = groups.coords[members].mean(axis=0)
        assert found.centers[k] == pytest.approx(mean)
        assert found.medoids[k] in members


def test_what_cannot_work_is_refused(groups: PointSet) -> None:
    """Twelve points do not fit two capacities of 4; K may be 1 to 12."""
    with pytest.raises(InfeasibleError, match="2 clusters"):
        clustered(groups, 2)
    for count in (0, 13):
        with pytest.raises(ParameterError, match="num_clusters"):
            clustered(groups, count)
    wrong: dict[str, Any] = {
        "init": "kmeans",
        "assignment": "greedy",
        "num_samples": 0,
    }
    for field, value in wrong.items():
        with pytest.raises(ParameterError, match=field):
            KMeansParams(**{field: value})


def test_search_for_the_number_of_clusters_can_fail(groups: PointSet) -> None:
    """A clusterer that never succeeds is reported, not retried for ever."""
    refuse = Mock(side_effect=InfeasibleError("never"))
    with pytest.raises(InfeasibleError, match="never"):
        fewest_clusters(groups, refuse)


@pytest.mark.numeric
def test_spectral_figure_is_the_scatter_along_the_main_axis() -> None:
    """A cross with arms 2 and 1: inertia 8 + 2, spectral 8."""
    points = points_of([[2.0, 0], [-2, 0], [0, 1], [0, -1]], [1] * 4, 4)
    found = summarize(points, np.zeros(4, int), 1, "inertia")
    assert found.inertia == 10.0
    assert spectral_inertia(points, found) == pytest.approx(8.0)


def test_inertia_with_a_depot_as_the_released_code_has_it() -> None:
    """Two points at 2 and 4 with the depot at 0: the mean is 2."""
    coords, labels = np.array([[2.0, 0.0], [4.0, 0.0]]), np.zeros(2, int)
    assert inertia_of(coords, labels, 2) == pytest.approx(2.0)
    depot = np.zeros(2)
    assert inertia_of(coords, labels, 2, depot) == pytest.approx(0 + 4 - 4)


@pytest.mark.parametrize("num_dims", [1, 2, 3])
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_any_number_of_dimensions(num_dims: int, assignment: str) -> None:
    """Two groups, apart along the last axis, of inertia 2 * 1 / 2 each."""
    coords = np.zeros((4, num_dims))
    coords[:, -1] = [0, 1, 10, 11]
    points = points_of(coords, [1, 1, 1, 1], 2)
    found = clustered(
        *(points, 2),
        priority=RegretPriority(),
        params=KMeansParams(assignment=assignment, last_fraction=0.5),
        depot=np.zeros(num_dims),
    )
    assert check_clustering(points, found, 2) == []
    assert found.labels[0] == found.labels[1] != found.labels[2]
    assert found.inertia == pytest.approx(1.0)


def test_a_passed_deadline_ends_after_the_first_feasible_round(
    groups: PointSet,
) -> None:
    """The answer is that of one round; it is not where eight starts end."""
    once = KMeansParams(num_starts=1, max_iterations=1, init="random")
    usual, end = KMeansParams(init="random"), TimeLimit(0.0)
    late = clustered(groups, 3, seed=3, params=usual, deadline=end)
    one = clustered(groups, 3, seed=3, params=once)
    assert late.labels.tolist() == one.labels.tolist()


def test_a_late_start_goes_on_until_a_round_is_feasible() -> None:
    """3 + 3 and 2 + 2 + 2: one round alone fails for some seeds."""
    points = points_of([[0.0], [5], [6], [9], [12]], [3, 3, 2, 2, 2], 6)
    once = KMeansParams(num_starts=1, max_iterations=1)

    def places(seed: int, params: KMeansParams, seconds: float | None) -> bool:
        try:
            clustered(
                points, 2, seed, params=params, deadline=TimeLimit(seconds)
            )
        except InfeasibleError:
            return False
        return True

    failing = [seed for seed in range(30) if not places(seed, once, None)]
    assert any(places(seed, KMeansParams(), 0.0) for seed in failing)


def fixed(formula: PriorityFormula) -> Any:
    """Return a priority that hands out a given formula."""
    return SimpleNamespace(formula=lambda: formula)


PARTNERS = PriorityFormula(
    neighbours=np.array([[2], [3], [0], [1]]),
    affinity=np.zeros((4, 1)),
    far_affinity=-1.0,
    affinity_weight=100.0,
    distance_weight=1.0,
)
"""Given pairs belong together, then the near."""


@pytest.mark.parametrize(
    ("priority", "labels"),
    [(RegretPriority(), [0, 1, 1, 0]), (fixed(PARTNERS), [0, 1, 0, 1])],
)
def test_a_priority_of_ones_own_decides(
    priority: Priority, labels: list[int]
) -> None:
    """Seeds 0 and 1: by distance 3 joins 0, by what a user likes 2 does."""
    points = points_of([[0.0], [10], [11], [1]], [1, 1, 1, 1], 2)
    params = KMeansParams(init="topk", num_starts=1, max_iterations=1)
    found = clustered(points, 2, priority=priority, params=params)
    assert found.labels.tolist() == labels


@pytest.mark.parametrize(
    ("neighbours", "affinity", "rule"),
    [
        (np.empty((0, 0)), np.empty((0, 0)), "must have 4 rows"),
        (np.zeros((4, 2)), np.empty((0, 0)), "one shape"),
        (np.full((4, 1), 4), np.zeros((4, 1)), r"0\.\.3"),
    ],
)
def test_a_wrong_table_of_affinities_is_refused(
    neighbours: np.ndarray, affinity: np.ndarray, rule: str
) -> None:
    """Its rows, its shape, and the points that it lists."""
    formula = PriorityFormula(neighbours, affinity, affinity_weight=1.0)
    with pytest.raises(ParameterError, match=rule):
        formula_of(fixed(formula), 4, has_depot=False)


def test_no_customer_has_an_affinity_to_the_depot() -> None:
    """Point 0 is the depot: its row may say anything, the others not 0."""
    near = np.array([[0], [2], [1]])
    given = PriorityFormula(near, np.zeros((3, 1)), affinity_weight=1.0)
    found = formula_of(fixed(given), 3, has_depot=True)
    assert found.neighbours.tolist() == near.tolist()
    near[2] = 0
    with pytest.raises(ParameterError, match=r"1\.\.2"):
        formula_of(fixed(given), 3, has_depot=True)
