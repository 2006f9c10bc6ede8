"""Signals during the work: end soon, keep what there is, exit with 130."""

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

from ncc_route.signals import EXIT_CODE, SIGNALS, exit_on_signals
from ncc_routing.core import interrupts
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.stopping import TimeLimit

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_PAUSE: Final = 0.01
"""Seconds between two looks at a thread."""


class Interrupted(KeyboardInterrupt):
    """A signal has come.

    "python -m" ends by SIGINT even after a caught KeyboardInterrupt, but not
    after one of a class of its own.
    """


def catch_signals() -> None:
    """Raise ``Interrupted`` on the first; the next ends the process."""
    sys.unraisablehook = _raise_again
    for number in SIGNALS:
        signal.signal(number, _raise)


@contextmanager
def expire_on_signal(deadline: TimeLimit) -> Iterator[None]:
    """Let a deadline expire on the first signal; the second one raises.

    After the block the process exits with 130.
    """
    with interrupts.expire_on_signal(deadline, SIGNALS) as interruption:
        try:
            yield
        except NccRoutingError as error:
            if not interruption.received:
                raise
            print(f"ncc-route: error: {error}", file=sys.stderr)
    if interruption.received:
        raise SystemExit(EXIT_CODE)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    exit_on_signals()
    raise Interrupted


def _raise_again(dropped: "UnraisableHookArgs") -> None:
    """Let the signal come again: Python drops what some callbacks raise."""
    if not issubclass(dropped.exc_type, Interrupted):
        sys.__unraisablehook__(dropped)
        return
    catch_signals()
    main = threading.main_thread().ident
    threading.Thread(target=_interrupt, args=(main,), daemon=True).start()


def _interrupt(thread: int) -> None:
    """Send Ctrl-C to a thread that has left the hook; it ends a sleep too."""
    while _is_in_hook(thread):
        time.sleep(_PAUSE)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_in_hook(thread: int) -> bool:
    """Whether what comes to a thread now would be dropped once more."""
    frame = sys._current_frames().get(thread)  # noqa: SLF001
    while frame is not None and frame.f_code is not _raise_again.__code__:
        frame = frame.f_back
    return frame is not None
