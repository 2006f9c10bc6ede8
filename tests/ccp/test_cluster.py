"""cluster() and the table of methods."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.ccp.methods import CLUSTER_METHODS
from ncc_routing.ccp.solve import cluster, fewest_by_random
from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    ParameterError,
)
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.constants import CLUSTER_METHOD_NAMES
from ncc_routing.problems.points import PointSet

COORDS = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])


def test_names_and_methods_agree() -> None:
    """What the shell offers is what there is."""
    assert set(CLUSTER_METHODS) == set(CLUSTER_METHOD_NAMES)


@pytest.mark.parametrize("method", CLUSTER_METHOD_NAMES)
def test_every_method_by_name(method: str) -> None:
    """Two corners of three points each, with room for four."""
    found = cluster(COORDS, 2, 4, method=method, time_limit=5.0)
    assert found.num_clusters == 2
    assert found.loads.max() <= 4


@pytest.mark.parametrize("objective", ["inertia", "cccp", "cpmp"])
def test_every_objective(objective: str) -> None:
    """The corners are found; the sums are computed by hand."""
    found = cluster(COORDS, 2, 3, objective=objective)
    corner = {
        "inertia": 4 / 3,
        "cccp": (np.sqrt(2) + 2 * np.sqrt(5)) / 3,
        "cpmp": 2.0,
    }
    assert found.cost == pytest.approx(2 * corner[objective])


def test_number_of_clusters_is_chosen() -> None:
    """Six points at three a cluster: two clusters at least."""
    assert cluster(COORDS, capacity=3).num_clusters == 2
    assert cluster(COORDS, "random", 3).num_clusters == 2
    points = PointSet(COORDS, np.full(6, 2), 3)
    assert points.min_num_clusters == 4
    assert cluster(points).num_clusters == 6
    assert fewest_by_random(points) == 6


def test_clear_errors_before_any_work() -> None:
    """Each message names the culprit."""
    with pytest.raises(ParameterError, match="capacity"):
        cluster(COORDS, 2)
    with pytest.raises(ParameterError, match="colour"):
        cluster(COORDS, 2, 3, colour="red")
    with pytest.raises(ParameterError, match="method"):
        cluster(COORDS, 2, 3, method="magic")
    with pytest.raises(ParameterError, match="objective"):
        cluster(COORDS, 2, 3, objective="beauty")
    with pytest.raises(InstanceError, match="num_clusters"):
        cluster(COORDS, 1, 3)
    with pytest.raises(InstanceError, match="weights"):
        cluster(COORDS, 2, 3, weights=np.array([1, 1, 1, 1, 1, 4]))
    with pytest.raises(InfeasibleError):
        cluster(COORDS, 4, 3, weights=np.full(6, 2))


def test_the_checker_sees_what_is_wrong() -> None:
    """An overload, a missing point and a false cost."""
    points = PointSet(COORDS, np.full(6, 1), 3)
    good = cluster(points, 2)
    assert check_clustering(points, good, 2) == []
    tight = PointSet(COORDS, np.full(6, 1), 2)
    kinds = [v.kind for v in check_clustering(tight, good)]
    assert kinds == ["capacity", "capacity"]
    assert check_clustering(points, good, 3)[0].kind == "unknown"
    fewer = PointSet(COORDS[:5], np.full(5, 1), 3)
    assert check_clustering(fewer, good)[0].kind == "missing"
    moved = PointSet(2 * COORDS, np.full(6, 1), 3)
    assert [v.kind for v in check_clustering(moved, good)] == ["cost"]
