"""Tests of the search by PyVRP: where it starts and when it ends."""

from __future__ import annotations

import itertools
import logging
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.run import Run
from ncc_routing.vrp.search.pyvrp_search import polish_pyvrp
from tests.vrp.search.calls import one_by_one


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return forty customers of the X family."""
    return nr.generate_uchoa(40, 3, demands="1-100", route_length=6)


@pytest.fixture(scope="module")
def start(instance: nr.Instance) -> nr.Solution:
    """Return the poor solution with a route for each customer."""
    return one_by_one(instance)


def test_improves_a_start(instance: nr.Instance, start: nr.Solution) -> None:
    """No iteration gives it back; a seed and a number decide the answer."""
    none, good, again = (
        polish_pyvrp(
            instance, start, Run(Budget.of(iterations=number), seed=1)
        )
        for number in (0, 300, 300)
    )
    assert none == start
    assert good == again
    assert good.cost < start.cost
    assert nr.check_solution(instance, good) == []
    for seed in range(3):
        once = polish_pyvrp(
            instance, good, Run(Budget.of(iterations=1), seed=seed)
        )
        assert once.cost <= good.cost


def test_criteria_hear_our_costs(
    instance: nr.Instance, start: nr.Solution
) -> None:
    """PyVRP sees scaled integers; targets and answers have the true cost."""
    unrounded = replace(
        instance, coords=instance.require_coords("") / 1000, rounding="none"
    )
    poor = nr.Solution.from_routes(unrounded, start.routes)
    target, most = nr.TargetCost(0.9 * poor.cost), nr.MaxIterations(500)
    near, far = (
        polish_pyvrp(unrounded, poor, Run(Budget(stop=stop)))
        for stop in (nr.first_of(most, target), most)
    )
    assert far.cost < near.cost <= 0.9 * poor.cost < 100
    assert nr.check_solution(unrounded, far) == []
    idle = nr.NoImprovement(20)
    assert (
        polish_pyvrp(instance, start, Run(Budget(stop=idle), seed=1)) != start
    )


def test_ends_in_time(instance: nr.Instance, start: nr.Solution) -> None:
    """A tenth of a second is enough to improve on the worst solution."""
    found = polish_pyvrp(instance, start, Run(Budget.of(0.5), seed=1))
    assert found.cost < start.cost
    assert nr.check_solution(instance, found) == []


def test_needs_a_limit(instance: nr.Instance, start: nr.Solution) -> None:
    """PyVRP would run for ever."""
    with pytest.raises(nr.ParameterError, match="time limit or a number"):
        polish_pyvrp(instance, start, Run(seed=1))


def test_no_time_to_set_up(
    instance: nr.Instance, start: nr.Solution, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the set-up would overrun the deadline it is not begun."""
    deadline = Deadline(1e-4, clock=lambda: 0.0)
    with caplog.at_level(logging.INFO):
        assert (
            polish_pyvrp(instance, start, Run(Budget(deadline), seed=1))
            is start
        )
    assert "no time left to set PyVRP up for 41 nodes" in caplog.text


@pytest.mark.parametrize(
    ("seconds", "improves"), [(1, False), (5, False), (8, False), (99, True)]
)
def test_set_up_and_first_search_need_time(
    instance: nr.Instance, start: nr.Solution, seconds: float, improves: bool
) -> None:
    """Each look at the clock takes a second: none is left for the search."""
    ticks = itertools.count()
    deadline = Deadline(seconds, clock=lambda: float(next(ticks)))
    found = polish_pyvrp(instance, start, Run(Budget(deadline), seed=1))
    assert (found.cost < start.cost) == improves


def test_one_customer() -> None:
    """The smallest instance has one solution."""
    tiny = nr.Instance("one", np.array([0, 1]), 1, np.array([[0, 0], [3, 4]]))
    start = one_by_one(tiny)
    assert (
        polish_pyvrp(tiny, start, Run(Budget.of(iterations=5), seed=1))
        == start
    )
