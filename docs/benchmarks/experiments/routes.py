"""Methods and polishes on the published instances X and AGS."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness.cases import (
    SMALL_ROUTES,
    X_ROUTE_LENGTHS,
    length_classes,
    published,
    stratified,
)
from benchmarks.harness.experiment import Experiment, Page, Variant
from benchmarks.harness.runs import solve_cvrp
from benchmarks.harness.views import Summary
from ncc_routing.bench.records import COLUMNS as RECORD_COLUMNS
from ncc_routing.bench.runner import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Cases
    from ncc_routing.bench.tables import Rows

COLUMNS = " ".join(RECORD_COLUMNS)
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


def with_least(rows: Rows) -> Rows:
    """Return rows of X with the k that the instance is named after."""
    return [{**row, "k": row["instance"].rpartition("-k")[2]} for row in rows]


BY_INSTANCE = Summary(
    "instance method",
    "k: k .0f; routes: num_routes .0f; gap %: gap_percent",
    derive=with_least,
)
"""Each run: routes beside the fewest that the demands allow."""


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


def solving(
    name: str,
    cases: Cases,
    methods: Sequence[str],
    setting: Setting,
    **more: Any,
) -> Experiment:
    """Describe methods x instances x seeds, as ``ncc-route bench`` does."""
    solve = partial(
        solve_cvrp,
        polish=setting.polish,
        router=setting.router,
        jobs=setting.jobs_per_run,
    )
    return Experiment(
        name=name,
        cases=cases,
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
        views=(BY_CLASS,),
        warm=SMALL_ROUTES,
        is_loading_timed=True,
        setting={"methods": list(methods), **asdict(setting)},
        **more,
    )


ALONE = Setting()
"""Constructions alone, without a limit."""


def _page(
    name: str,
    title: str,
    question: str,
    methods: Sequence[str],
    setting: Setting = ALONE,
    views: tuple[Summary, ...] = (BY_CLASS,),
    **more: Any,
) -> Page:
    cases = more.pop("cases", partial(published, "X", metric=setting.metric))
    experiment = solving(name, cases, methods, setting, **more)
    experiment = replace(experiment, views=views)
    return Page(name, title, question, (experiment,))


TIGHT = ("X-n157-k13", "X-n801-k40", "X-n856-k95", "X-n979-k58")
"""Instances whose k vehicles have to be filled to 99 % and more."""

IN_PAPER = Setting(metric="paper")
PAPER = "of the paper, unrounded and divided by 1000"
"""Instances and settings that several pages share."""

PAGES = (
    _page(
        "x_construction",
        "First routes on X: ckm, savings, sweep",
        "Cost and time of the constructions alone, on all of X.",
        ("ckm", "savings", "sweep"),
        views=(BY_METHOD, BY_CLASS),
    ),
    _page(
        "x_petals",
        "First routes on X: petals",
        "The same for the sweep with improvements and for petals.",
        ("petal", "sweep+"),
    ),
    _page(
        "x_generalized_assignment",
        "First routes on X: generalized assignment",
        "The same for Fisher and Jaikumar's assignment, in 3 s.",
        ("gap",),
        Setting(time_limit_seconds=3.0),
    ),
    _page(
        "x_tight",
        "First routes where vehicles are nearly full",
        "Number of routes of `savings`, `ckm`, `ncc` and `petal` on four "
        "instances of X whose demands leave the least room.",
        ("savings", "ckm", "ncc", "petal"),
        cases=partial(published, "X", TIGHT),
        views=(BY_INSTANCE,),
    ),
    _page(
        "paper_metric_construction",
        "First routes in the metric of the paper",
        f"`ckm`, `savings` and `sweep` on X with the distances {PAPER}.",
        ("sweep", "savings", "ckm"),
        IN_PAPER,
    ),
    _page(
        "paper_metric_ncc",
        "The network in the metric of the paper",
        f"`ncc` beside `ckm` on X with the distances {PAPER}.",
        ("ckm", "ncc", "ncc-sampling"),
        IN_PAPER,
    ),
    _page(
        "paper_metric_petals",
        "Petals in the metric of the paper",
        f"`petal` and `sweep+` on X with the distances {PAPER}.",
        ("petal", "sweep+"),
        IN_PAPER,
    ),
    Page(
        "x_by_time",
        "X from one second to four minutes",
        "Gap of the default on one core after 1 and 10 s on all of X, after "
        "60 and 240 s on 25 instances, five lengths of routes in five sizes.",
        tuple(
            replace(
                solving(
                    f"x_{seconds}s",
                    partial(published, "X") if seconds < 60 else stratified,
                    ("auto",),
                    Setting("auto", time_limit_seconds=float(seconds)),
                    jobs=2,
                    seeds=(1, 2) if seconds == 60 else (1,),
                ),
                views=(BY_LENGTH, BY_CLASS),
            )
            for seconds in (1, 10, 60, 240)
        ),
        (BY_TIME, CLASSES_BY_TIME),
    ),
)
"""The pages of this file, by which the registry finds them."""
