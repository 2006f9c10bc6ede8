"""Warnings: what looks wrong in a problem that has a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr

HOUR = 3600


def timed(unit: int, travel: float = 600.0, **limits: Any) -> nr.Instance:
    """Return windows from 8 to 18 o'clock counted in a unit of seconds.

    Travel takes 600, services 400.
    """
    size = 6
    matrix = np.full((size, size), travel)
    np.fill_diagonal(matrix, 0.0)
    return nr.Instance(
        "units",
        np.array([0, 1, 2, 3, 4, 5]),
        20,
        matrix=matrix,
        windows=nr.TimeWindows.of(
            size,
            tw_early=8 * HOUR // unit,
            tw_late=18 * HOUR // unit,
            service_durations=[0, *[400] * 5],
        ),
        fleet=nr.Fleet((nr.VehicleType(capacity=20, **limits),)),
    )


def texts(instance: nr.Instance, kind: str) -> list[str]:
    """Return the warnings of a kind."""
    found = nr.diagnose(instance).warnings
    return [each.message for each in found if each.kind == kind]


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        (
            timed(60),
            "all windows and shifts lie within 600, and half of the travel "
            "times are 600 or more",
        ),
        (
            timed(HOUR),
            "all windows and shifts lie within 10, and half of the travel "
            "times are 600 or more",
        ),
        (
            timed(60, 10.0),
            "all windows and shifts lie within 600, and half of the service "
            "times are 400 or more",
        ),
        (
            timed(1, 10.0),
            "all windows and shifts lie within 36000, and travel times are "
            "at most 10",
        ),
        (
            timed(1, shift_duration=10),
            "the shifts are at most 10, and half of the lengths from place "
            "to place are 600 or more",
        ),
        (
            timed(1, max_distance=20),
            "the maximum distances are at most 20, and half of the lengths "
            "from place to place are 600 or more",
        ),
    ],
)
def test_units_that_differ(instance: nr.Instance, message: str) -> None:
    """Minutes or hours beside seconds, kilometres beside metres."""
    assert texts(instance, "units") == [f"units may differ: {message}"]


def test_units_that_agree() -> None:
    """Ten hours and arcs of ten minutes, without windows as well."""
    assert texts(timed(1), "units") == []
    assert texts(replace(timed(1), windows=None), "units") == []


def test_a_customer_next_door_is_not_odd() -> None:
    """100 m away at 40 km/h, with times of day: every unit is known."""
    rows = [
        {"id": "yard", "lon": 8.68, "lat": 50.11},
        {"id": "a", "lon": 8.6814, "lat": 50.11, "demand": 1,
         "open": "8:00", "close": "17:00"},
    ]  # fmt: skip
    assert texts(nr.read(rows, capacity=5, speed="40km/h"), "units") == []


@pytest.mark.parametrize(("width", "is_odd"), [(599, True), (600, False)])
def test_windows_that_no_arc_fits_into(width: int, is_odd: bool) -> None:
    """Windows that are narrower than every arc, in a day that is long."""
    early = np.array([0, 2000, 4000, 6000, 8000, 10000])
    late = early + width
    late[0] = 20000
    windows = nr.TimeWindows.of(6, early, late)
    found = texts(replace(timed(1), windows=windows), "units")
    expected = (
        "units may differ: the windows are open for at most 599, and nearly "
        "all travel times are 600 or more"
    )
    assert found == [expected][:is_odd]


def test_a_place_with_swapped_degrees() -> None:
    """One of six is given as latitude and longitude."""
    coords = np.array(
        [[2.35, 48.85], [2.36, 48.86], [48.84, 2.37], [2.33, 48.83]]
    )
    instance = nr.Instance(
        "paris",
        np.array([0, 1, 1, 1]),
        9,
        coords,
        is_geographic=True,
        ids=("home", "a", "b", "c"),
    )
    [found] = nr.diagnose(instance)
    assert (found.kind, found.is_fatal) == ("swapped", False)
    assert found.ids == ("b",)
    coords = np.array(coords)
    coords[2] = coords[2, ::-1]
    assert not nr.diagnose(replace(instance, coords=coords))


@pytest.mark.parametrize(("far", "is_odd"), [(5000, False), (5001, True)])
@pytest.mark.parametrize("size", [3, 4, 6])
def test_lengths_that_may_stand_for_no_way(
    far: int, is_odd: bool, size: int, caplog: pytest.LogCaptureFixture
) -> None:
    """The last place is so far from all others, which are 5 apart.

    Of three places most arcs are such; a matrix of a profile counts as well.
    """
    matrix = np.full((size, size), 5)
    matrix[-1] = matrix[:, -1] = far
    demands = np.minimum(np.arange(size), 1)
    count = 2 * (size - 1)
    text = (
        "distances above 1000 times the median of 5 count as lengths, and inf "
        f"would forbid the arcs: {count} in all, the longest {far} from the "
        f"depot to customer {size - 1}"
    )
    lone = nr.Instance("far", demands, size, matrix=matrix)
    assert texts(lone, "lengths") == [text][:is_odd]
    nr.solve(lone, method="savings", polish="none")
    assert [r.getMessage() for r in caplog.records] == [f"far: {text}."][
        :is_odd
    ]
    profile = nr.Profile(np.full((size, size), 5), matrix)
    other = replace(lone, matrix=profile.matrix, profiles=(profile,))
    found = texts(other, "lengths")
    assert len(found) == is_odd
    assert all("durations of profile 1 above" in each for each in found)


def test_no_arcs_are_no_lengths() -> None:
    """Forbidden arcs, and places without any distance."""
    matrix = np.array([[0.0, 1, np.inf], [1, 0, 0], [np.inf, 0, 0]])
    apart = nr.Instance("apart", np.array([0, 1, 1]), 2, matrix=matrix)
    nowhere = replace(apart, matrix=0.0 * np.eye(3))
    assert texts(apart, "lengths") == texts(nowhere, "lengths") == []


def test_places_within_a_metre_are_one() -> None:
    """Two flats are alike, and one more is at the depot; 2 m are far."""
    places = [[8.0, 50.0], [8.1, 50.0], [8.1, 50.000005], [8.1, 50.00002]]
    at_depot = [8.000005, 50.0]
    demands = np.array([0, 1, 1, 1, 1])
    coords = np.array([*places, at_depot])
    flats = nr.Instance("flats", demands, 9, coords, is_geographic=True)
    alike, beside = nr.diagnose(flats)
    assert (alike.kind, alike.customers) == ("duplicate", (1, 2))
    assert (beside.kind, beside.customers) == ("at-depot", (4,))


def test_duplicates_and_customers_at_the_depot() -> None:
    """1 and 3 are alike; 2 is beside them with more; 4 is at the depot."""
    coords = np.array([[0, 0], [3, 4], [3, 4], [3, 4], [0, 0]])
    instance = nr.Instance("twins", np.array([0, 1, 2, 1, 1]), 9, coords)
    alike, at_depot = nr.diagnose(instance)
    assert alike.message == (
        "2 customers have the same place, demand and window: customer 1, "
        "customer 3"
    )
    assert at_depot.message == (
        "customers at the place of a depot: customer 4"
    )
    matrix = instance.distances(range(5), range(5))
    other = replace(instance, coords=None, matrix=matrix)
    assert nr.diagnose(other).findings == (alike, at_depot)
    late = [99, 9, 9, 8, 9]
    windows = nr.TimeWindows.of(5, tw_late=late)
    kinds = [
        each.kind for each in nr.diagnose(replace(instance, windows=windows))
    ]
    assert kinds == ["at-depot"]
