"""Figures of clusterings."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.plotting.clusters import plot_clusters
from ncc_routing.problems.points import PointSet


def test_hulls_members_and_centers_are_drawn() -> None:
    """One hull for each used cluster; the title names the cost."""
    points = PointSet(
        np.array([[0, 0], [2, 0], [9, 9]]), np.ones(3, int), 2, "three"
    )
    found = summarize(points, np.array([0, 0, 2]), 3, "inertia")
    axes = plot_clusters(points, found).axes[0]
    hulls, members, centers = axes.collections
    assert len(hulls.get_paths()) == 2
    assert len(np.asarray(members.get_offsets())) == 3
    assert np.asarray(centers.get_offsets()).tolist() == [
        [1.0, 0.0],
        [9.0, 9.0],
    ]
    assert axes.get_title(loc="left") == "three: inertia 2, 3 clusters"


def test_only_the_plane_is_drawn() -> None:
    """Three dimensions are refused."""
    points = PointSet(np.eye(3), np.ones(3, int), 3)
    found = summarize(points, np.zeros(3, int), 1, "inertia")
    with pytest.raises(ParameterError, match="two dimensions"):
        plot_clusters(points, found)
