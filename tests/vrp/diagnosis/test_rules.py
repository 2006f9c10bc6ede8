"""Route constraints that no plan can keep."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr

TYPES = (
    nr.VehicleType(capacity=10, num_available=1, skills=("lift",), name="A"),
    nr.VehicleType(capacity=4, num_available=2, skills=("cold",)),
)


def line(types: Any = TYPES, **rules: Any) -> nr.Instance:
    """Return customers at 10, 20, 30, 40 with demands 1, 2, 3, 4."""
    return nr.Instance(
        name="line",
        demands=np.arange(5),
        coords=np.array([[10 * node, 0] for node in range(5)]),
        fleet=nr.Fleet(types),
        windows=nr.TimeWindows.of(5, tw_late=[99, 99, 99, 30, 99]),
        constraints=nr.RouteConstraints(**rules),
    )


BOTH = ((), (), ("lift", "cold"), (), ())
LIFT = ((), (), ("lift",), (), ())


@pytest.mark.parametrize(
    ("rules", "kind", "message"),
    [
        ({"skills": LIFT}, None, ""),
        (
            {"skills": BOTH},
            "skill",
            "no vehicle has all that customer 2 needs: lift, cold",
        ),
        (
            {"skills": LIFT, "vehicles": (None, None, (1,), None, None)},
            "pin",
            "no vehicle that may serve customer 2 has what it needs: lift",
        ),
        (
            {"vehicles": (None, None, None, (1,), (1,))},
            None,
            "",
        ),
        (
            {"vehicles": (None, (1,), (1,), (1,), (1,))},
            "fleet-load",
            "the demands of the customers that only vehicle type 1 may serve "
            "add up to 10, more than the capacity of 8: customer 1",
        ),
        ({"same_route": ((1, 2, 3, 4),)}, None, ""),
        (
            {
                "same_route": ((1, 2, 3),),
                "vehicles": (None, (1,), None, None, None),
            },
            "together",
            "customer 1, customer 2, customer 3 must share a route, and no "
            "vehicle that may serve them can carry 6",
        ),
        (
            {
                "same_route": ((1, 2),),
                "vehicles": (None, (1,), (0,), None, None),
            },
            "together",
            "customer 1, customer 2 must share a route, and no vehicle may "
            "serve all of them",
        ),
        (
            {"same_route": ((1, 2), (2, 3)), "different_routes": ((3, 4, 1),)},
            "together",
            "must share a route, and customer 1, customer 3 must be on diff",
        ),
        (
            {
                "same_route": ((1, 2),),
                "districts": (-1, 0, 1, -1, -1),
                "max_districts": 1,
            },
            "together",
            "they are in 2 districts, and a route may visit 1",
        ),
        ({"in_progress": (nr.InProgressRoute(0, (1, 3)),)}, None, ""),
        (
            {
                "in_progress": (
                    nr.InProgressRoute(0, (2, 1, 3), (9, *[None] * 3)),
                )
            },
            None,
            "",
        ),
        (
            {"in_progress": (nr.InProgressRoute(0, (2, 1, 3)),)},
            "in_progress",
            "in-progress route 1 reaches customer 3 after its window closes",
        ),
        (
            {
                "in_progress": (
                    nr.InProgressRoute(0, (1,)),
                    nr.InProgressRoute(1, (2, 3)),
                )
            },
            "in_progress",
            "in-progress route 2 carries 5 of 4",
        ),
        (
            {"in_progress": (nr.InProgressRoute(1, (2,)),), "skills": LIFT},
            "in_progress",
            "in-progress route 1 serves customer 2, who needs lift, by veh",
        ),
        (
            {
                "in_progress": (
                    nr.InProgressRoute(0, (1,)),
                    nr.InProgressRoute(0, (2,)),
                )
            },
            "in_progress",
            r"2 routes of vehicle type 0 \(name A\) have begun, more than",
        ),
        (
            {
                "in_progress": (
                    nr.InProgressRoute(1, (1,)),
                    nr.InProgressRoute(1, (2,)),
                ),
                "same_route": ((1, 2),),
            },
            "in_progress",
            "they are on two in-progress routes",
        ),
        (
            {
                "in_progress": (nr.InProgressRoute(1, (1,)),),
                "same_route": ((1, 2, 3),),
            },
            "together",
            "no vehicle that may serve them can carry 6",
        ),
    ],
)
def test_rules_that_contradict(
    rules: Any, kind: str | None, message: str
) -> None:
    """One finding, with the customers; none where a plan keeps them."""
    found = nr.diagnose(line(**rules))
    assert [each.kind for each in found] == ([kind] if kind else [])
    assert found.fatal == found.findings
    for each in found:
        assert re.search(message, each.message)


def test_partners_begun_apart_end_in_words() -> None:
    """Also where customers may be left out: both are on their routes."""
    begun = tuple(nr.InProgressRoute(1, (node,)) for node in (1, 2))
    instance = line(in_progress=begun, same_route=((1, 2),))
    with pytest.raises(nr.InfeasibleError, match="on two in-progress routes"):
        nr.solve(instance, nr.stop.MaxIterations(20), allow_unserved=True)


def test_whoever_need_not_be_served_contradicts_nothing() -> None:
    """Nobody has the skill of customer 2, who may be left out."""
    instance = line(skills=BOTH, same_route=((1, 2), (2, 4)))
    required = np.array([False, True, False, True, True])
    choice = nr.Selection(np.array([0, 0, 5, 0, 0]), required)
    instance = replace(instance, selection=choice)
    assert not nr.diagnose(instance)
    again = replace(
        instance,
        constraints=nr.RouteConstraints(
            skills=BOTH, in_progress=(nr.InProgressRoute(0, (2,)),)
        ),
    )
    assert [each.kind for each in nr.diagnose(again)] == ["in_progress"]


def test_a_in_progress_route_does_not_reload() -> None:
    """Its vehicle may, and carries 4: customer 2 and 3 take 5."""
    instance = line(in_progress=(nr.InProgressRoute(1, (2, 3)),))
    kinds = tuple(
        replace(kind, reload_depots=(0,)) for kind in instance.vehicle_types
    )
    instance = replace(instance, fleet=nr.Fleet(kinds))
    [found] = nr.diagnose(instance)
    assert found.message.startswith("in-progress route 1 carries 5 of 4")


def test_a_in_progress_route_has_its_goods() -> None:
    """They are there at 5, the latest start; one later they are not."""
    for release, count in ((5, 0), (6, 1)):
        instance = line(in_progress=(nr.InProgressRoute(1, (2,)),))
        kinds = [replace(k, start_late=5) for k in instance.vehicle_types]
        goods = np.array([0, 0, release, 0, 0])
        instance = replace(
            instance,
            fleet=nr.Fleet(tuple(kinds)),
            windows=nr.TimeWindows.of(5, release_times=goods),
        )
        texts = [each.message for each in nr.diagnose(instance)]
        assert (
            sum("in-progress route 1 has goods" in t for t in texts) == count
        )


def test_a_in_progress_route_keeps_the_order_of_shipments() -> None:
    """The pickup is 1, and the delivery 2."""
    for order, count in (((1, 2), 0), ((1,), 0), ((2, 1), 1), ((2,), 1)):
        instance = replace(
            line(in_progress=(nr.InProgressRoute(0, order),)),
            demands=np.array([0, 0, 0, 3, 4]),
            shipments=(nr.Shipment(1, 2, (1,)),),
        )
        assert len(nr.diagnose(instance)) == count
