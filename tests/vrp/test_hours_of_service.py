"""Routes by hours of service, against days driven minute by minute."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.timetable import list_stops
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_form import TimeForm
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker
from tests.oracles.short_days import (
    SHORT_EU,
    SHORT_US,
    begun_day,
    day_with_breaks,
    random_day,
)
from tests.robustness.support import seeds

HOUR: Final = 3600


@pytest.mark.parametrize("hours", [SHORT_EU, SHORT_US], ids=["EU", "US"])
@pytest.mark.parametrize("seed", range(10))
def test_sequences(hours: nr.HoursOfService, seed: int) -> None:
    """The checker and the schedule agree with all ways to drive a route."""
    instance = random_day(seed, hours)
    route = [*range(1, len(instance.demands))][:3]
    duration = Checker(instance).duration(route, 0)
    plan = nr.Solution.from_routes(instance, [route], [0])
    kinds = {one.kind for one in nr.check_solution(instance, plan)}
    assert (kinds - {"missing"} == set()) == (duration < math.inf)
    if duration < math.inf:
        assert schedule_route(instance, route).duration == duration


MERGED: Final = {
    "EU": (105, 107, 108, 132, 175, 1180),
    "US": (61, 64, 67, 84, 92, 100, 155, 165, 194),
}
"""Days on which breaks, services and waits make longer rests."""


@pytest.mark.parametrize("name", MERGED)
def test_breaks_are_rests(name: str) -> None:
    """Two at one place are one, beside a wait or a stay that counts too."""
    hours = {"EU": SHORT_EU, "US": SHORT_US}[name]
    for seed in (*MERGED[name], *seeds(8)):
        instance = day_with_breaks(seed, hours)
        route = [*range(1, len(instance.demands))][:3]
        duration = Checker(instance).duration(route, 0)
        plan = nr.Solution.from_routes(instance, [route], [0])
        kinds = {one.kind for one in nr.check_solution(instance, plan)}
        kinds -= {"missing", "capacity"}
        assert (kinds == set()) == (duration < math.inf), seed
        if duration < math.inf:
            assert schedule_route(instance, route).duration == duration, seed


@pytest.mark.parametrize("hours", [SHORT_EU, SHORT_US], ids=["EU", "US"])
@pytest.mark.parametrize("seed", range(200, 212))
def test_begun_sequences(hours: nr.HoursOfService, seed: int) -> None:
    """What has been driven, worked and rested counts from its end on."""
    instance = begun_day(seed, hours, 4)
    route = [*range(1, len(instance.demands))]
    duration = Checker(instance).duration(route, 0)
    plan = nr.Solution.from_routes(instance, [route], [0])
    kinds = {one.kind for one in nr.check_solution(instance, plan)}
    assert (kinds - {"capacity"} == set()) == (duration < math.inf)
    if duration < math.inf:
        assert schedule_route(instance, route).duration == duration


@pytest.mark.parametrize("hours", [SHORT_EU, SHORT_US], ids=["EU", "US"])
@pytest.mark.parametrize("seed", range(300, 304))
def test_begun_plans(hours: nr.HoursOfService, seed: int) -> None:
    """The cheapest plan goes on with a route that has begun."""
    instance = begun_day(seed, hours, 3)
    cheapest = cheapest_plan(instance)
    if cheapest == math.inf:
        with pytest.raises(nr.InfeasibleError):
            nr.solve(instance, nr.stop.MaxIterations(200), seed=1)
        return
    best = nr.solve(instance, nr.stop.MaxIterations(200), seed=1).best
    assert best.cost == Checker(instance).plan_cost(best) == cheapest


@pytest.mark.parametrize("hours", [SHORT_EU, SHORT_US], ids=["EU", "US"])
@pytest.mark.parametrize("seed", range(100, 103))
def test_plans(hours: nr.HoursOfService, seed: int) -> None:
    """A plan of a few customers is the cheapest one."""
    instance = random_day(seed, hours, most=3)
    cheapest = cheapest_plan(instance)
    if cheapest == math.inf:
        with pytest.raises(nr.InfeasibleError):
            nr.solve(instance, nr.stop.MaxIterations(200), seed=1)
        return
    best = nr.solve(instance, nr.stop.MaxIterations(200), seed=1).best
    assert best.cost == Checker(instance).plan_cost(best) == cheapest


def long_haul(hours: Any, legs: list[float], service: float) -> nr.Instance:
    """Return a round trip by all customers, in hours; others are far."""
    size = len(legs)
    matrix = np.full((size, size), 10.0 * HOUR)
    np.fill_diagonal(matrix, 0)
    for node, leg in enumerate(legs):
        matrix[node, (node + 1) % size] = leg * HOUR
    return nr.Instance(
        demands=np.array([0, *[1] * (size - 1)]),
        matrix=matrix,
        windows=nr.TimeWindows.of(
            size,
            service_durations=[0, *[round(service * HOUR)] * (size - 1)],
        ),
        fleet=nr.Fleet((nr.VehicleType(capacity=9, hours_of_service=hours),)),
        source=Source(time_form=TimeForm("clock")),
    )


@pytest.mark.parametrize(
    ("hours", "legs", "service", "rests"),
    [
        ("EU", [2, 2.5], 0.5, []),  # 4.5 h of driving, 5 h of work
        ("EU", [2.5, 2.5], 0.5, [45]),
        ("EU", [4.5, 4.5], 0, [45]),
        ("EU", [1, 1, 1], 1.5, []),  # 6 h of work
        ("EU", [1, 1, 1], 2, [30]),  # 7 h
        ("EU", [4.5, 4.75], 0, None),  # 9 h of driving
        ("EU, 10 h driving", [4.5, 4.75], 0, [45, 45]),
        ("EU", [4, 4], 5, None),  # 13 h and rests from start to end
        ("US", [5, 5], 0.5, []),  # the service is a rest
        ("US", [5, 5], 0.25, [15]),
        ("US", [8.5, 0.5], 0, [30]),  # on the way
        ("US", [6, 5.5], 0.5, None),  # 11 h of driving
    ],
)
def test_laws(
    hours: str, legs: list[float], service: float, rests: list[int] | None
) -> None:
    """Rests in minutes, ``None`` where no driver may drive so long."""
    instance = long_haul(hours, legs, service)
    route = [*range(1, len(legs))]
    plan = nr.Solution.from_routes(instance, [route], [0])
    kinds = {one.kind for one in nr.check_solution(instance, plan)}
    assert kinds <= {"driving", "shift", "hours"}
    assert (kinds == set()) == (rests is not None)
    if rests is None:
        return
    schedule = schedule_route(instance, route)
    assert sum(rests) == sum(one.duration for one in schedule.breaks) / 60
    shown = list_stops(instance, plan)["kind"]
    assert shown.count("break") == len(schedule.breaks)
    assert nr.solve(instance, nr.stop.MaxIterations(10)).best.num_routes == 1
    text = nr.solve(instance, nr.stop.MaxIterations(1)).to_json()
    assert nr.Result.from_json(text).best.num_routes == 1


def test_open_routes_with_setups() -> None:
    """The set-up at the first stop counts, though nobody drives there."""
    van = nr.VehicleType(
        capacity=3,
        unit_duration_cost=1,
        start_depot=None,
        hours_of_service=SHORT_US,
        setup_durations=(0, 3, 3),
    )
    instance = nr.Instance(
        demands=np.array([0, 1, 1]),
        matrix=np.full((3, 3), 4.0) - 4.0 * np.eye(3),
        fleet=nr.Fleet((van,)),
    )
    assert schedule_route(instance, [1, 2]).duration == 3 + 4 + 3 + 4
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    assert nr.check_solution(instance, plan) == []
    assert nr.solve(instance, nr.stop.MaxIterations(20)).cost == 8 + 14


def test_tables_and_refusals() -> None:
    """The column, and what is refused by name."""
    stops = [{"id": name, "x": 9, "y": 9, "demand": 1} for name in "abc"]
    stops[0]["demand"] = 0
    vans = [{"capacity": 5, "hours of service": "eu; 10 h driving"}]
    with pytest.raises(nr.InstanceError, match="times of a known unit"):
        nr.read(stops, vans)
    vans[0]["shift"] = "08:00-17:00"
    read = nr.read(stops, vans, speed="40km/h")
    assert read.vehicle_types[0].max_driving_time == 10 * HOUR
    vans[0]["hours of service"] = "UK"
    with pytest.raises(nr.InstanceError, match='must be "EU" or "US"'):
        nr.read(stops, vans, speed="40km/h")
    so_far = nr.HoursSoFar(driven=3)
    with pytest.raises(nr.InstanceError, match="hours_so_far: needs dep"):
        nr.InProgressRoute(0, (1,), hours_so_far=so_far)


def test_the_rest_of_a_day_by_hours() -> None:
    """The driver rests in the second leg, and 1.5 h are left without another.

    A replan at 3 h, after the service at the first stop, plans the same.
    """
    instance = long_haul("EU", [2, 4, 3], 0.5)
    plan = nr.solve(instance, nr.stop.MaxIterations(10))
    [before] = plan.best.schedules(instance)
    after = nr.replan(plan, [], nr.stop.MaxIterations(10), now="3:00")
    [begun] = after.instance.in_progress
    rested = sum(each.duration for each in before.breaks if each.place <= 2)
    assert len(begun.customers) == 2
    assert begun.hours_so_far.work == 7 * HOUR
    assert begun.hours_so_far.rested == pytest.approx(rested)
    assert rested >= 45 * 60
    [schedule] = after.best.schedules(after.instance)
    assert schedule.end == before.end
    again = nr.Result.from_json(after.to_json())
    assert again.instance.in_progress == after.instance.in_progress
