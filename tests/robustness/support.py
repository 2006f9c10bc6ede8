"""What the robustness tests share: profiles, watched cases, clear messages.

``ROBUSTNESS_PROFILE`` selects the profile of hypothesis: "small", a sample of
each kind of case that never changes, or "large", thousands of new ones.
"""

from __future__ import annotations

import io
import os
import sys
import time
import unicodedata
import warnings
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ncc_route.app import main
from tests.oracles.system import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROFILE: Final = os.environ.get("ROBUSTNESS_PROFILE", "small")
IS_LARGE: Final = PROFILE == "large"
_COMMON: Final = settings(
    deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile("small", _COMMON, derandomize=True, database=None)
settings.register_profile("large", _COMMON, print_blob=True)

RANDOMS: Final = st.randoms(use_true_random=False)
"""Random choices that hypothesis replays and shrinks."""

SEEDS: Final = st.integers(0, 2**32 - 1)

MOST_SECONDS: Final = 10.0
"""Processor seconds that reading an input may take."""

MOST_MEMORY: Final = 300
"""MB that reading a refused input may take."""

MOST_LINE: Final = 2_000
"""Characters of the longest message that a user should be shown."""


def seeds(number: int, step: int = 29) -> range:
    """Return the seeds of a loop; in the small profile a few.

    A prime step: what depends on remainders of the seed still comes up.
    """
    return range(0, number, 1 if IS_LARGE else step)


def cases(small: int, large: int) -> settings:
    """Return the settings of a test: its number of cases in each profile."""
    number = large if IS_LARGE else small
    return settings(settings.get_profile(PROFILE), max_examples=number)


@contextmanager
def watched() -> Iterator[None]:
    """Let numpy's warnings fail: overflow in an input is no answer to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


@contextmanager
def reading() -> Iterator[None]:
    """Bound the processor time and, on Linux, the memory of a reader."""
    begun = time.process_time()
    if sys.platform == "linux":
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # forget the largest memory so far
    before = used_memory()
    try:
        with watched():
            yield
    finally:
        assert used_memory("VmHWM") - before <= MOST_MEMORY
        assert time.process_time() - begun <= MOST_SECONDS


def used_memory(field: str = "VmRSS") -> float:
    """Return a figure of this process in MB; 0 where it is not known."""
    if sys.platform != "linux":
        return 0.0
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(field))
    return int(line.split()[1]) / 1024


def check_line(message: object, *parts: object) -> None:
    """Demand one clear line that names some parts, such as the file.

    An error about columns has one more for each of them.
    """
    first, *more = str(message).split("\n")
    assert first.strip()
    assert len(more) == len(getattr(message, "details", ()))
    for text in (first, *more):
        assert len(text) <= MOST_LINE
        # No control characters, halves of a pair, or ends of lines.
        kinds = {unicodedata.category(c) for c in text}
        assert not kinds & {"Cc", "Cs", "Zl", "Zp"}, ascii(text)
    for part in parts:
        assert str(part) in first


def run_command(words: list[str], folder: Path) -> tuple[int, str]:
    """Run ``ncc-route`` in this process; return exit code and stderr."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        patch.dict(os.environ, {"HOME": str(folder), "COLUMNS": "200"}),
        patch.object(sys, "argv", ["ncc-route", *words]),
        patch.object(sys, "stdin", io.StringIO("")),
        redirect_stdout(out),
        redirect_stderr(errors),
        keeping_handlers(),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code
    number = code if isinstance(code, int) else int(code is not None)
    return number, errors.getvalue()
