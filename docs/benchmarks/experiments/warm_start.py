"""PyVRP with and without a start of ours, at equal wall-clock time."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    large_of_ags,
    published,
    stratified,
)
from benchmarks.harness.experiment import Experiment, Page, Variant, vary
from benchmarks.harness.panels import plot_panels
from benchmarks.harness.runs import solve_cvrp
from benchmarks.harness.views import Differences, Summary
from ncc_routing.bench.tables import grouped
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.problems.checking import check_solution
from ncc_routing.pyvrp.adapter import from_pyvrp, to_problem_data

if TYPE_CHECKING:
    import pyvrp
    from matplotlib.figure import Figure

    from benchmarks.harness.experiment import Allowance, Case
    from benchmarks.harness.panels import Curve
    from ncc_routing.bench.tables import Rows

    Trace = list[tuple[float, int]]

SHARE = 0.8
"""Share of the budget that the start gets, chosen on generated instances."""

TRACE_STEP = 1.02
"""A written trace holds the last improvement in each such ratio of time."""

_NO_COST = int(np.iinfo(np.int64).max)
"""What PyVRP says where it has no feasible solution yet."""


def larger_of_x() -> list[Case]:
    """Return the 15 larger ones of 25 of X, five lengths of routes."""
    return stratified()[-15:]


SMALL_OF_X = (
    "X-n106-k14",
    "X-n125-k30",
    "X-n153-k22",
    "X-n200-k36",
    "X-n247-k50",
    "X-n303-k21",
)


def twenty_of_x() -> list[Case]:
    """Return 20 of X, four in each class of size and of route length."""
    cases = stratified()
    return [
        cases[5 * size + length]
        for length in range(5)
        for size in range(5)
        if size != length
    ]


class Recorder:
    """Ends PyVRP at a moment, and notes when its best cost improved.

    PyVRP asks it before each iteration, so that building the neighbourhoods
    counts. Without a feasible solution it goes on past the moment.
    """

    def __init__(self, begun: float, until: float, trace: Trace) -> None:
        self._begun = begun
        self._until = until
        self._trace = trace

    def __call__(self, best_cost: int) -> bool:
        """Return whether the time is up."""
        now = time.perf_counter() - self._begun
        best = self._trace[-1][1] if self._trace else _NO_COST
        if best_cost < best:
            self._trace.append((now, best_cost))
        return now >= self._until and bool(self._trace)


def run_cold(
    instance: nr.Instance,
    seed: int,
    budget: Allowance,
    *,
    budgets: tuple[float, ...],
) -> list[dict[str, Any]]:
    """Run PyVRP alone, and read every budget from its trace."""
    import pyvrp

    data = to_problem_data(instance)
    trace: Trace = []
    longest = min(float(budget or 0.0), max(budgets))
    begun, worked = time.perf_counter(), time.process_time()
    stop = Recorder(begun, longest, trace)
    found = pyvrp.solve(data, stop, seed=seed, collect_stats=False).best
    spent = _spent(begun, worked)
    _require_valid(found, instance)
    rows = [_row(trace, each, spent) for each in budgets if each <= longest]
    rows[-1:] = [{**row, "trace": thinned(trace)} for row in rows[-1:]]
    return rows or [_row(trace, longest, spent)]


def run_warm(
    instance: nr.Instance, seed: int, budget: Allowance, *, share: float
) -> dict[str, Any]:
    """Run a start, then PyVRP for the rest of the budget."""
    import pyvrp

    data = to_problem_data(instance)
    seconds = float(budget or 0.0)
    begun, worked = time.perf_counter(), time.process_time()
    found = nr.warm_start(data, share * seconds, seed)
    ready = time.perf_counter() - begun
    trace: Trace = [(ready, found.distance())]
    if ready < seconds and share < 1.0:
        found = pyvrp.solve(
            data,
            Recorder(begun, seconds, trace),
            seed=seed,
            collect_stats=False,
            initial_solution=found,
        ).best
    spent = _spent(begun, worked)
    _require_valid(found, instance)
    return {**_row(trace, seconds, spent), "trace": thinned(trace)}


def cost_at(trace: Trace, budget: float) -> tuple[int, bool]:
    """Return the cost at a budget, and whether it is one found later."""
    found = [cost for seconds, cost in trace if seconds <= budget]
    return (found[-1], False) if found else (trace[0][1], True)


def thinned(trace: Trace) -> Trace:
    """Return the last point of each step in time; all of them are true."""
    last: dict[int, tuple[float, int]] = {}
    for seconds, cost in trace:
        step = math.floor(math.log(seconds) / math.log(TRACE_STEP))
        last[step] = (round(seconds, 4), cost)
    return list(last.values())


def _row(
    trace: Trace, budget: float, spent: dict[str, float]
) -> dict[str, Any]:
    cost, is_late = cost_at(trace, budget)
    return {
        "budget": budget,
        "start_seconds": round(trace[0][0], 3),
        "start_cost": trace[0][1],
        "cost": cost,
        "late": int(is_late),
        **spent,
    }


def _spent(begun: float, worked: float) -> dict[str, float]:
    return {
        "wall_seconds": round(time.perf_counter() - begun, 3),
        "cpu_seconds": round(time.process_time() - worked, 3),
    }


def _require_valid(found: pyvrp.Solution, instance: nr.Instance) -> None:
    for violation in check_solution(instance, from_pyvrp(found, instance)):
        raise NccRoutingError(f"{instance.name}: {violation.message}")


def with_start_gap(rows: Rows) -> list[dict[str, str]]:
    """Add the gap when the start was ready."""
    return [
        {
            **row,
            "start_gap": repr(
                100.0
                * (float(row["start_cost"]) / float(row["reference"]) - 1.0)
            ),
        }
        for row in rows
    ]


def mean_curve(runs: list[np.ndarray], until: float) -> Curve:
    """Return the mean of step curves where all of them have begun."""
    begin = max(run[0, 0] for run in runs)
    grid = np.geomspace(begin, max(until, begin), 200)
    # The ends of the grid are exact, so that no curve starts before itself.
    grid[0], grid[-1] = begin, max(until, begin)
    steps = [
        run[1, np.searchsorted(run[0], grid, side="right") - 1] for run in runs
    ]
    return grid.tolist(), np.mean(steps, axis=0).tolist()


def draw(rows: Rows, traces: Rows, *, by: str | None = None) -> Figure:
    """Draw the mean gap over time, a panel for all or for each instance."""
    reference = {r["instance"]: float(r["reference"]) for r in rows}
    panels: dict[str, dict[str, Curve]] = {}
    for (title,), own in grouped(
        [{"": "mean of all instances", **row} for row in traces], (by or "",)
    ).items():
        for (start, budget), mine in grouped(own, ("start", "budget")).items():
            curves = [
                np.array(
                    [
                        (
                            float(row["seconds"]),
                            100.0 * (float(row["cost"]) / best - 1.0),
                        )
                        for row in run
                    ]
                ).T
                for (name, _), run in grouped(
                    mine, ("instance", "seed")
                ).items()
                for best in (reference[name],)
            ]
            label = f"{start}, {float(budget):g} s"
            curve = mean_curve(curves, float(budget))
            panels.setdefault(title, {})[label] = curve
    labels = ("wall-clock seconds", "gap %")
    return plot_panels(panels, 2, labels=labels, is_step=True)


def _against_cold(
    kind: str,
    cases: Any,
    budgets: tuple[float, ...],
    **more: Any,
) -> Experiment:
    return Experiment(
        f"warm_start_{kind}",
        cases=cases,
        variants=(
            Variant(
                "cold",
                partial(run_cold, budgets=budgets),
                {"start": "cold", "share": 0.0, "set": kind},
                budgets=(max(budgets),),
            ),
            *vary(run_warm, "share", (SHARE,), start="warm", set=kind),
        ),
        columns="set instance num_customers seed budget start share "
        "start_seconds start_cost cost reference gap_percent late "
        "wall_seconds cpu_seconds",
        key="instance seed budget start share",
        budgets=budgets,
        warm=SMALL_ROUTES,
        **more,
    )


STARTS = Summary(
    "budget start",
    "runs; gap %: gap_percent; gap of the start %: start_gap; "
    "late: late .0f sum",
    derive=with_start_gap,
)
WARM_OR_COLD = Differences("start", "cold", "gap_percent", "budget")
EACH = Differences("start", "cold", "gap_percent", "instance budget")
"""The tables of the page: means, and warm against cold."""


def _polishing(
    name: str,
    cases: Any,
    budgets: tuple[float, ...],
    methods: tuple[str, ...],
) -> Experiment:
    return Experiment(
        name,
        cases=cases,
        variants=(
            Variant("cold", partial(run_cold, budgets=(math.inf,))),
            *(
                Variant(each, partial(solve_cvrp, method=each, polish="pyvrp"))
                for each in methods
            ),
        ),
        columns="instance num_customers method=variant seed budget cost "
        "reference gap_percent seconds cpu_seconds load_average",
        seeds=(1, 2, 3),
        budgets=budgets,
        views=(Differences("method", "cold", "gap_percent", "budget"),),
        warm=SMALL_ROUTES,
    )


PAGES = (
    Page(
        "pyvrp_polish",
        "The polish pyvrp against PyVRP alone",
        "PyVRP from its own start, after our search, and after savings.",
        (
            _polishing(
                "pyvrp_polish_x",
                twenty_of_x,
                (1.0, 5.0),
                ("auto", "savings"),
            ),
            _polishing(
                "pyvrp_polish_small",
                partial(published, "X", SMALL_OF_X),
                (5.0,),
                ("auto", "savings"),
            ),
            _polishing(
                "pyvrp_polish_x_20s",
                twenty_of_x,
                (20.0,),
                ("auto",),
            ),
        ),
    ),
    Page(
        "warm_start",
        "Warm against cold PyVRP",
        "PyVRP from our start and from its own at equal wall-clock time.",
        (
            _against_cold(
                "x",
                larger_of_x,
                (1.0, 5.0, 20.0, 60.0),
                jobs=2,
                views=(WARM_OR_COLD, STARTS),
                figure=draw,
            ),
            _against_cold(
                "ags",
                large_of_ags,
                (60.0,),
                jobs=2,
                views=(EACH, WARM_OR_COLD, STARTS),
                figure=partial(draw, by="instance"),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
