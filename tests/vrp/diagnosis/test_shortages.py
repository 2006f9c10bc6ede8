"""Fleets that are too small are refused by arithmetic."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.vrp.diagnosis.shortages import find_overload
from ncc_routing.vrp.diagnosis.verdict import diagnose
from ncc_routing.vrp.solve import solve
from tests.oracles.brute_force import cheapest_plan


def star(demands: list[int], *types: tuple[int, int | None]) -> Instance:
    """Return customers at one place, and types of capacity and number."""
    size = len(demands) + 1
    fleet = Fleet(
        tuple(
            VehicleType(capacity=size, num_available=count)
            for size, count in types
        )
    )
    matrix = np.ones((size, size)) - np.eye(size)
    given = np.array([0, *demands])
    return Instance("star", given, fleet.capacity, matrix=matrix, fleet=fleet)


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (
            star([5, 5, 5], (7, 2)),
            "the demands add up to 15, more than the capacity of 14 of the "
            "2 vehicles that can carry them.",
        ),
        (
            star([10, 10], (10, 1), (1, 10)),
            "the demands above 1 add up to 20, more than the capacity of 10 "
            "of the 1 vehicle that can carry them.",
        ),
        (
            star([6, 6, 6], (10, 2)),
            "the 2 vehicles that can carry a demand of 6 or more can carry "
            "only 2 of the 3 customers with such a demand.",
        ),
        (
            star([4, 4, 4, 9, 1], (9, 1), (5, 2), (3, None)),
            "the demands above 3 add up to 21, more than the capacity of 19 "
            "of the 3 vehicles that can carry them.",
        ),
    ],
)
def test_what_the_fleet_cannot_carry_is_said_at_once(
    instance: Instance, message: str
) -> None:
    """The whole demand, that of the larger vehicles, and one by one."""
    with pytest.raises(InfeasibleError) as error:
        solve(instance, time_limit=60.0)
    assert str(error.value) == f"star: {message}"


@pytest.mark.parametrize(
    "instance",
    [
        star([3, 4, 4, 3], (7, 2)),
        star([10, 1, 1], (10, 1), (1, 2)),
        star([6, 6], (10, 2)),
        star([0, 0], (1, 1)),
        star([9, 9, 9], (9, None), (1, 1)),
        star([9, 9, 9], (2**60, 2**60), (2**60, 1)),
    ],
)
def test_what_may_fit_passes(instance: Instance) -> None:
    """Full vehicles, no demand at all, and as many vehicles as wanted."""
    assert (
        list(find_overload(instance, np.arange(1, len(instance.demands))))
        == []
    )


def test_nothing_is_refused_that_has_a_plan() -> None:
    """Random fleets, against all plans."""
    rng = np.random.default_rng(1)
    num_refused = 0
    for _ in range(300):
        types = [
            (int(rng.integers(3, 10)), int(rng.integers(1, 3)))
            for _ in range(rng.integers(1, 4))
        ]
        largest = max(capacity for capacity, _ in types)
        demands = rng.integers(0, largest + 1, rng.integers(1, 6)).tolist()
        instance = star(demands, *types)
        if list(find_overload(instance, np.arange(1, len(instance.demands)))):
            num_refused += 1
            assert math.isinf(cheapest_plan(instance))
    assert num_refused > 50


def six(kind: VehicleType, *others: VehicleType) -> Instance:
    """Return six customers with services of 2; all ways are 1.

    The first three have a demand of 5, the others of 1.
    """
    size = 7
    return Instance(
        "six",
        np.array([0, 5, 5, 5, 1, 1, 1]),
        kind.capacity,
        matrix=np.ones((size, size)),
        fleet=Fleet((kind, *others)),
        windows=TimeWindows.of(size, service_durations=[0, *[2] * 6]),
    )


def test_service_and_ways_beyond_all_shifts() -> None:
    """Six services of 2 and at least seven ways are 19, not twice 9."""
    two = VehicleType(capacity=18, num_available=2, shift_duration=9)
    [one] = diagnose(six(two)).fatal
    assert one.kind == "fleet-time"
    assert one.message == (
        "services and shortest ways of the 6 customers take 19 together, more "
        "than the 18 of 2 vehicles"
    )
    assert one.numbers == {"least": 19, "available": 18, "vehicles": 2}
    assert one.customers == ()  # all of them
    assert diagnose(six(replace(two, shift_duration=10))).fatal == ()
    # Loads for two routes are eight ways, and three of 5 do not fit.
    small = diagnose(six(replace(two, capacity=9, tw_late=9))).fatal
    found = {each.kind: each.numbers for each in small}
    assert found["fleet-time"]["least"] == 20
    assert found.keys() == {"fleet-load", "fleet-time", "fleet-pairs"}


def test_ways_beyond_all_distances() -> None:
    """At least seven ways of 1, not twice 3."""
    two = VehicleType(capacity=18, num_available=2, max_distance=3)
    [found] = diagnose(six(two)).fatal
    assert found.message == (
        "the shortest ways to the 6 customers are 7 long together, more than "
        "the 6 that 2 vehicles may drive"
    )
    assert diagnose(six(replace(two, max_distance=3.5))).fatal == ()


def test_times_of_those_whom_only_some_can_carry() -> None:
    """Three services of 2 and four ways are 10 for the one van."""
    van = VehicleType(capacity=15, num_available=1, shift_duration=9)
    bike = VehicleType(capacity=4)
    [found] = diagnose(six(van, bike)).fatal
    assert found.customers == (1, 2, 3)
    assert found.message == (
        "services and shortest ways of the 3 customers with demands above 4 "
        "take 10 together, more than the 9 of 1 vehicle"
    )
    assert diagnose(six(replace(van, shift_duration=10), bike)).fatal == ()
