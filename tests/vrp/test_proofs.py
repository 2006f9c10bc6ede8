"""Proofs of optimality, against the cheapest of all plans."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators.uchoa import generate_uchoa
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import (
    FLEETS,
    LIMITS,
    RULES,
    TRAVEL,
    random_problem,
)
from tests.robustness.support import seeds
from tests.vrp.test_lower_bound import PARTS_TAKEN, small_cvrp

SHORT = nr.stop.MaxIterations(2)


def proved(instance: nr.Instance) -> nr.LowerBound:
    """Return what is proven, from a plan that is not improved."""
    start = nr.solve(instance, polish="none", allow_unserved=True)
    known = None if start.unserved else start
    return nr.lower_bound(instance, 2.0, known, prove=True)


def is_judged_right(instance: nr.Instance, seed: int) -> bool:
    """Return whether the cheapest plan is proven to be it."""
    cheapest = cheapest_plan(instance)
    if math.isinf(cheapest):
        return False
    found = proved(instance)
    assert found.lower_bound <= cheapest * (1 + 1e-9) + 1e-9, seed
    if found.best is not None:
        assert found.best.cost >= cheapest - 1e-6, seed
    is_exact = found.lower_bound >= cheapest - 1e-5 * max(1.0, cheapest)
    assert is_exact or found.relaxed, seed
    whole = instance.is_integral
    is_cheapest = found.best is not None and found.best.cost == cheapest
    assert found.is_optimal == (whole and is_exact and is_cheapest), seed
    return is_exact


def test_cvrps_are_proven() -> None:
    """Symmetric or not, whole numbers or not, customers without demand."""
    for seed in seeds(1060, step=101):
        assert is_judged_right(small_cvrp(seed), seed)


def test_a_proof_beside_the_search_ends_it() -> None:
    """The cheapest plan is returned, long before the limit."""
    for seed in seeds(1060, step=211):
        instance = small_cvrp(seed)
        cheapest = cheapest_plan(instance)
        found = nr.solve(instance, time_limit=60, bound_seconds=60, jobs=2)
        assert found.cost == pytest.approx(cheapest)
        assert found.lower_bound == pytest.approx(cheapest, rel=1e-5)
        assert found.is_optimal == instance.is_integral
        assert not found.interrupted


def test_a_better_plan_of_the_bound_is_taken() -> None:
    """The search has hardly begun; prizes are real numbers on their way."""
    for seed in range(2):
        base = generate_uchoa(18, seed)
        prizes = np.where(np.arange(19) % 3 == 1, 300, 0)
        optional = nr.Selection(prizes, np.arange(19) % 3 != 1)
        for instance in (base, replace(base, selection=optional)):
            alone, beside = (
                nr.solve(instance, SHORT, bound_seconds=20, jobs=jobs)
                for jobs in (1, 2)
            )
            assert alone.is_optimal
            assert beside.is_optimal
            assert beside.cost == alone.cost
            assert not beside.interrupted


def test_equal_costs_are_no_escape() -> None:
    """Customers at the same places have many plans of the same cost."""
    for seed in seeds(1030, step=101):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(6, 9))
        instance = nr.Instance(
            "tied",
            np.append(0, rng.integers(1, 3, size - 1)),
            int(rng.integers(3, 7)),
            coords=10 * rng.integers(0, 3, (size, 2)),
        )
        assert is_judged_right(instance, seed), seed


@pytest.mark.parametrize(
    "parts",
    [
        FLEETS,
        PARTS_TAKEN + LIMITS,
        PARTS_TAKEN + RULES,
        FLEETS + TRAVEL,
    ],
)
def test_only_optimal_plans_are_proven(parts: tuple[str, ...]) -> None:
    """All are, where nothing is left out."""
    exact = [
        is_judged_right(random_problem(seed, parts), seed)
        for seed in seeds(1060, step=101)
    ]
    assert any(exact)


@pytest.fixture(scope="module")
def short_routes() -> nr.Instance:
    """Sixty customers, four of them on a route."""
    return generate_uchoa(60, seed=2, route_length=4.0)


def test_a_proof_finds_the_optimum(short_routes: nr.Instance) -> None:
    """From savings, by labels, enumeration and branching alone."""
    start = nr.solve(short_routes, method="savings", polish="none")
    found = nr.solve(
        short_routes, method="savings", polish="none", bound_seconds=60.0
    )
    assert found.cost < start.cost
    assert found.is_optimal
    assert "optimal: proven in" in found.summary()
    assert nr.Result.from_json(found.to_json()).is_optimal
    assert not start.is_optimal


def test_whom_a_plan_left_out_the_proof_may_serve() -> None:
    """Each customer has one arc, on a tour that no insertion finds."""
    matrix = np.full((14, 14), np.inf)
    tour = (0, 4, 13, 3, 10, 8, 6, 5, 9, 12, 1, 7, 2, 11, 0)
    matrix[tour[:-1], tour[1:]] = 10.0
    van = nr.VehicleType(capacity=13, num_available=1)
    instance = nr.Instance(
        "ring",
        np.arange(14).clip(max=1),
        matrix=matrix,
        fleet=nr.Fleet((van,)),
    )
    start = nr.solve(instance, polish="none", allow_unserved=True)
    assert start.unserved
    found = nr.solve(
        instance, polish="none", allow_unserved=True, bound_seconds=60.0
    )
    assert found.routes == (tour[1:-1],)
    assert not found.unserved
    assert found.is_optimal
    assert found.trace[-1].cost == found.cost
    assert found.runtime >= found.stages[-1].seconds


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_bound_is_that_of_a_plan_without_all(jobs: int) -> None:
    """The bound of plans that serve all is above a plan that does not."""
    van = nr.VehicleType(capacity=2, num_available=2)
    instance = nr.Instance(
        "short",
        np.array([0, 1, 1, 1, 1, 1]),
        coords=np.array([(0, 0), (10, 0), (12, 0), (0, 9), (5, 5), (0, 20)]),
        fleet=nr.Fleet((van,)),
    )
    found = nr.solve(
        instance, SHORT, allow_unserved=True, bound_seconds=0.2, jobs=jobs
    )
    assert len(found.unserved) == 1
    assert found.lower_bound is None
    assert not found.is_optimal


@pytest.mark.parametrize("unit", [1.0, 1e9, 1e12])
def test_prizes_above_all_lengths_are_proven(unit: float) -> None:
    """One stop of the only vehicle is for a customer who must be served."""
    instance = nr.Instance(
        "prizes",
        np.array([0, 1, 1, 1]),
        matrix=np.zeros((4, 4)),
        fleet=nr.Fleet((nr.VehicleType(num_available=1, max_stops=2),)),
        selection=nr.Selection(
            unit * np.array([0, 512, 256, 0]), np.arange(4) == 3
        ),
    )
    found = proved(instance)
    assert found.is_optimal
    assert found.lower_bound == 256.0 * unit


def test_vehicles_too_small_for_any_customer_prove_nothing() -> None:
    """All loads are multiples of 9; the cheap vehicle has room for 8."""
    types = (
        nr.VehicleType(capacity=8),
        nr.VehicleType(capacity=18, fixed_cost=50),
    )
    instance = nr.Instance(
        "small",
        np.array([0, 9, 9]),
        matrix=5.0 - 5.0 * np.eye(3),
        fleet=nr.Fleet(types),
    )
    found = proved(instance)
    assert found.is_optimal
    assert found.lower_bound == 65.0
