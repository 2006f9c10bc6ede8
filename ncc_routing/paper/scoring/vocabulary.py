"""The names that networks and labels go by; importing them costs nothing."""

from __future__ import annotations

from typing import Final

PAIRS: Final = "pairs"
PAPER: Final = "paper"
ARCHITECTURES: Final = (PAIRS, PAPER)
"""Networks of pairs of customers, and, as in the paper, of customers and
centers."""

GEOMETRY: Final = "geometry"
INPUTS: Final = (PAPER, GEOMETRY)
"""Inputs of the network of the paper: the paper's, or also the geometry of
customers, centers and depot."""

CVRP: Final = "cvrp"
CCP: Final = "ccp"
PROBLEMS: Final = (CVRP, CCP)
"""What a network is trained for."""

CVRP_PAPER: Final = "cvrp-paper"
CCP_GB21: Final = "ccp-gb21"
"""What labels are made for besides: the CVRP on the paper's instances, and the
CCP by GB21, as in the paper."""

LABELS: Final = "labels"
MIXED: Final = "mixed"
CENTERS: Final = (LABELS, MIXED)
"""Centers that the network of the paper is trained on: those of the labels, or
others as well."""
