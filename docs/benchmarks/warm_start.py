"""Compare PyVRP with and without a start of ours, at equal wall-clock time.

Run from the root of the repository:

    python docs/benchmarks/warm_start.py generated
    NCC_ROUTING_DATA=DATA python docs/benchmarks/warm_start.py x --seeds 2
    NCC_ROUTING_DATA=DATA python docs/benchmarks/warm_start.py ags
    python docs/benchmarks/warm_start.py page

The clock of a run starts when ``pyvrp.ProblemData`` are ready and never
stops. A cold run is ``pyvrp.solve`` up to the longest budget; its cost at
each budget is read from its trace. A warm run is one run for each budget B:
``warm_start`` with the time limit share * B, then ``pyvrp.solve`` for what is
left of B. A budget that ends before the first feasible solution gets the cost
of that solution and is marked late. Cold and warm runs of an instance and
seed follow each other in one process, which takes one core and has run both
solvers on a small instance before, so that the kernels are compiled.

Rows are appended to ``warm_start_SET.csv`` instance by instance, those that
are there are not run again. ``page`` turns the tables into
``warm_start.md`` and its figures.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import math
import os
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
import pyvrp
import warm_start_page

from ncc_routing import warm_start
from ncc_routing.benchmarking.protocol import describe_protocol
from ncc_routing.benchmarking.runner import BenchmarkPlan
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.vrp.pyvrp_adapter import (
    from_problem_data,
    from_pyvrp,
    to_problem_data,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ncc_routing.problems.instance import Instance

SHARE = 0.8
"""Share of the budget that the start gets, chosen on ``generated``."""

SHARES = (0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
"""Shares that ``generated`` compares; 1 leaves nothing to PyVRP."""

GENERATED = ((300, 4_000_300), (600, 4_000_600), (1000, 4_001_000),
             (3000, 4_003_000))  # fmt: skip
"""Number of customers and seed of the generated instances."""

X_INSTANCES = (
    "X-n303-k21", "X-n327-k20", "X-n359-k29", "X-n401-k29", "X-n449-k29",
    "X-n502-k39", "X-n561-k42", "X-n627-k43", "X-n701-k44", "X-n783-k48",
    "X-n876-k59", "X-n979-k58",
)  # fmt: skip
"""Every fifth instance of X with at least 300 customers, from the first."""

AGS_INSTANCES = ("Leuven1", "Leuven2", "Antwerp1", "Antwerp2")

BUDGETS = {
    "generated": (1.0, 5.0, 20.0),
    "x": (1.0, 5.0, 20.0, 60.0),
    "ags": (60.0,),
}

TRACE_STEP = 1.02
"""A written trace holds the last improvement in each such ratio of time."""

_NO_COST = int(np.iinfo(np.int64).max)
_logger = logging.getLogger("warm_start")

Trace = list[tuple[float, int]]
"""Seconds since the data were ready, and the best feasible cost then."""


@dataclass(frozen=True)
class Row:
    """One line of the table: what was known at the end of a budget.

    ``wall_seconds`` and ``cpu_seconds`` are those of the whole run: for a
    cold one up to its longest budget.
    """

    set: str
    instance: str
    num_customers: int
    seed: int
    budget: float
    start: str
    share: float
    start_seconds: float
    start_cost: int
    cost: int
    reference: float | str
    gap_percent: float | str
    late: int
    wall_seconds: float
    cpu_seconds: float

    @property
    def key(self) -> tuple[str, ...]:
        """What tells this row from every other, as in the file."""
        return key_of(vars(self))


@dataclass(frozen=True)
class Task:
    """An instance and a seed, with the rows that are still missing."""

    set: str
    instance: str
    seed: int
    cold: tuple[float, ...]
    warm: tuple[tuple[float, float], ...]
    """Budgets and shares."""


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


def key_of(cells: dict[str, Any]) -> tuple[str, ...]:
    """Return instance, seed, budget, start and share as the file has them."""
    names = ("instance", "seed", "budget", "start", "share")
    return tuple(str(cells[name]) for name in names)


def cost_at(trace: Trace, budget: float) -> tuple[int, bool]:
    """Return the cost at a budget, and whether it is one found later."""
    found = [cost for seconds, cost in trace if seconds <= budget]
    return (found[-1], False) if found else (trace[0][1], True)


def thinned(trace: Trace) -> Trace:
    """Return the last point of each step in time; all of them are true."""
    last: dict[int, tuple[float, int]] = {}
    for seconds, cost in trace:
        bin_idx = math.floor(math.log(seconds) / math.log(TRACE_STEP))
        last[bin_idx] = (seconds, cost)
    return list(last.values())


def data_folder() -> Path:
    """Return the folder that holds X and AGS."""
    try:
        return Path(os.environ["NCC_ROUTING_DATA"]) / "cvrp"
    except KeyError:
        raise SystemExit(
            "NCC_ROUTING_DATA must name the folder that holds cvrp/X and "
            "cvrp/AGS with .vrp and .sol files."
        ) from None


def load(task: Task) -> tuple[pyvrp.ProblemData, float | None]:
    """Return the data of a task and the best-known cost, if there is one."""
    if task.set == "generated":
        for size, seed in GENERATED:
            instance = generate_uchoa(size, seed)
            if instance.name == task.instance:
                return to_problem_data(instance), None
        raise SystemExit(f"no generated instance {task.instance}")
    path = data_folder() / task.set.upper() / f"{task.instance}.vrp"
    data = pyvrp.read(path, round_func="round")
    best = pyvrp.read_solution(path.with_suffix(".sol"), data)
    if not best.is_feasible():
        raise SystemExit(f"{path}: the solution beside it is not feasible")
    return data, float(best.distance())


def warm_up() -> None:
    """Run both solvers until nothing is left to compile or to load."""
    data = to_problem_data(generate_uchoa(200, 1))
    seconds = math.inf
    while seconds > 0.4:
        begun = time.perf_counter()
        start = warm_start(data, time_limit=0.2)
        seconds = time.perf_counter() - begun
    stop = pyvrp.stop.MaxIterations(10)
    pyvrp.solve(data, stop, initial_solution=start)


def checked(found: pyvrp.Solution, instance: Instance) -> int:
    """Return the cost of a solution that breaks no rule."""
    solution = from_pyvrp(found, instance)
    for violation in check_solution(instance, solution):
        raise RuntimeError(f"{instance.name}: {violation.message}")
    return int(solution.cost)


class Runner:
    """Runs a task and keeps its rows and traces."""

    def __init__(self, task: Task) -> None:
        warm_up()
        self._task = task
        self._data, self._reference = load(task)
        self._instance = from_problem_data(self._data, task.instance)
        self.rows: list[Row] = []
        self.traces: list[tuple[Any, ...]] = []

    def cold(self) -> None:
        """Run PyVRP alone, and read every missing budget from its trace."""
        trace: Trace = []
        longest = max(self._task.cold)
        begun, worked = time.perf_counter(), time.process_time()
        result = pyvrp.solve(
            self._data,
            Recorder(begun, longest, trace),
            seed=self._task.seed,
            collect_stats=False,
        )
        wall = time.perf_counter() - begun
        cpu = time.process_time() - worked
        checked(result.best, self._instance)
        for budget in self._task.cold:
            self._note(trace, budget, ("cold", 0.0), (wall, cpu))
        self._keep(trace, longest, ("cold", 0.0))

    def warm(self, budget: float, share: float) -> None:
        """Run a start, then PyVRP for the rest of the budget."""
        begun, worked = time.perf_counter(), time.process_time()
        found = warm_start(self._data, share * budget, self._task.seed)
        ready = time.perf_counter() - begun
        trace: Trace = [(ready, found.distance())]
        if ready < budget and share < 1.0:
            found = pyvrp.solve(
                self._data,
                Recorder(begun, budget, trace),
                seed=self._task.seed,
                collect_stats=False,
                initial_solution=found,
            ).best
        wall = time.perf_counter() - begun
        cpu = time.process_time() - worked
        checked(found, self._instance)
        self._note(trace, budget, ("warm", share), (wall, cpu))
        self._keep(trace, budget, ("warm", share))

    def _note(
        self,
        trace: Trace,
        budget: float,
        start: tuple[str, float],
        seconds: tuple[float, float],
    ) -> None:
        cost, late = cost_at(trace, budget)
        reference = self._reference
        row = Row(
            set=self._task.set,
            instance=self._task.instance,
            num_customers=self._data.num_clients,
            seed=self._task.seed,
            budget=budget,
            start=start[0],
            share=start[1],
            start_seconds=round(trace[0][0], 3),
            start_cost=trace[0][1],
            cost=cost,
            reference=reference or "",
            gap_percent=(
                round(100.0 * (cost / reference - 1.0), 4) if reference else ""
            ),
            late=int(late),
            wall_seconds=round(seconds[0], 3),
            cpu_seconds=round(seconds[1], 3),
        )
        self.rows.append(row)

    def _keep(
        self, trace: Trace, budget: float, start: tuple[str, float]
    ) -> None:
        for seconds, cost in thinned(trace):
            self.traces.append(
                (self._task.instance, self._task.seed, budget, *start,
                 round(seconds, 4), cost)
            )  # fmt: skip


def run(task: Task) -> tuple[list[Row], list[tuple[Any, ...]]]:
    """Run all that a task asks for; return rows and traces."""
    runner = Runner(task)
    if task.cold:
        runner.cold()
    for budget, share in task.warm:
        runner.warm(budget, share)
    return runner.rows, runner.traces


def tasks_of(options: argparse.Namespace, table: Path) -> list[Task]:
    """Return every instance and seed that misses rows in the table."""
    present = {key_of(row) for row in warm_start_page.read_rows(table)}

    def is_missing(*cells: object) -> bool:
        return tuple(map(str, cells)) not in present

    tasks = []
    for name in options.instances or names_of(options.set):
        for seed in range(1, options.seeds + 1):
            cold = tuple(
                b
                for b in options.budgets
                if is_missing(name, seed, b, "cold", 0.0)
            )
            warm = tuple(
                (b, s)
                for b in options.budgets
                for s in options.shares
                if is_missing(name, seed, b, "warm", s)
            )
            if cold or warm:
                tasks.append(Task(options.set, name, seed, cold, warm))
    return tasks


def names_of(kind: str) -> Sequence[str]:
    """Return the instances of a set, the quickest to read first."""
    if kind == "generated":
        return [generate_uchoa(n, seed).name for n, seed in GENERATED]
    return X_INSTANCES if kind == "x" else AGS_INSTANCES


def append(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Add lines to a table, which gets its header first."""
    is_new = not path.is_file()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(header)
        writer.writerows(rows)


def note_protocol(path: Path, options: argparse.Namespace) -> None:
    """Add machine, versions and options of this call to the notes."""
    calls = json.loads(path.read_text("utf-8")) if path.is_file() else []
    known = describe_protocol(BenchmarkPlan(paths=(), methods=()))
    names = ("date", "commit", "cpu", "num_cpus", "platform", "python",
             "versions")  # fmt: skip
    call: dict[str, Any] = {name: known[name] for name in names}
    for name in ("seeds", "jobs", "budgets", "shares", "instances"):
        call[name] = getattr(options, name)
    calls.append(call)
    path.write_text(json.dumps(calls, indent=2) + "\n", encoding="utf-8")


def measure(options: argparse.Namespace) -> None:
    """Run what is missing of a set and append it to its tables."""
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / f"warm_start_{options.set}.csv"
    tasks = tasks_of(options, table)
    if not tasks:
        _logger.info("nothing is missing in %s", table)
        return
    note_protocol(table.with_suffix(".json"), options)
    parallel = joblib.Parallel(options.jobs, return_as="generator_unordered")
    header = [field.name for field in fields(Row)]
    for rows, traces in parallel(joblib.delayed(run)(t) for t in tasks):
        append(
            folder / f"warm_start_{options.set}_trace.csv",
            warm_start_page.TRACE_COLUMNS,
            traces,
        )
        append(table, header, [list(vars(row).values()) for row in rows])
        for row in rows:
            _logger.info(
                "%s seed %d, %g s, %s %g: %d, gap %s", row.instance, row.seed,
                row.budget, row.start, row.share, row.cost, row.gap_percent,
            )  # fmt: skip


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description="Compare PyVRP with and without a start of ours."
    )
    parser.add_argument("set", choices=(*BUDGETS, "page"))
    parser.add_argument("--seeds", type=int, default=1, help="1..N are run")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--budgets", type=float, nargs="+")
    parser.add_argument("--shares", type=float, nargs="+")
    parser.add_argument("--instances", nargs="+", help="names, default all")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    options = parser.parse_args()
    if options.set == "page":
        warm_start_page.write_page(options.output, SHARE)
        return
    if not options.budgets:
        options.budgets = BUDGETS[options.set]
    if not options.shares:
        options.shares = SHARES if options.set == "generated" else (SHARE,)
    measure(options)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
