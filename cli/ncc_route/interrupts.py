"""Ctrl-C and SIGTERM: end soon, keep what there is, and exit with 130."""

import signal
from contextlib import AbstractContextManager
from types import FrameType
from typing import NoReturn

from ncc_routing.core import interrupts
from ncc_routing.core.deadline import Deadline

EXIT_CODE = 130
"""As a shell reports a program that Ctrl-C has ended."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what a job system sends."""


def catch_signals() -> None:
    """Raise ``KeyboardInterrupt`` on both signals."""
    for number in _SIGNALS:
        signal.signal(number, _raise)


def expire_on_signal(
    deadline: Deadline,
) -> AbstractContextManager[interrupts.Interruption]:
    """Let a deadline expire on the first signal; the second one raises."""
    return interrupts.expire_on_signal(deadline, _SIGNALS)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
