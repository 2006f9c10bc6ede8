"""Kernels compiled ahead, for containers and other fresh machines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ncc_routing.core.preparation import KernelBuild, make_ready, seconds_spent
from ncc_routing.vrp import methods as vrp_methods
from ncc_routing.vrp import preparation as vrp
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.consistency import ConsistentRoutes

if TYPE_CHECKING:
    from collections.abc import Callable

_Solve = tuple[str, str, bool, str | None, bool]

_DEFAULT_SOLVES: Final[tuple[_Solve, ...]] = (
    ("savings", "ruin-recreate", False, None, True),
    ("ckm", "none", True, None, False),
)
"""Default construction and polish of ``solve``, with and without a polish;
whether a router shortens the first routes, the preference that the search has
penalties for, and whether a genetic search follows."""


def warmup(*, everything: bool = False) -> float:
    """Compile kernels ahead, on all cores, so that later runs need not.

    Numba's cache holds them: beside the package, or in the folder
    ``NUMBA_CACHE_DIR``.

    Parameters
    ----------
    everything
        Whether to compile what any method may call. Default: what ``solve``
        calls where no method is named, for problems of any kind.

    Returns
    -------
    float
        Seconds that it took; about one where there was nothing to compile.
    """
    solves = list(_DEFAULT_SOLVES)
    if everything:
        solves += [
            (method, "none", True, None, False)
            for method in vrp_methods.METHODS
        ]
        solves += [
            ("savings", "ruin-recreate", False, name, False)
            for name in (CompactRoutes.name, ConsistentRoutes.name)
        ]
    calls: list[Callable[[], object]] = []
    parts: dict[KernelBuild, None] = {}
    tiny = vrp.tiny_instance(lacks_coords=False, lacks_matrix=True)
    runs = [(tiny, *solve) for solve in solves]
    rich = vrp.tiny_instance(False, True, fleet="any")
    runs.append((rich, "insertion", "ruin-recreate", False, None, False))
    for run in runs:
        calls.append(partial(vrp.run_tiny, *run))
        parts |= dict.fromkeys(vrp.solve_parts(*run))
    before = seconds_spent()
    make_ready(("warmup", everything), lambda: [c() for c in calls], parts)
    return seconds_spent() - before
