"""The sweep of Gillett and Miller: a beam that turns about the depot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import construction as kernels
from ncc_routing.core.run import Run
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.construction.arcs import (
    finish_routes,
    price_arcs,
    search_deadline,
)
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance

_ANGLE_DECIMALS = 9
"""Decimals of a radian up to which angles differ: the rest is noise."""


def solve_sweep(instance: Instance, run: Run = Run()) -> Solution:
    """Return the best sweep: the fewest routes, then the lowest cost.

    The beam starts at every customer and turns in both directions; a customer
    that does not fit starts the next vehicle. Ties go to the counter-clockwise
    direction and the earlier start. Source: Gillett and Miller (1974), A
    heuristic algorithm for the vehicle-dispatch problem, OR 22(2), 340-349.
    """
    del run  # takes a moment, without a choice
    candidates = []
    for order in both_directions(instance, "method sweep"):
        ring, ends = build_ring(instance, order)
        start, num_routes, cost = find_start(instance, ring, ends)
        candidates.append((num_routes, cost, cut_ring(ring, ends, start)))
    _, _, routes = min(candidates, key=lambda sweep: sweep[:2])
    return Solution.from_routes(instance, routes)


def find_start(
    instance: Instance, ring: np.ndarray, ends: np.ndarray
) -> tuple[int, int, float]:
    """Return start, number of routes and cost of the best sweep."""
    lengths = np.empty(len(ring))
    kernels.fill_lengths(instance.metric, ring, lengths)
    start, size, cost = kernels.find_best_start(
        instance.metric, ring, ends, lengths
    )
    return start, size, cost


def solve_sweep_plus(
    instance: Instance, run: Run = Run(), *, router: str = DEFAULT_ROUTER
) -> Solution:
    """Return the cheapest sweep with every route a short round trip.

    The compiled router compares the sweeps of ``solve_sweep``, starting all
    around the depot until the deadline; ``router`` makes the final routes.
    Before the first is done the routes of ``solve_sweep`` stand.
    """
    best = solve_sweep(instance)
    search = search_deadline(run.budget.time_limit)
    best_cost, best_routes = np.inf, [np.array(r) for r in best.routes]
    for order in both_directions(instance, "method sweep+"):
        ring, ends = build_ring(instance, order)
        start, cost = _best_routed_start(instance, ring, ends, search)
        if cost < best_cost:
            best_cost, best_routes = cost, cut_ring(ring, ends, start)
    return finish_routes(instance, best_routes, run, router)


def _best_routed_start(
    instance: Instance, ring: np.ndarray, ends: np.ndarray, deadline: TimeLimit
) -> tuple[int, float]:
    n = len(ring) // 2
    if ends[0] == n:
        return 0, 0.0  # a single route: all starts are the same
    full_costs = np.full(n, np.nan)
    best_start, best_cost = 0, np.inf
    order = _spread(n)
    low = 0
    while low < n and not deadline.passed():
        # Batches grow: the first sweeps are complete before a deadline.
        high = min(n, 4 * low + 1)
        starts = order[low:high]
        totals, lasts = np.empty(len(starts)), np.empty_like(starts)
        kernels.walk_sweeps(ends, starts, full_costs, totals, lasts)
        new = np.flatnonzero(np.isinf(full_costs))
        full_costs[new] = price_arcs(instance, ring, new, ends[new], deadline)
        kernels.walk_sweeps(ends, starts, full_costs, totals, lasts)
        cut = np.flatnonzero(lasts >= 0)
        totals[cut] += price_arcs(
            instance, ring, lasts[cut], starts[cut] + n, deadline
        )
        k = int(totals.argmin())
        if totals[k] < best_cost:
            best_start, best_cost = int(starts[k]), float(totals[k])
        low = high
    return best_start, best_cost


def _spread(size: int) -> np.ndarray:
    """Return 0..size - 1 so that every prefix covers the range evenly."""
    # Multiples of the golden ratio modulo 1 (Weyl sequence).
    places = np.arange(size) * 0.6180339887498949 % 1.0
    return np.argsort(np.argsort(places, kind="stable"), kind="stable")


def both_directions(
    instance: Instance, purpose: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the customers counter-clockwise and clockwise.

    Equal angles, to nine decimals, go by distance from the depot, then index;
    a customer on the depot has angle 0. ``purpose`` is named in errors.
    """
    coords = instance.plane_coords(purpose)
    offsets = coords[1:] - coords[0]
    # Scaled coordinates carry noise in the last digit: without the rounding
    # it would order customers that lie on one ray.
    angles = np.arctan2(offsets[:, 1], offsets[:, 0]).round(_ANGLE_DECIMALS)
    radii = np.hypot(offsets[:, 0], offsets[:, 1])
    order = np.lexsort((radii, angles)) + 1
    return order, np.ascontiguousarray(order[::-1])


def build_ring(
    instance: Instance, order: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the doubled order ``ring``, and where its full arcs end.

    The longest feasible route from i holds ``ring[i:ends[i]]``.
    """
    ring = np.concatenate([order, order]).astype(np.int64)
    ends = np.empty(len(ring), dtype=np.int64)
    kernels.fill_ends(ring, instance.demands, instance.capacity, ends)
    return ring, ends


def cut_ring(
    ring: np.ndarray, ends: np.ndarray, start: int
) -> list[np.ndarray]:
    """Return the routes of the sweep that starts at a position."""
    stop = start + len(ring) // 2
    routes = []
    while start < stop:
        end = min(int(ends[start]), stop)
        routes.append(ring[start:end])
        start = end
    return routes
