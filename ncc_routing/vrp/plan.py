"""What a run begins with, and the time of its stages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ncc_routing.vrp.methods import METHODS, NO_POLISH

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.methods import Method
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveParams

CONSTRUCTION_SHARE: Final = 0.2
"""Share of a time limit that a construction may use before a polish."""

ROUTING_SHARE: Final = 0.3
ROUTING_SECONDS_PER_CUSTOMER: Final = 5e-4
"""Time that the routing of clusters takes at most: a share of that for the
construction, and generously what customers take."""

SECONDS_PER_CUSTOMER: Final = 0.01
LEAST_SECONDS: Final = 2.0
MOST_SECONDS: Final = 60.0
"""Time for a polish without a limit: it grows with the instance between these
bounds."""

TINY_SECONDS_PER_CUSTOMER: Final = 0.1
"""Time for a few customers, less than ``LEAST_SECONDS``."""

_QUICKEST: Final = replace(
    METHODS["savings"], takes=("deadline",), fixed={"router": None}
)
"""Savings without a router, whose gain the polish finds as well
(``docs/benchmarks/router_choice.md``)."""

_STEADY: Final = replace(
    METHODS["savings"],
    function="ncc_routing.vrp.construction.zoned:solve_zones",
    takes=("reference", "deadline"),
    fixed={"router": None},
)
"""Savings zone by zone: where consistency weighs much, a search for consistent
routes begins with these."""


def choose_method(params: SolveParams, instance: Instance) -> Method:
    """Return the construction that a run names, or what suits it.

    Parameters with a group of their own name their method. Before a polish the
    quickest construction is as good as any other
    (``docs/benchmarks/default_choice.md``); without one the best construction
    is chosen. Instances that only insertion accepts get insertion. Steady
    routes start from the zones of their reference.
    """
    if params.method in METHODS:
        return METHODS[params.method]
    if params.ncc is not None:
        return METHODS["ncc"]
    if params.ncc_paper is not None:
        return METHODS["ncc-paper"]
    if params.ckm is not None or params.priority is not None:
        return METHODS["ckm"]
    if params.consistency > 0.0:
        return _STEADY
    if not METHODS["savings"].accepted(instance.features):
        return METHODS["insertion"]
    best = METHODS["ckm"]
    is_last = params.polish == NO_POLISH
    if is_last and best.accepted(instance.features):
        return best
    return METHODS["savings"] if is_last else _QUICKEST


def default_seconds(num_customers: int) -> float:
    """Return the time of a run with a polish and without any limit."""
    least = min(LEAST_SECONDS, TINY_SECONDS_PER_CUSTOMER * num_customers)
    return min(MOST_SECONDS, max(least, SECONDS_PER_CUSTOMER * num_customers))


def construction_deadline(deadline: Deadline, params: SolveParams) -> Deadline:
    """Return when the construction ends: early where a polish follows."""
    if params.polish == NO_POLISH or not deadline.is_limited():
        return deadline
    return deadline.within(CONSTRUCTION_SHARE * deadline.remaining())


def clustering_deadline(deadline: Deadline, num_customers: int) -> Deadline:
    """Return when clusters are due that are routed until a deadline."""
    left = deadline.remaining()
    routing = min(
        ROUTING_SHARE * left, ROUTING_SECONDS_PER_CUSTOMER * num_customers
    )
    return deadline.within(left - routing)
