"""The kinds of problems that PyVRP's documentation shows, built anew.

Those that an instance can hold run through ``warm_start``, the others are
refused by name.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
import pyvrp

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.vrp.solve import supports, warm_start

PLACES = [
    (50, 50), (12, 8), (31, 5), (66, 9), (93, 14), (5, 33), (28, 29),
    (71, 34), (95, 41), (9, 60), (33, 68), (64, 71), (90, 63), (14, 92),
    (41, 88), (69, 95), (88, 86),
]  # fmt: skip
"""A depot and sixteen customers."""

LOADS = [0, 1, 1, 2, 4, 2, 4, 8, 8, 1, 2, 1, 2, 4, 4, 8, 8]
OPENINGS = [0, 7, 10, 16, 10, 0, 5, 0, 5, 0, 10, 10, 0, 5, 7, 10, 11]


def city(num_depots: int = 1) -> tuple[pyvrp.Model, list[pyvrp.Location]]:
    """Return a model of streets between all places; depots come first."""
    model = pyvrp.Model()
    places = [model.add_location(x, y) for x, y in PLACES]
    for place in places[:num_depots]:
        model.add_depot(place)
    add_streets(model, places)
    return model, places[num_depots:]


def add_streets(
    model: pyvrp.Model,
    places: list[pyvrp.Location],
    profile: Any = None,
    pace: int = 1,
) -> None:
    """Add the way along the streets for each pair; it takes its length."""
    for start, end in permutations(places, 2):
        length = int(abs(start.x - end.x) + abs(start.y - end.y))
        model.add_edge(start, end, length, pace * length, profile)


def limited_fleet() -> pyvrp.Model:
    """Return four vehicles of capacity 15 for loads of 60 in all."""
    model, customers = city()
    for place, load in zip(customers, LOADS[1:], strict=True):
        model.add_client(place, delivery=load)
    model.add_vehicle_type(4, capacity=15)
    return model


def time_windows() -> pyvrp.Model:
    """Return windows of 200 for everyone, and vehicles that finish by 600."""
    model, customers = city()
    for place, opening in zip(customers, OPENINGS[1:], strict=True):
        early = 15 * opening
        model.add_client(
            place, tw_early=early, tw_late=early + 200, service_duration=10
        )
    model.add_vehicle_type(6, tw_early=0, tw_late=600)
    return model


def several_depots() -> pyvrp.Model:
    """Return two depots with two vehicles each, and windows."""
    model, customers = city(num_depots=2)
    for place, opening in zip(customers, OPENINGS[2:], strict=True):
        model.add_client(place, tw_early=opening, tw_late=opening + 400)
    for depot in model.depots:
        model.add_vehicle_type(2, start_depot=depot, end_depot=depot)
    return model


def several_types() -> pyvrp.Model:
    """Return large and small vehicles with costs of their own."""
    model, customers = city()
    for place, load in zip(customers, LOADS[1:], strict=True):
        model.add_client(place, delivery=load)
    model.add_vehicle_type(3, capacity=20, fixed_cost=100)
    model.add_vehicle_type(6, capacity=10, fixed_cost=40)
    return model


def profiles() -> pyvrp.Model:
    """Return cars, and bicycles that take twice as long."""
    model, customers = city()
    slow = model.add_profile()
    add_streets(model, model.locations, slow, pace=2)
    for place, load in zip(customers, LOADS[1:], strict=True):
        model.add_client(place, delivery=load)
    model.add_vehicle_type(4, capacity=15, shift_duration=500)
    model.add_vehicle_type(4, capacity=9, profile=slow, shift_duration=700)
    return model


def shift_costs() -> pyvrp.Model:
    """Return vehicles whose hours and kilometres are limited and paid."""
    model, customers = city()
    for place in customers:
        model.add_client(place, service_duration=15)
    model.add_vehicle_type(
        5,
        shift_duration=320,
        max_distance=300,
        unit_duration_cost=2,
        fixed_cost=30,
    )
    return model


def salesman() -> pyvrp.Model:
    """Return one vehicle that visits everyone."""
    model, customers = city()
    for place in customers:
        model.add_client(place)
    model.add_vehicle_type(1)
    return model


def release_times() -> pyvrp.Model:
    """Return goods that come into the depot during the day."""
    model, customers = city()
    for idx, place in enumerate(customers):
        model.add_client(place, release_time=20 * (idx % 4), tw_late=600)
    model.add_vehicle_type(5)
    return model


@pytest.mark.parametrize(
    "build",
    [
        limited_fleet,
        time_windows,
        several_depots,
        several_types,
        profiles,
        shift_costs,
        salesman,
        release_times,
    ],
)
def test_examples_get_a_start(build: Any) -> None:
    """It is complete and feasible, and PyVRP goes on from it."""
    model = build()
    if supports(model):
        pytest.skip(f"no method takes it: {supports(model)}")
    start = warm_start(model, time_limit=0.5, seed=1)
    assert start.is_feasible()
    assert start.is_complete()
    data = model.data()
    found = pyvrp.solve(
        data,
        pyvrp.stop.MaxIterations(50),
        display=False,
        initial_solution=start,
    )
    assert found.is_feasible()


def prizes() -> pyvrp.Model:
    """Return customers that need not be visited."""
    model, customers = city()
    for place in customers:
        model.add_client(place, prize=30, required=False)
    model.add_vehicle_type(1, max_distance=200)
    return model


def pickups() -> pyvrp.Model:
    """Return goods that are brought and taken away."""
    model, customers = city()
    for place, load in zip(customers, LOADS[1:], strict=True):
        model.add_client(place, delivery=load, pickup=1)
    model.add_vehicle_type(5, capacity=15)
    return model


def groups() -> pyvrp.Model:
    """Return two places for one customer."""
    model, customers = city()
    group = model.add_client_group()
    for place in customers[:2]:
        model.add_client(place, required=False, group=group)
    for place in customers[2:]:
        model.add_client(place)
    model.add_vehicle_type(2)
    return model


def reloads() -> pyvrp.Model:
    """Return vehicles that may load again on the way."""
    model, customers = city()
    for place, load in zip(customers, LOADS[1:], strict=True):
        model.add_client(place, delivery=load)
    model.add_vehicle_type(2, capacity=15, reload_depots=[model.depots[0]])
    return model


@pytest.mark.parametrize(
    ("build", "feature"),
    [
        (prizes, "optional clients"),
        (pickups, "pickups"),
        (groups, "client groups"),
        (reloads, "reload depots"),
    ],
)
def test_examples_that_are_refused(build: Any, feature: str) -> None:
    """By name, and before any work."""
    model = build()
    assert any(reason.startswith(feature) for reason in supports(model))
    with pytest.raises(UnsupportedProblemError, match="not supported"):
        warm_start(model)
