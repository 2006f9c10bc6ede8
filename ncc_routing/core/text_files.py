"""Text files, read up to a size, and written in whole or not at all."""

from __future__ import annotations

import codecs
import errno
import io
import os
import secrets
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TextIO

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

EXCEL_SUFFIX: Final = ".xlsx"
"""Of files of Excel."""

MOST_BYTES: Final = 2**30
"""Bytes of a file, 1 GiB, uncompressed."""

MOST_CELLS: Final = 20_000_000
"""Cells of a table, and lines of a text."""

MOST_COLUMNS: Final = 16_384
"""Columns of a table, as in Excel."""

MOST_LENGTHS: Final = 100_000_000
"""Cells of a matrix: those of 10,000 places."""


def require_size(
    source: object, size: int, what: str = "bytes", most: int = MOST_BYTES
) -> None:
    """Refuse more bytes, lines or cells of a file than there may be."""
    if size > most:
        rule = f"must have at most {most:,} {what}"
        raise InstanceError(source, "file", rule, size)


STANDARD_STREAM: Final = "-"
"""Stands for standard input where a file is read, else standard output."""

_STANDARD_OUTPUTS: Final = (STANDARD_STREAM, "/dev/stdout", "/dev/fd/1")
"""Names of standard output. Opened anew, a file behind it would be cut."""


_NO_TEXT: Final = "is not a text file in UTF-8"

_ENCODINGS: Final = ("utf-8-sig", "cp1252")
"""Encodings of texts without a mark, the surest first."""

_UTF_16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_LINE_ENDS: Final = b"\n\r\v\f\x1c\x1d\x1e"
"""Bytes that end a line for Python; on Windows two of them do."""

_CHUNK: Final = 2**20
"""Bytes that are read at a time."""


def require_path(value: object, purpose: str) -> Path:
    """Return a path that a user gave; ``purpose`` is for the message."""
    if not isinstance(value, (str, os.PathLike)):
        raise ParameterError(
            f"the path of {purpose} must be a string or a path, "
            f"got {describe_value(value)}."
        )
    return Path(value)


def describe_value(value: object) -> str:
    """Return a short description of a value of a wrong type."""
    if value is None:
        return "None"
    text = repr(value)
    kind = type(value).__name__
    is_short = len(text) <= 40 and "\n" not in text
    return f"{text} ({kind})" if is_short else f"a {kind}"


def is_standard_input(path: object) -> bool:
    """Whether a path stands for standard input."""
    return str(path) == STANDARD_STREAM


def name_of(file: Path) -> str:
    """Return what a problem from a file is called: its name, or stdin."""
    return "stdin" if is_standard_input(file) else file.stem


def is_standard_output(path: object) -> bool:
    """Whether a path stands for standard output."""
    return str(path) in _STANDARD_OUTPUTS


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a pipe, a device, or standard output."""
    if is_standard_output(path):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def read_text(file: Path) -> str:
    """Return the content of a text file.

    It is in UTF-16 if it begins with its mark, else in UTF-8 or in the
    Windows code page 1252.

    ``InstanceError`` is raised if it is missing, unreadable, empty or binary.
    """
    try:
        if file.is_dir():
            raise InstanceError(file, "file", "is a folder")
        if is_standard_input(file):
            content = _read_standard_input(file)
        else:
            with file.open("rb") as stream:
                size = os.fstat(stream.fileno()).st_size
                require_size(file, size)
                content = _read_bytes(file, stream)
    except FileNotFoundError:
        raise InstanceError(file, "file", "does not exist") from None
    except OSError as error:
        rule = f"cannot be read ({error.strerror})"
        raise InstanceError(file, "file", rule) from None
    text = _decoded(content)
    if not text.strip():
        raise InstanceError(file, "file", "is empty")
    if "\0" in text:
        raise InstanceError(file, "file", _NO_TEXT)
    return text


def _decoded(content: bytearray) -> str:
    """Return the text of some bytes; a binary one has zeros."""
    marked = ("utf-16",) if content.startswith(_UTF_16_MARKS) else ()
    for encoding in (*marked, *_ENCODINGS):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding)
    return content.decode("latin-1")  # which takes any bytes


@contextmanager
def open_text(file: Path) -> Iterator[Iterator[str]]:
    """Open a text file in UTF-8 or UTF-16 for the csv module, or stdin.

    A line that is binary or longer than that of a table raises InstanceError.
    """
    if is_standard_input(file):
        yield _lines(file, sys.stdin)
        return
    with file.open("rb") as stream:
        is_utf_16 = stream.peek(2).startswith(_UTF_16_MARKS)
        encoding = "utf-16" if is_utf_16 else "utf-8-sig"
        yield _lines(
            file, io.TextIOWrapper(stream, encoding, "replace", newline="")
        )


def _lines(file: Path, text: TextIO) -> Iterator[str]:
    # A device may have a line that never ends.
    while line := text.readline(_CHUNK):
        if "\0" in line or len(line) == _CHUNK:
            raise InstanceError(file, "file", _NO_TEXT)
        yield line


def _read_standard_input(file: Path) -> bytearray:
    """Return all of standard input; a stream of text alone has no bytes."""
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:
        return bytearray(sys.stdin.read().encode())
    return _read_bytes(file, binary)


def _read_bytes(file: Path, stream: IO[bytes]) -> bytearray:
    """Return all of a stream; of one that is binary, perhaps a part."""
    content, num_lines = bytearray(), 0
    # A device may have no end: /dev/zero, or the output of yes.
    while part := stream.read(_CHUNK):
        content += part
        num_lines += sum(map(part.count, _LINE_ENDS))
        require_size(file, len(content))
        require_size(file, num_lines, "lines", MOST_CELLS)
        if b"\0" in part and not content.startswith(_UTF_16_MARKS):
            break
    return content


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file as ``write_bytes`` does; "-" is standard output."""
    if is_standard_output(path):
        with naming_file("standard output"):
            sys.stdout.write(text)
            sys.stdout.flush()
        return
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that appears under its name when it is whole."""
    with replacing(path) as file:
        file.write_bytes(content)


@contextmanager
def naming_file(path: object) -> Iterator[None]:
    """Turn an ``OSError`` into an ``NccRoutingError`` that names the file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "input/output error"
        message = f"{path}: the file cannot be written: {reason}."
        raise NccRoutingError(message) from None


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a file to write, and put it under its name when it is whole.

    Its temporary name in the same folder cannot be foreseen. It takes over the
    permissions of an existing file, which stays where writing fails. A device
    or a pipe is written directly.
    """
    with naming_file(path):
        if is_special(path):
            # What a link to a pipe names, /proc/7/fd/pipe:[9], is no file.
            yield Path(path)
            return
        target = Path(path).resolve()
        written = _name_beside(target)
        try:
            _create(written)
            yield written
            with suppress(FileNotFoundError):
                written.chmod(stat.S_IMODE(target.stat().st_mode))
            written.replace(target)
        finally:
            with suppress(OSError):
                written.unlink(missing_ok=True)


def create_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file that appears when it is whole; an existing one stays."""
    with naming_file(path):
        target = Path(path).resolve()
        written = _name_beside(target)
        try:
            _create(written)
            written.write_bytes(text.encode("utf-8"))
            try:
                os.link(written, target)
            except FileExistsError:
                return
            except OSError:  # not every disk has links
                written.replace(target)
        finally:
            written.unlink(missing_ok=True)


def require_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path under which no file can be written.

    A missing file is not made: a process killed then would leave it empty.
    """
    # A pipe that is opened and closed has ended for its reader.
    if is_special(path):
        return
    with naming_file(path):
        target = Path(path).resolve()
        if target.exists():
            target.open("ab").close()
        tried = _name_beside(target)
        try:
            _create(tried)
        finally:
            tried.unlink(missing_ok=True)


def _name_beside(target: Path) -> Path:
    """Return a name in the folder of a file that cannot be foreseen."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    # Names of files end at 255 bytes.
    name = f".{target.name[:40]}.{secrets.token_hex(8)}.part"
    return target.with_name(name)


def _create(file: Path) -> None:
    """Create an empty file, never one that exists or that a link names.

    Its name is known before, so that an interrupt leaves none.
    """
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
