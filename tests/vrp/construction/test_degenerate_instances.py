"""Instances at the edge of the format, for every classical method."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.vrp.construction.gap import solve_gap
from ncc_routing.vrp.construction.petal import solve_petal
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.construction.sweep import solve_sweep, solve_sweep_plus

if TYPE_CHECKING:
    from collections.abc import Callable


SOLVERS: dict[str, Callable[[nr.Instance], nr.Solution]] = {
    "sweep": solve_sweep,
    "sweep+": partial(solve_sweep_plus, router="local-search"),
    "petal": partial(solve_petal, router="local-search"),
    "savings": partial(solve_savings, router="local-search"),
    "savings-lists": partial(
        solve_savings, num_neighbours=2, router="local-search"
    ),
    "gap": partial(solve_gap, router="local-search"),
}


def cases() -> dict[str, nr.Instance]:
    """Return the instances by what is special about them."""
    rng = np.random.default_rng(5)
    coords = rng.integers(0, 50, size=(13, 2))
    demands = np.concatenate([[0], rng.integers(1, 9, size=12)])
    matrix = rng.integers(1, 99, size=(13, 13)).astype(float)
    np.fill_diagonal(matrix, 0.0)
    on_depot = coords.copy()
    on_depot[3:7] = on_depot[0]
    make = partial(nr.Instance, "case")
    return {
        "one customer": make(demands[:2], 9, coords[:2]),
        "two customers": make(demands[:3], 9, coords[:3]),
        "one route": make(demands, 500, coords),
        "full vehicles": make(np.repeat([0, 7], [1, 12]), 7, coords),
        "no demand": make(np.zeros(13, dtype=int), 7, coords),
        "some without demand": make(demands * (coords[:, 0] > 25), 9, coords),
        "customers on the depot": make(demands, 12, on_depot),
        "all in one place": make(demands, 12, np.full((13, 2), 4)),
        "unrounded": make(demands, 12, coords / 1000, "none"),
        "asymmetric": make(demands, 20, coords, "nearest", matrix),
    }


CASES = cases()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("method", SOLVERS)
def test_solutions_are_feasible(method: str, case: str) -> None:
    """Every method solves every case, twice the same."""
    instance = CASES[case]
    solve = SOLVERS[method]
    solution = solve(instance)
    assert nr.check_solution(instance, solution) == []
    assert solve(instance) == solution


@pytest.mark.parametrize("method", SOLVERS)
def test_one_customer_by_hand(method: str) -> None:
    """There and back: twice the distance 5."""
    instance = nr.Instance(
        "one", np.array([0, 1]), 1, np.array([[0, 0], [3, 4]])
    )
    assert SOLVERS[method](instance).cost == 10
