"""Parts of the routes: how they are cut, what they carry and find."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.cooling import Cooling
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.routes.route_parts import split_routes
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search import rounds
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import anneal_routes
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.rounds import (
    cut_in_parts,
    search_in_rounds,
)
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.subproblem import Found, Subproblem
from tests.vrp.search.calls import search_params, with_matrix

DEGREE = 20

RUIN_ALONE = search_params()
"""The other moves pick a near customer by its place in the list, and in a part
the list holds other customers: ruin and recreate alone is the same in both."""


def measures(routes: PackedRoutes) -> tuple[np.ndarray, np.ndarray]:
    """Return what cuts routes into parts."""
    return routes.middles, routes.sizes


def half_of(instance: nr.Instance) -> Subproblem:
    """Return half of the routes of the savings method."""
    routes = PackedRoutes.of(solve_savings(instance, router=None).routes)
    half = split_routes(
        instance, *measures(routes), 2, np.random.default_rng(3)
    )[0]
    graph = knn_graph(instance, DEGREE)
    return Subproblem(instance, graph, routes.take(half), 8)


def annealed(part: Subproblem) -> Found:
    """Return the part after some thousand ruins and recreates."""
    cooling = Cooling(20.0, 1.0)
    stop = nr.stop.MaxIterations(3000)
    return part.search(anneal_routes, RUIN_ALONE, cooling, stop, [5])


@pytest.mark.parametrize("kind", ["plane", "unrounded", "matrix"])
def test_a_part_finds_what_the_whole_space_finds(kind: str) -> None:
    """The same moves, costs and routes; other customers stay away."""
    instance = generate_uchoa(400, 8, route_length=9.0)
    if kind == "unrounded":
        instance = replace(instance, rounding="none")
    if kind == "matrix":
        instance = with_matrix(instance)
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


def test_large_parts_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """More parts than jobs: feasible, repeatable, nearly as good."""
    instance = generate_uchoa(400, 8, route_length=9.0)
    start = solve_savings(instance, router=None)
    whole = ruin_and_recreate(
        instance, start, Run(Budget.of(iterations=16_000))
    )
    monkeypatch.setattr(rounds, "MAX_PART_SIZE", 60)
    runs = [
        ruin_and_recreate(
            instance, start, Run(Budget.of(iterations=16_000), jobs=jobs)
        )
        for jobs in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    for found in runs:
        assert nr.check_solution(instance, found) == []
        assert found.cost < start.cost
        assert found.cost < 1.02 * whole.cost


@pytest.mark.parametrize(
    ("step", "jobs", "num_parts"),
    [
        (Step.ANNEAL, 1, 4),
        (Step.ANNEAL, 2, 4),
        (Step.ANNEAL, 3, 6),
        (Step.ITERATE, 2, 2),
        (Step.ITERATE, 3, 3),
    ],
)
def test_last_round_ends(
    monkeypatch: pytest.MonkeyPatch, step: Step, jobs: int, num_parts: int
) -> None:
    """No part is left out, by a clock that moves on when it is asked."""
    monkeypatch.setattr(rounds, "MAX_PART_SIZE", 100)
    monkeypatch.setattr(rounds, "MIN_ROUND_SECONDS", 2.0)
    instance = generate_uchoa(400, 8, route_length=9.0)
    start = solve_savings(instance, router=None)
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    assert len(cut_in_parts(search, step)) == num_parts
    ticks = itertools.count()
    deadline = TimeLimit(10.0, clock=lambda: 0.01 * next(ticks))
    search_in_rounds(search, Phase(step), Budget(deadline))
    waves = num_parts // jobs
    assert search.num_rounds >= 3 * waves
    assert search.num_rounds % waves == 0
    assert nr.check_solution(instance, search.best()) == []
