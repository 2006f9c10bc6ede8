"""The command line leaves signals as it needs them: they are put back."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def keeping_handlers() -> Iterator[None]:
    """Put the handlers of Ctrl-C and SIGTERM back at the end."""
    before = [signal.getsignal(number) for number in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)
