"""Convex hulls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncc_routing.problems.route_shapes import convex_hull


def test_square_with_inner_points() -> None:
    """Corners counter-clockwise from the lowest left; the rest is left out."""
    points = [[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 0], [0, 0]]
    np.testing.assert_array_equal(
        convex_hull(np.array(points)), [[0, 0], [2, 0], [2, 2], [0, 2]]
    )


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([[3, 4]], [[3, 4]]),
        ([[3, 4], [3, 4]], [[3, 4]]),
        ([[3, 4], [1, 2]], [[1, 2], [3, 4]]),
        ([[0, 0], [2, 2], [1, 1], [3, 3]], [[0, 0], [3, 3]]),
    ],
)
def test_degenerate_hulls(
    points: list[list[int]], expected: list[list[int]]
) -> None:
    """One place is a point, a line has two ends."""
    np.testing.assert_array_equal(convex_hull(np.array(points)), expected)


@given(
    st.lists(
        st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
        min_size=3,
        max_size=40,
    )
)
def test_every_point_lies_left_of_every_edge(
    points: list[tuple[int, int]],
) -> None:
    """The definition of a convex hull, walked counter-clockwise."""
    hull = convex_hull(np.array(points))
    ends = np.roll(hull, -1, axis=0)
    for start, end in zip(hull, ends, strict=True):
        edge, to_point = end - start, np.array(points) - start
        cross = edge[0] * to_point[:, 1] - edge[1] * to_point[:, 0]
        assert (cross >= 0).all()
