"""Measures of the plans of several days."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.routes.days import compare_days


class Plan(NamedTuple):
    """A day, as a result has it."""

    instance: nr.Instance
    best: nr.Solution


def day(ids: str, routes: list[list[int]], fleet: nr.Fleet | None) -> Plan:
    """Return routes of customers on a line, 10 from each other by letters."""
    places = [(0.0, 0.0)] + [(10.0 * (ord(i) - 96), 0.0) for i in ids]
    instance = nr.Instance(
        *("day", np.array([0] + [1] * len(ids)), 9, np.array(places)),
        ids=("home", *ids),
        fleet=fleet,
    )
    return Plan(instance, nr.Solution.from_routes(instance, routes))


FLEET = nr.Fleet((nr.VehicleType(capacity=9, num_available=3),))


def test_drivers_and_times_by_hand() -> None:
    """Arrivals are distances: a at 10, b at 20, c at 30, d at 40.

    On the second day the nodes 1 to 4 are d, b, a, c. Only d changes from the
    driver of c to that of a and b.
    """
    first = day("abcd", [[1, 2], [3, 4]], None)
    second = day("dbac", [[4], [3, 2, 1]], None)
    found = compare_days([first, second])
    assert found.drivers == ((1, 2), (2, 1))
    assert (found.mean_drivers, found.max_drivers) == (1.25, 2)
    assert found.mean_arrival_spread == found.max_arrival_spread == 0.0
    late = day("abcd", [[2, 1], [3, 4]], None)
    found = compare_days([first, late])
    assert (found.mean_drivers, found.max_drivers) == (1.0, 1)
    # a at 10 and at 20 + 10, b at 20 on both days
    assert found.mean_arrival_spread == 5.0
    assert found.max_arrival_spread == 20.0


def test_each_vehicle_its_driver() -> None:
    """By vehicle the order of the routes counts."""
    plans = [
        day("abcd", [[1, 2], [3, 4]], FLEET),
        day("abcd", [[3, 4], [1, 2]], FLEET),
    ]
    assert compare_days(plans).mean_drivers == 1.0
    found = compare_days(plans, by_vehicle=True)
    assert (found.mean_drivers, found.max_drivers) == (2.0, 2)
    assert found.drivers == ((1, 2), (1, 2))


def test_matching_looks_at_all_days() -> None:
    """The second day fits the first as well as the third, which decides.

    Route a b e of day 2 shares a with route a c and b with route b d of day
    1; day 3 has a c e and b d: one pair less where day 2 is of driver 1.
    """
    plans = [
        day("abcd", [[1, 3], [2, 4]], None),
        day("abe", [[1, 2, 3]], None),
        day("abcde", [[1, 3, 5], [2, 4]], None),
    ]
    found = compare_days(plans)
    assert found.drivers == ((1, 2), (1,), (1, 2))
    assert found.mean_drivers == pytest.approx(6 / 5)


def test_customers_of_one_day() -> None:
    """They see one driver and have no spread; new customers count."""
    found = compare_days([day("ab", [[1, 2]], None)])
    assert (found.mean_drivers, found.mean_arrival_spread) == (1.0, 0.0)
    other = day("cd", [[1, 2]], None)
    found = compare_days([day("ab", [[1, 2]], None), other])
    assert (found.mean_drivers, found.max_arrival_spread) == (1.0, 0.0)


def test_results_are_plans_and_nothing_is_none() -> None:
    """Of a solve, of a day without routes, and an error without a day."""
    instance = generate_uchoa(20, 1)
    result = nr.solve(instance, polish="none")
    assert compare_days([result, result]).mean_drivers == 1.0
    nobody = compare_days([Plan(instance, nr.Solution((), 0.0))] * 2)
    assert (nobody.mean_drivers, nobody.max_drivers) == (0.0, 0)
    assert nobody.drivers == ((), ())
    with pytest.raises(nr.ParameterError, match="one day or more"):
        compare_days([])
