"""Tests of parts of a plan as problems of their own."""

from __future__ import annotations

import numpy as np

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.selection import Group, Selection
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.pyvrp.parts import Cut


def two_sides() -> nr.Instance:
    """Return ten stops on a line, the odd ones left and the even ones right.

    The depot 11 lies on the left. 1..4 must be served, 5 may, and of 6 and 7
    one is; 8 to 10 is a shipment that nobody must carry, and 9 may be served.
    """
    places = [0, -10, 10, -11, 11, -12, 12, -13, 14, -9, 15, -1]
    is_required = np.isin(np.arange(12), [1, 2, 3, 4])
    return nr.Instance(
        "sides",
        np.where(np.isin(np.arange(12), [0, 8, 10, 11]), 0, 1),
        coords=np.array([[x, 0] for x in places]),
        num_depots=2,
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=5, num_available=5),
                nr.VehicleType(capacity=4, num_available=1, start_depot=1),
                nr.VehicleType(capacity=3),
            )
        ),
        windows=TimeWindows.of(12, tw_early=np.arange(12)),
        selection=Selection(
            np.array([0, 0, 0, 0, 0, 5, 0, 7, 8, 9, 0, 0]),
            is_required,
            (Group((6, 7)),),
        ),
        shipments=(Shipment(8, 10, (2,)),),
    )


def test_parts_have_their_share_of_all() -> None:
    """By hand: customers, windows, vehicles, group and shipment."""
    whole = two_sides()
    plan = nr.Solution.from_routes(whole, [[1, 3, 7], [2, 4]], [1, 0])
    cut = Cut(whole, plan, 2, np.random.default_rng(1))
    parts = [cut.part(idx) for idx in range(cut.num_parts)]
    left, right = sorted(parts, key=lambda part: int(part.names[1]))
    # The group belongs to 7, who is served, though 6 lies on the right.
    assert left.names.tolist() == [0, 1, 3, 5, 6, 7, 9, 11]
    assert right.names.tolist() == [0, 2, 4, 8, 10, 11]
    assert left.solution.routes == ((1, 2, 5),)
    assert left.named(left.solution).routes == ((1, 3, 7),)
    assert left.named(left.solution).vehicle_types == (1,)
    assert left.instance.windows is not None
    assert left.instance.windows.tw_early.tolist() == left.names.tolist()
    assert left.instance.selection is not None
    assert left.instance.selection.groups == (Group((4, 5)),)
    assert left.instance.shipments == ()
    assert right.instance.shipments == (Shipment(3, 4, (2,)),)
    # Four vehicles of the first type are unused, and none of the second.
    counts = [
        {
            kind: one.num_available
            for kind, one in zip(
                part.kinds, part.instance.vehicle_types, strict=True
            )
        }
        for part in (left, right)
    ]
    assert counts == [{0: 2, 1: 1, 2: None}, {0: 3, 2: None}]
    assert left.solution.cost + right.solution.cost == plan.cost
    assert cut.joined().cost == plan.cost
    assert nr.check_solution(whole, cut.joined()) == []


def test_unused_vehicles_are_shared_out() -> None:
    """Five for three parts: two, two and one, whichever is the first."""
    demands = np.array([0, 1, 1, 1])
    whole = nr.Instance(
        "line",
        demands,
        coords=np.array([[0, 0], [1, 0], [2, 0], [3, 0]]),
        fleet=nr.Fleet((nr.VehicleType(capacity=1, num_available=8),)),
    )
    plan = nr.Solution.from_routes(whole, [[1], [2], [3]])
    shares = set()
    for seed in range(20):
        cut = Cut(whole, plan, 3, np.random.default_rng(seed))
        counts = [
            cut.part(idx).instance.vehicle_types[0].num_available
            for idx in range(3)
        ]
        assert sorted(count or 0 for count in counts) == [2, 3, 3]
        shares.add(tuple(counts))
    assert len(shares) == 3


def test_parts_without_a_route_are_left_out() -> None:
    """Two routes make two parts at most."""
    whole = generate_uchoa(20, 1)
    plan = nr.Solution.from_routes(whole, [range(1, 20), [20]])
    cut = Cut(whole, plan, 5, np.random.default_rng(1))
    assert cut.num_parts == 2
    assert cut.joined().cost == plan.cost
