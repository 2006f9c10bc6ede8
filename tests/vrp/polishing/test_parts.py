"""Tests of parts of a search: what they carry, and what they find."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import MaxIterations, TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.graph import knn_graph
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import _layout, parts, rounds
from ncc_routing.vrp.polishing._state import SearchSpace
from ncc_routing.vrp.polishing.decomposition import split_routes
from ncc_routing.vrp.polishing.parts import Part, anneal_part
from ncc_routing.vrp.polishing.rounds import anneal_in_rounds, cut_in_parts
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.polishing._annealing import Annealed

DEGREE = 20

WITHOUT_TAILS = _layout.Move(9.0, 7.0, 0.3, 0.01, 4.0, 0.0, 0.0)
"""Tails pick a near customer by its place in the list, and in a part the
list holds other customers: ruin and recreate alone is the same in both."""

FIXED_BYTES = 5000
"""Names of classes and fields, whatever the size."""


def half_of(instance: Instance) -> Part:
    """Return half of the routes of the savings method."""
    routes = PackedRoutes.of(solve_savings(instance, router=None).routes)
    half = split_routes(instance, routes, 2, np.random.default_rng(3))[0]
    graph = knn_graph(instance, DEGREE)
    return Part(instance, graph, routes.take(half))


def annealed(part: Part) -> Annealed:
    """Return the part after some thousand ruins and recreates."""
    cooling = Cooling(20.0, 1.0)
    stop = MaxIterations(3000)
    return anneal_part(part, 8, WITHOUT_TAILS, cooling, stop, [5])


def as_matrix(instance: Instance) -> Instance:
    """Return the same instance with a matrix, and no coordinates."""
    nodes = np.arange(instance.num_customers + 1)
    matrix = instance.distances(nodes, nodes)
    return replace(instance, coords=None, matrix=matrix)


@pytest.mark.parametrize("kind", ["plane", "unrounded", "matrix"])
def test_a_part_finds_what_the_whole_space_finds(kind: str) -> None:
    """The same moves, costs and routes; other customers stay away."""
    instance = generate_uchoa(400, 8, route_length=9.0)
    if kind == "unrounded":
        instance = replace(instance, rounding="none")
    if kind == "matrix":
        instance = as_matrix(instance)
    part = half_of(instance)
    space = SearchSpace.of(instance, part.graph, 8)
    shared = annealed(replace(part, space=space))
    alone = annealed(part)
    assert alone.num_iterations == shared.num_iterations == 3000
    assert alone.best_cost == pytest.approx(shared.best_cost, rel=1e-12)
    assert alone.best_cost < part.routes.cost(instance)
    for name in ("best", "current"):
        found, expected = getattr(alone, name), getattr(shared, name)
        routes = found.to_solution(instance).routes
        if kind != "matrix":  # ties are broken by the numbers of the nodes
            assert routes == expected.to_solution(instance).routes
        customers = sorted(part.routes.nodes.tolist())
        assert sorted(found.nodes.tolist()) == customers
    assert alone.best.cost(instance) == pytest.approx(alone.best_cost)


@pytest.mark.parametrize("num_customers", [600, 3000])
def test_what_a_part_carries_is_bounded_by_its_customers(
    num_customers: int,
) -> None:
    """Neighbours of 4 bytes each, and 60 bytes; not those of the others."""
    part = half_of(generate_uchoa(num_customers, 8, route_length=9.0))
    most = part.num_customers * (4 * DEGREE + 60) + FIXED_BYTES
    assert 4 * DEGREE * part.num_customers < len(pickle.dumps(part)) < most


def test_a_part_is_the_same_on_the_other_side() -> None:
    """It travels without the search space, and finds the same."""
    part = half_of(generate_uchoa(300, 2, route_length=6.0))
    space = SearchSpace.of(part.instance, part.graph, 8)
    arrived = pickle.loads(pickle.dumps(replace(part, space=space)))
    assert arrived.space is None
    assert arrived.instance.num_customers == part.num_customers
    assert arrived.cut_out() is arrived
    there, here = annealed(arrived), annealed(part)
    assert there.best.nodes.tolist() == here.best.nodes.tolist()
    assert there.best_cost == here.best_cost


def test_large_parts_follow_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More parts than jobs: feasible, repeatable, nearly as good."""
    instance = generate_uchoa(400, 8, route_length=9.0)
    start = solve_savings(instance, router=None)
    whole = ruin_and_recreate(instance, start, max_iterations=40_000)
    monkeypatch.setattr(rounds, "MAX_PART_SIZE", 60)
    runs = [
        ruin_and_recreate(instance, start, max_iterations=40_000, jobs=jobs)
        for jobs in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    for found in runs:
        assert check_solution(instance, found) == []
        assert found.cost < start.cost
        assert found.cost < 1.02 * whole.cost


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_last_round_ends_with_the_time(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """No part is left out, by a clock that moves on when it is asked."""
    monkeypatch.setattr(rounds, "MAX_PART_SIZE", 100)
    monkeypatch.setattr(rounds, "MIN_ROUND_SECONDS", 2.0)
    instance = generate_uchoa(400, 8, route_length=9.0)
    start = solve_savings(instance, router=None)
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    num_parts = len(cut_in_parts(search))
    assert num_parts == {1: 4, 2: 4, 3: 6}[jobs]
    seen: list[Part] = []

    def spy(part: Part, *rest: object) -> Annealed:
        seen.append(part)
        return anneal_part(part, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(parts, "anneal_part", spy)
    ticks = itertools.count()
    deadline = Deadline(10.0, clock=lambda: 0.01 * next(ticks))
    anneal_in_rounds(search, TimeLimit(deadline))
    assert len(seen) >= 3 * num_parts
    assert len(seen) % num_parts == 0
    assert check_solution(instance, search.best()) == []
