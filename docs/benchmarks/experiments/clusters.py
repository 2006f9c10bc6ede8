"""The general clustering problem: methods, growth, the paper's figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness.cases import (
    SMALL_POINTS,
    in_paper_units,
    medians,
    mixtures,
    uniform,
)
from benchmarks.harness.experiment import Experiment, Variant
from benchmarks.harness.runs import cluster_points
from benchmarks.harness.views import Summary
from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.params import ClusterParams
from ncc_routing.ccp.search_params import SearchParams

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance, Cases
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

EFFORTS = {
    "ckm-quick": SearchParams(2, 72),
    "ckm-thorough": SearchParams(1, 800),
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


def by_size(
    points: PointSet, seed: int, _budget: Allowance, *, method: str
) -> Clustering:
    """Solve a p-median problem in n / 50 seconds, at least 5, at most 60."""
    limit = min(60.0, max(5.0, points.num_points / 50))
    return cluster_points(points, seed, limit, method=method, objective="cpmp")


def effort(name: str) -> Variant:
    """Return our search with the effort of a name."""
    return Variant(name, partial(search, params=EFFORTS[name]))


def method(name: str, limit: float | None = None) -> Variant:
    """Return a method of the package, with a limit where it needs one."""
    return Variant(name, partial(cluster_points, method=name),
                   budgets=(limit,))  # fmt: skip


def initialization(init: str, starts: int) -> Variant:
    """Return capacitated k-means from first centers of a kind."""
    kmeans = {"init": init, "num_starts": starts}
    params = ClusterParams(method="capkmeans", kmeans=kmeans)
    run = partial(cluster_points, method="capkmeans", params=params)
    return Variant(f"capkmeans {init} x{starts}", run)


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


SPECTRAL_BY_INSTANCE = Summary(
    "instance",
    "spectral: spectral_inertia .3f",
    across="method",
    derive=with_published,
)


def _comparing(name: str, cases: Cases, **more: Any) -> Experiment:
    """Describe methods on point sets, one run of a seed each."""
    key = "instance variant seed"
    parts = {"views": (MEANS,), "warm": SMALL_POINTS, **more}
    return Experiment(name, cases=cases, columns=COLUMNS, key=key, **parts)


EXPERIMENTS = (
    _comparing(
        "gmm",
        partial(mixtures, 100),
        variants=(
            effort("ckm-quick"),
            effort("ckm-thorough"),
            *map(method, ("random", "rnd-nn", "topk-nn")),
            *map(method, ("capkmeans", "capkmeans-alt")),
            method("gb21", 2.0),
            method("pack", 2.0),
        ),
        seeds=(1, 2, 3),
    ),
    _comparing(
        "ablation",
        partial(mixtures, 100),
        variants=(
            initialization("topk", 1),
            *(
                initialization(init, starts)
                for starts in (1, 8)
                for init in ("k-means++", "ckm++")
            ),
        ),
        seeds=(1, 2, 3),
    ),
    _comparing(
        "cpmp",
        partial(medians, KINDS),
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
    _comparing(
        "growth",
        partial(uniform, (1_000, 10_000, 100_000, 1_000_000)),
        variants=(Variant("ckm", partial(cluster_points, method="ckm")),),
        is_fresh=True,
        views=(
            Summary(
                "instance num_points num_clusters",
                "inertia: inertia .4f; seconds: seconds; CPU s: cpu_seconds; "
                "peak MB: peak_mb .0f",
                "instance n K",
            ),
        ),
    ),
    _comparing(
        "paper",
        partial(in_paper_units, tuple(PAPER_FIGURES)),
        variants=(
            effort("ckm-quick"),
            effort("ckm-thorough"),
            method("capkmeans"),
            method("gb21", 20.0),
        ),
        views=(MEANS, SPECTRAL_BY_INSTANCE),
    ),
)
