"""Routes of solution files: aligned with vehicles, numbered by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.io.vehicle_routes import for_file, from_file
from ncc_routing.io.vrplib import read_solution, write_solution
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def fleet() -> Instance:
    """Return four customers, two depots, and the vehicles 0 1 0 1."""
    return Instance(
        "fleet",
        demands=np.array([0, 1, 1, 1, 1, 0]),
        capacity=4,
        coords=np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]]),
        num_depots=2,
        fleet=Fleet(
            (
                VehicleType(4, num_available=2),
                VehicleType(3, num_available=2, start_depot=1, end_depot=1),
            ),
            vehicles=(0, 1, 0, 1),
        ),
    )


def test_routes_belong_to_vehicles(fleet: Instance) -> None:
    """Customer c is number c + 1 in the file; route k has vehicle k."""
    found = from_file(fleet, [(2, 3), (), (), (4, 5)])
    assert found.routes == ((1, 2), (3, 4))
    assert found.vehicle_types == (0, 1)
    solution = Solution.from_routes(fleet, *found)
    assert solution.cost == (1 + 1 + 2) + (2 + 1 + 1)
    assert for_file(fleet, solution) == [[2, 3], [4, 5]]


def test_a_vehicle_that_stays_has_an_empty_route(fleet: Instance) -> None:
    """Two routes of type 1 are those of the vehicles 1 and 3."""
    solution = Solution.from_routes(fleet, [[1, 2], [3, 4]], [1, 1])
    assert for_file(fleet, solution) == [[], [2, 3], [], [4, 5]]
    back = from_file(fleet, for_file(fleet, solution))
    assert Solution.from_routes(fleet, *back) == solution


def test_too_many_routes(fleet: Instance) -> None:
    """Whatever there is no vehicle for comes last, and is counted."""
    solution = Solution.from_routes(fleet, [[1], [2], [3]], [0, 0, 0])
    assert for_file(fleet, solution) == [[2], [], [3], [], [4]]
    found = from_file(fleet, [[2], [3], [4], [5], [2]])
    assert found.vehicle_types == (0, 1, 0, 1, 1)


def test_an_unlimited_type_has_a_vehicle_for_each_customer() -> None:
    """Then come those of the next type."""
    instance = Instance(
        "types",
        demands=np.array([0, 1, 1]),
        capacity=2,
        coords=np.array([[0, 0], [1, 0], [2, 0]]),
        fleet=Fleet((VehicleType(2), VehicleType(1))),
    )
    solution = Solution.from_routes(instance, [[1], [2]], [1, 1])
    assert for_file(instance, solution) == [[], [], [1], [2]]
    found = from_file(instance, for_file(instance, solution))
    assert found.vehicle_types == (1, 1)


def test_without_a_fleet_routes_stay_as_they_are(square: Instance) -> None:
    """Empty ones too, which the check then names."""
    found = from_file(square, [(1, 4), (), (2, 3)])
    assert found.routes == ((1, 4), (), (2, 3))
    assert found.vehicle_types == (0, 0, 0)


def test_written_routes_are_read(fleet: Instance, tmp_path: Path) -> None:
    """A file goes there and back."""
    solution = Solution.from_routes(fleet, [[1, 2], [3, 4]], [1, 1])
    file = tmp_path / "fleet.sol"
    write_solution(file, solution, fleet)
    assert file.read_text().splitlines() == [
        "Route #1:",
        "Route #2: 2 3",
        "Route #3:",
        "Route #4: 4 5",
        f"Cost {int(solution.cost)}",
    ]
    stated = read_solution(file)
    assert stated.cost == solution.cost
    back = Solution.from_routes(fleet, *stated.routes_of(fleet))
    assert back == solution
