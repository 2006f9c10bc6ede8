"""The names that networks and labels go by; importing them costs nothing."""

from __future__ import annotations

from typing import Final

PAIRS: Final = "pairs"
PAPER: Final = "paper"
ARCHITECTURES: Final = (PAIRS, PAPER)
"""What a network answers: whether two customers share a route, or, as in the
paper, whether a customer belongs to a center."""

CVRP: Final = "cvrp"
CCP: Final = "ccp"
PROBLEMS: Final = (CVRP, CCP)
"""What a network is trained for."""

SHIPPED: Final = frozenset({"ncc-cvrp", "ncc-ccp"})
"""Files of weights that the package ships (``scoring/weights``), without
their suffix."""

CCP_GB21: Final = "ccp-gb21"
LABELLINGS: Final = (*PROBLEMS, CCP_GB21)
"""What labels are made for, and by which solver: each problem by ours, or
the CCP by GB21, as in the paper."""
