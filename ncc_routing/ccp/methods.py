"""The clustering methods, as data.

Python, shell, help, documentation and tests read this table. Nothing that
it names is imported before it is called.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems.features import (
    CLUSTER_CAPACITIES,
    MATRIX,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
)

_MEDOID_RULES: Final = frozenset({MATRIX, POINT_CAPACITIES})

OBJECTIVE_ACCEPTS: Final = MappingProxyType(
    {
        "inertia": frozenset({CLUSTER_CAPACITIES, OTHER_DIMENSIONS}),
        "cccp": frozenset({CLUSTER_CAPACITIES, OTHER_DIMENSIONS}),
        "cpmp": frozenset({CLUSTER_CAPACITIES, OTHER_DIMENSIONS})
        | _MEDOID_RULES,
    }
)
"""Features of points that an objective knows; others are refused."""

_EVERYTHING: Final = OBJECTIVE_ACCEPTS["cpmp"]

_ONE_CAPACITY: Final = _EVERYTHING - {CLUSTER_CAPACITIES}

DEFAULT_METHOD: Final = "ckm"
"""Method of ``cluster`` where none is named."""

_UNSCORED: Final = ("ckm", "ncc_routing.ccp.ncc:why_unscored")
_UNSCORED_BY_CENTERS: Final = (
    "ckm",
    "ncc_routing.ccp.ncc_paper:why_unscored",
)
_SCORED: Final = ("objective", "effort", "scorer", "rng", "deadline", "stop")

METHODS: Final = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, then a search that suits the objective",
        function="ncc_routing.ccp.ckm:cluster_ckm",
        takes=("objective", "effort", "rng", "deadline", "stop"),
        params={"start": "priority"},
        accepts=_EVERYTHING,
    ),
    Method(
        name="ncc",
        summary="ckm from a first clustering by the trained scorer",
        function="ncc_routing.ccp.ncc:cluster_ncc",
        takes=_SCORED,
        accepts=_EVERYTHING,
        instead=_UNSCORED,
    ),
    Method(
        name="ncc-sampling",
        summary="ncc with a sampled first clustering (Algorithm 2)",
        function="ncc_routing.ccp.ncc:cluster_ncc",
        takes=_SCORED,
        fixed={"sampling": True},
        accepts=_EVERYTHING,
        instead=_UNSCORED,
    ),
    Method(
        name="ncc-paper",
        summary="the network and the Algorithm 2 of the paper, alone",
        function="ncc_routing.ccp.ncc_paper:cluster_ncc_paper",
        takes=("objective", "scorer", "rng", "deadline"),
        params={"params": "ncc_paper"},
        accepts=_EVERYTHING,
        instead=_UNSCORED_BY_CENTERS,
    ),
    Method(
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last points",
        function="ncc_routing.ccp.ncc_paper:cluster_ncc_paper",
        takes=("objective", "scorer", "rng", "deadline"),
        params={"params": "ncc_paper"},
        fixed={"sampling": True},
        accepts=_EVERYTHING,
        instead=_UNSCORED_BY_CENTERS,
    ),
    Method(
        name="capkmeans",
        summary="capacitated k-means (Geetha et al. 2009)",
        function="ncc_routing.ccp.baselines.capkmeans:cluster_capkmeans",
        takes=("objective", "rng", "deadline"),
        params={"params": "kmeans"},
        accepts=_ONE_CAPACITY,
    ),
    Method(
        name="capkmeans-alt",
        summary="capacitated k-means with clusters that take turns",
        function="ncc_routing.ccp.baselines.capkmeans:cluster_capkmeans",
        takes=("objective", "rng", "deadline"),
        params={"params": "kmeans"},
        fixed={"alternative": True},
        accepts=_ONE_CAPACITY,
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
        "search": "ncc_routing.ccp.local_search.search:SearchParams",
        "annealing": "ncc_routing.ccp.medians.annealing:AnnealingParams",
        "ncc_paper": (
            "ncc_routing.clustering.scored_kmeans:ScoredKMeansParams"
        ),
        "kmeans": "ncc_routing.clustering.capacitated_kmeans:KMeansParams",
        "gb21": "ncc_routing.ccp.baselines.gb21:Gb21Params",
    }
)
"""Groups of parameters of the algorithms: fields of ``ClusterParams``."""
