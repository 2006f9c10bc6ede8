"""What the kernels of the genetic search refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing._core import genetic as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 4
BOUNDS = np.array([0, 0, 1, 2, 2], dtype=np.int64)


def problem_of(**changes: Any) -> kernels.Problem:
    """Return three customers, of which two are near each other."""
    arrays: dict[str, Any] = {
        "matrix": np.ones((SIZE, SIZE)) - np.eye(SIZE),
        "demands": np.array([0, 1, 1, 1], dtype=np.int64),
        "capacity": 2,
        "neighbours": np.array([2, 1], dtype=np.uint32),
        "bounds": BOUNDS,
        "coords": np.zeros((SIZE, 2)),
    }
    return kernels.Problem(**(arrays | changes))


def laid(nodes: list[int], starts: list[int]) -> kernels.LinkedRoutes:
    """Return some routes of at most two."""
    return kernels.LinkedRoutes(
        problem_of(), 2, np.array(nodes, np.uint32), np.array(starts, np.int64)
    )


def search_of(**changes: Any) -> kernels.GeneticSearch:
    """Return a search of at most two routes."""
    params = {"max_routes": 2, "penalty": 1.0, "seed": 1} | changes
    return kernels.GeneticSearch(problem_of(), **params)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("matrix", np.ones((SIZE, SIZE + 1))),
        ("matrix", np.ones((SIZE + 1, SIZE + 1))),
        ("demands", np.array([0, 1, 1], dtype=np.int64)),
        ("neighbours", np.array([2, SIZE], dtype=np.uint32)),
        ("neighbours", np.array([2, 0], dtype=np.uint32)),
        ("neighbours", np.array([2, 2], dtype=np.uint32)),
        ("neighbours", np.array([2], dtype=np.uint32)),
        ("bounds", BOUNDS[:-1]),
        ("bounds", BOUNDS[::-1].copy()),
        ("bounds", np.array([0, 2, 1, 2, 2], dtype=np.int64)),
        ("coords", np.zeros((SIZE, 3))),
        ("coords", np.zeros((SIZE - 1, 2))),
    ],
)
def test_a_problem_of_other_sizes_is_refused(name: str, value: Any) -> None:
    """Indices of the search would leave the arrays."""
    problem_of()
    with pytest.raises(ValueError, match="must fit"):
        problem_of(**{name: value})


ROUTES = laid([1, 2, 3], [0, 2, 3])
TOUR = np.array([1, 2, 3], dtype=np.uint32)


@pytest.mark.parametrize(
    "call",
    [
        lambda: laid([1, 2, 3], [0, 1, 2, 3]),
        lambda: laid([1, 2, 3], [0, 2]),
        lambda: laid([1, 2, 3], [1, 3]),
        lambda: laid([1, 2, 3], []),
        lambda: laid([1, 2], [0, 2]),
        lambda: laid([1, 2, 2], [0, 3]),
        lambda: laid([1, 2, 4], [0, 3]),
        lambda: laid([0, 1, 2], [0, 3]),
        lambda: kernels.make_best_move(ROUTES, 0, 1, 1.0),
        lambda: kernels.make_best_move(ROUTES, SIZE, 1, 1.0),
        lambda: kernels.make_best_move(ROUTES, 1, 1, 1.0),
        lambda: kernels.make_best_move(ROUTES, 1, SIZE + 2, 1.0),
        lambda: kernels.swap_star(ROUTES, 0, 2, 1.0),
        lambda: kernels.swap_star(ROUTES, 1, 1, 1.0),
        lambda: kernels.improve_locally(ROUTES, 1.0, 0),
        lambda: kernels.split(ROUTES, TOUR[:2], 1.0),
        lambda: kernels.cross(TOUR, TOUR[:2], 1),
        lambda: kernels.cross(TOUR[:0], TOUR[:0], 1),
        lambda: kernels.cross(TOUR, TOUR + TOUR, 1),
        lambda: kernels.cross(TOUR, TOUR, 0),
        lambda: kernels.Params(min_size=0),
        lambda: kernels.Params(num_close=0),
        lambda: search_of(max_routes=0),
        lambda: search_of(seed=0),
        lambda: search_of().add(TOUR[:2], BOUNDS[1:4]),
        lambda: search_of().population.select_parent(1),
        lambda: search_of().population.distance(True, 0, 0),
        lambda: problem_of().neighbours_of(SIZE),
    ],
)
def test_what_would_leave_the_arrays_is_refused(
    call: Callable[[], object],
) -> None:
    """Routes of other customers, nodes and routes that there are not."""
    with pytest.raises(ValueError, match=r"must|no such"):
        call()
