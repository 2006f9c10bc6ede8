"""Columns of loads, shipments and choices, and of vehicles that reload."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr

YARD = {"id": "yard", "x": 0, "y": 0, "demand": 0}
VAN = {"capacity": 9}


def line(*customers: dict[str, Any], **vehicle: Any) -> nr.Instance:
    """Return customers at 10, 20, ... on a line through the yard."""
    rows = [
        {"id": "abc"[idx], "x": 10 * (idx + 1), "y": 0, **customer}
        for idx, customer in enumerate(customers)
    ]
    return nr.read([YARD, *rows], [{**VAN, **vehicle}])


def test_pickups() -> None:
    """8 out and 8 back fit; a pickup of 8 before a delivery of 8 does not."""
    instance = line({"demand": 8}, {"demand": 0, "pickup": 8})
    assert instance.loads is not None
    assert instance.loads.pickup.tolist() == [[0], [0], [8]]
    result = nr.solve(instance, stop=nr.stop.MaxIterations(20))
    assert (result.cost, result.routes) == (40, ((1, 2),))


def test_several_loads() -> None:
    """What fits by one kind may not by the other."""
    for most, num_routes in ((4, 1), (3, 2)):
        instance = nr.read(
            [
                YARD,
                {"id": "a", "x": 10, "y": 0, "demand": 1, "demand 2": 2},
                {"id": "b", "x": 20, "y": 0, "demand": 1, "demand 2": 2},
            ],
            [{"number": 2, "capacity": 9, "capacity 2": most}],
        )
        assert instance.num_load_dimensions == 2
        result = nr.solve(instance, stop=nr.stop.MaxIterations(20))
        assert result.num_routes == num_routes


def test_shipments() -> None:
    """From 20 to 10: out and back over both, in this order."""
    instance = line({"demand": 0}, {"demand": 5, "deliver_to": "a"})
    [shipment] = instance.shipments
    assert (shipment.pickup, shipment.delivery, shipment.amount) == (
        2,
        1,
        (5,),
    )
    assert not instance.demands.any()
    result = nr.solve(instance, stop=nr.stop.MaxIterations(20))
    assert (result.cost, result.routes) == (40, ((2, 1),))


def test_a_shipment_has_an_amount_in_each_dimension_of_any_column() -> None:
    """A second pickup elsewhere makes a second dimension of every load."""
    instance = line(
        {"demand": 0},
        {"demand": 5, "deliver_to": "a"},
        {"demand": 1, "pickup 2": 3},
        **{"capacity 2": 4},
    )
    assert instance.shipments[0].amount == (5, 0)
    assert instance.deliveries.tolist() == [[0, 0], [0, 0], [0, 0], [1, 0]]


@pytest.mark.parametrize(
    ("prize", "routes", "cost"), [(19, ((1,),), 39), (21, ((2, 1),), 40)]
)
def test_prizes(
    prize: int, routes: tuple[tuple[int, ...], ...], cost: int
) -> None:
    """The way to 20 is 20 longer than that to 10; no prize must be served."""
    instance = line({"demand": 1}, {"demand": 1, "prize": prize})
    assert instance.required.tolist() == [False, True, False]
    result = nr.solve(instance, stop=nr.stop.MaxIterations(50))
    assert (result.cost, result.routes) == (cost, routes)


def test_who_must_be_served() -> None:
    """A word is more than a prize; an empty cell is yes."""
    instance = line(
        {"demand": 1, "required": "no", "prize": 0},
        {"demand": 1, "required": "", "prize": 5},
        {"demand": 1, "required": "yes", "prize": 5},
    )
    assert instance.required.tolist() == [False, False, True, True]


def test_one_of_several() -> None:
    """The nearer of two; the third comes anyway."""
    instance = line(
        {"demand": 1, "one_of": "shop"},
        {"demand": 1, "one_of": "shop"},
        {"demand": 1, "one_of": ""},
    )
    assert instance.selection is not None
    [group] = instance.selection.groups
    assert (group.customers, group.required, group.name) == (
        (1, 2),
        True,
        "shop",
    )
    result = nr.solve(instance, stop=nr.stop.MaxIterations(20))
    assert result.cost == 60
    assert len(result.routes[0]) == 2


@pytest.mark.parametrize(
    ("first", "second", "is_required"),
    [
        ("", "", True),
        ("no", "", False),
        ("", "no", False),
        ("no", 0, False),
        (1, "", True),
    ],
)
def test_a_word_on_one_row_holds_for_the_shipment(
    first: object, second: object, is_required: bool
) -> None:
    """On that of the delivery as on that of the pickup."""
    instance = line(
        {"demand": 0, "required": first},
        {"demand": 5, "deliver_to": "a", "required": second, "prize": 9},
    )
    assert instance.required.tolist() == [False, is_required, is_required]


def test_a_word_on_one_of_several_holds_for_the_group() -> None:
    """None of them is required alone."""
    for words in (("", ""), (1, 1), ("no", ""), (1, ""), (0, 0)):
        rows = [{"demand": 1, "one_of": "s", "required": w} for w in words]
        instance = line(*rows)
        assert not instance.required.any()
        assert instance.selection is not None
        [group] = instance.selection.groups
        assert group.required is not bool({"no", 0} & {*words})


@pytest.mark.parametrize("reload", ["yes", "yard", 1])
def test_reloads(reload: object) -> None:
    """One vehicle, two loads: it comes back once."""
    instance = line({"demand": 9}, {"demand": 9}, reload=reload, max_reloads=1)
    [kind] = instance.vehicle_types
    assert (kind.reload_depots, kind.max_reloads) == ((0,), 1)
    result = nr.solve(instance, stop=nr.stop.MaxIterations(50))
    assert (result.cost, result.num_routes) == (60, 1)


def test_overtime_and_initial_loads() -> None:
    """In the unit of the other times, and of the loads."""
    instance = line(
        {"demand": 1},
        **{"max overtime": 7, "cost per overtime": 3, "initial load": 2},
    )
    [kind] = instance.vehicle_types
    assert (kind.max_overtime, kind.unit_overtime_cost) == (7, 3)
    assert kind.initial_load == (2,)


def test_reloads_at_one_of_several_depots() -> None:
    """Ids between bars; another word is refused."""
    rows = [
        {"id": name, "x": x, "y": 0, "demand": 0, "depot": 1}
        for name, x in (("yard", 0), ("east", 50))
    ]
    rows.append({"id": "a", "x": 10, "y": 0, "demand": 1, "depot": 0})
    van = {"capacity": 9, "depot": "yard", "reload": "yard|east"}
    [kind] = nr.read(rows, [van]).vehicle_types
    assert kind.reload_depots == (0, 1)
    with pytest.raises(nr.InstanceError, match="yard, east"):
        nr.read(rows, [{**van, "reload": "yes"}])
    assert np.isfinite(nr.solve(nr.read(rows, [van]), polish="none").cost)
