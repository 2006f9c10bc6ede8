"""Ctrl-C and SIGTERM: end soon, keep what there is, and exit with 130."""

import signal
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130
_seen = False


def catch_signals() -> None:
    """Raise ``KeyboardInterrupt`` on both signals, and remember it."""
    global _seen
    _seen = False
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _raise)


def interrupted() -> bool:
    """Whether a signal came.

    A polish ends early on an interrupt and returns its best solution, so
    the exception itself may never come back here.
    """
    return _seen


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    global _seen
    _seen = True
    raise KeyboardInterrupt
