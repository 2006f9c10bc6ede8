"""What the search for fleets says where it finds no plan."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.search.fleets.limits import keep_to_fleet
from ncc_routing.vrp.search.fleets.search import with_more_vehicles

TOO_FEW = {
    "three": (
        [6, 6, 6],
        [nr.VehicleType(capacity=10, num_available=2)],
        r"no plan for 2 vehicles .* least number reached is 3",
    ),
    "types": (
        [6, 6, 6, 1],
        [
            nr.VehicleType(capacity=10, num_available=2, name="van"),
            nr.VehicleType(capacity=1, num_available=9),
        ],
        r"for the vehicles that there are was found in the time; the best one "
        r"takes 3 of the 2 of type 0 \(van\)\.",
    ),
}
"""Three customers of 6 do not fit into two vehicles of 10."""


@pytest.mark.parametrize("case", TOO_FEW)
def test_a_fleet_too_small_is_infeasible(case: str) -> None:
    """The error names the number of vehicles, or the type that is missing."""
    demands, types, message = TOO_FEW[case]
    coords = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]])
    instance = nr.Instance(
        case,
        np.array([0, *demands]),
        10,
        coords[: len(demands) + 1],
        fleet=nr.Fleet(tuple(types)),
    )
    start = insert_customers(instance, Run(seed=1))
    assert start.num_routes == len(demands) or case == "types"
    with pytest.raises(nr.InfeasibleError, match=message):
        keep_to_fleet(instance, start, Run(Budget.of(0.1), seed=1))


def test_more_vehicles_serve_everybody() -> None:
    """Of 300 customers who need a vehicle each none is overlooked."""
    instance = nr.Instance(
        "many",
        np.array([0] + 300 * [1]),
        1,
        np.random.default_rng(1).integers(0, 99, (301, 2)),
        fleet=nr.Fleet((nr.VehicleType(capacity=1, num_available=1),)),
    )
    found = with_more_vehicles(instance, nr.Solution((), 0.0), 1)
    assert found.num_routes == 300
