"""Routes as in past plans: distances by hand, searches, refusals."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.clustering.scorers import MIN_CHANCE
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.paper.scoring.predictor import shipped_predictor
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.preferences import affinity
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

FILE = WEIGHTS / "ncc-cvrp.safetensors"


@dataclass(frozen=True, eq=False)
class Table:
    """A scorer that knows every pair; row and column 0 mean nothing."""

    chances: np.ndarray
    spacing: float = 1.0

    def pair_probabilities(
        self, _instance: nr.Instance | nr.PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return all pairs of different customers."""
        size = len(self.chances) - 1
        rows = np.arange(1, size + 1)
        others = np.array([np.delete(rows, i) for i in range(size)])
        return others, self.chances[rows[:, None], others], self.spacing


def five() -> tuple[nr.Instance, Table]:
    """Return five customers on a line and what a scorer says of them."""
    coords = np.array([[0, 0], [10, 0], [20, 0], [30, 0], [40, 0], [50, 0.0]])
    chances = np.full((6, 6), 0.1)
    for a, b in ((1, 3), (3, 5), (2, 4)):
        chances[a, b] = chances[b, a] = 0.9
    chances[1, 5] = chances[5, 1] = 1e-9
    return nr.Instance("five", np.array([0, 1, 1, 1, 1, 1]), 3, coords), Table(
        chances
    )


def alike(chance: float) -> Table:
    """Return a scorer with one chance for any two of five customers."""
    return Table(np.full((6, 6), chance))


def test_longer_distances_by_hand() -> None:
    """Longer by -log P times the weight; none from or to the depot."""
    instance, table = five()
    adjusted = Preferences(
        affinity=20.0, scorer=table, expected=alike(1.0)
    ).adjusted(instance)
    assert adjusted.matrix is not None
    unit = 20.0 * affinity.UNIT * 1.0  # the spacing of the table is 1
    assert adjusted.matrix[1, 3] == 20.0 + round(-unit * math.log(0.9))
    assert adjusted.matrix[1, 5] == 40.0 + round(-unit * math.log(MIN_CHANCE))
    assert adjusted.matrix[0].tolist() == [0, 10, 20, 30, 40, 50]
    assert (np.diag(adjusted.matrix) == 0.0).all()
    assert adjusted.is_integral
    assert adjusted.is_symmetric
    exact = Preferences(
        affinity=20.0, scorer=table, expected=alike(1.0)
    ).adjusted(replace(instance, rounding="none"))
    assert exact.matrix is not None
    assert exact.matrix[1, 3] == pytest.approx(20.0 - unit * math.log(0.9))


def test_only_what_places_do_not_say_counts() -> None:
    """A pair that is likelier than its places suggest costs nothing."""
    instance, table = five()
    adjusted = Preferences(
        affinity=20.0, scorer=table, expected=alike(0.3)
    ).adjusted(instance)
    extra = np.asarray(adjusted.matrix) - instance.distances(
        range(6), range(6)
    )
    assert extra[1, 3] == extra[3, 1] == 0.0
    assert extra[1, 2] == round(20.0 * affinity.UNIT * math.log(0.3 / 0.1))


def test_the_shipped_scorer_is_what_places_suggest() -> None:
    """It knows no region, so that its own word changes nothing."""
    instance = generate_uchoa(60, 5)
    shipped = shipped_predictor()
    adjusted = Preferences(affinity=5.0, scorer=shipped).adjusted(instance)
    nodes = range(61)
    found = np.asarray(adjusted.matrix)
    assert np.array_equal(found, instance.distances(nodes, nodes))
    chances, spacing = affinity.log_chances(shipped, instance)
    assert spacing > 0.0
    assert np.isnan(chances[0]).all()
    assert np.array_equal(chances, chances.T, equal_nan=True)


def all_plans(
    instance: nr.Instance, adjusted: nr.Instance
) -> list[nr.Solution]:
    """Return all plans for up to seven customers, by the adjusted costs."""
    shortest: dict[tuple[int, ...], tuple[int, ...]] = {}

    def partitions(rest: list[int]) -> list[list[list[int]]]:
        if not rest:
            return [[]]
        first, *others = rest
        return [
            [[first, *rest_of_route], *more]
            for size in range(len(others) + 1)
            for rest_of_route in itertools.combinations(others, size)
            for more in partitions(
                [c for c in others if c not in rest_of_route]
            )
        ]

    def best_order(group: list[int]) -> tuple[int, ...]:
        key = tuple(group)
        if key not in shortest:
            orders = itertools.permutations(group)
            shortest[key] = min(orders, key=adjusted.route_cost)
        return shortest[key]

    customers = list(range(1, instance.num_customers + 1))
    return [
        nr.Solution.from_routes(instance, [best_order(g) for g in groups])
        for groups in partitions(customers)
        if all(instance.demands[g].sum() <= instance.capacity for g in groups)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("size", [6, 7])
def test_a_search_finds_the_least_price(size: int, seed: int) -> None:
    """As brute force does, over length and penalties of all plans."""
    instance = generate_uchoa(size, seed, route_length=3.0)
    rng = np.random.default_rng(seed)
    chances = rng.random((size + 1, size + 1))
    table = Table((chances + chances.T) / 2)
    start = solve_savings(instance, router=None)
    preference = Preferences(
        affinity=1.0, scorer=table, expected=Table(np.ones_like(chances))
    )
    adjusted = preference.adjusted(instance)

    def price(solution: nr.Solution) -> float:
        return sum(adjusted.route_cost(route) for route in solution.routes)

    least = min(price(one) for one in all_plans(instance, adjusted))
    found = ruin_and_recreate(
        instance,
        start,
        Run(Budget.of(iterations=20_000)),
        preferences=preference,
    )
    assert nr.check_solution(instance, found) == []
    assert price(found) == least


def test_profiles_get_longer_and_durations_stay() -> None:
    """Each matrix of distances grows by the same; times are as before."""
    plain, table = five()
    nodes = np.arange(6)
    ways = plain.distances(nodes, nodes)
    vans = nr.Fleet((nr.VehicleType(capacity=3, profile=1),))
    instance = replace(
        plain, fleet=vans, profiles=(nr.Profile(2.0 * ways),), matrix=ways
    )
    preference = Preferences(
        affinity=1.0, scorer=table, expected=Table(np.ones((6, 6)))
    )
    extra = preference.adjusted(plain).distances(nodes, nodes) - ways
    found = preference.adjusted(instance)
    own = found.profiles[0]
    for measured, expected in (
        (found.matrix, ways + extra),
        (found.durations, ways),
        (own.matrix, 2.0 * ways + extra),
        (own.durations, 2.0 * ways),
    ):
        assert measured is not None
        assert np.array_equal(measured, expected)
    assert extra.any()
