"""Kernels compiled ahead, for containers and other fresh machines."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.ccp import methods as ccp_methods
from ncc_routing.ccp import preparation as ccp
from ncc_routing.core.preparation import KernelBuild, make_ready, seconds_spent
from ncc_routing.problems.objectives import OBJECTIVES
from ncc_routing.problems.points import PointSet
from ncc_routing.vrp import methods as vrp_methods
from ncc_routing.vrp import preparation as vrp
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.consistency import ConsistentRoutes

if TYPE_CHECKING:
    from collections.abc import Callable

_Solve = tuple[str, str, bool, str | None]

_DEFAULT_SOLVES: Final[tuple[_Solve, ...]] = (
    ("savings", "ruin-recreate", False, None),
    ("ckm", "none", True, None),
)
"""Default construction and polish of ``solve``, with and without a polish;
whether a router shortens the first routes, and the preference that the search
has penalties for."""


def warmup(*, everything: bool = False) -> float:
    """Compile kernels ahead, on all cores, so that later runs need not.

    Numba's cache holds them: beside the package, or in the folder
    ``NUMBA_CACHE_DIR``.

    Parameters
    ----------
    everything
        Whether to compile what any method may call. Default: what ``solve``
        and ``cluster`` call where no method is named, for problems of any
        kind.

    Returns
    -------
    float
        Seconds that it took; about one where there was nothing to compile.
    """
    solves = list(_DEFAULT_SOLVES)
    clusters = [(ccp_methods.DEFAULT_METHOD, OBJECTIVES[0])]
    if everything:
        solves += [
            (method, "none", True, None) for method in vrp_methods.METHODS
        ]
        solves += [
            ("savings", "ruin-recreate", False, name)
            for name in (CompactRoutes.name, ConsistentRoutes.name)
        ]
        clusters = [
            (method, objective)
            for objective in OBJECTIVES
            for method in ccp_methods.METHODS
        ]
    calls: list[Callable[[], object]] = []
    parts: dict[KernelBuild, None] = {}
    tiny = vrp.tiny_instance(lacks_coords=False, lacks_matrix=True)
    runs = [(tiny, *solve) for solve in solves]
    rich = vrp.tiny_instance(False, True, fleet="any")
    runs.append((rich, "insertion", "ruin-recreate", False, None))
    for run in runs:
        calls.append(partial(vrp.run_tiny, *run))
        parts |= dict.fromkeys(vrp.solve_parts(*run))
    for points in _kinds_of_points(everything=everything):
        for method, objective in clusters:
            kind = (points, method, objective)
            starts = ccp.needs_kmeans(method, objective)
            calls.append(partial(ccp.run_tiny, *kind, starts=starts))
            parts |= dict.fromkeys(ccp.cluster_parts(*kind, starts=starts))
    before = seconds_spent()
    make_ready(("warmup", everything), lambda: [c() for c in calls], parts)
    return seconds_spent() - before


def _kinds_of_points(*, everything: bool) -> list[PointSet]:
    """Return tiny points with whole weights and capacity, or of any kind."""
    kinds: tuple[type, ...] = (int, float) if everything else (int,)
    return [
        ccp.tiny_points(
            PointSet(np.zeros((2, 2)), np.ones(2, weight), capacity(2))
        )
        for weight, capacity in product(kinds, kinds)
    ]
