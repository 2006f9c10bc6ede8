"""The methods for routes, as data.

Nothing that these tables name is imported before it is called.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems import features

_LIMITED: Final = frozenset({features.LIMITED_FLEET})
"""Every construction: ``search.fleets.limits`` makes its routes keep to the
number of vehicles."""

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
}
"""Every feature of an instance."""

AUTOMATIC: Final = "auto"
"""Name that leaves the choice to the package."""

DEFAULT_METHOD: Final = AUTOMATIC
DEFAULT_POLISH: Final = AUTOMATIC
"""Construction and polish of ``solve`` where none is named."""

NO_POLISH: Final = "none"
"""Name that stands for no polish at all."""

_NCC: Final = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function="ncc_routing.vrp.ncc:cluster_ncc",
    takes=("scorer", "seed", "deadline", "preference"),
    params={"params": "ncc", "ckm": "ckm"},
    instead=("ckm", "ncc_routing.vrp.ncc:why_unscored"),
    accepts=_LIMITED,
)

_NCC_PAPER: Final = Method(
    name="ncc-paper",
    summary="the network and the Algorithm 2 of the paper, alone",
    function="ncc_routing.vrp.ncc_paper:cluster_ncc_paper",
    takes=("scorer", "seed", "deadline"),
    params={"params": "ncc_paper"},
    instead=("ckm", "ncc_routing.vrp.ncc_paper:why_unscored"),
    accepts=_LIMITED,
)

CLUSTERERS: Final = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means on regions, then a tour per cluster",
        function="ncc_routing.vrp.ckm.search:cluster_ckm",
        takes=("priority", "seed", "deadline", "preference"),
        params={"params": "ckm"},
        accepts=_LIMITED,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc from the best of several sampled first clusterings",
        fixed={"sampling": True},
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last customers",
        fixed={"sampling": True},
    ),
)
"""Methods that only cluster: ``solve`` routes their clusters."""

CONSTRUCTORS: Final = table_of(
    Method(
        name="sweep",
        summary="the best sweep about the depot, routes as they fall",
        function="ncc_routing.vrp.construction.sweep:solve_sweep",
        accepts=_LIMITED,
    ),
    Method(
        name="sweep+",
        summary="the best sweep about the depot, each route by the router",
        function="ncc_routing.vrp.construction.sweep:solve_sweep_plus",
        takes=("router", "seed", "deadline"),
        accepts=_LIMITED,
    ),
    Method(
        name="petal",
        summary="set covering over petals",
        function="ncc_routing.vrp.construction.petal:solve_petal",
        takes=("router", "seed", "deadline"),
        accepts=_LIMITED,
    ),
    Method(
        name="savings",
        summary="Clarke and Wright, the quickest construction",
        function="ncc_routing.vrp.construction.savings:solve_savings",
        takes=("router", "seed", "deadline"),
        accepts=_ANY_COSTS,
    ),
    Method(
        name="gap",
        summary="generalised assignment to seeds (Fisher and Jaikumar)",
        function="ncc_routing.vrp.construction.gap:solve_gap",
        takes=("router", "seed", "deadline"),
        accepts=_LIMITED,
    ),
    Method(
        name="insertion",
        summary="cheapest insertion, for fleets, depots and time windows",
        function="ncc_routing.vrp.construction.insertion:insert_customers",
        takes=("seed", "deadline"),
        accepts=_ANYTHING,
    ),
)
"""Methods that return routes."""

METHODS: Final = MappingProxyType({**CLUSTERERS, **CONSTRUCTORS})
"""Every construction by name."""

METHOD_NAMES: Final = (AUTOMATIC, *METHODS)
"""What ``method`` may be."""

_RUIN_RECREATE: Final = Method(
    name="ruin-recreate",
    summary="ruin and recreate with simulated annealing",
    function="ncc_routing.vrp.search.ruin_recreate:ruin_and_recreate",
    takes=("seed", "deadline", "stop", "jobs", "preference", "plan"),
    params={"params": "ruin_recreate"},
    accepts=_ANYTHING,
)

POLISHES: Final = table_of(
    _RUIN_RECREATE,
    Method(
        name="pyvrp",
        summary="PyVRP's iterated local search",
        function="ncc_routing.vrp.search.pyvrp_search:polish_pyvrp",
        takes=("seed", "deadline", "stop"),
        accepts=_ANYTHING,
        package="pyvrp",
    ),
    replace(
        _RUIN_RECREATE,
        name=AUTOMATIC,
        summary="the choice of the package: ruin-recreate",
    ),
)
"""Improvements of finished routes, by name. PyVRP after ruin and recreate
gains nothing (``docs/benchmarks/polish_choice.md``)."""

POLISH_NAMES: Final = (NO_POLISH, *POLISHES)
"""What ``polish`` may be."""

PARAMS: Final = MappingProxyType(
    {
        "ckm": "ncc_routing.vrp.ckm.search:CkmParams",
        "ncc": "ncc_routing.vrp.ncc:NccParams",
        "ncc_paper": "ncc_routing.vrp.ncc_paper:NccPaperParams",
        "ruin_recreate": (
            "ncc_routing.vrp.search.ruin_recreate_params:RuinRecreateParams"
        ),
    }
)
"""Groups of parameters of the algorithms: fields of ``SolveParams``."""
