"""Ctrl-C and SIGTERM: end soon, keep what there is, and exit with 130."""

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

from ncc_routing.core import interrupts
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError

EXIT_CODE = 130
"""As a shell reports a program that Ctrl-C has ended."""

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what a job system sends."""


_AGAIN: Final = 0.01
"""Seconds until an exception that Python dropped is raised once more."""


class Interrupted(KeyboardInterrupt):
    """A signal has come.

    "python -m" ends by SIGINT even after a caught KeyboardInterrupt, but not
    after one of a class of its own.
    """


def exit_on_signals() -> None:
    """End the process at once on both signals: there is nothing to keep.

    An exception would come out of whatever module is being imported.
    """
    for number in _SIGNALS:
        signal.signal(number, _exit)


def catch_signals() -> None:
    """Raise ``Interrupted`` on the first; the next ends the process."""
    sys.unraisablehook = _raise_again
    for number in _SIGNALS:
        signal.signal(number, _raise)


def ignore_signals() -> None:
    """Let none change the exit code, once the work is done."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def expire_on_signal(deadline: Deadline) -> Iterator[None]:
    """Let a deadline expire on the first signal; the second one raises.

    After the block the process exits with 130.
    """
    with interrupts.expire_on_signal(deadline, _SIGNALS) as interruption:
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
    timer = threading.Timer(_AGAIN, _interrupt, (main,))
    timer.daemon = True
    timer.start()


def _interrupt(thread: int) -> None:
    """Send Ctrl-C to a thread, which on POSIX ends a sleep too."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _exit(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(EXIT_CODE)
