"""Clusters for routes by the compiled search, one region after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import ckm as kernels
from ncc_routing.clustering.priority import (
    Priority,
    RegretPriority,
    formula_of,
)
from ncc_routing.core.cooling import TEMPERATURES, Cooling, require_cooling
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import MaxIterations, Pace, TimeLimit, first_of
from ncc_routing.core.text import counted
from ncc_routing.problems.ccp.graph import knn_graph, spatial_order
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.preferences.penalties import (
    NO_PENALTIES,
    ClusterPenalties,
)
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.instance import Instance

NUM_NEIGHBOURS: Final = 40
"""Customers around which a region looks for clusters to take in."""


def make_problem(
    instance: Instance, priority: Priority, rng: np.random.Generator
) -> kernels.Problem:
    """Return the instance in the form that the kernels take."""
    coords = instance.plane_coords("method ckm")
    keys = rng.integers(1, 2**64, size=len(instance.demands), dtype=np.uint64)
    formula = formula_of(priority, len(coords), has_depot=True)
    if formula.affinity_weight > 0.0:
        # Regions grow along the affinity: its rows are best first.
        near = np.ascontiguousarray(formula.neighbours[:, :NUM_NEIGHBOURS])
    else:
        near = knn_graph(instance, NUM_NEIGHBOURS).neighbours
    return kernels.Problem(
        instance.metric,
        coords,
        instance.demands,
        instance.capacity,
        near,
        keys,
        formula,
        instance.is_symmetric,
    )


def max_route_size(instance: Instance) -> int:
    """Return the largest number of customers that one vehicle can serve."""
    lightest = np.cumsum(np.sort(instance.demands[1:]))
    return int(np.searchsorted(lightest, instance.capacity, side="right"))


BLOCK_SIZE: Final = 1500
"""Customers that the first clustering takes at a time, at most."""

MIN_REGION: Final = 150
"""Customers for which a region has room at least."""

MAX_ROUTE: Final = 1000
"""Most customers of a re-clustered route: it is priced on a square matrix."""

CHUNK: Final = 400
"""Trials between two looks at the clock, all at one temperature."""

START_ROUNDS: Final = 4
"""Rounds of k-means in the first clustering of a block."""

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

    # Of 18 changes of these defaults on 40 generated instances only more
    # trials are better: 80 by 0.22 +- 0.05 % (commit 4e1b5a9484a2).
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

    def trial(self) -> kernels.TrialParams:
        """Return what the kernels need to know."""
        return kernels.TrialParams(
            max_clusters=self.max_clusters,
            max_rounds=self.max_rounds,
            fewer_share=self.fewer_share,
            more_share=self.more_share,
            max_detour_share=self.max_detour_share,
            max_weight_power=self.max_weight_power,
            fullness_bonus=self.fullness_bonus,
        )


def cluster_ckm(
    instance: Instance,
    run: Run = Run(),
    *,
    priority: Priority | None = None,
    start: Sequence[np.ndarray] | None = None,
    params: CkmParams | None = None,
    preferences: Preferences = Preferences(),
) -> list[np.ndarray]:
    """Return the customers of each cluster, made for short routes.

    The instance is clustered as a whole, in blocks where it is large: ckm++
    seeds, assignment by regret, as few clusters as it takes. Then regions of
    neighbouring clusters are clustered anew, and simulated annealing on the
    length of the routes keeps or drops the result. Time grows linearly.
    Raises ``InstanceError`` if the instance has no coordinates.
    """
    params = params or CkmParams()
    rng, deadline = run.generator(), run.budget.time_limit
    seen = preferences.adjusted(instance)
    problem = make_problem(seen, priority or RegretPriority(), rng)
    longest = min(max_route_size(seen), MAX_ROUTE)
    pricer = kernels.RoutePricer(problem, NO_PENALTIES, longest)
    if start is not None:
        plan, rest = _given_plan(seen, start), np.empty(0, dtype=np.int64)
    else:
        plan, rest = _start(seen, problem, pricer, params, rng, deadline)
    if preferences.has_penalties:
        penalties = _penalties(instance, plan, preferences)
        plan.add_penalties(penalties)
        pricer = kernels.RoutePricer(problem, penalties, longest)
    clusters = _anneal(seen, plan, pricer, params, rng, deadline)
    return [*clusters, *_full_loads(instance, rest)]


def _anneal(
    instance: Instance,
    plan: kernels.Plan,
    pricer: kernels.RoutePricer,
    params: CkmParams,
    rng: np.random.Generator,
    deadline: TimeLimit,
) -> list[np.ndarray]:
    """Cluster regions again and again; return the best clusters."""
    cost = float(plan.costs.sum())
    size = max(MIN_REGION, 2 * min(max_route_size(instance), MAX_ROUTE))
    size = min(size, instance.num_customers)
    search = kernels.RegionSearch(plan, pricer, params.trial(), size, cost)
    num_stops = instance.num_customers + len(plan.clusters)
    unit = max(cost / num_stops, 1e-12)
    cooling = Cooling(params.start_temperature, params.end_temperature)
    num_trials = params.trials_per_customer * instance.num_customers
    num_trials = min(num_trials, params.max_trials)
    stop = first_of(MaxIterations(num_trials), deadline.within(None))
    pace = Pace(stop, CHUNK, cost)
    for size, begin, _ in pace.batches(
        lambda: min(search.cost, search.best_cost)
    ):
        search.run(unit * cooling.at(begin), size, rng)
    return search.best.clusters


def _penalties(
    instance: Instance, plan: kernels.Plan, preferences: Preferences
) -> ClusterPenalties:
    orders, _ = improve_routes(instance, plan.clusters, TimeLimit())
    start = Solution.from_routes(instance, orders)
    return preferences.for_clusters(instance, start)


def _given_plan(
    instance: Instance, start: Sequence[np.ndarray]
) -> kernels.Plan:
    """Return a plan of given clusters, with a few slots to spare."""
    num_slots = len(start) + len(start) // 4 + 8
    plan = kernels.Plan(num_slots, len(instance.demands))
    _, costs = improve_routes(instance, start, TimeLimit())
    for slot, (members, cost) in enumerate(zip(start, costs, strict=True)):
        load = int(instance.demands[members].sum())
        plan.set_cluster(slot, members, load, float(cost))
    return plan


def _start(
    instance: Instance,
    problem: kernels.Problem,
    pricer: kernels.RoutePricer,
    params: CkmParams,
    rng: np.random.Generator,
    deadline: TimeLimit,
) -> tuple[kernels.Plan, np.ndarray]:
    """Cluster block by block; return the plan, and customers left over."""
    coords = instance.plane_coords("method ckm")
    blocks = _blocks(np.arange(1, instance.num_customers + 1), coords)
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
    plan = kernels.Plan(sum(upper) + 8, len(instance.demands))
    for number, block in enumerate(blocks):
        if number > 0 and deadline.passed():
            return plan, np.concatenate(blocks[number:])
        most, num_clusters = upper[number], lower[number]
        region = kernels.Region(problem, len(block), most)
        place = partial(
            kernels.cluster_block,
            *(plan, pricer, region, block, START_ROUNDS, rng),
        )
        cluster_block(instance, place, num_clusters, most, deadline)
    return plan, np.empty(0, dtype=np.int64)


def cluster_block(
    instance: Instance,
    place: Callable[[int, float], int],
    num_clusters: int,
    most: int,
    deadline: TimeLimit,
) -> None:
    """Cluster a block with as few clusters as it takes, ``most`` at most.

    ``place`` clusters it, given the number of clusters and one of
    ``START_POWERS``, and returns the demand that fits nowhere. After the
    deadline the number grows by a tenth at a time, to end soon.
    Raises ``InfeasibleError`` if ``most`` do not suffice.
    """
    while True:
        is_late = False
        for power in START_POWERS:
            left = place(num_clusters, power)
            if left == 0:
                return
            is_late = deadline.passed() and num_clusters < most
            if is_late:
                break
        if num_clusters == most:
            raise InfeasibleError(
                f"{instance.name}: capacitated k-means could not place "
                f"every customer in {counted(most, 'cluster')}."
            )
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


def _blocks(customers: np.ndarray, coords: np.ndarray) -> list[np.ndarray]:
    """Halve the customers along their longer side until blocks are small."""
    if len(customers) <= BLOCK_SIZE:
        return [customers]
    places = coords[customers]
    side = int(np.ptp(places, axis=0).argmax())
    order = customers[np.argsort(places[:, side], kind="stable")]
    middle = len(order) // 2
    return [*_blocks(order[:middle], coords), *_blocks(order[middle:], coords)]
