"""The methods for routes, as data.

Their functions are named, not imported: the tables cost nothing to read, and
they are the only door to the room of the paper.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems import features

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.run import SolveRun

    Clusters = list[np.ndarray]
    Clusterer = Method[[Instance, SolveRun], Clusters]
    Constructor = Method[[Instance, SolveRun], Solution]
    Construction = Method[[Instance, SolveRun], Clusters | Solution]
    Improvement = Method[[Instance, Solution, SolveRun], Solution]

_LIMITED: Final = frozenset(
    {features.LIMITED_FLEET, features.BALANCES, features.TIME_BALANCES}
)
"""Every construction: ``search.fleets.limits`` makes its routes keep to the
number of vehicles, and ``search.balanced`` balances them."""

_ANY_COSTS: Final = _LIMITED | {features.MATRIX_ONLY}

_ANYTHING: Final = _ANY_COSTS | {
    features.VEHICLE_TYPES,
    features.FIXED_COSTS,
    features.UNIT_DISTANCE_COSTS,
    features.UNIT_DURATION_COSTS,
    features.SEVERAL_DEPOTS,
    features.VEHICLE_WINDOWS,
    features.SHIFT_DURATIONS,
    features.MAX_DISTANCES,
    features.PROFILES,
    features.TIME_WINDOWS,
    features.SERVICE_DURATIONS,
    features.RELEASE_TIMES,
    features.DURATIONS,
    features.INITIAL_LOADS,
    features.RELOAD_DEPOTS,
    features.OVERTIME,
    features.NEGATIVE_FIXED_COSTS,
    features.LOAD_DIMENSIONS,
    features.PICKUPS,
    features.SHIPMENTS,
    features.OPTIONAL_CUSTOMERS,
    features.CLIENT_GROUPS,
}
"""Every feature that PyVRP has as well."""

_WITH_RULES: Final = (
    _ANYTHING
    | features.ROUTE_RULES
    | features.DRIVERS_DAY
    | features.OWN_WORK
    | features.BEYOND_PYVRP
)
"""Every feature of an instance."""

AUTOMATIC: Final = "auto"
"""Name that leaves the choice to the package."""

DEFAULT_METHOD: Final = AUTOMATIC
DEFAULT_IMPROVEMENT: Final = AUTOMATIC
"""Construction and improvement of ``solve`` where none is named."""

NO_IMPROVEMENT: Final = "none"
"""Name that stands for no improvement at all."""


_BY_ROUTER: Final = MappingProxyType({"router": "router"})

_NCC: Final[Clusterer] = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function="ncc_routing.paper.ncc_routes:cluster_ncc",
    gives={
        "scorer": "scorer",
        "preferences": "preferences",
        "params": "ncc",
        "ckm": "ckm",
    },
    instead=("ckm", "ncc_routing.paper.ncc_routes:why_unscored"),
    accepts=_LIMITED,
)

_NCC_PAPER: Final[Clusterer] = Method(
    name="ncc-paper",
    summary="network and Algorithm 2 of the paper, without a search",
    function="ncc_routing.paper.ncc_paper_routes:cluster_ncc_paper",
    gives={"scorer": "scorer", "params": "ncc_paper"},
    instead=("ckm", "ncc_routing.paper.ncc_paper_routes:why_unscored"),
    accepts=_LIMITED,
)

CLUSTERERS: Final[dict[str, Clusterer]] = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, a search, and a tour for each cluster",
        function="ncc_routing.vrp.ckm.search:cluster_ckm",
        gives={
            "priority": "priority",
            "preferences": "preferences",
            "params": "ckm",
        },
        accepts=_LIMITED,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc from the best of several sampled first clusterings",
        options={"sampling": True},
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last customers",
        options={"sampling": True},
    ),
)
"""Methods that only cluster: ``solve`` routes their clusters."""

CONSTRUCTORS: Final[dict[str, Constructor]] = table_of(
    Method(
        name="sweep",
        summary="best sweep about the depot, customers in the order of angles",
        function="ncc_routing.vrp.construction.sweep:solve_sweep",
        accepts=_LIMITED,
    ),
    Method(
        name="sweep+",
        summary="best sweep about the depot, each route by the router",
        function="ncc_routing.vrp.construction.sweep:solve_sweep_plus",
        gives=_BY_ROUTER,
        accepts=_LIMITED,
    ),
    Method(
        name="petal",
        summary="set covering over petals",
        function="ncc_routing.vrp.construction.petal:solve_petal",
        gives=_BY_ROUTER,
        accepts=_LIMITED,
    ),
    Method(
        name="savings",
        summary="savings of Clarke and Wright",
        function="ncc_routing.vrp.construction.savings:solve_savings",
        gives=_BY_ROUTER,
        accepts=_ANY_COSTS,
    ),
    Method(
        name="gap",
        summary="generalized assignment to seeds (Fisher and Jaikumar)",
        function="ncc_routing.vrp.construction.gap:solve_gap",
        gives=_BY_ROUTER,
        accepts=_LIMITED,
    ),
    Method(
        name="insertion",
        summary="cheapest insertion",
        function="ncc_routing.vrp.construction.insertion:insert_customers",
        gives={"spaces": "spaces"},
        accepts=_WITH_RULES,
    ),
)
"""Methods that return routes."""

QUICKEST: Final = replace(
    CONSTRUCTORS["savings"], gives={}, options={"router": None}
)
"""Savings without a router, whose gain an improvement finds as well: without
one the routes after 2 s are 0.06 +- 0.03 % shorter (commit 010504c03773).
After ten seconds those from ``ckm`` are 0.02 +- 0.03 % shorter (commit
b1785ca9cf6f)."""

STEADY: Final = replace(
    CONSTRUCTORS["savings"],
    function="ncc_routing.vrp.construction.districts:solve_districts",
    gives={"labels": "labels"},
)
"""Savings district by district: where consistency weighs much, a search for
consistent routes begins with these."""

METHODS: Final[Mapping[str, Construction]] = MappingProxyType(
    {**CLUSTERERS, **CONSTRUCTORS}
)
"""Every construction by name."""

METHOD_NAMES: Final = (AUTOMATIC, *METHODS)
"""What ``method`` may be."""

_RUIN_RECREATE: Final[Improvement] = Method(
    name="ruin-recreate",
    summary="ruin and recreate with simulated annealing",
    function="ncc_routing.vrp.search.ruin_recreate:ruin_and_recreate",
    gives={
        "params": "ruin_recreate",
        "preferences": "preferences",
        "phases": "phases",
        "spaces": "spaces",
    },
    accepts=_WITH_RULES,
)

IMPROVEMENTS: Final[dict[str, Improvement]] = table_of(
    _RUIN_RECREATE,
    Method(
        name="pyvrp",
        summary="PyVRP's iterated local search",
        function="ncc_routing.pyvrp.search:improve_pyvrp",
        options={"tries_own_start": True},
        accepts=_ANYTHING
        | features.OWN_WORK
        | {features.SKILLS, features.PINNED},
        package="pyvrp",
    ),
    replace(
        _RUIN_RECREATE,
        name=AUTOMATIC,
        summary="ruin-recreate",
    ),
)
"""Improvements of finished routes, by name.

As the default, PyVRP gains nothing: with it for the last twentieth of ten
seconds the routes are 0.03 +- 0.04 % longer, with it alone 0.61 +- 0.12 %
(commit 5ea37a3bae43), and on parts of 500 of 6,000 customers 1.9 to 4.7 %
(commit 600d937759cc)."""

PYVRP_AFTER_SEARCH: Final = replace(IMPROVEMENTS["pyvrp"], options={})
"""PyVRP from routes that are better than its own start."""

IMPROVEMENT_NAMES: Final = (NO_IMPROVEMENT, *IMPROVEMENTS)
"""What ``polish`` may be."""

AFFINITY_SCORER: Final = "ncc_routing.paper.scoring.predictor:affinity_scorer"
"""What reads the scorer of an affinity."""

PARAMS: Final = MappingProxyType(
    {
        "ckm": "ncc_routing.vrp.ckm.search:CkmParams",
        "ncc": "ncc_routing.paper.ncc_routes:NccParams",
        "ncc_paper": "ncc_routing.paper.ncc_paper_routes:NccPaperParams",
        "ruin_recreate": (
            "ncc_routing.vrp.search.ruin_recreate_params:RuinRecreateParams"
        ),
    }
)
"""Groups of parameters of the algorithms: fields of ``SolveParams``."""
