"""Giant tours: crossing, cutting, and joining routes to one again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import genetic as kernels
from tests.vrp.search.test_genetic_local_search import laid, price, read

PENALTY = 3.0


def cut(
    instance: nr.Instance, order: list[int], max_routes: int
) -> kernels.LinkedRoutes:
    """Return the routes that a tour is cut into."""
    linked = laid(instance, [order, *([] for _ in range(max_routes - 1))])
    kernels.split(linked, np.array(order, dtype=np.uint32), PENALTY)
    return linked


def test_child_has_a_piece_of_the_first_and_the_order_of_the_second() -> None:
    """Order crossover, around the end of the tour as well."""
    draws = np.random.default_rng(2)
    kept = set()
    for _ in range(200):
        first, second = (
            (1 + draws.permutation(20)).astype(np.uint32) for _ in range(2)
        )
        seed = int(draws.integers(1, 2**63))
        child = kernels.cross(first, second, seed)
        assert sorted(child) == list(range(1, 21))
        options = []
        for begin, size in itertools.product(range(20), range(1, 21)):
            places = [(begin + k) % 20 for k in range(20)]
            own = [int(first[k]) for k in places[:size]]
            if [child[k] for k in places[:size]] != own:
                continue
            others = [int(second[(begin + size + k) % 20]) for k in range(20)]
            rest = [c for c in others if c not in own]
            if [child[k] for k in places[size:]] == rest:
                options.append(size)
        assert options
        kept.add(min(options))
    assert len(kept) > 5


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("max_routes", [2, 3, 10])
def test_cut_is_the_best_of_all(max_routes: int, seed: int) -> None:
    """Against every way to cut nine customers, with few routes or many."""
    instance = nr.generate_uchoa(9, seed, demands="1-10", route_length=3.0)
    order = (1 + np.random.default_rng(seed).permutation(9)).tolist()
    options = []
    for number in range(min(max_routes, 9)):
        for places in itertools.combinations(range(1, 9), number):
            bounds = [0, *places, 9]
            routes = [order[a:b] for a, b in itertools.pairwise(bounds)]
            most = max(instance.demands[route].sum() for route in routes)
            if most <= 1.5 * instance.capacity:
                options.append(price(instance, routes))
    found = read(instance, cut(instance, order, max_routes))
    if options:
        assert price(instance, found) == pytest.approx(min(options))
    visits = list(itertools.chain.from_iterable(found[::-1]))
    assert visits == order or not options


def test_too_few_routes_carry_all_the_same() -> None:
    """One route for three loads: the descent has to see to it."""
    instance = nr.generate_uchoa(9, 2, demands="1-10", route_length=3.0)
    order = list(range(1, 10))
    assert read(instance, cut(instance, order, 1)) == [order]


def test_routes_are_joined_by_direction() -> None:
    """The tour goes once around the depot."""
    instance = nr.generate_uchoa(30, 4, depot="central", route_length=5.0)
    order = np.arange(1, 31)
    routes = [part.tolist() for part in np.split(order, 6)]
    tour = laid(instance, [*routes, []]).to_tour()
    assert instance.coords is not None
    coords = instance.coords - instance.coords[0]

    def direction(route: list[int]) -> float:
        x, y = coords[route].sum(axis=0)
        return float(np.arctan2(y, x))

    expected = sorted(routes, key=direction)
    assert tour == list(itertools.chain.from_iterable(expected))
