"""The compiled search on regions, by itself."""

from __future__ import annotations

import gc
from itertools import chain, permutations
from typing import TYPE_CHECKING

import numpy as np

import ncc_routing as nr
from ncc_routing._core import ckm as kernels
from ncc_routing.clustering.priority import PriorityFormula
from ncc_routing.problems.distances import ROUNDINGS, Metric
from ncc_routing.vrp.ckm.search import CkmParams
from ncc_routing.vrp.preferences.penalties import NO_PENALTIES

if TYPE_CHECKING:
    from typing import Any

SIZE = 13
"""Nodes of the problem: twelve customers of one unit each."""

CAPACITY = 3

PLACES = np.random.default_rng(5).integers(0, 100, (SIZE, 2)).astype(float)


def make_problem(**changes: Any) -> kernels.Problem:
    """Return a problem, and nothing else that holds its arrays."""
    nodes = np.arange(1, SIZE, dtype=np.int32)
    given: dict[str, Any] = {
        "metric": Metric(
            PLACES.copy(), np.zeros((0, 0)), ROUNDINGS["nearest"]
        ),
        "coords": PLACES.copy(),
        "demands": np.minimum(np.arange(SIZE), 1),
        "capacity": CAPACITY,
        "neighbours": np.array([np.roll(nodes, -i) for i in range(SIZE)]),
        "keys": np.random.default_rng(1).integers(
            1, 2**64, SIZE, dtype=np.uint64
        ),
        "formula": PriorityFormula(distance_weight=1.0),
        "is_symmetric": True,
    }
    return kernels.Problem(**{**given, **changes})


def make_pricer(problem: kernels.Problem) -> kernels.RoutePricer:
    """Return a pricer without penalties."""
    return kernels.RoutePricer(problem, NO_PENALTIES, CAPACITY)


def make_search(num_slots: int = 8) -> kernels.RegionSearch:
    """Return a search that begins with one cluster after another."""
    plan = kernels.Plan(num_slots, SIZE)
    for slot in range(4):
        members = np.arange(1 + 3 * slot, 4 + 3 * slot)
        plan.set_cluster(slot, members, 3, shortest(members.tolist()))
    cost = float(plan.costs.sum())
    return kernels.RegionSearch(
        plan, make_pricer(make_problem()), CkmParams().trial(), 9, cost
    )


def shortest(members: list[int]) -> float:
    """Return the cost of the best route, by trying all."""
    instance = nr.Instance(
        "test", np.minimum(np.arange(SIZE), 1), CAPACITY, PLACES
    )
    return min(instance.route_cost(order) for order in permutations(members))


def test_costs_of_the_best_plan_are_those_of_its_routes() -> None:
    """Routes of three customers are priced exactly, and kept whole.

    Everything that a search was made of is kept alive by it.
    """
    search = make_search()
    first = search.cost
    gc.collect()
    rng = np.random.default_rng(2)
    for temperature in (30.0, 3.0, 0.0):
        search.run(temperature, 200, rng)
        clusters = [members.tolist() for members in search.best.clusters]
        assert sorted(chain(*clusters)) == list(range(1, SIZE))
        assert max(map(len, clusters)) <= CAPACITY
        assert search.best_cost == sum(map(shortest, clusters))
    assert search.best_cost < first
    assert search.best_cost <= search.cost


def test_without_a_free_slot_no_route_is_added() -> None:
    """The four clusters change, and stay four."""
    search = make_search(num_slots=4)
    search.run(1e6, 300, np.random.default_rng(1))
    assert len(search.best.clusters) == 4


def test_a_block_is_clustered_as_a_whole_or_not_at_all() -> None:
    """Three clusters leave three customers, four take all."""
    problem = make_problem()
    plan = kernels.Plan(4, SIZE)
    region = kernels.Region(problem, SIZE - 1, 4)
    rng = np.random.default_rng(1)
    pricer = make_pricer(problem)
    left = [
        kernels.cluster_block(
            *(plan, pricer, region, np.arange(1, SIZE), 2, rng, number, 0.0)
        )
        for number in (3, 4)
    ]
    assert left == [3, 0]
    clusters = [members.tolist() for members in plan.clusters]
    assert plan.costs.tolist() == [*map(shortest, clusters)]
