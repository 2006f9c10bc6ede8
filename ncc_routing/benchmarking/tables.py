"""Records as CSV, and their summary by method and size class."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, dataclass
from statistics import fmean
from textwrap import fill
from typing import TYPE_CHECKING, Self, TextIO

from ncc_routing.benchmarking.records import Json, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

COLUMNS = tuple(Record("", None, "", "", 0).to_row())
_HEADINGS = (
    ("method", "method"),
    ("size_class", "class"),
    ("num_runs", "runs"),
    ("num_failed", "failed"),
    ("gap_percent", "gap %"),
    ("cost", "cost"),
    ("num_routes", "routes"),
    ("runtime_seconds", "seconds"),
)


@dataclass(frozen=True)
class SummaryRow:
    """Means over the runs of one method in one size class.

    Parameters
    ----------
    method
        Name of the method.
    size_class
        N1, N2, N3, or "all".
    num_runs, num_failed
        Runs in all, and those without a feasible solution.
    gap_percent, cost, num_routes, runtime_seconds
        Means over the runs with a solution, the gap over those with a
        best-known one; ``None`` where there are none.
    """

    method: str
    size_class: str
    num_runs: int
    num_failed: int
    gap_percent: float | None
    cost: float | None
    num_routes: float | None
    runtime_seconds: float | None


class RecordWriter:
    """A CSV file that holds every record as soon as it is known.

    An interrupted benchmark leaves the rows that it has. Used as a context
    manager; on a normal end the rows are sorted.

    Parameters
    ----------
    path
        The file, overwritten; ``None`` writes nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._records: list[Record] = []

    def __enter__(self) -> Self:
        if self._path is not None:
            write_records(self._path, [])
        return self

    def write(self, record: Record) -> None:
        """Append a row."""
        self._records.append(record)
        if self._path is not None:
            with self._path.open("a", newline="", encoding="utf-8") as file:
                _csv_writer(file).writerow(record.to_row())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None and self._path is not None:
            write_records(self._path, self._records)


def sort_records(records: Iterable[Record]) -> list[Record]:
    """Sort by size, instance, method and seed."""
    return sorted(
        records,
        key=lambda r: (r.num_customers or 0, r.instance, r.method, r.seed),
    )


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records as CSV, one row each, sorted.

    Parameters
    ----------
    path
        The file, overwritten.
    records
        The records.
    """
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = _csv_writer(file)
        writer.writeheader()
        writer.writerows(r.to_row() for r in sort_records(records))


def _csv_writer(file: TextIO) -> csv.DictWriter[str]:
    return csv.DictWriter(file, COLUMNS, lineterminator="\n")


def read_records(path: Path) -> list[Record]:
    """Read the records that :func:`write_records` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Record.from_row(row) for row in csv.DictReader(file)]


def write_protocol(path: Path, protocol: Json) -> None:
    """Write the protocol of a benchmark as JSON."""
    text = json.dumps(protocol, indent=2)
    path.write_text(f"{text}\n", encoding="utf-8")


def summarise(records: Sequence[Record]) -> list[SummaryRow]:
    """Return the means by method and size class, and over all classes.

    Parameters
    ----------
    records
        Any records. Methods appear in the order of their first record; a
        class without a run has no row.
    """
    rows = []
    for method in dict.fromkeys(r.method for r in records):
        own = [r for r in records if r.method == method]
        classes = sorted({r.size_class for r in own})
        for name in classes:
            chosen = [r for r in own if r.size_class == name]
            rows.append(_summary_row(method, name, chosen))
        if len(classes) > 1:
            rows.append(_summary_row(method, "all", own))
    return rows


def summary_to_json(rows: Iterable[SummaryRow]) -> list[Json]:
    """Return the rows of a summary as objects."""
    return [asdict(row) for row in rows]


def format_markdown(rows: Sequence[SummaryRow]) -> str:
    """Return a summary as a table in Markdown, columns aligned."""
    cells = [[heading for _, heading in _HEADINGS]]
    cells += [list(_format_row(row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * w for w in widths[:2]]
    rule += ["-" * (w - 1) + ":" for w in widths[2:]]
    lines = []
    for line in (cells[0], rule, *cells[1:]):
        padded = [
            cell.ljust(width) if idx < 2 else cell.rjust(width)
            for idx, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        lines.append(f"| {' | '.join(padded)} |")
    return "\n".join(lines)


def format_page(title: str, protocol: Json, rows: Sequence[SummaryRow]) -> str:
    """Return a page in Markdown: what was run, how, and the summary.

    Parameters
    ----------
    title
        Heading of the page, and the stem of the CSV and JSON file beside
        it.
    protocol
        What ``protocol.describe_protocol`` returned.
    rows
        The summary.
    """
    limit = protocol["time_limit_seconds"]
    seeds = protocol["seeds"]
    runs = len(seeds) if isinstance(seeds, list) else seeds
    text = (
        f"{protocol['num_instances']} instances, {runs} seed(s), polish "
        f"{protocol['polish']}, router {protocol['router']}, time limit "
        f"{'none' if limit is None else f'{limit:g} s'}, distances: "
        f"{protocol['rounding']}. Means over the feasible runs; gap = "
        "100 (cost / bks - 1). Seconds are wall-clock time on one core of "
        f"{protocol['cpu']}, {protocol['jobs']} run(s) at a time, reading "
        f"included. Commit {protocol['commit']}, {protocol['date']}."
    )
    return (
        f"# {title}\n\n{fill(text, 79)}\n\n{format_markdown(rows)}\n\n"
        f"Every run: [{title}.csv]({title}.csv). Machine and versions: "
        f"[{title}.json]({title}.json).\n"
    )


def _summary_row(
    method: str, size_class: str, records: Sequence[Record]
) -> SummaryRow:
    solved = [r for r in records if r.feasible]
    return SummaryRow(
        method=method,
        size_class=size_class,
        num_runs=len(records),
        num_failed=len(records) - len(solved),
        gap_percent=_mean(r.gap_percent for r in solved),
        cost=_mean(r.cost for r in solved),
        num_routes=_mean(r.num_routes for r in solved),
        runtime_seconds=_mean(r.runtime_seconds for r in solved),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _format_row(row: SummaryRow) -> Iterator[str]:
    for key, value in asdict(row).items():
        if value is None:
            yield "-"
        elif key == "cost":
            yield f"{value:.2f}" if value < 1000 else f"{value:.0f}"
        elif key == "num_routes":
            yield f"{value:.1f}"
        elif key == "runtime_seconds":
            yield f"{value:.3f}" if value < 1 else f"{value:.2f}"
        elif isinstance(value, float):
            yield f"{value:.2f}"
        else:
            yield str(value)
