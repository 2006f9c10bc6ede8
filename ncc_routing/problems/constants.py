"""Tolerances and defaults that more than one module needs."""

from __future__ import annotations

from typing import Final

COST_TOLERANCE: Final = 1e-6
"""Relative difference at which two unrounded costs count as equal."""

LOAD_TOLERANCE: Final = 1e-9
"""Share by which a sum of real weights may exceed a capacity.

It covers the rounding of the sum alone. Integer loads are exact.
"""

OBJECTIVES: Final = ("inertia", "cccp", "cpmp")
"""Objectives of the capacitated clustering problem.

Sum of squared distances to the mean, of distances to the mean, and of
distances to a medoid.
"""

CLUSTER_METHOD_NAMES: Final = (
    "ckm", "ncc", "ncc-sampling", "capkmeans", "capkmeans-alt", "gb21",
    "pack", "random", "rnd-nn", "topk-nn",
)  # fmt: skip
"""Names of ``ccp.methods.CLUSTER_METHODS``."""

PAPER_SCALE: Final = 1000.0
"""The paper divides the coordinates of X instances by this number."""

ROUNDINGS: Final = ("nearest", "ceil", "floor", "exact", "none")
"""Rules that turn a Euclidean length into a distance.

In VRPLIB terms EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D (nearest integer to 1000
times the length), and the unrounded length.
"""

METRIC_NAMES: Final = ("cvrplib", "paper")
"""Ways to measure a VRPLIB file: rounded as it says, or unrounded / 1000."""

METHOD_NAMES: Final = (
    "ckm", "ncc", "ncc-sampling", "sweep", "sweep+", "petal", "savings",
    "gap",
)  # fmt: skip
"""Names of ``methods.METHODS``: known without importing any of them."""

DEFAULT_METHOD: Final = "ckm"
"""Method of ``solve`` where none is named."""

POLISH_NAMES: Final = ("none", "ruin-recreate", "pyvrp", "auto")
"""Names of ``vrp.solve.POLISHERS``."""

ROUTER_NAMES: Final = ("lkh", "local-search")
"""Solvers of the travelling salesman problem inside one cluster."""

SIZE_CLASSES: Final = (("N1", 250), ("N2", 500), ("N3", None))
"""Size classes of the paper: name, and the number of nodes it stays below.

The depot counts as a node; ``None`` is no bound.
"""
