"""A bound by q-routes: weaker than by labels, but there for any problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import columns as _columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.relaxed import Relaxation

_PATIENCE: Final = 5
"""Steps without a better bound, after which steps are half as long."""


def ascend(
    problem: Relaxation,
    upper: float,
    deadline: TimeLimit,
    max_steps: int,
    report: Callable[[int], None],
) -> np.ndarray:
    """Return duals of the customers, float64, and report their bounds.

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
    size = problem.num_nodes
    starts = _columns.LoadWalks(problem.weights, problem.capacity_weight)
    ends = starts
    if not problem.is_symmetric:
        ends = _columns.LoadWalks(problem.weights, problem.capacity_weight)
    weights = problem.weights.astype(np.int64)
    multipliers = np.zeros(size)
    duals, best, step, idle = multipliers, -np.inf, 1.0, 0
    for _ in range(max_steps):
        if deadline.passed() or step < 0.005:
            break
        nodes = 2 * np.floor(multipliers * (unit / 2)).astype(np.int64)
        ratios = np.full(size, _columns.NO_ARC)
        visits = np.zeros(size)
        for each in problem.types:
            own = np.zeros(size)
            reduced = _reduced(each.units, nodes)
            starts.run(reduced)
            if ends is not starts:
                ends.run(np.ascontiguousarray(reduced.T))
            found = starts.least_ratios(ends, own)
            ratios, visits = np.minimum(ratios, found), own
        # Python's integers do not overflow.
        paid = [
            int(w) * int(r) // _columns.RATIO_UNIT
            for w, r in zip(weights[1:], ratios[1:], strict=True)
        ]
        values = nodes[1:].astype(object) + paid
        bound = int(np.sum(values))
        if bound / unit > best:
            idle = 0
            best = bound / unit
            duals = np.append(0.0, values.astype(float) / unit)
            report(bound)
        else:
            idle += 1
            if idle >= _PATIENCE:
                idle, step = 0, step / 2
        slope = 1.0 - visits[1:]
        norm = float(slope @ slope)
        if norm < 1e-12:
            break
        gap = max(upper - bound / unit, 1e-3 * abs(upper))
        multipliers = multipliers.copy()
        multipliers[1:] += step * gap / norm * slope
    return duals


def _reduced(units: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    none = np.zeros(0, dtype=np.int32)
    out = np.empty_like(units)
    _columns.reduce_costs(
        units,
        nodes,
        none,
        np.zeros(1, dtype=np.int32),
        np.zeros(0, dtype=np.int64),
        out,
    )
    return out
