"""Pages that sum up the tables of the clustering problem."""

from __future__ import annotations

import csv
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Row = dict[str, str]

PAPER_FIGURES = {
    "ali535_005": (2.257, 2.101, 2.061),
    "ali535_025": (0.291, 0.284, 0.290),
    "ali535_050": (0.166, 0.158, 0.146),
    "fnl4461_0020": (9.961, 9.907, 10.274),
    "lin318_015": (1.446, 1.424, 1.436),
    "pr2392_020": (7.307, 7.641, 7.935),
    "rl1304_010": (7.762, 7.843, 8.447),
    "SJC3a": (0.011, 0.010, 0.007),
    "SJC4a": (0.014, 0.014, 0.010),
    "u724_010": (3.891, 3.793, 4.148),
    "u724_030": (1.274, 1.187, 1.174),
}
"""Published figures of NCC (greedy), NCC (sampled) and GB21.

Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering, table of
the generalisation to benchmark instances. What they call inertia is the
squared spectral norm. The twelfth instance, spain737_74_1, is left out: its
coordinates and its matrix list the points in different orders.
"""

_SUMS = (
    ("inertia", "inertia", ".4f"),
    ("spectral_inertia", "spectral", ".4f"),
    ("gap_percent", "gap %", ".2f"),
    ("seconds", "seconds", ".4f"),
    ("cpu_seconds", "CPU s", ".4f"),
)


def write_page(file: Path) -> None:
    """Write TABLE.md beside TABLE.csv.

    Means are taken over the feasible runs, and the share of the others is
    given.
    """
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    table = rows[0]["table"]
    lines = [f"# {file.stem}", ""]
    lines += [
        f"Made by `python -m ncc_routing.benchmarking.ccp {table}`. Means "
        f"over the feasible runs of each method;",
        "`seconds` is wall-clock time, `CPU s` processor time, of one "
        "thread. `spectral` is the figure that the",
        "paper calls inertia (the squared spectral norm, by mistake).",
        "",
    ]
    lines += _by_method(rows)
    if table == "paper":
        lines += ["", *_beside_paper(rows)]
    elif table != "gmm" and table != "ablation":
        lines += ["", *_by_instance(rows)]
    lines += ["", f"Every run: [{file.name}]({file.name})."]
    file.with_suffix(".md").write_text(
        "\n".join(lines) + "\n", encoding="utf-8"
    )


def _by_method(rows: list[Row]) -> list[str]:
    """Return a line per method: share of failures, means, worst gap."""
    body = []
    methods = list(dict.fromkeys(row["method"] for row in rows))
    times = {
        method: fmean(
            float(row["seconds"]) for row in rows if row["method"] == method
        )
        for method in methods
    }
    for method in methods:
        mine = [row for row in rows if row["method"] == method]
        good = [row for row in mine if row["feasible"] == "True"]
        failed = 100.0 * (1.0 - len(good) / len(mine))
        limits = {
            float(row["time_limit"]) for row in mine if row["time_limit"]
        }
        ends = sorted({min(limits), max(limits)}) if limits else []
        limit = " to ".join(f"{value:g}" for value in ends) or "none"
        gaps = [
            float(row["gap_percent"]) for row in good if row["gap_percent"]
        ]
        body.append(
            [
                method,
                str(len(mine)),
                f"{failed:.1f}",
                *(_mean(good, field, form) for field, _, form in _SUMS),
                f"{max(gaps):.2f}" if gaps else "",
                limit,
                f"{times[method] / times[methods[0]]:.1f}",
            ]
        )
    names = [name for _, name, _ in _SUMS]
    return _table(
        ["method", "runs", "infeasible %", *names, "worst gap %", "limit s",
         f"time / {methods[0]}"],
        body,
    )  # fmt: skip


def _beside_paper(rows: list[Row]) -> list[str]:
    """Return a line per instance: ours and the published figures."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    body = []
    for name in dict.fromkeys(row["instance"] for row in rows):
        line = [name]
        for method in methods:
            mine = [
                row
                for row in rows
                if (row["instance"], row["method"]) == (name, method)
                and row["feasible"] == "True"
            ]
            line += [
                _mean(mine, field, ".3f")
                for field in ("inertia", "spectral_inertia")
            ]
        line += [f"{value:.3f}" for value in PAPER_FIGURES[name]]
        body.append(line)
    heads = [
        f"{method} {kind}"
        for method in methods
        for kind in ("inertia", "spectral")
    ]
    published = ["NCC(g), published", "NCC(s), published", "GB21, published"]
    return [
        "The published figures are on the spectral scale.",
        "",
        *_table(["instance", *heads, *published], body),
    ]


def _by_instance(rows: list[Row]) -> list[str]:
    """Return a line per run."""
    fields = (
        "instance", "num_points", "num_clusters", "method", "seed",
        "feasible", "cost", "gap_percent", "seconds", "cpu_seconds",
        "peak_mb",
    )  # fmt: skip
    forms = {"cost": ".2f", "gap_percent": ".2f", "seconds": ".2f",
             "cpu_seconds": ".2f"}  # fmt: skip
    body = [
        [
            format(float(row[field]), forms[field])
            if field in forms and row[field]
            else row[field]
            for field in fields
        ]
        for row in sorted(rows, key=lambda row: row["instance"])
    ]
    return _table([field.replace("_", " ") for field in fields], body)


def _mean(rows: list[Row], field: str, form: str) -> str:
    values = [float(row[field]) for row in rows if row[field]]
    return format(fmean(values), form) if values else ""


def _table(heads: Sequence[str], body: list[list[str]]) -> list[str]:
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return [f"| {' | '.join(line)} |" for line in (heads, rule, *body)]
