"""What ends a command from outside, heard before anything else is loaded."""

import _signal  # the rest of signal takes as long as half of Python's start
import os

EXIT_CODE = 130
"""As a shell reports a program that Ctrl-C has ended."""


def _heard(*names: str) -> tuple[int, ...]:
    """Return the signals that the system has, but SIGHUP where nohup runs."""
    numbers = {name: getattr(_signal, name, None) for name in names}
    return tuple(
        number
        for name, number in numbers.items()
        if number is not None
        and (name != "SIGHUP" or _signal.getsignal(number) != _signal.SIG_IGN)
    )


SIGNALS = _heard("SIGINT", "SIGTERM", "SIGHUP")
"""Ctrl-C, what a job system sends, and the end of a terminal."""


def exit_on_signals() -> None:
    """End the process at once on each of them: there is nothing to keep.

    An exception would come out of whatever module is being imported.
    """
    for number in SIGNALS:
        _signal.signal(number, _exit)


def ignore_signals() -> None:
    """Let none change the exit code, once the work is done."""
    for number in SIGNALS:
        _signal.signal(number, _signal.SIG_IGN)


def _exit(number: int, frame: object) -> None:
    os._exit(EXIT_CODE)
