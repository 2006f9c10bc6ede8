"""Giant tours: crossing, cutting, and joining routes to one again."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.vrp.polishing.genetic import _state, _tour_kernels
from tests.vrp.polishing.calls import call
from tests.vrp.polishing.test_genetic_descent import laid, price, read

PENALTY = 3.0


def test_child_has_a_piece_of_the_first_and_the_order_of_the_second() -> None:
    """Order crossover, around the end of the tour as well."""
    problem = _state.make_problem(nr.generate_uchoa(20, 1, route_length=5.0))
    tour = _state.make_tour(problem, 3)
    draws = np.random.default_rng(2)
    rng = np.array([5], dtype=np.uint64)
    kept = set()
    for _ in range(200):
        first, second = (
            (1 + draws.permutation(20)).astype(np.uint32) for _ in range(2)
        )
        call(_tour_kernels.cross_tours, first, second, tour, rng)
        child = tour.visits.tolist()
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
@pytest.mark.parametrize("slots", [2, 3, 10])
def test_cut_is_the_best_of_all(slots: int, seed: int) -> None:
    """Against every way to cut nine customers, with few routes or many."""
    instance = nr.generate_uchoa(9, seed, demands="1-10", route_length=3.0)
    problem = _state.make_problem(instance)
    linked, tour = (
        _state.make_routes(problem, slots),
        _state.make_tour(problem, slots),
    )
    order = (1 + np.random.default_rng(seed).permutation(9)).tolist()
    tour.visits[:] = order
    options = []
    for number in range(min(slots, 9)):
        for places in itertools.combinations(range(1, 9), number):
            bounds = [0, *places, 9]
            routes = [order[a:b] for a, b in itertools.pairwise(bounds)]
            most = max(instance.demands[route].sum() for route in routes)
            if most <= 1.5 * instance.capacity:
                options.append(price(instance, routes))
    call(_tour_kernels.cut_tour, problem, linked, tour, PENALTY)
    found = read(instance, linked)
    if options:
        assert price(instance, found) == pytest.approx(min(options))
    visits = list(itertools.chain.from_iterable(found[::-1]))
    assert visits == order or not options


def test_too_few_routes_carry_all_the_same() -> None:
    """One route for three loads: the descent has to see to it."""
    instance = nr.generate_uchoa(9, 2, demands="1-10", route_length=3.0)
    problem = _state.make_problem(instance)
    linked, tour = _state.make_routes(problem, 1), _state.make_tour(problem, 1)
    call(_tour_kernels.cut_tour, problem, linked, tour, PENALTY)
    assert read(instance, linked) == [list(range(1, 10))]


def test_routes_are_joined_by_direction() -> None:
    """The tour goes once around the depot."""
    instance = nr.generate_uchoa(30, 4, depot="central", route_length=5.0)
    order = np.arange(1, 31)
    routes = [part.tolist() for part in np.split(order, 6)]
    linked = laid(instance, [*routes, []])
    problem = _state.make_problem(instance)
    visits = np.zeros(30, dtype=np.uint32)
    call(_tour_kernels.join_routes, problem, linked, visits)

    def direction(route: list[int]) -> float:
        x, y = problem.coords[route].sum(axis=0)
        return float(np.arctan2(y, x))

    expected = sorted(routes, key=direction)
    assert visits.tolist() == list(itertools.chain.from_iterable(expected))
