"""Timetables against times that are worked out here once more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.timetable import TIMES, list_stops, stop_rows


def rows_of(instance: nr.Instance, solution: nr.Solution) -> list[list[Any]]:
    """Return the rows of each route."""
    rows = stop_rows(instance, solution)
    numbers = range(1, solution.num_routes + 1)
    return [[row for row in rows if row["route"] == n] for n in numbers]


def test_the_rows_of_a_plan(
    two_depots: nr.Instance, two_depots_plan: nr.Solution
) -> None:
    """Worked out by hand: customer 2, 10 away from the first, opens at 30.

    The vehicle is there at 30 where it leaves at 5: 10 on the way, 5 of
    service, 10 on the way.
    """
    first, second = rows_of(two_depots, two_depots_plan)
    times = [[row[name] for name in TIMES] for row in first]
    assert times == [
        [5, 0, 5, 5],
        [15, 0, 15, 20],
        [30, 0, 30, 35],
        [55, 0, 55, 55],
    ]
    assert [row["stop"] for row in first] == [0, 1, 2, 3]
    assert [row["kind"] for row in first] == [
        "depot", "customer", "customer", "depot",
    ]  # fmt: skip
    assert [row["id"] for row in second] == ["5", "4", "3", "5"]
    assert [row["load"] for row in first] == [7, 4, 0, 0]
    assert [row["distance"] for row in first] == [0, 10, 20, 40]
    assert {(row["vehicle"], row["vehicle_type"]) for row in second} == {
        (3, 1)
    }
    assert "vehicle_name" not in first[0]


def test_no_times_no_columns(square: nr.Instance) -> None:
    """Nor vehicles without a fleet."""
    solution = nr.Solution.from_routes(square, [[1, 4], [2, 3]])
    assert list(list_stops(square, solution)) == [
        "route", "stop", "id", "delivered", "kind", "x", "y", "load",
        "distance",
    ]  # fmt: skip


def test_the_load_is_on_board_after_the_stop(square: nr.Instance) -> None:
    """It falls by a delivery and rises by a pickup, with or without both.

    Demands of 1 and 4 are on board at the start; a pickup of 2 at customer 1
    joins the 4, and all goods leave at the depot.
    """
    solution = nr.Solution.from_routes(square, [[1, 4]])
    stops = list_stops(square, solution)
    assert stops["load"] == [5, 4, 0, 0]
    assert stops["delivered"] == [0, 1, 4, 0]
    pickups = np.zeros((5, 1), dtype=int)
    pickups[1] = 2
    loads = nr.Loads(square.demands[:, None], pickups)
    both = replace(square, loads=loads, capacity=6)
    solution = nr.Solution.from_routes(both, [[1, 4]])
    stops = list_stops(both, solution)
    assert stops["load"] == [5, 6, 2, 0]
    assert stops["picked_up"] == [0, 2, 0, 0]


def test_types_have_their_names(
    two_depots: nr.Instance, two_depots_plan: nr.Solution
) -> None:
    """One name is enough for the column."""
    fleet = two_depots.fleet
    assert fleet is not None
    van, truck = fleet.types
    named = nr.Fleet((replace(van, name="van"), truck))
    stops = list_stops(replace(two_depots, fleet=named), two_depots_plan)
    assert stops["vehicle_name"] == 4 * ["van"] + 4 * [""]


def test_vehicles_are_those_of_solution_files(
    two_depots: nr.Instance,
) -> None:
    """Vehicles 1 and 2 are of type 0; a route too many gets number 4."""
    plan = nr.Solution.from_routes(
        two_depots, [[4], [1], [2], [3]], [1, 0, 0, 0]
    )
    assert plan.vehicles(two_depots) == [3, 1, 2, 4]


def test_late_stops_say_so(two_depots: nr.Instance) -> None:
    """Customer 2 closes at 60, and the vehicle comes at 75 after another."""
    plan = nr.Solution.from_routes(two_depots, [[3, 2]], [0])
    [rows] = rows_of(two_depots, plan)
    late = rows[2]
    assert late["arrival"] > late["service_start"] == 60


def test_forbidden_arcs_have_no_distance(two_depots: nr.Instance) -> None:
    """Beyond one nothing is known, and nothing is infinite."""
    matrix = np.ones((6, 6))
    matrix[1, 2] = np.inf
    plan = nr.Solution.from_routes(two_depots, [[1, 2]], [0])
    [rows] = rows_of(replace(two_depots, matrix=matrix), plan)
    assert [row["distance"] for row in rows] == [0, 1, None, None]
    assert [row["arrival"] for row in rows][2] is None


def test_a_plan_without_routes_has_all_columns(full_load: nr.Instance) -> None:
    """Those of every load dimension."""
    found = list_stops(full_load, nr.Solution.from_routes(full_load, [], []))
    assert found["load"] == found["load 2"] == []


def test_open_routes_begin_and_end_at_customers() -> None:
    """Places at 0, 10 and 30 of a line, by a van of twice the speed.

    Customer 1 takes it 4, and others 1. An open end has no row.
    """
    van = nr.VehicleType(
        capacity=9,
        end_depot=None,
        speed_factor=2,
        service_durations=(0, 4, 0),
        unit_duration_cost=1,
        unit_driving_cost=3,
    )
    instance = nr.Instance(
        "line",
        np.array([0, 1, 2]),
        coords=np.array([[0, 0], [10, 0], [30, 0]]),
        fleet=nr.Fleet((van, replace(van, start_depot=None))),
        windows=nr.TimeWindows.of(3, service_durations=[0, 1, 1]),
    )
    plan = nr.Solution.from_routes(instance, [[1, 2], [1, 2]], [0, 1])
    first, second = rows_of(instance, plan)
    assert [[row[name] for name in TIMES] for row in first] == [
        [0, 0, 0, 0],
        [5, 0, 5, 9],
        [19, 0, 19, 19],
    ]
    assert [row["stop"] for row in second] == [1, 2]
    assert [row["load"] for row in second] == [2, 0]
    assert plan.route_costs(instance) == [30 + 19 + 3 * 15, 20 + 14 + 3 * 10]
    kinds = {each.kind for each in nr.check_solution(instance, plan)}
    assert kinds == {"duplicate"}
    late = replace(
        instance, capacity=9, fleet=nr.Fleet((replace(van, tw_late=18),))
    )
    (broken,) = nr.check_solution(
        late, nr.Solution.from_routes(late, [[1, 2]], [0])
    )
    assert broken.message == "route 1 reaches its end 1 too late"


def test_breaks_at_the_ends_of_open_routes() -> None:
    """Places 10 apart: a break at 0 at the first, one from 24 at the last."""
    van = nr.VehicleType(
        capacity=2,
        start_depot=None,
        end_depot=None,
        unit_duration_cost=1,
        breaks=(nr.Break(5, ((0, 0),)), nr.Break(7, ((24, 30),))),
    )
    instance = nr.Instance(
        "open",
        np.array([0, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [20, 0]]),
        fleet=nr.Fleet((van,)),
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    assert nr.check_solution(instance, plan) == []
    assert plan.cost == 10 + 31
    [rows] = rows_of(instance, plan)
    names = ("stop", "service_start", "departure", "distance")
    assert [[row[name] for name in names] for row in rows] == [
        [1, 0, 0, 0],
        [None, 0, 5, 0],
        [2, 15, 15, 10],
        [None, 24, 31, 10],
    ]
    # Work begins at 5 and at 16, and the second break at 28.
    own = replace(van, setup_durations=(0, 1, 2), service_durations=(0, 0, 10))
    slower = replace(instance, fleet=nr.Fleet((own, van)))
    plan = nr.Solution.from_routes(slower, [[1, 2]], [0])
    assert plan.cost == 10 + 35
    assert nr.check_solution(slower, plan) == []


NEAR = 0.9 / 6_371_008.8 * 180 / np.pi
"""Degrees of latitude that are 0.9 m long."""


@pytest.mark.parametrize(
    ("more", "setups"),
    [
        ({"coords": [[0, 0], [9, 0], [9, 0.3], [9, 0.3]]}, [0, 3, 5, 0]),
        (
            {
                "coords": [[0, 0], [9, 0], [9, NEAR], [9, 3 * NEAR]],
                "is_geographic": True,
            },
            [0, 3, 0, 7],
        ),
        ({"matrix": np.zeros((4, 4))}, [0, 3, 5, 7]),
        ({"matrix": np.zeros((4, 4)), "places": [0, 1, 1, 0]}, [0, 3, 0, 7]),
        ({"matrix": 9 * (1 - np.eye(4)), "places": [4] * 4}, [0, 0, 0, 0]),
    ],
)
def test_who_is_at_the_place_needs_no_setup(
    more: dict[str, Any], setups: list[int]
) -> None:
    """A place, not a duration, of which all are 0 or rounded to 0."""
    more = {name: np.array(own) for name, own in more.items()}
    more["is_geographic"] = bool(more.pop("is_geographic", False))
    van = nr.VehicleType(capacity=3, num_available=1, unit_duration_cost=1)
    instance = nr.Instance(
        demands=np.array([0, 1, 1, 1]),
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(4, setup_durations=[0, 3, 5, 7]),
        **more,
    )
    plan = nr.Solution.from_routes(instance, [[1, 2, 3]])
    [schedule] = plan.schedules(instance)
    assert list(schedule.setups[:4]) == setups
    assert nr.check_solution(instance, plan) == []
    assert schedule.duration == schedule.driving + sum(setups)
    result = nr.solve(instance, nr.stop.MaxIterations(20))
    assert result.cost <= plan.cost
    read = nr.Result.from_json(result.to_json()).instance
    assert read.place_of.tolist() == instance.place_of.tolist()
    new = nr.changes.AddOrder(
        {"id": "twin", "demand": 0, "service": 0},
        place=instance.node_ids[1],
    )
    after = nr.replan(
        result, [new], nr.stop.MaxIterations(5), now=None
    ).instance
    assert after.place_of[1] == after.place_of[4]
    assert after.place_of[2] == after.place_of[1] or setups[2] > 0
