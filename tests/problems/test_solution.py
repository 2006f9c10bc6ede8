"""Tests of the solution."""

from collections.abc import Iterable

import numpy as np
import pytest

from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution


@pytest.mark.parametrize(
    "routes",
    [
        [np.array([1, 4]), [], np.array([2, 3])],
        iter([iter([1, 4]), iter([2, 3])]),
    ],
)
def test_from_routes_takes_any_iterable(
    square: Instance, routes: Iterable[Iterable[int]]
) -> None:
    """Tuples of plain integers, without empty ones; 71 + 100 + 71, twice."""
    solution = Solution.from_routes(square, routes)
    assert solution == Solution(((1, 4), (2, 3)), 2 * (71 + 100 + 71))
    assert solution.num_routes == 2
    assert all(type(c) is int for route in solution.routes for c in route)


def test_solutions_are_compared_by_value(square: Instance) -> None:
    """The same routes and cost make the same solution."""
    first = Solution.from_routes(square, [[1, 4], [2, 3]])
    assert first == Solution(((1, 4), (2, 3)), 484.0)
    assert first != Solution.from_routes(square, [[4, 1], [2, 3]])
