"""Standard streams that are closed or full: no answer is lost by them."""

import io
import os
import sys
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def secure_streams() -> None:
    """Let every standard stream be one, and stderr never fail.

    The next file opened would take the number of a stream that the shell
    closed. Standard input then is empty, standard output refuses what is
    written, and stderr drops it.
    """
    if sys.stdin is None:
        sys.stdin = _null(os.O_RDONLY)
    if sys.stdout is None:
        # For reading alone: writing to it fails.
        sys.stdout = _null(os.O_RDONLY, "w")
    if sys.stderr is None:
        sys.stderr = _null(os.O_WRONLY, "w")
    number, encoding = sys.stderr.fileno(), sys.stderr.encoding
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Forgiving(number, "w", closefd=False)),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=True,
    )


class _Forgiving(io.FileIO):
    """A file that drops what it cannot write."""

    def write(self, content: "ReadableBuffer", /) -> int:
        """Write bytes; say that all are written where none can be."""
        try:
            return super().write(content)
        except OSError:
            return len(memoryview(content).cast("B"))


def _null(flags: int, mode: Literal["r", "w"] = "r") -> TextIO:
    """Open the null device; it takes the lowest number that is free."""
    return open(os.open(os.devnull, flags), mode, closefd=False)
