"""How far a proven lower bound is from the best known cost, over time.

Runs count processor time on one thread, so that other work on the machine
changes none of them.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import SMALL_ROUTES, published, stratified
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Joined,
    Variant,
)
from benchmarks.harness.panels import plot_curves
from benchmarks.harness.peers import FOLDER, write_for_peers
from benchmarks.harness.processes import run_process
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.bench.tables import grouped, numbers
from ncc_routing.generators.time_windows import (
    WindowClass,
    generate_time_windows,
)
from ncc_routing.io.vrplib import write_solution
from ncc_routing.problems.draft import restrict
from ncc_routing.vrp.bounds.search import NG_ROUTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.figure import Figure

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.vrp.lower_bound import LowerBound

STOPS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0)
"""Seconds after which the bound is told. A run that ends earlier has told all
that it finds."""

SECONDS = STOPS[-1]

SOLVED = 5.0
"""Seconds for the solution that a bound is computed for."""

SOLVED_WINDOWS = 10.0
"""The same with time windows, where the gap is that to this solution."""

SHORT = 12.0
"""Customers of a route, at the least number of routes, that labels reach."""

SIZES = {"up to 250": 250, "251 to 400": 400, "more": 1000}
"""Classes of customers."""

WINDOWS_SEED = 8_000_000
"""Of the first generated problem with windows."""

PLACES: tuple[Literal["random", "clustered", "half"], ...]
PLACES = ("random", "clustered", "half")
LETTERS = {"random": "R", "clustered": "C", "half": "RC"}
"""Places of the customers, and their names in the classes of Solomon."""

PROTOTYPE = "lower_bound_prototype"
"""Folder, below that of the peers, of the program that the bound came from:
163 lines, of which 47 are labels in C++. It is not published."""

PROTOTYPE_NAMES = (
    *("X-n101-k25", "X-n110-k13", "X-n148-k46", "X-n157-k13", "X-n200-k36"),
)
PROTOTYPE_SECONDS = 25.0
ROUND = re.compile(r"LB (\S+) gap .* (?:t|total) ([\d.]+)")
"""What it writes after each round of cuts, and at the end."""


def bound(
    instance: nr.Instance,
    seed: int,
    budget: Allowance,
    *,
    solved: float = SOLVED,
) -> tuple[nr.Result, LowerBound]:
    """Bound an instance for some seconds, after a solution is found.

    That takes no longer than the bound may take.
    """
    solved = min(solved, seconds_of(budget) or solved)
    plan = nr.solve(instance, processor_deadline(solved), seed=seed)
    return plan, nr.lower_bound(instance, processor_deadline(budget), plan)


def bound_at_stops(
    instance: nr.Instance, seed: int, budget: Allowance
) -> list[Json]:
    """Return the bound at each time, one row each."""
    plan, found = bound(instance, seed, budget)
    rows = []
    for stop in STOPS:
        point = [each for each in found.history if each.seconds <= stop][-1]
        rows.append(
            {
                "stop": stop,
                "cost": point.lower_bound,
                "kind": point.kind,
                "upper": plan.cost,
                "ended": round(found.runtime, 2),
            }
        )
    return rows


def bound_with_windows(
    instance: nr.Instance, seed: int, budget: Allowance
) -> Json:
    """Return the last bound, and the solution that it is compared with."""
    plan, found = bound(instance, seed, budget, solved=SOLVED_WINDOWS)
    return {
        "cost": found.lower_bound,
        "kind": found.kind,
        "upper": plan.cost,
        "relaxed": "; ".join(found.relaxed),
        "reached": round(found.history[-1].seconds, 2),
        "ended": round(found.runtime, 2),
    }


def bound_beside_prototype(
    instance: nr.Instance, seed: int, budget: Allowance
) -> list[Json]:
    """Return when the prototype ends, and when this package is as far."""
    plan = nr.solve(instance, processor_deadline(SOLVED), seed=seed)
    with TemporaryDirectory() as name:
        problem, solution = Path(name, "i.vrp"), Path(name, "i.sol")
        write_for_peers(problem, instance)
        write_solution(solution, plan.best)
        words = [sys.executable, "lbc.py", problem, solution, budget]
        ended = run_process([*map(str, words)], prototype_folder())
    rounds = [
        (round(float(value)), float(seconds))
        for value, seconds in ROUND.findall(ended.output)
    ]
    last = max(value for value, _ in rounds)
    reached = min(seconds for value, seconds in rounds if value == last)
    found = nr.lower_bound(instance, processor_deadline(budget), plan)
    as_far = [p.seconds for p in found.history if p.lower_bound >= last]
    return [
        {
            "solver": "prototype",
            "cost": last,
            "reached": reached,
            "ended": ended.cpu_seconds,
        },
        {
            "solver": "ncc_routing",
            "cost": found.lower_bound,
            "reached": round(min(as_far), 3) if as_far else None,
            "ended": round(found.runtime, 2),
        },
    ]


def prototype_folder() -> Path:
    """Return where the prototype is built."""
    return Path(os.environ.get(FOLDER, "peers"), PROTOTYPE).absolute()


def why_absent() -> str | None:
    """Return why the prototype cannot run here."""
    folder = prototype_folder()
    return None if folder.is_dir() else f"{folder} does not exist."


def length_of(name: str) -> float:
    """Return the customers of a mean route: 4 of X-n101-k25."""
    _, nodes, vehicles = name.split("-")
    return (int(nodes[1:]) - 1) / int(vehicles[1:])


def all_of_x() -> list[Case]:
    """Return X: short routes by size, 25 of all kinds, then the others."""
    cases = {case.name: case for case in published("X")}
    short = [
        name
        for name in sorted(cases, key=_num_customers)
        if length_of(name) <= SHORT
    ]
    first = [name for name in short if _num_customers(name) <= 250]
    second = [case.name for case in stratified()]
    third = [name for name in short if _num_customers(name) <= 400]
    order = dict.fromkeys([*first, *second, *third, *cases])
    return [cases[name] for name in order]


def with_windows() -> list[Case]:
    """Return the first 100 customers of larger problems, and generated ones.

    A name begins with the class.
    """
    files = [
        Case(case.name, partial(_first_100, case.load))
        for case in published("VRPTW", metric="dimacs", kind="vrp")
    ]
    kinds = product(PLACES, get_args(WindowClass), range(5))
    generated = [
        Case(
            f"{LETTERS[places]}{1 + (windows == 'long')}_generated_{number}",
            partial(
                generate_time_windows,
                100,
                WINDOWS_SEED + idx,
                places,
                windows,
            ),
        )
        for idx, (places, windows, number) in enumerate(kinds)
    ]
    # Those first that the bound is made for.
    return sorted([*files, *generated], key=lambda case: "2_" in case.name[:4])


def _first_100(load: Callable[[], nr.Instance]) -> nr.Instance:
    return restrict(load(), np.arange(1, 101))


def _num_customers(name: str) -> int:
    return int(name.split("-")[1][1:]) - 1


def judged(rows: Rows, reference: str = "bks") -> Iterator[Row]:
    """Yield rows with the gap of a cost to the bound, and what kind it is."""
    for row in rows:
        found = {**row, "by_labels": str(int(row["kind"] == NG_ROUTES))}
        if row["cost"] and float(row["cost"]) > 0.0:
            cost, value = float(row[reference]), float(row["cost"])
            found["gap"] = repr(100.0 * (cost / value - 1.0))
            found["above"] = str(int(value > cost))
        yield found


def of_x(rows: Rows) -> list[Row]:
    """Return rows with classes of size and of length."""
    found = []
    for row in judged(rows):
        size = _num_customers(row["instance"])
        is_short = length_of(row["instance"]) <= SHORT
        found.append(
            {
                **row,
                "stops": f"{length_of(row['instance']):.1f}",
                "customers": next(n for n, m in SIZES.items() if size <= m),
                "customers/route": "up to 12" if is_short else "more",
            }
        )
    sizes, times = list(SIZES), list(map(str, STOPS))
    return sorted(
        found,
        key=lambda row: (
            row["customers/route"] == "more",
            sizes.index(row["customers"]),
            _num_customers(row["instance"]),
            times.index(row["stop"]),
        ),
    )


def at_the_end(rows: Rows) -> list[Row]:
    """Return the last time of each instance of X."""
    return [row for row in of_x(rows) if float(row["stop"]) == SECONDS]


def short_at_the_end(rows: Rows) -> list[Row]:
    """Return the instances with short routes up to 400 customers."""
    return [
        row
        for row in at_the_end(rows)
        if (row["customers/route"], row["customers"]) != ("up to 12", "more")
        and row["customers/route"] != "more"
    ]


def of_windows(rows: Rows) -> list[Row]:
    """Return rows with the class of windows and where they come from."""
    return sorted(
        (
            {
                **row,
                "class": row["instance"].split("_")[0],
                "from": "generated"
                if "generated" in row["instance"]
                else "1,000 customers",
            }
            for row in judged(rows, "upper")
        ),
        key=lambda row: (row["class"][-1], row["class"], row["from"]),
    )


GAPS = (
    "by labels: by_labels .0f sum; gap %: gap; worst: gap max; "
    "above: above .0f sum"
)

PROTOCOL: dict[str, Any] = {"clock": "processor time", "threads": 1}

EXPERIMENTS = (
    Experiment(
        "bounds_x",
        cases=all_of_x,
        variants=(Variant("bound", bound_at_stops),),
        columns="instance num_customers seed budget stop cost kind bks "
        "upper ended load_average error",
        key="instance seed budget",
        budgets=(SECONDS,),
        views=(
            Summary(
                "customers/route customers",
                f"files: runs; {GAPS}",
                derive=at_the_end,
            ),
            Summary(
                "customers/route customers",
                "s: gap",
                across="stop",
                derive=of_x,
            ),
            Summary(
                "instance stops",
                "bound: cost cost; best known: bks cost; gap %: gap; "
                "ended, s: ended .1f",
                derive=short_at_the_end,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={**PROTOCOL, "solution_seconds": SOLVED},
    ),
    Experiment(
        "bounds_windows",
        cases=with_windows,
        variants=(Variant("bound", bound_with_windows),),
        columns="instance num_customers seed budget cost kind upper relaxed "
        "reached ended load_average error",
        key="instance seed budget",
        budgets=(SECONDS,),
        views=(
            Summary(
                "class from",
                f"problems: runs; {GAPS}; reached, s: reached .1f",
                derive=of_windows,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={**PROTOCOL, "solution_seconds": SOLVED_WINDOWS},
    ),
    Experiment(
        "bounds_prototype",
        cases=partial(published, "X", PROTOTYPE_NAMES),
        variants=(
            Variant("both", bound_beside_prototype, why_absent=why_absent),
        ),
        columns="instance num_customers seed solver cost bks reached ended "
        "load_average error",
        key="instance seed",
        budgets=(PROTOTYPE_SECONDS,),
        views=(
            Summary(
                "instance",
                "bound: cost cost; reached, s: reached; ended, s: ended",
                across="solver",
            ),
        ),
        setting={**PROTOCOL, "solution_seconds": SOLVED},
    ),
)
"""Every experiment, by the page that shows its record."""


def draw_gaps(rows: Rows) -> Figure:
    """Draw the mean gap over time of each class of X."""
    classes = grouped(of_x(rows), ("customers/route", "customers", "stop"))
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for (length, size, stop), own in classes.items():
        kind = "long" if length == "more" else "short"
        told = "401 and more" if size == "more" else size
        name = f"{kind} routes, {told} customers"
        places, heights = curves.setdefault(name, ([], []))
        places.append(float(stop))
        heights.append(fmean(numbers(own, "gap")))
    title = "100 instances of X: best known cost over proven bound"
    return plot_curves(title, curves, ("seconds", "mean gap, %"))


JOINED = (Joined("bounds_over_time", ("bounds_x",), figure=draw_gaps),)
"""The bounds of X as a picture."""
