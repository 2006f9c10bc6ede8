"""Moves of the genetic search against routes that are priced anew."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import genetic as kernels
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.genetic import _state

PENALTY = 3.0

Routes = list[list[int]]


def problem_of(instance: nr.Instance) -> kernels.Problem:
    """Return what the kernels know of an instance."""
    return _state.make_problem(instance, _state.make_matrix(instance))


def laid(instance: nr.Instance, routes: Routes) -> kernels.LinkedRoutes:
    """Return the state of some routes, empty ones among them."""
    packed = PackedRoutes.of(routes)
    return kernels.LinkedRoutes(problem_of(instance), len(routes), *packed)


def read(instance: nr.Instance, linked: kernels.LinkedRoutes) -> Routes:
    """Return the routes of a state, after a look at all that is in it."""
    assert linked.is_consistent()
    packed = PackedRoutes(*linked.current_routes())
    found = [list(route) for route in packed.to_solution(instance).routes]
    assert sorted(itertools.chain.from_iterable(found)) == list(
        range(1, instance.num_customers + 1)
    )
    length = sum(map(instance.route_cost, found))
    loads = [int(instance.demands[route].sum()) for route in found]
    excess = sum(max(0, load - instance.capacity) for load in loads)
    measured, exceeded = linked.measure()
    assert measured == pytest.approx(length)
    assert exceeded == excess
    return found


def price(instance: nr.Instance, routes: Routes) -> float:
    """Return length and penalty of routes."""
    loads = [int(instance.demands[route].sum()) for route in routes if route]
    over = sum(max(0, load - instance.capacity) for load in loads)
    return sum(map(instance.route_cost, filter(None, routes))) + PENALTY * over


def random_routes(instance: nr.Instance, num_routes: int, seed: int) -> Routes:
    """Return random routes, the last one empty."""
    rng = np.random.default_rng(seed)
    order = 1 + rng.permutation(instance.num_customers)
    cuts = np.sort(rng.integers(0, len(order) + 1, num_routes - 2))
    return [*(part.tolist() for part in np.split(order, cuts)), []]


def placed(
    routes: Routes, piece: list[int], behind: int | None, b: int
) -> Routes:
    """Return routes with some customers behind another one of route ``b``."""
    rest = [[c for c in route if c not in piece] for route in routes]
    at = 0 if behind is None else rest[b].index(behind) + 1
    rest[b][at:at] = piece
    return rest


def swapped(routes: Routes, own: list[int], other: list[int]) -> list[Routes]:
    """Return routes with two pieces swapped, none where they are adjacent."""
    both = {*own, *other}
    if len(both) < len(own) + len(other) or any(
        {*route[k : k + len(both)]} == both
        for route in routes
        for k in range(len(route))
    ):
        return []
    instead: dict[int, list[int]] = {c: [] for c in both}
    instead |= {own[0]: other, other[0]: own}
    return [
        [
            list(itertools.chain.from_iterable(instead.get(c, [c]) for c in r))
            for r in routes
        ]
    ]


def turned(routes: Routes, a: int, b: int, i: int, j: int) -> list[Routes]:
    """Return routes with ends exchanged, or one with a piece turned round."""
    first, second = routes[a], routes[b]
    if a == b:
        new = first[: i + 1] + first[i + 1 : j + 1][::-1] + first[j + 1 :]
        options = [{a: new}] if i < j else []
    else:
        head, tail = first[: i + 1], first[i + 1 :]
        start, end = second[: j + 1], second[j + 1 :]
        options = [
            {a: head + end, b: start + tail},
            {a: head + start[::-1], b: tail[::-1] + end},
        ]
    return [
        [each.get(k, route) for k, route in enumerate(routes)]
        for each in options
    ]


def neighbourhood(
    routes: Routes, u: int, v: int | None, b: int
) -> list[Routes]:
    """Return all routes that one move of ``u`` and ``v`` can lead to.

    ``v`` is a customer of route ``b``, or ``None`` for its depot.
    """
    a = next(k for k, route in enumerate(routes) if u in route)
    i = routes[a].index(u)
    j = -1 if v is None else routes[b].index(v)
    pair = routes[a][i : i + 2]
    found = [placed(routes, [u], v, b), *turned(routes, a, b, i, j)]
    is_behind = a == b and i == j + 1
    if len(pair) == 2 and v not in pair and not is_behind:
        found += [placed(routes, pair, v, b), placed(routes, pair[::-1], v, b)]
    if v is not None:
        other = routes[b][j : j + 2]
        found += swapped(routes, [u], [v])
        if len(pair) == 2:
            found += swapped(routes, pair, [v])
            if len(other) == 2:
                found += swapped(routes, pair, other)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_best_move_is_the_best_of_all_and_worth_it(seed: int) -> None:
    """Every customer with every node, against routes priced from scratch."""
    instance = nr.generate_uchoa(14, seed, demands="1-10", route_length=4.0)
    routes = random_routes(instance, 5, seed)
    before = price(instance, routes)
    kinds = set()
    pairs = itertools.product(range(1, 15), range(1, 15 + len(routes)))
    for u, v in pairs:
        if u == v:
            continue
        linked = laid(instance, routes)
        b = v - 15
        if v < 15:
            b = next(k for k, route in enumerate(routes) if v in route)
        other = v if v < 15 else None
        options = [
            price(instance, each) - before
            for each in neighbourhood(routes, u, other, b)
        ]
        kind, change = kernels.make_best_move(linked, u, v, PENALTY)
        if kind == 0:
            assert read(instance, linked) == [r for r in routes if r]
            # A pair of customers is swapped in one order only.
            if u < v or other is None:
                assert min(options, default=0.0) > -1e-5
            continue
        kinds.add(kind)
        after = price(instance, read(instance, linked))
        assert after - before == pytest.approx(change)
        if u < v:
            assert change == pytest.approx(min(options))
        else:
            assert change >= min(options) - 1e-5
    assert len(kinds) > 4


@pytest.mark.parametrize("seed", range(8))
def test_swap_star_takes_the_best_of_all(seed: int) -> None:
    """Two customers change routes, or one goes, each to its best place."""
    instance = nr.generate_uchoa(12, seed, demands="1-10", route_length=6.0)
    rng = np.random.default_rng(seed)
    order = (1 + rng.permutation(12)).tolist()
    routes = [order[:5], order[5:]]

    def insertions(customer: int, route: list[int]) -> list[list[int]]:
        return [
            [*route[:k], customer, *route[k:]] for k in range(len(route) + 1)
        ]

    options = []
    for u, v in itertools.product([*routes[0], None], [*routes[1], None]):
        rest = [[c for c in r if c not in (u, v)] for r in routes]
        firsts = [rest[0]] if v is None else insertions(v, rest[0])
        seconds = [rest[1]] if u is None else insertions(u, rest[1])
        options.append(
            min(
                price(instance, [a, b])
                for a, b in itertools.product(firsts, seconds)
            )
        )
    linked = laid(instance, routes)
    has_moved = kernels.swap_star(linked, 0, 1, PENALTY)
    after = price(instance, read(instance, linked))
    assert has_moved == (after < price(instance, routes))
    assert after == pytest.approx(min(options))


@pytest.mark.parametrize("route_length", [4.0, 25.0])
def test_local_search_ends_where_no_move_shortens(route_length: float) -> None:
    """It never lengthens, and a second one changes nothing."""
    instance = nr.generate_uchoa(
        60, 8, demands="1-10", route_length=route_length
    )
    routes = random_routes(instance, _state.max_num_routes(instance, 1), 8)
    linked = laid(instance, routes)
    before = price(instance, routes)
    kernels.improve_locally(linked, PENALTY, 9)
    found = read(instance, linked)
    assert price(instance, found) < 0.8 * before
    kernels.improve_locally(linked, PENALTY, 9)
    assert read(instance, linked) == found
    problem = problem_of(instance)
    for u in range(1, 61):
        for v in problem.neighbours_of(u):
            kind, _ = kernels.make_best_move(linked, u, v, PENALTY)
            assert kind == 0


def test_local_search_empties_a_needless_route() -> None:
    """A high penalty spreads a full route, a low one fills it."""
    instance = nr.generate_uchoa(30, 3, demands="unitary", route_length=10.0)
    routes = [list(range(1, 31)), [], [], [], []]
    linked = laid(instance, routes)
    kernels.improve_locally(linked, 1e6, 9)
    found = read(instance, linked)
    assert max(map(len, found)) <= instance.capacity
    kernels.improve_locally(linked, 0.0, 9)
    assert len(read(instance, linked)) < len(found)
