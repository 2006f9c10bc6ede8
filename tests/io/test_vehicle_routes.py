"""Routes of solution files: aligned with vehicles, numbered by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan
from ncc_routing.io.vrplib import StatedSolution, write_solution

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fleet() -> nr.Instance:
    """Return four customers, two depots, and the vehicles 0 1 0 1."""
    return nr.Instance(
        "fleet",
        demands=np.array([0, 1, 1, 1, 1, 0]),
        capacity=4,
        coords=np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]]),
        num_depots=2,
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=4, num_available=2),
                nr.VehicleType(
                    capacity=3, num_available=2, start_depot=1, end_depot=1
                ),
            ),
            vehicles=(0, 1, 0, 1),
        ),
    )


def listed(
    folder: Path, instance: nr.Instance, solution: nr.Solution
) -> tuple[tuple[int, ...], ...]:
    """Return the routes as a file lists them; they are read as they were."""
    file = folder / "fleet.sol"
    write_solution(file, solution, instance)
    stated = nr.read_solution(file)
    assert stated.cost == solution.cost
    return stated.routes


@pytest.mark.parametrize(
    ("routes", "kinds", "expected"),
    [
        ([[1, 2], [3, 4]], [0, 1], ((2, 3), (4, 5))),
        ([[1, 2], [3, 4]], [1, 1], ((), (2, 3), (), (4, 5))),
    ],
)
def test_routes_belong_to_vehicles(
    fleet: nr.Instance,
    tmp_path: Path,
    routes: list[list[int]],
    kinds: list[int],
    expected: tuple[tuple[int, ...], ...],
) -> None:
    """Customer c is number c + 1 in the file; route k has vehicle k."""
    solution = nr.Solution.from_routes(fleet, routes, kinds)
    found = listed(tmp_path, fleet, solution)
    assert found == expected
    back = StatedSolution(found, None).routes_of(fleet)
    assert nr.Solution.from_routes(fleet, *back) == solution


@pytest.mark.parametrize(
    "text",
    [
        "Route #1: 2 3\nRoute #4: 4 5\n",
        "Route #4: 4 5\nRoute #3:\nRoute #1: 2 3\n",
        "Route: 2 3\nRoute:\nRoute:\nRoute: 4 5\n",
    ],
)
def test_numbers_are_those_of_vehicles(
    fleet: nr.Instance, tmp_path: Path, text: str
) -> None:
    """In any order; a vehicle that is not there is not used."""
    file = tmp_path / "fleet.sol"
    file.write_text(text)
    found = nr.read_solution(file).routes_of(fleet)
    assert found == (((1, 2), (3, 4)), (0, 1))


def test_numbers_without_a_vehicle_are_refused(
    fleet: nr.Instance, square: nr.Instance, tmp_path: Path
) -> None:
    """Where there are several types; other routes have any numbers."""
    file = tmp_path / "fleet.sol"
    for number in (0, 2):
        file.write_text(f"Route #2: 2\nRoute #{number}: 3\n")
        rule = f"fleet.sol: route {number}: must have the number of its veh"
        with pytest.raises(nr.InstanceError, match=rule):
            read_plan(file, fleet)
        assert read_plan(file, square).routes == ((2,), (3,))


def test_too_many_routes(fleet: nr.Instance, tmp_path: Path) -> None:
    """Whatever there is no vehicle for comes last, and is counted."""
    solution = nr.Solution.from_routes(fleet, [[1], [2], [3]], [0, 0, 0])
    found = listed(tmp_path, fleet, solution)
    assert found == ((2,), (), (3,), (), (4,))
    stated = StatedSolution(((2,), (3,), (4,), (5,), (2,)), None)
    assert stated.routes_of(fleet).vehicle_types == (0, 1, 0, 1, 1)


def test_an_unlimited_type_has_a_vehicle_for_each_customer(
    tmp_path: Path,
) -> None:
    """Then come those of the next type."""
    instance = nr.Instance(
        "types",
        demands=np.array([0, 1, 1]),
        capacity=2,
        coords=np.array([[0, 0], [1, 0], [2, 0]]),
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=2), nr.VehicleType(capacity=1))
        ),
    )
    solution = nr.Solution.from_routes(instance, [[1], [2]], [1, 1])
    found = listed(tmp_path, instance, solution)
    assert found == ((), (), (1,), (2,))
    stated = StatedSolution(found, None)
    assert stated.routes_of(instance).vehicle_types == (1, 1)


def test_without_a_fleet_routes_stay_as_they_are(square: nr.Instance) -> None:
    """Empty ones too, which the check then names, beside another."""
    stated = StatedSolution(((1, 4), (), (2, 3)), None)
    assert stated.routes_of(square) == (stated.routes, (0, 0, 0))
    assert StatedSolution(((),), 3).routes_of(square) == ((), ())
