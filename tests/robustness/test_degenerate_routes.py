"""Degenerate routing problems, by every method and polish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.methods import IMPROVEMENTS, METHODS, NO_IMPROVEMENT
from tests.oracles.brute_force import cheapest_plan
from tests.robustness.support import SEEDS, cases, check_line, watched

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BRUTE: Final = 6
"""Customers up to which every plan is tried."""

EXACT: Final = ("ruin-recreate", "auto")
"""Polishes that find the best plan of so few customers."""

COMBINATIONS: Final = [
    *((method, NO_IMPROVEMENT) for method in METHODS),
    *(("auto", polish) for polish in IMPROVEMENTS),
]
Draw = st.DrawFn
Rng = np.random.Generator


def _on_depot(coords: np.ndarray, rng: Rng) -> np.ndarray:
    return np.where(rng.random((len(coords), 1)) < 0.6, coords[0], coords)


PLACES: Final[dict[str, Callable[[np.ndarray, Rng], np.ndarray]]] = {
    "grid": lambda coords, rng: coords,
    "one place": lambda coords, rng: np.full_like(coords, 7),
    "on the depot": _on_depot,
    "collinear": lambda coords, rng: coords[:, [0, 0]] * [1, 2],
    "duplicates": lambda coords, rng: coords[rng.integers(0, 2, len(coords))],
    "far from 0": lambda coords, rng: coords + 10**9,
    "scaled": lambda coords, rng: coords * 10.0 ** rng.integers(-9, 10),
    "mixed scales": lambda coords, rng: (
        coords * 10.0 ** rng.integers(-9, 10, (len(coords), 1))
    ),
}
"""What may be special about places on a grid."""


def _exact(rng: Rng, n: int) -> tuple[np.ndarray, int]:
    """Return demands that fill whole vehicles to the last unit."""
    capacity, rest, demands = 11, 11, []
    for left in range(n, 0, -1):
        is_last = left == 1 or rest == 1
        demands.append(rest if is_last else int(rng.integers(1, rest + 1)))
        rest = rest - demands[-1] or capacity
    return np.array(demands), capacity


DEMANDS: Final[dict[str, Callable[[Rng, int], tuple[np.ndarray, int]]]] = {
    "plain": lambda rng, n: (rng.integers(1, 9, n), 10),
    "demand = capacity": lambda rng, n: (np.full(n, 7), 7),
    "zeros": lambda rng, n: (rng.integers(1, 9, n) * (rng.random(n) < 0.3), 8),
    "exactly K x Q": _exact,
    "large": lambda rng, n: (rng.integers(1, 9, n) * 10**9, 10**10),
    "vast capacity": lambda rng, n: (rng.integers(1, 9, n), 2**40),
}

MATRICES: Final[dict[str, Callable[[Rng, int], np.ndarray | None]]] = {
    "none": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(0, 99, (n + 1, n + 1)).astype(float),
    "real": lambda rng, n: rng.random((n + 1, n + 1)),
    "zero": lambda rng, n: np.zeros((n + 1, n + 1)),
}
"""Asymmetric distances, in place of those between places."""


@st.composite
def instances(draw: Draw) -> nr.Instance:
    """Draw size, places, demands and distances independently."""
    n = draw(st.sampled_from((1, 2, 3, 4, 5, 6, 7, 12, 30)))
    rng = np.random.default_rng(draw(SEEDS))
    places, demands, matrices = (
        draw(st.sampled_from(list(table)))
        for table in (PLACES, DEMANDS, MATRICES)
    )
    coords = PLACES[places](rng.integers(0, 60, (n + 1, 2)), rng)
    needed, capacity = DEMANDS[demands](rng, n)
    options: dict[str, Any] = {"coords": coords}
    if "scale" in places:
        options["rounding"] = "none"
    matrix = MATRICES[matrices](rng, n)
    if matrix is not None:
        np.fill_diagonal(matrix, 0.0)
        options = {"matrix": matrix}
        if draw(st.booleans()):
            options["coords"] = coords
    name = f"{n}, {places}, {demands}, matrix {matrices}"
    return nr.Instance(name, np.append(0, needed), capacity, **options)


@pytest.mark.parametrize(("method", "polish"), COMBINATIONS)
@given(instance=instances())
@cases(6, 150)
def test_degenerate_routes(
    method: str, polish: str, instance: nr.Instance
) -> None:
    """The answer keeps the rules, and no plan is cheaper than the best."""
    has_polish = polish != NO_IMPROVEMENT
    try:
        with watched():
            found = nr.solve(
                instance,
                method=method,
                polish=polish,
                seed=1,
                stop=(
                    nr.stop.first_of(
                        TimeLimit(2.0), nr.stop.MaxIterations(500)
                    )
                    if has_polish
                    else TimeLimit(0.3)
                ),
            ).best
    except nr.UnsupportedProblemError as error:
        check_line(error)
        return
    assert nr.check_solution(instance, found) == [], instance.name
    if instance.num_customers <= MOST_BRUTE:
        best = cheapest_plan(instance)
        slack = 1e-9 * max(1.0, best)
        assert found.cost >= best - slack
        if polish in EXACT:
            assert found.cost <= best + slack
