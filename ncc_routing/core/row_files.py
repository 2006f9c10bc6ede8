"""CSV files that grow row by row and keep every row written."""

from __future__ import annotations

import csv
import io
import logging
import os
import re
import sys
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar

from ncc_routing.core.exceptions import InstanceError, NccRoutingError
from ncc_routing.core.text_files import (
    create_text,
    naming_file,
    write_text,
)

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    T = TypeVar("T")

_logger = logging.getLogger(__name__)

_COMMENTS = re.compile(rb"(?:#.*\n)*")
"""Lines before the header, which stay as they are."""


class Table:
    """A CSV file that grows run by run, closed to other processes.

    A last row that was cut off is removed; comments before the header stay.
    ``columns`` are those of a new file; those of ``key`` tell one run from
    another.
    """

    def __init__(
        self, file: Path, columns: Sequence[str], key: Sequence[str]
    ) -> None:
        self._file, self._key = file, key
        self._lock: IO[bytes] | None = None
        self._comments = b""
        self.rows: list[dict[str, str]] = []
        known = columns
        if file.is_file():
            self._claim()
            self._comments, content = _parted(file.read_bytes())
            line, end, _ = content.partition(b"\n")
            head = line.decode("latin-1").rstrip("\r")
            is_cut = not end and ",".join(columns).startswith(head)
            known = columns if is_cut else head.split(",")
            # Before a row of somebody else is removed.
            _require(file, key, known)
            _remove_cut_row(file)
            self.rows = read_rows(file)
        self.columns = list(self.rows[0] if self.rows else known)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def _claim(self) -> None:
        """Keep other processes from writing the file, where that is possible.

        On Windows an open file could not be replaced.
        """
        if sys.platform != "win32":
            with naming_file(self._file):
                self._lock = self._file.open("ab")
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._lock.close()
                message = f"{self._file}: another process is writing it."
                raise NccRoutingError(message) from None
            except OSError:
                # Not every network disk knows locks.
                _logger.info("%s cannot be locked", self._file)

    def require_columns(self, names: Iterable[str]) -> None:
        """Refuse a table that lacks a column."""
        _require(self._file, names, self.columns)

    def missing(
        self, runs: Iterable[T], cells_of: Callable[[T], Mapping[str, object]]
    ) -> list[T]:
        """Return the runs without a row; ``cells_of`` gives their cells."""
        known = {tuple(row[name] for name in self._key) for row in self.rows}
        missing = []
        for run in runs:
            cells = cells_of(run)
            if tuple(_cell(cells[name]) for name in self._key) not in known:
                missing.append(run)
        return missing

    def append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows at once, all or none; a new file gets its header."""
        if self._lock is None:
            create_text(self._file, _csv_of(self.columns, (), has_header=True))
            self._claim()
        added = [
            {name: _cell(row.get(name)) for name in self.columns}
            for row in rows
        ]
        append_rows(self._file, self.columns, added)
        self.rows += added

    def rewrite(self, key: Callable[[Mapping[str, str]], Any]) -> None:
        """Sort the rows, once all of them are there; of a run the last."""
        runs = {tuple(row[n] for n in self._key): row for row in self.rows}
        self.rows = sorted(runs.values(), key=key)
        text = _csv_of(self.columns, self.rows, has_header=True)
        write_text(self._file, self._comments.decode("utf-8") + text)


def _require(
    file: Path, names: Iterable[str], columns: Collection[str]
) -> None:
    for name in names:
        if name not in columns:
            rule = "missing: these are rows of another table"
            raise InstanceError(file, f"column {name}", rule)


def read_rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, none where it is missing.

    Lines before the header that begin with "#" are comments.
    """
    if not file.is_file():
        return []
    comments, content = _parted(file.read_bytes())
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InstanceError(file, "file", "must be UTF-8") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    rows = []
    for row in reader:
        if None in row or None in row.values():
            line = comments.count(b"\n") + reader.line_num
            rule = "must have as many cells as the header"
            raise InstanceError(file, f"line {line}", rule)
        rows.append(row)
    return rows


def _parted(content: bytes) -> tuple[bytes, bytes]:
    comments = _COMMENTS.match(content)
    end = comments.end() if comments else 0
    return content[:end], content[end:]


def append_rows(
    file: Path, columns: Iterable[str], rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows to a CSV file, all or none; an empty one gets its header."""
    with naming_file(file), file.open("ab", buffering=0) as raw:
        size = raw.seek(0, os.SEEK_END)
        left = _csv_of(columns, rows, has_header=size == 0).encode("utf-8")
        try:
            while left:
                left = left[raw.write(left) :]
        except BaseException:
            raw.truncate(size)
            raise


def _csv_of(
    columns: Iterable[str],
    rows: Iterable[Mapping[str, object]],
    *,
    has_header: bool,
) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    if has_header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _remove_cut_row(file: Path) -> None:
    """Remove what follows the last line end: a killed process left it."""
    content = file.read_bytes()
    size = content.rfind(b"\n") + 1
    if size < len(content):
        _logger.warning("%s: a row that was cut off is removed", file)
        with naming_file(file):
            os.truncate(file, size)


def _cell(value: object) -> str:
    return "" if value is None else str(value)
