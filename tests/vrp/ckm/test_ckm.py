"""The ckm method: capacitated k-means on regions."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.clustering.priority import (
    DistancePriority,
    Priority,
    PriorityFormula,
    RegretPriority,
)
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters


def _solve(
    instance: nr.Instance, run: Run = Run(), **options: Any
) -> nr.Solution:
    clusters = cluster_ckm(instance, run, **options)
    solution = route_clusters(instance, clusters, router="local-search")
    assert nr.check_solution(instance, solution) == []
    return solution


def test_square_is_clustered_into_full_loads(square: nr.Instance) -> None:
    """Capacity 5 and demands 1 to 4: only 1 + 4 and 2 + 3 make two routes."""
    clusters = sorted(sorted(c.tolist()) for c in cluster_ckm(square))
    assert clusters == [[1, 4], [2, 3]]


def test_trials_shorten_the_routes(random_instance: nr.Instance) -> None:
    """The first clustering is never cut short, and the best plan is kept."""
    first = _solve(random_instance, params=CkmParams(trials_per_customer=0))
    better = _solve(random_instance)
    assert better.cost < first.cost
    _solve(random_instance, Run(Budget.of(0.0)))


def test_same_seed_same_clusters(random_instance: nr.Instance) -> None:
    """And another seed explores other regions."""
    params = CkmParams(trials_per_customer=2)
    first, again, other = (
        _solve(random_instance, Run(seed=seed), params=params).routes
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_any_priority_can_drive_it(random_instance: nr.Instance) -> None:
    """The paper's priority runs in the same loop, to another answer."""
    params = CkmParams(trials_per_customer=2)
    plain, paper, detour = (
        _solve(random_instance, params=params, priority=priority).routes
        for priority in (
            RegretPriority(),
            DistancePriority(),
            RegretPriority(1.0),
        )
    )
    assert len({plain, paper, detour}) == 3


@pytest.mark.parametrize("own", [0.0, 0.5, 1.0])
def test_a_trial_adds_to_the_detour_of_the_priority(
    random_instance: nr.Instance, own: float
) -> None:
    """A share of the distance becomes detour, where there is any left."""
    none, some = (
        _solve(
            random_instance,
            params=CkmParams(trials_per_customer=2, max_detour_share=share),
            priority=RegretPriority(own),
        ).routes
        for share in (0.0, 1.0)
    )
    assert (none == some) == (own == 1.0)


@dataclasses.dataclass
class Likes:
    """A user's own priority: given customers belong together."""

    partners: list[int]

    def formula(self) -> PriorityFormula:
        """Return the weights of the terms, and the affinities."""
        near = np.array([[partner] for partner in self.partners])
        return PriorityFormula(
            neighbours=near,
            affinity=np.zeros(near.shape),
            far_affinity=-1.0,
            affinity_weight=1000.0,
            distance_weight=1.0,
        )


def _pairs(priority: Priority, seed: int) -> list[list[int]]:
    """Return two vehicles of two customers, 1 and 4 left, 2 and 3 right."""
    instance = nr.Instance(
        "pairs",
        np.array([0, 1, 1, 1, 1]),
        2,
        np.array([[6, 0], [0, 0], [10, 0], [11, 0], [1, 0]]),
    )
    params = CkmParams(trials_per_customer=0)
    found = cluster_ckm(
        instance, Run(seed=seed), priority=priority, params=params
    )
    return sorted(sorted(members.tolist()) for members in found)


def test_a_priority_of_ones_own_decides() -> None:
    """Customers 1, 3 and 2, 4 are liked; by distance it is 1, 4 and 2, 3."""
    seeds = range(5)
    liked = [_pairs(Likes([0, 3, 4, 1, 2]), seed) for seed in seeds]
    assert [[1, 3], [2, 4]] in liked
    plain = [_pairs(RegretPriority(), seed) for seed in seeds]
    assert plain == 5 * [[[1, 4], [2, 3]]]


@pytest.mark.parametrize(
    ("partners", "rule"),
    [([0, 3, 4, 1], "5 rows"), ([0, 3, 4, 1, 0], r"1\.\.4")],
)
def test_a_wrong_priority_is_refused(partners: list[int], rule: str) -> None:
    """A row is missing, and customer 4 is said to like the depot."""
    with pytest.raises(nr.ParameterError, match=rule):
        _pairs(Likes(partners), 1)


@pytest.mark.parametrize("seed", [454, 455, 457])
def test_uneven_loads_save_a_route(seed: int) -> None:
    """On tight instances the bonus ends at the least number of routes."""
    instance = generate_uchoa(120, seed)
    plain = _solve(instance, Run(seed=2), params=CkmParams(fullness_bonus=0.0))
    full = _solve(instance, Run(seed=2))
    assert len(full.routes) == instance.min_num_routes < len(plain.routes)


def test_spare_share_leaves_room() -> None:
    """With a tenth of all vehicles free, it takes as many more of them."""
    instance = generate_uchoa(120, 457)
    params = CkmParams(trials_per_customer=0, spare_share=0.1)
    room = 0.9 * instance.capacity * len(cluster_ckm(instance, params=params))
    assert instance.demands.sum() <= room


def crowd(demands: list[int], capacity: int) -> nr.Instance:
    """Return customers at random places, with these demands."""
    coords = np.random.default_rng(4).integers(0, 1000, (len(demands) + 1, 2))
    return nr.Instance("crowd", np.array([0, *demands]), capacity, coords)


POINT = dataclasses.replace(crowd([1] * 12, 4), coords=np.ones((13, 2)))


@pytest.mark.parametrize(
    ("instance", "num_routes"),
    [
        (crowd([1] * 30, 3), 10),
        (crowd([1], 2), 1),
        (crowd([1] * 2, 2), 1),
        (crowd([1] * 3, 2), 2),
        (crowd([30] * 60, 59), 60),
        (crowd([1, 2, 3] * 10, 60), 1),
        (crowd([1, 2, 3] * 10, 59), 2),
        (POINT, 3),
    ],
    ids=["exact", "1", "2", "3", "large", "one", "two", "point"],
)
def test_loads_that_leave_one_number_of_routes(
    instance: nr.Instance, num_routes: int
) -> None:
    """Exact fits, few or large customers, and one place."""
    params = CkmParams(max_trials=3000)
    assert _solve(instance, params=params).num_routes == num_routes


def test_large_instances_start_block_by_block() -> None:
    """After the deadline a block is cut into full loads, the first is not."""
    instance = generate_uchoa(1501, 3, route_length=8.0)
    params = CkmParams(trials_per_customer=0)
    plans = [
        _solve(instance, Run(Budget.of(seconds)), params=params)
        for seconds in (None, 0.0)
    ]
    assert plans[0].cost < plans[1].cost


def test_coordinates_are_needed() -> None:
    """A matrix alone cannot be clustered around centers."""
    instance = nr.Instance(
        "matrix", np.array([0, 1, 1]), 2, matrix=np.ones((3, 3))
    )
    with pytest.raises(nr.InstanceError, match="ckm"):
        cluster_ckm(instance)
