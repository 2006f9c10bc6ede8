"""Who stays in the population of the genetic search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.vrp.polishing.genetic import (
    _evolution_kernels,
    _layout,
    _population_kernels,
    _state,
)
from tests.vrp.polishing.calls import call
from tests.vrp.polishing.test_genetic_descent import laid, price

SIZE = 24
INSTANCE = nr.generate_uchoa(SIZE, 5, demands="1-10", route_length=4.0)


@dataclass
class Pool:
    """A population of solutions of a problem."""

    problem: _layout.GeneticProblem
    own: _layout.Population

    def add(self, routes: list[list[int]]) -> bool:
        """Add some routes."""
        linked = laid(INSTANCE, routes)
        return bool(
            _population_kernels.add_member(self.problem, linked, self.own)
        )

    def members(self, kind: int) -> list[int]:
        """Return the rows of a kind."""
        size = self.own.counts[_layout.NUM_FEASIBLE + kind]
        found: list[int] = self.own.members[kind, :size].tolist()
        return found


@pytest.fixture
def pool() -> Pool:
    """Return an empty population."""
    problem = _state.make_problem(INSTANCE)
    return Pool(problem, _state.make_population(problem, 3))


def random_routes(seed: int, most: int) -> list[list[int]]:
    """Return random routes that load at most ``most``."""
    order = 1 + np.random.default_rng(seed).permutation(SIZE)
    routes: list[list[int]] = [[]]
    for customer in order.tolist():
        load = INSTANCE.demands[[*routes[-1], customer]].sum()
        if load > most:
            routes.append([])
        routes[-1].append(customer)
    return routes


def test_kinds_are_sorted_by_cost_and_the_best_is_kept(pool: Pool) -> None:
    """Loads above the capacity go to the others, and cost."""
    lengths: list[float] = []
    for seed in range(30):
        factor = 1.0 + (seed % 2)
        routes = random_routes(seed, int(factor * INSTANCE.capacity))
        is_within = factor == 1.0
        length = sum(map(INSTANCE.route_cost, routes))
        is_shorter = is_within and length < min(lengths, default=np.inf)
        assert pool.add(routes) == is_shorter
        if is_within:
            lengths.append(length)
    costs = pool.own.lengths + pool.own.costs[0] * pool.own.excesses
    for kind in range(2):
        rows = pool.members(kind)
        assert costs[rows].tolist() == sorted(costs[rows].tolist())
        assert ((pool.own.excesses[rows] > 0) == bool(kind)).all()
    best = _state.read_best(pool.own)
    assert best.cost(INSTANCE) == min(lengths)
    assert pool.own.costs[_layout.BEST_LENGTH] == min(lengths)


def test_distance_counts_edges_that_differ(pool: Pool) -> None:
    """None to itself or turned round; few to a neighbour."""
    routes = random_routes(1, INSTANCE.capacity)
    turned = [route[::-1] for route in routes[::-1]]
    long = max(routes, key=len)
    swapped = [
        [route[1], route[0], *route[2:]] if route is long else route
        for route in routes
    ]
    for each in (routes, turned, swapped):
        pool.add(each)
    a, b, c = pool.own.free.tolist()[:-4:-1]
    differ = partial(call, _population_kernels.count_differences, pool.own)
    assert differ(a, b) == differ(a, a) == 0
    assert 0 < differ(a, c) <= 4


def test_doubles_go_first_and_the_best_stays(pool: Pool) -> None:
    """A generation of doubles and others leaves no double."""
    best = random_routes(0, INSTANCE.capacity)
    everyone = [random_routes(k % 45, INSTANCE.capacity) for k in range(66)]
    pool.add(best)
    for routes in everyone[: _layout.MAX_SIZE]:
        pool.add(routes)
    rows = pool.members(0)
    assert len(rows) == _layout.MIN_SIZE
    distances = pool.own.distances[np.ix_(rows, rows)]
    np.fill_diagonal(distances, 1)
    assert (distances > 0).all()
    least = min(price(INSTANCE, each) for each in everyone)
    assert pool.own.lengths[rows[0]] == least
    free = pool.own.counts[_layout.NUM_FREE]
    assert sorted([*rows, *pool.own.free[:free].tolist()]) == list(
        range(len(pool.own.free))
    )


def test_fitness_is_cost_and_diversity(pool: Pool) -> None:
    """Against the formula of the paper, for thirty members."""
    for seed in range(30):
        pool.add(random_routes(seed, INSTANCE.capacity))
    call(_population_kernels.rank_members, pool.own, 0)
    rows = pool.members(0)
    distances = pool.own.distances[np.ix_(rows, rows)].astype(float)
    np.fill_diagonal(distances, np.inf)
    near = np.sort(distances, axis=1)[:, : _layout.NUM_CLOSE].mean(axis=1)
    diversity = np.argsort(np.argsort(-near, kind="stable"))
    share = 1.0 - _population_kernels.NUM_ELITES / 30
    expected = (np.arange(30) + share * diversity) / 30
    assert pool.own.fitness[rows] == pytest.approx(expected)


def test_the_fitter_of_two_is_drawn(pool: Pool) -> None:
    """The best is drawn nearly twice as often as by chance."""
    for seed in range(20):
        pool.add(random_routes(seed, INSTANCE.capacity))
    rows = pool.members(0)
    pool.own.fitness[rows] = np.arange(20)
    draw = _population_kernels.draw_member
    drawn = [call(draw, pool.own, pool.own.rng) for _ in range(4000)]
    share = np.mean([row == rows[0] for row in drawn])
    assert 0.07 < share < 0.13
    assert np.mean([row == rows[-1] for row in drawn]) < 0.01


@pytest.mark.parametrize(
    ("within", "factor"), [(0, 1.2), (20, 1.0), (60, 0.85)]
)
def test_penalty_follows_who_keeps_the_capacity(
    pool: Pool, within: int, factor: float
) -> None:
    """After a hundred children it aims at a fifth of them."""
    before = pool.own.costs[_layout.PENALTY]
    for k in range(100):
        assert pool.own.costs[_layout.PENALTY] == before
        call(_evolution_kernels.adapt_penalty, pool.own, k < within)
    assert pool.own.costs[_layout.PENALTY] == pytest.approx(factor * before)
