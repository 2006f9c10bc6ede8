"""Lagrangian bounds against the optimum of small coverings."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.construction.lagrangian import Columns, price_columns

pytestmark = pytest.mark.numeric


def test_bound_and_reduced_costs_are_valid() -> None:
    """Every covering costs at least the bound and its reduced costs."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        parts = [[row] for row in range(5)] + [
            rng.choice(5, 3, replace=False).tolist() for _ in range(7)
        ]
        costs = rng.integers(3, 12, len(parts)).astype(float)
        starts = np.concatenate([[0], np.cumsum([len(p) for p in parts])])
        columns = Columns(costs, starts, np.concatenate(parts), 5)
        reduced, bound = price_columns(
            columns, float(costs[:5].sum()), 200, TimeLimit()
        )
        for bits in product((False, True), repeat=len(parts)):
            picked = np.flatnonzero(bits)
            if len({row for j in picked for row in parts[j]}) < 5:
                continue
            cost = costs[picked].sum()
            gain = np.maximum(reduced[picked], 0).sum()
            assert cost >= bound + gain - 1e-9


def test_bound_is_tight_where_the_relaxation_is() -> None:
    """Disjoint columns: the bound meets the cost 5 + 7."""
    columns = Columns(
        np.array([5.0, 7.0, 9.0]),
        np.array([0, 2, 4, 6]),
        np.array([0, 1, 2, 3, 1, 2]),
        4,
    )
    reduced, bound = price_columns(columns, 12.0, 500, TimeLimit())
    assert 11.9 < bound <= 12.0 + 1e-9
    assert reduced[2] > -0.2
