"""Tests of the solution."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.plotting import routes_svg


@pytest.mark.parametrize(
    "routes",
    [
        [np.array([1, 4]), [], np.array([2, 3])],
        iter([iter([1, 4]), iter([2, 3])]),
    ],
)
def test_from_routes_takes_any_iterable(
    square: nr.Instance, routes: Iterable[Iterable[int]]
) -> None:
    """Tuples of plain integers, without empty ones; 71 + 100 + 71, twice."""
    solution = nr.Solution.from_routes(square, routes)
    assert solution == nr.Solution(((1, 4), (2, 3)), 2 * (71 + 100 + 71))
    assert solution.num_routes == 2
    assert all(type(c) is int for route in solution.routes for c in route)


def test_solutions_are_compared_by_value(square: nr.Instance) -> None:
    """The same routes and cost make the same solution."""
    first = nr.Solution.from_routes(square, [[1, 4], [2, 3]])
    assert first == nr.Solution(((1, 4), (2, 3)), 484.0)
    assert first != nr.Solution.from_routes(square, [[4, 1], [2, 3]])


@pytest.mark.parametrize(
    ("routes", "types", "message"),
    [
        ([[1, 9]], None, "numbers from 0 to 4, got 9"),
        ([[1, -1]], None, "numbers from 0 to 4, got -1"),
        ([["a"]], None, "must be several whole numbers"),
        ([1, 2], None, "must be several whole numbers"),
        ([[1], [2]], [0], "an entry for each of 2 routes, got 1"),
        ([[1]], [3], "vehicle_types must be numbers from 0 to 0, got 3"),
    ],
)
def test_what_is_no_route_is_refused(
    square: nr.Instance, routes: Any, types: Any, message: str
) -> None:
    """In one line that names the value."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.Solution.from_routes(square, routes, types)


def test_loads_are_what_is_on_board() -> None:
    """Of shipments as well, whose stops have no demand."""
    instance = nr.Instance(
        "pairs",
        np.zeros(5, dtype=int),
        9,
        np.arange(10).reshape(5, 2),
        shipments=(nr.Shipment(1, 2, (3,)), nr.Shipment(3, 4, (4,))),
    )
    plan = nr.Solution.from_routes(instance, [[1, 3, 2, 4]])
    assert plan.loads(instance) == [7]
    assert "load 7" in routes_svg(instance, plan)
