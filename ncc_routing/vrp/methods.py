"""The methods for routes, as data.

A function of these tables imports its solver when it is called, so that the
tables cost nothing to read.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ncc_routing.core.methods import Method, table_of
from ncc_routing.problems import features

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.run import SolveRun

    Clusters = list[np.ndarray]
    Clusterer = Method[[Instance, SolveRun], Clusters]
    Constructor = Method[[Instance, SolveRun], Solution]
    Construction = Method[[Instance, SolveRun], Clusters | Solution]
    Improvement = Method[[Instance, Solution, SolveRun], Solution]

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


def _ckm(instance: Instance, run: SolveRun) -> Clusters:
    from ncc_routing.vrp.ckm.search import cluster_ckm

    return cluster_ckm(
        instance,
        run,
        priority=run.priority,
        params=run.ckm,
        preferences=run.preferences,
    )


def _ncc(
    instance: Instance, run: SolveRun, *, sampling: bool = False
) -> Clusters:
    from ncc_routing.vrp.ncc import cluster_ncc

    return cluster_ncc(
        instance,
        run,
        sampling=sampling,
        scorer=run.scorer,
        params=run.ncc,
        ckm=run.ckm,
        preferences=run.preferences,
    )


def _why_not_ncc(instance: Instance, run: SolveRun) -> str | None:
    from ncc_routing.vrp.ncc import why_unscored

    return why_unscored(instance, run.budget.time_limit)


def _ncc_paper(
    instance: Instance, run: SolveRun, *, sampling: bool = False
) -> Clusters:
    from ncc_routing.vrp.ncc_paper import cluster_ncc_paper

    return cluster_ncc_paper(
        instance,
        run,
        sampling=sampling,
        scorer=run.scorer,
        params=run.ncc_paper,
    )


def _why_not_ncc_paper(instance: Instance, run: SolveRun) -> str | None:
    from ncc_routing.vrp.ncc_paper import why_unscored

    return why_unscored(instance, run.budget.time_limit)


def _sweep(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.sweep import solve_sweep

    del run
    return solve_sweep(instance)


def _sweep_plus(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.sweep import solve_sweep_plus

    return solve_sweep_plus(instance, run, router=run.router)


def _petal(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.petal import solve_petal

    return solve_petal(instance, run, router=run.router)


def _savings(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.savings import solve_savings

    return solve_savings(instance, run, router=run.router)


def _savings_as_merged(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.savings import solve_savings

    return solve_savings(instance, run, router=None)


def _savings_by_district(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.districts import solve_districts

    return solve_districts(instance, run, run.labels)


def _gap(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.gap import solve_gap

    return solve_gap(instance, run, router=run.router)


def _insertion(instance: Instance, run: SolveRun) -> Solution:
    from ncc_routing.vrp.construction.insertion import insert_customers

    return insert_customers(instance, run, run.spaces)


def _ruin_recreate(
    instance: Instance, solution: Solution, run: SolveRun
) -> Solution:
    from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

    return ruin_and_recreate(
        instance,
        solution,
        run,
        params=run.ruin_recreate,
        preferences=run.preferences,
        phases=run.phases,
        spaces=run.spaces,
    )


def _pyvrp(
    instance: Instance,
    solution: Solution,
    run: SolveRun,
    *,
    tries_own_start: bool = True,
) -> Solution:
    from ncc_routing.pyvrp.search import improve_pyvrp

    return improve_pyvrp(
        instance, solution, run, tries_own_start=tries_own_start
    )


_NCC: Final[Clusterer] = Method(
    name="ncc",
    summary="ckm from a first clustering by the trained scorer",
    function=_ncc,
    reads=("scorer", "preference", "ncc", "ckm"),
    instead=("ckm", _why_not_ncc),
    accepts=_LIMITED,
)

_NCC_PAPER: Final[Clusterer] = Method(
    name="ncc-paper",
    summary="network and Algorithm 2 of the paper, without a search",
    function=_ncc_paper,
    reads=("scorer", "ncc_paper"),
    instead=("ckm", _why_not_ncc_paper),
    accepts=_LIMITED,
)

CLUSTERERS: Final[dict[str, Clusterer]] = table_of(
    Method(
        name="ckm",
        summary="capacitated k-means, a search, and a tour for each cluster",
        function=_ckm,
        reads=("priority", "preference", "ckm"),
        accepts=_LIMITED,
    ),
    _NCC,
    replace(
        _NCC,
        name="ncc-sampling",
        summary="ncc from the best of several sampled first clusterings",
        function=partial(_ncc, sampling=True),
    ),
    _NCC_PAPER,
    replace(
        _NCC_PAPER,
        name="ncc-paper-sampling",
        summary="ncc-paper with sampled orders of the last customers",
        function=partial(_ncc_paper, sampling=True),
    ),
)
"""Methods that only cluster: ``solve`` routes their clusters."""

CONSTRUCTORS: Final[dict[str, Constructor]] = table_of(
    Method(
        name="sweep",
        summary="best sweep about the depot, customers in the order of angles",
        function=_sweep,
        accepts=_LIMITED,
    ),
    Method(
        name="sweep+",
        summary="best sweep about the depot, each route by the router",
        function=_sweep_plus,
        reads=("router",),
        accepts=_LIMITED,
    ),
    Method(
        name="petal",
        summary="set covering over petals",
        function=_petal,
        reads=("router",),
        accepts=_LIMITED,
    ),
    Method(
        name="savings",
        summary="savings of Clarke and Wright",
        function=_savings,
        reads=("router",),
        accepts=_ANY_COSTS,
    ),
    Method(
        name="gap",
        summary="generalized assignment to seeds (Fisher and Jaikumar)",
        function=_gap,
        reads=("router",),
        accepts=_LIMITED,
    ),
    Method(
        name="insertion",
        summary="cheapest insertion",
        function=_insertion,
        accepts=_WITH_RULES,
    ),
)
"""Methods that return routes."""

QUICKEST: Final = replace(
    CONSTRUCTORS["savings"], function=_savings_as_merged, reads=()
)
"""Savings without a router, whose gain an improvement finds as well: without
one the routes after 2 s are 0.06 +- 0.03 % shorter (commit 010504c03773).
After ten seconds those from ``ckm`` are 0.02 +- 0.03 % shorter (commit
b1785ca9cf6f)."""

STEADY: Final = replace(
    CONSTRUCTORS["savings"],
    function=_savings_by_district,
    reads=("reference",),
)
"""Savings district by district: where consistency weighs much, a search for
consistent routes begins with these."""

METHODS: Final[Mapping[str, Construction]] = MappingProxyType(
    {**CLUSTERERS, **CONSTRUCTORS}
)
"""Every construction by name."""

METHOD_NAMES: Final = (AUTOMATIC, *METHODS)
"""What ``method`` may be."""

_RUIN_RECREATE: Final = Method(
    name="ruin-recreate",
    summary="ruin and recreate with simulated annealing",
    function=_ruin_recreate,
    reads=("preference", "phases", "ruin_recreate"),
    accepts=_WITH_RULES,
)

IMPROVEMENTS: Final[dict[str, Improvement]] = table_of(
    _RUIN_RECREATE,
    Method(
        name="pyvrp",
        summary="PyVRP's iterated local search",
        function=_pyvrp,
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

PYVRP_AFTER_SEARCH: Final = replace(
    IMPROVEMENTS["pyvrp"], function=partial(_pyvrp, tries_own_start=False)
)
"""PyVRP from routes that are better than its own start."""

IMPROVEMENT_NAMES: Final = (NO_IMPROVEMENT, *IMPROVEMENTS)
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
