"""The package beside public solvers of the CVRP, in the same run."""

from __future__ import annotations

from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from benchmarks.experiments import routes
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    X_ROUTE_LENGTHS,
    large_of_ags,
    length_classes,
    stratified,
    xl,
)
from benchmarks.harness.experiment import Experiment, Page, Variant
from benchmarks.harness.panels import plot_panels
from benchmarks.harness.peers import PEERS, solve_by_peer, why_absent
from benchmarks.harness.runs import seconds_of
from benchmarks.harness.views import Differences, Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from benchmarks.harness.experiment import Allowance, Cases
    from benchmarks.harness.panels import Curve
    from benchmarks.harness.views import View
    from ncc_routing.bench.tables import Rows

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


def draw_gaps(rows: Rows, _traces: Rows) -> Figure:
    """Draw the mean gap over the time limit on the 25 instances of X.

    Our times are those of the tables by time limit alone, where there are
    more of them than in the run beside the others.
    """
    common = {row["instance"] for row in rows if "solver" in row}
    gaps: dict[str, dict[float, list[float]]] = {}
    for row in rows:
        if row["instance"] not in common:
            continue
        solver = row.get("solver") or OURS
        limit = row.get("seconds") or row["experiment"][2:-1]
        if solver == OURS and "solver" in row:
            continue
        found = gaps.setdefault(solver, {}).setdefault(float(limit), [])
        found.append(float(row["gap_percent"]))
    curves: dict[str, Curve] = {
        solver: (sorted(own), [mean(own[limit]) for limit in sorted(own)])
        for solver, own in gaps.items()
    }
    labels = ("time limit, s", "mean gap, %")
    panels = {"25 instances of X, one core": curves}
    return plot_panels(panels, labels=labels, is_log=True)


(BY_TIME,) = (page for page in routes.PAGES if page.name == "x_by_time")

PEERS_X = beside_peers(
    "peers_x",
    stratified,
    (10.0, 60.0),
    (
        BY_SOLVER,
        against_ours(),
        gaps_by("customers/route"),
        against_ours("customers/route"),
    ),
)

PAGES = (
    Page(
        "peers",
        "Public solvers in the same run",
        "PyVRP, HGS-CVRP, FILO2 and AILS-II beside this package: the same "
        "instances, seconds and cores, on the same machine.",
        (
            PEERS_X,
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
                "xl_600s",
                xl,
                (600.0,),
                (BY_SOLVER, gaps_by("instance")),
                (),
            ),
        ),
    ),
    Page(
        "gap_over_time",
        "Gap over time",
        "The gap on 25 instances of X by the time limit, beside the others.",
        (*BY_TIME.experiments, PEERS_X),
        figure=draw_gaps,
    ),
)
"""The pages of this file, by which the registry finds them."""
