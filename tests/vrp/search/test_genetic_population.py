"""Who stays in the population of the genetic search."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import genetic as kernels
from tests.vrp.search.test_genetic_local_search import laid, problem_of

SIZE = 24
INSTANCE = nr.generate_uchoa(SIZE, 5, demands="1-10", route_length=4.0)
PARAMS = kernels.Params()


@pytest.fixture
def population() -> kernels.Population:
    """Return an empty population."""
    return kernels.Population(problem_of(INSTANCE), PARAMS, penalty=2.5)


def distances(population: kernels.Population) -> np.ndarray:
    """Return the distances between all feasible members."""
    places = range(len(population.members(True)))
    return np.array(
        [[population.distance(True, a, b) for b in places] for a in places]
    )


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


def test_kinds_are_sorted_by_cost_and_the_best_is_kept(
    population: kernels.Population,
) -> None:
    """Loads above the capacity go to the others, and cost."""
    lengths: list[float] = []
    assert population.best_routes() == []
    for seed in range(30):
        factor = 1.0 + (seed % 2)
        routes = random_routes(seed, int(factor * INSTANCE.capacity))
        is_within = factor == 1.0
        length = sum(map(INSTANCE.route_cost, routes))
        is_shorter = is_within and length < min(lengths, default=np.inf)
        assert population.add(laid(INSTANCE, routes)) == is_shorter
        if is_within:
            lengths.append(length)
    for is_feasible in (True, False):
        members = population.members(is_feasible)
        assert len(members) == 15
        costs = [m.length + population.penalty * m.excess for m in members]
        assert costs == sorted(costs)
        assert all((m.excess == 0) == is_feasible for m in members)
    best = nr.Solution.from_routes(INSTANCE, population.best_routes())
    assert best.cost == population.best_length == min(lengths)


def test_distance_counts_edges_that_differ(
    population: kernels.Population,
) -> None:
    """None to itself or turned round; few to a neighbour."""
    routes = random_routes(1, INSTANCE.capacity)
    turned = [route[::-1] for route in routes[::-1]]
    long = max(routes, key=len)
    swapped = [
        [route[1], route[0], *route[2:]] if route is long else route
        for route in routes
    ]
    for each in (routes, turned, swapped):
        population.add(laid(INSTANCE, each))
    found = distances(population)
    # The one that differs may be the cheapest or the dearest of the three.
    other = 0 if found[0, 1] else 2
    same = [k for k in range(3) if k != other]
    assert (found[np.ix_(same, same)] == 0).all()
    assert ((found[other, same] > 0) & (found[other, same] <= 4)).all()


def test_doubles_go_first_and_the_best_stays(
    population: kernels.Population,
) -> None:
    """A generation of doubles and others leaves no double."""
    everyone = [random_routes(k % 45, INSTANCE.capacity) for k in range(66)]
    most = PARAMS.min_size + PARAMS.generation_size
    for routes in [everyone[0], *everyone[: most - 1]]:
        population.add(laid(INSTANCE, routes))
    assert len(population.members(True)) == most
    population.add(laid(INSTANCE, everyone[most - 1]))
    members = population.members(True)
    assert len(members) == PARAMS.min_size
    found = distances(population)
    np.fill_diagonal(found, 1)
    assert (found > 0).all()
    least = min(sum(map(INSTANCE.route_cost, each)) for each in everyone)
    assert members[0].length == least


def test_fitness_is_cost_and_diversity(
    population: kernels.Population,
) -> None:
    """Against the formula of the paper, for thirty members."""
    for seed in range(30):
        population.add(laid(INSTANCE, random_routes(seed, INSTANCE.capacity)))
    population.update_fitness()
    apart = distances(population).astype(float)
    np.fill_diagonal(apart, np.inf)
    near = np.sort(apart, axis=1)[:, : PARAMS.num_close].mean(axis=1)
    diversity = np.argsort(np.argsort(-near, kind="stable"))
    share = 1.0 - PARAMS.num_elite / 30
    expected = (np.arange(30) + share * diversity) / 30
    found = [member.fitness for member in population.members(True)]
    assert found == pytest.approx(expected)


def test_the_fitter_of_two_is_drawn(population: kernels.Population) -> None:
    """The best is drawn nearly twice as often as by chance."""
    for seed in range(20):
        population.add(laid(INSTANCE, random_routes(seed, INSTANCE.capacity)))
    population.update_fitness()
    fitness = sorted(member.fitness for member in population.members(True))
    seeds = np.random.default_rng(4).integers(1, 2**63, 4000)
    drawn = np.array(
        [population.select_parent(seed).fitness for seed in seeds.tolist()]
    )
    assert 0.07 < (drawn == fitness[0]).mean() < 0.13
    assert (drawn == fitness[-1]).mean() < 0.01


@pytest.mark.parametrize(
    ("within", "factor"), [(0, 1.2), (20, 1.0), (60, 0.85)]
)
def test_penalty_follows_who_keeps_the_capacity(
    population: kernels.Population, within: int, factor: float
) -> None:
    """After a hundred offspring it aims at a fifth of them."""
    for k in range(100):
        assert population.penalty == 2.5
        population.adapt_penalty(k < within)
    assert population.penalty == pytest.approx(factor * 2.5)
