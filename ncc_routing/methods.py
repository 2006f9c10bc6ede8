"""The construction methods by name: one table for Python, shell and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.baselines.gap import solve_gap
from ncc_routing.baselines.petal import solve_petal
from ncc_routing.baselines.savings import solve_savings
from ncc_routing.baselines.sweep import solve_sweep, solve_sweep_plus
from ncc_routing.cluster_first.ckm import cluster_ckm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from ncc_routing.deadline import Deadline
    from ncc_routing.instance import Instance
    from ncc_routing.solution import Solution

    Clusterer = Callable[[Instance, int, Deadline], Sequence[np.ndarray]]
    Constructor = Callable[[Instance, str, int, Deadline], Solution]


def _ckm(
    instance: Instance, seed: int, deadline: Deadline
) -> Sequence[np.ndarray]:
    return cluster_ckm(instance, seed=seed, deadline=deadline)


def _sweep(
    instance: Instance, _router: str, _seed: int, _deadline: Deadline
) -> Solution:
    return solve_sweep(instance)


def _sweep_plus(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    return solve_sweep_plus(
        instance, router=router, seed=seed, deadline=deadline
    )


def _petal(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    return solve_petal(instance, router=router, seed=seed, deadline=deadline)


def _savings(
    instance: Instance, router: str, seed: int, _deadline: Deadline
) -> Solution:
    return solve_savings(instance, router=router, seed=seed)


def _gap(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    return solve_gap(instance, router=router, seed=seed, deadline=deadline)


CLUSTERERS: dict[str, Clusterer] = {"ckm": _ckm}
"""Methods that only cluster: the pipeline routes their clusters."""

CONSTRUCTORS: dict[str, Constructor] = {
    "sweep": _sweep,
    "sweep+": _sweep_plus,
    "petal": _petal,
    "savings": _savings,
    "gap": _gap,
}
"""Methods that return routes."""

METHODS: dict[str, Clusterer | Constructor] = {**CLUSTERERS, **CONSTRUCTORS}
"""Every construction method by name."""
