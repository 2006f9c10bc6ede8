"""Small problems with every feature: the cheapest plans, and PyVRP's word."""

from __future__ import annotations

from collections import Counter

from ncc_routing.benchmarking.experiments.small_problems import (
    MOST_CUSTOMERS,
    NUM_PROBLEMS,
    solve_small,
)
from ncc_routing.benchmarking.random_problems import (
    COMBINATIONS,
    random_problem,
)

STEP = 9
"""Every ninth of the recorded problems; they run through all features."""


def test_the_search_finds_the_cheapest_plans() -> None:
    """Nearly always; PyVRP agrees on each, and on who has none."""
    found: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    for idx in range(0, NUM_PROBLEMS, STEP):
        row = solve_small(random_problem(idx, MOST_CUSTOMERS), 1, 0.1)
        assert row["agrees"], (idx, row)
        found[row["has_plan"]] += 1
        found["cheapest"] += row["is_cheapest"]
        parts.update(COMBINATIONS[idx % len(COMBINATIONS)])
        if row["is_found"]:
            assert row["cost"] >= row["optimum"], idx
    assert found["cheapest"] >= 0.98 * found["yes"]
    assert found["no"] > 20
    assert min(parts.values()) > 80
