"""The general clustering problem: methods, growth, the paper's figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness.cases import (
    SMALL_POINTS,
    any_clusters,
    in_paper_units,
    medians,
    mixtures,
    uniform,
)
from benchmarks.harness.experiment import (
    Experiment,
    Page,
    Variant,
    page_of,
)
from benchmarks.harness.runs import cluster_points, processor_deadline
from benchmarks.harness.views import Summary
from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans
from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.search_params import SearchParams
from ncc_routing.ccp.solve import cluster
from ncc_routing.clustering.capacitated_kmeans import KMeansParams
from ncc_routing.core.run import Run

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

EFFORTS = {
    "ckm-quick": SearchParams(2, 24),
    "ckm-thorough": SearchParams(1, 200),
}
"""Starts and kicks of the two efforts of our search."""

KINDS = ("osman_christofides", "sjc", "stefanello2015")
"""Folders of the published p-median problems."""

PAPER_FIGURES = {
    "ali535_005": (2.257, 2.101, 2.061),
    "ali535_025": (0.291, 0.284, 0.290),
    "ali535_050": (0.166, 0.158, 0.146),
    "fnl4461_0020": (9.961, 9.907, 10.274),
    "lin318_015": (1.446, 1.424, 1.436),
    "pr2392_020": (7.307, 7.641, 7.935),
    "rl1304_010": (7.762, 7.843, 8.447),
    "SJC3a": (0.011, 0.010, 0.007),
    "SJC4a": (0.014, 0.014, 0.010),
    "u724_010": (3.891, 3.793, 4.148),
    "u724_030": (1.274, 1.187, 1.174),
}
"""Published figures of NCC (greedy), NCC (sampled) and GB21.

Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering, table of
the generalisation to benchmark instances. What they call inertia is the
squared spectral norm. The twelfth instance, spain737_74_1, is left out: its
coordinates and its matrix list the points in different orders.
"""

FIRST_CENTERS = (
    *(("topk", 1), ("k-means++", 1), ("ckm++", 1)),
    *(("k-means++", 8), ("ckm++", 8)),
)
"""Rules for first centers, and numbers of starts."""

LATE_SECONDS, LATE_SHARE = 0.1, 0.05
"""Processor time by which a run may exceed its limit: seconds, and a share."""

COLUMNS = (
    "instance num_points num_clusters method=variant seed "
    "time_limit=budget objective feasible cost inertia spectral_inertia bks "
    "gap_percent seconds cpu_seconds peak_mb load_average"
)
RUNS = "runs; infeasible: failed"
INERTIA = "inertia: inertia .4f; spectral: spectral_inertia .4f"
TIMES = "seconds: seconds .4f; CPU s: cpu_seconds .4f"
LIMIT = "limit s: time_limit .0f max"
MEANS = Summary("method", f"{RUNS}; {INERTIA}; {TIMES}; {LIMIT}")
"""What the tables show."""


def search(
    points: PointSet, seed: int, _budget: Allowance, *, params: SearchParams
) -> Clustering:
    """Cluster by our search with an effort in place of a limit."""
    count = points.num_clusters or points.min_num_clusters
    rng = np.random.default_rng(seed)
    return cluster_by_search(points, count, rng, params=params)


def kmeans(
    points: PointSet, seed: int, _budget: Allowance, *, init: str, starts: int
) -> Clustering:
    """Run capacitated k-means from some first centers."""
    count = points.num_clusters or points.min_num_clusters
    params = KMeansParams(init=init, num_starts=starts)
    return cluster_capkmeans(points, count, Run(seed=seed), params=params)


def by_size(
    points: PointSet, seed: int, _budget: Allowance, *, method: str
) -> Clustering:
    """Solve a p-median problem in n / 50 seconds, at least 5, at most 60."""
    limit = min(60.0, max(5.0, points.num_points / 50))
    return cluster_points(points, seed, limit, method=method, objective="cpmp")


def in_time(points: PointSet, seed: int, budget: Allowance) -> Clustering:
    """Cluster within a limit of processor time."""
    deadline = processor_deadline(budget)
    return cluster(points, points.num_clusters, seed=seed, stop=deadline)


def with_lateness(rows: Rows) -> list[dict[str, str]]:
    """Add by how much a run took longer than its limit, and if too long."""
    found = []
    for row in rows:
        limit = float(row["time_limit"])
        over = float(row["cpu_seconds"]) - limit
        is_late = str(int(over > LATE_SECONDS + LATE_SHARE * limit))
        found.append({**row, "over": repr(over), "late": is_late})
    return found


def effort(name: str) -> Variant:
    """Return our search with the effort of a name."""
    return Variant(name, partial(search, params=EFFORTS[name]))


def method(name: str, limit: float | None = None) -> Variant:
    """Return a method of the package, with a limit where it needs one."""
    return Variant(name, partial(cluster_points, method=name),
                   budgets=(limit,))  # fmt: skip


def with_published(rows: Rows) -> list[Row]:
    """Add the published figures as methods of their own."""
    found = list(rows)
    names = ("NCC (greedy)", "NCC (sampled)", "GB21")
    for instance, figures in PAPER_FIGURES.items():
        for name, figure in zip(names, figures, strict=True):
            found.append(
                {
                    "instance": instance,
                    "method": f"{name}, published,",
                    "spectral_inertia": str(figure),
                }
            )
    return found


def _page(name: str, title: str, question: str, **parts: Any) -> Page:
    parts = {"key": "instance variant seed", "warm": SMALL_POINTS, **parts}
    return page_of(name, title, question, columns=COLUMNS, **parts)


GROWTH = Experiment(
    "growth",
    cases=partial(uniform, (1_000, 10_000, 100_000, 1_000_000)),
    variants=(Variant("ckm", partial(cluster_points, method="ckm")),),
    columns=COLUMNS,
    key="instance variant seed",
    warm=SMALL_POINTS,
    is_fresh=True,
    views=(
        Summary(
            "instance num_points num_clusters",
            "inertia: inertia .4f; seconds: seconds; CPU s: cpu_seconds; "
            "peak MB: peak_mb .0f",
            "instance n K",
        ),
    ),
)

LIMITS = Experiment(
    "growth_limits",
    cases=partial(any_clusters, range(60)),
    variants=tuple(
        Variant(
            f"ckm-{limit}s",
            in_time,
            budgets=(float(limit),),
            cases=partial(any_clusters, range(12 * limit - 12, 12 * limit)),
        )
        for limit in range(1, 6)
    ),
    columns=COLUMNS,
    key="instance variant seed",
    warm=SMALL_POINTS,
    views=(
        Summary(
            "time_limit",
            "runs; infeasible: failed; n up to: num_points ,.0f max; "
            "K up to: num_clusters ,.0f max; CPU s: cpu_seconds; "
            "most over s: over +.2f max; late: late .0f sum",
            "limit",
            derive=with_lateness,
        ),
    ),
)

PAGES = (
    _page(
        "ccp/gmm",
        "100 Gaussian mixtures",
        "Every method of the clustering problem on the paper's test set.",
        cases=partial(mixtures, 100),
        variants=(
            effort("ckm-quick"),
            effort("ckm-thorough"),
            *map(method, ("random", "rnd-nn", "topk-nn")),
            *map(method, ("capkmeans", "capkmeans-alt")),
            method("gb21", 2.0),
            method("pack", 2.0),
        ),
        seeds=(1, 2, 3),
        views=(MEANS,),
    ),
    _page(
        "ccp/ablation",
        "First centers of capacitated k-means",
        "What the first centers and the number of starts bring.",
        cases=partial(mixtures, 100),
        variants=tuple(
            Variant(
                f"capkmeans {init} x{starts}",
                partial(kmeans, init=init, starts=starts),
            )
            for init, starts in FIRST_CENTERS
        ),
        seeds=(1, 2, 3),
        views=(MEANS,),
    ),
    _page(
        "ccp/cpmp",
        "The capacitated p-median problem",
        "`ckm` and GB21 on the published p-median instances.",
        cases=partial(medians, KINDS),
        variants=(
            Variant("ckm", partial(by_size, method="ckm")),
            Variant("gb21", partial(by_size, method="gb21")),
        ),
        budgets=("n/50",),
        views=(
            Summary(
                "method",
                f"{RUNS}; gap %: gap_percent; worst: gap_percent max; {TIMES}",
            ),
            Summary(
                "instance num_points num_clusters",
                "cost: cost; gap %: gap_percent; s: seconds",
                "instance n K",
                across="method",
            ),
        ),
    ),
    Page(
        "ccp/growth",
        "Growth",
        "Time and memory of `ckm` on up to a million points, and its time "
        "limits.",
        (GROWTH, LIMITS),
    ),
    _page(
        "ccp/paper",
        "The paper's benchmark instances",
        "Our inertia beside the published figures of NCC and GB21.",
        cases=partial(in_paper_units, tuple(PAPER_FIGURES)),
        variants=(
            effort("ckm-quick"),
            effort("ckm-thorough"),
            method("capkmeans"),
            method("gb21", 20.0),
        ),
        views=(
            MEANS,
            Summary(
                "instance",
                "spectral: spectral_inertia .3f",
                across="method",
                derive=with_published,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
