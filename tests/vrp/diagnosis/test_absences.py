"""What an error says where the search finds no plan, and the plan it has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.checking import check_solution

STAR = [(0, 0), (10, 0), (-10, 0), (0, 10)]
"""The depot and three customers; all three take 10 + 14 + 14 + 10 = 48."""


def problem(
    demands: list[int], vehicle: dict[str, Any], **more: Any
) -> nr.Instance:
    """Return customers around a depot, for vehicles of one type."""
    kind = nr.VehicleType(**({"num_available": 1} | vehicle))
    coords = np.array([*STAR, (5, 5), (5, -5), (-5, 5)][: len(demands) + 1])
    return nr.Instance(
        "day",
        np.array([0, *demands]),
        kind.capacity,
        coords,
        fleet=nr.Fleet((kind,)),
        ids=("yard", *"ABCDEF"[: len(demands)]),
        **more,
    )


def refusal(instance: nr.Instance) -> nr.InfeasibleError:
    """Return the error; its plan breaks no rule but that someone is absent."""
    with pytest.raises(nr.InfeasibleError) as caught:
        nr.solve(instance, time_limit=0.2, seed=1)
    error = caught.value
    kinds = [one.kind for one in check_solution(instance, error.solution)]
    assert kinds == ["missing"] * len(error.absent)
    return error


def test_one_vehicle_short() -> None:
    """Two of 12 cannot take 5, 5, 5, 3, 3, 3: no loads add up to 12."""
    instance = problem(
        [5, 5, 5, 3, 3, 3], {"capacity": 12, "num_available": 2}
    )
    error = refusal(instance)
    [absent] = error.absent
    number = 1 + "ABCDEF".index(absent)
    assert str(error) == (
        "day: no plan for 2 vehicles was found in the time; the least number "
        f"reached is 3; customer {number} (id {absent}) has no place (more "
        "capacity would give it one)."
    )
    wide = problem([5, 5, 5, 3, 3, 3], {"capacity": 12, "num_available": 3})
    assert nr.solve(wide, time_limit=0.2).num_routes == 3


def test_a_type_is_short() -> None:
    """The types that the best plan takes too many of are named."""
    demands = np.array([0, 5, 5, 5, 3, 3, 3, 1])
    types = (
        nr.VehicleType(capacity=12, num_available=2, name="van"),
        nr.VehicleType(capacity=1, num_available=1, fixed_cost=1),
    )
    instance = nr.Instance(
        "day",
        demands,
        12,
        np.array([*STAR, (5, 5), (5, -5), (-5, 5), (1, 1)]),
        fleet=nr.Fleet(types),
    )
    error = refusal(instance)
    assert "the best one takes 3 of the 2 of type 0 (van); " in str(error)


@pytest.mark.parametrize(("late", "is_found"), [(44, False), (45, True)])
def test_a_window_that_does_not_go_with_the_others(
    late: int, is_found: bool
) -> None:
    """C is open until 10, and A until 25: B comes third, at 45.

    10 to C, 1 there, 14 to A, 20 to B. Any two have time enough.
    """
    windows = nr.TimeWindows.of(
        4, tw_late=[1000, 25, late, 10], service_durations=[0, 0, 0, 1]
    )
    instance = problem([1, 1, 1], {"capacity": 9}, windows=windows)
    if is_found:
        assert nr.solve(instance, time_limit=0.2).num_routes == 1
        return
    error = refusal(instance)
    [absent] = error.absent
    assert f"(id {absent}) has no place (wider time windows would give " in (
        str(error)
    )


def test_the_prize_of_who_is_absent_is_lost() -> None:
    """It is 7, beside 34 or 40, though nobody may be left out."""
    prizes = nr.Selection(np.array([0, 7, 7, 7]), np.ones(4))
    vehicle = {"capacity": 9, "shift_duration": 45}
    error = refusal(problem([1, 1, 1], vehicle, selection=prizes))
    assert error.solution.cost in (41, 47)


@pytest.mark.parametrize(("shift", "is_found"), [(47, False), (48, True)])
def test_a_shift_too_short_for_the_rest(shift: int, is_found: bool) -> None:
    """All three take 48; without the farthest 34 or 40."""
    vehicle = {"capacity": 9, "shift_duration": shift}
    instance = problem([1, 1, 1], vehicle)
    if is_found:
        assert nr.solve(instance, time_limit=0.2).num_routes == 1
        return
    error = refusal(instance)
    assert len(error.absent) == 1
    assert "least number reached is 2" in str(error)
    assert "has no place (longer shifts would give it one)." in str(error)


@pytest.mark.parametrize(("most", "is_found"), [(1, False), (2, True)])
def test_a_reload_is_missing(most: int, is_found: bool) -> None:
    """Three loads of 6 take three trips of 10, and so two reloads."""
    vehicle = {"capacity": 10, "reload_depots": (0,), "max_reloads": most}
    instance = problem([6, 6, 6], vehicle)
    if is_found:
        assert nr.solve(instance, time_limit=0.2).num_routes == 1
        return
    error = refusal(instance)
    assert len(error.absent) == 1
    assert (
        "has no place (more capacity or more reloads would give it one)."
        in str(error)
    )


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
    assert not nr.diagnose(instance).fatal
    if num_vehicles == 2:
        found = nr.solve(instance, time_limit=0.2)
        assert sorted(found.routes) == [(1, 3), (4, 2, 4)]
        return
    assert str(refusal(instance)).endswith(
        "customer 2 has no place (more capacity would give it one)."
    )


def test_a_proof_names_the_customers_and_has_no_plan() -> None:
    """Whom no vehicle can serve is absent; of a small fleet nobody is."""
    late = nr.TimeWindows.of(4, tw_late=[1000, 10, 9, 9])
    with pytest.raises(nr.InfeasibleError) as caught:
        nr.solve(problem([1, 1, 1], {"capacity": 10}, windows=late))
    assert caught.value.solution is None
    assert caught.value.absent == ("B", "C")
    with pytest.raises(nr.InfeasibleError) as caught:
        nr.solve(problem([6, 6], {"capacity": 10}))
    assert caught.value.solution is None
    assert caught.value.absent == ()
