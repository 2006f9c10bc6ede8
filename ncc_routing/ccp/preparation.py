"""What a run of ``cluster`` may call, compiled before its clock starts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.ccp.methods import METHODS
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.preparation import KernelBuild, make_ready
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.vocabulary import CCP, GEOMETRY

if TYPE_CHECKING:
    from ncc_routing.core.methods import Method

_SIZE: Final = 12
"""Points of the tiny problem."""

_NUM_CLUSTERS: Final = 2

_SEARCH_PARTS: Final = (
    ("ncc_routing.ccp.local_search.kernel_parts:call_reseed", 5.0),
    ("ncc_routing.ccp.local_search.kernel_parts:call_descent", 4.0),
    ("ncc_routing.ccp.local_search.kernel_parts:call_prices", 1.0),
)
"""Functions that compile parts of a search, and the seconds they take."""

_ANNEALING_PARTS: Final = (
    ("ncc_routing.ccp.medians.kernel_parts:call_annealing", 3.5),
    ("ncc_routing.ccp.medians.kernel_parts:call_exchange", 5.0),
    ("ncc_routing.ccp.medians.kernel_parts:call_local_annealing", 4.0),
)

_BY_CENTERS: Final = frozenset({"ncc-paper", "ncc-paper-sampling"})
"""Methods that a network of zeros is good enough to compile for."""

_SEARCHING: Final = _BY_CENTERS | {"ckm", "ncc", "ncc-sampling"}
"""Methods that end with a search of this package, or are replaced by one."""

_COMPILED: Final = _SEARCHING | {"capkmeans", "capkmeans-alt"}
"""Methods that call kernels at all."""


def prepare_kernels(
    points: PointSet,
    method: str,
    objective: str,
    deadline: Deadline,
    *,
    has_priority: bool = False,
) -> None:
    """Compile what a run on such points may call, before its clock starts."""
    begun = deadline.now()
    if method in _COMPILED:
        starts = has_priority or needs_kmeans(method, objective)
        tiny = tiny_points(points)
        kind = (points.weights.dtype.str, type(points.capacity), tiny.features)
        make_ready(
            ("cluster", method, objective, starts, *kind, points.rounding),
            partial(run_tiny, tiny, method, objective, starts=starts),
            cluster_parts(tiny, method, objective, starts=starts),
        )
    deadline.postpone(deadline.now() - begun)


def needs_kmeans(method: str, objective: str) -> bool:
    """Whether a method may call capacitated k-means without a priority."""
    return method in _COMPILED and (method, objective) != ("ckm", "inertia")


def tiny_points(points: PointSet) -> PointSet:
    """Return a dozen points, of the kind of the given ones."""
    num_dims = points.coords.shape[1]
    coords = np.random.default_rng(1).random((_SIZE, num_dims))
    gaps = coords[:, None] - coords
    capacity = type(points.capacity)(_SIZE)
    given = points.capacities, points.point_capacities
    limits, point_limits = (
        None if array is None else np.full(size, _SIZE, dtype=array.dtype)
        for array, size in zip(given, (_NUM_CLUSTERS, _SIZE), strict=True)
    )
    return PointSet(
        coords,
        np.ones(_SIZE, dtype=points.weights.dtype),
        capacity,
        "tiny",
        num_clusters=_NUM_CLUSTERS,
        capacities=limits,
        point_capacities=point_limits,
        matrix=None
        if points.matrix is None
        else np.sqrt((gaps**2).sum(axis=2)),
        rounding=points.rounding,
    )


def cluster_parts(
    tiny: PointSet, method: str, objective: str, *, starts: bool
) -> list[KernelBuild]:
    """Return the kernels of a run, in parts that compile side by side."""
    parts: list[KernelBuild] = []
    if method in _SEARCHING and objective == "inertia":
        problem = (tiny, _NUM_CLUSTERS)
        parts += [
            KernelBuild(name, problem, cost) for name, cost in _SEARCH_PARTS
        ]
    elif method in _SEARCHING:
        aim = (tiny, _NUM_CLUSTERS, objective)
        parts += [
            KernelBuild(name, aim, cost) for name, cost in _ANNEALING_PARTS
        ]
    if starts:
        parts.append(KernelBuild(f"{__name__}:call_kmeans", (tiny,), 4.0))
    return parts


def run_tiny(
    tiny: PointSet, method: str, objective: str, *, starts: bool
) -> None:
    """Call every kernel of a run."""
    if method not in _COMPILED:
        return
    # Where a start fails, others follow.
    if method in _SEARCHING and objective == "inertia":
        from ncc_routing.ccp.local_search.kernel_parts import (
            call_descent,
            call_prices,
        )

        call_descent(tiny, _NUM_CLUSTERS)
        call_prices(tiny, _NUM_CLUSTERS)
    if starts:
        call_kmeans(tiny)
    chosen = METHODS[method]
    if chosen.instead is not None:
        _call(METHODS[chosen.instead[0]], tiny, objective)
    if chosen.instead is None or not tiny.features:
        _call(chosen, tiny, objective)


def call_kmeans(tiny: PointSet) -> None:
    """Run capacitated k-means."""
    from ncc_routing.clustering.capacitated_kmeans import (
        KMeansParams,
        capacitated_kmeans,
    )

    capacitated_kmeans(
        PointSet(tiny.coords, tiny.weights, tiny.capacity),
        _NUM_CLUSTERS,
        params=KMeansParams(num_starts=1),
        rng=np.random.default_rng(1),
    )


def _call(method: Method, tiny: PointSet, objective: str) -> None:
    """Run a method with little effort."""
    known = {
        **dict.fromkeys(method.params.values()),
        "objective": objective,
        "effort": None,
        "scorer": None,
        "rng": np.random.default_rng(1),
        "deadline": Deadline(),
        "stop": None,
    }
    if method.name in _BY_CENTERS:
        from ncc_routing.scoring.center_predictor import blank_predictor

        known["scorer"] = blank_predictor(CCP, GEOMETRY)
    method(tiny, _NUM_CLUSTERS, run=known)
