"""Tests of the solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable


def test_from_routes_adds_up_the_cost(square: Instance) -> None:
    """Corner routes: 71 out, 100 along a side, 71 back, twice."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    assert solution.routes == ((1, 4), (2, 3))
    assert solution.cost == 2 * (71 + 100 + 71)
    assert solution.num_routes == 2


def test_from_routes_drops_empty_routes(square: Instance) -> None:
    """An empty route needs no vehicle."""
    solution = Solution.from_routes(square, [[], [1, 4], [], [2, 3]])
    assert solution.num_routes == 2


@pytest.mark.parametrize(
    "routes",
    [
        [np.array([1, 4]), np.array([2, 3])],
        iter([iter([1, 4]), iter([2, 3])]),
    ],
)
def test_from_routes_takes_any_iterable(
    square: Instance, routes: Iterable[Iterable[int]]
) -> None:
    """Arrays and iterators become tuples of plain integers."""
    solution = Solution.from_routes(square, routes)
    assert solution.routes == ((1, 4), (2, 3))
    assert all(type(c) is int for route in solution.routes for c in route)


def test_unrounded_cost() -> None:
    """Without rounding the cost is the plain length: 2 sqrt(2)."""
    instance = Instance(
        name="pair",
        demands=np.array([0, 1]),
        capacity=1,
        coords=np.array([[0, 0], [1, 1]]),
        rounding="none",
    )
    solution = Solution.from_routes(instance, [[1]])
    assert solution.cost == pytest.approx(2 * 2**0.5)


def test_solutions_are_compared_by_value(square: Instance) -> None:
    """The same routes and cost make the same solution."""
    first = Solution.from_routes(square, [[1, 4], [2, 3]])
    assert first == Solution(((1, 4), (2, 3)), 484.0)
    assert first != Solution.from_routes(square, [[4, 1], [2, 3]])
