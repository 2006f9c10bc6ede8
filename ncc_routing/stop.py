"""When a run ends: criteria that combine, as in ``pyvrp.stop``."""

from ncc_routing.core.stopping import (
    BoundGap,
    FirstFeasible,
    MaxIterations,
    NoImprovement,
    TargetCost,
    TimeLimit,
    first_of,
)

__all__ = [
    "BoundGap",
    "FirstFeasible",
    "MaxIterations",
    "NoImprovement",
    "TargetCost",
    "TimeLimit",
    "first_of",
]
