"""What work may take, on a clock that stands still."""

import math

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.stopping import Tally
from tests.core.conftest import Clock


def test_a_budget_says_what_it_limits() -> None:
    """Nothing, the time, or the iterations of any kind."""
    assert not Budget().is_limited
    assert Budget().remaining() == math.inf
    assert Budget.of(1.0).is_limited
    assert not Budget.of(1.0).counts_iterations
    for stop in (nr.MaxIterations(0), nr.NoImprovement(3)):
        assert Budget(stop=stop).is_limited
        assert Budget(stop=stop).counts_iterations
    assert not Budget(stop=nr.TargetCost(1.0)).is_limited


def test_a_budget_is_spent_by_time_or_by_its_criterion(clock: Clock) -> None:
    """A cost of 5 meets the target; after a second any cost does."""
    budget = Budget(nr.TimeLimit(1.0, clock=clock), nr.TargetCost(5.0))
    assert budget.is_met(5.0)
    assert budget.is_spent(5.0)
    assert not budget.is_spent(5.5)
    assert not Budget().is_spent(0.0)
    clock.time += 1.0
    assert budget.is_spent(5.5)
    assert not budget.is_met(5.5)


def test_a_part_of_the_time_is_within_the_whole(clock: Clock) -> None:
    """The criterion stays; the earlier moment counts."""
    whole = Budget(nr.TimeLimit(4.0, clock=clock), nr.MaxIterations(7))
    assert whole.within(1.0).remaining() == 1.0
    assert whole.within(9.0).remaining() == 4.0
    assert whole.within(1.0).stop is whole.stop


def test_a_used_share_shortens_counted_iterations_alone() -> None:
    """Of 10 iterations a quarter is used: 7.5 are left, rounded up."""
    left = Budget.of(iterations=10).after(0.25).criterion("it")
    assert left.left(Tally()) == (math.inf, 8)
    for budget in (Budget.of(9.0), Budget(stop=nr.TargetCost(1.0))):
        assert budget.after(0.25) is budget
    budget = Budget.of(iterations=10)
    assert budget.after(0.0) is budget
