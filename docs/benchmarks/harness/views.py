"""Tables of a page: means by groups, and differences in pairs."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import median, stdev
from typing import TYPE_CHECKING, Protocol

from ncc_routing.bench.tables import (
    NOTHING,
    feasible_of,
    format_number,
    format_table,
    grouped,
    mean,
    numbers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.bench.tables import Row, Rows

COUNTS = ("runs", "failed")
"""Statistics that need no column of the file."""


class View(Protocol):
    """A way to sum up rows."""

    def format(self, rows: Rows) -> str:
        """Return a table in Markdown."""


@dataclass(frozen=True)
class Column:
    """A column of a table: one number for a group of rows.

    Parameters
    ----------
    head
        Heading.
    value
        Column of the file.
    form
        Format of the number; ``cost`` and ``seconds`` choose the digits by
        the size of the number.
    how
        A key of ``STATISTICS``, over the feasible runs; ``runs`` and
        ``failed`` count all.
    """

    head: str
    value: str = ""
    form: str = ".2f"
    how: str = "mean"

    @classmethod
    def parse(cls, text: str) -> Column:
        """Return the column that a text describes.

        ``gap %: gap_percent .3f max`` has heading, column of the file,
        format and statistic, the last two where they differ from the
        defaults; ``runs`` or ``failed: failed`` count runs.
        """
        head, _, rest = text.strip().partition(": ")
        value, *more = (rest or head).split()
        if value in COUNTS:
            return cls(head, how=value)
        how = [word for word in more if word in STATISTICS] or ["mean"]
        form = [word for word in more if word not in STATISTICS] or [".2f"]
        return cls(head, value, form[0], how[0])

    def number(self, rows: Rows) -> float | None:
        """Return the number of a group of rows."""
        if self.how == "runs":
            return len(rows)
        if self.how == "failed":
            return len(rows) - len(feasible_of(rows))
        return STATISTICS[self.how](numbers(feasible_of(rows), self.value))

    def cell(self, rows: Rows) -> str:
        """Return the text for a group of rows."""
        number = self.number(rows)
        if isinstance(number, int):
            return str(number)
        return format_number(number, self.form)


@dataclass(frozen=True)
class Summary:
    """Numbers for each group of rows.

    Parameters
    ----------
    by
        Columns of the file that make the groups, separated by blanks.
    shown
        What is shown of each: descriptions of columns, separated by ";".
    heads
        Headings of ``by``, where they differ.
    total
        Whether a line "all" follows the groups that differ in the last
        column of ``by`` alone.
    across
        A column of the file whose values stand side by side.
    derive
        Turns the rows of the file into the rows that are summed up.
    """

    by: str
    shown: str
    heads: str = ""
    total: bool = False
    across: str | None = None
    derive: Callable[[Rows], Rows] | None = None

    def format(self, rows: Rows) -> str:
        """Return a table in Markdown."""
        rows = self.derive(rows) if self.derive else rows
        sides: list[str | None] = [None]
        if self.across is not None:
            sides = list(dict.fromkeys(row[self.across] for row in rows))
        body = []
        by, columns = tuple(self.by.split()), columns_of(self.shown)
        for keys, own in self._groups(rows, by).items():
            line = list(keys)
            for side in sides:
                chosen = own
                if side is not None:
                    chosen = [r for r in own if r[str(self.across)] == side]
                line += [
                    column.cell(chosen) if chosen else NOTHING
                    for column in columns
                ]
            body.append(line)
        heads = [
            column.head if side is None else f"{side} {column.head}".strip()
            for side in sides
            for column in columns
        ]
        return format_table([*(self.heads.split() or by), *heads], body)

    def _groups(
        self, rows: Rows, by: tuple[str, ...]
    ) -> dict[tuple[str, ...], list[Row]]:
        """Return the groups, with ``total`` in order of their numbers."""
        if not self.total:
            return grouped(rows, by)
        found: dict[tuple[str, ...], list[Row]] = {}
        for outer, own in grouped(rows, by[:-1]).items():
            inner = grouped(own, by[-1:])
            for key in sorted(inner, key=lambda key: _by_numbers(key[0])):
                found[*outer, *key] = inner[key]
            if len(inner) > 1:
                found[*outer, "all"] = own
        return found


@dataclass(frozen=True)
class Differences:
    """Pairs of variants on the same case, seed and budget.

    The budget has to be among the columns of ``by`` where there are several.

    Parameters
    ----------
    variant
        Column of the file that names the variants.
    base
        The variant that the others are compared with.
    value
        Column that is compared.
    by
        Columns that make the groups, separated by blanks.
    pair
        Columns that two rows of a pair share, separated by blanks; those
        that the table lacks do not count.
    relative
        Compare in percent of the base, where values are no gaps.
    shown
        What else is shown of each variant, as in ``Summary``.
    derive
        As in ``Summary``.
    """

    variant: str
    base: str
    value: str
    by: str = ""
    pair: str = "instance seed"
    relative: bool = False
    shown: str = ""
    derive: Callable[[Rows], Rows] | None = None

    def format(self, rows: Rows) -> str:
        """Return mean, difference and its standard error."""
        rows = self.derive(rows) if self.derive else rows
        body = []
        by = tuple(self.by.split())
        pair = [name for name in self.pair.split() if name in rows[0]]
        for keys, own in grouped(rows, by).items():
            known = {
                key: self._only(key, same)
                for key, same in grouped(
                    [row for row in own if row[self.variant] == self.base],
                    tuple(pair),
                ).items()
            }
            for (name,), mine in grouped(own, (self.variant,)).items():
                if name == self.base and not self.shown:
                    continue
                pairs = [
                    (known[key], row)
                    for row in mine
                    if (key := tuple(row[n] for n in pair)) in known
                    and numbers((known[key],), self.value)
                    and numbers((row,), self.value)
                ]
                body.append([*keys, name, *self._cells(name, pairs)])
        heads = ["pairs", f"{self.base}", "variant", "difference", "+-"]
        if self.relative:
            heads[3] = "difference %"
        heads += [column.head for column in columns_of(self.shown)]
        return format_table([*by, self.variant, *heads], body)

    def _only(self, key: tuple[str, ...], rows: Rows) -> Row:
        """Return the one row of the base that a pair may have."""
        if len(rows) > 1:
            message = f"{len(rows)} rows of {self.base!r} are of {key}"
            raise ValueError(message)
        return rows[0]

    def _cells(self, name: str, pairs: list[tuple[Row, Row]]) -> list[str]:
        before, after = (numbers(side, self.value) for side in _sides(pairs))
        shown = [
            column.cell(_sides(pairs)[1]) for column in columns_of(self.shown)
        ]
        form = "cost" if self.relative else ".2f"
        means = [format_number(mean(v), form) for v in (before, after)]
        if name == self.base:
            return [str(len(pairs)), *means, NOTHING, NOTHING, *shown]
        change = [
            100.0 * (b / a - 1.0) if self.relative else b - a
            for a, b in zip(before, after, strict=True)
        ]
        difference = format_number(mean(change), "+.2f")
        error = format_number(standard_error(change), ".2f")
        return [str(len(pairs)), *means, difference, error, *shown]


def columns_of(text: str) -> list[Column]:
    """Return the columns that a text describes, separated by ";"."""
    return [Column.parse(part) for part in text.split(";") if part.strip()]


def _sides(pairs: list[tuple[Row, Row]]) -> tuple[list[Row], list[Row]]:
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _by_numbers(text: str) -> list[tuple[bool, float, str]]:
    """Return a key that puts "3-5" before "11-17"."""
    return [
        (part.isdigit(), float(part) if part.isdigit() else 0.0, part)
        for part in re.split(r"(\d+)", text)
    ]


def gap_to_best(
    *names: str, value: str = "cost"
) -> Callable[[Rows], list[Row]]:
    """Return a derivation: the gap of each row to the best of its group.

    Parameters
    ----------
    names
        Columns that make the groups.
    value
        Column whose least value in a group is the reference.
    """

    def derive(rows: Rows) -> list[Row]:
        best = {
            key: min(numbers(own, value), default=math.nan)
            for key, own in grouped(rows, names).items()
        }
        found: list[Row] = []
        for row in rows:
            gap = ""
            for cost in numbers((row,), value):
                reference = best[tuple(row[name] for name in names)]
                gap = repr(100.0 * (cost / reference - 1.0))
            found.append({**row, "gap_percent": gap})
        return found

    return derive


def standard_error(values: Sequence[float]) -> float | None:
    """Return the standard error of a mean, ``None`` of fewer than two."""
    if len(values) < 2:
        return None
    return stdev(values) / math.sqrt(len(values))


STATISTICS: dict[str, Callable[[Sequence[float]], float | None]] = {
    "mean": mean,
    "median": lambda values: median(values) if values else None,
    "max": lambda values: max(values, default=None),
    "min": lambda values: min(values, default=None),
    "sum": lambda values: math.fsum(values) if values else None,
}
"""Ways to make one number of several."""
