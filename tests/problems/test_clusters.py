"""Tests of the clustering."""

from __future__ import annotations

import numpy as np

from ncc_routing.problems.clusters import Clustering


def make(labels: list[int], num_clusters: int) -> Clustering:
    """Return a clustering of which only the labels matter."""
    return Clustering(
        labels=np.array(labels),
        centers=np.zeros((num_clusters, 2)),
        medoids=np.zeros(num_clusters, dtype=int),
        loads=np.zeros(num_clusters),
        inertia=0.0,
    )


def test_members_lists_the_points_of_each_cluster() -> None:
    """Each list is ascending; the depot belongs to no cluster."""
    clustering = make([-1, 1, 0, 1, 0, 1], num_clusters=2)
    members = [group.tolist() for group in clustering.members()]
    assert members == [[2, 4], [1, 3, 5]]


def test_members_keeps_empty_clusters() -> None:
    """Cluster k stays at position k, even beside empty ones."""
    clustering = make([-1, 2, 2, -1], num_clusters=4)
    members = [group.tolist() for group in clustering.members()]
    assert members == [[], [], [1, 2], []]
    assert clustering.num_clusters == 4
