"""Tests of the time limit, on a clock that stands still."""

import math
import pickle
import time

import pytest

import ncc_routing as nr
from tests.core.conftest import Clock


def test_remaining_counts_down_to_zero(clock: Clock) -> None:
    """Before, at and after the moment; never negative."""
    limit = nr.stop.TimeLimit(2.0, clock=clock)
    assert (limit.remaining(), limit.passed()) == (2.0, False)
    for now, left in ((101.5, 0.5), (102.0, 0.0), (103.0, 0.0)):
        clock.time = now
        assert (limit.remaining(), limit.passed()) == (left, left == 0.0)


@pytest.mark.parametrize("seconds", [None, math.inf, 0.0])
def test_only_a_number_is_a_limit(clock: Clock, seconds: float | None) -> None:
    """Zero is one; no or infinite seconds are none."""
    limit = nr.stop.TimeLimit(seconds, clock=clock)
    assert limit.is_limited() == limit.passed() == (seconds == 0.0)
    clock.time += 1e9
    assert limit.passed() == (seconds == 0.0)


@pytest.mark.parametrize(
    ("own", "seconds", "expected"),
    [
        *((5.0, 2.0, 2.0), (1.0, 2.0, 1.0), (None, 2.0, 2.0)),
        *((None, math.inf, math.inf), (None, None, math.inf), (5, None, 5)),
    ],
)
def test_within_takes_the_earlier(
    clock: Clock, own: float | None, seconds: float | None, expected: float
) -> None:
    """A part of the work gets its share, but not more than is left."""
    part = nr.stop.TimeLimit(own, clock=clock).within(seconds)
    assert part.remaining() == expected
    clock.time += 0.5
    assert (part.now(), part.remaining()) == (100.5, expected - 0.5)


def test_expiry_reaches_every_part_of_the_work(clock: Clock) -> None:
    """Ending the whole run ends the stages, not the other way round."""
    whole = nr.stop.TimeLimit(10.0, clock=clock)
    part = whole.within(5.0)
    sibling = whole.within(5.0)
    part.expire()
    assert part.passed()
    assert not whole.passed()
    whole.expire()
    assert sibling.passed()
    assert whole.is_limited()
    # Only what is let expire is called off, with all within it.
    outer = nr.stop.TimeLimit(60.0)
    inner = outer.within(0.0)
    assert inner.passed()
    assert not inner.is_called_off()
    outer.expire()
    assert outer.is_called_off()
    assert inner.is_called_off()


def test_pickling_keeps_the_time_left() -> None:
    """Another machine has another clock; no limit stays none."""
    near = pickle.loads(pickle.dumps(nr.stop.TimeLimit().within(100.0)))
    assert 90.0 < near.remaining() <= 100.0
    assert not pickle.loads(pickle.dumps(nr.stop.TimeLimit())).is_limited()
    passed = nr.stop.TimeLimit()
    passed.expire()
    assert pickle.loads(pickle.dumps(passed)).passed()


def test_the_clock_is_an_argument() -> None:
    """Parts and copies of a limit read the same clock."""
    limit = nr.stop.TimeLimit(5.0, clock=time.process_time)
    before = time.process_time()
    assert before <= limit.now() <= time.process_time()
    time.sleep(0.05)
    for one in (limit.within(5.0), pickle.loads(pickle.dumps(limit))):
        assert one.now() <= time.process_time()
        assert one.remaining() <= 5.0
