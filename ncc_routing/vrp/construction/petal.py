"""The petal method of Foster and Ryan."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import construction as kernels
from ncc_routing.core.mip import solve_set_covering
from ncc_routing.core.run import Run
from ncc_routing.vrp.construction.arcs import (
    MAX_TOUR,
    finish_routes,
    price_arcs,
    search_deadline,
)
from ncc_routing.vrp.construction.lagrangian import Columns, price_columns
from ncc_routing.vrp.construction.route_saving import save_routes
from ncc_routing.vrp.construction.sweep import (
    both_directions,
    build_ring,
    cut_ring,
    find_start,
)
from ncc_routing.vrp.tours.cluster_routes import improve_routes
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

logger = logging.getLogger(__name__)

MAX_WORK = 500_000_000
"""Bound on the sum of the squared sizes of the petals that are priced."""

BANDS = ((np.inf, 1.5), (0.5, 3.0), (0.3, 5.0), (0.15, 8.0))
"""Petals that skip: the band is a share of the largest distance from the
depot, the span a multiple of the mean size of a full petal."""

POOL_SIZES = (60, 120, 240, 480, 960)
"""Sizes of the growing pool that HiGHS chooses from: 2 % better in the same
time, on generated instances, than 150 to 600 petals at once."""

SECONDS_PER_SQUARE = 1e-5
"""Limit of HiGHS, times the squared number of customers."""

MAX_COVERING_SECONDS = 10.0
"""Largest limit of HiGHS."""

_LONGEST = 3
"""Petals from each position in the wider pool: the full one, and those of one
and two customers fewer."""

_NUM_STEPS = 400
"""Steps of the Lagrangian prices, by which the pool is sorted."""

_GAP = 1e-3
"""Relative gap at which HiGHS may stop."""


def solve_petal(
    instance: Instance, run: Run = Run(), *, router: str = DEFAULT_ROUTER
) -> Solution:
    """Choose the best set of petals: routes that a beam can cut out.

    A petal is a route of customers that are consecutive by angle. A shortest
    path finds the best partition into petals. It is the incumbent of a set
    covering that HiGHS solves over a wider pool: the longest petals, and those
    of sweeps that skip customers who do not fit, or lie much nearer to or
    farther from the depot than the first. Petals of the least reduced cost
    take part, at first ``POOL_SIZES[0]``. A customer covered twice leaves the
    route that saves more, and ``save_routes`` dissolves half-empty routes. The
    compiled router compares petals; ``router`` makes the final routes. HiGHS
    gets 1e-5 n^2 seconds without a deadline, and at most 10.

    Sources: Foster and Ryan (1976), An integer programming approach to the
    vehicle scheduling problem, ORQ 27(2), 367-384; Ryan, Hjorring and Glover
    (1993), Extensions of the petal method for vehicle routeing, JORS 44(3),
    289-296.
    """
    order, _ = both_directions(instance, "method petal")
    ring, ends = build_ring(instance, order)
    search = search_deadline(run.budget.time_limit)
    routes = best_partition(instance, ring, ends, search)
    if len(routes) > 1 and not search.passed():
        routes = _choose_petals(instance, ring, ends, routes, search)
        routes = save_routes(instance, routes, search)
    return finish_routes(instance, routes, run, router)


def best_partition(
    instance: Instance, ring: np.ndarray, ends: np.ndarray, deadline: TimeLimit
) -> list[np.ndarray]:
    """Return the best partition into consecutive petals.

    Short petals and further starts are left out if the petals are too many or
    the time is too short.
    """
    n = len(ring) // 2
    sweep_start, _, _ = find_start(instance, ring, ends)
    if ends[0] == n:
        return cut_ring(ring, ends, sweep_start)
    sizes = ends[:n] - np.arange(n)
    widest = int(sizes.max())
    width = min(widest, max(1, MAX_WORK // int((sizes * sizes).sum())))
    stop = sweep_start + n
    closers = np.arange(sweep_start + 1, stop)
    closers = closers[ends[closers] >= stop]
    closing_costs = np.full(n, np.inf)
    closing_costs[closers % n] = price_arcs(
        instance, ring, closers, np.full_like(closers, stop), deadline
    )
    costs = np.full((n, width), np.inf)
    for w in range(width):
        starts = np.flatnonzero(sizes > w)
        costs[starts, w] = price_arcs(
            instance, ring, starts, ends[starts] - w, deadline
        )
    reach, came_from = np.empty(n + 1), np.zeros(n + 1, dtype=np.int64)
    # One of the positions up to the end of the first full petal starts a
    # petal in every partition.
    last_start = int(ends[0]) if width == widest else 0
    open_costs = np.full(n, np.inf)
    candidates = [(sweep_start, closing_costs)]
    candidates += [(i % n, open_costs) for i in range(1, last_start + 1)]
    petals = [
        kernels.cut_into_petals(ends, costs, closing, start, reach, came_from)
        for start, closing in candidates
    ]
    start, closing = candidates[int(np.argmin(petals))]
    if min(petals) == np.inf:
        return cut_ring(ring, ends, sweep_start)
    kernels.cut_into_petals(ends, costs, closing, start, reach, came_from)
    routes = []
    step = n
    while step > 0:
        before = int(came_from[step])
        routes.append(ring[start + before : start + step])
        step = before
    return routes


def _choose_petals(
    instance: Instance,
    ring: np.ndarray,
    ends: np.ndarray,
    routes: list[np.ndarray],
    deadline: TimeLimit,
) -> list[np.ndarray]:
    n = len(ring) // 2
    petals = _skipping_petals(instance, ring, ends)
    for shorter in range(_LONGEST):
        longest = ends[:n] - shorter
        petals += [ring[i : longest[i]] for i in range(n) if longest[i] > i]
    # The routes come first: they stay the first columns.
    unique = {np.sort(route).tobytes(): route for route in routes + petals}
    orders, costs = improve_routes(instance, list(unique.values()), deadline)
    if len(orders) <= len(routes):
        return routes
    chosen = np.arange(len(routes))
    sizes = np.array([len(order) for order in orders])
    columns = Columns(
        costs,
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate(orders) - 1,
        n,
    )
    seconds = min(SECONDS_PER_SQUARE * n * n, MAX_COVERING_SECONDS)
    limit = deadline.within(seconds)
    goal = float(costs[chosen].sum())
    reduced, _ = price_columns(columns, goal, _NUM_STEPS, limit)
    by_price = np.argsort(reduced, kind="stable")
    for pool_size in POOL_SIZES:
        kept = np.union1d(chosen, by_price[:pool_size])
        result = solve_set_covering(
            costs[kept],
            [orders[c] - 1 for c in kept],
            n,
            limit,
            incumbent=np.isin(kept, chosen),
            gap=_GAP,
        )
        if result.values is not None:
            chosen = kept[result.values]
        if limit.passed():
            logger.info("petal: HiGHS stopped at its time limit.")
        if limit.passed() or pool_size >= len(orders):
            break
    best = drop_duplicates(instance, [orders[c].tolist() for c in chosen])
    return [np.array(route) for route in best]


def drop_duplicates(
    instance: Instance, routes: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Visit every customer once, removing visits where that saves most.

    A removal can cost something without the triangle inequality. Empty routes
    are dropped; no route may repeat a customer.
    """
    kept = [list(route) for route in routes]
    where: dict[int, list[int]] = {}
    for number, route in enumerate(kept):
        for customer in route:
            where.setdefault(customer, []).append(number)
    repeated = {
        c: visiting for c, visiting in where.items() if len(visiting) > 1
    }
    while repeated:
        # A removal changes the savings of its neighbours: start anew.
        customer, number = max(
            ((c, r) for c, visiting in repeated.items() for r in visiting),
            key=lambda visit: _saving(instance, kept[visit[1]], visit[0]),
        )
        kept[number].remove(customer)
        repeated[customer].remove(number)
        if len(repeated[customer]) == 1:
            del repeated[customer]
    return [route for route in kept if route]


def _saving(instance: Instance, route: list[int], customer: int) -> float:
    """Return what a route gets shorter by without one of its customers."""
    at = route.index(customer)
    before = route[at - 1] if at > 0 else 0
    after = route[at + 1] if at + 1 < len(route) else 0
    with_it = instance.distances([before, customer], [customer, after])
    without = instance.distances([before], [after])[0, 0]
    return float(with_it[0, 0] + with_it[1, 1] - without)


def _skipping_petals(
    instance: Instance, ring: np.ndarray, ends: np.ndarray
) -> list[np.ndarray]:
    """Return the petals of sweeps, in both directions, that skip."""
    n = len(ring) // 2
    sizes = ends[:n] - np.arange(n)
    in_vehicle = np.cumsum(np.sort(instance.demands[1:]))
    most = int(np.searchsorted(in_vehicle, instance.capacity, side="right"))
    num_petals = 2 * n * len(BANDS)
    if most > MAX_TOUR or num_petals * most * most > MAX_WORK:
        logger.info("petal: too many customers for petals that skip.")
        return []
    coords = instance.plane_coords("method petal")
    radii = np.hypot(*(coords - coords[0]).T)
    largest = float(radii.max()) or 1.0
    members = np.empty(n * most, dtype=np.int64)
    offsets = np.empty(n + 1, dtype=np.int64)
    petals = []
    for turned in (ring, np.ascontiguousarray(ring[::-1])):
        for band, spans in BANDS:
            kernels.grow_petals(
                turned,
                instance.demands,
                instance.capacity,
                radii,
                band * largest,
                min(n, int(spans * sizes.mean()) + 1),
                members,
                offsets,
            )
            grown = members[: offsets[n]].copy()
            petals += np.split(grown, offsets[1:n])
    return petals
