"""Tests of the clustering."""

import numpy as np

from ncc_routing.problems.ccp.clusters import Clustering


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
    """Each list is ascending, the depot in none; empty ones keep a place."""
    clustering = make([-1, 2, 0, 2, 0, 2], num_clusters=4)
    members = [group.tolist() for group in clustering.members()]
    assert members == [[2, 4], [], [1, 3, 5], []]
    assert clustering.num_clusters == 4
