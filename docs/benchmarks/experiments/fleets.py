"""Fleets, depots and time windows: PyVRP with a start of ours, and limits.

Seconds are those of the processor: all runs take one thread, and other work
on the machine lengthens none of them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, get_args

import ncc_routing as nr
from benchmarks.harness.cases import data_folder, published, stratified
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
)
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences, Summary, gap_to_best
from ncc_routing.core.exceptions import InfeasibleError, NccRoutingError
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_shipments,
)
from ncc_routing.io.pyvrp_adapter import (
    from_problem_data,
    from_pyvrp,
    objective_of,
    to_problem_data,
    to_pyvrp,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.fleet import Fleet, VehicleType

if TYPE_CHECKING:
    import pyvrp

    from benchmarks.harness.cases import Metric
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance

NUM_SHIPMENTS = 150
"""Shipments of a generated problem, at most."""

LONGER = 4.0
"""A run that makes the reference takes so many times the budget."""

Places = Literal["random", "clustered", "half"]
Windows = Literal["short", "long"]
"""Classes of generated problems."""

SHARE = 0.8
"""Share of the budget that a start gets, as for the CVRP."""

_NO_COST = 2**62
"""PyVRP says more than that where it has no feasible solution yet."""


_CLASSES: tuple[tuple[str, Metric], ...] = (
    ("VRPB", "cvrplib"),
    ("PCVRPTW", "dimacs"),
    ("MTVRPTWR", "dimacs"),
    ("GVRP", "cvrplib"),
)
"""Sets of problems, and the metric of their best known costs."""

_SETS: tuple[tuple[str, Metric], ...] = (
    *_CLASSES,
    ("VRPTW", "dimacs"),
    ("HFVRP", "exact"),
    ("MDVRPTW", "exact"),
    ("SDVRPTW", "exact"),
    ("TSP", "cvrplib"),
)
"""All of them."""

NUM_LONG = 3
"""Files of a class that run for a minute, but with prizes, where all do."""

PATIENCE = 3.0
"""PyVRP gets so many times its budget to find a feasible solution at all."""


class _Watch:
    """Ends PyVRP at a moment, or when it has a feasible solution later on.

    Its best cost at that moment is kept.
    """

    def __init__(self, begun: float, seconds: float) -> None:
        self._until = begun + seconds
        self._latest = begun + PATIENCE * seconds
        self.cost = float("nan")

    def __call__(self, best_cost: float) -> bool:
        """Return whether the time is up."""
        self.cost = float(best_cost)
        is_found = best_cost < _NO_COST
        now = time.process_time()
        return now >= (self._until if is_found else self._latest)


def run_cold(
    data: pyvrp.ProblemData, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Run PyVRP alone."""
    import pyvrp

    begun = time.process_time()
    watch = _Watch(begun, float(budget or 0.0))
    found = pyvrp.solve(data, watch, seed=seed, collect_stats=False).best
    spent = time.process_time() - begun
    if not found.is_feasible():
        raise InfeasibleError("PyVRP found no plan.")
    _require_valid(found, data)
    return {
        "num_customers": data.num_clients,
        "cost": watch.cost,
        "cpu_seconds": round(spent, 3),
    }


def run_warm(
    data: pyvrp.ProblemData, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Run a start, then PyVRP for the rest of the budget."""
    import pyvrp

    seconds = float(budget or 0.0)
    begun = time.process_time()
    result = nr.solve(
        data,
        polish="ruin-recreate",
        seed=seed,
        stop=processor_deadline(SHARE * seconds),
    )
    start = to_pyvrp(result.best, data)
    ready = time.process_time() - begun
    if not (start.is_feasible() and start.is_complete()):
        raise NccRoutingError("the start breaks a rule.")
    watch = _Watch(begun, seconds)
    found = pyvrp.solve(
        data, watch, seed=seed, collect_stats=False, initial_solution=start
    ).best
    spent = time.process_time() - begun
    _require_valid(found, data)
    return {
        "num_customers": data.num_clients,
        "start_seconds": round(ready, 3),
        "start_cost": result.best.cost,
        "cost": watch.cost,
        "cpu_seconds": round(spent, 3),
    }


def run_longer(
    data: pyvrp.ProblemData, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Run as ``run_warm``, for more time."""
    return run_warm(data, seed, LONGER * float(budget or 0.0))


def run_start(
    data: pyvrp.ProblemData, seed: int, budget: Allowance, *, is_first: bool
) -> dict[str, Any]:
    """Run a start to its end, or to its first plan, and let PyVRP judge it."""
    for reason in nr.supports(data):
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


def run_limited(
    instance: Instance, seed: int, budget: Allowance, *, is_limited: bool
) -> nr.Result:
    """Solve an instance with the routes of the best known solution."""
    return nr.solve(
        _limited(instance) if is_limited else _unlimited(instance),
        polish="ruin-recreate",
        seed=seed,
        stop=processor_deadline(budget),
    )


def fleet_limits() -> list[Case]:
    """Return X with the fleets of the best known solutions.

    The stratified 25 come first, so that a limit on the cases takes those.
    """
    first = stratified()
    names = {case.name for case in first}
    others = [case for case in published("X") if case.name not in names]
    return [
        Case(case.name, partial(_with_fleet, case), case.reference)
        for case in (*first, *others)
    ]


def as_pyvrp_reads(
    folder: str, metric: Metric, most: int | None = None
) -> list[Case]:
    """Return the problems of a set as PyVRP's reader returns them.

    Loads, times and costs are scaled as lengths are. ``most`` takes the first
    ones alone.
    """
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
    customers: Places,
    windows: Windows,
    seed: int,
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


def _with_fleet(case: Case) -> Instance:
    """Return an instance with as many vehicles as the best solution takes."""
    from ncc_routing.io.names import find_instance
    from ncc_routing.io.vrplib import read_solution

    instance: Instance = case.load()
    file = find_instance(instance.name).with_suffix(".sol")
    count = len(read_solution(file).routes)
    fleet = Fleet(
        (VehicleType(capacity=instance.capacity, num_available=count),)
    )
    return replace(instance, fleet=fleet)


def _limited(instance: Instance) -> Instance:
    return instance


def _unlimited(instance: Instance) -> Instance:
    return replace(instance, fleet=None)


def _require_valid(found: pyvrp.Solution, data: pyvrp.ProblemData) -> None:
    instance = from_problem_data(data)
    for violation in check_solution(instance, from_pyvrp(found, instance)):
        raise NccRoutingError(violation.message)


def _against_cold(
    kind: str,
    folder: str,
    metric: Metric,
    budget: float,
    most: int | None = None,
) -> Experiment:
    return Experiment(
        f"warm_start_{kind}_{budget:g}s",
        cases=partial(as_pyvrp_reads, folder, metric, most),
        variants=(
            Variant("cold", run_cold, {"set": kind}),
            Variant("warm", run_warm, {"set": kind}),
        ),
        columns="set instance num_customers seed budget start=variant "
        "start_seconds start_cost cost reference gap_percent cpu_seconds "
        "error",
        budgets=(budget,),
        warm=Case("warm-up", small_fleet),
        warm_budget=1.0,
        views=(
            Differences("start", "cold", "gap_percent", "budget"),
            Summary("budget start", "runs; gap %: gap_percent"),
        ),
        setting={"clock": "processor time", "share": SHARE},
    )


def _with_pairs(budget: float, most: int | None = None) -> Experiment:
    return Experiment(
        f"warm_start_shipments_{budget:g}s",
        cases=partial(shipments, most),
        variants=(
            Variant("cold", run_cold),
            Variant("warm", run_warm),
            Variant("longer", run_longer),
        ),
        columns="instance num_customers seed budget start=variant "
        "start_seconds start_cost cost cpu_seconds error",
        budgets=(budget,),
        warm=Case("warm-up", small_fleet),
        warm_budget=1.0,
        views=(
            Differences(
                *("start", "cold", "gap_percent", "budget"),
                derive=gap_to_best("instance"),
            ),
            Summary(
                "budget start",
                "runs; gap %: gap_percent",
                derive=gap_to_best("instance"),
            ),
        ),
        setting={"clock": "processor time", "share": SHARE},
    )


OF_ALL = Differences("start", "cold", "gap_percent", "set budget")
"""All sets together."""

_STARTS = Experiment(
    "warm_start_feasible",
    cases=list,
    variants=tuple(
        Variant(
            plan,
            partial(run_start, is_first=plan == "first"),
            {"set": folder},
            cases=partial(as_pyvrp_reads, folder, metric),
        )
        for folder, metric in _SETS
        for plan in ("first", "last")
    ),
    columns="set instance num_customers seed budget plan=variant "
    "wall_seconds cpu_seconds feasible cost reference gap_percent error",
    key="set instance variant seed",
    budgets=(10.0,),
    warm=Case("warm-up", small_fleet),
    warm_budget=1.0,
    views=(
        Summary(
            "set",
            "files: runs; failed; slowest: wall_seconds .2f max; gap %: "
            "gap_percent",
            across="plan",
        ),
    ),
    setting={"clock": "wall clock", "threads": 1},
)

PAGES = (
    Page(
        "warm_start_fleets",
        "Warm against cold PyVRP with windows, fleets and depots",
        "PyVRP from our start and from its own at equal processor time.",
        (
            _against_cold("vrptw", "VRPTW", "dimacs", 10.0),
            _against_cold("vrptw", "VRPTW", "dimacs", 30.0),
            _against_cold("vrptw", "VRPTW", "dimacs", 60.0),
            _against_cold("hfvrp", "HFVRP", "exact", 20.0),
            _against_cold("mdvrptw", "MDVRPTW", "exact", 20.0),
        ),
        (OF_ALL,),
    ),
    Page(
        "warm_start_classes",
        "Warm against cold PyVRP with the other parts of its model",
        "PyVRP from our start and from its own at equal processor time: "
        "backhauls, prizes, several trips, groups, and vehicles for some.",
        (
            *(_against_cold(s.lower(), s, m, 20.0) for s, m in _CLASSES),
            *(
                _against_cold(
                    s.lower(), s, m, 60.0, None if s == "PCVRPTW" else NUM_LONG
                )
                for s, m in _CLASSES
            ),
            # One file: from its own start an iteration of PyVRP takes minutes.
            _against_cold("sdvrptw", "SDVRPTW", "exact", 20.0, 1),
            _against_cold("sdvrptw", "SDVRPTW", "exact", 60.0, 1),
        ),
        (OF_ALL,),
    ),
    Page(
        "warm_start_shipments",
        "Warm against cold PyVRP with shipments",
        "PyVRP from our start and from its own at equal processor time; the "
        "gap is to the best run.",
        (
            _with_pairs(20.0),
            _with_pairs(60.0, NUM_LONG),
        ),
    ),
    Page(
        "warm_start_feasible",
        "A start within ten seconds",
        "The first plan, and the start after ten seconds, for each file of "
        "all classes.",
        (_STARTS,),
    ),
    Page(
        "fleet_limit",
        "As many vehicles as the best known solution takes",
        "What a limit on the vehicles costs, at equal processor time.",
        (
            Experiment(
                "fleet_limit",
                cases=fleet_limits,
                variants=(
                    Variant("limited", partial(run_limited, is_limited=True)),
                    Variant(
                        "unlimited", partial(run_limited, is_limited=False)
                    ),
                ),
                columns="instance num_customers seed budget fleet=variant "
                "feasible num_routes cost reference gap_percent cpu_seconds "
                "error",
                key="instance seed budget variant",
                budgets=(10.0,),
                warm=Case("warm-up", partial(generate_depots, 60, 1)),
                warm_budget=1.0,
                views=(
                    Differences("fleet", "unlimited", "gap_percent", "budget"),
                    Summary(
                        "budget fleet",
                        "runs; failed; gap %: gap_percent; routes: num_routes",
                    ),
                ),
                setting={"clock": "processor time"},
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
