"""Ctrl-C lets a deadline expire."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

import ncc_routing as nr
from ncc_routing.core.interrupts import expire_on_ctrl_c


@pytest.mark.usefixtures("ctrl_c")
def test_the_first_signal_expires_and_the_second_raises() -> None:
    """Afterwards the handler of before is there again."""
    deadline = nr.stop.TimeLimit()
    with expire_on_ctrl_c(deadline) as interruption:
        assert not interruption.received
        signal.raise_signal(signal.SIGINT)
        assert interruption.received
        assert deadline.passed()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_caller_stays() -> None:
    """Somebody else has decided what Ctrl-C means."""
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    deadline = nr.stop.TimeLimit()
    try:
        with expire_on_ctrl_c(deadline) as interruption:
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [1]
    assert not interruption.received
    assert not deadline.passed()


def test_another_thread_is_left_alone() -> None:
    """Python lets only the main thread set handlers."""

    def work() -> bool:
        with expire_on_ctrl_c(nr.stop.TimeLimit()) as interruption:
            return interruption.received

    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(work).result()
