"""Tests of the deadline, on a clock that stands still."""

from __future__ import annotations

import math
import pickle
import time

import pytest

from ncc_routing.core.deadline import Deadline


class Clock:
    """A clock that stands still until it is told the time."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


@pytest.fixture
def clock() -> Clock:
    """Return a clock of our own."""
    return Clock()


def test_remaining_counts_down_to_zero(clock: Clock) -> None:
    """Before, at and after the moment; never negative."""
    deadline = Deadline(2.0, clock=clock)
    assert (deadline.remaining(), deadline.passed()) == (2.0, False)
    clock.time = 101.5
    assert (deadline.remaining(), deadline.passed()) == (0.5, False)
    clock.time = 102.0
    assert (deadline.remaining(), deadline.passed()) == (0.0, True)
    clock.time = 103.0
    assert (deadline.remaining(), deadline.passed()) == (0.0, True)


def test_without_a_limit_it_never_passes(clock: Clock) -> None:
    """No number of seconds, or an infinite one, is no limit."""
    for deadline in (Deadline(clock=clock), Deadline(math.inf, clock=clock)):
        clock.time += 1e9
        assert not deadline.passed()
        assert not deadline.is_limited()
        assert deadline.remaining() == math.inf


def test_zero_seconds_have_passed_at_once(clock: Clock) -> None:
    """A limit of zero is a limit."""
    assert Deadline(0.0, clock=clock).passed()
    assert Deadline(0.0, clock=clock).is_limited()


@pytest.mark.parametrize(
    ("own", "seconds", "expected"),
    [(5.0, 2.0, 2.0), (1.0, 2.0, 1.0), (None, 2.0, 2.0)],
)
def test_within_takes_the_earlier(
    clock: Clock, own: float | None, seconds: float, expected: float
) -> None:
    """A part of the work gets its share, but not more than is left."""
    assert Deadline(own, clock=clock).within(seconds).remaining() == expected


def test_within_keeps_no_limit(clock: Clock) -> None:
    """An infinite share of an endless deadline stays endless."""
    assert not Deadline(clock=clock).within(math.inf).is_limited()
    assert not Deadline(clock=clock).within(None).is_limited()
    assert Deadline(5.0, clock=clock).within(None).remaining() == 5.0


def test_expiry_reaches_every_part_of_the_work(clock: Clock) -> None:
    """Ending the whole run ends the stages, not the other way round."""
    whole = Deadline(10.0, clock=clock)
    part = whole.within(5.0)
    sibling = whole.within(5.0)
    part.expire()
    assert part.passed()
    assert not whole.passed()
    whole.expire()
    assert sibling.passed()
    assert whole.is_limited()


def test_pickling_keeps_the_time_left() -> None:
    """Another machine has another clock; no limit stays none."""
    near = pickle.loads(pickle.dumps(Deadline().within(100.0)))
    assert 90.0 < near.remaining() <= 100.0
    assert not pickle.loads(pickle.dumps(Deadline())).is_limited()
    passed = Deadline()
    passed.expire()
    assert pickle.loads(pickle.dumps(passed)).passed()


def test_the_clock_is_an_argument() -> None:
    """Parts and copies of a deadline read the same clock."""
    deadline = Deadline(5.0, clock=time.process_time)
    before = time.process_time()
    assert before <= deadline.now() <= time.process_time()
    time.sleep(0.05)
    for one in (deadline.within(5.0), pickle.loads(pickle.dumps(deadline))):
        assert one.now() <= time.process_time()
        assert one.remaining() <= 5.0


def test_only_its_own_clock_counts(clock: Clock) -> None:
    """A part passes by the clock of the whole."""
    part = Deadline(10.0, clock=clock).within(2.0)
    clock.time += 1.5
    assert (part.now(), part.remaining()) == (101.5, 0.5)


def test_called_off_is_not_out_of_time() -> None:
    """Only what somebody lets expire is called off, with all within it."""
    outer = Deadline(60.0)
    inner = outer.within(0.0)
    assert inner.passed()
    assert not inner.is_called_off()
    outer.expire()
    assert outer.is_called_off()
    assert inner.is_called_off()
