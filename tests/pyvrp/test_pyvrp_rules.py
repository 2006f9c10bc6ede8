"""Skills and pins as PyVRP's profiles, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pyvrp.constants import MAX_VALUE

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import to_problem_data
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import random_problem

PINS = nr.RouteConstraints(
    skills=((), ("lift",), (), ()), vehicles=(None, None, (0, 1), (2,))
)


@pytest.fixture
def ruled() -> nr.Instance:
    """Return customers at 10, 20, 30: 1 and 2 for types 0 and 1, 3 for 2."""
    able = nr.VehicleType(capacity=9, skills=("lift",), fixed_cost=1)
    return nr.Instance(
        name="ruled",
        demands=np.array([0, 1, 1, 1]),
        coords=np.array([[10 * node, 0] for node in range(4)]),
        fleet=nr.Fleet((able, able, nr.VehicleType(capacity=9))),
        constraints=PINS,
    )


def test_types_have_profiles_of_their_own(ruled: nr.Instance) -> None:
    """Equal choices share one; no edge leads to the others."""
    data = to_problem_data(ruled)
    assert [kind.profile for kind in data.vehicle_types()] == [1, 1, 2]
    assert data.distance_matrix(0)[0].tolist() == [0, 10, 20, 30]
    assert data.distance_matrix(1).tolist() == [
        [0, 10, 20, MAX_VALUE],
        [10, 0, 10, MAX_VALUE],
        [20, 10, 0, MAX_VALUE],
        [30, 20, 10, 0],
    ]
    assert data.distance_matrix(2)[0, 1:].tolist() == [*[MAX_VALUE] * 2, 30]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            nr.RouteConstraints(same_route=((1, 2),)),
            "no customers on the same",
        ),
        (
            nr.RouteConstraints(different_routes=((1, 2),)),
            "no customers on diff",
        ),
        (
            nr.RouteConstraints(districts=(-1, 0, 1, 2), max_districts=2),
            "no limits of districts",
        ),
        (
            nr.RouteConstraints(in_progress=(nr.InProgressRoute(0, (1,)),)),
            "no in-progress routes",
        ),
    ],
)
def test_other_rules_are_refused_by_name(
    ruled: nr.Instance, rules: nr.RouteConstraints, message: str
) -> None:
    """By the conversion; the polish says what it does not accept."""
    instance = replace(ruled, constraints=rules)
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        to_problem_data(instance)
    plan = nr.Solution.from_routes(instance, [[1, 2], [3]], [0, 2])
    with pytest.raises(nr.UnsupportedProblemError, match="pyvrp does not acc"):
        nr.solve(instance, polish="pyvrp", initial_solution=plan)


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("unit_driving_cost", 1, "unit driving costs"),
        ("max_driving_time", 9, "maximum driving times"),
        ("max_stops", 1, "maximum numbers of stops"),
        ("min_stops", 2, "minimum numbers of stops"),
        ("min_load", 1, "minimum loads"),
    ],
)
def test_limits_of_routes_are_refused_by_name(
    ruled: nr.Instance, field: str, value: int, name: str
) -> None:
    """PyVRP has no field for them."""
    fields: dict[str, Any] = {field: value}
    fleet = nr.Fleet((nr.VehicleType(capacity=9, **fields),))
    with pytest.raises(nr.UnsupportedProblemError, match=f"has no {name}"):
        to_problem_data(
            replace(ruled, fleet=fleet, constraints=None, capacity=9)
        )


def test_setups_that_visits_share_are_refused() -> None:
    """Those of customers who are alone at their places are services."""
    for second, times in ((2, [4, 4]), (1, [])):
        windows = nr.TimeWindows.of(
            3, service_durations=[0, 1, 1], setup_durations=[0, 3, 3]
        )
        instance = nr.Instance(
            coords=np.array([[0.0, 0], [1, 0], [second, 0]]),
            demands=np.array([0, 1, 1]),
            capacity=9,
            windows=windows,
        )
        if times:
            clients = to_problem_data(instance).clients()
            assert [each.service_duration for each in clients] == times
            continue
        with pytest.raises(nr.UnsupportedProblemError, match="visits can sha"):
            to_problem_data(instance)


def test_pyvrp_keeps_skills_and_pins() -> None:
    """It finds the best plan of three customers."""
    for seed in range(24):
        instance = random_problem(
            seed,
            ("types", "costs", "optional", "skills", "pins"),
            3,
            share=0.8,
        )
        stop, least = nr.stop.MaxIterations(30), cheapest_plan(instance)
        if least < np.inf:
            result = nr.solve(instance, stop, polish="pyvrp")
            assert result.cost == least, seed


def test_pyvrp_keeps_skills_where_distances_are_free() -> None:
    """What a vehicle may not serve is forbidden, not dear."""
    durations = np.array([[0, 9, 9], [9, 0, 2], [9, 2, 0]])
    free: dict[str, Any] = {"unit_distance_cost": 0, "unit_duration_cost": 1}
    cold = nr.VehicleType(skills=("cold",), fixed_cost=40, **free)
    instance = nr.Instance(
        matrix=2 * durations,
        durations=durations,
        demands=np.zeros(3),
        fleet=nr.Fleet((cold, nr.VehicleType(**free))),
        constraints=nr.RouteConstraints(skills=((), ("cold",), ())),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(30), polish="pyvrp")
    assert result.cost == 40 + 20
    (kind, *_) = to_problem_data(instance).vehicle_types()
    assert kind.max_distance < MAX_VALUE
