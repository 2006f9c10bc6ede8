"""PyVRP with and without a start of ours, at equal time.

For the CVRP that is wall-clock time. For the other problems it is the
processor's: all runs take one thread, and other work on the machine lengthens
none of them.
"""

from __future__ import annotations

import math
import time
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, get_args

import ncc_routing as nr
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    data_folder,
    large_of_ags,
    published,
    stratified,
)
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.runs import processor_deadline, solve_cvrp
from benchmarks.harness.views import Differences, Summary, gap_to_best
from ncc_routing.core.exceptions import InfeasibleError, NccRoutingError
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_shipments,
)
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    objective_of,
    to_problem_data,
    to_pyvrp,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    from benchmarks.harness.cases import Metric
    from benchmarks.harness.experiment import Allowance, Cases, Work
    from ncc_routing.bench.tables import Rows

    Trace = list[tuple[float, int]]

SHARE = 0.8
"""Share of the budget that the start gets. On generated instances of 300 to
3,000 customers 0.7 and more were best, and none of these at every budget: the
mean gap after 5 s is 0.38 % with 0.7, and 0.62 % with 0.3 (commit
368ce86d1795)."""

NO_COST = 2**62
"""PyVRP says more than that where it has no feasible solution yet."""


class Recorder:
    """Ends PyVRP at a moment, and notes when its best cost improved.

    PyVRP asks it before each iteration, so that building the neighbourhoods
    counts. Without a feasible solution it goes on past the moment, for some
    times as long.
    """

    def __init__(
        self,
        until: float,
        trace: Trace,
        clock: Callable[[], float],
        patience: float = math.inf,
    ) -> None:
        self._until = until
        self._latest = patience * until
        self._trace = trace
        self._clock = clock

    def __call__(self, best_cost: int) -> bool:
        """Return whether the time is up."""
        now = self._clock()
        best = self._trace[-1][1] if self._trace else NO_COST
        if best_cost < best:
            self._trace.append((now, best_cost))
        return now >= (self._until if self._trace else self._latest)


def stopwatch(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a clock that begins now."""
    begun = clock()
    return lambda: clock() - begun


def run_cold(
    instance: nr.Instance,
    seed: int,
    budget: Allowance,
    *,
    budgets: tuple[float, ...],
) -> list[dict[str, Any]]:
    """Run PyVRP alone, and read every budget from what it found when."""
    import pyvrp

    data = to_problem_data(instance)
    trace: Trace = []
    longest = min(float(budget or 0.0), max(budgets))
    wall, cpu = stopwatch(time.perf_counter), stopwatch(time.process_time)
    stop = Recorder(longest, trace, wall)
    found = pyvrp.solve(data, stop, seed=seed, collect_stats=False).best
    spent = _spent(wall, cpu)
    _require_valid(found, instance)
    read = [each for each in budgets if each <= longest] or [longest]
    return [_row(trace, each, spent) for each in read]


def run_warm(
    instance: nr.Instance, seed: int, budget: Allowance, *, share: float
) -> dict[str, Any]:
    """Run a start, then PyVRP for the rest of the budget."""
    import pyvrp

    data = to_problem_data(instance)
    seconds = float(budget or 0.0)
    wall, cpu = stopwatch(time.perf_counter), stopwatch(time.process_time)
    found = nr.warm_start(data, time_limit=share * seconds, seed=seed)
    ready = wall()
    trace: Trace = [(ready, found.distance())]
    if ready < seconds:
        found = pyvrp.solve(
            data,
            Recorder(seconds, trace, wall),
            seed=seed,
            collect_stats=False,
            initial_solution=found,
        ).best
    spent = _spent(wall, cpu)
    _require_valid(found, instance)
    return _row(trace, seconds, spent)


def cost_at(trace: Trace, budget: float) -> tuple[int, bool]:
    """Return the cost at a budget, and whether it is one found later."""
    found = [cost for seconds, cost in trace if seconds <= budget]
    return (found[-1], False) if found else (trace[0][1], True)


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


def _spent(
    wall: Callable[[], float], cpu: Callable[[], float]
) -> dict[str, float]:
    return {"wall_seconds": round(wall(), 3), "cpu_seconds": round(cpu(), 3)}


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


def _against_cold(
    kind: str, cases: Cases, budgets: tuple[float, ...], *by: str
) -> Experiment:
    """Describe warm and cold runs, compared by further columns as well."""
    views = [
        Differences("start", "cold", "gap_percent", f"{each}budget")
        for each in (*by, "")
    ]
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
        jobs=2,
        views=(
            *views,
            Summary(
                "budget start",
                "runs; gap %: gap_percent; gap of the start %: start_gap; "
                "late: late .0f sum",
                derive=with_start_gap,
            ),
        ),
    )


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


def _polishing(
    name: str, cases: Cases, **methods: tuple[float, ...]
) -> Experiment:
    """Describe the polish after some methods, each with its budgets."""
    return Experiment(
        name,
        cases=cases,
        variants=(
            Variant("cold", partial(run_cold, budgets=(math.inf,))),
            *(
                Variant(
                    method,
                    partial(solve_cvrp, method=method, polish="pyvrp"),
                    budgets=budgets,
                )
                for method, budgets in methods.items()
            ),
        ),
        columns="instance num_customers method=variant seed budget cost "
        "reference gap_percent seconds cpu_seconds load_average",
        seeds=(1, 2, 3),
        budgets=methods["auto"],
        views=(Differences("method", "cold", "gap_percent", "budget"),),
        warm=SMALL_ROUTES,
    )


ON_THE_CVRP = (
    _against_cold("x", larger_of_x, (1.0, 5.0, 20.0, 60.0)),
    _against_cold("ags", large_of_ags, (60.0,), "instance "),
    _polishing(
        "pyvrp_polish_x",
        twenty_of_x,
        auto=(1.0, 5.0, 20.0),
        savings=(1.0, 5.0),
    ),
    _polishing(
        "pyvrp_polish_small",
        partial(published, "X", SMALL_OF_X),
        auto=(5.0,),
        savings=(5.0,),
    ),
)


NUM_SHIPMENTS = 150
"""Shipments of a generated problem, at most."""

LONGER = 4.0
"""A run that makes the reference takes so many times the budget."""

PATIENCE = 3.0
"""PyVRP gets so many times its budget to find a feasible solution at all."""

Places = Literal["random", "clustered", "half"]
Windows = Literal["short", "long"]
"""Classes of generated problems."""

METRICS: dict[str, Metric] = {
    "VRPB": "cvrplib",
    "PCVRPTW": "dimacs",
    "MTVRPTWR": "dimacs",
    "GVRP": "cvrplib",
    "VRPTW": "dimacs",
    "HFVRP": "exact",
    "MDVRPTW": "exact",
    "SDVRPTW": "exact",
    "TSP": "cvrplib",
}
"""Sets of problems, and the metric of their best known costs."""


def run_data(
    data: pyvrp.ProblemData,
    seed: int,
    budget: Allowance,
    *,
    is_warm: bool,
    times: float = 1.0,
) -> dict[str, Any]:
    """Run PyVRP alone, or after a start, for some times the budget."""
    import pyvrp

    seconds = times * float(budget or 0.0)
    row: dict[str, Any] = {"num_customers": data.num_clients}
    cpu, start = stopwatch(time.process_time), None
    if is_warm:
        result = nr.solve(
            data,
            polish="ruin-recreate",
            seed=seed,
            stop=processor_deadline(SHARE * seconds),
        )
        start = to_pyvrp(result.best, data)
        row["start_seconds"] = round(cpu(), 3)
        row["start_cost"] = result.best.cost
        if not (start.is_feasible() and start.is_complete()):
            raise NccRoutingError("the start breaks a rule.")
    trace: Trace = []
    watch = Recorder(seconds, trace, cpu, PATIENCE)
    found = pyvrp.solve(
        data, watch, seed=seed, collect_stats=False, initial_solution=start
    ).best
    spent = cpu()
    if not found.is_feasible():
        raise InfeasibleError("PyVRP found no plan.")
    _require_valid(found, from_problem_data(data))
    return {**row, "cost": float(trace[-1][1]), "cpu_seconds": round(spent, 3)}


COLD, WARM = (partial(run_data, is_warm=is_warm) for is_warm in (False, True))


def run_start(
    data: pyvrp.ProblemData, seed: int, budget: Allowance, *, is_first: bool
) -> dict[str, Any]:
    """Run a start to its end, or to its first plan, and let PyVRP judge it."""
    for reason in nr.pyvrp.supports(data):
        raise NccRoutingError(f"not supported: {reason}")
    begun, cpu = time.perf_counter(), time.process_time()
    start = nr.warm_start(
        data,
        time_limit=float(budget or 0.0),
        seed=seed,
        stop=(lambda _cost: True) if is_first else None,
    )
    return {
        "num_customers": data.num_clients,
        "wall_seconds": round(time.perf_counter() - begun, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "feasible": start.is_feasible() and start.is_complete(),
        "cost": objective_of(start),
    }


def as_pyvrp_reads(folder: str, most: int | None = None) -> list[Case]:
    """Return the problems of a set as PyVRP's reader returns them.

    Loads, times and costs are scaled as lengths are. ``most`` takes the first
    ones alone.
    """
    metric = METRICS[folder]
    return [
        Case(
            case.name,
            partial(_read_by_pyvrp, folder, case.name, metric),
            partial(_reference, case),
        )
        for case in published(folder, metric=metric, kind="vrp")[:most]
    ]


def shipments(most: int | None = None) -> list[Case]:
    """Return generated problems of pickups and deliveries.

    ``most`` takes the first ones alone.
    """
    cases = [
        Case(
            f"{customers}-{windows}",
            partial(_with_shipments, customers, windows, seed),
        )
        for seed, (customers, windows) in enumerate(
            product(get_args(Places), get_args(Windows)),
            start=1,
        )
    ]
    return cases[:most]


def small_fleet() -> pyvrp.ProblemData:
    """Return what compiles and loads all that such a problem needs."""
    return to_problem_data(generate_depots(60, 1))


def _with_shipments(
    customers: Places, windows: Windows, seed: int
) -> pyvrp.ProblemData:
    return to_problem_data(
        generate_shipments(NUM_SHIPMENTS, seed, customers, windows)
    )


def _read_by_pyvrp(
    folder: str, name: str, metric: Metric
) -> pyvrp.ProblemData:
    import pyvrp

    file = data_folder("vrp", folder, f"{name}.vrp")
    round_func = "round" if metric == "cvrplib" else metric
    return pyvrp.read(file, round_func=round_func)


def _reference(case: Case, _data: pyvrp.ProblemData) -> float | None:
    """Return the best known cost, by way of the instance."""
    assert case.reference is not None
    return case.reference(case.load())


SETS = (
    *(("VRPTW", seconds, None) for seconds in (10.0, 30.0, 60.0)),
    *((name, 20.0, None) for name in ("HFVRP", "MDVRPTW")),
    *((n, 20.0, None) for n in ("VRPB", "PCVRPTW", "MTVRPTWR", "GVRP")),
    ("VRPB", 60.0, 3),
    ("PCVRPTW", 60.0, None),
    *((name, 60.0, 3) for name in ("MTVRPTWR", "GVRP")),
    # One file: from its own start an iteration of PyVRP takes minutes.
    *(("SDVRPTW", seconds, 1) for seconds in (20.0, 60.0)),
)
"""Set, seconds, and the number of files, ``None`` for all."""


def _starts(
    seconds: float, cases: Cases, runs: dict[str, Work], **cells: str
) -> list[Variant]:
    """Return runs that are compared on the same cases."""
    return [
        Variant(start, run, cells, budgets=(seconds,), cases=cases)
        for start, run in runs.items()
    ]


_OF_DATA: dict[str, Any] = {
    "warm": Case("warm-up", small_fleet),
    "warm_budget": 1.0,
    "setting": {"clock": "processor time", "share": SHARE},
}

BEYOND_THE_CVRP = (
    Experiment(
        "warm_start_classes",
        cases=list,
        variants=tuple(
            variant
            for name, seconds, most in SETS
            for variant in _starts(
                seconds,
                partial(as_pyvrp_reads, name, most),
                {"cold": COLD, "warm": WARM},
                set=name.lower(),
            )
        ),
        columns="set instance num_customers seed budget start=variant "
        "start_seconds start_cost cost reference gap_percent cpu_seconds "
        "error",
        key="set instance variant seed budget",
        views=(Differences("start", "cold", "gap_percent", "set budget"),),
        **_OF_DATA,
    ),
    Experiment(
        "warm_start_shipments",
        cases=list,
        variants=tuple(
            variant
            for seconds, most in ((20.0, None), (60.0, 3))
            for variant in _starts(
                seconds,
                partial(shipments, most),
                {
                    "cold": COLD,
                    "warm": WARM,
                    "longer": partial(WARM, times=LONGER),
                },
            )
        ),
        columns="instance num_customers seed budget start=variant "
        "start_seconds start_cost cost cpu_seconds error",
        views=(
            Differences(
                *("start", "cold", "gap_percent", "budget"),
                derive=gap_to_best("instance", "budget"),
            ),
        ),
        **_OF_DATA,
    ),
    Experiment(
        "warm_start_feasible",
        cases=list,
        variants=tuple(
            Variant(
                plan,
                partial(run_start, is_first=plan == "first"),
                {"set": folder},
                cases=partial(as_pyvrp_reads, folder),
            )
            for folder in METRICS
            for plan in ("first", "last")
        ),
        columns="set instance num_customers seed budget plan=variant "
        "wall_seconds cpu_seconds feasible cost reference gap_percent error",
        key="set instance variant seed",
        budgets=(10.0,),
        views=(
            Summary(
                "set",
                "files: runs; failed; slowest: wall_seconds .2f max; gap %: "
                "gap_percent",
                across="plan",
            ),
        ),
        **{**_OF_DATA, "setting": {"clock": "wall clock", "threads": 1}},
    ),
)

EXPERIMENTS = (*ON_THE_CVRP, *BEYOND_THE_CVRP)
