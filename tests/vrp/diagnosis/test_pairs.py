"""Customers of whom no two fit into one route."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr


def three(number: int, matrix: Any, **times: Any) -> nr.Instance:
    """Return three customers with times of their own, and some vehicles."""
    return nr.Instance(
        "three",
        np.array([0, 1, 1, 1]),
        5,
        matrix=np.array(matrix),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, num_available=number),)),
        windows=nr.TimeWindows.of(4, **times),
        ids=("yard", "A", "B", "C"),
    )


FIVE_APART = [[0, 9, 9, 9], [9, 0, 5, 5], [9, 5, 0, 5], [9, 5, 5, 0]]


def test_more_customers_at_a_moment_than_vehicles() -> None:
    """All three want 20 to 25; a service takes 1, and a way 5."""
    times = {"tw_early": [0, 20, 20, 20], "tw_late": [99, 25, 25, 25]}
    service = {"service_durations": [0, 1, 1, 1]}
    [found] = nr.diagnose(three(2, FIVE_APART, **times, **service)).fatal
    assert (found.kind, found.ids) == ("fleet-pairs", ("A", "B", "C"))
    assert found.message == (
        "no two of 3 customers fit into one route by their windows, loads and "
        "ways, with only 2 vehicles: customer 1 (id A), customer 2 (id B), "
        "customer 3 (id C)"
    )
    [found] = nr.diagnose(three(1, FIVE_APART, **times, **service)).fatal
    assert "by their windows, loads and ways, with only 1 vehicle: " in (
        found.message
    )
    assert not nr.diagnose(three(3, FIVE_APART, **times, **service)).fatal
    assert not nr.diagnose(three(2, FIVE_APART, **times)).fatal


def test_a_path_over_another_one_brings_two_together() -> None:
    """From A to C are 50, and 2 + 2 over B: not apart but by the arc."""
    matrix = [[0, 9, 9, 9], [9, 0, 2, 50], [9, 2, 0, 2], [9, 50, 2, 0]]
    times = {"tw_early": [0, 20, 20, 20], "tw_late": [99, 24, 24, 24]}
    instance = three(1, matrix, **times)
    assert nr.diagnose(instance).fatal == ()
    assert nr.solve(instance, time_limit=0.2).cost == 9 + 2 + 2 + 9
    early = {"tw_early": [0, 20, 20, 20], "tw_late": [99, 23, 99, 23]}
    [found] = nr.diagnose(three(1, matrix, **early)).fatal
    assert found.ids == ("A", "C")


@pytest.mark.parametrize(
    ("limit", "enough"), [("shift_duration", 23), ("max_distance", 23)]
)
def test_limits_of_a_route_keep_customers_apart(
    limit: str, enough: int
) -> None:
    """Two are 9 + 5 + 9 on one route, and two vehicles serve three."""
    given = three(2, FIVE_APART)

    def problem(longest: int) -> nr.Instance:
        limits: dict[str, Any] = {limit: longest}
        kind = nr.VehicleType(capacity=5, num_available=2, **limits)
        return nr.Instance(
            *("three", given.demands, 5),
            matrix=given.matrix,
            fleet=nr.Fleet((kind,)),
        )

    kinds = {each.kind for each in nr.diagnose(problem(enough - 1)).fatal}
    assert "fleet-pairs" in kinds
    assert nr.diagnose(problem(enough)).fatal == ()


def test_those_whom_only_some_can_carry() -> None:
    """A and B want the one van at the same moment; bikes do not help."""
    types = (
        nr.VehicleType(capacity=9, num_available=1, name="van"),
        nr.VehicleType(capacity=2, num_available=5, name="bike"),
    )
    instance = nr.Instance(
        "three",
        np.array([0, 4, 3, 1]),
        9,
        matrix=np.array(FIVE_APART),
        fleet=nr.Fleet(types),
        windows=nr.TimeWindows.of(
            4, tw_early=[0, 20, 20, 20], tw_late=[99, 20, 20, 20]
        ),
    )
    [found] = nr.diagnose(instance).fatal
    assert found.customers == (1, 2)
    assert "only 1 vehicle that can carry demands above 2" in found.message
