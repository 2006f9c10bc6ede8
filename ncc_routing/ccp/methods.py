"""The clustering methods, as data; their functions are named, not imported."""

from __future__ import annotations

from dataclasses import replace
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
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

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


_SEARCHED: Final = ("objective", "search", "annealing", "stop", "phases")
"""What the methods read that end in the search of ckm."""

_BY_OBJECTIVE: Final = MappingProxyType({"objective": "objective"})

_NCC: Final[ClusterMethod] = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function="ncc_routing.paper.ncc_clusters:cluster_ncc",
    also_reads=(*_SEARCHED, "scorer"),
    accepts=_EVERYTHING,
    instead=("ckm", "ncc_routing.paper.ncc_clusters:why_unscored"),
)
_NCC_PAPER: Final[ClusterMethod] = Method(
    name="ncc-paper",
    summary="network and Algorithm 2 of the paper, without a search",
    function="ncc_routing.paper.ncc_paper_clusters:cluster_ncc_paper",
    gives={"params": "ncc_paper"},
    also_reads=("objective", "scorer"),
    accepts=_EVERYTHING,
    instead=("ckm", "ncc_routing.paper.ncc_paper_clusters:why_unscored"),
)
_CAPKMEANS: Final[ClusterMethod] = Method(
    name="capkmeans",
    summary="capacitated k-means (Geetha et al. 2009)",
    function="ncc_routing.paper.baselines.capkmeans:cluster_capkmeans",
    gives={**_BY_OBJECTIVE, "params": "kmeans"},
    accepts=_EVERYTHING - {CLUSTER_CAPACITIES},
)

METHODS: Final[dict[str, ClusterMethod]] = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, then a search for the objective",
        function="ncc_routing.ccp.ckm:cluster_ckm",
        also_reads=(*_SEARCHED, "priority"),
        accepts=_CKM,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc with a sampled first clustering (Algorithm 2)",
        options={"sampling": True},
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last points",
        options={"sampling": True},
    ),
    _CAPKMEANS,
    replace(
        _CAPKMEANS,
        name="capkmeans-alt",
        summary="capacitated k-means with clusters that take turns",
        options={"alternative": True},
    ),
    Method(
        name="gb21",
        summary="matheuristic of Gnägi and Baumann 2021",
        function="ncc_routing.paper.baselines.gb21:cluster_gb21",
        gives={**_BY_OBJECTIVE, "params": "gb21"},
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    Method(
        name="pack",
        summary="k-means with an optimal assignment by HiGHS",
        function="ncc_routing.paper.baselines.pack:cluster_pack",
        gives=_BY_OBJECTIVE,
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    *(
        Method(
            name=rule,
            summary=summary,
            function="ncc_routing.clustering.simple:cluster_simple",
            gives=_BY_OBJECTIVE,
            options={"rule": rule},
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
        "ncc_paper": "ncc_routing.paper.scored_params:ScoredKMeansParams",
        "kmeans": "ncc_routing.clustering.capacitated_kmeans:KMeansParams",
        "gb21": "ncc_routing.paper.baselines.gb21:Gb21Params",
    }
)
"""Groups of parameters: fields of ``ClusterParams``."""
