"""PyVRP: its problems, solutions and criteria as ours, and its search.

``ncc_routing.pyvrp.solve`` is PyVRP's ``solve`` with our search.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    solve: Callable[..., pyvrp.Result]

__all__ = ["solve"]


def __getattr__(name: str) -> object:
    """Load ``solve``, which lies above this folder, at its first use."""
    if name != "solve":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("ncc_routing.vrp.drop_in").solve
