"""What is left of an instance without the parts that change nothing.

``tests/pyvrp/test_pyvrp_instances.py`` tests each harmless feature, and
``test_agreement.py`` that costs and feasibility stay the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.routes.simplification import (
    longest_distance,
    simplify,
)


@pytest.fixture
def line() -> nr.Instance:
    """Three customers at 10, 20 and 30; two of them fit into a vehicle."""
    return nr.Instance(
        name="line",
        demands=np.array([0, 1, 1, 1]),
        capacity=2,
        coords=np.array([[0, 0], [10, 0], [20, 0], [30, 0]]),
    )


def fleet_of(*changes: dict[str, Any]) -> nr.Fleet:
    """Return a fleet with a changed type for each mapping."""
    return nr.Fleet(
        tuple(nr.VehicleType(**({"capacity": 2} | c)) for c in changes)
    )


def windows_of(services: Sequence[int] = (0, 5, 5, 5)) -> nr.TimeWindows:
    """Return services without windows."""
    return nr.TimeWindows.of(4, service_durations=services)


def test_a_route_takes_no_longer_than_its_customers(line: nr.Instance) -> None:
    """Three arcs of 31, two services of 5; that of the depot counts once."""
    for depot in (0, 7):
        windows = windows_of((depot, 5, 5, 5))
        for lack in (0, 1):
            fleet = fleet_of({"shift_duration": 3 * 31 + 10 + depot - lack})
            timed = replace(line, windows=windows, fleet=fleet)
            assert simplify(timed).is_cvrp is (lack == 0)


@pytest.mark.parametrize(
    ("opening", "changes", "longest"),
    [(10, {}, 80), (20, {"start_late": 5}, 85)],
)
def test_a_shift_as_long_as_the_day_is_no_limit(
    line: nr.Instance, opening: int, changes: dict[str, int], longest: int
) -> None:
    """Up to 90: from the opening, or waiting for it from the start at 5."""
    windows = nr.TimeWindows.of(4, tw_early=[opening, 0, 50, 0], tw_late=90)
    for limit, is_there in ((longest, False), (longest - 1, True)):
        fleet = fleet_of({"shift_duration": limit, **changes})
        timed = replace(line, windows=windows, fleet=fleet)
        found = simplify(timed).features
        assert (features.SHIFT_DURATIONS in found) is is_there
        assert features.TIME_WINDOWS in found


def test_services_stay_where_time_counts(line: nr.Instance) -> None:
    """Under a shift that may bind, or where an hour costs something."""
    for changes in ({"shift_duration": 60}, {"unit_duration_cost": 1}):
        timed = replace(line, windows=windows_of(), fleet=fleet_of(changes))
        assert features.SERVICE_DURATIONS in simplify(timed).features
    plain = replace(line, windows=windows_of(), fleet=fleet_of({}))
    assert simplify(plain).windows is None
    assert simplify(line) is line


def test_types_that_are_alike_become_one(line: nr.Instance) -> None:
    """Their number is that of both, unlimited from three vehicles on."""
    both = fleet_of({"num_available": 1, "name": "van"}, {"num_available": 1})
    fleet = simplify(replace(line, fleet=both)).fleet
    assert fleet is not None
    assert [kind.num_available for kind in fleet.types] == [2]
    three = fleet_of({"num_available": 1}, {"num_available": 2})
    assert simplify(replace(line, fleet=three)).fleet is None


def test_types_that_differ_keep_their_order(line: nr.Instance) -> None:
    """Only a type that suffices alone is unlimited."""
    types = (
        nr.VehicleType(capacity=2, num_available=1, max_distance=1000),
        nr.VehicleType(capacity=1, num_available=3),
    )
    fleet = nr.Fleet(types, vehicles=(1, 0, 1, 1))
    found = simplify(replace(line, fleet=fleet)).fleet
    assert found is not None
    assert [kind.num_available for kind in found.types] == [1, None]
    assert found.features == (features.VEHICLE_TYPES, features.LIMITED_FLEET)
    assert found.vehicles == (1, 0, 1, 1)


def test_a_scale_goes_into_matrices_alone(line: nr.Instance) -> None:
    """Without a matrix the unit cost stays a feature."""
    fleet = fleet_of({"unit_distance_cost": 3})
    kept = simplify(replace(line, fleet=fleet))
    assert kept.features == (features.UNIT_DISTANCE_COSTS,)
    matrix = line.distances(range(4), range(4))
    scaled = simplify(replace(line, fleet=fleet, matrix=matrix))
    assert scaled.fleet is None
    assert np.array_equal(np.asarray(scaled.matrix), 3 * matrix)
    free = fleet_of({"unit_distance_cost": 0})
    unscaled = simplify(replace(line, fleet=free, matrix=matrix))
    assert unscaled.features == (features.UNIT_DISTANCE_COSTS,)


def test_profiles_that_no_type_has_are_dropped(line: nr.Instance) -> None:
    """Those that one of two types has stay."""
    profile = nr.Profile(np.ones((4, 4)))
    unused = replace(line, profiles=(profile,), fleet=fleet_of({}))
    assert not simplify(unused).features
    mixed = replace(
        line, profiles=(profile,), fleet=fleet_of({"profile": 1}, {})
    )
    assert features.PROFILES in mixed.features
    assert features.PROFILES in simplify(mixed).features


@pytest.mark.parametrize("rounding", ["nearest", "ceil", "exact", "none"])
def test_the_bound_on_distances_holds(rounding: str) -> None:
    """It is no more than twice the longest one, and never less."""
    rng = np.random.default_rng(3)
    for coords in (rng.random((30, 2)) * 90, rng.integers(0, 99, (30, 2))):
        instance = nr.Instance(
            "bound", np.array([0] + [1] * 29), 9, coords, rounding=rounding
        )
        longest = instance.distances(range(30), range(30)).max()
        assert longest <= longest_distance(instance) <= 2 * longest + 1
