"""Ctrl-C during a run: it ends soon, and keeps its best solution so far."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from ncc_routing.core.stopping import TimeLimit


class Interruption:
    """Whether a signal has come, for the code that ends in good order."""

    def __init__(self) -> None:
        self.received = False


@contextmanager
def expire_on_signal(
    deadline: TimeLimit, signals: Sequence[int] = (signal.SIGINT,)
) -> Iterator[Interruption]:
    """Let a deadline expire on the first signal; the second one raises.

    The run ends soon with its best solution so far, checked as usual.
    """
    interruption = Interruption()

    def expire(number: int, frame: FrameType | None) -> None:
        if interruption.received:
            raise KeyboardInterrupt
        interruption.received = True
        deadline.expire()

    before = [signal.signal(number, expire) for number in signals]
    try:
        yield interruption
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def expire_on_ctrl_c(deadline: TimeLimit) -> Iterator[Interruption]:
    """Do so for Ctrl-C, where Python would raise ``KeyboardInterrupt``.

    A handler of other code stays; other threads get no signals.
    """
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if is_main and handler is signal.default_int_handler:
        with expire_on_signal(deadline) as interruption:
            yield interruption
    else:
        yield Interruption()
