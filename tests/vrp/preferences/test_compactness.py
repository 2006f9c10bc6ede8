"""Compact routes: penalties by hand, searches, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import generate_depots
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences import compactness
from ncc_routing.vrp.preferences.compactness import (
    Compactness,
    MatrixCompactness,
    squeezed,
)
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.preferences.zones import Zones
from ncc_routing.vrp.search.plan import Phase, Step
from ncc_routing.vrp.search.rounds import cut_in_parts, search_in_rounds
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.subproblem import Subproblem

ANNEAL = Phase(Step.ANNEAL)
LONG = nr.generate_uchoa(150, 11, route_length=15.0)
START = solve_savings(LONG, router=None)


def spread(solution: nr.Solution) -> float:
    """Return what the spread of routes costs at compactness 1."""
    packed = PackedRoutes.of(solution.routes)
    return float(Compactness.of(LONG, START, 1.0).penalties(packed).sum())


def test_places_are_squeezed_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a share of one half, 1 and 9 about 4 become 2 and 6."""
    monkeypatch.setattr(compactness, "RADIAL_SHARE", 0.5)
    coords = np.array([[5.0, 5.0], [6.0, 5.0], [5.0, 14.0], [5.0, 3.0]])
    places = squeezed(coords)  # the mean distance is 4
    assert places == pytest.approx(
        np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 6.0], [0.0, -(8.0**0.5)]])
    )
    assert (squeezed(coords[[0, 0, 0]]) == 0.0).all()


def test_penalties_by_hand() -> None:
    """Squared distances to the mean places, times the rate."""
    places = np.array([[0, 0], [0, 0], [2, 0], [5, 5], [5, 9], [8, 7.0]])
    costs = Compactness(places, 10.0, 0.5)
    packed = PackedRoutes.of([(1, 2), (5, 3, 4)])
    assert costs.penalties(packed) == pytest.approx([20.0, 140.0])
    zones = costs.zones(packed)  # centers (1, 0) and (6, 7)
    assert zones.ids[1:].tolist() == [[0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    assert zones.penalties[1].tolist() == [10.0, 850.0]
    assert zones.penalties[5].tolist() == [40.0, 980.0]
    assert zones.far[5] == compactness.FAR_FACTOR * 980.0


def test_distances_count_beyond_the_cvrp() -> None:
    """In place of their squares, to the mean places and to the medoids."""
    places = np.array([[0, 0], [0, 0], [2, 0], [4, 0], [5, 4], [5, 8.0]])
    costs = Compactness(places, 10.0, 0.5, is_linear=True)
    packed = PackedRoutes.of([(1, 2, 3), (4, 5)])
    assert costs.penalties(packed) == pytest.approx([40.0, 40.0])
    zones = costs.zones(packed)  # centers (2, 0) and (5, 6)
    assert zones.penalties[4].tolist() == [20.0, 50.0]
    assert zones.far[4] == compactness.FAR_FACTOR * 50.0
    matrix = np.hypot(*(places[:, None] - places).T)
    demands = np.array([0, *[1] * 5])
    instance = nr.Instance("by matrix", demands, 3, matrix=matrix)
    by_matrix = MatrixCompactness(instance, 1.0, 1.0, is_linear=True)
    squares = by_matrix.squares(np.array([1, 3]), np.array([2]))
    assert by_matrix.penalties(packed)[0] == np.sqrt(squares).sum()


def test_the_cost_of_ideal_routes_is_a_share() -> None:
    """Of what the ways cost, with windows or without; the means differ."""
    windows = nr.TimeWindows.of(
        LONG.num_customers + 1,
        tw_late=np.full(LONG.num_customers + 1, 10**6),
    )
    timed = replace(LONG, windows=windows)
    plain = Compactness.of(LONG, START, 1.0)
    found = Compactness.of(timed, START, 1.0)
    typical = compactness.SHARE_OF_COST * START.cost / LONG.num_customers
    ratio = compactness.RICH_SHARE / compactness.SHARE_OF_COST
    ratio *= compactness.BESIDE_HULLS
    assert found.rate == pytest.approx(
        ratio * typical / (typical / plain.rate) ** 0.5
    )


def test_overlap_costs_beyond_the_cvrp() -> None:
    """One of two customers lies inside the triangle of another route."""
    places = [[0, 0], [1, 1], [3, 1], [2, 3], [2, 1.5], [9, 9]]
    instance = nr.Instance(
        "map",
        np.array([0, 1, 1, 1, 1, 1]),
        3,
        np.array(places, dtype=float),
        windows=nr.TimeWindows.of(6, tw_late=np.full(6, 1000)),
    )
    start = nr.Solution.from_routes(instance, [[1, 2, 3], [4, 5]])
    found = Compactness.of(instance, start, 2.0)
    assert found.hulls is not None
    packed = PackedRoutes.of(start.routes)
    unit = 2.0 * compactness.HULL_SHARE * start.cost / 5
    overlap = found.hulls.penalties(packed)
    assert overlap == pytest.approx([0.0, unit], rel=1e-4)
    alone = replace(found, hulls=None).penalties(packed)
    assert found.penalties(packed) == pytest.approx(alone + overlap)
    assert Compactness.of(LONG, START, 1.0).hulls is None


def test_penalties_of_zones_add_up_exactly() -> None:
    """They are multiples of a power of two, and near the true ones."""
    costs = Compactness.of(LONG, START, 1.0)
    packed = PackedRoutes.of(START.routes)
    zones = costs.zones(packed)
    for values in (zones.penalties, zones.far):
        assert (values % costs.step == 0.0).all()
    own = np.repeat(np.arange(packed.num_routes), np.diff(packed.starts))
    known = zones.ids[packed.nodes] == own[:, None]
    assert known.any(axis=1).mean() > 0.9
    exact = costs.rate * ((costs.places[packed.nodes]) ** 2).sum()
    assert 0.0 < costs.penalties(packed).sum() < exact


@pytest.mark.parametrize("jobs", [1, 2])
def test_routes_get_compact(jobs: int) -> None:
    """The spread falls; the same iterations give the same routes."""
    plain, found, again = (
        [
            ruin_and_recreate(
                LONG,
                START,
                Run(Budget.of(iterations=20_000), seed=seed, jobs=jobs),
                preferences=Preferences(compactness=weight),
            )
            for seed in (3, 4, 5)
        ]
        for weight in (0.0, 2.0, 2.0)
    )
    assert found == again
    for one in found:
        assert nr.check_solution(LONG, one) == []
    assert sum(map(spread, found)) < 0.9 * sum(map(spread, plain))
    for one, free in zip(found, plain, strict=True):
        assert one.cost < 1.1 * free.cost


def test_a_start_is_left_for_a_lower_price_only() -> None:
    """Length and spread together never get worse."""
    compact = ruin_and_recreate(
        LONG,
        START,
        Run(Budget.of(iterations=20_000)),
        preferences=Preferences(compactness=5.0),
    )
    search = RuinRecreateSearch(
        LONG,
        compact,
        penalties=Preferences(compactness=5.0).priced(LONG, compact),
    )
    search_in_rounds(search, ANNEAL, Budget.of(iterations=40))
    assert search.best_cost <= search.price(compact)
    assert search.price(search.best()) == pytest.approx(search.best_cost)
    shorter = ruin_and_recreate(
        LONG, compact, Run(Budget.of(iterations=20_000))
    )
    assert shorter.cost <= compact.cost


def test_a_race_counts_the_penalties() -> None:
    """The best price leads, not the least length."""
    compact = Preferences(compactness=3.0)
    search = RuinRecreateSearch(
        LONG, START, penalties=compact.priced(LONG, START)
    )
    plan = Phase(Step.ANNEAL, 0.5, 2, (0.0, 0.6)), Phase(Step.ANNEAL)
    best = ruin_and_recreate(
        LONG, START, Run(Budget.of(1.0)), preferences=compact, plan=plan
    )
    assert nr.check_solution(LONG, best) == []
    assert search.price(best) < search.price(START)


def test_a_pickled_part_takes_its_zones_along() -> None:
    """What travels prices the customers of the part as at home."""
    search = RuinRecreateSearch(
        LONG, START, penalties=Preferences(compactness=1.0).priced(LONG, START)
    )
    [whole] = cut_in_parts(search)
    assert isinstance(whole.zones, Zones)
    assert whole.space is not None
    assert "zones" in whole.space.tables
    packed = PackedRoutes.of(START.routes).take([0, 2])
    part = Subproblem(LONG, whole.graph, packed, zones=whole.zones)
    copy = pickle.loads(pickle.dumps(part))
    assert isinstance(copy.zones, Zones)
    names = np.concatenate([[0], np.sort(packed.nodes)])
    assert (copy.zones.penalties == whole.zones.penalties[names]).all()
    assert (copy.zones.ids == whole.zones.ids[names]).all()


def test_wide_routes_cost_a_share_at_most() -> None:
    """Routes at random are never round, and so no measure of ideal ones."""
    order = np.random.default_rng(1).permutation(LONG.num_customers) + 1
    wide = nr.Solution.from_routes(LONG, np.split(order, 10))
    packed = PackedRoutes.of(wide.routes)
    costs = Compactness.of(LONG, wide, 2.0).penalties(packed)
    most = 2.0 * compactness.SHARE_OF_COST * compactness.WIDEST * wide.cost
    assert costs.sum() == pytest.approx(most)


def test_a_matrix_says_the_same_as_places() -> None:
    """Distances of a plane tell the squeezed ones, to one depot."""
    coords = np.array([[0, 0], [3, 4], [6, 8], [-4, 3], [0, 10], [5, 0.0]])
    nodes = np.arange(6)
    matrix = np.hypot(*(coords[:, None] - coords).T)
    instance = nr.Instance("plane", np.array([0, *[1] * 5]), 5, matrix=matrix)
    costs = MatrixCompactness(instance, 1.0, 1.0)
    places = squeezed(coords)
    gaps = places[:, None] - places[None, 1:]
    squares = costs.squares(nodes, nodes[1:])
    assert squares == pytest.approx((gaps**2).sum(axis=2))


def test_medoids_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means of both directions, squared, to the best customer of a route."""
    monkeypatch.setattr(compactness, "RADIAL_SHARE", 1.0)
    matrix = np.full((6, 6), 9.0)
    np.fill_diagonal(matrix, 0.0)
    matrix[1, 2], matrix[2, 1], matrix[2, 3], matrix[3, 2] = 1.0, 3.0, 4.0, 4.0
    matrix[4, 5] = matrix[5, 4] = 5.0
    instance = nr.Instance("hand", np.array([0, *[1] * 5]), 3, matrix=matrix)
    costs = MatrixCompactness(instance, 10.0, 1.0)
    packed = PackedRoutes.of([(1, 2, 3), (4, 5)])  # the medoids are 2 and 4
    assert costs.penalties(packed) == pytest.approx([200.0, 250.0])
    zones = costs.zones(packed)
    assert zones.ids.tolist() == [[-1, -1], *[[0, 1]] * 3, [1, 0], [1, 0]]
    assert zones.penalties[1].tolist() == [40.0, 810.0]
    assert zones.far[5] == compactness.FAR_FACTOR * 810.0


def test_several_depots_squeeze_no_distances() -> None:
    """Neither on a map nor in a matrix, which then say the same."""
    depots = generate_depots(8, 1, num_depots=2)
    start = insert_customers(depots, Run())
    coords = depots.require_coords("a test")
    assert (Compactness.of(depots, start, 1.0).places == coords).all()
    costs = MatrixCompactness(depots, 1.0, 1.0)
    [[square]] = costs.squares(np.array([3]), np.array([5])).tolist()
    assert square == depots.distances([3], [5])[0, 0] ** 2


def test_maps_and_matrices_have_places() -> None:
    """Degrees, and coordinates beside a matrix, are enough."""
    rng = np.random.default_rng(4)
    coords = rng.uniform(-5.0, 5.0, (21, 2))
    demands = np.array([0, *[1] * 20])
    matrix = rng.integers(1, 100, (21, 21)).astype(float)
    for instance in (
        nr.Instance("degrees", demands, 5, coords, is_geographic=True),
        nr.Instance("both", demands, 5, coords, matrix=matrix),
        nr.Instance("one place", demands, 5, np.ones((21, 2))),
    ):
        start = nr.Solution.from_routes(
            instance, [range(k, k + 4) for k in range(1, 21, 4)]
        )
        found = ruin_and_recreate(
            instance,
            start,
            Run(Budget.of(iterations=200)),
            preferences=Preferences(compactness=1.0),
        )
        assert nr.check_solution(instance, found) == []
