"""Customers that no vehicle can serve, and what is said about them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.time_form import TimeForm

NINE_AWAY: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "window": (
        {},
        {"tw_late": [100, 50, 8]},
        "it is reached at 9 at the earliest, after its window from 0 to 8",
    ),
    "start": (
        {"tw_early": 10},
        {"tw_late": [9, 50, 50]},
        "its vehicle starts at 10 at the earliest, after its depot closes at "
        "9",
    ),
    "return": (
        {"tw_late": 17},
        {},
        "a vehicle is back at 18 at the earliest, after its end at 17",
    ),
    "release": (
        {"start_late": 20},
        {"release_times": [0, 0, 21]},
        "its goods are released at 21, after the latest start at 20",
    ),
    "shift": (
        {"shift_duration": 19.5},
        {"service_durations": [0, 0, 2]},
        "its route alone takes 20, with shifts of at most 19.5",
    ),
    "distance": (
        {"max_distance": 17},
        {},
        "its route alone is 18 long, with a maximum distance of 17",
    ),
}
"""What keeps a vehicle from a customer 9 away, and how it is told."""

IN_TIME: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "window": ({}, {"tw_late": [100, 50, 9]}),
    "start": ({"tw_early": 10}, {"tw_late": [28, 50, 50]}),
    "return": ({"tw_late": 18}, {}),
    "release": ({"start_late": 20}, {"release_times": [0, 0, 20]}),
    "shift": ({"shift_duration": 20}, {"service_durations": [0, 0, 2]}),
    "distance": ({"max_distance": 18}, {}),
}
"""The least change that lets it serve the customer."""


def nine_away(vehicle: dict[str, Any], times: dict[str, Any]) -> nr.Instance:
    """Return a depot, a customer 3 away, and one with a demand 9 away."""
    return nr.Instance(
        "late",
        np.array([0, 0, 1]),
        5,
        np.array([[0, 0], [0, 3], [0, 9]]),
        windows=nr.TimeWindows.of(3, **times),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, **vehicle),)),
        ids=("home", "1st", "Main St"),
    )


@pytest.mark.parametrize("kind", NINE_AWAY)
def test_the_limit_that_is_broken_is_told(kind: str) -> None:
    """With its numbers and the id, as ``solve`` tells it before a search."""
    vehicle, times, why = NINE_AWAY[kind]
    instance = nine_away(vehicle, times)
    *others, found = nr.diagnose(instance).fatal
    assert (found.kind, found.customers) == (kind, (2,))
    assert found.ids == ("Main St",)
    told = f"no vehicle can serve customer 2 (id Main St): {why}"
    assert found.message == told
    with pytest.raises(nr.InfeasibleError) as error:
        nr.solve(instance, time_limit=60.0)
    if kind == "start":  # the other customer cannot be served either
        [other] = others
        told = f"{other.message} (and 1 more: see diagnose)"
    assert str(error.value) == f"late: {told}."


@pytest.mark.parametrize("kind", IN_TIME)
def test_a_limit_that_is_just_kept_is_none(kind: str) -> None:
    """One unit more, and the customer can be served."""
    instance = nine_away(*IN_TIME[kind])
    assert nr.diagnose(instance).fatal == ()
    assert nr.solve(instance, time_limit=0.1).best.num_routes > 0


def test_a_service_longer_than_the_shift_is_told() -> None:
    """The vehicle would be back at 9 + 31 + 9; its shift is 30 long."""
    vehicle = {"tw_early": 0, "tw_late": 30}
    times = {"service_durations": [0, 0, 31]}
    instance = nine_away(vehicle, times)
    [found] = nr.diagnose(instance).fatal
    assert found.message == (
        "no vehicle can serve customer 2 (id Main St): its service takes 31, "
        "longer than the time from 0 to the end at 30"
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    assert [each.message for each in nr.check_solution(instance, plan)] == [
        "route 1 reaches its depot 19 too late: the service at customer 2 "
        "(id Main St) takes 31, longer than the shift of 30"
    ]
    [found] = nr.diagnose(
        nine_away(vehicle, {"service_durations": [0, 0, 30]})
    ).fatal
    assert "a vehicle is back at 48 at the earliest" in found.message


def test_waiting_counts_for_the_shift() -> None:
    """A start until 10 and a window from 50 on: 10 to 59 are 49."""
    times = {"tw_early": [0, 0, 50], "tw_late": [90, 90, 90]}
    vehicle = {"start_late": 10, "shift_duration": 48}
    [found] = nr.diagnose(nine_away(vehicle, times)).fatal
    assert found.kind == "shift"
    assert found.numbers["duration"] == 49
    vehicle["shift_duration"] = 49
    assert nr.diagnose(nine_away(vehicle, times)).fatal == ()


def test_times_are_told_as_the_user_writes_them() -> None:
    """Opens at 14:00, 9 minutes away, 5 minutes of service."""
    form = TimeForm("clock")
    hour = 3600
    instance = nr.Instance(
        "day",
        np.array([0, 1]),
        5,
        matrix=np.array([[0, 540], [540, 0]]),
        windows=nr.TimeWindows.of(
            2, tw_early=[0, 14 * hour], service_durations=[0, 300]
        ),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, tw_late=14 * hour),)),
        time_form=form,
        ids=("home", "Miller"),
    )
    [found] = nr.diagnose(instance).fatal
    assert found.message == (
        "no vehicle can serve customer 1 (id Miller): its window opens at "
        "14:00, and a vehicle is back at 14:14 at the earliest, after its end "
        "at 14:00"
    )
    assert found.numbers["earliest_return"] == 14 * hour + 840
    assert found.numbers["latest_return"] == found.numbers["opens"]
    assert "closes" not in found.numbers  # there is no limit


def test_the_vehicle_that_comes_nearest_is_judged() -> None:
    """The van is in time and too far away, the bike is late."""
    instance = nr.Instance(
        "two",
        np.array([0, 3]),
        5,
        np.array([[0, 0], [0, 9]]),
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=3, tw_late=10, name="bike"),
                nr.VehicleType(capacity=5, max_distance=17, name="van"),
            )
        ),
    )
    [found] = nr.diagnose(instance).fatal
    assert found.message == (
        "no vehicle can serve customer 1: its route alone is 18 long, with a "
        "maximum distance of 17 (vehicle type 1, van)"
    )


@pytest.mark.parametrize(("demand", "is_lost"), [(4, True), (3, False)])
def test_a_demand_too_large_for_those_in_reach(
    demand: int, is_lost: bool
) -> None:
    """The bike carries 3, and the van is never back in time."""
    instance = nr.Instance(
        "two",
        np.array([0, demand]),
        5,
        np.array([[0, 0], [0, 9]]),
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=3),
                nr.VehicleType(capacity=5, tw_late=17),
            )
        ),
    )
    found = nr.diagnose(instance).fatal
    assert [each.kind for each in found] == ["demand"] * is_lost
    for each in found:
        assert each.message.endswith(
            "its demand of 4 is above 3, the largest capacity of the vehicles "
            "that could serve it otherwise; of the larger ones, a vehicle is "
            "back at 18 at the earliest, after its end at 17 (vehicle type 1)"
        )


def test_a_path_over_others_may_be_shorter() -> None:
    """Customer 2 is 50 away, and 4 + 4 over customer 1, whose service is 1."""
    matrix = np.array([[0, 4, 50], [4, 0, 4], [50, 4, 0]])

    def problem(closes: int) -> nr.Instance:
        return nr.Instance(
            "detour",
            np.array([0, 1, 1]),
            5,
            matrix=matrix,
            windows=nr.TimeWindows.of(
                3, tw_late=[100, 100, closes], service_durations=[0, 1, 0]
            ),
            fleet=nr.Fleet((nr.VehicleType(capacity=5),)),
        )

    assert nr.diagnose(problem(9)).fatal == ()
    assert nr.solve(problem(9), time_limit=0.1).cost == 4 + 4 + 50
    [found] = nr.diagnose(problem(8)).fatal
    assert found.numbers["earliest_arrival"] == 9


def test_forbidden_arcs() -> None:
    """Nobody comes to 1; 2 and 3 have arcs to each other alone; 4 is well."""
    no = np.inf
    matrix = np.array(
        [
            [0, no, no, no, 1],
            [1, 0, no, no, 1],
            [no, no, 0, 1, no],
            [no, no, 1, 0, no],
            [1, no, no, no, 0],
        ]
    )
    ids = ("home", "A", "B", "C", "D")
    instance = nr.Instance(
        "islands", np.array([0, 1, 1, 1, 1]), 5, matrix=matrix, ids=ids
    )
    one, group = nr.diagnose(instance).fatal
    assert (one.kind, one.ids) == ("arc", ("A",))
    assert (group.kind, group.ids) == ("group", ("B", "C"))
    assert group.message == (
        "forbidden arcs leave no way there from a depot, or none back, to 2 "
        "customers that are connected with each other: customer 2 (id B), "
        "customer 3 (id C)"
    )
    with pytest.raises(nr.InfeasibleError) as error:
        nr.solve(instance)
    assert str(error.value) == (
        "islands: no vehicle can serve customer 1 (id A): forbidden arcs "
        "leave no way there from a depot, or none back (and 1 more: see "
        "diagnose)."
    )


def test_of_many_customers_each_is_found() -> None:
    """Customers 2 to 5 are too far; ``solve`` names the first."""
    instance = nr.Instance(
        "far",
        np.array([0, 1, 1, 1, 1, 1]),
        5,
        np.array([[0, y] for y in (0, 1, 6, 7, 8, 9)]),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, max_distance=10),)),
    )
    found = nr.diagnose(instance).fatal
    assert [each.customers for each in found] == [(2,), (3,), (4,), (5,)]
    assert [each.numbers["distance"] for each in found] == [12, 14, 16, 18]
    with pytest.raises(nr.InfeasibleError) as error:
        nr.solve(instance)
    assert str(error.value) == (
        "far: no vehicle can serve customer 2: its route alone is 12 long, "
        "with a maximum distance of 10 (and 3 more: see diagnose)."
    )
