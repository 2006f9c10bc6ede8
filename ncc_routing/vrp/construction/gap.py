"""Generalised assignment to seeds, after Fisher and Jaikumar."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core.clustering import Clusters
from ncc_routing.clustering.exact_assignment import assign_exactly
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.run import Run
from ncc_routing.vrp.construction.arcs import finish_routes
from ncc_routing.vrp.construction.route_saving import place_rest
from ncc_routing.vrp.construction.sweep import both_directions
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

logger = logging.getLogger(__name__)

NUM_SEEDS = 8
"""Seeds that a customer may go to at first."""

MAX_VARIABLES = 20_000
"""Larger assignment problems go to the regret heuristic alone."""

ASSIGNMENT_SECONDS = 10.0
"""Time limit of all assignment problems together."""

_GAP = 5e-3
"""Relative gap at which HiGHS may stop: routing changes costs by more."""

_WIDER = 4
"""Factor on the seeds per customer for those that fit nowhere."""

_MORE_SEEDS = 1.05
"""Vehicles, as a multiple of the fewest (and two), up to which more are tried
before customers go into vehicles far away."""

_INNER_SHARE = 0.75
"""Share of the demand of a cone inside the radius of its seed, after Fisher
and Jaikumar."""

_DENSE_LIMIT = 4_000_000
"""Customers times seeds up to which all distances are stored."""


def solve_gap(
    instance: Instance, run: Run = Run(), *, router: str = DEFAULT_ROUTER
) -> Solution:
    """Assign customers to seeds at least cost, then route each group.

    The plane about the depot is cut into K cones of equal demand. The seed of
    a cone is on its bisector, at the radius that holds three quarters of its
    demand. Customer i costs d(0, i) + d(i, s) - d(0, s) in the vehicle of seed
    s, plain Euclidean. HiGHS solves the generalised assignment problem, with
    an assignment by regret as incumbent and ``NUM_SEEDS`` seeds per customer.
    These and then K grow until all customers have a place. The assignment by
    regret stands, and the log says so, beyond ``MAX_VARIABLES`` variables or
    where HiGHS finds nothing; ``ASSIGNMENT_SECONDS`` limits all its runs.

    Source: Fisher and Jaikumar (1981), A generalized assignment heuristic for
    vehicle routing, Networks 11(2), 109-124.
    """
    order, _ = both_directions(instance, "method gap")
    num_routes = instance.min_num_routes
    limit = run.budget.time_limit.within(ASSIGNMENT_SECONDS)
    while True:
        seeds = place_seeds(instance, order, num_routes)
        labels = _assign(instance, order, seeds, limit)
        left = order[labels < 0]
        if len(left) == 0:
            break
        load = int(instance.demands[left].sum())
        num_routes += max(1, -(-load // instance.capacity))
    clusters = (order[labels == k] for k in range(num_routes))
    kept = (cluster for cluster in clusters if len(cluster) > 0)
    return finish_routes(instance, kept, run, router)


def place_seeds(
    instance: Instance, order: np.ndarray, num_seeds: int
) -> np.ndarray:
    """Return one seed per cone of equal demand, shape (num_seeds, 2).

    ``order`` goes by angle; the first cone starts in its widest gap.
    """
    coords = instance.plane_coords("method gap")
    depot = coords[0]
    offsets = coords[order] - depot
    angles = np.arctan2(offsets[:, 1], offsets[:, 0])
    gaps = np.diff(angles, append=angles[0] + 2.0 * np.pi)
    first = (int(gaps.argmax()) + 1) % len(order)
    radii = np.roll(np.hypot(offsets[:, 0], offsets[:, 1]), -first)
    weights = np.roll(instance.demands[order].astype(np.float64), -first)
    if weights.sum() == 0.0:
        weights = np.ones(len(order))
    angles = np.roll(angles, -first)
    angles = angles[0] + np.mod(angles - angles[0], 2.0 * np.pi)
    # Each customer has the cone up to half-way to its neighbours; borders
    # between vehicles cut these in proportion to the demand.
    gaps = np.roll(gaps, -first)
    borders = np.concatenate([[angles[0] - gaps[-1] / 2], angles + gaps / 2])
    reached = np.concatenate([[0.0], np.cumsum(weights)])
    shares = np.linspace(0.0, reached[-1], num_seeds + 1)
    cuts = np.interp(shares, reached, borders)
    bisectors = (cuts[:-1] + cuts[1:]) / 2
    middles = (reached[:-1] + reached[1:]) / 2
    cone = np.searchsorted(shares[1:-1], middles)
    reach = np.array(
        [
            _inner_radius(radii[cone == k], weights[cone == k])
            for k in range(num_seeds)
        ]
    )
    # A cone inside that of one heavy customer takes that customer's radius.
    holders = np.searchsorted(reached, (shares[:-1] + shares[1:]) / 2) - 1
    reach = np.where(np.isnan(reach), radii[holders], reach)
    rays = np.stack([np.cos(bisectors), np.sin(bisectors)], axis=1)
    return np.asarray(depot + reach[:, None] * rays)


def _inner_radius(radii: np.ndarray, weights: np.ndarray) -> float:
    """Return the radius with three quarters of the weight; NaN if none."""
    if len(radii) == 0:
        return float("nan")
    by_radius = np.argsort(radii, kind="stable")
    inner = np.cumsum(weights[by_radius])
    at = int(np.searchsorted(inner, _INNER_SHARE * inner[-1]))
    return float(radii[by_radius[min(at, len(radii) - 1)]])


def _assign(
    instance: Instance,
    order: np.ndarray,
    seeds: np.ndarray,
    deadline: TimeLimit,
) -> np.ndarray:
    """Return the seed of each customer of ``order``, -1 without an answer."""
    demands = instance.demands[order]
    degree = min(NUM_SEEDS, len(seeds))
    while True:
        chosen, costs = _candidates(instance, order, seeds, degree)
        labels = _by_regret(instance, demands, chosen, costs, len(seeds))
        if deadline.passed():
            logger.info("gap: out of time, assignment by regret.")
            break
        if len(order) * degree > MAX_VARIABLES:
            logger.info("gap: too large for HiGHS, assignment by regret.")
            break
        assigned, status = assign_exactly(
            costs,
            chosen,
            demands,
            np.full(len(seeds), instance.capacity),
            deadline,
            incumbent=labels if (labels >= 0).all() else None,
            gap=_GAP,
        )
        if assigned is not None:
            return assigned
        if status == "timeout":
            logger.info("gap: HiGHS found nothing in time.")
            break
        if degree == len(seeds):
            return labels
        degree = min(2 * degree, len(seeds))
    wider = min(_WIDER * degree, len(seeds))
    if (labels < 0).any() and wider > degree:
        chosen, costs = _candidates(instance, order, seeds, wider)
        labels = _by_regret(instance, demands, chosen, costs, len(seeds))
    # A few more vehicles are better than customers in vehicles far away,
    # but many more are not.
    left = int(demands[labels < 0].sum())
    more = -(-left // instance.capacity)
    if len(seeds) + more <= _MORE_SEEDS * instance.min_num_routes + 2:
        return labels
    points = instance.plane_coords("method gap")[order]

    def distances(i: int) -> np.ndarray:
        return np.asarray(np.hypot(*(seeds - points[i]).T))

    return place_rest(
        labels, demands, instance.capacity, len(seeds), distances
    )


def _by_regret(
    instance: Instance,
    demands: np.ndarray,
    chosen: np.ndarray,
    costs: np.ndarray,
    num_seeds: int,
) -> np.ndarray:
    """Return the seeds by regret, -1 for customers without a place."""
    clusters = Clusters(
        demands.astype(np.float64),
        np.full(num_seeds, instance.capacity, dtype=np.float64),
    )
    clusters.assign_by_regret(
        np.ascontiguousarray(-costs.T), listed=np.ascontiguousarray(chosen.T)
    )
    return clusters.labels


def _candidates(
    instance: Instance, order: np.ndarray, seeds: np.ndarray, degree: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cheapest seeds of each customer and the costs, (n, degree).

    Where n times K is large, the nearest seeds stand for the cheapest.
    """
    coords = instance.plane_coords("method gap")
    depot, points = coords[0], coords[order]
    base = np.hypot(*(seeds - depot).T)
    if len(points) * len(seeds) <= _DENSE_LIMIT:
        delta = points[:, None, :] - seeds[None, :, :]
        costs = np.hypot(delta[..., 0], delta[..., 1]) - base[None, :]
        chosen = np.argsort(costs, axis=1, kind="stable")[:, :degree]
        costs = np.take_along_axis(costs, chosen, axis=1)
    else:
        costs, chosen = nearest_points(seeds)(points, degree)
        costs = costs - base[chosen]
    costs = costs + np.hypot(*(points - depot).T)[:, None]
    return np.ascontiguousarray(chosen), np.ascontiguousarray(costs)
