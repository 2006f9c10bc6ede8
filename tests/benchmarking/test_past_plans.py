"""Scorers that count: days by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.harness.past_plans import PastPlans, addresses_of
from ncc_routing.problems.instance import Instance

COORDS = np.array([[0, 0], [10, 0], [20, 0], [35, 0], [36, 0.0]])
"""The depot and four addresses on a line."""


def day(*addresses: int) -> Instance:
    """Return a day with an order from some addresses."""
    nodes = [0, *addresses]
    return Instance(
        "day",
        np.array([0] + [1] * len(addresses)),
        9,
        COORDS[nodes],
        ids=tuple(map(str, nodes)),
    )


def test_counts_by_hand() -> None:
    """1 and 2 met once and shared; who never met has the rate of its rank."""
    past = PastPlans.of([(day(1, 2, 3), np.array([-1, 0, 0, 1]))], 4)
    assert past.met[1, 2] == past.shared[1, 2] == 1.0
    assert (past.met[1, 3], past.shared[1, 3]) == (1.0, 0.0)
    assert past.met[1, 4] == 0.0
    # The nearest one shares the route of 1 and 2 and not of 3; then none.
    assert past.by_rank == pytest.approx([2.0 / 3.0, 0.0])
    nearest, chances, _ = past.pair_probabilities(day(1, 2, 4))
    assert nearest.tolist() == [[2, 3], [1, 3], [2, 1]]
    assert chances[0, 0] == pytest.approx((1.0 + 2.0 * 2.0 / 3.0) / 3.0)
    assert chances[2, 1] == pytest.approx(0.0)  # never met, second


def test_near_addresses_count_as_well() -> None:
    """3 and 4 are each other's nearest: what 3 did, 4 is thought to do."""
    past = PastPlans.of([(day(2, 3), np.array([-1, 0, 0]))], 4)
    pooled = past.pooled(COORDS, 2)
    assert past.met[2, 4] == 0.0
    assert pooled.met[2, 4] == 1.0
    assert pooled.shared[2, 4] == 1.0


def test_addresses_are_the_ids() -> None:
    """The depot is address 0."""
    assert addresses_of(day(4, 2)).tolist() == [0, 4, 2]
