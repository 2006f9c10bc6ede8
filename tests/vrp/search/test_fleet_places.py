"""Large fleets: lengths that are computed, and parts of the routes."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.problems.routes.types_as_arcs import with_types_as_arcs
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.search import rounds
from ncc_routing.vrp.search.fleets import _arcs
from ncc_routing.vrp.search.fleets.limits import keep_to_fleet
from ncc_routing.vrp.search.fleets.runs import FleetRuns, anneal_part
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.rounds import cut_in_parts
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from tests.oracles.problems import FLEETS, PLACES, random_problem
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from ncc_routing.vrp.packed_routes import PackedRoutes

MATRICES = {"forbidden", "durations", "profiles"}
PARTS = (*(each for each in FLEETS if each not in MATRICES), *PLACES, "open")


def test_places_stand_for_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each customer alone costs, whatever the rounding and the speed.

    Open routes begin or end at a place without any length.
    """
    kinds = set()
    for seed in seeds(300, step=11):
        instance = random_problem(seed, PARTS, 9, share=0.6)
        if instance.coords is None:
            continue
        expected = FleetSearch(
            with_types_as_arcs(instance), 1
        ).space.problem.single_costs
        with monkeypatch.context() as patch:
            patch.setattr(_arcs, "LARGEST_MATRIX", 0)
            same = with_types_as_arcs(replace(instance))
            space = FleetSearch(same, 1).space
        nodes = np.arange(len(same.demands))
        lengths = with_types_as_arcs(instance).distances(nodes, nodes)
        assert (same.distances(nodes, nodes) == lengths).all(), seed
        assert not isinstance(space.arcs.distances, np.ndarray)
        found = space.problem.single_costs
        assert found == pytest.approx(expected, rel=1e-9), seed
        kinds.add((same.length_rule.kind, same.speed, same.has_nowhere))
    assert len(kinds) >= 10


@pytest.mark.parametrize("speed", [None, 2.5])
@pytest.mark.parametrize("is_geographic", [False, True])
def test_a_search_without_a_matrix_is_the_same(
    is_geographic: bool, speed: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lengths, times and neighbours are those of the matrix."""
    instance = generate_time_windows(150, 3)
    assert instance.coords is not None
    rng = np.random.default_rng(1)
    places = instance.coords + rng.uniform(-0.4, 0.4, instance.coords.shape)
    instance = replace(
        instance,
        coords=places / 1e5 + (8.0, 50.0) if is_geographic else places,
        rounding="none",
        is_geographic=is_geographic,
        speed=speed,
    )
    start = insert_customers(instance, Run())
    found = []
    for largest in (3000, 0):
        monkeypatch.setattr(_arcs, "LARGEST_MATRIX", largest)
        run = Run(Budget.of(iterations=2_000), seed=1)
        found.append(ruin_and_recreate(instance, start, run))
    assert nr.check_solution(instance, found[1]) == []
    assert found[0].routes == found[1].routes


@pytest.mark.parametrize("prices", [(0, 3), (0.25, 1.5)])
def test_places_stand_for_a_matrix_of_prices(
    prices: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where driving has a price, alone or beside distances."""
    instance = generate_time_windows(150, 3)
    assert instance.coords is not None
    van = replace(
        instance.vehicle_types[0],
        unit_distance_cost=prices[0],
        unit_driving_cost=prices[1],
    )
    instance = replace(
        instance,
        coords=instance.coords / 1e5 + (8.0, 50.0),
        is_geographic=True,
        speed=2.5,
        fleet=nr.Fleet((van,)),
    )
    start = insert_customers(instance, Run())
    found, singles = [], []
    for largest in (3000, 0):
        monkeypatch.setattr(_arcs, "LARGEST_MATRIX", largest)
        space = FleetSearch(instance, 1).space
        assert isinstance(space.arcs.distances, np.ndarray) == (largest > 0)
        singles.append(space.problem.single_costs)
        run = Run(Budget.of(iterations=2_000), seed=1)
        found.append(ruin_and_recreate(instance, start, run))
    assert singles[0] == pytest.approx(singles[1])
    assert nr.check_solution(instance, found[1]) == []
    assert found[1].cost <= 1.05 * found[0].cost


def kept(instance: nr.Instance) -> nr.Solution:
    """Return first routes on the vehicles that there are."""
    first = insert_customers(instance, Run())
    return keep_to_fleet(instance, first, Run(Budget.of(20.0)))


@pytest.mark.parametrize(
    "instance",
    [
        generate_time_windows(120, 1),
        generate_fleet(120, 3, "limited"),
        generate_depots(120, 5),
    ],
)
def test_parts_share_the_vehicles(
    instance: nr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at a time keep every limit, and the seed decides."""
    start = kept(instance)
    runs = [
        ruin_and_recreate(
            instance, start, Run(Budget.of(iterations=1_000), jobs=jobs)
        )
        for jobs in (1, 2, 2)
    ]
    assert runs[1] == runs[2]
    for found in runs:
        assert nr.check_solution(instance, found) == []
        assert found.cost < start.cost
    monkeypatch.setattr(rounds, "MAX_PART_SIZE", 60)
    run = Run(Budget.of(iterations=1_000))
    assert (
        nr.check_solution(instance, ruin_and_recreate(instance, start, run))
        == []
    )


def test_a_part_is_searched_elsewhere() -> None:
    """With its own customers and vehicles alone, under their names."""
    instance = generate_fleet(120, 3, "limited")
    params = RuinRecreateParams()
    search = FleetRuns(
        instance, kept(instance), Run(jobs=2), None, params, FleetSpaces()
    )
    for part in cut_in_parts(search):
        sent = pickle.loads(pickle.dumps(part))
        assert sent.instance.num_customers < instance.num_customers
        stop = nr.stop.MaxIterations(2_000)
        ends: list[PackedRoutes] = [
            each.search(anneal_part, 10.0, (0.0, 1.0), stop, [1]).best
            for each in (part, sent)
        ]
        for end in ends:
            assert np.unique(end.nodes).tolist() == sorted(part.routes.nodes)
            solution = end.to_solution(instance)
            broken = nr.check_solution(instance, solution)
            assert {one.kind for one in broken} == {"missing"}


def test_a_race_of_fleets_goes_on_from_the_best() -> None:
    """Within the time, and without end worse."""
    instance = generate_time_windows(60, 1)
    start = kept(instance)
    phases = (
        Phase(Step.ANNEAL, 0.5, 2, (0.0, 0.6)),
        Phase(Step.ANNEAL, progress=(0.6, 1.0)),
    )
    found = ruin_and_recreate(
        instance, start, Run(Budget.of(0.4), jobs=2), phases=phases
    )
    assert found.cost < start.cost
    assert nr.check_solution(instance, found) == []


def test_more_than_ten_thousand_places_need_no_matrix() -> None:
    """A speed and a detour are read, and an insertion goes by them."""
    rng = np.random.default_rng(1)
    size = 10_100
    table = {
        "x": rng.integers(0, 10**5, size),
        "y": rng.integers(0, 10**5, size),
        "due": ["20:00"] * size,
    }
    instance = nr.read(
        table, capacity=50, depot="0,0", speed="40km/h", detour=1.3
    )
    search = FleetSearch(instance, 1)
    search.state.insert_all(RuinRecreateParams().for_search(0.0, 0.0))
    assert nr.check_solution(instance, search.current()) == []
