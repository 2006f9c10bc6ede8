"""The page of ``warm_start.py``: tables and figures from its records."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = dict[str, str]

TRACE_COLUMNS = (
    "instance", "seed", "budget", "start", "share", "seconds", "cost",
)  # fmt: skip

INTRO = """\
# Warm against cold PyVRP

PyVRP from scratch ("cold") against PyVRP started from `warm_start` ("warm"),
with the same seeds, one after the other in one process, at equal wall-clock
time. A warm run at a budget of B seconds gives {share:g} B to `warm_start`
and what is left of B to PyVRP; the share was chosen on generated instances,
{{ref}}`below <warm-start-share>`. {{doc}}`../setup/warm_start` says how to use
it.

- The clock starts when `pyvrp.ProblemData` are ready. It counts the
  conversion of the data and the neighbourhoods that PyVRP builds. Imports and
  kernels are loaded before: each process first runs both solvers on a small
  instance.
- A cold run lasts up to the longest budget, and its cost at each budget is
  read from its trace. Each warm budget is a run of its own.
- A budget that ends before the first feasible solution gets the cost of that
  solution, later as it is, and is counted as late.
- gap = 100 (cost / bks - 1), distances as `EDGE_WEIGHT_TYPE` says (EUC_2D:
  nearest integer). "start" is the gap when `warm_start` returns. Every run
  takes one thread; its final solution has passed `check_solution`.

X and AGS are for reporting: nothing was chosen on them.
"""

X_TEXT = """\
## X

Every fifth instance of X with at least 300 customers, 12 in all; seeds
{seeds}. Means over the runs.
"""

AGS_TEXT = """\
## AGS (Belgium)

Leuven1, Leuven2, Antwerp1 and Antwerp2, 3,000 to 7,000 customers; seeds
{seeds}.
"""

SHARE_TEXT = """\
(warm-start-share)=
## The share of the start

Generated instances of {sizes} customers (`generate_uchoa`), seeds {seeds}:
mean cost above the best one that any run in the table found for the
instance. With share 1 PyVRP does not run. In brackets: the
mean without the largest instance.
"""

CHOICE_TEXT = """\
At these sizes ruin and recreate is far ahead of PyVRP, so large shares win;
among those of 0.7 and more none is best at every budget. X and AGS run with
{share:g}, which leaves PyVRP time to build its neighbourhoods and to search.
"""

COLORS = ("tab:orange", "tab:red", "tab:purple", "tab:brown", "tab:pink")


def read_rows(path: Path) -> list[Row]:
    """Return the lines of a table, none if it is not there."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_page(folder: Path, share: float) -> None:
    """Write ``warm_start.md`` and the figures of the sets that were run.

    Parameters
    ----------
    folder
        Folder of the tables; page and figures come beside them.
    share
        The share of the warm runs of X and AGS that the page shows.
    """
    parts = [INTRO.format(share=share)]
    for kind, text, table, draw in (
        ("x", X_TEXT, x_table, draw_x),
        ("ags", AGS_TEXT, ags_table, draw_ags),
    ):
        rows = read_rows(folder / f"warm_start_{kind}.csv")
        rows = [r for r in rows if float(r["share"]) in (0.0, share)]
        if not rows:
            continue
        traces = read_rows(folder / f"warm_start_{kind}_trace.csv")
        figure = f"warm_start_{kind}.svg"
        save(draw(curves_of(traces, rows, share)), folder / figure)
        parts.append(text.format(seeds=values(rows, "seed")))
        parts.append(table(rows))
        parts.append(f"![Gap over wall-clock time]({figure})\n")
        parts.append(provenance(folder, kind, rows))
    rows = read_rows(folder / "warm_start_generated.csv")
    if rows:
        parts.append(
            SHARE_TEXT.format(
                sizes=values(rows, "num_customers"),
                seeds=values(rows, "seed"),
                share=share,
            )
        )
        parts.append(share_table(rows))
        parts.append(CHOICE_TEXT.format(share=share))
        parts.append(provenance(folder, "generated", rows))
    page = folder / "warm_start.md"
    page.write_text("\n".join(parts), encoding="utf-8")


def values(rows: Iterable[Row], name: str) -> str:
    """Return the numbers in a column, as text."""
    found = sorted({int(row[name]) for row in rows})
    return ", ".join(f"{value:,}" for value in found)


def markdown(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column is text and the others numbers."""
    rule = ["---", *("---:" for _ in header[1:])]
    return "".join(f"| {' | '.join(c)} |\n" for c in (header, rule, *lines))


def pairs_of(rows: Iterable[Row]) -> dict[float, list[tuple[Row, Row]]]:
    """Return the cold and the warm row of each run, by budget."""
    sides: dict[tuple[float, str, str], Row] = {}
    warm = []
    for row in rows:
        key = (float(row["budget"]), row["instance"], row["seed"])
        if row["start"] == "cold":
            sides[key] = row
        else:
            warm.append((key, row))
    found = defaultdict(list)
    for key, row in sorted(warm, key=lambda pair: pair[0][0]):
        if key in sides:
            found[key[0]].append((sides[key], row))
    return found


def cells(pairs: Sequence[tuple[Row, Row]]) -> list[str]:
    """Return runs, gaps, ratio and counts of some pairs of rows."""
    cold = np.mean([float(c["gap_percent"]) for c, _ in pairs])
    warm = np.mean([float(w["gap_percent"]) for _, w in pairs])
    start = np.mean(
        [
            100.0 * (float(w["start_cost"]) / float(w["reference"]) - 1.0)
            for _, w in pairs
        ]
    )
    better = sum(float(w["cost"]) < float(c["cost"]) for c, w in pairs)
    return [
        f"{len(pairs)}",
        f"{cold:.2f}",
        f"{start:.2f}",
        f"{warm:.2f}",
        f"{warm / cold:.2f}",
        f"{better}",
        f"{sum(int(c['late']) for c, _ in pairs)}",
        f"{sum(int(w['late']) for _, w in pairs)}",
    ]


_COLUMNS = ("runs", "cold %", "start %", "warm %", "warm / cold",
            "warm better", "cold late", "warm late")  # fmt: skip


def x_table(rows: list[Row]) -> str:
    """Return the means at each budget."""
    lines = [
        [f"{budget:g} s", *cells(pairs)]
        for budget, pairs in pairs_of(rows).items()
    ]
    return markdown(("budget", *_COLUMNS), lines)


def ags_table(rows: list[Row]) -> str:
    """Return the means of each instance and of all at each budget."""
    lines = []
    for budget, pairs in pairs_of(rows).items():
        for name in dict.fromkeys(c["instance"] for c, _ in pairs):
            own = [pair for pair in pairs if pair[0]["instance"] == name]
            lines.append([name, f"{budget:g} s", *cells(own)])
        lines.append(["all", f"{budget:g} s", *cells(pairs)])
    return markdown(("instance", "budget", *_COLUMNS), lines)


def share_table(rows: list[Row]) -> str:
    """Return the mean distance to the best run, by share and budget."""
    best: dict[str, float] = {}
    for row in rows:
        cost = float(row["cost"])
        best[row["instance"]] = min(best.get(row["instance"], cost), cost)
    largest = max(int(row["num_customers"]) for row in rows)
    gaps = defaultdict(list)
    for row in rows:
        gap = 100.0 * (float(row["cost"]) / best[row["instance"]] - 1.0)
        is_largest = int(row["num_customers"]) == largest
        key = float(row["share"]), float(row["budget"])
        gaps[key].append((gap, is_largest))
    budgets = sorted({budget for _, budget in gaps})
    lines = []
    for share in sorted({share for share, _ in gaps}):
        line = [f"{share:g}" if share else "cold"]
        for budget in budgets:
            found = gaps[share, budget]
            smaller = [gap for gap, is_largest in found if not is_largest]
            line.append(
                f"{np.mean([gap for gap, _ in found]):.2f} % "
                f"({np.mean(smaller):.2f} %)"
                if smaller
                else ""
            )
        lines.append(line)
    return markdown(("share", *(f"{b:g} s" for b in budgets)), lines)


def provenance(folder: Path, kind: str, rows: list[Row]) -> str:
    """Return command, machine and versions, and the links to the records."""
    name = f"warm_start_{kind}"
    calls = json.loads((folder / f"{name}.json").read_text("utf-8"))
    call = calls[-1]
    wall = sum(float(row["wall_seconds"]) for row in rows)
    cpu = sum(float(row["cpu_seconds"]) for row in rows)
    commands = "\n".join(dict.fromkeys(command_of(kind, c) for c in calls))
    return f"""\
```sh
{commands}
```

{call["cpu"]}, {call["num_cpus"]} cores, {call["jobs"]} run(s) at a time, which
got {100.0 * cpu / wall:.0f} % of a core each; Python {call["python"]}, PyVRP
{call["versions"]["pyvrp"]}, commit {call["commit"]}, {call["date"]}. Every
run: [{name}.csv]({name}.csv), curves
[{name}_trace.csv]({name}_trace.csv), calls [{name}.json]({name}.json).
"""


def command_of(kind: str, call: dict[str, Any]) -> str:
    """Return the command line of a call."""
    data = "" if kind == "generated" else "NCC_ROUTING_DATA=DATA "
    line = f"{data}python docs/benchmarks/warm_start.py {kind}"
    for option in ("seeds", "jobs", "budgets", "shares", "instances"):
        value = call[option]
        if isinstance(value, list):
            value = " ".join(
                f"{v:g}" if option != "instances" else v for v in value
            )
        if value:
            line += f" --{option} {value}"
    return line


Curves = dict[tuple[str, float], dict[str, list[np.ndarray]]]
"""By start and budget, by instance: rows of seconds and gap."""


def curves_of(traces: list[Row], rows: list[Row], share: float) -> Curves:
    """Return the gap over time of each run; cold ones of the longest."""
    reference = {r["instance"]: float(r["reference"]) for r in rows}
    points: dict[tuple[str, float, str, str], list[Any]] = defaultdict(list)
    for t in traces:
        if float(t["share"]) in (0.0, share) and t["instance"] in reference:
            key = t["start"], float(t["budget"]), t["instance"], t["seed"]
            gap = 100.0 * (float(t["cost"]) / reference[t["instance"]] - 1.0)
            points[key].append((float(t["seconds"]), gap))
    longest = max(b for start, b, _, _ in points if start == "cold")
    found: Curves = {}
    for (start, budget, name, _), curve in sorted(points.items()):
        if start == "warm" or budget == longest:
            runs = found.setdefault((start, budget), {}).setdefault(name, [])
            runs.append(np.array(sorted(curve)).T)
    return found


def mean_curve(
    runs: Sequence[np.ndarray], until: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of step curves where all of them have begun."""
    begin = max(run[0, 0] for run in runs)
    grid = np.geomspace(begin, max(until, begin), 200)
    # The ends of the grid are exact, so that no curve starts before itself.
    grid[0], grid[-1] = begin, max(until, begin)
    steps = [
        run[1, np.searchsorted(run[0], grid, side="right") - 1] for run in runs
    ]
    return grid, np.mean(steps, axis=0)


def draw_curves(
    axes: Axes, curves: Curves, name: str | None, title: str
) -> None:
    """Draw the curves of one instance, or of all where name is ``None``."""
    from matplotlib.ticker import LogLocator

    colors = iter(COLORS * 2)
    for (start, budget), by_name in sorted(curves.items()):
        runs = [
            run
            for own, found in by_name.items()
            for run in found
            if name in (None, own)
        ]
        if not runs:
            continue
        seconds, gaps = mean_curve(runs, budget)
        color = "tab:blue" if start == "cold" else next(colors)
        label = "cold" if start == "cold" else f"warm, {budget:g} s in all"
        axes.step(seconds, gaps, where="post", color=color, label=label)
        axes.plot(seconds[-1], gaps[-1], "o", color=color, markersize=4)
        if start == "warm":
            axes.plot(seconds[0], gaps[0], "|", color=color, markersize=9)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title)
    axes.set_xlabel("wall-clock seconds")
    axes.set_ylabel("gap %")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    axes.grid(alpha=0.3)


def draw_x(curves: Curves) -> Figure:
    """Draw the mean gap over all instances."""
    figure = empty_figure(7.0, 4.5)
    axes = figure.add_subplot()
    names = {name for by_name in curves.values() for name in by_name}
    draw_curves(axes, curves, None, f"mean of {len(names)} X instances")
    axes.legend()
    return figure


def draw_ags(curves: Curves) -> Figure:
    """Draw a panel for each instance."""
    figure = empty_figure(9.0, 7.0)
    names = dict.fromkeys(
        name for by_name in curves.values() for name in sorted(by_name)
    )
    for number, name in enumerate(sorted(names), start=1):
        axes = figure.add_subplot(2, 2, number)
        draw_curves(axes, curves, name, name)
    figure.axes[0].legend()
    return figure


def empty_figure(width: float, height: float) -> Figure:
    """Return a figure that no window shows."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(figure)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure that is the same text for the same records."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})
