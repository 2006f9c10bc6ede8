"""Convex hulls."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ncc_routing.problems.routes.route_shapes import convex_hull


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
