"""Deadlines in processor time."""

import time

from ncc_routing.benchmarking.processor_deadline import ProcessorDeadline


def test_only_the_own_work_counts(monkeypatch):
    """The clock is the one of the process."""
    clock = [5.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    deadline = ProcessorDeadline(2.0)
    assert deadline.is_limited()
    assert deadline.remaining() == 2.0
    clock[0] = 6.5
    assert deadline.remaining() == 0.5
    assert not deadline.passed()
    clock[0] = 8.0
    assert deadline.remaining() == 0.0
    assert deadline.passed()
