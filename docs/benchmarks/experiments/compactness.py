"""What compact routes cost, and how compact they are."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Final, Literal

from benchmarks.harness.cases import SMALL_ROUTES, published, stratified
from benchmarks.harness.experiment import Case, page_of, vary
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.bench.tables import grouped
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.route_shapes import measure_shapes
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.plan import Phase, Step
from ncc_routing.vrp.search.rounds import search_in_rounds
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.generators.time_windows import FleetClass, WindowClass
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

SIZES = (100, 200, 300, 500, 800)
LENGTHS = (4, 8, 14, 25)
"""Customers of the instances, and of a route."""

RICH_SEED: Final = 91_001
"""First seed of problems beyond the CVRP; weights were set on seeds below
1,000."""

_Places = Literal["random", "clustered", "half"]

WITH_WINDOWS: Final[tuple[tuple[int, _Places, WindowClass], ...]] = (
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

_OF_ALL = "cost +%: more .2f; overlap: overlap .3f; left %: left .0f; "
_OF_LENGTH = "cost +%: more .2f; overlap: overlap .3f; "
_SHAPES = "medoid +%: wider .1f; crossings: crossings .0f; routes: routes .1f"


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


def with_length(rows: Rows) -> Rows:
    """Return rows with the length of routes that the name says."""
    return [
        {**row, "length": row["instance"].rpartition("-r")[2]} for row in rows
    ]


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
    instance: Instance, seed: int, budget: Allowance, *, compactness: float
) -> Solution:
    """Solve with a compactness as a user does; the budget is a time limit."""
    deadline = TimeLimit(seconds_of(budget))
    found = solve(instance, compactness=compactness, seed=seed, stop=deadline)
    return found.best


def solve_rich(
    instance: Instance, seed: int, budget: Allowance, *, compactness: float
) -> Solution:
    """Do the same in processor time."""
    deadline = processor_deadline(budget)
    found = solve(instance, compactness=compactness, seed=seed, stop=deadline)
    return found.best


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


def measured(instance: Instance, found: Solution) -> Json:
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


def against_plain(rows: Rows) -> Rows:
    """Return rows with what compactness changes about the shortest routes.

    ``more`` and ``wider`` are what cost and distance to the medoid gain, in
    percent. ``left`` is the overlap in percent of the mean overlap of the
    shortest routes, so that its mean is the share that is left of all.
    """

    def plain(row: Row) -> Row:
        return base[row["instance"], row["seed"]]

    chosen = [row for row in rows if float(row["compactness"]) == 0.0]
    base = {(row["instance"], row["seed"]): row for row in chosen}
    known = [row for row in rows if (row["instance"], row["seed"]) in base]
    overlaps = fmean(float(row["overlap"]) for row in chosen)

    def percent(row: Row, name: str) -> float:
        return 100.0 * (float(row[name]) / float(plain(row)[name]) - 1.0)

    changes = [
        {
            **row,
            "more": str(percent(row, "cost")),
            "wider": str(percent(row, "medoid_distance")),
            "left": str(100.0 * float(row["overlap"]) / overlaps),
        }
        for row in known
    ]
    return sorted(changes, key=lambda row: float(row["compactness"]))


def of_each_set(rows: Rows) -> Rows:
    """Return the same rows, against the mean overlap of their set."""
    sets = grouped(rows, ("set",)).values()
    return [row for own in sets for row in against_plain(own)]


def of_each_length(rows: Rows) -> Rows:
    """Return the same rows by the length of their routes."""
    changes = with_length(against_plain(rows))
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
_SHOWN = f"{_OF_ALL}{_SHAPES}; runs"

PAGES = (
    page_of(
        "compactness",
        "Compact routes",
        "What compact routes cost, and how compact they are, on generated "
        "instances of all lengths of routes, in 5 s of processor time.",
        cases=partial(of_all_lengths, SIZES, LENGTHS),
        variants=vary(with_compactness, "compactness", (0.0, 0.5, 1.0, 2.0)),
        columns="instance num_customers seed seconds=budget compactness cost "
        "routes=num_routes overlap medoid_distance crossings feasible",
        key="instance compactness seed budget",
        budgets=(5.0,),
        finish=measured,
        warm=SMALL_ROUTES,
        views=(
            Summary(
                "compactness",
                _SHOWN,
                derive=against_plain,
            ),
            Summary(
                "length compactness",
                f"{_OF_LENGTH}{_SHAPES}; runs",
                derive=of_each_length,
            ),
        ),
    ),
    page_of(
        "compactness_x",
        "Compact routes on X",
        "What compact routes cost, and how compact they are, on 25 instances "
        "of X of five sizes and five lengths of routes, in 10 s.",
        cases=stratified,
        variants=vary(solve_compact, "compactness", (0.0, 0.5, 1.0, 2.0)),
        columns="instance num_customers seed seconds=budget compactness cost "
        "routes=num_routes overlap medoid_distance crossings feasible",
        key="instance compactness seed budget",
        budgets=(10.0,),
        finish=measured,
        warm=SMALL_ROUTES,
        views=(Summary("compactness", _SHOWN, derive=against_plain),),
    ),
    page_of(
        "compactness_windows",
        "Compact routes with windows, fleets and depots",
        "What compact routes cost, and how compact they are, on generated "
        "problems of 400 to 1,000 customers and on six of Gehring and "
        "Homberger, in 30 s of processor time.",
        cases=list,
        variants=tuple(
            replace(variant, cases=cases)
            for kind, cases in _SETS
            for variant in vary(
                solve_rich, "compactness", (0.0, 1.0), set=kind
            )
        ),
        columns="set instance num_customers seed seconds=budget "
        "compactness cost routes=num_routes overlap medoid_distance "
        "crossings feasible",
        key="set instance compactness seed budget",
        budgets=(30.0,),
        finish=measured,
        warm=Case("warm-up", partial(generate_depots, 60, 1)),
        views=(Summary("set compactness", _SHOWN, derive=of_each_set),),
        setting={"clock": "processor time"},
    ),
)
"""The pages of this file, by which the registry finds them."""
