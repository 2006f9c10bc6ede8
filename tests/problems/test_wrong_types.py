"""Values of a wrong type in every field of a problem."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.plotting import routes_html
from ncc_routing.problems.source import Source
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.pyvrp.adapter import to_problem_data

BASES: Final[dict[type, dict[str, Any]]] = {
    nr.VehicleType: {"capacity": 5},
    nr.Fleet: {"types": (nr.VehicleType(capacity=5),)},
    nr.Loads: {"delivery": [[0], [1], [1]], "pickup": [[0], [0], [1]]},
    nr.Selection: {"prizes": [0, 1, 1], "required": [True, True, True]},
    nr.Shipment: {"pickup": 1, "delivery": 2, "amount": (1,)},
    nr.Group: {"customers": (1, 2)},
    nr.InProgressRoute: {"vehicle_type": 0, "customers": (1, 2)},
    nr.RouteConstraints: {"districts": (-1, 0, 0)},
    nr.Profile: {"matrix": np.ones((3, 3)) - np.eye(3)},
    nr.TimeWindows: {
        "tw_early": [0, 0, 0],
        "tw_late": [9, 9, 9],
        "service_durations": [0, 0, 0],
        "release_times": [0, 0, 0],
    },
    Source: {},
    nr.Instance: {
        "demands": [0, 1, 1],
        "capacity": 5,
        "coords": [[0, 0], [1, 1], [2, 2]],
    },
}

WRONG: Final[tuple[Any, ...]] = (None, "x", [], {}, object(), float("nan"))
"""Each stands for a kind of mistake; the numbers below are its places."""

ACCEPTED: Final = {
    "VehicleType.num_available": {0},
    "Source.plates": {2, 3},
    "VehicleType.start_depot": {0},
    "VehicleType.end_depot": {0},
    "VehicleType.service_durations": {2, 3},
    "VehicleType.setup_durations": {2, 3},
    "TimeWindows.setup_durations": {0},
    "Instance.places": {0},
    "Profile.lengths": {0},
    "VehicleType.price_steps": {2, 3},
    "VehicleType.balances": {2, 3},
    "RouteConstraints.precedences": {2, 3},
    "RouteConstraints.sequences": {2, 3},
    "RouteConstraints.positions": {2, 3},
    "VehicleType.name": {1},
    "VehicleType.other_capacities": {2, 3},
    "VehicleType.initial_load": {2, 3},
    "VehicleType.reload_depots": {2, 3},
    "VehicleType.skills": {2, 3},
    "Fleet.vehicles": {0, 2},
    "TimeWindows.windows": {0},
    "TimeWindows.preferred": {0},
    "TimeWindows.early_costs": {0},
    "TimeWindows.late_costs": {0},
    "VehicleType.breaks": {2, 3},
    "VehicleType.hours_of_service": {0},
    "InProgressRoute.breaks_taken": {2, 3},
    "InProgressRoute.departures": {2, 3},
    "RouteConstraints.skills": {2, 3},
    "RouteConstraints.vehicles": {2, 3},
    "RouteConstraints.same_route": {2, 3},
    "RouteConstraints.different_routes": {2, 3},
    "RouteConstraints.all_or_none": {2, 3},
    "RouteConstraints.districts": {2},
    "RouteConstraints.max_districts": {0},
    "RouteConstraints.in_progress": {2, 3},
    "Group.name": {1},
    "Selection.groups": {2, 3},
    "InProgressRoute.on_board": {2, 3},
    "InProgressRoute.reloads": {2, 3},
    "InProgressRoute.undelivered": {2, 3},
    "InProgressRoute.break_distances": {2, 3},
    "InProgressRoute.delays": {2, 3},
    "InProgressRoute.cancelled": {2, 3},
    "Selection.priorities": {0},
    "Shipment.amount": {2, 3},
    "Profile.durations": {0},
    "Instance.name": {1},
    "Instance.matrix": {0},
    "Instance.ids": {0},
    "Instance.fleet": {0},
    "Instance.windows": {0},
    "Instance.durations": {0},
    "Instance.profiles": {2, 3},
    "Source.unused_columns": {2, 3},
    "Source.columns": {2, 3},
    "Instance.detour": {0},
    "Instance.loads": {0},
    "Instance.selection": {0},
    "Instance.shipments": {2, 3},
    "Instance.constraints": {0},
    "Instance.speed": {0},
    "Source.load_parts": {2, 3},
    "Source.unread": {0, 3},
}
"""What a field takes of them: none, an empty list, a name."""

OTHERS: Final[tuple[Any, ...]] = (
    *(True, b"x", 1 + 2j, int, 10**400, np.array(1), [[1]], [None], ["x"]),
    *([1, [2]], {1: 2}, {1, 2}, np.zeros((0, 2)), np.array(["a"]), len),
)
"""More of them, some of which some fields take."""


def refusal(kind: type, values: dict[str, Any]) -> str | None:
    """Return the message of the package's own error, if there is one."""
    try:
        kind(**values)
    except nr.InstanceError as error:
        return str(error)
    return None


@pytest.mark.parametrize("kind", BASES, ids=lambda kind: kind.__name__)
def test_wrong_types_are_refused_by_name(kind: type) -> None:
    """By the package's error, on one line, which names the field."""
    assert refusal(kind, BASES[kind]) is None
    for field in fields(kind):
        accepted = set()
        for place, wrong in enumerate((*WRONG, *OTHERS)):
            message = refusal(kind, {**BASES[kind], field.name: wrong})
            if message is None:
                accepted.add(place)
                continue
            assert field.name in message
            assert "\n" not in message
        expected = ACCEPTED.get(f"{kind.__name__}.{field.name}", set())
        assert accepted & set(range(len(WRONG))) == expected, field.name


def test_checks_name_what_is_of_a_wrong_type() -> None:
    """Routes are no solution, and labels no clustering."""
    instance = nr.Instance(**BASES[nr.Instance])
    points = nr.PointSet(np.zeros((2, 1)), np.ones(2), 2)
    check: Any
    for check, given, message in (
        (nr.check_solution, (None, None), "instance must be an Instance"),
        (nr.check_solution, (instance, [[1]]), "solution must be a Solution"),
        (nr.check_clustering, (None, None), "points must be a PointSet"),
        (nr.check_clustering, (points, [0]), "clustering must be a Clusterin"),
    ):
        with pytest.raises(nr.ParameterError, match=message):
            check(*given)


def test_positions_are_no_vehicle_type() -> None:
    """PyVRP's first argument is the number, ours was the capacity."""
    with pytest.raises(TypeError, match="positional argument"):
        nr.VehicleType(5)  # type: ignore[call-arg]


def test_what_follows_need_not_be_given() -> None:
    """The capacity from the fleet, and a name for messages."""
    coords = np.array([[0, 0], [1, 1], [2, 2]])
    vans = nr.Fleet(tuple(nr.VehicleType(capacity=q) for q in (4, 7)))
    demands = np.array([0, 1, 1])
    instance = nr.Instance(demands=demands, fleet=vans, coords=coords)
    assert (instance.name, instance.capacity) == ("problem", 7)
    with pytest.raises(nr.InstanceError, match="problem: capacity: must be"):
        nr.Instance(demands=demands, coords=coords)
    with pytest.raises(nr.InstanceError, match="problem: demands: must be"):
        nr.Instance(capacity=5, coords=coords)
    with pytest.raises(nr.InstanceError, match="capacity: must be 7, the lar"):
        nr.Instance(demands=demands, capacity=4, fleet=vans, coords=coords)


def test_vehicles_without_a_capacity_carry_everything() -> None:
    """One route for all; nothing shows a number that is none."""
    coords = np.array([[0, 0], [3, 4], [6, 8]])
    instance = nr.Instance(
        demands=np.array([0, 10**6, 10**6]),
        coords=coords,
        fleet=nr.Fleet((nr.VehicleType(fixed_cost=1),)),
    )
    for polish in ("none", "ruin-recreate", "pyvrp"):
        result = nr.solve(instance, polish=polish, time_limit=0.3)
        assert (result.cost, result.num_routes) == (21.0, 1)
    assert "capacity" not in result.summary()
    assert "full" not in result.summary()
    assert str(NO_LIMIT) not in routes_html(instance, result.best)
    data = to_problem_data(instance)
    assert data.vehicle_type(0).capacity == [2**63 - 1]


def test_flags_of_numpy_are_flags() -> None:
    """As of an array of them."""
    assert nr.Group((1,), required=np.array([True])[0]).required is True
