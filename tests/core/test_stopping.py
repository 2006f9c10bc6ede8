"""Criteria that end a search, on a clock that stands still."""

import math
import pickle
import time
from typing import Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.stopping import Pace, Stop, Tally, stop_of
from tests.core.conftest import Clock


def test_time_limit_follows_its_clock(clock: Clock) -> None:
    """Of 4 seconds 1 has passed; 1 more would make a half."""
    stop = nr.stop.TimeLimit(4.0, clock=clock)
    assert stop.progress(Tally()) == 0.0
    clock.time += 1.0
    assert stop.progress(Tally()) == 0.25
    assert stop.progress(Tally(10, ahead=1.0)) == 0.5
    assert stop.left(Tally()) == (3.0, math.inf)
    clock.time += 2.9
    assert stop.progress(Tally()) < 1.0
    clock.time += 0.1
    assert stop.progress(Tally()) == 1.0


def test_endless_time_ends_where_it_expires(clock: Clock) -> None:
    """Without a limit there is no progress, unless it is ended."""
    stop = nr.stop.TimeLimit(clock=clock)
    clock.time += 1e9
    assert stop.progress(Tally(1, ahead=1e9)) == 0.0
    assert stop.left(Tally()) == (math.inf, math.inf)
    stop.expire()
    assert stop.progress(Tally()) == 1.0
    assert nr.stop.TimeLimit(0.0, clock=clock).progress(Tally()) == 1.0


def test_time_beyond_a_limit_is_called_off_with_it(clock: Clock) -> None:
    """It does not end with that limit, but where that one expires."""
    before = nr.stop.TimeLimit(2.0, clock=clock)
    beyond = before.within(1.0).beyond(4.0)
    clock.time += 3.0
    assert before.passed()
    assert beyond.remaining() == pytest.approx(1.0)
    before.expire()
    assert beyond.passed()
    assert beyond.is_called_off()


def test_part_of_the_time_begins_now_and_passes_with_it(clock: Clock) -> None:
    """A tenth of 4 seconds, but never beyond the whole."""
    stop = nr.stop.TimeLimit(4.0, clock=clock)
    clock.time += 1.0
    part = stop.part(0.1, 0.5)
    clock.time += 0.2
    assert part.progress(Tally()) == pytest.approx(0.5)
    clock.time = 103.9
    assert stop.part(0.1, 0.5).remaining() == pytest.approx(0.1)
    stop.expire()
    assert part.progress(Tally()) == 1.0


@pytest.mark.parametrize(
    "kind", [nr.stop.MaxIterations, nr.stop.NoImprovement]
)
def test_iterations_are_counted(
    kind: type[nr.stop.MaxIterations | nr.stop.NoImprovement],
) -> None:
    """3 of 4, all of them or idle ones; a share is rounded up; 0 is least."""
    stop = kind(4)
    done = Tally(3) if kind is nr.stop.MaxIterations else Tally(10, 3)
    assert stop.progress(done) == 0.75
    assert stop.progress(Tally(11, 4, ahead=0.0)) >= 1.0
    assert stop.left(done) == (math.inf, 1)
    assert kind(0).progress(Tally()) == 1.0
    assert kind(100).part(0.1, 0.25) == kind(3)
    for wrong in (-1, 1.5, "4", None, True):
        with pytest.raises(
            nr.ParameterError, match="whole number of at least 0"
        ):
            kind(wrong)  # type: ignore[arg-type]


def test_target_is_met_from_its_cost_on() -> None:
    """A part of a search cannot meet it, since it knows its part alone."""
    stop = nr.stop.TargetCost(10.0)
    assert stop.progress(Tally(5, 0, 10.5)) == 0.0
    assert stop.progress(Tally(5, 0, 10.0)) == 1.0
    assert stop.part(0.5, 0.5).progress(Tally(5, 0, 0.0)) == 0.0
    for wrong in (math.nan, "10", True):
        with pytest.raises(
            nr.ParameterError, match="cost must be a number, got"
        ):
            nr.stop.TargetCost(wrong)  # type: ignore[arg-type]
        with pytest.raises(
            nr.ParameterError, match="seconds must be a number"
        ):
            nr.stop.TimeLimit(wrong)  # type: ignore[arg-type]


def test_a_time_limit_is_for_one_run() -> None:
    """One that another run has used up is named; and where one belongs."""
    instance = nr.Instance(
        demands=np.array([0, 1, 1]), coords=np.eye(3, 2), capacity=1
    )
    limit = nr.stop.TimeLimit(1e-9)
    nr.solve(instance, limit)
    for second in (limit, nr.stop.first_of(nr.stop.MaxIterations(5), limit)):
        with pytest.raises(nr.ParameterError, match="used up this TimeLimit"):
            nr.solve(instance, second)
    for wrong in (limit, nr.stop.MaxIterations(5), pyvrp.stop.MaxRuntime(1)):
        with pytest.raises(
            nr.ParameterError,
            match=r"time_limit .* got a \w+: a criterion is the argument stop",
        ):
            nr.solve(instance, time_limit=wrong)  # type: ignore[arg-type]


def test_the_first_of_several_counts(clock: Clock) -> None:
    """The largest progress, the least that is left, and so in each part."""
    limit = nr.stop.TimeLimit(4.0, clock=clock)
    stop = nr.stop.first_of(
        limit, nr.stop.MaxIterations(10), nr.stop.TargetCost(5.0)
    )
    assert stop.progress(Tally(3)) == 0.3
    clock.time += 2.0
    assert stop.progress(Tally(3)) == 0.5
    assert stop.left(Tally(3)) == (2.0, 7)
    assert stop.progress(Tally(3, 0, 5.0)) == 1.0
    assert stop.part(0.5, 0.6).left(Tally()) == (2.0, 3)
    assert nr.stop.first_of(limit) is limit


def test_some_limit_is_needed() -> None:
    """A deadline without a limit and a target may never end a search."""
    message = "the walk needs a time limit or a number of iterations"
    for stop in (None, nr.stop.TargetCost(1.0)):
        with pytest.raises(nr.ParameterError, match=message):
            Budget(stop=stop).criterion("the walk")
    Budget.of(0.0).criterion("the walk")
    Budget(stop=nr.stop.NoImprovement(7)).criterion("the walk")
    both = Budget.of(iterations=5).until(nr.stop.MaxIterations(3))
    whole = both.criterion("the walk")
    assert whole.left(Tally()) == (math.inf, 3)


def test_a_function_is_asked_at_each_look() -> None:
    """Not ahead of time, and of a part without a cost; a yes is a yes."""
    costs: list[float] = []

    def is_low(cost: float) -> bool:
        costs.append(cost)
        return cost < 7

    stop = stop_of(is_low)
    assert stop.left(Tally()) == (math.inf, math.inf)
    assert stop.progress(Tally(8, 5, 9.0, 0.0)) == 0.0
    assert costs == []
    assert stop.progress(Tally(3, 0, 7.0)) == 0.0
    assert stop.part(0.5, 1.0).progress(Tally(3, 0, 2.0)) == 0.0
    assert stop.progress(Tally(3, 0, 6.0)) == 1.0
    assert stop.progress(Tally(3, 0, 9.0)) == 1.0
    assert costs == [7.0, math.inf, 6.0]


@pytest.mark.parametrize(
    "wrong", [pyvrp.stop.MaxRuntime(3), 5, nr.stop.MaxIterations]
)
def test_other_criteria_are_refused(wrong: Any) -> None:
    """The class is named, and what to write for seconds."""
    assert stop_of(nr.stop.MaxIterations(5)) == nr.stop.MaxIterations(5)
    with pytest.raises(nr.ParameterError, match=r"got \w.*time_limit\.$"):
        stop_of(wrong)
    if not isinstance(wrong, pyvrp.stop.MaxRuntime):
        with pytest.raises(nr.ParameterError, match=r"got \w.*time_limit\.$"):
            nr.stop.first_of(nr.stop.MaxIterations(5), wrong)
    with pytest.raises(nr.ParameterError, match=r"got \w.*time_limit\.$"):
        Budget(stop=wrong).criterion("it")


def test_criteria_are_pickled_on_their_way() -> None:
    """Another machine continues where this one is."""
    limit = nr.stop.TimeLimit(60.0, clock=time.process_time)
    whole = nr.stop.first_of(
        limit, nr.stop.MaxIterations(8), nr.stop.NoImprovement(4)
    )
    again: Stop = pickle.loads(pickle.dumps(whole))
    assert again.progress(Tally(4, 1)) == 0.5
    assert again.left(Tally(4, 3))[1] == 1
    assert again.left(Tally())[0] <= 60.0


def test_pace_follows_the_clock(clock: Clock) -> None:
    """At 1,000 iterations a second 20 take a fiftieth of one."""
    pace = Pace(nr.stop.TimeLimit(10.0, clock=clock))
    assert pace.next_batch() == (200, 0.0)
    clock.time += 0.2
    assert pace.advance(200) == pytest.approx(0.02)
    size, reached = pace.next_batch()
    assert size in (19, 20)
    assert reached == pytest.approx(0.022, abs=2e-4)
    clock.time += 9.79
    assert pace.advance(9_790) < 1.0
    assert pace.next_batch()[0] in (9, 10)
    clock.time += 0.01
    assert pace.advance(10) == 1.0
    # A hundredth of a short time.
    pace = Pace(nr.stop.TimeLimit(0.5, clock=clock))
    clock.time += 0.1
    pace.advance(1_000)
    assert pace.next_batch()[0] in (49, 50)


def test_progress_never_falls() -> None:
    """An improvement stops the fall of the temperature, and no more."""
    pace = Pace(nr.stop.NoImprovement(10), best_cost=9.0)
    assert pace.advance(6, 9.0) == 0.6
    assert pace.advance(3, 8.0) == 0.6
    assert pace.next_batch()[0] == 10
    assert pace.advance(5, 8.0) == 0.6
    assert pace.advance(5, 8.0) == 1.0
    assert Pace(nr.stop.NoImprovement(3), best_cost=9.0).advance(3, 9.0) == 1.0


def test_expiry_is_seen_at_the_next_look(clock: Clock) -> None:
    """Also where neither time nor speed were known."""
    deadline = nr.stop.TimeLimit(clock=clock)
    pace = Pace(nr.stop.first_of(deadline, nr.stop.MaxIterations(10**9)))
    size, _ = pace.next_batch()
    deadline.expire()
    assert pace.next_batch() == (200, 1.0)
    assert (size, pace.advance(size)) == (5000, 1.0)
    assert pace.next_batch() == (1, 1.0)
