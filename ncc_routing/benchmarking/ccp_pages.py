"""Pages that sum up the tables of the clustering problem."""

from __future__ import annotations

import csv
import textwrap
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

_ABOUT = {
    "gmm": (
        "100 Gaussian mixtures",
        "The paper's test set (seed 4321, 200 points each), objective "
        "`inertia`. `ckm-quick` takes 2 starts and 24 kicks, `ckm-thorough` "
        "1 start and 200 kicks. `gb21` and `pack` are our implementations "
        "with HiGHS; `gb21` minimises the distances to medians, `pack` the "
        "squared distances times the weights.",
    ),
    "ablation": (
        "First centers of capacitated k-means",
        "The same mixtures: the heaviest points (`topk`), k-means++ or "
        "ckm++ as first centers, 1 or 8 starts.",
    ),
    "cpmp": (
        "The capacitated p-median problem",
        "The instances of Osman and Christofides, SJC and Stefanello. "
        "Both methods have n / 50 seconds, at least 5 and at most 60. The "
        "gap is taken to the best value on record, values that were only "
        "reported included.",
    ),
    "growth": (
        "Growth",
        "Uniform points, K = n / 100, loads at 91 %, objective `inertia`; "
        "each size in a process of its own.",
    ),
    "paper": (
        "The paper's benchmark instances",
        "Coordinates scaled as the paper's program does, objective "
        "`inertia`. The published figures are on the spectral scale; "
        "`gb21` has 20 s.",
    ),
}
"""Title and description of each table."""


def write_page(file: Path) -> None:
    """Write TABLE.md beside TABLE.csv.

    Means are taken over the feasible runs, and the share of the others is
    given.
    """
    with file.open(newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    table = rows[0]["table"]
    title, about = _ABOUT[table]
    seeds = len({row["seed"] for row in rows})
    command = f"python -m ncc_routing.benchmarking.ccp {table}"
    if seeds > 1:
        command += f" --seeds {seeds}"
    text_lines = textwrap.wrap(
        f"{about} Means over the feasible runs of each method; every "
        f"clustering was checked. `seconds` is wall-clock time, `CPU s` "
        f"processor time, of one thread of a shared machine. `spectral` is "
        f"the figure that the paper calls inertia (the squared spectral "
        f"norm, by mistake). Made by `{command}`; every run is in "
        f"[{file.name}]({file.name}).",
        78,
        break_on_hyphens=False,
    )
    lines = [f"# {title}", "", *text_lines, ""]
    lines += _by_instance(rows) if table == "growth" else _by_method(rows)
    if table == "paper":
        lines += ["", *_beside_paper(rows)]
    elif table == "cpmp":
        lines += ["", *_side_by_side(rows)]
    file.with_suffix(".md").write_text(
        "\n".join(lines) + "\n", encoding="utf-8"
    )


def _by_method(rows: list[Row]) -> list[str]:
    """Return a line per method: share of failures, means, worst gap."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    has_gaps = any(row["gap_percent"] for row in rows)
    # Sums over instances of different scales mean nothing.
    sums = _SUMS[2:] if has_gaps else (*_SUMS[:2], *_SUMS[3:])
    times = {
        method: fmean(
            float(row["seconds"]) for row in rows if row["method"] == method
        )
        for method in methods
    }
    body = []
    for method in methods:
        mine = [row for row in rows if row["method"] == method]
        good = [row for row in mine if row["feasible"] == "True"]
        failed = 100.0 * (1.0 - len(good) / len(mine))
        gaps = [float(row["gap_percent"]) for row in good if has_gaps]
        body.append(
            [
                method,
                str(len(mine)),
                f"{failed:.1f}",
                *(_mean(good, field, form) for field, _, form in sums),
                *([f"{max(gaps):.2f}"] if gaps else [""] * has_gaps),
                _limits(mine),
                f"{times[method] / times[methods[0]]:.1f}",
            ]
        )
    heads = ["method", "runs", "infeasible %", *(name for _, name, _ in sums)]
    heads += ["worst gap %"] if has_gaps else []
    return _table([*heads, "limit s", f"time / {methods[0]}"], body)


def _limits(rows: list[Row]) -> str:
    limits = {float(row["time_limit"]) for row in rows if row["time_limit"]}
    if not limits:
        return "none"
    ends = sorted({min(limits), max(limits)})
    return " to ".join(f"{value:g}" for value in ends)


def _side_by_side(rows: list[Row]) -> list[str]:
    """Return a line per instance: cost, gap and time of each method."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    heads = ["instance", "n", "K", "best known"]
    for method in methods:
        heads += [f"{method} cost", "gap %", "s"]
    body = []
    for name in sorted({row["instance"] for row in rows}):
        runs = [row for row in rows if row["instance"] == name]
        known = _mean(runs, "bks", ".2f")
        line = [name, runs[0]["num_points"], runs[0]["num_clusters"], known]
        for method in methods:
            mine = [row for row in runs if row["method"] == method]
            line += [
                _mean(mine, field, ".2f")
                for field in ("cost", "gap_percent", "seconds")
            ]
        body.append(line)
    return _table(heads, body)


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
    return _table(["instance", *heads, *published], body)


def _by_instance(rows: list[Row]) -> list[str]:
    """Return a line per run, for instances of growing size."""
    fields = (
        ("num_points", ".0f"), ("num_clusters", ".0f"), ("inertia", ".4f"),
        ("seconds", ".2f"), ("cpu_seconds", ".2f"), ("peak_mb", ".0f"),
    )  # fmt: skip
    body = [
        [
            row["instance"],
            *(_mean([row], field, form) for field, form in fields),
        ]
        for row in rows
    ]
    heads = ["instance", "n", "K", "inertia", "seconds", "CPU s", "peak MB"]
    return _table(heads, body)


def _mean(rows: list[Row], field: str, form: str) -> str:
    values = [float(row[field]) for row in rows if row[field]]
    text = format(fmean(values), form) if values else ""
    return text.removeprefix("-") if text and float(text) == 0.0 else text


def _table(heads: Sequence[str], body: list[list[str]]) -> list[str]:
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    return [f"| {' | '.join(line)} |" for line in (heads, rule, *body)]
