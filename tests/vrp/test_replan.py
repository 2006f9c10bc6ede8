"""A plan that is driven, and changed from a moment on."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan
from tests.oracles.checker import Checker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STOP = nr.stop.MaxIterations(60)


def line(*places: int, **more: Any) -> nr.Instance:
    """Return customers of demand 1 right of the depot at 0, as "a", "b" ..."""
    size = len(places) + 1
    vans = (nr.VehicleType(name="van", num_available=1, capacity=9),)
    return nr.Instance(
        **{
            "demands": np.array([0, *[1] * len(places)]),
            "coords": np.array([[x, 0] for x in (0, *places)]),
            "ids": ("depot", *"abcdefgh"[: size - 1]),
            "fleet": nr.Fleet(vans),
            "windows": nr.TimeWindows.of(
                size, service_durations=[0, *[2] * (size - 1)]
            ),
            **more,
        }
    )


def driven(instance: nr.Instance, *routes: Sequence[int]) -> nr.Result:
    """Return these routes as a plan, each of the first vehicle type."""
    plan = nr.Solution.from_routes(instance, routes, (0,) * len(routes))
    return nr.Result(instance, plan, "given", "none", 1, (), 0.0)


def ids(result: nr.Result) -> list[list[str]]:
    """Return the routes by the ids of their stops."""
    names = result.instance.node_ids
    return [[names[stop] for stop in route] for route in result.routes]


def begins(result: nr.Result) -> dict[str, float]:
    """Return when the service of each customer begins."""
    names = result.instance.node_ids
    return {
        names[node]: begin
        for one in result.best.schedules(result.instance)
        for node, begin in list(zip(one.visits, one.begins, strict=True))[1:-1]
    }


PLAN = driven(line(10, 20, 30), (1, 2, 3))
"""It serves a at 10, b at 22 and c at 34, and is back at 66."""


def test_what_has_happened_stays() -> None:
    """At 23 b is served until 24; d at 1 comes last, not first."""
    new = {"id": "d", "x": 1, "y": 0, "demand": 0}
    after = nr.replan(PLAN, [nr.changes.AddOrder(new)], STOP, now=23)
    assert ids(after) == [["a", "b", "c", "d"]]
    assert begins(after) == {"a": 10, "b": 22, "c": 34, "d": 65}
    assert not after.unserved


def test_waiting_that_is_past_is_no_driving() -> None:
    """It is at a when that closes, at 25, and waits for b from 35 to 50."""
    windows = nr.TimeWindows.of(4, [0, 0, 50, 0], [99, 25, 99, 99])
    instance = line(10, 20, 30, windows=windows)
    for now in (26, 55):
        after = nr.replan(driven(instance, (1, 2, 3)), [], STOP, now=now)
        [schedule] = after.best.schedules(after.instance)
        assert (sum(schedule.waits), schedule.duration) == (15, 75)


def test_open_routes_and_services_of_a_type_go_on() -> None:
    """The van is at a from 0 to 5, at b from 15 to 20, and new at d."""
    van = nr.VehicleType(
        name="van",
        num_available=1,
        capacity=9,
        start_depot=None,
        end_depot=None,
        service_durations=(0, 5, 5, 5),
    )
    plan = driven(line(10, 20, 30, fleet=nr.Fleet((van,))), (1, 2, 3))
    row = {"id": "d", "x": 45, "y": 0, "demand": 0, "service": 1}
    for now in (16, 19):
        after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=now)
        assert ids(after) == [["a", "b", "c", "d"]]
        [schedule] = after.best.schedules(after.instance)
        assert schedule.begins == (0, 15, 30, 50)
        assert schedule.services == (5, 5, 5, 1)
    late = nr.replan(plan, [nr.changes.Late("van", 4)], STOP, now=19)
    assert late.best.schedules(late.instance)[0].begins == (0, 15, 34)
    with pytest.raises(nr.ParameterError, match="a is already served, at 0"):
        nr.replan(plan, [nr.changes.Cancel("a")], STOP, now=1)


@pytest.mark.parametrize(("now", "is_served"), [(10, False), (11, True)])
def test_who_is_served_is_not_cancelled(now: int, is_served: bool) -> None:
    """The service of a begins at 10, and must have begun before now."""
    if is_served:
        with pytest.raises(
            nr.ParameterError, match="a is already served, at 10"
        ):
            nr.replan(PLAN, [nr.changes.Cancel("a")], STOP, now=now)
        return
    after = nr.replan(PLAN, [nr.changes.Cancel("a")], STOP, now=now)
    assert begins(after) == {"a": 10, "b": 20, "c": 32}  # it comes by


def test_goods_on_board_stay_on_their_vehicle() -> None:
    """A new order beside b comes from the depot, by a van that is there."""
    vans = (nr.VehicleType(name="van", num_available=2, capacity=9),)
    windows = nr.TimeWindows.of(4, tw_early=[0, 0, 0, 50])
    instance = line(10, 20, 5, fleet=nr.Fleet(vans), windows=windows)
    plan = driven(instance, (1, 2), (3,))
    after = nr.replan(plan, [], STOP, now=14)
    assert sorted(ids(after)) == [["a", "b"], ["c"]]
    [begun] = after.instance.in_progress
    assert (begun.customers, begun.on_board) == ((1, 2), ())
    new = nr.changes.AddOrder({"id": "d", "demand": 1}, place="b")
    after = nr.replan(plan, [new], STOP, now=14)
    assert [row for row in ids(after) if "d" in row] == [["c", "d"]]


def laden(**more: Any) -> nr.Result:
    """Return a plan for a van of 15 that leaves with 5, 5 and 4 for a, b, c.

    It starts at 0, is at a from 10 to 15, and serves b and c from 50 on.
    """
    van = nr.VehicleType(
        name="van", num_available=1, capacity=15, start_late=0, **more
    )
    amounts = np.array([0, 5, 5, 4])
    windows = nr.TimeWindows.of(
        4,
        tw_early=[0, 0, 50, 50],
        tw_late=[999, 99, 70, 99],
        service_durations=[0, 5, 0, 0],
    )
    fleet = nr.Fleet((van,))
    instance = line(10, 20, 30, demands=amounts, fleet=fleet, windows=windows)
    return driven(instance, (1, 2, 3))


PICKUP = {"id": "p", "x": 11, "y": 0, "demand": 0, "pickup": 12}
"""An order that does not fit beside 9 on board of 15."""


def loads(result: nr.Result) -> list[tuple[str, int]]:
    """Return what the first vehicle has on board after each stop."""
    names = result.instance.node_ids
    schedule = result.best.schedules(result.instance)[0]
    stops = zip(schedule.visits, schedule.loads, strict=True)
    return [(names[node], load) for node, (load,) in stops]


def test_goods_come_off_at_a_depot_alone() -> None:
    """The pickup at 11, until 45, has room once b and c are at the depot.

    They are there from 25 on; what was on board before stays so in each plan.
    """
    plan = laden(reload_depots=(0,))
    row = {**PICKUP, "window": "20-45"}
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=12)
    expected = [
        *[("depot", 14), ("a", 9), ("depot", 0), ("p", 12), ("depot", 9)],
        *[("b", 4), ("c", 0), ("depot", 0)],
    ]
    assert loads(after) == expected
    for now in (15, 25, 35, 60, 80):
        after = nr.replan(nr.Result.from_json(after.to_json()), (), now=now)
        assert loads(after) == expected
    found = {one.kind for one in nr.check_solution(after.instance, after.best)}
    assert found == set()


def test_price_steps_count_the_trips_before_a_reload() -> None:
    """The load of a day is that of all its trips."""
    orders = {
        "id": ["d", "a", "b", "c", "e"],
        "x": [0, 3, 6, -3, -6],
        "y": [0, 4, 8, 4, 8],
        "demand": [0, 3, 4, 2, 4],
    }
    van = {
        "name": ["A"],
        "capacity": [5],
        "reload": ["yes"],
        "included load": [3],
        "cost per extra load": [2],
        "included stops": [3],
        "cost per extra stop": [7],
    }
    plan = nr.solve(nr.read(orders, van), STOP)
    new = nr.changes.AddOrder({"id": "n", "x": 4, "y": 4, "demand": 1})
    for now in (5, 20, 30):
        after = nr.replan(plan, [new], STOP, now=now)
        assert not nr.check_solution(after.instance, after.best)
        judge = Checker(after.instance)
        assert after.cost == pytest.approx(judge.plan_cost(after.best))


def test_goods_on_board_make_no_room() -> None:
    """Without a reload b, c and the pickup before them do not fit.

    They do not either where b and c are left out: their goods are on board.
    """
    row = {**PICKUP, "window": "12-45"}
    after = nr.replan(laden(), [nr.changes.AddOrder(row)], STOP, now=12)
    assert ids(after) == [["a", "b", "c"]]
    [one] = after.unserved
    assert one.id == "p"
    assert one.why == "exceeds the capacity by 1; reached at 79, closes at 45"
    without = nr.Solution.from_routes(after.instance, [(1, 4)], [0])
    said = {one.message for one in nr.check_solution(after.instance, without)}
    assert "route 1 carries 21 of 15" in said


def test_cancelled_goods_take_room() -> None:
    """Two are on board and b is cancelled: 8 of 9 can be picked up."""
    amounts = nr.Loads(
        np.array([[0], [1], [1]]), np.zeros((3, 1), dtype=np.int64)
    )
    plan = driven(line(10, 20, loads=amounts), (1, 2))
    for amount, is_served in ((8, True), (9, False)):
        row = {"id": "c", "x": 5, "y": 0, "demand": 0, "pickup": amount}
        changes = [nr.changes.Cancel("b"), nr.changes.AddOrder(row)]
        after = nr.replan(plan, changes, STOP, now=11)
        assert ("c" in begins(after)) == is_served
        assert {one.id for one in after.unserved} == set("c"[is_served:])


@pytest.mark.parametrize(("amount", "is_served"), [(1.5, True), (2.5, False)])
def test_cancelled_goods_take_room_in_finer_parts(
    amount: float, is_served: bool
) -> None:
    """One of 3 stays on board, also where a load counts in halves."""
    rows = [("yard", 0, None), ("a", 10, 1), ("b", 20, 1)]
    table = [
        dict(zip(("id", "x", "demand"), row, strict=True)) for row in rows
    ]
    van = [{"name": "van", "number": 1, "capacity": 3}]
    given = nr.read([{**row, "y": 0} for row in table], vehicles=van)
    plan = driven(given, (1, 2))
    row = {"id": "c", "x": 5, "y": 0, "demand": 0, "pickup": amount}
    changes = [nr.changes.Cancel("b"), nr.changes.AddOrder(row)]
    after = nr.replan(plan, changes, STOP, now=11)
    assert ("c" in begins(after)) == is_served


def against_new_ones(now: int | None, **more: Any) -> nr.Result:
    """Return a plan for a at 5 and b at 30, after orders at -10 and -12 came.

    The only van drives at most 62 and starts at 0: it serves a and b, or the
    two new ones, and a if that is served already.
    """
    van = nr.VehicleType(
        name="van",
        num_available=1,
        capacity=9,
        max_distance=62,
        start_late=0,
        reload_depots=(0,),
    )
    plan = driven(line(5, 30, fleet=nr.Fleet((van,))), (1, 2))
    rows = [
        {"id": name, "x": x, "y": 0, "demand": 1}
        for name, x in (("c", -10), ("d", -12))
    ]
    changes = [nr.changes.AddOrder(row) for row in rows]
    return nr.replan(plan, changes, STOP, now=now, **more)


def test_orders_of_the_plan_outweigh_new_ones() -> None:
    """Those on board do so even if new orders compete."""
    for now, compete in ((None, False), (6, False), (6, True)):
        after = against_new_ones(now, new_orders_compete=compete)
        assert set(begins(after)) == {"a", "b"}
        assert [(one.id, one.was_planned) for one in after.unserved] == [
            ("c", False),
            ("d", False),
        ]


def test_new_orders_compete_if_told() -> None:
    """Who was planned and is not any more is named first, also in JSON."""
    after = against_new_ones(None, new_orders_compete=True)
    assert set(begins(after)) == {"a", "c", "d"}
    [one] = nr.Result.from_json(after.to_json()).unserved
    assert (one.id, one.was_planned) == ("b", True)
    assert one.why == "was planned; drives 84, limit 62"


def test_a_higher_priority_outweighs_the_plan() -> None:
    """It is that of a new order, whose neighbour comes along."""
    selection = nr.Selection(
        np.zeros(2), np.ones(2, dtype=bool), priorities=np.array([0, 3])
    )
    van = nr.VehicleType(num_available=1, capacity=9, max_distance=62)
    instance = line(30, fleet=nr.Fleet((van,)), selection=selection)
    row = {"id": "b", "x": -10, "y": 0, "demand": 1}
    for priority, served in ((3, "a"), (4, "b")):
        change = nr.changes.AddOrder({**row, "priority": priority})
        after = nr.replan(driven(instance, (1,)), [change], STOP, now=None)
        assert set(begins(after)) == {served}


def test_changes_in_the_words_of_the_table() -> None:
    """Titles count in any case, and travel as the first table has them."""
    titles = ("Order No", "x", "y", "Weight (kg)", "Delivery Window", "Notes")
    rows = [("yard", 0, 0, "", "", ""), ("a", 5, 0, 2.5, "8-12", "call")]
    table = [dict(zip(titles, row, strict=True)) for row in rows]
    plan = nr.solve(nr.read(table, capacity=9, speed="1km/h"), STOP)
    changes = [
        {"change": "add", "order no": "b", "X": 7, "y": 0, "Weight (KG)": 1.5},
        nr.changes.AddOrder(
            {"Order No": "c", "x": 7, "y": 0, "notes": "ring"}
        ),
        {"change": "window", "Order No": "a", "delivery window": "9-11"},
        {"change": "cancel", "order no": "b"},
    ]
    after = nr.replan(plan, changes[:3], STOP, now="7:00").instance
    given = {column.title: column.cells for column in after.source.columns}
    assert given["Notes"] == (None, "call", None, "ring")
    assert given["Weight (kg)"] == (None, 2.5, 1.5, None)
    assert after.windows is not None
    assert after.windows.tw_early[1] == 9 * 3600
    assert set(begins(nr.replan(plan, changes, STOP, now="7:00"))) == set("ac")


@pytest.mark.parametrize("transfer", [False, True])
def test_a_breakdown(transfer: bool) -> None:
    """Of b and c, on board, a second van brings what is back at the depot."""
    types = [
        nr.VehicleType(name=name, num_available=1, capacity=9)
        for name in ("van", "spare")
    ]
    instance = line(10, 20, 30, fleet=nr.Fleet(tuple(types)))
    plan = driven(instance, (1, 2, 3))
    change = nr.changes.OutOfService("van", transfer=transfer)
    after = nr.replan(plan, [change], STOP, now=15)
    assert ["a"] in ids(after)
    assert begins(after)["a"] == 10
    if transfer:
        found = begins(after)
        assert found.pop("a") == 10
        assert found in ({"b": 35, "c": 47}, {"b": 57, "c": 45})
    else:
        assert [one.id for one in after.unserved] == ["b", "c"]
        why = "was planned; its goods are on board van, which is out of "
        why += "service"
        assert [one.why for one in after.unserved] == [why] * 2


def test_a_vehicle_that_has_not_left_is_out_of_service() -> None:
    """It serves nobody, neither later nor new orders; that is the reason."""
    types = [
        nr.VehicleType(name=name, num_available=1, capacity=1)
        for name in ("van", "spare")
    ]
    instance = line(10, 20, fleet=nr.Fleet(tuple(types)))
    plan = nr.Solution.from_routes(instance, ((1,), (2,)), (0, 1))
    before = nr.Result(instance, plan, "given", "none", 1, (), 0.0)
    change = nr.changes.OutOfService("spare")
    after = nr.replan(before, [change], STOP, now=0)
    [one] = after.unserved
    told = {reason.vehicle_type: reason for reason in one.reasons}
    assert str(told[1]) == "spare: is out of service"
    assert (told[1].constraint, told[1].certain) == ("over", True)
    row = {"id": "new", "x": 5, "y": 0, "demand": 1}
    later = nr.replan(after, [nr.changes.AddOrder(row)], STOP, now=1)
    assert len(later.routes) == 1
    taxi = {"name": "taxi", "capacity": 5, "number": 1}
    later = nr.replan(later, [nr.changes.AddVehicle(taxi)], STOP, now=2)
    assert not later.unserved
    assert sorted(map(len, later.routes)) == [1, 2]


def vans(*names: str, **more: Any) -> nr.Fleet:
    """Return one van of each name, each dearer than those before."""
    return nr.Fleet(
        tuple(
            nr.VehicleType(
                **{"name": name, "num_available": 1, "capacity": 2, **more},
                fixed_cost=1000 * place,
            )
            for place, name in enumerate(names)
        )
    )


def test_one_vehicle_after_another_is_out_of_service() -> None:
    """The next one drives, however many calls ago the others failed."""
    windows = nr.TimeWindows.of(3, tw_early=[0, 50, 50])
    fleet = vans("van", "spare", "last")
    plan = driven(line(10, 20, fleet=fleet, windows=windows), (1, 2))
    for now, name in ((1, "van"), (2, "spare")):
        plan = nr.replan(plan, [nr.changes.OutOfService(name)], STOP, now=now)
        assert plan.best.vehicle_types == (now,)
    plan = nr.replan(plan, [nr.changes.OutOfService("last")], STOP, now=3)
    assert [one.id for one in plan.unserved] == ["a", "b"]


def test_a_vehicle_stays_out_of_service_when_all_is_served() -> None:
    """The van is home at 22; a new order has nobody, after JSON too."""
    plan = driven(line(10, fleet=vans("van", "spare")), (1,))
    plan = nr.replan(plan, [nr.changes.OutOfService("spare")], STOP, now=30)
    row = {"id": "new", "x": 5, "y": 0, "demand": 1}
    plan = nr.Result.from_json(plan.to_json())
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=31)
    [one] = after.unserved
    assert "spare: is out of service" in map(str, one.reasons)


def test_nobody_leaves_after_the_latest_start() -> None:
    """A van leaves at 20 at the latest, also after another breakdown."""
    windows = nr.TimeWindows.of(3, tw_early=[0, 0, 50])
    fleet = vans("van", "spare", "sick", start_late=20)
    plan = driven(line(10, 20, fleet=fleet, windows=windows), (1, 2))
    row = {"id": "new", "x": 5, "y": 0, "demand": 2}
    sick = nr.changes.OutOfService("sick")
    why = {"spare: is past its latest start"}
    for changes, last in (([], why), ([sick], {"sick: is out of service"})):
        begun = nr.replan(plan, changes, STOP, now=5)
        after = nr.replan(begun, [nr.changes.AddOrder(row)], STOP, now=30)
        assert begins(after) == {"a": 30, "b": 50}
        [one] = after.unserved
        assert {str(each) for each in one.reasons} >= why | last


@pytest.mark.parametrize("shift", [95, 96])
def test_goods_are_loaded_at_a_depot_where_others_were(shift: int) -> None:
    """Loading takes 10 each time, whatever the vehicles of other types take.

    The van is at the depot from 32 to 42, loads the new order until 52, is at
    57 there, from 74 to 76 at b and at 96 home.
    """
    van = nr.VehicleType(
        name="van",
        num_available=1,
        capacity=2,
        reload_depots=(0,),
        shift_duration=shift,
    )
    other = nr.VehicleType(
        num_available=1,
        capacity=2,
        shift_duration=1,
        service_durations=(0, 2, 2),
    )
    windows = nr.TimeWindows.of(3, service_durations=[10, 2, 2])
    fleet = nr.Fleet((van, other))
    plan = driven(line(10, 20, fleet=fleet, windows=windows), (1, 0, 2))
    row = {"id": "new", "x": 5, "y": 0, "demand": 1, "service": 2}
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=40)
    if shift < 96:
        assert [one.id for one in after.unserved] == ["new"]
        assert ids(after) == [["a", "depot", "b"]]
    else:
        assert ids(after) == [["a", "depot", "depot", "new", "b"]]
        [schedule] = after.best.schedules(after.instance)
        assert schedule.begins == (0, 20, 32, 42, 57, 74, 96)


def test_a_break_is_had_once(tmp_path: Path) -> None:
    """The one from 12 on is over at 15; who is late has it later than 18.

    A table of what was driven says whether it was; at 26 the van is on its way
    to c, which it leaves at 37.
    """
    vans = nr.VehicleType(
        name="van",
        num_available=1,
        capacity=9,
        breaks=(nr.Break(3, ((12, 18),)),),
    )
    plan = driven(line(10, 20, 30, fleet=nr.Fleet((vans,))), (1, 2, 3))
    after = nr.replan(plan, [], STOP, now=23)
    [begun] = after.instance.in_progress
    assert begun.breaks_taken == ((0, 1, 12, 3),)
    [schedule] = after.best.schedules(after.instance)
    assert (schedule.breaks, schedule.duration) == (((0, 2, 12, 3, 0, 0),), 69)
    after = nr.replan(plan, [nr.changes.Late(1, 8)], STOP, now=11)
    [schedule] = after.best.schedules(after.instance)
    assert [each.begin for each in schedule.breaks] == [20]
    told = tmp_path / "driven.csv"
    rows = "route,kind,id,departure\n1,depot,depot,0\n1,customer,a,12\n"
    for rest, begin in (("1,break,,15\n", [12]), ("", [37])):
        told.write_text(f"{rows}{rest}1,customer,b,25\n")
        after = nr.replan(plan, [], STOP, now=26, actual=told)
        [schedule] = after.best.schedules(after.instance)
        assert [each.begin for each in schedule.breaks] == begin


@pytest.mark.parametrize("told", [False, True])
def test_a_break_under_way_is_a_row(told: bool, tmp_path: Path) -> None:
    """From 18 to 23, on the way from a (left at 12) to b, which opens at 40.

    It stays one in JSON, and when the day goes on.
    """
    lunch = nr.Break(5, ((18, 30),))
    vans = nr.VehicleType(num_available=1, capacity=9, breaks=(lunch,))
    windows = nr.TimeWindows.of(
        4,
        tw_early=[0, 0, 40, 0],
        tw_late=[999, 10, 99, 99],
        service_durations=[0, 2, 2, 2],
    )
    instance = line(10, 20, 30, fleet=nr.Fleet((vans,)), windows=windows)
    plan = driven(instance, (1, 2, 3))
    [schedule] = plan.best.schedules(instance)
    file = tmp_path / "driven.csv"
    file.write_text(
        "route,kind,id,departure\n1,depot,depot,0\n1,customer,a,12\n"
        "1,break,,23\n"
    )
    for now in (19, 24):
        plan = nr.replan(
            plan, [], STOP, now=now, actual=file if told else None
        )
        rows = plan.to_dataframe().to_dict("records")
        kinds = [row["kind"] for row in rows]
        assert kinds.count("break") == 1
        row = rows[kinds.index("break")]
        assert (row["arrival"], row["departure"]) == (18, 23)
        [again] = plan.best.schedules(plan.instance)
        assert again.begins == schedule.begins
        assert again.waits == schedule.waits
        assert again.breaks == schedule.breaks
        output = tmp_path / "plan.json"
        output.write_text(plan.to_json())
        read = nr.read(output)
        assert read.in_progress == plan.instance.in_progress
        assert not nr.check_solution(read, plan.best)


def test_a_vehicle_out_of_service_takes_no_more_breaks() -> None:
    """It drives home at once; the break that it had stays."""
    lunch, tea = nr.Break(3, ((12, 18),)), nr.Break(20, ((25, 99),))
    van = nr.VehicleType(num_available=1, capacity=9, breaks=(lunch, tea))
    plan = driven(line(10, 20, 30, fleet=nr.Fleet((van,))), (1, 2, 3))
    for now, breaks, duration in ((11, [], 22), (24, [12], 25)):
        after = nr.replan(plan, [nr.changes.OutOfService(1)], STOP, now=now)
        [schedule] = after.best.schedules(after.instance)
        assert [each.begin for each in schedule.breaks] == breaks
        assert schedule.duration == duration
        found = nr.check_solution(after.instance, after.best)
        assert {one.kind for one in found} == {"missing"}


@pytest.mark.parametrize("is_asked", [False, True])
def test_new_orders_beside_preferred_windows(is_asked: bool) -> None:
    """What an order prefers, and that one prefers nothing, is kept."""
    wanted = {
        "preferred from": [None, None, 5],
        "preferred until": [None, 12, None],
        "late cost": [None, 3, None],
    }
    rows = {"id": ["yard", "a", "b"], "x": [0, 10, 20], "y": [0, 0, 0]}
    plan = nr.solve(
        nr.read({**rows, "demand": [0, 1, 1], **wanted}, capacity=9), STOP
    )
    new = {"id": "c", "x": 30, "y": 0, "demand": 1}
    if is_asked:
        new |= {"preferred until": 7, "late cost": 2}
    after = nr.replan(plan, [nr.changes.AddOrder(new)], STOP, now=0)
    windows = after.instance.windows
    assert windows is not None
    assert windows.preferred is not None
    assert windows.late_costs is not None
    last = (0, 7, 2) if is_asked else (0, 2**60, 0)
    assert (*windows.preferred[3], windows.late_costs[3]) == last
    assert windows.preferred[1:3].tolist() == [[0, 12], [5, 2**60]]
    assert nr.offers(plan, new, k=1)[0].result.instance.windows is not None
    plain = nr.solve(nr.read({**rows, "demand": [0, 1, 1]}, capacity=9), STOP)
    windows = nr.replan(
        plain, [nr.changes.AddOrder(new)], STOP, now=0
    ).instance.windows
    prefers = windows is not None and windows.preferred is not None
    assert prefers == is_asked


def test_who_cancels_prefers_nothing() -> None:
    """The van on its way to b, which is 10 late, goes on from there."""
    windows = nr.TimeWindows.of(
        4, preferred=[None, None, (0, 10), None], late_costs=5
    )
    plan = driven(line(10, 20, 30, windows=windows), (1, 2, 3))
    assert plan.cost == 60 + 5 * 10
    after = nr.replan(plan, [nr.changes.Cancel("b")], STOP, now=15)
    assert after.cost == 60


def test_a_late_vehicle() -> None:
    """It comes 5 later to c, and longer at b."""
    after = nr.replan(PLAN, [nr.changes.Late("van", 5)], STOP, now=23)
    assert begins(after) == {"a": 10, "b": 22, "c": 39}
    windows = nr.TimeWindows.of(4, tw_late=[66, 99, 99, 99])
    plan = driven(line(10, 20, 30, windows=windows), (1, 2, 3))
    after = nr.replan(plan, [nr.changes.Late(1, 50)], STOP, now=23)
    assert begins(after)["c"] == 80  # and back after the depot has closed
    assert after.is_feasible


def rows(result: nr.Result) -> list[tuple[Any, ...]]:
    """Return id, arrival, wait, begin and departure of the stops."""
    names = "id", "arrival", "waiting", "service_start", "departure"
    table = result.to_dataframe(clock=False)
    return [tuple(row) for row in table[[*names]].to_numpy().tolist()]


def test_rows_tell_when_a_late_vehicle_arrives() -> None:
    """It drives 5 longer: to c, to a from the depot, and home in the end.

    Where it is, it stays longer; what is past is as it was.
    """
    first = [("depot", 0, 0, 0, 0), ("a", 10, 0, 10, 12)]
    van = nr.VehicleType(num_available=1, capacity=9, start_late=0)
    plan = driven(line(10, 20, 30, fleet=nr.Fleet((van,))), (1, 2, 3))
    expected = {
        25: [*first, ("b", 22, 0, 22, 24), ("c", 39, 0, 39, 41)],
        23: [*first, ("b", 22, 0, 22, 29), ("c", 39, 0, 39, 41)],
        40: [*first, ("b", 22, 0, 22, 24), ("c", 34, 0, 34, 36)],
    }
    for now, stops in expected.items():
        after = nr.replan(plan, [nr.changes.Late(1, 5)], STOP, now=now)
        assert rows(after) == [*stops, ("depot", 71, 0, 71, 71)]
        again = nr.Result.from_json(after.to_json())
        again = nr.replan(again, [nr.changes.Late(1, 5)], STOP, now=42)
        assert rows(again) == [*stops, ("depot", 76, 0, 76, 76)]
        home = nr.replan(again, [nr.changes.Late(1, 5)], STOP, now=77)
        assert rows(home) == rows(again)


def test_a_late_vehicle_waits_for_the_next_window() -> None:
    """It is at b at 30, behind the first one, and before the other."""
    windows = nr.TimeWindows.of(
        *(3, [0, 0, 20], [99, 99, 70]),
        windows=[[(0, 99)], [(0, 99)], [(20, 25), (60, 70)]],
    )
    van = nr.VehicleType(num_available=1, capacity=9, start_late=0)
    instance = line(10, 20, fleet=nr.Fleet((van,)), windows=windows)
    plan = driven(instance, (1, 2))
    after = nr.replan(plan, [nr.changes.Late(1, 10)], STOP, now=12)
    assert rows(after)[2] == ("b", 30, 30, 60, 60)


def test_a_late_vehicle_that_is_loaded() -> None:
    """It leaves after 3 at its depot, and may then be where it likes."""
    windows = nr.TimeWindows.of(3, service_durations=[3, 0, 0])
    van = nr.VehicleType(num_available=1, capacity=9, start_late=0)
    instance = line(10, 20, fleet=nr.Fleet((van,)), windows=windows)
    after = nr.replan(
        driven(instance, (1, 2)), [nr.changes.Late(1, 5)], STOP, now=2
    )
    assert rows(after) == [
        ("depot", 0, 0, 0, 3),
        ("a", 18, 0, 18, 18),
        ("b", 28, 0, 28, 28),
        ("depot", 48, 0, 48, 48),
    ]


@pytest.mark.parametrize(
    "change", [nr.changes.Late(1, 5), nr.changes.OutOfService(1)]
)
def test_a_vehicle_at_home_is_there(change: Any) -> None:
    """Its break on the way home, from 24 on, stays where it was."""
    tea = nr.Break(4, ((24, 60),))
    van = nr.VehicleType(
        num_available=1, capacity=9, start_late=0, breaks=(tea,)
    )
    plan = driven(line(10, fleet=nr.Fleet((van,))), (1,))
    expected = rows(plan)
    assert expected[-1] == ("depot", 22, 2, 28, 28)
    after = nr.replan(plan, [change], STOP, now=29)
    assert str(rows(after)) == str(expected)


def test_a_vehicle_that_is_too_late_to_start_is_out_of_service() -> None:
    """The other one serves its orders, and the other changes count."""
    vans = [
        nr.VehicleType(name=name, num_available=1, capacity=9, start_late=late)
        for name, late in (("van", 0), ("spare", 99))
    ]
    plan = driven(line(10, 20, fleet=nr.Fleet(tuple(vans))), (1, 2))
    changes = [nr.changes.Late("van", 5), nr.changes.Cancel("b")]
    after = nr.replan(plan, changes, STOP, now=None)
    assert begins(after) == {"a": 10}
    assert after.best.vehicle_types == (1,)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (nr.changes.Late(1, 30), "was planned; reached at 52, closes at 40"),
        (
            nr.changes.Window("b", "5-15"),
            "was planned; reached at 22, closes at 15",
        ),
    ],
)
def test_a_shipment_that_comes_too_late(change: Any, why: str) -> None:
    """It stays on board until the van is home, and c can be served."""
    windows = nr.TimeWindows.of(
        4, tw_late=[999, 99, 40, 99], service_durations=[0, 2, 2, 2]
    )
    demands = np.array([0, 0, 0, 1])
    van = nr.VehicleType(num_available=1, capacity=9, start_late=0)
    plan = driven(
        line(
            *(10, 20, 30),
            demands=demands,
            fleet=nr.Fleet((van,)),
            windows=windows,
            shipments=(nr.Shipment(1, 2, (3,)),),
        ),
        (1, 2, 3),
    )
    after = nr.replan(plan, [change], STOP, now=11)
    assert ids(after) == [["a", "c"]]
    assert loads(after) == [("depot", 1), ("a", 4), ("c", 3), ("depot", 0)]
    [one] = after.unserved
    assert (one.id, one.why) == ("b", why)


def test_who_is_cancelled_cannot_be_again() -> None:
    """Neither where it is left out nor where the van comes by."""
    for name, now in (("c", 15), ("b", 15), ("c", 0)):
        twice = [nr.changes.Cancel(name), nr.changes.Cancel(name)]
        with pytest.raises(nr.ParameterError, match=f"{name} is cancelled"):
            nr.replan(PLAN, twice, STOP, now=now)


def test_a_name_of_two_routes_needs_a_number() -> None:
    """Each of two vans has one; the second one leaves at 5 at the earliest."""
    van = nr.VehicleType(name="van", num_available=2, capacity=9)
    plan = driven(line(10, -10, fleet=nr.Fleet((van,))), (1,), (2,))
    with pytest.raises(
        nr.ParameterError, match="vehicle van: 2 routes have this name"
    ):
        nr.replan(plan, [nr.changes.Late("van", 5)], STOP, now=0)
    after = nr.replan(plan, [nr.changes.Late(2, 5)], STOP, now=0)
    assert begins(after) == {"a": 10, "b": 15}


def test_an_idle_vehicle_is_late() -> None:
    """The spare can start at 3 + 20, and drives for the van that failed."""
    types = [
        nr.VehicleType(name=name, num_available=1, capacity=9)
        for name in ("van", "spare")
    ]
    plan = driven(line(10, fleet=nr.Fleet(tuple(types))), (1,))
    changes = [
        nr.changes.Late("spare", 20),
        nr.changes.OutOfService("van", transfer=True),
    ]
    after = nr.replan(plan, changes, STOP, now=3)
    assert begins(after) == {"a": 33}


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_shipment_is_cancelled_by_either_end(name: str) -> None:
    """At 11 its goods are on board, and come to the depot in the end."""
    instance = line(
        *(10, 20, 30),
        demands=np.array([0, 0, 0, 1]),
        shipments=(nr.Shipment(1, 2, (3,)),),
    )
    plan = driven(instance, (1, 2, 3))
    after = nr.replan(plan, [nr.changes.Cancel(name)], STOP, now=None)
    assert (begins(after), after.unserved) == ({"c": 30}, ())
    assert loads(after) == [("depot", 1), ("c", 0), ("depot", 0)]
    after = nr.replan(plan, [nr.changes.Cancel(name)], STOP, now=11)
    assert (begins(after), after.unserved) == ({"a": 10, "c": 32}, ())
    assert loads(after) == [("depot", 1), ("a", 4), ("c", 3), ("depot", 0)]
    with pytest.raises(nr.ParameterError, match="b is already served, at 22"):
        nr.replan(plan, [nr.changes.Cancel(name)], STOP, now=23)


def test_an_order_that_is_passed_by_is_no_order() -> None:
    """It is none either where the van breaks down before it is there."""
    after = nr.replan(PLAN, [nr.changes.Cancel("b")], STOP, now=15)
    assert ids(after) == [["a", "b", "c"]]
    after = nr.replan(after, [nr.changes.OutOfService(1)], STOP, now=16)
    assert [one.id for one in after.unserved] == ["c"]
    changes = [nr.changes.Cancel("b"), nr.changes.OutOfService(1)]
    after = nr.replan(PLAN, changes, STOP, now=15)
    assert ids(after) == [["a"]]
    assert [one.id for one in after.unserved] == ["c"]


@pytest.mark.parametrize("opens", [18, 80])
@pytest.mark.parametrize(
    "hours",
    [
        None,
        nr.HoursOfService(rest=3, driving_block=12, least_rest=3),
        nr.HoursOfService(rest=5, driving_block=15, least_rest=5),
    ],
)
def test_the_way_home_stays(
    opens: int, hours: nr.HoursOfService | None
) -> None:
    """It leaves a by 15 and has tea on the way or at home, where it waits."""
    van = nr.VehicleType(
        num_available=1,
        capacity=9,
        start_late=0,
        breaks=(nr.Break(5, ((opens, 90),)),),
        hours_of_service=hours,
    )
    after = driven(line(10, fleet=nr.Fleet((van,))), (1,))
    first = after.to_dataframe().to_dict("records")
    for now in (26, 29, 83, 99):
        after = nr.replan(after, [], STOP, now=now)
        rows = after.to_dataframe().to_dict("records")
        for name in ("arrival", "waiting", "service_start", "distance"):
            assert [r[name] for r in rows] == [r[name] for r in first]


@pytest.mark.parametrize("end", [0, None])
def test_a_break_of_a_breakdown_stays_where_it_was(end: int | None) -> None:
    """It has left a at 12, and had its break when 3 of 10 were driven."""
    van = nr.VehicleType(
        num_available=1,
        capacity=9,
        start_late=0,
        end_depot=end,
        breaks=(nr.Break(5, ((15, 15),)),),
    )
    after = driven(line(10, 20, fleet=nr.Fleet((van,))), (1, 2))
    for changes in ([nr.changes.OutOfService(1)], []):
        after = nr.replan(after, changes, STOP, now=16)
        [row] = [
            row
            for row in after.to_dataframe().to_dict("records")
            if row["kind"] == "break"
        ]
        assert (row["service_start"], row["distance"]) == (15, 13)


def test_goods_that_come_off_next_are_on_board_once() -> None:
    """The goods of b are brought to the depot, which it does not reach."""
    van = nr.VehicleType(num_available=1, capacity=9, reload_depots=(0,))
    begun = nr.InProgressRoute(0, (1,), (0, 12), on_board=(2,))
    instance = line(
        *(10, 20),
        fleet=nr.Fleet((van,)),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    plan = driven(instance, (1, 0, 2))
    assert loads(plan)[:2] == [("depot", 2), ("a", 1)]
    after = nr.replan(plan, [nr.changes.OutOfService(1)], STOP, now=15)
    assert loads(after)[:2] == [("depot", 2), ("a", 1)]


@pytest.mark.parametrize(
    ("now", "passed", "end"), [(30, 30, 77), (42, 45, 87)]
)
def test_nobody_waits_for_a_break_where_it_comes_by(
    now: int, passed: int, end: int
) -> None:
    """It is at b, which opens at 60, from 22 on; lunch is from 40 to 45."""
    lunch = nr.Break(5, ((40, 90),))
    van = nr.VehicleType(
        num_available=1, capacity=9, start_late=0, breaks=(lunch,)
    )
    windows = nr.TimeWindows.of(
        *(4, [0, 0, 60, 0]), service_durations=[0, 2, 2, 2]
    )
    plan = driven(
        line(10, 20, 30, fleet=nr.Fleet((van,)), windows=windows), (1, 2, 3)
    )
    after = nr.replan(plan, [nr.changes.Cancel("b")], STOP, now=now)
    assert begins(after)["b"] == passed
    [schedule] = after.best.schedules(after.instance)
    assert schedule.end == end


def test_a_shipment_at_the_depot_goes_on_from_there() -> None:
    """The spare brings what the van has brought home, at 24."""
    windows = nr.TimeWindows.of(3, tw_late=[999, 99, 12])
    vans = [
        nr.VehicleType(name=name, num_available=1, capacity=9, start_late=late)
        for name, late in (("van", 0), ("spare", 99))
    ]
    plan = driven(
        line(
            *(10, 1),
            demands=np.zeros(3, dtype=int),
            fleet=nr.Fleet(tuple(vans)),
            windows=windows,
            shipments=(nr.Shipment(1, 2, (3,)),),
        ),
        (1, 2),
    )
    late = nr.replan(plan, [nr.changes.Late("van", 4)], STOP, now=10)
    assert begins(late) == {"a": 14}
    assert [one.id for one in late.unserved] == ["b"]
    window = nr.changes.Window("b", "20-40")
    after = nr.replan(late, [window], STOP, now=25)
    assert begins(after) == {"a": 14, "b": 26}
    assert sorted(ids(after)) == [["a"], ["b"]]


def test_another_window_and_vehicle() -> None:
    """Each closes before the only van can be there again."""
    change = nr.changes.Window("c", "40-41")
    van = {"name": "taxi", "capacity": 5, "number": 1}
    after = nr.replan(PLAN, [change, nr.changes.AddVehicle(van)], STOP, now=11)
    assert begins(after)["c"] == 40
    with pytest.raises(nr.ParameterError, match="there is no order x"):
        nr.replan(PLAN, [nr.changes.Window("x", "1-2")], STOP, now=11)


def test_actual_times() -> None:
    """It left b at 30, where the plan says 24."""
    begun = [nr.InProgressRoute(0, (1, 2), (0, 12, 30))]
    after = nr.replan(PLAN, [], STOP, now=31, actual=begun)
    assert begins(after)["c"] == 40
    begun = [nr.InProgressRoute(0, (1, 2), (0, 12, None))]
    after = nr.replan(PLAN, [], STOP, now=50, actual=begun)
    assert begins(after) == {"a": 10, "b": 22, "c": 60}


def test_actual_times_without_routes(tmp_path: Path) -> None:
    """They are those of the plan; a stop that has none there is named."""
    file = tmp_path / "driven.csv"
    for title in ("id,departure", "Auftragsnr,Abfahrt", "id,départ"):
        file.write_text(f"{title}\na,12\nb,30\n")
        after = nr.replan(PLAN, [], STOP, now=31, actual=file)
        assert begins(after)["c"] == 40
    file.write_text("route,kind,id,departure\n1,depot,depot,5\n")
    after = nr.replan(PLAN, [], STOP, now=8, actual=file)
    assert begins(after) == {"a": 15, "b": 27, "c": 39}
    for row in ("1,depot,5\n", "1,depot,5\n1,a,17\n"):
        file.write_text(f"route,id,departure\n{row}")
        after = nr.replan(PLAN, [], STOP, now=8, actual=file)
        assert begins(after) == {"a": 15, "b": 27, "c": 39}
    file.write_text("route,kind,id,departure\n2,depot,depot,5\n")
    with pytest.raises(nr.InstanceError, match="route 2: must be the number"):
        nr.replan(PLAN, [], STOP, now=8, actual=file)
    file.write_text("id,departure\na,12\nx,30\n")
    with pytest.raises(
        nr.InstanceError, match=r"line 3 \(id x\).*on no route"
    ):
        nr.replan(PLAN, [], STOP, now=31, actual=file)


def test_loads_with_decimals_are_written_as_given() -> None:
    """2.25 and 0.5 fill 2.75 of 3; a new order may have more decimals."""
    rows = [("yard", 0, ""), ("a", 1, "2.25 kg")]
    table = [
        dict(zip(("id", "x", "demand"), row, strict=True)) for row in rows
    ]
    instance = nr.read([{**row, "y": 0} for row in table], capacity=3)
    assert instance.describe_size() == "1 customer, capacity 3"
    plan = nr.solve(instance, STOP)
    row = {"id": "b", "x": 2, "y": 0, "demand": 0.5}
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=0)
    assert after.to_dataframe()["load"][0] == 2.75
    row["demand"] = "500 g"
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=0)
    assert after.to_dataframe()["load"][0] == 2.75
    van = {"name": "taxi", "number": 1, "capacity": "2500 g"}
    more = nr.replan(plan, [nr.changes.AddVehicle(van)], STOP, now=0).instance
    assert more.stated_load(more.vehicle_types[-1].capacity) == 2.5
    van["capacity"] = 2.125
    with pytest.raises(nr.InstanceError, match=r"a multiple of 0\.01 kg"):
        nr.replan(plan, [nr.changes.AddVehicle(van)], STOP, now=0)
    row["demand"] = 0.125
    after = nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=0)
    assert after.to_dataframe()["load"][0] == 2.375
    assert after.instance.describe_size() == "2 customers, capacity 3"
    (offer,) = nr.offers(plan, row)[:1]
    assert offer.result.to_dataframe()["load"][0] == 2.375
    row["demand"] = 0.76
    assert nr.offers(plan, row, 1)[0].is_new  # 3.01 of 3
    row["demand"] = 1e-7
    with pytest.raises(nr.InstanceError, match=r"a multiple of 0\.01 kg"):
        nr.replan(plan, [nr.changes.AddOrder(row)], STOP, now=0)


def test_changes_are_read_as_the_tables_were() -> None:
    """What was said of their columns and units is in the JSON of a result."""
    titles = ("Auftrag", "x", "y", "Menge", "Wann", "Dauer", "Farbe")
    rows = [
        ("yard", 0, 0, "", "", "", ""),
        ("a", 5, 0, "2 t", "8-12", 5, 3),
        ("b", 0, 5, "1 t", "8-12", 5, 4),
    ]
    table = [dict(zip(titles, row, strict=True)) for row in rows]
    vans = [{"Wagen": "w1", "Platz": "5 t", "Farbe": 1}]
    plan = nr.solve(
        nr.read(
            *(table, vans),
            columns={
                **{"id": "Auftrag", "window": "Wann", "service": "Dauer"},
                **{"demand": "Menge", "vehicle": "Wagen", "capacity": "Platz"},
            },
            ignore_columns=["Farbe"],
            time_unit="min",
            speed="10km/h",
        ),
        STOP,
    )
    plan = nr.Result.from_json(plan.to_json())
    changes = [
        {"change": "add", **dict(zip(titles, row, strict=True))}
        for row in [("c", 5, 5, "1000 kg", "9-12", 7, 5)]
    ]
    changes += [
        {"change": "add vehicle", "Wagen": "w2", "Platz": "3 t", "Farbe": 2},
        {"change": "cancel", "Auftrag": "b"},
    ]
    after = nr.replan(plan, changes, STOP, now="6:00")
    assert after.unserved == ()
    new = after.instance
    assert new.node_ids == ("yard", "a", "c")
    assert new.windows is not None
    assert new.windows.service_durations.tolist() == [0, 300, 420]
    assert new.windows.tw_early.tolist() == [0, 8 * 3600, 9 * 3600]
    assert new.demands.tolist() == [0, 2, 1]
    assert [one.capacity for one in new.vehicle_types] == [5, 3]
    assert new.vehicle_types[1].name == "w2"


@pytest.mark.parametrize(
    "change", [nr.changes.AddOrder, nr.changes.AddVehicle]
)
def test_new_rows_are_mappings(change: Any) -> None:
    """A number is none."""
    with pytest.raises(nr.InstanceError, match="must be a mapping, got int"):
        change(3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"change": "sing"}, "column change: must be one of"),
        ({"change": "cancel"}, "column change: needs id"),
        ({"change": "cancel", "id": "a", "by": 3}, "by: must be empty for"),
        (
            {"change": "late", "vehicle": 7, "by": 3},
            "vehicle 7: the plan has",
        ),
        ({"change": "late", "vehicle": "v", "by": 3}, "no such vehicle"),
        ({"change": "late", "vehicle": 1, "by": "soon"}, "late: by must be a"),
        ({"change": "add", "x": 1, "y": 1}, "change 1, id: must be given"),
        ({"change": "add", "id": "a", "x": 1, "y": 1}, "ids: must not repeat"),
        ({"change": "add", "id": "z"}, "needs coordinates, or a place"),
        (
            {"change": "add", "id": "z", "x": 1, "y": 1, "weight": "2 t"},
            "must be a plain number, like the other loads",
        ),
        (
            {"change": "add", "id": "z", "x": 1, "y": 1, "fuel": "7"},
            "fuel",
        ),
        ({"change": "add", "id": "z", "place": "q"}, "place: must be the id"),
        (
            {"change": "add", "id": "z", "x": 1, "y": 1, "same route": "1"},
            "column same route: is not a column of the other orders",
        ),
    ],
)
def test_refused_changes(change: dict[str, Any], message: str) -> None:
    """By the field and the rule."""
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.replan(PLAN, [change], STOP, now=5)


@pytest.mark.parametrize("now", ["", "nan", "-", "none", math.nan, True])
def test_an_empty_moment_is_none(now: object) -> None:
    """It is not the begin of the day; nor is a word of JSON a moment."""
    with pytest.raises(nr.ParameterError, match="now must be a time"):
        nr.replan(PLAN, [], STOP, now=now)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", ["start_depot", "end_depot"])
def test_no_way_of_an_open_route_counts(end: str) -> None:
    """A route in progress has room for one way, and needs no other."""
    ends: dict[str, Any] = {end: None}
    van = nr.VehicleType(
        capacity=9, num_available=1, shift_duration=20, **ends
    )
    begun = nr.InProgressRoute(0, (1,), (10, None))
    day = nr.Instance(
        "open",
        np.array([0, 1]),
        coords=np.array([[0, 0], [15, 0]]),
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(2),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    assert nr.solve(day, nr.stop.MaxIterations(10)).duration == 15


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[nr.Instance]:
    """Return the instances that are built, and checked, from now on."""
    made: list[nr.Instance] = []
    check = nr.Instance.__post_init__

    def built(instance: nr.Instance) -> None:
        made.append(instance)
        check(instance)

    monkeypatch.setattr(nr.Instance, "__post_init__", built)
    return made


@pytest.mark.parametrize("now", [None, "8:10"])
def test_a_change_builds_few_instances(
    built: list[nr.Instance], now: str | None
) -> None:
    """The problem is checked where its times are asked for and at the end."""
    rows: list[dict[str, Any]] = [
        {"id": "depot", "x": 0, "y": 0, "demand": 0, "open": "8:00"}
    ]
    rows += [
        {"id": name, "x": 300 * x, "y": 0, "demand": 1, "service": "0:05"}
        for x, name in enumerate("abcdef", start=1)
    ]
    vans = [{"name": name, "capacity": 4} for name in ("x", "y", "z")]
    result = nr.solve(nr.read(rows, vehicles=vans, speed="5m/s"), STOP, seed=1)
    new = {"id": "new", "x": 500, "y": 9, "demand": 1}
    last = result.instance.node_ids[max(result.routes)[-1]]
    for change in (
        nr.changes.Late(1, "0:20"),
        nr.changes.Cancel(last),
        nr.changes.AddOrder(new),
    ):
        built.clear()
        after = nr.replan(result, [change], STOP, now=now, seed=1)
        assert nr.check_solution(after.instance, after.best) == []
        assert 1 <= len(built) <= 3


def test_a_new_order_has_the_metres_of_its_place() -> None:
    """Where arcs of a profile cost something else: 7 m from the depot to a."""
    lengths = np.array([[0, 7, 9], [7, 0, 2], [9, 2, 0]])
    priced = nr.Profile(lengths * 10, lengths, lengths)
    van = nr.VehicleType(num_available=1, capacity=9, profile=1)
    plan = driven(
        line(7, 9, profiles=(priced,), fleet=nr.Fleet((van,))), (1, 2)
    )
    new = nr.changes.AddOrder({"id": "c", "demand": 1}, place="a")
    [profile] = nr.replan(plan, [new], STOP, now=None).instance.profiles
    assert profile.lengths is not None
    assert profile.lengths[3].tolist() == [7, 0, 2, 0]


def test_a_new_order_needs_no_durations_that_the_others_lack() -> None:
    """Times of no known unit, beside great circles as durations."""
    instance = line(1, is_geographic=True, coords=[[8, 50], [8.001, 50]])
    row = {"id": "c", "lon": 8.002, "lat": 50, "demand": 1, "service": 3}
    new = nr.changes.AddOrder(row)
    after = nr.replan(driven(instance, (1,)), [new], STOP, now=None)
    assert sorted(*ids(after)) == ["a", "c"]


def test_what_may_be_left_out_is_so_where_none_is_given() -> None:
    """``None`` is not given, for this keyword as for all others."""
    van = nr.VehicleType(num_available=1, capacity=1)
    instance = line(1, fleet=nr.Fleet((van,)))
    new = nr.changes.AddOrder({"id": "c", "x": 2, "y": 0, "demand": 1})
    plan = driven(instance, (1,))
    after = nr.replan(plan, [new], STOP, now=None, allow_unserved=None)
    assert [one.id for one in after.unserved] == ["c"]
    with pytest.raises(nr.InfeasibleError):
        nr.replan(plan, [new], STOP, now=None, allow_unserved=False)


def test_an_order_that_is_passed_by_is_not_served(tmp_path: Path) -> None:
    """The van is on its way to b, and every output says that it is no stop."""
    after = nr.replan(PLAN, [nr.changes.Cancel("b")], STOP, now=15)
    for now, num_served in ((15, 2), (16, 2), (40, 2)):
        after = nr.replan(after, [], STOP, now=now)
        totals, [begun] = after.totals, after.instance.in_progress
        assert (totals.served, totals.cancelled) == (num_served, 1)
        assert (totals.unserved, totals.left_out) == (0, 0)
        assert begun.cancelled == (2,)
        assert ids(after) == [["a", "b", "c"]]
        assert begins(after) == {"a": 10, "b": 22, "c": 32}
        assert after.is_feasible
        assert after.differences is not None
        assert not after.differences.stops
        assert after.differences.served_before == num_served
    told = "cancelled: passed by, not served"
    again = nr.Result.from_json(after.to_json())
    assert again.to_json() == after.to_json()
    rows = json.loads(again.to_json())["timetable"]
    said = [(row["kind"], row["reasons"]) for row in rows[1:-1]]
    assert said == [("customer", ""), ("cancelled", told), ("customer", "")]
    table = tmp_path / "after.csv"
    after.write(table)
    driven_on = nr.replan(after, [], STOP, now=40, actual=table)
    assert driven_on.totals == after.totals
    [route] = after.to_vroom()["routes"]
    names = [step.get("description", "") for step in route["steps"]]
    assert names == ["depot", "a", f"b; {told}", "c", "depot"]
    page, book = tmp_path / "after.html", tmp_path / "after.xlsx"
    after.write(page)
    after.write(book)
    openpyxl = pytest.importorskip("openpyxl")
    sheet = openpyxl.load_workbook(book)["van"]
    assert sheet.print_area == "'van'!$A$1:$F$8"
    printed = [c.value for row in sheet["A1:F8"] for c in row]
    assert told in printed
    assert "0.0 to 64.0, 2 orders" in sheet["A2"].value
    assert '"head":["van","0.0 to 64.0, 2 orders"]' in page.read_text("utf-8")
    assert f'"cells":[null,null,"{told}",null]' in page.read_text("utf-8")


def test_who_was_told_past_a_cancelled_order_does_not_come_back() -> None:
    """At 15 the van turns off to c, and serves c until 36."""
    after = nr.replan(PLAN, [nr.changes.Cancel("b")], STOP, now=15)
    told = [nr.InProgressRoute(0, (1, 3), (0, 12, 36))]
    for actual in (told, []):
        again = nr.replan(after, [], STOP, now=40, actual=actual)
        assert ids(again) == [["a", "c"]]
        assert (again.totals.served, again.totals.cancelled) == (2, 0)


def test_who_is_passed_by_is_on_the_route() -> None:
    """Only some of its customers can have cancelled."""
    with pytest.raises(
        nr.InstanceError, match="cancelled: must be some of customers, got 3"
    ):
        nr.InProgressRoute(0, (1, 2), on_board=(3,), cancelled=(3,))


@pytest.mark.parametrize(
    ("places", "window", "last"),
    [
        ((4, 20), (10, 30), 60),
        ((6, 23), (20, 30), 999),
        ((5, 10, 23, 25), (20, 30), 60),
    ],
)
def test_without_a_change_a_break_stays(
    places: tuple[int, ...], window: tuple[int, int], last: int
) -> None:
    """Before a stop or behind it, it takes as long: one of them is planned."""
    size = len(places) + 1
    van = nr.VehicleType(
        name="van",
        num_available=1,
        capacity=9,
        breaks=(nr.Break(5, (window,)),),
    )
    instance = line(
        *places,
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(
            size,
            tw_late=[999] * (size - 1) + [last],
            service_durations=[0] + [2] * (size - 1),
        ),
    )
    plan = driven(instance, tuple(range(1, size)))
    [before] = plan.best.schedules(instance)
    assert len(before.breaks) == 1
    for now in range(1, 45, 4):
        after = nr.replan(plan, [], STOP, now=now)
        [again] = after.best.schedules(after.instance)
        assert again.begins == before.begins
        assert [one.begin for one in again.breaks] == [
            one.begin for one in before.breaks
        ]
        assert again.cost == before.cost


@pytest.mark.parametrize("name", ["van", ""])
def test_vehicles_of_a_type_keep_their_numbers(name: str) -> None:
    """The first of three has nothing left, and a new order is the third's."""
    van = nr.VehicleType(name=name, num_available=3, capacity=2)
    plan = driven(
        line(10, -10, -20, 30, fleet=nr.Fleet((van,))), (1,), (2, 3), (4,)
    )
    gone = nr.changes.Cancel("a")
    new = nr.changes.AddOrder({"id": "n", "x": 31, "y": 0, "demand": 1})
    for changes in ([gone], [gone, new]):
        after = nr.replan(plan, changes, STOP, now=None)
        assert after.is_feasible
        vehicles = after.best.vehicles(after.instance)
        found = dict(zip(vehicles, map(set, ids(after)), strict=True))
        others = {"d", "n"} if new in changes else {"d"}
        assert found == {2: {"b", "c"}, 3: others}
        again = nr.replan(after, [], STOP, now=11)
        assert again.best.vehicles(again.instance) == vehicles


def test_routes_that_go_on_keep_their_places() -> None:
    """A new route of other vehicles comes last, or where one is missing."""
    vans = nr.VehicleType(capacity=2)
    plan = driven(line(10, -10, fleet=nr.Fleet((vans,))), (1,), (2,))
    new = nr.changes.AddOrder({"id": "n", "x": 40, "y": 40, "demand": 2})
    after = nr.replan(plan, [new], STOP, now=11)
    assert ids(after) == [["a"], ["b"], ["n"]]
    after = nr.replan(plan, [nr.changes.Cancel("a"), new], STOP, now=None)
    assert ids(after) == [["n"], ["b"]]


def test_a_cancelled_order_is_asked_about() -> None:
    """It is neither served nor a place for an offer."""
    after = nr.replan(PLAN, [nr.changes.Cancel("b")], STOP, now=15)
    found = nr.explain(after, "b")
    assert (found.is_begun, found.is_cancelled) == (True, True)
    assert str(found).splitlines()[-1] == "cancelled: passed by, not served"
    served = nr.explain(after, "a")
    assert not served.is_cancelled
    assert str(served).splitlines()[-1] == "it is served, or next"
    with pytest.raises(nr.ParameterError, match=r"order b is cancelled\."):
        nr.offers(after, "b")


@pytest.mark.parametrize("what", ["demand", "pickup", "shipment"])
def test_a_cancelled_order_has_no_goods(what: str) -> None:
    """Nobody would get them."""
    begun = nr.InProgressRoute(0, (1, 2), (0, 12, 22), cancelled=(2,))
    rules = nr.RouteConstraints(in_progress=(begun,))
    none = np.array([0, 1, 0, 0])
    solved = nr.solve(line(10, 20, 30, demands=none, constraints=rules), STOP)
    assert (solved.totals.served, solved.totals.cancelled) == (2, 1)
    goods: dict[str, Any] = {
        "demand": {"demands": np.array([0, 1, 1, 0])},
        "pickup": {
            "demands": none,
            "loads": nr.Loads(none[:, None], np.array([[0], [0], [1], [0]])),
        },
        "shipment": {
            "demands": none,
            "shipments": (nr.Shipment(2, 3, (1,)),),
        },
    }
    rule = r"in_progress 1, cancelled: customer 2 \(id b\) must have no goods"
    with pytest.raises(nr.InstanceError, match=rule):
        line(10, 20, 30, constraints=rules, **goods[what])
    with pytest.raises(nr.InstanceError, match="cancelled: must not repeat"):
        nr.InProgressRoute(0, (1, 2), cancelled=(2, 2))


@pytest.mark.parametrize("field", ["same_route", "all_or_none"])
def test_who_has_cancelled_binds_nobody(field: str) -> None:
    """The van passes by b, and its partner c may be on another route."""
    vans = nr.VehicleType(name="van", num_available=2, capacity=9)
    groups: dict[str, Any] = {field: ((2, 3),)}
    rules = nr.RouteConstraints(**groups)
    instance = line(10, 20, -30, fleet=nr.Fleet((vans,)), constraints=rules)
    plan = driven(instance, (1, 2, 3))
    after = nr.replan(plan, [nr.changes.Cancel("b")], STOP, now=15)
    assert after.instance.constraints is not None
    assert getattr(after.instance.constraints, field) == ((3,),)
    assert (after.totals.served, after.totals.cancelled) == (2, 1)
    assert not after.unserved


@pytest.mark.parametrize("now", [8, 15, 25])
def test_who_has_begun_binds_the_others(now: int) -> None:
    """All are served once one of them is; nothing else changes."""
    rules = nr.RouteConstraints(all_or_none=((1, 3),))
    plan = driven(line(10, 20, 30, constraints=rules), (1, 2, 3))
    after = nr.replan(plan, [], STOP, now=now)
    assert after.routes == ((1, 2, 3),)


def test_only_changes_cancel(tmp_path: Path) -> None:
    """A cancelled stop of a table or a list is not served without a word."""
    after = nr.replan(PLAN, [nr.changes.Cancel("b")], STOP, now=15)
    table = tmp_path / "after.csv"
    after.write(table)
    rule = r"line 4 \(id b\), column id: is cancelled here, and an order"
    with pytest.raises(nr.InstanceError, match=rule):
        nr.replan(PLAN, [], STOP, now=30, actual=table)
    stated = read_plan(table, PLAN.instance)
    assert stated.routes == ((1, 3),)
    assert read_plan(table, after.instance).routes == ((1, 2, 3),)
    none = line(10, 20, 30, demands=np.array([0, 1, 0, 1]))
    told = [nr.InProgressRoute(0, (1, 2), (0, 12, 22), cancelled=(2,))]
    rule = "actual: order b is cancelled: say so by a change"
    with pytest.raises(nr.ParameterError, match=rule):
        nr.replan(driven(none, (1, 2, 3)), [], STOP, now=30, actual=told)


def test_a_departure_from_the_last_depot_is_read_or_refused(
    tmp_path: Path,
) -> None:
    """A vehicle that has left it has reloaded, if it may; it goes on to b."""
    file = tmp_path / "actual.csv"
    van = nr.VehicleType(
        name="van", num_available=1, capacity=2, reload_depots=(0,)
    )
    plan = driven(line(10, 20, 30, fleet=nr.Fleet((van,))), (1, 0, 2, 3))
    file.write_text("route,id,departure\n1,depot,0\n1,a,17\n1,depot,30\n")
    after = nr.replan(plan, [], STOP, now=40, actual=file)
    [begun] = after.instance.in_progress
    assert (begun.customers, begun.reloads) == ((1, 2), ((1, 0),))
    assert begun.departures == (0, 17, 30, 52)
    for plan_, rows, rule in (
        (PLAN, "1,a,17\n1,depot,30\n", "must be empty, as the vehicle ends "),
        (PLAN, "1,a,17\n1,depot,5\n", "must not be before the one of an ear"),
        (plan, "1,a,17\n1,depot,5\n", "must not be before the one of an ear"),
        (PLAN, "1,depot,0\n1,depot,5\n", "must follow one of a stop"),
    ):
        file.write_text(f"route,id,departure\n{rows}")
        where = f"route 1, departure from depot: {rule}"
        with pytest.raises(nr.InstanceError, match=where):
            nr.replan(plan_, [], STOP, now=40, actual=file)
    rows = "1,depot,0\n1,a,17\n1,b,30\n1,c,45\n1,depot,76\n"
    file.write_text(f"route,id,departure\n{rows}")
    after = nr.replan(PLAN, [], STOP, now=80, actual=file)
    assert ids(after) == [["a", "b", "c"]]


def test_numbers_of_vehicles_stay_where_few_orders_are_left() -> None:
    """There are more vans than orders, once a has cancelled."""
    vans = [
        nr.VehicleType(name=name, num_available=num, capacity=9)
        for name, num in (("van", 3), ("car", 2))
    ]
    instance = line(10, 20, 30, fleet=nr.Fleet(tuple(vans)))
    best = nr.Solution.from_routes(instance, [(1, 2, 3)], [1])
    after = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    for changes, now in (([nr.changes.Cancel("c")], 5), ([], 6), ([], 15)):
        after = nr.replan(after, changes, STOP, now=now)
        assert after.best.vehicles(after.instance) == [4]


def test_the_priority_of_a_cancelled_order_is_not_served() -> None:
    """VROOM sums those of served tasks: 2 and 4 of a and c."""
    ranks = np.array([0, 2, 3, 4])
    chosen = nr.Selection(np.zeros(4), ranks >= 0, priorities=ranks)
    plan = driven(line(10, 20, 30, selection=chosen), (1, 2, 3))
    after = nr.replan(plan, [nr.changes.Cancel("b")], STOP, now=15)
    answer = after.to_vroom()
    assert answer["summary"]["priority"] == 6
    assert answer["routes"][0]["priority"] == 6


def test_vehicles_of_actual_times_are_those_of_the_plan(
    tmp_path: Path,
) -> None:
    """A table need not name them, and may not name another one."""
    vans = [
        nr.VehicleType(name=name, num_available=2, capacity=9)
        for name in ("van", "car")
    ]
    instance = line(10, -10, 20, fleet=nr.Fleet(tuple(vans)))
    best = nr.Solution.from_routes(instance, [(1, 3), (2,)], [0, 1])
    plan = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    file = tmp_path / "actual.csv"
    head = "route,id,departure\n"
    for rows in ("2,depot,3\n", "2,depot,3\n2,b,15\n", "7,depot,3\n7,b,15\n"):
        file.write_text(head + rows)
        after = nr.replan(plan, [], STOP, now=16, actual=file)
        [begun] = after.instance.in_progress
        assert (begun.vehicle_type, begun.customers) == (1, (2,))
        assert begun.departures[0] == 3
    file.write_text(f"{head}7,depot,3\n")
    with pytest.raises(nr.InstanceError, match="there must be a vehicle_type"):
        nr.replan(plan, [], STOP, now=16, actual=file)
    file.write_text("route,vehicle_name,id,departure\n1,car,a,15\n")
    told = [nr.InProgressRoute(1, (1,), (0, 15))]
    for actual in (file, told):
        rule = r"no route of vehicle type 1 \(name car\) in the plan has a,"
        with pytest.raises(nr.ParameterError, match=rule):
            nr.replan(plan, [], STOP, now=16, actual=actual)
