"""The order of the nodes along the curve."""

from __future__ import annotations

import numpy as np

from ncc_routing.problems.graph import spatial_order
from ncc_routing.problems.instance import Instance


def test_spatial_order_walks_quadrant_by_quadrant() -> None:
    """Along the curve come lower left, lower right, upper left, right."""
    coords = np.array([[5, 5], [9, 9], [0, 9], [9, 0], [0, 0]])
    instance = Instance("corners", np.array([0, 1, 1, 1, 1]), 4, coords)
    assert spatial_order(instance).tolist() == [0, 4, 3, 2, 1]


def test_spatial_order_keeps_the_order_of_a_matrix() -> None:
    """Without coordinates the nodes stay as they are."""
    instance = Instance("m", np.array([0, 1, 1]), 2, matrix=np.ones((3, 3)))
    assert spatial_order(instance).tolist() == [0, 1, 2]
