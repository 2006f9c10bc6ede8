"""What an error says where the search finds no plan, and the plan it has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr

STAR = [(0, 0), (10, 0), (-10, 0), (0, 10), (5, 5), (5, -5), (-5, 5), (1, 1)]
"""The depot and customers; the first three take 10 + 14 + 14 + 10 = 48."""


def problem(demands: list[int], *types: Any, **more: Any) -> nr.Instance:
    """Return customers around a depot."""
    size = len(demands) + 1
    kinds = [nr.VehicleType(**{"num_available": 1} | each) for each in types]
    return nr.Instance(
        "day",
        np.array([0, *demands]),
        coords=np.array(STAR[:size]),
        fleet=nr.Fleet(tuple(kinds)),
        ids=("yard", *"ABCDEFG"[: size - 1]),
        **more,
    )


def refusal(instance: nr.Instance) -> nr.InfeasibleError:
    """Return the error; its plan breaks no rule but that someone is absent."""
    assert not nr.diagnose(instance).fatal
    with pytest.raises(nr.InfeasibleError) as caught:
        nr.solve(instance, time_limit=0.2, seed=1)
    error = caught.value
    assert error.solution is not None
    kinds = [one.kind for one in nr.check_solution(instance, error.solution)]
    assert kinds == ["missing"] * len(error.absent)
    return error


def open_until(*late: int) -> nr.Instance:
    """Return three customers open so long; C takes 1."""
    windows = nr.TimeWindows.of(
        4, tw_late=[1000, *late], service_durations=[0, 0, 0, 1]
    )
    return problem([1, 1, 1], {"capacity": 9}, windows=windows)


NARROW = {"capacity": 12, "num_available": 2}
CASES = [
    (  # 5, 5, 5, 3, 3, 3: no loads add up to 12
        "more capacity",
        problem([5, 5, 5, 3, 3, 3], NARROW),
        problem([5, 5, 5, 3, 3, 3], NARROW | {"num_available": 3}),
    ),
    (  # 10 to C, 1 there, 14 to A, 20 to B
        "wider time windows",
        open_until(25, 44, 10),
        open_until(25, 45, 10),
    ),
    (  # all three take 48; without the farthest 34 or 40
        "longer shifts",
        problem([1, 1, 1], {"capacity": 9, "shift_duration": 47}),
        problem([1, 1, 1], {"capacity": 9, "shift_duration": 48}),
    ),
    (  # three loads of 6 take three trips of 10
        "more capacity or more reloads",
        *(
            problem(
                [6, 6, 6],
                {"capacity": 10, "reload_depots": (0,), "max_reloads": most},
            )
            for most in (1, 2)
        ),
    ),
]


@pytest.mark.parametrize(("cure", "short", "enough"), CASES)
def test_who_is_absent_and_what_would_help(
    cure: str, short: nr.Instance, enough: nr.Instance
) -> None:
    """The least number of vehicles, a customer, and his cure."""
    error = refusal(short)
    [absent] = error.absent
    number = 1 + "ABCDEF".index(absent)
    assert short.fleet is not None
    [kind] = short.vehicle_types
    count = kind.num_available
    assert count is not None
    some = "1 vehicle" if count == 1 else f"{count} vehicles"
    assert str(error) == (
        f"day: no plan for {some} was found in time, which is no proof that "
        f"there is none; the fewest found are {count + 1}; customer {number} "
        f"(id {absent}) is left out (this plan would have room for it with "
        f"{cure})."
    )
    found = nr.solve(enough, time_limit=0.2, seed=1)
    assert nr.check_solution(enough, found.best) == []


def test_a_type_is_short() -> None:
    """The types that the best plan takes too many of are named."""
    error = refusal(
        problem(
            [5, 5, 5, 3, 3, 3, 1],
            NARROW | {"name": "van"},
            {"capacity": 1, "fixed_cost": 1},
        )
    )
    assert "the best one found takes 3 of the 2 of type 0 (van); " in str(
        error
    )


def test_the_prize_of_who_is_absent_is_lost() -> None:
    """It is 7, beside 34 or 40, though nobody may be left out."""
    prizes = nr.Selection(np.array([0, 7, 7, 7]), np.ones(4))
    vehicle = {"capacity": 9, "shift_duration": 45}
    error = refusal(problem([1, 1, 1], vehicle, selection=prizes))
    assert error.solution is not None
    assert error.solution.cost in (41, 47)


@pytest.mark.parametrize("num_vehicles", [1, 2])
def test_a_way_over_two_reloads_needs_no_capacity(num_vehicles: int) -> None:
    """B is between A and C or two reloads at the hub.

    A, B and C are 2 + 4 + 2 of 5. A second vehicle takes the reloads; for one
    alone, more capacity is the cure.
    """
    no = np.inf
    matrix = [
        [0, 3, no, 3, 2],
        [3, 0, 1, 5, no],
        [no, no, 0, 1, 4],
        [3, no, no, 0, no],
        [2, no, 4, no, 0],
    ]
    kind = nr.VehicleType(
        capacity=5, num_available=num_vehicles, reload_depots=(1,)
    )
    instance = nr.Instance(
        "day",
        np.array([0, 2, 4, 2, 0]),
        matrix=np.array(matrix),
        num_depots=2,
        fleet=nr.Fleet((kind,)),
    )
    if num_vehicles == 2:
        found = nr.solve(instance, nr.stop.MaxIterations(500))
        assert sorted(found.routes) == [(1, 3), (4, 2, 4)]
        return
    assert str(refusal(instance)).endswith(
        "customer 2 is left out (this plan would have room for it with more "
        "capacity)."
    )


def test_a_proof_names_the_customers_and_has_no_plan() -> None:
    """Whom no vehicle can serve is absent; of a small fleet nobody is."""
    late = nr.TimeWindows.of(4, tw_late=[1000, 10, 9, 9])
    for instance, absent in (
        (problem([1, 1, 1], {"capacity": 10}, windows=late), ("B", "C")),
        (problem([6, 6], {"capacity": 10}), ()),
    ):
        with pytest.raises(nr.InfeasibleError) as caught:
            nr.solve(instance)
        assert caught.value.solution is None
        assert caught.value.absent == absent
