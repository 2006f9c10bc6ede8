"""A bound by q-routes: weaker than by labels, but there for any problem."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.vrp.bounds.relaxed import LARGEST_COST

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.listed import ListedRoutes
    from ncc_routing.vrp.bounds.relaxed import Relaxation, TypeRoutes

_NO_SETS: Final = (
    np.zeros(0, dtype=np.int32),
    np.zeros(1, dtype=np.int32),
    np.zeros(0, dtype=np.int64),
)
"""The sets of no inequality, and their duals."""

_NO_LISTS: Final = (
    np.zeros((0, 0), dtype=np.int32),
    np.zeros(0, dtype=np.int32),
    0,
)
"""Tails and cells of walks over all arcs."""

_SHORTEST_STEP: Final = 0.005
"""Share of the gap at which steps end."""

_LARGEST_GAP: Final = 0.3
"""Largest gap that scales the steps, as a share of the bound."""

_PATIENCE: Final = 5
"""Steps without a better bound, after which steps are half as long."""


def ascend(
    problem: Relaxation,
    upper: float,
    deadline: TimeLimit,
    max_steps: int,
    report: Callable[[int, np.ndarray], None],
) -> tuple[np.ndarray, float]:
    """Return duals of the rows, float64, and that of the number of vehicles.

    Better bounds are reported, with the shares of the rows in them. A q-route
    may visit customers again, but not the last one but one. The
    multipliers follow the subgradient, and each customer pays what is missing
    by the route through it that costs least by load (Christofides, Mingozzi
    and Toth 1981; Baldacci and Mingozzi 2009).

    Parameters
    ----------
    upper
        Cost of a solution, which scales the steps.
    """
    unit = 2.0**problem.exponent
    routes = [
        *(_QRoutes(problem, each) for each in problem.types),
        *(_ListedQRoutes(problem, each) for each in problem.listed),
    ]
    weights = problem.weights[1:].astype(object)
    most = np.array(
        [
            math.inf if np.isinf(s) else math.floor(s * unit)
            for s in problem.skipped
        ],
        dtype=object,
    )
    needed = np.ones(problem.num_nodes)
    needed[0] = problem.num_vehicles
    largest = LARGEST_COST / unit  # sums of a route stay exact
    multipliers = np.zeros(problem.num_nodes)  # of the depot: of a vehicle
    duals, of_vehicles = np.zeros(len(most)), 0.0
    best, step, idle = -math.inf, 1.0, 0
    for _ in range(max_steps):
        if deadline.passed() or step < _SHORTEST_STEP:
            break
        nodes = 2 * np.floor(multipliers * (unit / 2)).astype(np.int64)
        ratios = np.array([each.least_ratios(nodes) for each in routes])
        # Python's integers do not overflow.
        least = ratios.min(axis=0).astype(object)
        values = nodes[1:] + weights * least // _columns.RATIO_UNIT
        paid = most.copy()
        np.minimum.at(paid, problem.rows, values)
        vehicles = problem.num_vehicles * int(nodes[0])
        bound = problem.constant + int(paid.sum()) + vehicles
        if bound / unit > best:
            idle, best = 0, bound / unit
            duals, of_vehicles = paid.astype(float) / unit, nodes[0] / unit
            report(bound, duals + problem.by_weight(vehicles / unit))
        else:
            idle += 1
            if idle >= _PATIENCE:
                idle, step = 0, step / 2
        is_paid = (values == paid[problem.rows]).astype(bool)
        slope = needed.copy()
        slope[1:] = is_paid
        for t, each in enumerate(routes):
            is_best = is_paid & (ratios.argmin(axis=0) == t)
            chosen = 1 + np.flatnonzero(
                is_best & (ratios[t] < _columns.NO_ARC)
            )
            visits = np.zeros(problem.num_nodes)
            each.add_visits(chosen.astype(np.int32), visits)
            slope -= visits
        norm = float(slope @ slope)
        if norm < 1e-12:
            break
        gap = upper - bound / unit
        if best > 0.0:  # the given cost may be far from the best
            gap = min(gap, _LARGEST_GAP * best)
        gap = max(gap, 1e-3 * min(abs(upper), abs(best)))
        multipliers = multipliers + step * gap / norm * slope
        multipliers = np.clip(multipliers, -largest, largest)
        multipliers[0] = max(0.0, multipliers[0])
    return duals, of_vehicles


class _QRoutes:
    """The q-routes of a vehicle type: walks to a customer from both ends."""

    def __init__(self, problem: Relaxation, each: TypeRoutes) -> None:
        self._units = each.units
        args = (problem.weights, each.limit, *_NO_LISTS)
        self._starts = self._ends = _columns.LoadWalks(*args)
        if not each.is_symmetric:
            self._ends = _columns.LoadWalks(*args)

    def _run(self, nodes: np.ndarray) -> None:
        reduced = np.empty_like(self._units)
        _columns.reduce_costs(self._units, nodes, *_NO_SETS, reduced)
        self._starts.run(reduced)
        if self._ends is not self._starts:
            self._ends.run(np.ascontiguousarray(reduced.T))

    def least_ratios(self, nodes: np.ndarray) -> np.ndarray:
        """Return the least cost by load of a route through each customer."""
        self._run(nodes)
        return np.asarray(self._starts.least_ratios(self._ends)[1:])

    def add_visits(self, customers: np.ndarray, visits: np.ndarray) -> None:
        """Add the visits of the last routes through these customers."""
        self._starts.add_visits(self._ends, customers, visits)


class _ListedQRoutes(_QRoutes):
    """The same over lists of near arcs, and cells for all others."""

    def __init__(self, problem: Relaxation, each: ListedRoutes) -> None:
        lists = [each.starts]
        if each.ends is not each.starts:
            lists.append(each.ends)
        walks = [
            _columns.LoadWalks(
                *(problem.weights, each.limit, one.tails, each.cells),
                len(one.others),
            )
            for one in lists
        ]
        self._starts, self._ends = walks[0], walks[-1]
        self._runs = [
            (one, problem.units_of(arcs.listed), problem.units_of(arcs.others))
            for one, arcs in zip(walks, lists, strict=True)
        ]

        self._largest = max(
            int(np.abs(costs[costs < _columns.NO_ARC]).max(initial=1))
            for _, *both in self._runs
            for costs in both
        )

    def _run(self, nodes: np.ndarray) -> None:
        half = -(nodes // 2)
        for walks, listed, others in self._runs:
            walks.run_listed(listed, others, half, self._largest)
