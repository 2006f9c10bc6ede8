"""What tests change in their process and put back, and do in another."""

from __future__ import annotations

import resource
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ncc_route.signals import SIGNALS

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size in bytes.

    Writing further fails in the midst, as on a full disk.
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def keeping_handlers() -> Iterator[None]:
    """Put the handlers of the signals back at the end."""
    before = [signal.getsignal(number) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)


def rest(seconds: float) -> tuple[str, str, bool]:
    """Sleep: what a tool of an agent does in its process."""
    time.sleep(seconds)
    return "rested", "", False
