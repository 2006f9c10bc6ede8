"""Tables in Markdown that sum up rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

Row = Mapping[str, str]
Rows = Sequence[Row]

NOTHING = "-"
"""What a cell shows where there is no value."""

_NUMBER = re.compile(r"[-+]?[\d,]*(\.\d*)?")
"""What stands at the right of its column; "-" is one."""


_MEANS = (
    ("gap %", "gap_percent", ".2f"),
    ("best %", "best_gap_percent", ".2f"),
    ("+-", "deviation", ".2f"),
    ("cost", "cost", "cost"),
    ("routes", "num_routes", ".1f"),
    ("seconds", "runtime_seconds", "seconds"),
)
"""Heading, name and format of each mean over the feasible runs.

"best %" and "+-" are the least gap of the seeds of an instance, and their
standard deviation.
"""


def class_means(rows: Rows) -> list[dict[str, object]]:
    """Return runs, failures and means by method and size class."""
    means: list[dict[str, object]] = []
    for (method,), of_method in grouped(rows, ("method",)).items():
        classes = sorted(grouped(of_method, ("size_class",)).items())
        groups = [(name, runs) for (name,), runs in classes]
        if len(groups) > 1:
            groups.append(("all", of_method))
        for name, runs in groups:
            feasible = feasible_of(runs)
            means.append(
                {
                    "method": method,
                    "size_class": name,
                    "num_runs": len(runs),
                    "num_failed": len(runs) - len(feasible),
                    **_means_of(feasible),
                }
            )
    return means


def _means_of(rows: Rows) -> dict[str, float | None]:
    """Return the means of some runs by name."""
    seeds = [
        numbers(runs, "gap_percent")
        for runs in grouped(rows, ("instance",)).values()
    ]
    spread = [stdev(gaps) for gaps in seeds if len(gaps) > 1]
    best = [min(gaps) for gaps in seeds if gaps]
    of_seeds = {"best_gap_percent": mean(best), "deviation": mean(spread)}
    return {
        name: of_seeds[name] if name in of_seeds else mean(numbers(rows, name))
        for _, name, _ in _MEANS
    }


def format_instances(rows: Rows) -> str:
    """Return the mean and the best cost of each method on each instance."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    body = []
    for (name,), runs in grouped(rows, ("instance",)).items():
        bks = min(numbers(runs, "bks"), default=None)
        cells = [name, format_number(bks, "cost")]
        by_method = grouped(feasible_of(runs), ("method",))
        for method in methods:
            costs = numbers(by_method.get((method,), ()), "cost")
            cells.append(format_number(mean(costs), "cost"))
            cells.append(format_number(min(costs, default=None), "cost"))
        body.append(cells)
    heads = [head for name in methods for head in (name, f"{name}, best")]
    return format_table(["instance", "bks", *heads], body)


def format_class_means(means: Sequence[Mapping[str, Any]]) -> str:
    """Return what ``class_means`` found as a table."""
    names = ("method", "size_class", "num_runs", "num_failed")
    body = [
        [
            *(str(group[name]) for name in names),
            *(format_number(group[value], form) for _, value, form in _MEANS),
        ]
        for group in means
    ]
    heads = [head for head, _, _ in _MEANS]
    return format_table(["method", "class", "runs", "failed", *heads], body)


def grouped(
    rows: Rows, by: tuple[str, ...]
) -> dict[tuple[str, ...], list[Row]]:
    """Return rows by the values of some columns, in order of appearance."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    return groups


def feasible_of(rows: Rows) -> Rows:
    """Return the rows of feasible runs."""
    return [row for row in rows if row.get("feasible", "True") == "True"]


def numbers(rows: Iterable[Row], name: str) -> list[float]:
    """Return the numbers in a column, without empty cells and NaN."""
    values = [float(row[name]) for row in rows if row.get(name)]
    return [number for number in values if not math.isnan(number)]


def mean(values: Sequence[float]) -> float | None:
    """Return the mean, ``None`` of no value."""
    return fmean(values) if values else None


def format_number(value: float | None, form: str) -> str:
    """Return a number as text, "-" for none, zero without a sign."""
    if value is None:
        return NOTHING
    if form == "cost":
        form = ".4f" if abs(value) < 10 else ".2f"
        form = ".0f" if abs(value) >= 1000 else form
    elif form == "seconds":
        form = ".4f" if value < 0.1 else ".3f" if value < 1 else ".2f"
    text = format(value, form)
    is_zero = not text.strip("-+0.,")
    return text.removeprefix("-") if is_zero else text


def format_table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; columns of numbers end at the right."""
    widths = [
        max(3, *map(len, column)) for column in zip(heads, *body, strict=True)
    ]
    is_text = [
        not all(_NUMBER.fullmatch(line[idx]) for line in body)
        for idx in range(len(heads))
    ]
    rule = [
        "-" * width if text else "-" * (width - 1) + ":"
        for width, text in zip(widths, is_text, strict=True)
    ]
    lines = []
    for line in (heads, rule, *body):
        padded = [
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(line, widths, is_text, strict=True)
        ]
        lines.append(f"| {' | '.join(padded)} |")
    return "\n".join(lines)
