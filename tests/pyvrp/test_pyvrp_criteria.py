"""Criteria of PyVRP, and functions, in place of ours."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pyvrp import stop as theirs

import ncc_routing as nr
from ncc_routing import ParameterError
from ncc_routing.core.stopping import FirstOf, Tally
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.stop import FirstFeasible, MaxIterations, NoImprovement


@pytest.mark.parametrize(
    ("given", "ours"),
    [
        (theirs.MaxIterations(7), MaxIterations(7)),
        (theirs.NoImprovement(3), NoImprovement(3)),
        (MaxIterations(5), MaxIterations(5)),
    ],
)
def test_counts_become_ours(given: Any, ours: Any) -> None:
    """With their numbers; the time is not limited."""
    budget = budget_of(given)
    assert budget.stop == ours
    assert not budget.is_timed


def test_seconds_are_apart() -> None:
    """The least of several, and the first criterion of the others."""
    assert not budget_of(None).is_limited
    assert 2.0 < budget_of(theirs.MaxRuntime(2.5)).remaining() <= 2.5
    inner = theirs.MultipleCriteria([theirs.MaxRuntime(3)])
    budget = budget_of(
        theirs.MultipleCriteria(
            [theirs.MaxRuntime(4), theirs.MaxIterations(10), inner]
        )
    )
    assert 2.0 < budget.remaining() <= 3.0
    assert budget.stop == MaxIterations(10)
    both: list[Any] = [theirs.MaxIterations(10), theirs.FirstFeasible()]
    stop = budget_of(theirs.MultipleCriteria(both)).stop
    assert stop is not None
    assert stop.progress(Tally(5)) == 0.5
    assert stop.progress(Tally(5, best_cost=9.0)) == 1.0
    assert isinstance(budget_of(theirs.FirstFeasible()).stop, FirstFeasible)


def test_a_criterion_of_the_user_is_asked() -> None:
    """Also one that is derived from the protocol of PyVRP."""

    class Low(theirs.StoppingCriterion):
        def __call__(self, best_cost: int) -> bool:
            return best_cost < 10

    cases: list[Any] = [Low(), lambda cost: cost < 10]
    for given in cases:
        for one in (given, theirs.MultipleCriteria([given])):
            stop = budget_of(one).stop
            assert stop is not None
            assert stop.progress(Tally(best_cost=10)) == 0.0
            assert stop.progress(Tally(best_cost=9)) == 1.0


def test_what_is_no_criterion_is_refused() -> None:
    """Numbers, texts, a class, a list, also among others."""
    for wrong in (5, "x", theirs.MaxRuntime, [theirs.MaxRuntime(1)]):
        with pytest.raises(ParameterError, match="stop must be a criterion"):
            budget_of(wrong)
    part: Any = 5
    with pytest.raises(ParameterError, match="got int"):
        nr.stop.first_of(theirs.MaxIterations(5), part)


def test_the_first_of_theirs_and_ours(square: nr.Instance) -> None:
    """Each counts as it does alone."""
    both = nr.stop.first_of(nr.stop.MaxIterations(9), theirs.MaxIterations(5))
    budget = budget_of(both)
    assert isinstance(budget.stop, FirstOf)
    assert budget.stop.left(Tally()) == (math.inf, 5)
    assert budget_of(nr.stop.first_of(theirs.MaxRuntime(9))).is_timed
    assert nr.solve(square, both).cost == 484


def test_solve_keeps_to_them(square: nr.Instance) -> None:
    """Counts alone make the answer repeatable, as ours do."""
    ours = nr.solve(square, stop=nr.stop.MaxIterations(500))
    again = nr.solve(square, stop=theirs.MaxIterations(500))
    assert (again.best, again.phases) == (ours.best, ours.phases)
    for stop in (theirs.MaxRuntime(0), theirs.FirstFeasible()):
        first = nr.solve(square, stop=stop)
        assert first.cost == first.stages[0].cost
    data = to_problem_data(square)
    assert nr.warm_start(data, stop=theirs.MaxIterations(9)).is_feasible()
    assert nr.warm_start(data, stop=theirs.MaxRuntime(0.1)).is_feasible()
    points = nr.PointSet.from_instance(square)
    assert (
        nr.cluster(points, 2, stop=theirs.MaxIterations(9)).num_clusters == 2
    )


def test_a_function_ends_the_search(random_instance: nr.Instance) -> None:
    """It hears of the best costs, and is obeyed long before the limit."""
    costs: list[float] = []

    def is_enough(best_cost: float) -> bool:
        costs.append(best_cost)
        return len(costs) >= 5

    result = nr.solve(random_instance, time_limit=20.0, stop=is_enough)
    assert 5 <= len(costs) < 30
    assert costs[0] == result.stages[0].cost
    assert not result.interrupted


def test_arguments_in_the_wrong_place(square: nr.Instance) -> None:
    """The message names the right one."""
    data, seconds = to_problem_data(square), 1.0
    with pytest.raises(ParameterError, match="for seconds, use time_limit"):
        nr.warm_start(data, seconds)  # type: ignore[arg-type]
