"""A bound by q-routes: weaker than by labels, but there for any problem."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.vrp.bounds.relaxed import LARGEST_COST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.relaxed import Relaxation, TypeRoutes

_NO_SETS: Final = (
    np.zeros(0, dtype=np.int32),
    np.zeros(1, dtype=np.int32),
    np.zeros(0, dtype=np.int64),
)
"""The sets of no inequality, and their duals."""

_SHORTEST_STEP: Final = 0.005
"""Share of the gap at which steps end."""

_PATIENCE: Final = 5
"""Steps without a better bound, after which steps are half as long."""


def ascend(
    problem: Relaxation,
    upper: float,
    deadline: TimeLimit,
    max_steps: int,
    report: Callable[[int, np.ndarray], None],
) -> np.ndarray:
    """Return duals of the rows, float64, and report bounds with their duals.

    A q-route may visit customers again, but not the last one but one. The
    multipliers follow the subgradient, and each customer pays what is missing
    by the route through it that costs least by load (Christofides, Mingozzi
    and Toth 1981; Baldacci and Mingozzi 2009).

    Parameters
    ----------
    upper
        Cost of a solution, which scales the steps.
    """
    unit = 2.0**problem.exponent
    walks = [_walks(problem, each) for each in problem.types]
    weights = problem.weights[1:].astype(object)
    most = np.array(
        [
            math.inf if np.isinf(s) else math.floor(s * unit)
            for s in problem.skipped
        ],
        dtype=object,
    )
    largest = LARGEST_COST / unit  # sums of a route stay exact
    multipliers = np.zeros(len(weights))
    duals, best, step, idle = np.zeros(len(most)), -math.inf, 1.0, 0
    for _ in range(max_steps):
        if deadline.passed() or step < _SHORTEST_STEP:
            break
        nodes = 2 * np.floor(multipliers * (unit / 2)).astype(np.int64)
        ratios, visits = _cheapest(problem, walks, np.append(0, nodes))
        # Python's integers do not overflow.
        values = nodes + weights * ratios // _columns.RATIO_UNIT
        paid = most.copy()
        np.minimum.at(paid, problem.rows, values)
        bound = problem.constant + int(paid.sum())
        if bound / unit > best:
            idle, best = 0, bound / unit
            duals = paid.astype(float) / unit
            report(bound, duals)
        else:
            idle += 1
            if idle >= _PATIENCE:
                idle, step = 0, step / 2
        slope = 1.0 - visits
        norm = float(slope @ slope)
        if norm < 1e-12:
            break
        gap = max(upper - bound / unit, 1e-3 * abs(upper))
        multipliers = multipliers + step * gap / norm * slope
        multipliers = np.clip(multipliers, -largest, largest)
    return duals


def _walks(
    problem: Relaxation, each: TypeRoutes
) -> tuple[_columns.LoadWalks, _columns.LoadWalks]:
    """Return the walks of a type from its depot, and those backwards."""
    starts = _columns.LoadWalks(problem.weights, each.limit)
    if each.is_symmetric:
        return starts, starts
    return starts, _columns.LoadWalks(problem.weights, each.limit)


def _cheapest(
    problem: Relaxation,
    walks: Sequence[tuple[_columns.LoadWalks, _columns.LoadWalks]],
    nodes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the least cost by load through each customer, and the visits."""
    ratios = np.full(len(nodes), _columns.NO_ARC)
    counts = []
    for each, (starts, ends) in zip(problem.types, walks, strict=True):
        reduced = np.empty_like(each.units)
        _columns.reduce_costs(each.units, nodes, *_NO_SETS, reduced)
        starts.run(reduced)
        if ends is not starts:
            ends.run(np.ascontiguousarray(reduced.T))
        visits = np.zeros(len(nodes))
        ratios = np.minimum(ratios, starts.least_ratios(ends, visits))
        counts.append(visits)
    mean = np.mean(counts, axis=0)
    return ratios[1:].astype(object), mean[1:]
