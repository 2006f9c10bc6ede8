"""What compact and consistent routes cost, and what they are like."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

import ncc_routing as nr
from benchmarks.experiments.warm_starts import Recorder, stopwatch
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    data_folder,
    published,
    stratified,
)
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.bench.tables import grouped
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators.days import RECURRING, draw_days, generate_days
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
    with_fleet,
)
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.days import read_days
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.days import compare_days
from ncc_routing.problems.routes.references import (
    PastRoutes,
    measure_consistency,
    reference_labels,
)
from ncc_routing.problems.routes.route_shapes import measure_shapes
from ncc_routing.pyvrp.adapter import from_pyvrp, to_problem_data
from ncc_routing.vrp.construction.districts import solve_districts
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.rounds import search_in_rounds
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.experiments.warm_starts import Places
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.generators.time_windows import FleetClass, WindowClass
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution


def key_of(row: Row) -> tuple[str, str]:
    """Return what two rows of the same problem share."""
    return row["instance"], row["seed"]


def without(rows: Rows, weight: str) -> dict[tuple[str, str], Row]:
    """Return the rows where a weight is 0, by problem."""
    return {key_of(row): row for row in rows if float(row[weight]) == 0.0}


def percent_more(row: Row, base: Row, name: str) -> str:
    """Return by how many percent a value is above that of another row."""
    return str(100.0 * (float(row[name]) / float(base[name]) - 1.0))


COMPACT_SIZES = (100, 200, 300, 500, 800)
LENGTHS = (4, 8, 14, 25)
"""Customers of the instances, and of a route."""

RICH_SEED: Final = 91_001
"""First seed of problems beyond the CVRP; weights were set on seeds below
1,000."""

WITH_WINDOWS: Final[tuple[tuple[int, Places, WindowClass], ...]] = (
    (400, "random", "short"),
    (480, "clustered", "short"),
    (570, "half", "short"),
    (660, "random", "long"),
    (740, "clustered", "long"),
    (830, "half", "long"),
    (910, "random", "short"),
    (1000, "half", "short"),
)
"""Customers, places and windows of the generated problems."""

SOME_SIZES: Final = (400, 600, 800, 1000)
FLEETS: Final[tuple[FleetClass, ...]] = (
    "costs",
    "capacities",
    "limited",
    "limited",
)
"""Customers of those with a fleet or depots, and the fleets."""

GEHRING_HOMBERGER: Final = tuple(
    f"{kind}_10_2" for kind in ("C1", "C2", "R1", "R2", "RC1", "RC2")
)

_OF_SHAPES = (
    "cost +%: more .2f; overlap: overlap .3f; {}medoid +%: wider .1f; "
    "crossings: crossings .0f; routes: routes .1f; runs"
)
_OF_ALL = _OF_SHAPES.format("left %: left .0f; ")


def of_all_lengths(
    sizes: tuple[int, ...], lengths: tuple[int, ...]
) -> list[Case]:
    """Return instances from short routes to very long ones."""
    return [
        Case(
            f"NCC-n{size + 1:04d}-r{length}",
            partial(
                generate_uchoa, size, 556_000 + size + length,
                route_length=float(length),
            ),
        )
        for size in sizes
        for length in lengths
    ]  # fmt: skip


def with_compactness(
    instance: Instance, seed: int, budget: Allowance, *, compactness: float
) -> Solution:
    """Anneal once with a compactness, in processor time."""
    deadline = processor_deadline(budget)
    start = solve_savings(instance, router=None)
    penalties = None
    if compactness > 0.0:
        penalties = Preferences(compactness=compactness).priced(
            instance, start
        )
    search = RuinRecreateSearch(
        instance, start, Run(seed=seed), penalties=penalties
    )
    search_in_rounds(search, Phase(Step.ANNEAL), Budget(deadline))
    return search.best()


def solve_compact(
    instance: Instance,
    seed: int,
    budget: Allowance,
    *,
    compactness: float,
    clock: Callable[[], float] = time.perf_counter,
) -> Solution:
    """Solve with a compactness as a user does, in the time of a clock."""
    limit = TimeLimit(seconds_of(budget), clock=clock)
    return nr.solve(
        instance, compactness=compactness, seed=seed, stop=limit
    ).best


def with_windows() -> list[Case]:
    """Return generated problems with time windows."""
    return [
        Case(
            f"tw-n{size}-{places}-{windows}",
            partial(generate_time_windows, size, seed, places, windows),
        )
        for seed, (size, places, windows) in enumerate(
            WITH_WINDOWS, start=RICH_SEED
        )
    ]


def with_fleets() -> list[Case]:
    """Return generated problems with vehicles of several types."""
    return [
        Case(
            f"fleet-n{size}-{fleet}",
            partial(generate_fleet, size, RICH_SEED + size, fleet),
        )
        for size, fleet in zip(SOME_SIZES, FLEETS, strict=True)
    ]


def with_depots() -> list[Case]:
    """Return generated problems with several depots and windows."""
    return [
        Case(f"depots-n{n}", partial(generate_depots, n, RICH_SEED + n))
        for n in SOME_SIZES
    ]


def measure_compactness(instance: Instance, found: Solution) -> Json:
    """Return cost and shapes of a solution, by column."""
    shapes = measure_shapes(instance, found)
    return {
        "num_customers": instance.num_customers,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "overlap": round(shapes.overlap, 5),
        "medoid_distance": round(shapes.medoid_distance, 3),
        "crossings": shapes.crossings,
        "feasible": not check_solution(instance, found),
    }


def against_shortest(rows: Rows) -> Rows:
    """Return rows with what compactness changes about the shortest routes.

    ``more`` and ``wider`` are what cost and distance to the medoid gain, in
    percent. ``left`` is the overlap in percent of the mean overlap of the
    shortest routes, so that its mean is the share that is left of all.
    """
    plain = without(rows, "compactness")
    overlaps = fmean(float(row["overlap"]) for row in plain.values())
    changes = [
        {
            **row,
            "more": percent_more(row, plain[key_of(row)], "cost"),
            "wider": percent_more(row, plain[key_of(row)], "medoid_distance"),
            "left": str(100.0 * float(row["overlap"]) / overlaps),
        }
        for row in rows
        if key_of(row) in plain
    ]
    return sorted(changes, key=lambda row: float(row["compactness"]))


def of_each_set(rows: Rows) -> Rows:
    """Return the same rows, against the mean overlap of their set."""
    sets = grouped(rows, ("set",)).values()
    return [row for own in sets for row in against_shortest(own)]


def of_each_length(rows: Rows) -> Rows:
    """Return the same rows by the length of their routes."""
    changes = [
        {**row, "length": row["instance"].rpartition("-r")[2]}
        for row in against_shortest(rows)
    ]
    return sorted(changes, key=lambda row: int(row["length"]))


_SETS = (
    ("VRPTW", with_windows),
    ("HFVRP", with_fleets),
    ("MDVRPTW", with_depots),
    (
        "Gehring-Homberger",
        partial(
            published, "VRPTW", GEHRING_HOMBERGER, metric="dimacs", kind="vrp"
        ),
    ),
)

COMPACTNESS = (
    Experiment(
        "compactness",
        cases=partial(of_all_lengths, COMPACT_SIZES, LENGTHS),
        variants=vary(with_compactness, "compactness", (0.0, 0.5, 1.0, 2.0)),
        columns="instance num_customers seed seconds=budget compactness cost "
        "routes=num_routes overlap medoid_distance crossings feasible",
        key="instance compactness seed budget",
        budgets=(5.0,),
        finish=measure_compactness,
        warm=SMALL_ROUTES,
        views=(
            Summary("compactness", _OF_ALL, derive=against_shortest),
            Summary(
                "length compactness",
                _OF_SHAPES.format(""),
                derive=of_each_length,
            ),
        ),
    ),
    Experiment(
        "compactness_x",
        cases=stratified,
        variants=vary(solve_compact, "compactness", (0.0, 0.5, 1.0, 2.0)),
        columns="instance num_customers seed seconds=budget compactness cost "
        "routes=num_routes overlap medoid_distance crossings feasible",
        key="instance compactness seed budget",
        budgets=(10.0,),
        finish=measure_compactness,
        warm=SMALL_ROUTES,
        views=(Summary("compactness", _OF_ALL, derive=against_shortest),),
    ),
    Experiment(
        "compactness_windows",
        cases=list,
        variants=tuple(
            replace(variant, cases=cases)
            for kind, cases in _SETS
            for variant in vary(
                partial(solve_compact, clock=time.process_time),
                "compactness",
                (0.0, 1.0),
                set=kind,
            )
        ),
        columns="set instance num_customers seed seconds=budget "
        "compactness cost routes=num_routes overlap medoid_distance "
        "crossings feasible",
        key="set instance compactness seed budget",
        budgets=(30.0,),
        finish=measure_compactness,
        warm=Case("warm-up", partial(generate_depots, 60, 1)),
        views=(Summary("set compactness", _OF_ALL, derive=of_each_set),),
        setting={"clock": "processor time"},
    ),
)


DAY_SIZES: Final = (100, 200, 300)
DAY_SEEDS: Final = range(90_001, 90_011)
"""Customers and seeds of the pairs of days; the start and the scale of the
weight were chosen on others, with seeds from 60,001, 70,001 and 80,001 on."""

WEIGHTS: Final = (0.0, 0.5, 1.0, 1.25, 1.5, 2.0)

RICH_DAY_SEEDS: Final = range(91_001, 91_011)
"""Seeds with windows and a fleet; weights were set on others, below 1,000 and
from 95,001 on."""

DAY_SECONDS: Final = 10.0
"""Processor time of each plan with windows and a fleet."""

MILLISECONDS: Final = 10.0
"""Processor time of each plan, for each customer."""


class Days(NamedTuple):
    """What the second day knows of the first one."""

    today: Instance
    past: PastRoutes


@cache
def two_days(num_customers: int, seed: int, milliseconds: float) -> Days:
    """Return a day, and the plan of the day before, found in some time."""
    before, today = generate_days(num_customers, seed)
    plan = anneal(before, seed, milliseconds)
    return Days(today, PastRoutes(before, plan.routes))


@cache
def two_rich_days(num_customers: int, seed: int, seconds: float) -> Days:
    """Return two days with windows and a limited fleet, as ``two_days``."""
    size = 2 * num_customers - round(RECURRING * num_customers)
    pool = with_fleet(generate_time_windows(size, seed), seed, "limited")
    before, today = draw_days(pool, num_customers, seed)
    plan = nr.solve(before, seed=seed, stop=processor_deadline(seconds))
    return Days(today, PastRoutes(before, plan.best.routes))


def anneal(
    instance: Instance,
    seed: int,
    milliseconds: Allowance,
    preferences: Preferences = Preferences(),
) -> Solution:
    """Anneal once; the budget is processor time for each customer."""
    seconds = instance.num_customers * (seconds_of(milliseconds) or 0) / 1000.0
    deadline = processor_deadline(seconds)
    start = (
        solve_savings(instance, router=None)
        if preferences.consistency == 0.0
        else solve_districts(
            instance, Run(), reference_labels(instance, preferences.reference)
        )
    )
    return ruin_and_recreate(
        instance,
        start,
        Run(Budget(deadline), seed=seed),
        preferences=preferences,
    )


def with_consistency(
    days: Days, seed: int, budget: Allowance, *, consistency: float
) -> Solution:
    """Plan the second day."""
    preferences = Preferences(consistency=consistency, reference=days.past)
    return anneal(days.today, seed, budget, preferences)


def solve_with_consistency(
    days: Days, seed: int, budget: Allowance, *, consistency: float
) -> Solution:
    """Plan the second day as a user does, in processor time."""
    found = nr.solve(
        days.today,
        reference=days.past,
        consistency=consistency,
        seed=seed,
        stop=processor_deadline(budget),
    )
    return found.best


def measure_kept(days: Days, found: Solution) -> Json:
    """Return cost and measures of a plan, by column."""
    labels = reference_labels(days.today, days.past)
    kept = measure_consistency(labels, found.routes)
    shapes = measure_shapes(days.today, found)
    return {
        "num_customers": days.today.num_customers,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "kept_pairs": round(kept.kept_pairs, 5),
        "moved": round(kept.moved, 5),
        "overlap": round(shapes.overlap, 5),
        "crossings": shapes.crossings,
        "feasible": not check_solution(days.today, found),
    }


def against_plain(rows: Rows) -> Rows:
    """Return rows with what the weight changes about the plain plans.

    ``more`` is what the cost gains, in percent. ``times`` is the share of
    kept pairs over the mean share of the plain plans, so that its mean says
    how often as many are kept.
    """
    plain = without(rows, "consistency")
    means: dict[str, float] = {}
    for size in {row["num_customers"] for row in plain.values()}:
        own = [r for r in plain.values() if r["num_customers"] == size]
        means[size] = fmean(float(row["kept_pairs"]) for row in own)
    everyone = fmean(float(row["kept_pairs"]) for row in plain.values())
    known = [row for row in rows if key_of(row) in plain]
    known.sort(
        key=lambda row: (int(row["num_customers"]), float(row["consistency"]))
    )
    return [
        {
            **row,
            "more": percent_more(row, plain[key_of(row)], "cost"),
            "times": str(float(row["kept_pairs"]) / everyone),
            "times_of_size": str(
                float(row["kept_pairs"]) / means[row["num_customers"]]
            ),
        }
        for row in known
    ]


def _pairs_of_days(
    load: Callable[[int, int, float], Days], seeds: range, budget: float
) -> list[Case]:
    return [
        Case(f"days-n{size}-s{seed}", partial(load, size, seed, budget))
        for seed in seeds
        for size in DAY_SIZES
    ]


_OF_CONSISTENCY: Final = (
    "cost +%: more .2f; kept: kept_pairs .3f; {}; moved: moved .3f; "
    "overlap: overlap .3f; crossings: crossings .0f; routes: num_routes .1f; "
    "runs"
)

BY_CONSISTENCY = Summary(
    "consistency",
    _OF_CONSISTENCY.format("times: times .2f"),
    heads="consistency",
    derive=against_plain,
)
"""Means by weight."""

CONSISTENCY = (
    Experiment(
        "consistency",
        cases=partial(_pairs_of_days, two_days, DAY_SEEDS, MILLISECONDS),
        variants=vary(with_consistency, "consistency", WEIGHTS),
        columns="instance num_customers seed milliseconds=budget consistency "
        "cost num_routes kept_pairs moved overlap crossings feasible",
        key="instance consistency seed budget",
        budgets=(MILLISECONDS,),
        finish=measure_kept,
        warm=Case("warm-up", partial(two_days, 60, 1, 1.0)),
        views=(
            BY_CONSISTENCY,
            Summary(
                "num_customers consistency",
                _OF_CONSISTENCY.format("times: times_of_size .2f"),
                heads="customers consistency",
                derive=against_plain,
            ),
        ),
    ),
    Experiment(
        "consistency_windows",
        cases=partial(
            _pairs_of_days, two_rich_days, RICH_DAY_SEEDS, DAY_SECONDS
        ),
        variants=vary(solve_with_consistency, "consistency", (0.0, 1.0)),
        columns="instance num_customers seed seconds=budget consistency cost "
        "num_routes kept_pairs moved overlap crossings feasible",
        key="instance consistency seed budget",
        budgets=(DAY_SECONDS,),
        finish=measure_kept,
        warm=Case("warm-up", partial(two_rich_days, 60, 1, 1.0)),
        views=(BY_CONSISTENCY,),
        setting={"clock": "processor time"},
    ),
)


CLASSES: Final[dict[str, Callable[[int, int], Instance]]] = {
    "CVRP": generate_uchoa,
    "VRPTW": generate_time_windows,
    "HFVRP": generate_fleet,
    "MDVRPTW": generate_depots,
}
"""Generators of problems, by class."""

NUM_PROBLEMS: Final = 34
PLAN_SIZES: Final = (100, 150, 200)
FIRST_SEED: Final = 97_001
"""The problems go through the classes, and each class through the sizes."""

CAPS: Final = (0.005, 0.01, 0.02)

PLAN_SECONDS: Final = 5.0
"""Processor time of PyVRP, or more until it has a plan."""


class Planned(NamedTuple):
    """A problem, and the plan that somebody made of it."""

    name: str
    instance: Instance
    plan: Solution


@cache
def planned(name: str, size: int, seed: int, seconds: float) -> Planned:
    """Return a problem of a class with a plan of PyVRP."""
    import pyvrp

    instance = CLASSES[name](size, seed)
    stop = Recorder(seconds, [], stopwatch(time.process_time))
    found = pyvrp.solve(
        to_problem_data(instance), stop, seed=seed, collect_stats=False
    )
    return Planned(name, instance, from_pyvrp(found.best, instance))


def within_share(
    problem: Planned, seed: int, budget: Allowance, *, max_extra_cost: float
) -> Solution:
    """Make a plan compact within a share of its cost."""
    return nr.solve(
        problem.instance,
        initial_solution=problem.plan,
        compactness=1.0,
        max_extra_cost=max_extra_cost,
        seed=seed,
        stop=processor_deadline(budget),
    ).best


def measure_reshape(problem: Planned, found: Solution) -> Json:
    """Return cost and overlap, before and after, by column."""
    instance, plan = problem.instance, problem.plan
    return {
        "class": problem.name,
        "num_customers": instance.num_customers,
        "cost_before": plan.cost,
        "cost": found.cost,
        "overlap_before": round(measure_shapes(instance, plan).overlap, 5),
        "overlap": round(measure_shapes(instance, found).overlap, 5),
        "feasible": not check_solution(instance, found),
    }


def against_cap(rows: Rows) -> Rows:
    """Return rows with extra cost and cap in percent, and whether it is over.

    Costs and shares are compared as exact numbers.
    """
    found: list[Row] = []
    for row in rows:
        before, after = Fraction(row["cost_before"]), Fraction(row["cost"])
        share = Fraction(row["max_extra_cost"])
        extra = after / before - 1
        found.append(
            {
                **row,
                "cap_percent": f"{100.0 * float(share):g}",
                "extra": repr(100.0 * float(extra)),
                "over": str(int(extra > share)),
            }
        )
    return found


def _plans() -> list[Case]:
    names = list(CLASSES)
    found = []
    for number in range(NUM_PROBLEMS):
        name, turn = names[number % len(names)], number // len(names)
        size, seed = PLAN_SIZES[turn % len(PLAN_SIZES)], FIRST_SEED + number
        load = partial(planned, name, size, seed, PLAN_SECONDS)
        found.append(Case(f"{name}-n{size}-s{seed}", load))
    return found


_OF_CAP: Final = (
    "runs; failed; over the cap: over .0f sum; largest extra %: extra .4f "
    "max; extra %: extra .2f; overlap before: overlap_before .3f; overlap: "
    "overlap .3f"
)

RESHAPE = (
    Experiment(
        "reshape",
        cases=_plans,
        variants=vary(within_share, "max_extra_cost", CAPS),
        columns="instance class num_customers seed seconds=budget "
        "max_extra_cost cost_before cost overlap_before overlap feasible",
        key="instance max_extra_cost seed budget",
        budgets=(8.0,),
        finish=measure_reshape,
        warm=Case("warm-up", partial(planned, "VRPTW", 20, 1, 0.1)),
        views=(
            Summary(
                "cap_percent", _OF_CAP, heads="limit_%", derive=against_cap
            ),
            Summary(
                "class cap_percent",
                _OF_CAP,
                heads="class limit_%",
                derive=against_cap,
            ),
        ),
        setting={
            "clock": "processor time",
            "plans": f"PyVRP, {PLAN_SECONDS} s",
        },
    ),
)


SHARES: Final = (0.01, 0.03)
ALONE: Final = "alone"
"""Variants: caps of the extra cost, and each day for itself."""


class Found(NamedTuple):
    """What was found for the days, and against what its cost was held."""

    results: Sequence[nr.Result]
    extra_percent: float


def plan_alone(
    days: Sequence[Instance], seed: int, budget: Allowance
) -> Found:
    """Plan each day for itself; the days share the time."""
    seconds = (seconds_of(budget) or 0.0) / len(days)
    results = [
        nr.solve(day, seed=seed + number, stop=processor_deadline(seconds))
        for number, day in enumerate(days)
    ]
    return Found(results, 0.0)


def plan_together(
    days: Sequence[Instance],
    seed: int,
    budget: Allowance,
    *,
    max_extra_cost: float,
) -> Found:
    """Plan the days so that customers see few drivers."""
    found = nr.solve_days(
        days,
        max_extra_cost=max_extra_cost,
        seed=seed,
        stop=processor_deadline(budget),
    )
    return Found(found.results, found.extra_percent)


def measure_days(days: Sequence[Instance], found: Found) -> Json:
    """Return cost and measures of all days, by column."""
    results = found.results
    matched = compare_days(results)
    numbered = compare_days(results, by_vehicle=True)
    return {
        "num_customers": sum(day.num_customers for day in days),
        "cost": round(sum(result.cost for result in results), 3),
        "own_percent": round(found.extra_percent, 5),
        "num_routes": sum(result.best.num_routes for result in results),
        "drivers": round(matched.mean_drivers, 5),
        "drivers_by_route": round(numbered.mean_drivers, 5),
        "max_drivers": matched.max_drivers,
        "spread": round(matched.mean_arrival_spread, 5),
        "feasible": not any(
            check_solution(day, result.best)
            for day, result in zip(days, results, strict=True)
        ),
    }


def against_alone(rows: Rows) -> Rows:
    """Return rows with what changes against the days alone.

    ``more`` is what the distance gains, in percent. ``of_matched`` and
    ``of_numbered`` are drivers per customer over those of the days alone,
    whose drivers are matched to their routes, or have the numbers of these.
    """

    def ratio(name: str, base: str) -> str:
        return str(float(row[name]) / float(plain[base]))

    alone = {
        (row["instance"], row["seed"], row["seconds"]): row
        for row in rows
        if row["plans"] == ALONE
    }
    found = []
    for row in rows:
        plain = alone[row["instance"], row["seed"], row["seconds"]]
        found.append(
            {
                **row,
                "more": percent_more(row, plain, "cost"),
                "of_matched": ratio("drivers", "drivers"),
                "of_numbered": ratio("drivers", "drivers_by_route"),
            }
        )
    return found


def _convrp() -> list[Case]:
    files = sorted(data_folder("vrp", "ConVRP").glob("*.vrp"))
    return [
        Case(file.stem, partial(read_days, file, metric="none"))
        for file in files
    ]


_OF_DRIVERS: Final = (
    "runs; failed; distance +%: more .2f; own cap +%: own_percent .4f max; "
    "drivers: drivers .3f; by route: drivers_by_route .3f; of matched: "
    "of_matched .2f; of by route: of_numbered .2f; most: max_drivers .0f max; "
    "arrivals apart: spread .1f; routes: num_routes .1f"
)

SEVERAL_DAYS = (
    Experiment(
        "consistent_days",
        cases=_convrp,
        variants=(
            Variant(ALONE, plan_alone),
            *(
                Variant(
                    f"+{100.0 * share:g} %",
                    partial(plan_together, max_extra_cost=share),
                )
                for share in SHARES
            ),
        ),
        columns="instance num_customers seed seconds=budget plans=variant "
        "cost own_percent num_routes drivers drivers_by_route max_drivers "
        "spread feasible",
        key="instance variant seed budget",
        budgets=(30.0,),
        finish=measure_days,
        warm=Case("warm-up", partial(generate_days, 20, 1)),
        views=(
            Summary("plans", _OF_DRIVERS, derive=against_alone),
            Summary("instance plans", _OF_DRIVERS, derive=against_alone),
        ),
        setting={"clock": "processor time"},
    ),
)

EXPERIMENTS = (*COMPACTNESS, *CONSISTENCY, *RESHAPE, *SEVERAL_DAYS)
