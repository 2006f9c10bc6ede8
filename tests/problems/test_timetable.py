"""Timetables against times that are worked out here once more."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.problems.timetable import TIMES, list_stops, stop_rows


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
        "route", "stop", "kind", "id", "x", "y", "delivered", "load",
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


def problems() -> dict[str, nr.Instance]:
    """Return problems with windows, fleets, depots, releases, durations."""
    windows = generate_time_windows(40, 1)
    times = windows.windows
    assert times is not None
    depots = generate_depots(40, 2, 3)
    releases = times.tw_early // 3 * (np.arange(41) % 3 == 0)
    released = replace(
        windows,
        windows=replace(times, release_times=releases),
        durations=np.asarray(windows.distances(range(41), range(41))) * 1.25,
        fleet=nr.Fleet(
            (
                nr.VehicleType(
                    capacity=windows.capacity, unit_duration_cost=3, name="day"
                ),
            )
        ),
    )
    loading = np.array(times.service_durations)
    loading[0] = 30
    return {
        "windows": windows,
        "fleet": generate_fleet(40, 3),
        "depots": depots,
        "released": released,
        "loading": replace(
            windows, windows=replace(times, service_durations=loading)
        ),
    }


@pytest.mark.parametrize("name", list(problems()))
def test_every_number_is_worked_out_again(name: str) -> None:
    """Step by step from the start of each route, by code of this file."""
    instance = problems()[name]
    result = nr.solve(instance, time_limit=1.0, seed=1)
    for rows in rows_of(instance, result.best):
        follow(instance, rows)
    assert len(rows_of(instance, result.best)) == result.best.num_routes


def follow(instance: nr.Instance, rows: list[dict[str, Any]]) -> None:
    """Drive along the rows of a route."""
    ids = instance.node_ids
    nodes = [ids.index(row["id"]) for row in rows]
    kind = instance.vehicle_types[rows[0].get("vehicle_type", 0)]
    assert nodes[0] == instance.depots[kind.start_depot]
    assert nodes[-1] == instance.depots[kind.end_depot]
    x, y = np.array(instance.coords).T
    far, load = 0, int(instance.demands[nodes].sum())
    assert (rows[0]["distance"], rows[0]["load"]) == (0, load)
    for (tail, head), row in zip(pairwise(nodes), rows[1:], strict=True):
        straight = ((x[tail] - x[head]) ** 2 + (y[tail] - y[head]) ** 2) ** 0.5
        far += int(straight + 0.5)
        load -= int(instance.demands[head])
        assert (row["distance"], row["load"]) == (far, load)
    if instance.windows is None:
        assert "arrival" not in rows[0]
        return
    arrive(instance, nodes, rows)
    # No later start brings the vehicle home as early.
    later = rows[0]["arrival"] + 1
    assert not is_as_early(instance, nodes, later, rows[-1]["departure"])


def legs(instance: nr.Instance, nodes: list[int]) -> list[float]:
    """Return the durations along a route."""
    every = range(len(instance.demands))
    lengths = instance.durations
    if lengths is None:
        lengths = instance.distances(every, every)
    return [0, *(float(lengths[arc]) for arc in pairwise(nodes))]


def arrive(
    instance: nr.Instance, nodes: list[int], rows: list[dict[str, Any]]
) -> None:
    """Compare each time with one more look at the clock."""
    times = instance.windows
    assert times is not None
    now = rows[0]["arrival"]
    assert now >= max(int(times.release_times[node]) for node in nodes)
    for place, (node, leg) in enumerate(
        zip(nodes, legs(instance, nodes), strict=True)
    ):
        row, now = rows[place], now + leg
        assert row["arrival"] == pytest.approx(now)
        start = max(now, int(times.tw_early[node]))
        assert row["waiting"] == pytest.approx(start - now)
        assert row["service_start"] == pytest.approx(start)
        assert start <= int(times.tw_late[node]) + 1e-6
        now = start
        if place < len(nodes) - 1:
            now += int(times.service_durations[node])
        assert row["departure"] == pytest.approx(now)


def is_as_early(
    instance: nr.Instance, nodes: list[int], now: float, end: float
) -> bool:
    """Whether a route from ``now`` on keeps its windows and its end."""
    times = instance.windows
    assert times is not None
    arrival = now
    for node, leg in zip(nodes, legs(instance, nodes), strict=True):
        arrival = max(now + leg, int(times.tw_early[node]))
        if arrival > int(times.tw_late[node]):
            return False
        now = arrival + int(times.service_durations[node])
    return arrival <= end


def test_a_plan_without_routes_has_all_columns(full_load: nr.Instance) -> None:
    """Those of every load dimension."""
    found = list_stops(full_load, nr.Solution.from_routes(full_load, [], []))
    assert found["load"] == found["load 2"] == []
