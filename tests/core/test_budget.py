"""What work may take, on a clock that stands still."""

import math

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.stopping import Tally


def test_a_used_share_shortens_counted_iterations_alone() -> None:
    """Of 10 iterations a quarter is used: 7.5 are left, rounded up."""
    left = Budget.of(iterations=10).after(0.25).criterion("it")
    assert left.left(Tally()) == (math.inf, 8)
    for budget in (Budget.of(9.0), Budget(stop=nr.stop.TargetCost(1.0))):
        assert budget.after(0.25) is budget
    budget = Budget.of(iterations=10)
    assert budget.after(0.0) is budget
