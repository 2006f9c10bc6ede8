"""The command line leaves signals as it needs them: they are put back."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ncc_route.signals import SIGNALS

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def keeping_handlers() -> Iterator[None]:
    """Put the handlers of the signals back at the end."""
    before = [signal.getsignal(number) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
