"""Instances as graphs."""

import numpy as np
import pytest

from ncc_routing import Instance, PointSet
from ncc_routing.paper.learning.tasks import center_graph
from tests.oracles.precision import single

pytestmark = pytest.mark.numeric


def test_center_graph(square: Instance) -> None:
    """Depot at the origin, corners at distance 1, demands 1/5 to 4/5."""
    graph = center_graph(square, 2)
    nodes = graph.x.numpy()
    assert nodes.shape == (5, 3)
    np.testing.assert_allclose(nodes[0], 0)
    np.testing.assert_allclose(np.hypot(*nodes[1:, :2].T), 1.0, **single(2))
    np.testing.assert_allclose(nodes[1:, 2], [0.2, 0.4, 0.6, 0.8], **single(1))
    # Two neighbours at the distance of a side, and the depot.
    is_first = graph.edge_index[1] == 1
    assert sorted(graph.edge_index[0, is_first].tolist()) == [0, 2, 4]
    np.testing.assert_allclose(
        graph.edge_weight[is_first], [2**0.5, 2**0.5, 1.0], **single(2)
    )


def test_center_graph_of_points_has_no_depot() -> None:
    """Two points at distance 2 about their mean."""
    points = PointSet(np.array([[1.0, 1], [3, 1]]), np.array([1, 3]), 4)
    graph = center_graph(points, 3)
    np.testing.assert_allclose(graph.x, [[-1, 0, 0.25], [1, 0, 0.75]])
    assert graph.edge_index.tolist() == [[1, 0], [0, 1]]
    np.testing.assert_allclose(graph.edge_weight, 2.0)
