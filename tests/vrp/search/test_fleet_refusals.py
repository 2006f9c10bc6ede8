"""What the search for fleets says where it finds no plan."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.search.fleets.limits import keep_to_fleet

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


NINE_AWAY = {
    "window": (
        nr.VehicleType(capacity=5),
        {"tw_late": [100, 50, 8]},
        "reached at 9 at the earliest, after its window from 0 to 8",
    ),
    "start": (
        nr.VehicleType(capacity=5, tw_early=3),
        {"tw_early": [0, 0, 2], "tw_late": [100, 50, 11]},
        "reached at 12 at the earliest, after its window from 2 to 11",
    ),
    "end": (
        nr.VehicleType(capacity=5, tw_late=17),
        {},
        "from whom a vehicle is back at 18 at the earliest, after its end at "
        "17",
    ),
    "release": (
        nr.VehicleType(capacity=5, start_late=20),
        {"release_times": [0, 0, 21]},
        "whose goods are released at 21, after the latest start at 20",
    ),
    "depot": (
        nr.VehicleType(capacity=5, tw_early=10),
        {"tw_late": [9, 50, 50]},
        "as its vehicle cannot start while the depot is open",
    ),
    "shift": (
        nr.VehicleType(capacity=5, shift_duration=19.5),
        {"service_durations": [0, 0, 2]},
        "whose route alone takes 20, with shifts of at most 19.5",
    ),
    "distance": (
        nr.VehicleType(capacity=5, max_distance=17),
        {},
        "whose route alone is 18 long, with a maximum distance of 17",
    ),
}
"""The limit that keeps vehicles from a customer 9 away, and how it is told."""


@pytest.mark.parametrize("limit", NINE_AWAY)
def test_a_customer_out_of_reach_is_infeasible(limit: str) -> None:
    """The limit that is broken is told with its numbers, and the id."""
    vehicle, times, reason = NINE_AWAY[limit]
    instance = nr.Instance(
        "late",
        np.array([0, 0, 1]),
        5,
        np.array([[0, 0], [0, 3], [0, 9]]),
        windows=nr.TimeWindows.of(3, **times),
        fleet=nr.Fleet((vehicle, nr.VehicleType(capacity=0))),
        ids=("home", "1st", "Main St"),
    )
    with pytest.raises(nr.InfeasibleError) as error:
        insert_customers(instance, Run(seed=1))
    told = f"late: no vehicle can serve customer 2 (id Main St), {reason}"
    assert str(error.value) == f"{told} (vehicle type 0)."


def test_of_many_customers_out_of_reach_three_are_named() -> None:
    """Customers 2 to 5 are too far, the last one is not named."""
    instance = nr.Instance(
        "far",
        np.array([0, 1, 1, 1, 1, 1]),
        5,
        np.array([[0, y] for y in (0, 1, 6, 7, 8, 9)]),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, max_distance=10),)),
    )
    told = [
        f"customer {k}, whose route alone is {length} long, with a maximum "
        "distance of 10"
        for k, length in ((2, 12), (3, 14), (4, 16))
    ]
    with pytest.raises(nr.InfeasibleError) as error:
        insert_customers(instance, Run(seed=1))
    assert str(error.value) == (
        f"far: no vehicle can serve 4 of 5 customers: {'; '.join(told)}; ..."
    )
