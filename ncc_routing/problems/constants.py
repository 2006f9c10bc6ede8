"""Names of the methods, known without importing any of them."""

from __future__ import annotations

from typing import Final

CLUSTER_METHOD_NAMES: Final = (
    "ckm",
    "ncc",
    "ncc-sampling",
    "capkmeans",
    "capkmeans-alt",
    "gb21",
    "pack",
    "random",
    "rnd-nn",
    "topk-nn",
)
"""Names of ``ccp_methods.CLUSTER_METHODS``."""

METHOD_NAMES: Final = (
    "ckm",
    "ncc",
    "ncc-sampling",
    "sweep",
    "sweep+",
    "petal",
    "savings",
    "gap",
)
"""Names of ``methods.METHODS``."""

DEFAULT_METHOD: Final = "ckm"
"""Method of ``solve`` where none is named."""

POLISH_NAMES: Final = ("none", "ruin-recreate", "pyvrp", "auto")
"""Names of ``pipeline.POLISHERS``."""

ROUTER_NAMES: Final = ("lkh", "local-search")
"""Solvers of the travelling salesman problem inside one cluster."""
