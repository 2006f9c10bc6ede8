"""Cluster-first-route-second by capacitated k-means on regions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.center_kernels import CKM
from ncc_routing.clustering.priority import RegretPriority
from ncc_routing.core.cooling import TEMPERATURES, Cooling, require_cooling
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.stopping import MaxIterations, Pace, TimeLimit, first_of
from ncc_routing.problems.graph import spatial_order
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.ckm import _layout
from ncc_routing.vrp.ckm import _recluster_kernels as _kernels
from ncc_routing.vrp.ckm.buffers import (
    MAX_ROUTE,
    make_memo,
    make_plan,
    make_problem,
    make_region,
    max_route_size,
    members_of,
)
from ncc_routing.vrp.preferences.cluster_kernels import cluster_penalty
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.clustering.priority import Priority
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.ckm._layout import Plan
    from ncc_routing.vrp.preferences.clusters import ClusterPreference

BLOCK_SIZE: Final = 1500
"""Customers that the first clustering takes at a time, at most."""

MIN_REGION: Final = 150
"""Customers for which a region has room at least."""

CHUNK: Final = 400
"""Trials between two looks at the clock, all at one temperature."""

START_ROUNDS: Final = 4
"""Rounds of k-means in the first clustering of a block."""

NO_BLOCK: Final = _layout.Block(0, 0, 0, 0, 0.0, 0)
"""Tells the kernel to try regions, not to cluster a block."""

START_POWERS: Final = (0.0, 0.5, 1.0, 4.0)
"""Powers of the demand in the regret, tried until a block fits."""


@dataclass(frozen=True)
class CkmParams:
    """How much, and how, regions are re-clustered.

    Parameters
    ----------
    trials_per_customer
        Regions tried per customer; 0 keeps the first clustering. Default 40.
    spare_share
        Share of the capacity of all vehicles that the first clustering leaves
        free at least. Default 0: as few clusters as it takes.
    max_trials
        Most regions tried in all. Default 120,000, reached at 3,000 customers:
        an improvement method makes more of the time beyond.
    max_clusters
        Most neighbouring clusters in a region. Default 5.
    max_rounds
        Most rounds of k-means in a trial. Default 2.
    fewer_share, more_share
        Probabilities that a trial uses the fewest possible clusters, and one
        more than there are; together at most 1. Defaults 0.3 and 0.15.
    max_detour_share
        The assignment counts the detour from the depot with a share drawn from
        [0, this]. Default 1.
    max_weight_power
        The regret is multiplied by the demand to a power drawn from
        [0, this]. Default 1.
    fullness_bonus
        A trial may cost this many temperatures more per unit by which the sum
        of squared loads, in vehicle loads, grows: uneven loads collect room to
        save a route. Default 20.
    start_temperature, end_temperature
        Mean accepted worsening at the start and at the end, in mean distances
        between consecutive stops. Defaults 1.0 and 0.003.
    """

    trials_per_customer: int = bounded(40, 0, MAX_EFFORT)
    spare_share: float = bounded(0.0, 0.0, 0.99)
    max_trials: int = bounded(120_000, 0, MAX_EFFORT)
    max_clusters: int = bounded(5, 2, 100)
    max_rounds: int = bounded(2, 1, 100)
    fewer_share: float = bounded(0.3, 0.0, 1.0)
    more_share: float = bounded(0.15, 0.0, 1.0)
    max_detour_share: float = bounded(1.0, 0.0, 100.0)
    max_weight_power: float = bounded(1.0, 0.0, 10.0)
    fullness_bonus: float = bounded(20.0, 0.0, 1e6)
    start_temperature: float = bounded(1.0, *TEMPERATURES)
    end_temperature: float = bounded(0.003, *TEMPERATURES)

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.fewer_share + self.more_share > 1.0:
            raise ParameterError(
                "fewer_share and more_share must add up to at most 1, got "
                f"{self.fewer_share} and {self.more_share}."
            )
        require_cooling(self.start_temperature, self.end_temperature)

    def knobs(self) -> _layout.Knobs:
        """Return what the kernels need to know."""
        return _layout.Knobs(
            self.max_clusters,
            self.max_rounds,
            self.fewer_share,
            self.more_share,
            self.max_detour_share,
            self.max_weight_power,
            self.fullness_bonus,
        )


def cluster_ckm(
    instance: Instance,
    *,
    priority: Priority | None = None,
    start: Sequence[np.ndarray] | None = None,
    params: CkmParams | None = None,
    seed: int = 1,
    deadline: Deadline | None = None,
    preference: ClusterPreference | None = None,
) -> list[np.ndarray]:
    """Return the customers of each cluster, made for short routes.

    The instance is clustered as a whole, in blocks where it is large: ckm++
    seeds, assignment by regret, as few clusters as it takes. Then regions of
    neighbouring clusters are clustered anew, and simulated annealing on the
    length of the routes keeps or drops the result. Time grows linearly.
    Raises ``InstanceError`` if the instance has no coordinates.
    """
    params = params or CkmParams()
    deadline = deadline or Deadline()
    rng = np.random.default_rng(seed)
    seen = instance if preference is None else preference.adjusted(instance)
    problem = make_problem(seen, priority or RegretPriority(), rng)
    memo = make_memo()
    if start is not None:
        plan, rest = _given_plan(seen, start), np.empty(0, dtype=np.int64)
    else:
        plan, rest = _start(seen, problem, memo, params, rng, deadline)
    if preference is not None:
        problem = _penalised(instance, problem, plan, preference)
        memo = make_memo()
    best = _anneal(seen, problem, plan, memo, params, rng, deadline)
    return [*members_of(best), *_full_loads(instance, rest)]


def _anneal(
    instance: Instance,
    problem: _layout.RegionProblem,
    plan: Plan,
    memo: _layout.Memo,
    params: CkmParams,
    rng: np.random.Generator,
    deadline: Deadline,
) -> Plan:
    """Cluster regions again and again; return the best plan."""
    best = _layout.Plan(*(array.copy() for array in plan))
    cost = float(plan.costs.sum())
    costs = np.array([cost, cost])
    size = max(MIN_REGION, 2 * min(max_route_size(instance), MAX_ROUTE))
    region = make_region(
        instance,
        min(size, instance.num_customers),
        params.max_clusters + 1,
        max(len(plan.sizes), params.max_clusters + 1),
    )
    num_stops = instance.num_customers + int((plan.sizes > 0).sum())
    unit = max(cost / num_stops, 1e-12)
    cooling = Cooling(params.start_temperature, params.end_temperature)
    num_trials = params.trials_per_customer * instance.num_customers
    num_trials = min(num_trials, params.max_trials)
    stop = first_of(MaxIterations(num_trials), TimeLimit(deadline))
    pace = Pace(stop, CHUNK, cost)
    recluster = partial(
        _kernels.recluster, problem, plan, best, region, memo, params.knobs()
    )
    while pace.progress < 1.0:
        temperature = unit * cooling.at(pace.progress)
        count, _ = pace.next_batch()
        recluster(NO_BLOCK, costs, temperature, count, rng)
        pace.advance(count, float(costs.min()))
    return best


def _penalised(
    instance: Instance,
    problem: _layout.RegionProblem,
    plan: Plan,
    preference: ClusterPreference,
) -> _layout.RegionProblem:
    """Return the problem with penalties, which raise the costs of the plan."""
    used = np.flatnonzero(plan.sizes)
    clusters = members_of(plan)
    orders, _ = improve_routes(instance, clusters, Deadline())
    start = Solution.from_routes(instance, orders)
    penalties = preference.for_clusters(instance, start)
    for slot, members in zip(used, clusters, strict=True):
        nodes = np.concatenate([[0], members])
        plan.costs[slot] += cluster_penalty(penalties, nodes, len(nodes))
    return problem._replace(penalties=penalties)


def _given_plan(instance: Instance, start: Sequence[np.ndarray]) -> Plan:
    """Return a plan of given clusters, with a few slots to spare."""
    plan = make_plan(instance, len(start) + len(start) // 4 + 8)
    _, costs = improve_routes(instance, start, Deadline())
    plan.costs[: len(start)] = costs
    for slot, members in enumerate(start):
        plan.members[slot, : len(members)] = members
        plan.sizes[slot] = len(members)
        plan.loads[slot] = instance.demands[members].sum()
        plan.slot_of[members] = slot
    return plan


def _start(
    instance: Instance,
    problem: _layout.RegionProblem,
    memo: _layout.Memo,
    params: CkmParams,
    rng: np.random.Generator,
    deadline: Deadline,
) -> tuple[Plan, np.ndarray]:
    """Cluster block by block; return the plan, and customers left over."""
    blocks = _blocks(np.arange(1, instance.num_customers + 1), problem)
    room = instance.capacity * (1.0 - params.spare_share)
    lower = [
        min(max(1, ceil(instance.demands[block].sum() / room)), len(block))
        for block in blocks
    ]
    # No two clusters of a sensible plan fit into one vehicle, so it has
    # fewer than twice the lower bound.
    upper = [
        min(2 * least + 8, len(block))
        for least, block in zip(lower, blocks, strict=True)
    ]
    plan = make_plan(instance, sum(upper) + 8)
    knobs = params.knobs()
    for number, block in enumerate(blocks):
        if number > 0 and deadline.passed():
            return plan, np.concatenate(blocks[number:])
        most, num_clusters = upper[number], lower[number]
        region = make_region(instance, len(block), most, len(plan.sizes))
        recluster = partial(
            _kernels.recluster, problem, plan, plan, region, memo, knobs
        )
        place = _placer(recluster, region.nodes, block, rng)
        cluster_block(instance, place, num_clusters, most, deadline)
    return plan, np.empty(0, dtype=np.int64)


def _placer(
    recluster: Callable[..., float],
    nodes: np.ndarray,
    block: np.ndarray,
    rng: np.random.Generator,
) -> Callable[[int, float], float]:
    """Return what clusters a block, as ``cluster_block`` takes it."""
    costs = np.zeros(2)

    def place(num_clusters: int, power: float) -> float:
        nodes[:] = block
        size = len(block)
        job = _layout.Block(size, num_clusters, CKM, START_ROUNDS, power, 0)
        return recluster(job, costs, 0.0, 0, rng)

    return place


def cluster_block(
    instance: Instance,
    place: Callable[[int, float], float],
    num_clusters: int,
    most: int,
    deadline: Deadline,
) -> None:
    """Cluster a block with as few clusters as it takes, ``most`` at most.

    ``place`` clusters it, given the number of clusters and one of
    ``START_POWERS``; below 0 it is minus the demand that fits nowhere. After
    the deadline the number grows by a tenth at a time, to end soon.
    Raises ``InfeasibleError`` if ``most`` do not suffice.
    """
    while True:
        is_late = False
        for power in START_POWERS:
            answer = place(num_clusters, power)
            if answer >= 0.0:
                return
            is_late = deadline.passed() and num_clusters < most
            if is_late:
                break
        if num_clusters == most:
            raise InfeasibleError(
                f"{instance.name}: capacitated k-means could not place "
                f"every customer in {most} clusters."
            )
        left = -int(answer)
        step = num_clusters // 10 if is_late else 1
        step = max(1, step, left // (2 * instance.capacity))
        num_clusters = min(num_clusters + step, most)


def _full_loads(instance: Instance, customers: np.ndarray) -> list[np.ndarray]:
    """Cut customers into full loads, along a curve through the plane."""
    if len(customers) == 0:
        return []
    order = spatial_order(instance)
    order = order[np.isin(order, customers)]
    demands = instance.demands[order].tolist()
    stops = []
    load = 0
    for position, demand in enumerate(demands):
        if load + demand > instance.capacity:
            stops.append(position)
            load = 0
        load += demand
    return np.split(order, stops)


def _blocks(
    customers: np.ndarray, problem: _layout.RegionProblem
) -> list[np.ndarray]:
    """Halve the customers along their longer side until blocks are small."""
    if len(customers) <= BLOCK_SIZE:
        return [customers]
    coords = problem.coords[customers]
    side = int(np.ptp(coords, axis=0).argmax())
    order = customers[np.argsort(coords[:, side], kind="stable")]
    middle = len(order) // 2
    return [
        *_blocks(order[:middle], problem),
        *_blocks(order[middle:], problem),
    ]
