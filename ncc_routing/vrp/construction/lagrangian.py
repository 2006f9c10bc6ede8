"""Lagrangian bounds of a set covering problem, to shorten it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit

FIRST_STEP: Final = 2.0
"""First step of the subgradient method, in units of Polyak's."""

LAST_STEP: Final = 0.01
"""Step at which the bounds have come to rest."""

PATIENCE: Final = 10
"""Steps without a better bound after which the step is halved."""


class Columns(NamedTuple):
    """The columns of a set covering problem (CSC, all entries 1).

    Column j has the rows ``indices[starts[j]:starts[j + 1]]``, at least one.
    """

    costs: np.ndarray
    starts: np.ndarray
    indices: np.ndarray
    num_rows: int


def price_columns(
    columns: Columns, upper: float, num_steps: int, deadline: TimeLimit
) -> tuple[np.ndarray, float]:
    """Return reduced costs and their lower bound by the subgradient method.

    A solution with a column of reduced cost r > 0 costs at least bound + r:
    columns with r >= upper - bound improve on nothing. ``upper`` is the cost
    of a known solution; a step takes time linear in the entries.

    Source: Caprara, Fischetti and Toth (1999), A heuristic method for the set
    covering problem, Operations Research 47(5).
    """
    sizes = np.diff(columns.starts)
    heads = columns.starts[:-1]
    prices = np.full(columns.num_rows, np.inf)
    np.minimum.at(
        prices, columns.indices, np.repeat(columns.costs / sizes, sizes)
    )
    best_bound, best_prices = -np.inf, prices
    step, since = FIRST_STEP, 0
    reduced = columns.costs
    direction = np.zeros(columns.num_rows)
    for _ in range(num_steps):
        reduced = columns.costs - np.add.reduceat(
            prices[columns.indices], heads
        )
        chosen = reduced < 0.0
        bound = float(prices.sum() + reduced[chosen].sum())
        since += 1
        if bound > best_bound:
            if bound > best_bound + 1e-4 * abs(upper):
                since = 0
            best_bound, best_prices = bound, prices
        if since >= PATIENCE:
            step, since = 0.5 * step, 0
            prices = best_prices
        covered = columns.indices[np.repeat(chosen, sizes)]
        uncovered = 1.0 - np.bincount(covered, minlength=columns.num_rows)
        # Averaging with the last direction keeps the prices from zigzagging.
        direction = 0.7 * uncovered + 0.3 * direction
        norm = float(direction @ direction)
        if norm == 0.0 or step < LAST_STEP or deadline.passed():
            break
        length = step * max(upper - bound, 0.0) / norm
        prices = np.maximum(0.0, prices + length * direction)
    reduced = columns.costs - np.add.reduceat(
        best_prices[columns.indices], heads
    )
    return reduced, best_bound
