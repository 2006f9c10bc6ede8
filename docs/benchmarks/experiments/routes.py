"""Routes on the published instances: methods, time limits, other solvers."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    X_ROUTE_LENGTHS,
    large_of_ags,
    length_classes,
    published,
    set_i,
    stratified,
    xl,
)
from benchmarks.harness.experiment import Experiment, Joined, Variant
from benchmarks.harness.panels import plot_curves
from benchmarks.harness.peers import PEERS, solve_by_peer, why_absent
from benchmarks.harness.runs import seconds_of, solve_cvrp
from benchmarks.harness.views import Differences, Summary
from ncc_routing.bench.records import COLUMNS as RECORD_COLUMNS
from ncc_routing.bench.runner import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from benchmarks.harness.experiment import Allowance, Cases
    from benchmarks.harness.panels import Curve
    from benchmarks.harness.views import View
    from ncc_routing.bench.tables import Rows

COLUMNS = " ".join(name for name in RECORD_COLUMNS if name != "progress")
"""Columns of every table of methods x instances: those of ``--json``."""

BY_CLASS = Summary(
    "method size_class",
    "runs; failed; gap %: gap_percent; cost: cost cost; "
    "routes: num_routes .1f; seconds: runtime_seconds seconds",
    "method class",
    total=True,
)
"""Means by method and size class; gap = 100 (cost / bks - 1)."""

BY_METHOD = Summary(
    "method",
    "runs; failed; gap %: gap_percent; routes: num_routes .1f; "
    "seconds: runtime_seconds seconds",
)
"""Means by method alone, for the main page."""


def with_length(rows: Rows) -> Rows:
    """Return rows of X with their class of route length, short ones first."""
    classes = length_classes()
    found = [
        {**row, "customers/route": classes[row["instance"]]} for row in rows
    ]
    lengths = list(X_ROUTE_LENGTHS)
    return sorted(found, key=lambda row: lengths.index(row["customers/route"]))


BY_LENGTH = Summary(
    "customers/route",
    "runs; failed; gap %: gap_percent; seconds: runtime_seconds seconds",
    total=True,
    derive=with_length,
)
"""Means by length of the routes."""


def with_seconds(rows: Rows) -> Rows:
    """Return rows of X by size, with the time limit of their table."""
    found = [{**row, "seconds": row["experiment"][2:-1]} for row in rows]
    return sorted(found, key=lambda row: row["size_class"])


BY_TIME = Summary(
    "seconds",
    "runs; failed; gap %: gap_percent; median: gap_percent median; "
    "worst: gap_percent max",
    derive=with_seconds,
)
CLASSES_BY_TIME = Summary(
    "seconds",
    "gap %: gap_percent",
    across="size_class",
    derive=with_seconds,
)
"""All tables of X together: by time limit, and by size class as well."""

IN_PAPER = Setting(metric="paper")
"""Unrounded distances divided by 1000, as in the paper."""


def solving(
    name: str,
    methods: Sequence[str],
    setting: Setting | None = None,
    views: tuple[View, ...] = (BY_CLASS,),
    **more: Any,
) -> Experiment:
    """Describe methods x instances x seeds, as ``ncc-route bench`` does.

    Without a setting these are the constructions alone, without a limit. The
    cases are all of X, where no others are given.
    """
    setting = setting or Setting()
    solve = partial(
        solve_cvrp,
        polish=setting.polish,
        router=setting.router,
        jobs=setting.jobs_per_run,
    )
    return Experiment(
        name,
        **{"cases": partial(published, "X", metric=setting.metric), **more},
        variants=tuple(
            Variant(
                method,
                partial(solve, method=method),
                {"method": method, "polish": setting.polish},
            )
            for method in methods
        ),
        columns=COLUMNS,
        key="instance method seed",
        budgets=(setting.time_limit_seconds,),
        views=views,
        warm=SMALL_ROUTES,
        is_loading_timed=True,
        setting={"methods": list(methods), **asdict(setting)},
    )


CONSTRUCTIONS = (
    solving(
        "x_construction",
        ("ckm", "savings", "sweep"),
        views=(BY_METHOD, BY_CLASS),
    ),
    solving("x_petals", ("petal", "sweep+")),
    solving(
        "x_generalized_assignment", ("gap",), Setting(time_limit_seconds=3.0)
    ),
    solving(
        "paper_metric_construction", ("sweep", "savings", "ckm"), IN_PAPER
    ),
    solving("paper_metric_petals", ("petal", "sweep+"), IN_PAPER),
)
"""First routes on X."""

BY_LIMIT = tuple(
    solving(
        f"x_{seconds}s",
        ("auto",),
        Setting("auto", time_limit_seconds=float(seconds)),
        views=(BY_LENGTH, BY_CLASS),
        cases=partial(published, "X") if seconds < 60 else stratified,
        jobs=2,
        seeds=(1, 2) if seconds == 60 else (1,),
    )
    for seconds in (1, 10, 60, 240)
)
"""The default on one core: all of X, and from a minute on 25 of its
instances, five lengths of routes in five sizes."""

OURS = "ncc_routing"
"""What the tables call this package."""

SOLVERS = (OURS, *PEERS)
"""In the order of the tables."""


def solve_by_default(
    instance: nr.Instance, seed: int, budget: Allowance
) -> nr.Result:
    """Solve with a time limit and no other option, in this process."""
    return nr.solve(instance, seed=seed, time_limit=seconds_of(budget))


def in_order(rows: Rows) -> Rows:
    """Return rows by time, length of routes and solver.

    Runs of two at a time end in no order of their own.
    """
    classes = length_classes()
    found = [
        {**row, "customers/route": classes.get(row["instance"], "-")}
        for row in rows
    ]
    lengths = (*X_ROUTE_LENGTHS, "-")
    return sorted(
        found,
        key=lambda row: (
            float(row["seconds"]),
            lengths.index(row["customers/route"]),
            row["instance"],
            SOLVERS.index(row["solver"]),
        ),
    )


BY_SOLVER = Summary(
    "seconds solver",
    "runs; failed; gap %: gap_percent; wall, s: taken .1f; "
    "CPU, s: cpu_seconds .1f; load: load_average .1f",
    derive=in_order,
)


def gaps_by(column: str) -> Summary:
    """Return the table of the mean gaps, the solvers side by side."""
    return Summary(
        f"seconds {column}",
        "gap %: gap_percent",
        across="solver",
        derive=in_order,
    )


def against_ours(*by: str) -> Differences:
    """Return the table of the gaps of the others less ours, in pairs."""
    return Differences(
        *("solver", OURS, "gap_percent", " ".join(("seconds", *by))),
        derive=in_order,
    )


def beside_peers(
    name: str,
    cases: Cases,
    budgets: tuple[float, ...],
    views: tuple[View, ...],
    peers: tuple[str, ...] = tuple(PEERS),
) -> Experiment:
    """Describe solvers on some instances, each for the same seconds."""
    told = {name: PEERS[name].repository for name in peers}
    setting: dict[str, Any] = {
        "metric": "cvrplib",
        "jobs_per_run": 1,
        "peers": {name: told[name] or "installed" for name in told},
    }
    return Experiment(
        name,
        cases=cases,
        variants=(
            Variant(
                OURS,
                solve_by_default,
                {"options": "method auto, polish auto, jobs 1"},
            ),
            *(
                Variant(
                    peer,
                    partial(solve_by_peer, peer=peer),
                    why_absent=partial(why_absent, peer),
                )
                for peer in peers
            ),
        ),
        columns="instance num_customers seed seconds=budget solver=variant "
        "feasible cost num_routes bks gap_percent taken=runtime_seconds "
        "cpu_seconds load_average version options",
        key="instance variant seed budget",
        budgets=budgets,
        views=views,
        warm=SMALL_ROUTES,
        warm_budget=1.0,
        jobs=2,
        setting=setting,
    )


BESIDE_PEERS = (
    beside_peers(
        "peers_x",
        stratified,
        (10.0, 60.0),
        (
            BY_SOLVER,
            against_ours(),
            gaps_by("customers/route"),
            against_ours("customers/route"),
        ),
    ),
    beside_peers(
        "peers_ags",
        large_of_ags,
        (120.0,),
        (BY_SOLVER, against_ours(), gaps_by("instance")),
    ),
    beside_peers(
        "peers_xl",
        xl,
        (60.0,),
        (BY_SOLVER, against_ours(), gaps_by("instance")),
        ("FILO2", "AILS-II"),
    ),
    beside_peers(
        "set_i",
        lambda: set_i(PEERS["FILO2"].file.parents[1] / "set_i"),
        (180.0,),
        (BY_SOLVER, gaps_by("instance")),
        ("FILO2",),
    ),
    beside_peers(
        "xl_600s",
        lambda: xl()[1::2],
        (600.0,),
        (BY_SOLVER, gaps_by("instance")),
        (),
    ),
)
"""Public solvers: the same instances, seconds and cores, in the same run."""


def draw_gaps(rows: Rows) -> Figure:
    """Draw the mean gap over the time limit on the 25 instances of X.

    Our times are those of the tables by time limit alone, where there are
    more of them than in the run beside the others.
    """
    common = {row["instance"] for row in rows if "solver" in row}
    gaps: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        if row["instance"] not in common or row.get("solver") == OURS:
            continue
        solver = row.get("solver") or OURS
        limit = row.get("seconds") or row["experiment"][2:-1]
        found = gaps.setdefault(solver, {}).setdefault(float(limit), [])
        found.append(float(row["gap_percent"]))
    curves: dict[str, Curve] = {
        solver: (sorted(own), [mean(own[limit]) for limit in sorted(own)])
        for solver, own in gaps.items()
    }
    title, labels = (
        "25 instances of X, one core",
        ("time limit, s", "mean gap, %"),
    )
    return plot_curves(title, curves, labels)


EXPERIMENTS = (*CONSTRUCTIONS, *BY_LIMIT, *BESIDE_PEERS)

_LIMITS = tuple(experiment.name for experiment in BY_LIMIT)

JOINED = (
    Joined("x_by_time", _LIMITS, (BY_TIME, CLASSES_BY_TIME)),
    Joined("gap_over_time", (*_LIMITS, "peers_x"), figure=draw_gaps),
)
"""What is shown of all time limits together."""
