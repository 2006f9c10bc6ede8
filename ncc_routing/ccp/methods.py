"""The clustering methods, as data; what they name is imported when called."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems.features import (
    CLUSTER_CAPACITIES,
    MATRIX,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
)

_BY_MEANS: Final = frozenset({CLUSTER_CAPACITIES, OTHER_DIMENSIONS})
_EVERYTHING: Final = _BY_MEANS | {MATRIX, POINT_CAPACITIES}

OBJECTIVE_ACCEPTS: Final = MappingProxyType(
    {"inertia": _BY_MEANS, "cccp": _BY_MEANS, "cpmp": _EVERYTHING}
)
"""Features of points that an objective knows; others are refused."""

DEFAULT_METHOD: Final = "ckm"
"""Method of ``cluster`` where none is named."""

_SEARCHED: Final = ("objective", "effort", "rng", "deadline", "stop", "plan")
"""What the methods take that end in the search of ckm."""

_NCC: Final = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function="ncc_routing.ccp.ncc:cluster_ncc",
    takes=(*_SEARCHED, "scorer"),
    accepts=_EVERYTHING,
    instead=("ckm", "ncc_routing.ccp.ncc:why_unscored"),
)
_NCC_PAPER: Final = Method(
    name="ncc-paper",
    summary="the network and the Algorithm 2 of the paper, alone",
    function="ncc_routing.ccp.ncc_paper:cluster_ncc_paper",
    takes=("objective", "scorer", "rng", "deadline"),
    params={"params": "ncc_paper"},
    accepts=_EVERYTHING,
    instead=("ckm", "ncc_routing.ccp.ncc_paper:why_unscored"),
)
_CAPKMEANS: Final = Method(
    name="capkmeans",
    summary="capacitated k-means (Geetha et al. 2009)",
    function="ncc_routing.ccp.baselines.capkmeans:cluster_capkmeans",
    takes=("objective", "rng", "deadline"),
    params={"params": "kmeans"},
    accepts=_EVERYTHING - {CLUSTER_CAPACITIES},
)

METHODS: Final = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, then a search that suits the objective",
        function="ncc_routing.ccp.ckm:cluster_ckm",
        takes=_SEARCHED,
        params={"start": "priority"},
        accepts=_EVERYTHING,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc with a sampled first clustering (Algorithm 2)",
        fixed={"sampling": True},
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last points",
        fixed={"sampling": True},
    ),
    _CAPKMEANS,
    replace(
        _CAPKMEANS,
        name="capkmeans-alt",
        summary="capacitated k-means with clusters that take turns",
        fixed={"alternative": True},
    ),
    Method(
        name="gb21",
        summary="matheuristic of Gnägi and Baumann 2021",
        function="ncc_routing.ccp.baselines.gb21:cluster_gb21",
        takes=("objective", "rng", "deadline"),
        params={"params": "gb21"},
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    Method(
        name="pack",
        summary="k-means with an optimal assignment by HiGHS",
        function="ncc_routing.ccp.baselines.pack:cluster_pack",
        takes=("objective", "rng", "deadline"),
        accepts=_EVERYTHING,
        default_seconds=60.0,
    ),
    *(
        Method(
            name=rule,
            summary=summary,
            function="ncc_routing.ccp.baselines.simple:cluster_simple",
            takes=("objective", "rng", "deadline"),
            fixed={"rule": rule},
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
