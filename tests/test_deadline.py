"""Tests of the deadline, on a clock that stands still."""

from __future__ import annotations

import math
import pickle
import time

import pytest

from ncc_routing.deadline import Deadline


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace the clock: its time is the only entry of this list."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_remaining_counts_down_to_zero(clock: list[float]) -> None:
    """Before, at and after the moment; never negative."""
    deadline = Deadline(2.0)
    assert (deadline.remaining(), deadline.passed()) == (2.0, False)
    clock[0] = 101.5
    assert (deadline.remaining(), deadline.passed()) == (0.5, False)
    clock[0] = 102.0
    assert (deadline.remaining(), deadline.passed()) == (0.0, True)
    clock[0] = 103.0
    assert (deadline.remaining(), deadline.passed()) == (0.0, True)


def test_without_a_limit_it_never_passes(clock: list[float]) -> None:
    """No number of seconds, or an infinite one, is no limit."""
    for deadline in (Deadline(), Deadline(math.inf)):
        clock[0] += 1e9
        assert not deadline.passed()
        assert not deadline.is_limited()
        assert deadline.remaining() == math.inf


def test_zero_seconds_have_passed_at_once(clock: list[float]) -> None:
    """A limit of zero is a limit."""
    assert Deadline(0.0).passed()
    assert Deadline(0.0).is_limited()


@pytest.mark.parametrize(
    ("own", "seconds", "expected"),
    [(5.0, 2.0, 2.0), (1.0, 2.0, 1.0), (None, 2.0, 2.0)],
)
def test_within_takes_the_earlier(
    clock: list[float], own: float | None, seconds: float, expected: float
) -> None:
    """A part of the work gets its share, but not more than is left."""
    assert Deadline(own).within(seconds).remaining() == expected


def test_within_keeps_no_limit(clock: list[float]) -> None:
    """An infinite share of an endless deadline stays endless."""
    assert not Deadline().within(math.inf).is_limited()


def test_expiry_reaches_every_part_of_the_work(clock: list[float]) -> None:
    """Ending the whole run ends the stages, not the other way round."""
    whole = Deadline(10.0)
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
