"""Tests of the iterated local search."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.graph import knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import IteratedParams, iterate_routes
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.oracles.brute_force import cheapest_plan
from tests.vrp.search.calls import one_by_one, one_way, with_matrix

ITERATE = (Phase(Step.ITERATE),)


def iterated(
    instance: nr.Instance, iterations: int, *, seed: int = 1, jobs: int = 1
) -> nr.Solution:
    """Return the checked routes after some iterations from single trips."""
    run = Run(Budget.of(iterations=iterations), seed=seed, jobs=jobs)
    start = one_by_one(instance)
    found = ruin_and_recreate(instance, start, run, phases=ITERATE)
    assert nr.check_solution(instance, found) == []
    assert found.cost <= start.cost
    return found


def test_seed_and_jobs_decide() -> None:
    """Under an iteration limit nothing else does."""
    instance = generate_uchoa(120, 4, demands="1-100", route_length=7)
    first, again, other = (iterated(instance, 150, seed=s) for s in (3, 3, 4))
    assert first == again
    assert first != other
    pair = [iterated(instance, 150, seed=3, jobs=2) for _ in range(2)]
    assert pair[0] == pair[1]


@pytest.mark.parametrize(("length", "is_improved"), [(50, True), (250, False)])
def test_long_routes_are_improved_later(
    length: float, is_improved: bool
) -> None:
    """A first local search of all routes would take seconds with these."""
    instance = generate_uchoa(500, 3, route_length=length)
    first = nr.solve(instance, method="savings", polish="none")
    space = SearchSpace.of(instance, knn_graph(instance, 100), 8)
    routes = space.pack(PackedRoutes.of(first.best.routes))
    params = IteratedParams().for_search(0.0)
    search = space.load_iterated(routes, params, [1])
    assert (search.cost < first.cost) == is_improved


@pytest.mark.parametrize("kind", ["coordinates", "matrix", "one-way"])
def test_few_customers_are_served_at_least_cost(kind: str) -> None:
    """Of 70 problems all but two at most; none costs less than it can."""
    num_missed = 0
    for size, seed in itertools.product(range(1, 8), range(10)):
        instance = generate_uchoa(size, seed, route_length=2.5)
        if kind == "matrix":
            instance = with_matrix(instance)
        if kind == "one-way":
            instance = one_way(seed, size, 16)
        excess = iterated(instance, 200).cost - cheapest_plan(instance)
        assert excess > -1e-6
        num_missed += excess > 1e-6
    assert num_missed <= 2


def test_lengths_kept_and_computed_are_the_same() -> None:
    """Above 3,000 places lengths are computed; a few iterations suffice."""
    instance = generate_uchoa(3100, 5, route_length=12)
    found = iterated(instance, 20)
    assert found.cost < 0.5 * one_by_one(instance).cost


@pytest.mark.parametrize("rounding", ["none", "ceil"])
def test_unrounded_lengths(rounding: str) -> None:
    """Costs carry rounding errors, which are no gain."""
    instance = replace(
        generate_uchoa(60, 6, route_length=9), rounding=rounding
    )
    found = iterated(instance, 400)
    again = nr.Solution.from_routes(instance, found.routes)
    assert found.cost == pytest.approx(again.cost)


def test_fewer_vehicles_than_the_start_are_kept_to() -> None:
    """With two vehicles and two routes none is opened."""
    coords = np.array([[0, 0], [10, 0], [11, 0], [-10, 0], [-11, 0]])
    instance = nr.Instance(
        "two",
        np.array([0, 1, 2, 2, 1]),
        3,
        coords,
        fleet=nr.Fleet((nr.VehicleType(capacity=3, num_available=2),)),
    )
    start = nr.Solution.from_routes(instance, [[1, 3], [2, 4]])
    run = Run(Budget.of(iterations=50))
    found = ruin_and_recreate(instance, start, run, phases=ITERATE)
    assert nr.check_solution(instance, found) == []
    assert found.cost == 44.0


@pytest.mark.parametrize("rounding", ["nearest", "none"])
@pytest.mark.parametrize("route_length", [1.5, 3.0, 9.0, 40.0])
def test_edges_of_partners(route_length: float, rounding: str) -> None:
    """Edge assembly keeps the routes whole, and their cost right."""
    instance = replace(
        generate_uchoa(80, 7, route_length=route_length), rounding=rounding
    )
    space = SearchSpace.of(instance, knn_graph(instance, 40), 8)
    stop = nr.MaxIterations(300)
    alone = IteratedParams().for_search(1e-9)
    start = space.pack(PackedRoutes.of(one_by_one(instance).routes))
    partners = [
        space.unpack(
            iterate_routes(
                space, start, alone, (0.0, 0.3), [], stop, [seed]
            ).best
        )
        for seed in (1, 2, 3)
    ]
    params = IteratedParams(partner_share=1.0).for_search(1e-9)
    first = space.pack(partners[0])
    found = [
        iterate_routes(
            space, first, params, (0.3, 1.0), partners, stop, [seed]
        )
        for seed in (4, 4)
    ]
    best = space.unpack(found[0].best).to_solution(instance)
    assert nr.check_solution(instance, best) == []
    assert best.cost == pytest.approx(found[0].best_cost)
    assert best.cost <= partners[0].cost(instance) + 1e-6
    assert (found[0].best.nodes == found[1].best.nodes).all()


def test_places_that_coincide_and_no_demands() -> None:
    """Neither lengths of 0 nor loads of 0 end the search."""
    coords = np.zeros((31, 2))
    coords[1:, 0] = np.repeat([5.0, 7.0, 9.0], 10)
    demands = np.array([0, *([1, 0] * 15)])
    found = iterated(nr.Instance("flats", demands, 5, coords), 100)
    assert found.cost == 2 * 9 + 2 * 7 + 2 * 5
