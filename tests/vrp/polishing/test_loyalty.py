"""Routes as in past plans: penalties by hand, and searches."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.priority import MIN_CHANCE
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing import loyalty
from ncc_routing.vrp.polishing._packed import PackedRoutes
from ncc_routing.vrp.polishing.loyalty import LoyalRoutes, LoyaltyPenalties
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.problems.points import PointSet
    from ncc_routing.scoring.pair_scorer import PairScorer


@dataclass(frozen=True, eq=False)
class Table:
    """A scorer that knows every pair; row and column 0 mean nothing."""

    chances: np.ndarray
    calibration: Mapping[str, float] = field(default_factory=dict)

    def pair_probabilities(
        self, _instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return all pairs of different customers."""
        size = len(self.chances) - 1
        rows = np.arange(1, size + 1)
        others = np.array([np.delete(rows, i) for i in range(size)])
        return others, self.chances[rows[:, None], others], 1.0


def halves(instance: Instance) -> Table:
    """Return a scorer for which only the parity of customers counts."""
    odd = np.arange(instance.num_customers + 1) % 2
    return Table(np.where(odd[:, None] == odd[None, :], 0.5, 0.01))


def expected(
    chances: np.ndarray, routes: list[list[int]], rate: float
) -> list[float]:
    """Return the penalty of each route, term by term."""
    totals = []
    for route in routes:
        total = 0.0
        for customer in route:
            others = [m for m in route if m != customer]
            costs = [
                -math.log(max(chances[customer, m], MIN_CHANCE))
                for m in others
            ] or [-math.log(MIN_CHANCE)]
            total += rate * sum(costs) / len(costs)
        totals.append(total)
    return totals


def five() -> tuple[Instance, Table]:
    """Return five customers on a line and what a scorer says of them."""
    coords = np.array([[0, 0], [10, 0], [20, 0], [30, 0], [40, 0], [50, 0.0]])
    chances = np.full((6, 6), 0.1)
    for a, b in ((1, 3), (3, 5), (2, 4)):
        chances[a, b] = chances[b, a] = 0.9
    chances[1, 5] = chances[5, 1] = 1e-9
    return Instance("five", np.array([0, 1, 1, 1, 1, 1]), 3, coords), Table(
        chances
    )


def test_penalties_and_zones_by_hand() -> None:
    """The mean of -log P over the others; nobody knows a lonely one."""
    instance, table = five()
    cost = 100.0
    found = LoyaltyPenalties.of(instance, table, cost, 2.0)
    rate = 2.0 * loyalty.SHARE_OF_COST * cost / 5
    routes = [[1, 3, 5], [4], [2]]
    packed = PackedRoutes.of(routes)
    wanted = expected(table.chances, routes, rate)
    assert found.penalties(packed) == pytest.approx(wanted)
    zones = found.zones(packed)
    assert zones.ids[3, 0] == 0  # with 1 and 5
    assert zones.ids[2, 0] == 1  # with 4
    assert zones.penalties[2, 0] == pytest.approx(
        -rate * math.log(0.9), abs=found.step
    )
    assert zones.far[2] == pytest.approx(
        -rate * math.log(MIN_CHANCE), abs=found.step
    )
    for values in (zones.penalties, zones.far):
        assert (values % found.step == 0.0).all()


def test_zones_of_routes_cost_what_routes_do() -> None:
    """Customers in the zones of their own routes, added up."""
    instance = generate_uchoa(60, 3, route_length=8.0)
    start = solve_savings(instance, router=None)
    rng = np.random.default_rng(1)
    chances = rng.random((61, 61))
    found = LoyaltyPenalties.of(
        instance, Table((chances + chances.T) / 2), start.cost, 1.0
    )
    packed = PackedRoutes.of(start.routes)
    zones = found.zones(packed)
    total = 0.0
    for number, route in enumerate(start.routes):
        for customer in route:
            [places] = np.nonzero(zones.ids[customer] == number)
            total += (
                zones.penalties[customer, places[0]]
                if len(places)
                else zones.far[customer]
            )
    assert (zones.ids[1:, 0] >= 0).all()
    assert (np.diff(zones.penalties[1:], axis=1) >= 0.0).all()
    # What is not among the nearest zones counts as any other.
    assert total >= found.penalties(packed).sum() - 60 * found.step


def all_plans(instance: Instance) -> list[Solution]:
    """Return every way to serve up to seven customers, in its best order."""

    def partitions(rest: list[int]) -> list[list[list[int]]]:
        if not rest:
            return [[]]
        first, *others = rest
        return [
            [[first, *mates], *tail]
            for size in range(len(others) + 1)
            for mates in itertools.combinations(others, size)
            for tail in partitions([c for c in others if c not in mates])
        ]

    def best_order(group: list[int]) -> tuple[int, ...]:
        return min(itertools.permutations(group), key=instance.route_cost)

    customers = list(range(1, instance.num_customers + 1))
    return [
        Solution.from_routes(instance, [best_order(g) for g in groups])
        for groups in partitions(customers)
        if all(instance.demands[g].sum() <= instance.capacity for g in groups)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_search_finds_the_least_price(seed: int) -> None:
    """As brute force does, over length and penalties of six customers."""
    instance = generate_uchoa(6, seed, route_length=3.0)
    rng = np.random.default_rng(seed)
    chances = rng.random((7, 7))
    table = Table((chances + chances.T) / 2)
    start = solve_savings(instance, router=None)
    search = RuinRecreateSearch(
        instance, start, preference=LoyalRoutes(table, 1.0)
    )
    least = min(search.price(one) for one in all_plans(instance))
    found = ruin_and_recreate(
        instance,
        start,
        max_iterations=20_000,
        preference=LoyalRoutes(table, 1.0),
    )
    assert check_solution(instance, found) == []
    assert search.price(found) == pytest.approx(least, rel=0.02)


def test_customers_stay_with_their_own() -> None:
    """Where parity counts, routes of one parity are found."""
    instance = generate_uchoa(60, 5, route_length=8.0)
    start = solve_savings(instance, router=None)

    def mixed(weight: float) -> tuple[float, float]:
        found = ruin_and_recreate(
            instance,
            start,
            max_iterations=10_000,
            preference=LoyalRoutes(halves(instance), weight)
            if weight > 0.0
            else None,
        )
        assert check_solution(instance, found) == []
        rest = [
            min(sum(c % 2 for c in r), sum(c % 2 == 0 for c in r))
            for r in found.routes
        ]
        return sum(rest) / 60, found.cost

    plain, loyal = mixed(0.0), mixed(3.0)
    assert plain[0] > 0.2
    assert loyal[0] < 0.25 * plain[0]
    assert loyal[1] > plain[1]


def test_a_scorer_is_one() -> None:
    """What the search asks for is what a scorer answers."""
    scorer: PairScorer = Table(np.zeros((2, 2)))
    assert LoyalRoutes(scorer, 1.0).name == "loyalty"


def test_more_than_a_cvrp_is_refused() -> None:
    """A matrix alone has no places, which a scorer needs."""
    instance, table = five()
    matrix = instance.distances(range(6), range(6))
    bare = replace(instance, coords=None, matrix=matrix)
    with pytest.raises(UnsupportedProblemError, match="loyalty"):
        LoyalRoutes(table, 1.0).require(bare)
    LoyalRoutes(table, 1.0).require(instance)
