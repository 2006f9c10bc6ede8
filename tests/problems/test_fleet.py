"""Vehicle types, fleets and time windows: what they hold and refuse."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.plain import from_plain, to_plain
from ncc_routing.problems.values import NO_LIMIT


def test_defaults_are_vehicles_of_a_capacity() -> None:
    """Any number of them, no limits, and a unit of distance costs 1."""
    kind = nr.VehicleType(capacity=7)
    assert tuple(kind.features()) == ()
    assert (kind.unit_distance_cost, kind.num_available) == (1, None)
    assert kind.start_late == kind.tw_late == NO_LIMIT


def test_the_latest_start_is_not_after_the_latest_end() -> None:
    """Default: they are the same."""
    assert nr.VehicleType(capacity=7, tw_late=50).start_late == 50
    assert (
        nr.VehicleType(capacity=7, tw_late=50, start_late=20).start_late == 20
    )
    assert (
        nr.VehicleType(capacity=7, tw_late=50, start_late=90).start_late == 50
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"capacity": -1}, "vehicle type: capacity: must not be negative"),
        ({"capacity": 1.5}, "capacity: must be a whole number, got 1.5"),
        ({"capacity": "many"}, "capacity: must be numbers of a regular shape"),
        ({"num_available": 0}, "num_available: must be at least 1, got 0"),
        ({"unit_overtime_cost": -2}, "overtime_cost: must not be negative"),
        ({"max_reloads": -1}, "max_reloads: must not be negative, got -1"),
        ({"reload_depots": 0}, "reload_depots: must be a list of whole num"),
        ({"reload_depots": [0.5]}, "reload_depots: must be a whole number"),
        ({"initial_load": [8]}, "initial_load: must not exceed the capacity"),
        ({"initial_load": [1, 1]}, "initial_load: must hold 1 load, one a"),
        ({"capacity": (7, -1)}, "capacity: must not be negative"),
        ({"fixed_cost": float("nan")}, "fixed_cost: must be a number"),
        ({"fixed_cost": 2**60 + 512}, "fixed_cost: must be at most"),
        ({"unit_distance_cost": 2**61}, "unit_distance_cost: must be at"),
        ({"unit_duration_cost": float("inf")}, "cost: must be at most"),
        ({"tw_early": 2**61}, "tw_early: must be at most"),
        ({"tw_early": 5, "tw_late": 4}, "tw_late: must not be before tw_e"),
        ({"tw_early": 5, "start_late": 4}, "start_late: must not be before"),
        ({"name": "van", "profile": -1}, "van: profile: must not be negat"),
    ],
)
def test_wrong_vehicle_types(changes: dict[str, Any], message: str) -> None:
    """The error names the field, the rule and the value."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.VehicleType(**({"capacity": 7} | changes))


def test_limits_may_be_infinite() -> None:
    """Both sides of the bound: what lies above it is no limit at all."""
    assert (
        nr.VehicleType(capacity=7, max_distance=float("inf")).max_distance
        == NO_LIMIT
    )
    assert nr.VehicleType(capacity=7, shift_duration=2**61) == nr.VehicleType(
        capacity=7
    )
    assert nr.VehicleType(capacity=7, fixed_cost=2**60).fixed_cost == 2**60


def test_capacities_of_several_dimensions() -> None:
    """A sequence is that of all; the first one can be replaced alone."""
    several: Any = (7, 9)
    kind = nr.VehicleType(capacity=several, initial_load=(7, 0))
    assert (kind.capacity, kind.capacities) == (7, (7, 9))
    assert replace(kind, name="van").capacities == (7, 9)
    assert replace(kind, capacity=8).capacities == (8, 9)
    assert nr.VehicleType(capacity=7).capacities == (7,)
    assert from_plain(nr.VehicleType, to_plain(kind)) == kind
    assert nr.Fleet((kind, replace(kind, capacity=8))).capacities == (8, 9)
    with pytest.raises(nr.InstanceError, match="equally many load dimensions"):
        nr.Fleet((kind, nr.VehicleType(capacity=8)))


def test_reloads_and_overtime() -> None:
    """Both sides of each: none of it is a feature."""
    assert not nr.VehicleType(capacity=7, max_reloads=2).can_reload
    assert not nr.VehicleType(
        capacity=7, reload_depots=(0,), max_reloads=0
    ).can_reload
    assert nr.VehicleType(capacity=7, shift_duration=5).max_duration == 5
    assert nr.VehicleType(capacity=7, max_overtime=5).max_duration == NO_LIMIT
    kind = nr.VehicleType(
        capacity=7,
        fixed_cost=-1,
        initial_load=(1,),
        reload_depots=(0,),
        shift_duration=5,
        max_overtime=2,
    )
    assert kind.max_duration == 7
    assert tuple(kind.features()) == (
        features.NEGATIVE_FIXED_COSTS,
        features.SHIFT_DURATIONS,
        features.INITIAL_LOADS,
        features.RELOAD_DEPOTS,
        features.OVERTIME,
    )
    with pytest.raises(
        nr.InstanceError, match="reload_depots: must be below 1"
    ):
        nr.Fleet((nr.VehicleType(capacity=7, reload_depots=(0, 1)),)).check(
            "here", 1, 1
        )


def test_numbers_of_numpy_become_plain_ones() -> None:
    """So that they can be written as JSON."""
    kind = nr.VehicleType(capacity=np.int64(7), fixed_cost=np.float64(2.0))  # type: ignore[arg-type]
    assert type(kind.capacity) is int
    assert type(kind.fixed_cost) is int


def test_features_of_a_fleet() -> None:
    """Each once, in words."""
    other = nr.VehicleType(
        capacity=8, fixed_cost=1, shift_duration=5, tw_early=1
    )
    fleet = nr.Fleet(
        (nr.VehicleType(capacity=7, num_available=2, fixed_cost=1), other)
    )
    assert fleet.features == (
        features.VEHICLE_TYPES,
        features.LIMITED_FLEET,
        features.FIXED_COSTS,
        features.VEHICLE_WINDOWS,
        features.SHIFT_DURATIONS,
    )
    assert (fleet.capacity, fleet.num_vehicles) == (8, None)
    assert fleet.all_vehicles(3) == (0, 0, 1, 1, 1)


def test_wrong_fleets() -> None:
    """No type, and vehicles that do not agree with their number."""
    with pytest.raises(nr.InstanceError, match="must hold a vehicle type"):
        nr.Fleet(())
    for wrong, message in (
        ((5,), "types, entry 1: must be a VehicleType, got int"),
        (
            nr.VehicleType(capacity=7),
            "types: must be a list of VehicleType, got Vehicle",
        ),
        ("types", "types: must be a list of VehicleType, got 'types'"),
    ):
        with pytest.raises(nr.InstanceError, match=message):
            nr.Fleet(wrong)  # type: ignore[arg-type]
    for vehicles in (("a",), (0.5,), object()):
        with pytest.raises(nr.InstanceError, match="fleet: vehicles: must be"):
            nr.Fleet((nr.VehicleType(capacity=7),), vehicles=vehicles)  # type: ignore[arg-type]
    two = nr.VehicleType(capacity=7, num_available=2)
    assert nr.Fleet((two,), vehicles=(0, 0)).num_vehicles == 2
    with pytest.raises(
        nr.InstanceError, match="must name type 0 2 times, got 1"
    ):
        nr.Fleet((two,), vehicles=(0,))
    with pytest.raises(nr.InstanceError, match=r"must be types 0\.\.0, got 1"):
        nr.Fleet((two,), vehicles=(0, 0, 1))


def test_windows_of_another_number_of_nodes() -> None:
    """The field that is wrong is named, be it the first one."""
    for field in ("tw_early", "service_durations"):
        message = f"{field}: must be a number, or 3, one for each node"
        with pytest.raises(nr.InstanceError, match=message):
            nr.TimeWindows.of(3, **{field: [1, 2]})
        with pytest.raises(
            nr.InstanceError, match=f"{field}: must be numbers"
        ):
            nr.TimeWindows.of(3, **{field: "soon"})


def test_windows_of_all_nodes() -> None:
    """One number is for all; a huge one is no limit."""
    windows = nr.TimeWindows.of(3, tw_late=2**62, service_durations=[0, 4, 5])
    assert windows.tw_late.tolist() == [NO_LIMIT] * 3
    assert windows.features == (features.SERVICE_DURATIONS,)
    assert nr.TimeWindows.of(2, tw_late=[9, NO_LIMIT]).features == (
        features.TIME_WINDOWS,
    )
    with pytest.raises(ValueError, match="read-only"):
        windows.tw_late[0] = 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tw_early": [0, 9], "tw_late": 8}, r"before tw_early 9 \(entry 2\)"),
        ({"tw_early": [0, -1]}, r"tw_early: must not be negative \(entry 2\)"),
        ({"tw_early": [0, 0.5]}, "tw_early: must be whole numbers, got 0.5"),
        ({"release_times": -1}, "release_times: must not be negative"),
        ({"service_durations": "long"}, "service_durations: must be numbers"),
    ],
)
def test_wrong_windows(changes: dict[str, Any], message: str) -> None:
    """The error names the field, the rule and the node."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.TimeWindows.of(2, **changes)


def test_windows_have_one_shape() -> None:
    """Every array has an entry for every node."""
    with pytest.raises(nr.InstanceError, match="must hold a number for each"):
        nr.TimeWindows(
            np.zeros(2), np.ones(2), np.zeros(3), release_times=np.zeros(2)
        )


def test_instances_know_their_depots(two_depots: nr.Instance) -> None:
    """The first is node 0, the others come after the customers."""
    assert two_depots.depots == (0, 5)
    assert two_depots.num_customers == 4
    assert not two_depots.is_cvrp
    assert two_depots.features == (
        features.SEVERAL_DEPOTS,
        features.VEHICLE_TYPES,
        features.LIMITED_FLEET,
        features.FIXED_COSTS,
        features.UNIT_DISTANCE_COSTS,
        features.SHIFT_DURATIONS,
        features.TIME_WINDOWS,
        features.SERVICE_DURATIONS,
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"fleet": [nr.VehicleType(capacity=8)]},
            r"fleet: must be a Fleet, got list\.",
        ),
        ({"windows": {}}, r"windows: must be a TimeWindows, got dict\."),
        ({"profiles": [5]}, "profiles, entry 1: must be a Profile, got int"),
        ({"profiles": 5}, "profiles: must be a list of Profile, got 5"),
        ({"num_depots": "2"}, "num_depots: must be numbers"),
        ({"num_depots": 1.5}, "num_depots: must be a whole number, got 1.5"),
        ({"fleet": None}, "fleet: must say which vehicles belong to which"),
        ({"num_depots": 0}, "num_depots: must be at least 1, got 0"),
        ({"num_depots": 3}, "the demand of the depot must be 0, got 2"),
        ({"num_depots": 6}, "a depot and a customer are needed"),
        ({"capacity": 9}, "capacity: must be 8, the largest of the fleet"),
        ({"windows": nr.TimeWindows.of(5)}, "windows: must hold 6 entries"),
        ({"durations": np.ones((5, 5))}, "durations: must have shape"),
        ({"durations": -np.ones((6, 6))}, "durations: durations must not be"),
        (
            {"profiles": (nr.Profile(np.ones((5, 5))),)},
            "profiles: must have 6 rows",
        ),
        (
            {"fleet": nr.Fleet((nr.VehicleType(capacity=8, end_depot=2),))},
            "vehicle type 0: end_depot: must be below 2, got 2",
        ),
        (
            {"fleet": nr.Fleet((nr.VehicleType(capacity=8, profile=1),))},
            "vehicle type 0: profile: must be below 1, got 1",
        ),
    ],
)
def test_parts_have_to_fit(
    two_depots: nr.Instance, changes: dict[str, Any], message: str
) -> None:
    """One line says which part does not."""
    with pytest.raises(nr.InstanceError, match=message):
        replace(two_depots, **changes)


def test_profiles_are_square() -> None:
    """And their matrices of one size, without negative entries."""
    with pytest.raises(nr.InstanceError, match="must have shape"):
        nr.Profile(np.ones((2, 3)))
    with pytest.raises(nr.InstanceError, match="durations: must have shape"):
        nr.Profile(np.ones((2, 2)), np.ones((3, 3)))
    with pytest.raises(
        nr.InstanceError, match="distances must not be negative"
    ):
        nr.Profile(-np.ones((2, 2)))


def test_parts_become_plain_values_and_back(two_depots: nr.Instance) -> None:
    """As JSON holds them."""
    profile = nr.Profile(np.ones((6, 6)), 2 * np.ones((6, 6)))
    times = np.ones((6, 6))
    instance = replace(two_depots, profiles=(profile,), durations=times)
    content = to_plain(instance)
    back = from_plain(type(instance), content)
    assert to_plain(back) == content
    assert (back.fleet, back.features) == (instance.fleet, instance.features)
