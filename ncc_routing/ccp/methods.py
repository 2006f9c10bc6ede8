"""The clustering methods, as data; each imports its solver when called."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems.features import (
    CENTER_PLACES,
    CLUSTER_CAPACITIES,
    FORBIDDEN_CENTERS,
    MATRIX,
    MORE_LIMITS,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
    ROUNDED_DOWN,
    RULES,
)

if TYPE_CHECKING:
    from ncc_routing.ccp.run import ClusterRun
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

    ClusterMethod = Method[[PointSet, int, ClusterRun], Clustering]

_BY_MEANS: Final = frozenset({CLUSTER_CAPACITIES, OTHER_DIMENSIONS})
_EVERYTHING: Final = _BY_MEANS | {MATRIX, POINT_CAPACITIES, ROUNDED_DOWN}
_RULES: Final = frozenset({MORE_LIMITS, RULES})
_CKM: Final = _EVERYTHING | _RULES | {CENTER_PLACES, FORBIDDEN_CENTERS}

OBJECTIVE_ACCEPTS: Final = MappingProxyType(
    {
        "inertia": _BY_MEANS | _RULES | {CENTER_PLACES},
        "cccp": _BY_MEANS | _RULES | {CENTER_PLACES},
        "cpmp": _CKM - {CENTER_PLACES},
    }
)
"""Features of points that an objective knows; others are refused."""

DEFAULT_METHOD: Final = "ckm"
"""Method of ``cluster`` where none is named."""


def _ckm(points: PointSet, num_clusters: int, run: ClusterRun) -> Clustering:
    from ncc_routing.ccp.ckm import cluster_ckm

    return cluster_ckm(points, num_clusters, run)


def _ncc(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun,
    *,
    sampling: bool = False,
) -> Clustering:
    from ncc_routing.ccp.ncc import cluster_ncc

    return cluster_ncc(points, num_clusters, run, sampling=sampling)


def _why_not_ncc(
    points: PointSet, num_clusters: int, run: ClusterRun
) -> str | None:
    from ncc_routing.ccp.ncc import why_unscored

    return why_unscored(points, num_clusters, run)


def _ncc_paper(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun,
    *,
    sampling: bool = False,
) -> Clustering:
    from ncc_routing.ccp.ncc_paper import cluster_ncc_paper

    return cluster_ncc_paper(points, num_clusters, run, sampling=sampling)


def _why_not_ncc_paper(
    points: PointSet, num_clusters: int, run: ClusterRun
) -> str | None:
    from ncc_routing.ccp.ncc_paper import why_unscored

    return why_unscored(points, num_clusters, run)


def _capkmeans(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun,
    *,
    alternative: bool = False,
) -> Clustering:
    from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans

    return cluster_capkmeans(
        points,
        num_clusters,
        run,
        alternative=alternative,
        objective=run.objective,
        params=run.kmeans,
    )


def _gb21(points: PointSet, num_clusters: int, run: ClusterRun) -> Clustering:
    from ncc_routing.ccp.baselines.gb21 import cluster_gb21

    return cluster_gb21(
        points, num_clusters, run, objective=run.objective, params=run.gb21
    )


def _pack(points: PointSet, num_clusters: int, run: ClusterRun) -> Clustering:
    from ncc_routing.ccp.baselines.pack import cluster_pack

    return cluster_pack(points, num_clusters, run, objective=run.objective)


def _simple(
    points: PointSet, num_clusters: int, run: ClusterRun, *, rule: str
) -> Clustering:
    from ncc_routing.ccp.baselines.simple import cluster_simple

    return cluster_simple(
        points, num_clusters, rule, run, objective=run.objective
    )


_SEARCHED: Final = ("objective", "search", "annealing", "stop", "phases")
"""What the methods read that end in the search of ckm."""

_NCC: Final[ClusterMethod] = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function=_ncc,
    reads=(*_SEARCHED, "scorer"),
    accepts=_EVERYTHING,
    instead=("ckm", _why_not_ncc),
)
_NCC_PAPER: Final[ClusterMethod] = Method(
    name="ncc-paper",
    summary="network and Algorithm 2 of the paper, without a search",
    function=_ncc_paper,
    reads=("objective", "scorer", "ncc_paper"),
    accepts=_EVERYTHING,
    instead=("ckm", _why_not_ncc_paper),
)
_CAPKMEANS: Final[ClusterMethod] = Method(
    name="capkmeans",
    summary="capacitated k-means (Geetha et al. 2009)",
    function=_capkmeans,
    reads=("objective", "kmeans"),
    accepts=_EVERYTHING - {CLUSTER_CAPACITIES},
)

METHODS: Final[dict[str, ClusterMethod]] = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, then a search for the objective",
        function=_ckm,
        reads=(*_SEARCHED, "priority"),
        accepts=_CKM,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc with a sampled first clustering (Algorithm 2)",
        function=partial(_ncc, sampling=True),
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last points",
        function=partial(_ncc_paper, sampling=True),
    ),
    _CAPKMEANS,
    replace(
        _CAPKMEANS,
        name="capkmeans-alt",
        summary="capacitated k-means with clusters that take turns",
        function=partial(_capkmeans, alternative=True),
    ),
    Method(
        name="gb21",
        summary="matheuristic of Gnägi and Baumann 2021",
        function=_gb21,
        reads=("objective", "gb21"),
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    Method(
        name="pack",
        summary="k-means with an optimal assignment by HiGHS",
        function=_pack,
        reads=("objective",),
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    *(
        Method(
            name=rule,
            summary=summary,
            function=partial(_simple, rule=rule),
            reads=("objective",),
            accepts=_EVERYTHING,
        )
        for rule, summary in (
            ("random", "points in turn to random clusters with room"),
            ("rnd-nn", "nearest points of random seeds"),
            ("topk-nn", "nearest points of the heaviest points"),
        )
    ),
)
"""Every method by name."""

PARAMS: Final = MappingProxyType(
    {
        "search": "ncc_routing.ccp.search_params:SearchParams",
        "annealing": "ncc_routing.ccp.search_params:AnnealingParams",
        "ncc_paper": "ncc_routing.clustering.scored_params:ScoredKMeansParams",
        "kmeans": "ncc_routing.clustering.capacitated_kmeans:KMeansParams",
        "gb21": "ncc_routing.ccp.baselines.gb21:Gb21Params",
    }
)
"""Groups of parameters: fields of ``ClusterParams``."""
