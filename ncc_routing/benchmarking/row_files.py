"""The CSV files of experiments: they grow row by row, and lose none."""

from __future__ import annotations

import csv
import fcntl
import io
import logging
import os
from typing import IO, TYPE_CHECKING, Any

from ncc_routing.core.exceptions import InstanceError, NccRoutingError
from ncc_routing.core.text_files import naming_file, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import Self

    from ncc_routing.benchmarking.experiment import Experiment, Task

    Row = dict[str, Any]

_logger = logging.getLogger(__name__)

TRACE = "trace"
"""A value of this name is a list of (seconds, cost) and gets its own file."""


class Table:
    """The CSV file of an experiment, which grows run by run.

    It is a context manager, which lets other processes write the file
    afterwards.

    Parameters
    ----------
    experiment
        Its columns are those of a new file; one that exists keeps its own.
    file
        The file; ``None`` keeps the rows in memory alone. A last row that
        was cut off is removed. A trace goes to ``NAME_trace.csv`` beside it.

    Raises
    ------
    NccRoutingError
        If another process writes the file, or its rows cannot be read.
    """

    def __init__(self, experiment: Experiment, file: Path | None) -> None:
        self._experiment = experiment
        self._file = file
        self._names = experiment.header
        self._lock: IO[bytes] | None = None
        self.rows: list[dict[str, str]] = []
        if file is not None and file.is_file():
            self._claim(file)
            _remove_cut_row(file)
            self.rows = read_rows(file)
        header = list(self.rows[0]) if self.rows else list(self._names)
        if not self.rows and "error" not in header:
            header.append("error")
        absent = [name for name in self._key() if name not in header]
        if absent:
            rule = "missing: these are rows of another table"
            raise InstanceError(file, f"column {absent[0]}", rule)
        self.header = header

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def _claim(self, file: Path) -> None:
        """Keep other processes from writing the file, as long as we may."""
        with naming_file(file):
            self._lock = file.open("ab")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            message = f"{file}: another process is writing this file."
            raise NccRoutingError(message) from None
        except OSError:
            # Not every network disk knows locks.
            _logger.info("%s cannot be locked", file)

    def missing(self, tasks: Iterable[Task]) -> list[Task]:
        """Return the tasks that have no row yet."""
        key = self._key()
        present = {tuple(row[name] for name in key) for row in self.rows}
        return [
            task
            for task in tasks
            if tuple(_cell(task.cells[value]) for value in key.values())
            not in present
        ]

    def append(self, rows: Iterable[Row]) -> None:
        """Write rows at once, so that an interrupted run keeps them.

        A new file gets its header, even where there is no row.

        Raises
        ------
        NccRoutingError
            If they cannot be written: the file is then as before.
        """
        if self._file is not None and self._lock is None:
            self._claim(self._file)
        added, traces = [], []
        for row in rows:
            cells = {
                name: _cell(row.get(self._names.get(name, name)))
                for name in self.header
            }
            added.append(cells)
            traces += [
                {**{k: cells[k] for k in self._key()}, "seconds": s, "cost": c}
                for s, c in row.get(TRACE, ())
            ]
        if self._file is not None:
            if traces:
                file = trace_file(self._file)
                append_rows(file, list(traces[0]), traces)
            append_rows(self._file, self.header, added)
        self.rows += added

    def rewrite(self, key: Callable[[Mapping[str, str]], Any]) -> None:
        """Sort the rows, once all of them are there."""
        self.rows.sort(key=key)
        if self._file is not None:
            text = _csv_of(self.header, self.rows, has_header=True)
            write_text(self._file, text)

    def _key(self) -> dict[str, str]:
        """Return the columns of the key, and the value that each holds."""
        wanted = self._experiment.key.split()
        return {n: v for n, v in self._names.items() if v in wanted}


def trace_file(file: Path) -> Path:
    """Return the file of the traces that belong to a table."""
    return file.with_name(f"{file.stem}_trace.csv")


def read_rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, none where it is missing.

    Raises
    ------
    InstanceError
        If a row has more or fewer cells than the header.
    """
    if not file.is_file():
        return []
    with file.open(newline="", encoding="utf-8") as text:
        reader = csv.DictReader(text)
        rows = []
        for row in reader:
            if None in row or None in row.values():
                rule = "must have as many cells as the header"
                raise InstanceError(file, f"line {reader.line_num}", rule)
            rows.append(row)
    return rows


def append_rows(
    file: Path, header: Iterable[str], rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows to a CSV file, all or none; an empty one gets its header.

    Raises
    ------
    NccRoutingError
        If they cannot be written: the file is then as before.
    """
    with naming_file(file), file.open("ab", buffering=0) as raw:
        size = raw.seek(0, os.SEEK_END)
        left = _csv_of(header, rows, has_header=size == 0).encode("utf-8")
        try:
            while left:
                left = left[raw.write(left) :]
        except BaseException:
            raw.truncate(size)
            raise


def _csv_of(
    header: Iterable[str],
    rows: Iterable[Mapping[str, object]],
    *,
    has_header: bool,
) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(header), lineterminator="\n")
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
