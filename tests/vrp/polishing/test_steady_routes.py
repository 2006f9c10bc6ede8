"""Steady routes: penalties, searches against brute force, and refusals."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.generators.days import generate_days
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.references import PastRoutes, reference_labels
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.steadiness import measure_steadiness
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.construction.zoned import solve_zones
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.polishing._packed import PackedRoutes
from ncc_routing.vrp.polishing.restarts import solve_from_starts
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.polishing.steadiness import (
    SHARE_OF_COST,
    StayPenalties,
    SteadyRoutes,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

PAST, TODAY = generate_days(120, 5, route_length=10.0)
YESTERDAY = PastRoutes(PAST, solve_savings(PAST, router=None).routes)
LABELS = reference_labels(TODAY, YESTERDAY)
START = solve_zones(TODAY, reference=YESTERDAY)


def test_penalties_by_hand() -> None:
    """Routes 1 2 4 | 3 5 6 of the zones 1 2 3 | 4 5: 4 and 5 pay."""
    labels = np.array([-1, 0, 0, 0, 1, 1, -1], dtype=np.int32)
    homes = np.where(labels < 0, 1, labels).astype(np.int32)
    costs = StayPenalties(labels, homes, np.array([14.0, 7.0]))
    packed = PackedRoutes.of([(1, 2, 4), (3, 5, 6)])
    assert costs.penalties(packed).tolist() == [7.0, 7.0]
    zones = costs.zones(packed)
    assert zones.ids[1:, 0].tolist() == [0, 0, 0, 1, 1, 1]
    assert zones.far[1:].tolist() == [14.0] * 3 + [7.0] * 2 + [0.0]
    assert (zones.penalties == 0.0).all()


def test_a_customer_costs_a_share_of_the_mean() -> None:
    """On average, the more the more others are in its zone."""
    costs = StayPenalties.of(TODAY, LABELS, START.cost, 2.0)
    sizes = np.bincount(LABELS[LABELS >= 0])
    mean = (costs.prices * sizes).sum() / sizes.sum()
    typical = 2.0 * SHARE_OF_COST * START.cost / TODAY.num_customers
    assert mean == pytest.approx(typical, rel=1e-4)
    of_pair = costs.prices[sizes > 1] / (sizes[sizes > 1] - 1)
    assert of_pair == pytest.approx(of_pair[0], rel=1e-4)
    assert (costs.prices[sizes == 1] == 0.0).all()


def test_sums_of_penalties_have_no_rounding_errors() -> None:
    """They are multiples of one power of two."""
    prices = StayPenalties.of(TODAY, LABELS, START.cost, 0.7).prices
    step = 2.0 ** np.floor(np.log2(prices[prices > 0.0].min()) - 16)
    assert (prices % step == 0.0).all()
    assert sum(prices.tolist() * 1000) == 1000 * prices.sum()


def test_zones_of_one_customer_cost_nothing() -> None:
    """Nobody is left by them."""
    labels = np.arange(-1, TODAY.num_customers, dtype=np.int32)
    prices = StayPenalties.of(TODAY, labels, START.cost, 1.0).prices
    assert (prices == 0.0).all()


def test_first_routes_stay_in_their_zones() -> None:
    """Nobody is moved, and capacities hold."""
    assert check_solution(TODAY, START) == []
    assert measure_steadiness(LABELS, START.routes).moved == 0.0


@pytest.mark.parametrize("jobs", [1, 2])
def test_customers_stay(jobs: int) -> None:
    """More pairs are kept; the same iterations give the same routes."""
    plain, found, again = (
        ruin_and_recreate(
            TODAY,
            START,
            max_iterations=20_000,
            jobs=jobs,
            seed=2,
            preference=SteadyRoutes(YESTERDAY, weight) if weight else None,
        )
        for weight in (0.0, 3.0, 3.0)
    )
    assert found == again
    assert check_solution(TODAY, found) == []
    free, kept = (
        measure_steadiness(LABELS, solution.routes).kept_pairs
        for solution in (plain, found)
    )
    assert kept > 1.2 * free
    assert found.cost < 1.1 * plain.cost


def test_the_price_is_the_length_and_the_moved_customers() -> None:
    """Nothing else counts, and it never gets worse."""
    preference = SteadyRoutes(YESTERDAY, 2.0)
    search = RuinRecreateSearch(TODAY, START, preference=preference)
    prices = StayPenalties.of(TODAY, LABELS, START.cost, 2.0).prices
    best = solve_from_starts(TODAY, search, 2, Deadline(1.0))
    cost = best.cost + sum(of_moved(LABELS, prices, r) for r in best.routes)
    assert search.price(best) == pytest.approx(cost)
    assert search.price(best) <= search.best_cost <= search.price(START)


def of_moved(
    labels: np.ndarray, prices: np.ndarray, route: Sequence[int]
) -> float:
    """Return what a route costs in the best zone of its customers."""
    zones = [int(labels[c]) for c in route if labels[c] >= 0]
    total = float(sum(prices[zone] for zone in zones))
    return min(
        (total - float(prices[z]) * zones.count(z) for z in set(zones)),
        default=0.0,
    )


def cheapest(
    instance: Instance, labels: np.ndarray, prices: np.ndarray
) -> float:
    """Return the least length plus penalties of all plans.

    Every order of the customers is cut into routes where that costs least.
    """
    best = math.inf
    size = instance.num_customers
    gaps = instance.distances(range(size + 1), range(size + 1)).tolist()
    for order in permutations(range(1, size + 1)):
        reach = [0.0] + [math.inf] * size
        for low in range(size):
            length, load = 0.0, 0
            for high in range(low, size):
                customer = order[high]
                load += int(instance.demands[customer])
                if load > instance.capacity:
                    break
                before = order[high - 1] if high > low else 0
                length += gaps[before][customer]
                moved = of_moved(labels, prices, order[low : high + 1])
                cost = reach[low] + length + gaps[customer][0] + moved
                reach[high + 1] = min(reach[high + 1], cost)
        best = min(best, reach[size])
    return best


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_of_all_plans_is_found(seed: int) -> None:
    """Six customers, two of them in no zone, moves as dear as ways."""
    rng = np.random.default_rng(seed)
    demands = np.concatenate([[0], rng.integers(1, 5, 6)])
    instance = Instance("six", demands, 8, rng.integers(0, 100, (7, 2)))
    labels = np.array([-1, 0, 1, 0, 1, -1, -1])[[0, *(1 + rng.permutation(6))]]
    start = Solution.from_routes(instance, [[c] for c in range(1, 7)])
    preference = SteadyRoutes(tuple(labels.tolist()), 3.0)
    search = RuinRecreateSearch(instance, start, preference=preference)
    labels = reference_labels(instance, labels)
    prices = StayPenalties.of(instance, labels, start.cost, 3.0).prices
    best = ruin_and_recreate(
        instance, start, max_iterations=20_000, preference=preference
    )
    assert search.price(best) == cheapest(instance, labels, prices)


def test_solve_takes_every_kind_of_reference() -> None:
    """A result of yesterday, ids, and labels mean the same."""
    before = nr.solve(PAST, polish="none", seed=1)
    labels = reference_labels(TODAY, before)
    names = TODAY.node_ids
    by_id = {
        names[node]: f"zone {zone}"
        for node, zone in enumerate(labels.tolist())
        if zone >= 0
    }
    for reference in (before, labels, by_id):
        result = nr.solve(
            *(TODAY,), reference=reference, stay=1.0, time_limit=0.2
        )
        assert result.labels == tuple(labels.tolist())
        assert result.steadiness is not None
        assert result.steadiness.kept_pairs > 0.3
        assert result.cost == sum(TODAY.route_costs(result.routes))
        assert [s.name for s in result.stages] == ["savings", "polish"]
        again = nr.Result.from_json(result.to_json())
        assert again.steadiness == result.steadiness


def test_without_a_weight_a_reference_only_measures() -> None:
    """The routes are those of a run that knows none."""
    params = SolveParams(polish="ruin-recreate")
    stop = nr.MaxIterations(500)
    plain = nr.solve(TODAY, params, stop=stop)
    measured = nr.solve(TODAY, params, stop=stop, reference=YESTERDAY)
    assert measured.routes == plain.routes
    assert plain.steadiness is None
    assert measured.steadiness == measure_steadiness(LABELS, plain.routes)


def test_a_matrix_alone_is_enough() -> None:
    """Steady routes need no places."""
    nodes = np.arange(41)
    small = generate_days(40, 2, route_length=8.0)[1]
    matrix = small.distances(nodes, nodes)
    instance = Instance("m", small.demands, small.capacity, matrix=matrix)
    labels = [-1, *(k // 8 - 1 for k in range(40))]
    result = nr.solve(instance, reference=labels, stay=1.0, time_limit=0.3)
    assert check_solution(instance, result.best) == []
    assert result.steadiness is not None


@pytest.mark.parametrize(
    ("more", "feature"),
    [
        ({"fleet": Fleet((VehicleType(9, 2),))}, "a limited number"),
        ({"windows": TimeWindows.of(4, 0, [99, 1, 99, 99])}, "time windows"),
    ],
)
def test_other_problems_are_refused_by_name(
    more: dict[str, object], feature: str
) -> None:
    """One line names the instance and what it has."""
    coords = np.array([[0, 0], [1, 0], [0, 1], [2, 2]])
    instance = Instance("other", np.array([0, 1, 1, 1]), 9, coords, **more)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedProblemError, match=f"other.*{feature}"):
        nr.solve(instance, reference=[-1, 0, 0, 1], stay=1.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stay": 1.0}, "stay 1.0 needs a reference"),
        ({"stay": -1.0}, "stay must be a finite number"),
        ({"stay": "a"}, "stay must be a finite number"),
        (
            {"stay": 1.0, "reference": [0], "compactness": 1.0},
            "stay 1.0 and compactness 1.0 do not go together",
        ),
        (
            {"stay": 1.0, "reference": [0], "polish": "none"},
            "stay needs a polish by ruin-recreate or auto, got none",
        ),
    ],
)
def test_wrong_parameters(changes: dict[str, object], message: str) -> None:
    """Said before anything is solved."""
    with pytest.raises(ParameterError, match=message):
        SolveParams(**changes)  # type: ignore[arg-type]
