"""Ctrl-C and SIGTERM: end soon, keep what there is, and exit with 130."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from ncc_routing.core.deadline import Deadline

EXIT_CODE = 130
"""As a shell reports a program that Ctrl-C has ended."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what a job system sends."""


class Interruption:
    """Whether a signal has come, for the code that ends in good order."""

    def __init__(self) -> None:
        self.seen = False


def catch_signals() -> None:
    """Raise ``KeyboardInterrupt`` on both signals."""
    for number in _SIGNALS:
        signal.signal(number, _raise)


@contextmanager
def expire_on_signal(deadline: Deadline) -> Iterator[Interruption]:
    """Let a deadline expire on the first signal; the second one raises.

    Every stage polls the deadline, so the run ends soon with its best
    solution so far, which is then checked and written as usual.
    """
    interruption = Interruption()

    def expire(number: int, frame: FrameType | None) -> None:
        if interruption.seen:
            _raise(number, frame)
        interruption.seen = True
        deadline.expire()

    for number in _SIGNALS:
        signal.signal(number, expire)
    try:
        yield interruption
    finally:
        catch_signals()


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
