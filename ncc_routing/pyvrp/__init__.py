"""PyVRP: its problems, solutions and criteria as ours, and its search.

``ncc_routing.pyvrp.solve``, ``minimise_fleet`` and ``Model`` are PyVRP's with
our search; ``supports`` tells what it refuses.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    solve: Callable[..., pyvrp.Result]
    minimise_fleet: Callable[..., pyvrp.VehicleType]
    Model: type[pyvrp.Model]
    supports: Callable[..., list[str]]

__all__ = ["Model", "minimise_fleet", "solve", "supports"]


def __getattr__(name: str) -> object:
    """Load what lies above this folder at its first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = "drop_in_model" if name == "Model" else "drop_in"
    return getattr(import_module(f"ncc_routing.vrp.{place}"), name)
