"""What drivers must know of another plan, line by line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.comparison import aligned, differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STOP = nr.stop.MaxIterations(50)
PLACES = {"ann": 1, "bob": 2, "eve": 3, "joe": -1, "kim": 4}


def day(*names: str, **more: Any) -> nr.Instance:
    """Return orders that take 10 minutes each, a minute for each 1,000 m."""
    yard = {"id": "yard", "x": 0, "y": 0, "open": "8:00", "close": "18:00"}
    row = {"y": 0, "demand": 1, "service": "0:10"}
    rows = [
        {"id": name, "x": 1000 * PLACES[name], "phone": f"+{name}", **row}
        for name in names
    ]
    vans = [
        {"name": name, "capacity": 3, "number": 1, **more}
        for name in ("Al", "Bo")
    ]
    return nr.read([yard, *rows], vans, speed="60km/h")


def plan(
    instance: nr.Instance, *routes: Sequence[str], types: Sequence[int] = ()
) -> tuple[nr.Instance, nr.Solution]:
    """Return routes by their orders, of Al, Bo or of other types."""
    nodes = [[instance.node_ids.index(k) for k in each] for each in routes]
    of = types or range(len(nodes))
    return instance, nr.Solution.from_routes(instance, nodes, of)


BEFORE = plan(day("ann", "bob", "eve", "joe"), ("ann", "bob", "eve"), ("joe",))


def test_each_driver_has_a_list() -> None:
    """What goes comes first, then all other stops in their order.

    Al was at 8:01, 8:12 and 8:23, and back at 8:36; Bo at 8:01, back at 8:12.
    """
    after = plan(
        day("ann", "bob", "eve", "joe", "kim"),
        ("ann", "eve", "kim"),
        ("bob", "joe"),
    )
    found = differences(BEFORE, after)
    assert str(found).split("\n") == [
        "Al",
        "  bob     to Bo",
        "  eve     at 08:13, 10 min earlier",
        "  kim     new, at 08:24",
        "  return  at 08:38, 2 min later",
        "Bo",
        "  bob     from Al, at 08:02",
        "  joe     at 08:15, 14 min later",
        "  return  at 08:26, 14 min later",
    ]
    moved = found.stops[0]
    assert (moved.time_before, moved.time, moved.minutes) == (
        "08:12",
        None,
        None,
    )
    assert (found.served_before, found.cost_before) == (4, 8000)


def test_orders_that_go_are_cancelled_or_dropped() -> None:
    """A driver with no stop any more has no start and no return either."""
    after = plan(day("ann", "bob", "joe"), ("ann", "bob"))
    assert str(differences(BEFORE, after, {"eve"})).split("\n") == [
        "Al",
        "  eve     cancelled",
        "  return  at 08:24, 12 min earlier",
        "Bo",
        "  joe     dropped",
    ]
    # A van that comes by serves nobody there; who is stopped does not return.
    begun = nr.InProgressRoute(1, (3,), (0, 9), cancelled=(3,))
    rules = nr.RouteConstraints(in_progress=(begun,))
    given = day("ann", "bob", "joe")
    goods = np.array([0, 1, 1, 0])
    instance = replace(given, demands=goods, constraints=rules)
    after = plan(instance, ("ann", "bob"), ("joe",))
    found = differences(BEFORE, after, {"eve", "joe"}, {"Al"})
    gone = [(one.stop, str(one)) for one in found.stops if not one.minutes]
    assert gone == [("eve", "cancelled"), ("joe", "cancelled")]
    assert differences(after, after).served_before == 2


def test_less_than_a_minute_is_not_listed() -> None:
    """All stops are half a minute farther, and 90 seconds are 1 or 2.

    Al starts at 8:00:30, and Bo at 8:01:30.
    """
    instance = day("ann", "bob", "eve", "joe")
    types = [
        replace(one, tw_early=8 * 3600 + more)
        for one, more in zip(instance.vehicle_types, (30, 90), strict=True)
    ]
    later = replace(instance, fleet=nr.Fleet(tuple(types)))
    found = differences(BEFORE, (later, BEFORE[1]))
    assert str(found).split("\n") == [
        "Bo",
        "  start   at 08:01, 1 min later",
        "  joe     at 08:02, 1 min later",
        "  return  at 08:13, 1 min later",
    ]


def test_depots_between_and_times_without_a_unit() -> None:
    """A further call is new, and one less is gone; there may be no times.

    Loading takes 3, as the service of a.
    """
    instance = day("ann", "bob", "joe", reload="yard")
    once = plan(instance, ("ann", "bob", "joe"))
    twice = plan(instance, ("ann", "yard", "bob", "joe"))
    assert [(k.stop, k.what) for k in differences(once, twice).stops] == [
        ("yard", "new"),
        *(("bob", "later"), ("joe", "later"), ("return", "later")),
    ]
    gone = differences(twice, once).stops[0]
    assert (gone.stop, gone.what) == ("yard", "gone")
    rows = [{"id": k, "x": x, "y": 0} for k, x in (("yard", 0), ("a", 5))]
    both = [*rows, {"id": "b", "x": 7, "y": 0}]
    timeless = plan(nr.read(both, capacity=9), ("a",), types=(0,))
    added = timeless[0], nr.Solution.from_routes(timeless[0], [[1], [2]])
    lines = str(differences(timeless, added)).split("\n")
    assert lines == [
        "Route 2",
        "  start   new",
        "  b       new",
        "  return  new",
    ]
    windows = [row | {"service": 3} for row in rows]
    plain = nr.read(windows, [{"name": "v", "capacity": 9, "latest start": 9}])
    one = plan(plain, ("a",))
    early = replace(one[0].vehicle_types[0], tw_early=2)
    moved = replace(plain, fleet=nr.Fleet((early,)))
    assert "  a       at 10, 2 later" in str(differences(one, (moved, one[1])))


def test_drivers_keep_their_routes() -> None:
    """Routes of alike vans stand where most of their stops were before."""
    instance = day("ann", "bob", "eve", "joe", "kim")
    alike = replace(instance.vehicle_types[0], name="van", num_available=3)
    instance = replace(instance, fleet=nr.Fleet((alike,)))
    one = [("ann", "bob"), ("eve",), ("joe",)]
    other = [("kim",), ("eve", "bob"), ("ann", "joe")]
    before = plan(instance, *one, types=(0, 0, 0))
    after = plan(instance, *other, types=(0, 0, 0))
    assert aligned(before, after).routes == ((1, 4), (3, 2), (5,))
    others = nr.Fleet(instance.vehicle_types + BEFORE[0].vehicle_types)
    mixed = plan(replace(instance, fleet=others), *other, types=(0, 1, 2))
    assert aligned(before, mixed).routes == mixed[1].routes


def test_replan_says_what_is_different(tmp_path: Path) -> None:
    """The JSON has it, and the first sheet of a workbook, with the phone."""
    openpyxl = pytest.importorskip("openpyxl")
    first = nr.Result(*BEFORE, "given", "none", 1, (), 0.0)
    changes = [
        nr.changes.Cancel("bob"),
        nr.changes.AddOrder(
            {"id": "kim", "x": 4000, "y": 0, "demand": 1, "phone": "7"}
        ),
        *(
            nr.changes.AddOrder({"id": f"z{k}", "x": -k, "y": 0, "demand": 2})
            for k in (1, 2)
        ),
    ]
    after = nr.replan(first, changes, STOP, now="8:05")
    assert nr.Result.from_json(after.to_json()).differences == (
        after.differences
    )
    assert after.differences is not None
    lines = str(after.differences).split("\n")
    assert lines[:2] == ["Al", "  bob     cancelled"]
    file = tmp_path / "after.xlsx"
    after.write(file)
    book = openpyxl.load_workbook(file)
    assert book.sheetnames[:2] == ["changes", "overview"]
    rows = [[cell.value for cell in row] for row in book["changes"].rows]
    assert rows[0][:4] == ["driver", "id", "change", "time"]
    assert rows[1][:3] == ["Al", "bob", "cancelled"]
    below = [row[0] for row in rows[rows.index([None] * len(rows[0])) :]]
    assert below[1].startswith("unserved")
    assert "orders    4 -> 3 served, 3 unserved" in below
    assert nr.Result.read(file).to_json() == after.to_json()
    assert "differences" not in first.to_json()


NEW = {"id": "new", "x": 500, "y": 0, "demand": 2}
LEFT = "none may come back to load (column reload_depots)"


@pytest.mark.parametrize(
    ("now", "changes", "facts", "why"),
    [
        ("8:05", [], {}, f"all vehicles have left, and {LEFT}"),
        # Bo is back at 8:12, and Al at 8:36.
        (
            "8:20",
            [],
            {},
            f"all vehicles that still drive have left, and {LEFT}; "
            "Bo: drives no further",
        ),
        ("9:00", [], {}, "no vehicle drives any further"),
        (
            "8:05",
            [nr.changes.OutOfService("Al"), nr.changes.OutOfService("Bo")],
            {},
            "no vehicle drives any further",
        ),
        # Bo has not left, and carries 1.
        (
            "8:05",
            [],
            {"alone": True, "capacity": (3, 1)},
            "Al: has left, and may not come back to load (column "
            "reload_depots); Bo: exceeds the capacity by 1",
        ),
        # Both may come back, and it closes before.
        (
            "8:05",
            [],
            {"reload": True},
            "Al: has left without its goods",
        ),
    ],
)
def test_reasons_are_those_of_a_dispatcher(
    now: str, changes: list[Any], facts: dict[str, Any], why: str
) -> None:
    """Each is true of the vehicles that it names: two vans, one new order."""
    instance = day("ann", "bob", "eve", "joe")
    if "reload" in facts:
        instance = day("ann", "bob", "eve", "joe", capacity=9)
    types = list(instance.vehicle_types)
    routes = BEFORE[1].routes
    for idx, capacity in enumerate(facts.get("capacity", ())):
        types[idx] = replace(types[idx], capacity=capacity)
    if "reload" in facts:
        back = (8 * 3600 + 36 * 60, 8 * 3600 + 12 * 60)
        types = [
            replace(one, reload_depots=(0,), tw_late=late)
            for one, late in zip(types, back, strict=True)
        ]
    if "alone" in facts:
        instance, routes = day("ann", "bob", "eve"), ((1, 2, 3),)
    instance = replace(instance, fleet=nr.Fleet(tuple(types)))
    best = nr.Solution.from_routes(instance, routes, range(len(routes)))
    first = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    changes = [*changes, nr.changes.AddOrder(NEW)]
    after = nr.replan(first, changes, STOP, now=now)
    assert [one.why for one in after.unserved if one.id == "new"] == [why]
    # A pickup needs nothing from the depot, where a vehicle still drives.
    pickup = nr.changes.AddOrder({**NEW, "demand": 0, "pickup": 1})
    after = nr.replan(first, [*changes[:-1], pickup], STOP, now=now)
    assert not any("left" in one.why for one in after.unserved)


def test_a_route_without_a_name_keeps_what_it_was_called() -> None:
    """The third route is the first one now, and that of joe the third."""
    places = {"x": [0, 1, 2, 3, -1, 4], "y": [0] * 6, "demand": [0, *[1] * 5]}
    names = {"id": ["yard", *PLACES]}
    instance = nr.read({**names, **places}, capacity=3)
    types = (0, 0, 0)
    before = plan(
        instance, ("ann",), ("bob",), ("eve", "kim", "joe"), types=types
    )
    after = plan(
        instance, ("eve", "kim", "ann"), ("bob",), ("joe",), types=types
    )
    found = differences(before, after).stops
    moved = [(k.driver, k.stop, k.what, k.other) for k in found]
    assert moved == [
        ("Route 3, now Route 1", "joe", "moved away", "Route 3, new"),
        ("Route 3, now Route 1", "ann", "moved here", "Route 1"),
        ("Route 3, new", "start", "new", ""),
        ("Route 3, new", "joe", "moved here", "Route 3, now Route 1"),
        ("Route 3, new", "return", "new", ""),
        ("Route 1", "ann", "moved away", "Route 3, now Route 1"),
    ]


def test_a_route_without_a_name_changes_vehicle_or_number() -> None:
    """Goods move where the capacity is another one; else the number does."""
    rows = {"id": ["yard", "ann", "bob"], "x": [0, 1, 2], "y": [0] * 3}
    vans = [{"capacity": each, "number": 2} for each in (3, 5)]
    instance = nr.read(rows | {"demand": [0, 1, 1]}, vans)
    before = plan(instance, ("ann",), ("bob",), types=(0, 0))
    found = differences(before, plan(instance, ("bob",), types=(1,)))
    assert str(found).split("\n") == [
        "Route 1, new",
        "  start   new",
        "  bob     from Route 2",
        "  return  new",
        "Route 1",
        "  ann     dropped",
        "Route 2",
        "  bob     to Route 1, new",
    ]
    found = differences(before, plan(instance, ("bob",), types=(0,)))
    assert str(found).split("\n") == [
        "Route 2, now Route 1",
        "  start  renumbered",
        "Route 1",
        "  ann    dropped",
    ]


def test_a_vehicle_may_be_called_by_a_number(tmp_path: Path) -> None:
    """Vehicle 1 is not that of route 1, which is vehicle 2."""
    vans = [{"name": name, "capacity": 3} for name in ("1", "2")]
    yard = {"id": "yard", "x": 0, "y": 0, "open": "8:00", "close": "18:00"}
    rows = [yard, {"id": "ann", "x": 1, "y": 0, "vehicle": "2"}]
    before = nr.solve(nr.read(rows, vans, speed="60km/h"), STOP)
    for name, served in (("1", 1), ("2", 0)):
        file = tmp_path / "changes.csv"
        file.write_text(f"change,vehicle\nout of service,{name}\n")
        after = nr.replan(before, file, STOP, now="7:00")
        assert after.totals.served == served


def test_a_new_window_of_the_next_stop() -> None:
    """Al is with ann from 8:01 to 8:11, and at bob's at 8:12."""
    first = nr.Result(*BEFORE, "given", "none", 1, (), 0.0)
    later = nr.changes.Window("bob", "8:30-9:00")
    after = nr.replan(first, [later], STOP, now="8:11:30")
    assert "  bob     at 08:30, 18 min later" in str(after.differences)
    missed = nr.changes.Window("bob", "7:00-8:11")
    with pytest.raises(nr.ParameterError, match=r"arrives at 08:12"):
        nr.replan(first, [missed], STOP, now="8:11:30")
