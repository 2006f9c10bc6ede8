"""The ckm method: capacitated k-means on regions."""

import dataclasses

import numpy as np
import pytest

from ncc_routing.clustering.priority import DistancePriority
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.vrp.ckm import search as ckm
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters


def _solve(instance: Instance, **options: object):
    clusters = cluster_ckm(instance, **options)
    solution = route_clusters(instance, clusters, "local-search")
    assert check_solution(instance, solution) == []
    return solution


def test_square_is_clustered_into_full_loads(square: Instance) -> None:
    """Capacity 5 and demands 1 to 4: only 1 + 4 and 2 + 3 make two routes."""
    clusters = sorted(sorted(c.tolist()) for c in cluster_ckm(square))
    assert clusters == [[1, 4], [2, 3]]


def test_trials_shorten_the_routes(random_instance: Instance) -> None:
    """The best plan is kept, so trials never make it worse."""
    first = _solve(random_instance, params=CkmParams(trials_per_customer=0))
    better = _solve(random_instance)
    assert better.cost < first.cost


def test_the_same_seed_gives_the_same_clusters(
    random_instance: Instance,
) -> None:
    """And another seed explores other regions."""
    costs = [_solve(random_instance, seed=seed).cost for seed in (1, 1)]
    assert costs[0] == costs[1]


def test_any_priority_can_drive_it(random_instance: Instance) -> None:
    """The paper's priority runs in the same loop."""
    _solve(random_instance, priority=DistancePriority())


def test_a_passed_deadline_leaves_a_feasible_plan(
    random_instance: Instance,
) -> None:
    """The first clustering is never cut short."""
    _solve(random_instance, deadline=Deadline(0.0))


@pytest.mark.parametrize("seed", [454, 455, 457])
def test_uneven_loads_save_a_route(seed: int) -> None:
    """On tight instances the bonus ends at the least number of routes."""
    instance = generate_uchoa(120, seed)
    plain = _solve(instance, params=CkmParams(fullness_bonus=0.0), seed=2)
    full = _solve(instance, seed=2)
    assert len(full.routes) == instance.min_num_routes < len(plain.routes)


def test_spare_share_leaves_room() -> None:
    """With a tenth of all vehicles free, it takes as many more of them."""
    instance = generate_uchoa(120, 457)
    params = CkmParams(trials_per_customer=0, spare_share=0.1)
    room = 0.9 * instance.capacity * len(cluster_ckm(instance, params=params))
    assert instance.demands.sum() <= room


def test_unit_demands_fit_exactly() -> None:
    """Thirty customers, three to a vehicle: ten routes, none more."""
    rng = np.random.default_rng(4)
    instance = Instance(
        name="thirds",
        coords=rng.integers(0, 1000, size=(31, 2)),
        demands=np.array([0] + [1] * 30),
        capacity=3,
    )
    assert _solve(instance).num_routes >= 10


@pytest.mark.parametrize("num_customers", [1, 2, 3])
def test_tiny_instances(num_customers: int) -> None:
    """One customer, and fewer customers than neighbours asked for."""
    instance = Instance(
        name="tiny",
        coords=np.arange(2 * num_customers + 2).reshape(-1, 2),
        demands=np.array([0] + [1] * num_customers),
        capacity=2,
    )
    assert _solve(instance).num_routes == -(-num_customers // 2)


def test_customers_too_large_to_share(random_instance: Instance) -> None:
    """Demands above half the capacity: as many routes as customers."""
    demands = np.full(61, 30)
    demands[0] = 0
    instance = dataclasses.replace(random_instance, demands=demands)
    assert _solve(instance).num_routes == 60


def test_one_route_for_everybody(random_instance: Instance) -> None:
    """A capacity above the total demand."""
    instance = dataclasses.replace(random_instance, capacity=10_000)
    assert _solve(instance).num_routes >= 1


def test_customers_at_one_place() -> None:
    """Identical coordinates: every distance is zero."""
    instance = Instance(
        name="point",
        coords=np.ones((13, 2)),
        demands=np.array([0] + [1] * 12),
        capacity=4,
    )
    assert _solve(instance).cost == 0.0


def test_large_instances_start_block_by_block(
    random_instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks cover every customer once, each at most the block size."""
    monkeypatch.setattr(ckm, "BLOCK_SIZE", 16)
    _solve(random_instance)


def test_long_routes_are_left_as_they_are(
    random_instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A route beyond the matrix of a region is clustered but not priced."""
    monkeypatch.setattr(ckm, "MAX_ROUTE", 5)
    monkeypatch.setattr(ckm, "MIN_REGION", 10)
    monkeypatch.setattr("ncc_routing.vrp.ckm.buffers.MAX_ROUTE", 5)
    _solve(dataclasses.replace(random_instance, capacity=150))


def test_coordinates_are_needed() -> None:
    """A matrix alone cannot be clustered around centers."""
    instance = Instance(
        name="matrix",
        demands=np.array([0, 1, 1]),
        capacity=2,
        matrix=np.ones((3, 3)),
    )
    with pytest.raises(InstanceError, match="ckm"):
        cluster_ckm(instance)


@pytest.mark.parametrize(
    "wrong",
    [
        {"trials_per_customer": -1},
        {"max_clusters": 1},
        {"max_rounds": 0},
        {"end_temperature": 0.0},
        {"end_temperature": 2.0},
        {"spare_share": 1.0},
        {"fullness_bonus": -1.0},
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, float]) -> None:
    """One rule each."""
    with pytest.raises(ParameterError):
        CkmParams(**wrong)


def test_blocks_after_the_deadline_are_full_loads(
    random_instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first block is clustered; every customer has a place."""
    monkeypatch.setattr(ckm, "BLOCK_SIZE", 20)
    late = _solve(random_instance, deadline=Deadline(0.0))
    in_time = _solve(random_instance, params=CkmParams(trials_per_customer=0))
    assert set(late.routes) != set(in_time.routes)
