"""Skills, pins, groups, districts and in-progress routes in files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import write_routes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CUSTOMERS: dict[str, list[Any]] = {
    "id": ["yard", "a", "b", "c"],
    "x": [0, 10, 20, 30],
    "y": [0, 0, 0, 0],
    "demand": [0, 1, 1, 1],
}
VEHICLES: dict[str, list[Any]] = {
    "name": ["van 1", "van 2", "bikes", ""],
    "number": [1, 1, 3, 1],
    "capacity": [9, 9, 2, 9],
}


def read(**columns: list[Any]) -> nr.Instance:
    """Return the instance with more columns of customers."""
    return nr.read({**CUSTOMERS, **columns}, VEHICLES)


def rules_of(instance: nr.Instance) -> nr.RouteConstraints:
    """Return the rules, which there must be."""
    assert instance.constraints is not None
    return instance.constraints


def test_skills() -> None:
    """Between semicolons, commas or bars, or in a list."""
    cells = ["", "lift; cold", "lift|cold", ["cold", "lift", "cold"]]
    vehicles = {**VEHICLES, "skills": ["cold,lift", "lift", "", "cold|x"]}
    instance = nr.read({**CUSTOMERS, "Required Skills": cells}, vehicles)
    assert rules_of(instance).skills == (
        (),
        ("lift", "cold"),
        ("lift", "cold"),
        ("cold", "lift"),
    )
    skills = [kind.skills for kind in instance.vehicle_types]
    assert skills == [("cold", "lift"), ("lift",), (), ("cold", "x")]


def test_blanks_do_not_separate_skills(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A tail lift is neither a fork lift nor a tail gate; one warning."""
    cells = ["", "Tail  Lift", "fork lift", ["tail lift"]]
    owned = ["fork lift; tail gate", "TAIL LIFT", "", "fork lift|tail gate"]
    vehicles = {**VEHICLES, "skills": owned}
    instance = nr.read({**CUSTOMERS, "skills": cells}, vehicles)
    allowed = instance.allowed_types()
    assert allowed is not None
    assert allowed[:, 1].tolist() == [False, True, False, False]
    assert allowed[:, 2].tolist() == [True, False, False, True]
    assert allowed[:, 3].tolist() == [False, True, False, False]
    [warning] = caplog.messages
    assert "skill tail lift is not one of vehicle van 1" in warning


@pytest.mark.parametrize(
    ("needed", "owned", "is_said"),
    [
        ("tail lift", ["tail; lift", "", "", ""], True),
        ("lift", ["tail lift", "", "", ""], True),
        ("lift", ["tail lift", "lift", "", ""], False),
        ("tail lift", ["tail", "lift", "", ""], False),
        ("tail lift", ["tail lift; fork", "", "", ""], False),
    ],
)
def test_words_of_a_skill_are_said(
    needed: str,
    owned: list[str],
    is_said: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Where one vehicle has them all, and not the skill."""
    vehicles = {**VEHICLES, "skills": owned}
    nr.read({**CUSTOMERS, "skills": ["", needed, "", ""]}, vehicles)
    assert ["separate skills by" in each for each in caplog.messages] == (
        [True] if is_said else []
    )


def test_skills_in_python_match_those_of_tables() -> None:
    """Without regard to case and spare blanks."""
    van = nr.VehicleType(capacity=9, skills=("Tail \t Lift", "tail lift"))
    assert van.skills == ("tail lift",)
    rows = {**CUSTOMERS, "skills": ["", "TAIL LIFT ", "", ""]}
    rules = rules_of(nr.read(rows, [van]))
    assert rules == nr.RouteConstraints(skills=((), ("tail  LIFT",), (), ()))


@pytest.mark.parametrize(
    "word", ["none", "No", "-", "N/A", "\u2013", "nan", "null", " NA ", ""]
)
def test_words_for_nothing(word: str) -> None:
    """In every cell of customers and vehicles, as an empty one."""
    titles = (
        *("skills", "vehicle", "same route", "different routes"),
        *("one_of", "deliver_to", "open", "close", "pickup"),
    )
    rows = {title: [word] * 4 for title in titles}
    rows["required"] = ["", "1", "0", word if word.lower() != "no" else "1"]
    names = ("skills", "shift start", "max distance", "fixed cost", "reload")
    vehicles = {**VEHICLES, **{name: [word] * 4 for name in names}}
    found = nr.read({**CUSTOMERS, **rows}, vehicles)
    empty = {title: [""] * 4 for title in titles}
    empty["required"] = ["", "1", "0", ""]
    plain = {**VEHICLES, **{name: [""] * 4 for name in names}}
    assert found.constraints is None
    expected = nr.read({**CUSTOMERS, **empty}, plain)
    assert found.fleet == expected.fleet
    assert found.features == expected.features


def test_ids_may_be_words_for_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A customer called no is one, and so is what names him."""
    rows = {**CUSTOMERS, "id": ["d", "no", "b", "NA"]}
    rows["deliver_to"] = ["", "NA", "-", ""]
    rows["demand"] = [0, 1, 1, 0]
    vehicles = {**VEHICLES, "name": ["none", "van", "x", "y"]}
    rows["vehicle"] = ["", "", "none", "n/a"]
    found = nr.read(rows, vehicles)
    assert found.ids == ("d", "no", "b", "NA")
    assert [(s.pickup, s.delivery) for s in found.shipments] == [(1, 3)]
    assert rules_of(found).vehicles == (None, None, (0,), None)
    assert not caplog.messages


@pytest.mark.parametrize(
    "title", ["district", "same_route", "different_routes", "one_of"]
)
def test_a_code_that_is_read_as_empty_is_said(
    title: str, caplog: pytest.LogCaptureFixture
) -> None:
    """NO may be the north-east of a German; "no" and "N/A" are none."""
    for code in ("no", "nein", "non", "N/A", "-", "none"):
        read = nr.read({**CUSTOMERS, title: ["", code, code, "SW"]}, VEHICLES)
        if title == "same_route":
            assert rules_of(read).same_route == ((3,),)
    assert not any("read as empty" in m for m in caplog.messages)
    nr.read({**CUSTOMERS, title: ["", "NO", "NO", "SW"]}, VEHICLES)
    [message] = (m for m in caplog.messages if "read as empty" in m)
    assert message == f"mapping: column {title}: NO is read as empty."


def test_words_for_nothing_among_others() -> None:
    """Between separators and in lists, but for names of vehicles."""
    cells = ["", "lift; -", ["none", "cold"], "-|-"]
    pins = ["", "no; van", ["no"], "van, -"]
    vehicles = [
        {"name": name, "capacity": 9, "skills": "lift;cold;none"}
        for name in ("no", "van")
    ]
    rows = {**CUSTOMERS, "skills": cells, "vehicle": pins}
    instance = nr.read(rows, vehicles)
    rules = rules_of(instance)
    assert rules.skills == ((), ("lift",), ("cold",), ())
    assert rules.vehicles == (None, (0, 1), (0,), (1,))
    assert instance.vehicle_types[0].skills == ("lift", "cold")


def test_pins() -> None:
    """By the names of vehicles; one with a comma is found as a whole."""
    rules = rules_of(read(vehicle=["", "van 2", "bikes;van 1", None]))
    assert rules.vehicles == (None, (1,), (0, 2), None)
    fleet = [{"name": "x, y", "capacity": 9}, {"name": "x", "capacity": 9}]
    rows = {**CUSTOMERS, "vehicle": ["", "x, y", "x", ""]}
    assert rules_of(nr.read(rows, fleet)).vehicles == (
        None,
        (0,),
        (1,),
        None,
    )


def test_one_name_of_several_rows_stands_for_all() -> None:
    """Two vehicles of a firm."""
    vehicles = [{"name": name, "capacity": 9} for name in "AAB"]
    rows = {**CUSTOMERS, "vehicle": ["", "A", "B", ""]}
    assert rules_of(nr.read(rows, vehicles)).vehicles == (
        None,
        (0, 1),
        (2,),
        None,
    )


def test_groups() -> None:
    """Customers with a label in common; several labels where they differ."""
    columns: dict[str, list[Any]] = {
        "same route": ["", "A", "", "A"],
        "different routes": ["", 1, "1;2", 2],
    }
    rules = rules_of(read(**columns))
    assert rules.same_route == ((1, 3),)
    assert rules.different_routes == ((1, 2), (2, 3))


def test_districts(tmp_path: Path) -> None:
    """Labels; the limit is an argument, or stands in JSON."""
    cells = ["", "north", "", "south"]
    rows = {**CUSTOMERS, "district": cells}
    instance = nr.read(rows, capacity=9)
    assert rules_of(instance).districts == (-1, 0, -1, 1)
    assert not instance.features
    limited = nr.read(rows, capacity=9, max_districts=1)
    assert rules_of(limited).max_districts == 1
    file = tmp_path / "a.json"
    names = list(rows)
    listed = [
        dict(zip(names, row, strict=True))
        for row in zip(*rows.values(), strict=True)
    ]
    content = {"capacity": 9, "max_districts": 1, "customers": listed}
    file.write_text(json.dumps(content))
    assert rules_of(nr.read(file)) == limited.constraints


def test_empty_columns_say_nothing() -> None:
    """As if they were not there."""
    names = ("skills", "vehicle", "same route", "different routes", "district")
    assert read(**dict.fromkeys(names, [""] * 4)).constraints is None


def test_in_progress_routes(tmp_path: Path) -> None:
    """From a plan in any form, or from objects; unused vehicles are none."""
    plan = tmp_path / "a.sol"
    plan.write_text("Route #1:\nRoute #2: 3 1\nRoute #3: 2\n")
    expected = (nr.InProgressRoute(1, (3, 1)), nr.InProgressRoute(2, (2,)))
    table = tmp_path / "a.csv"
    table.write_text("route,id,vehicle_type\n1,c,1\n1,a,1\n2,b,2\n")
    solution = nr.Solution(((3, 1), (2,)), 0.0, (1, 2))
    for in_progress in (plan, str(table), solution, list(expected)):
        instance = nr.read(CUSTOMERS, VEHICLES, in_progress=in_progress)
        assert rules_of(instance).in_progress == expected


def test_in_progress_routes_beside_other_rules() -> None:
    """They are kept."""
    rows = {**CUSTOMERS, "same route": ["", "A", "A", ""]}
    in_progress = [nr.InProgressRoute(0, (3,))]
    rules = rules_of(nr.read(rows, VEHICLES, in_progress=in_progress))
    assert (rules.same_route, len(rules.in_progress)) == (((1, 2),), 1)


def test_a_limit_of_districts_needs_districts() -> None:
    """And must be a whole number of them."""
    with pytest.raises(nr.ParameterError, match="needs a column district"):
        nr.read(CUSTOMERS, capacity=9, max_districts=1)
    rows = {**CUSTOMERS, "district": ["", "N", "N", "S"]}
    for most in (0, 1.5):
        with pytest.raises(nr.InstanceError, match="max_districts: must be"):
            nr.read(rows, capacity=9, max_districts=most)  # type: ignore[arg-type]


def test_wrong_beginnings_are_refused(tmp_path: Path) -> None:
    """The message names the file."""
    plan = tmp_path / "a.sol"
    plan.write_text("Route #1: 3 1\nRoute #2: 3\n")
    message = (
        r"a\.sol: constraints, in_progress: customer 3 \(id c\) must be on one"
    )
    with pytest.raises(nr.InstanceError, match=message):
        nr.read(CUSTOMERS, VEHICLES, in_progress=plan)
    with pytest.raises(
        nr.ParameterError, match="in_progress must be a file of"
    ):
        nr.read(CUSTOMERS, VEHICLES, in_progress=7)


@pytest.mark.parametrize(
    ("window", "cells", "expected"),
    [
        ("0-99", "5,20,,", (5, 20, None)),
        ("0-99", ",20,30,", (None, 20, 30)),
        ("0-99", ",,,", ()),
        ("08:00-12:00", "07:55,08:10,8:20:30,", (28500, 29400, 30030)),
        (
            "2026-05-04T08:00 to 2026-05-05T12:00",
            "2026-05-04T07:55,,2026-05-05T00:10,",
            (28500, None, 87000),
        ),
    ],
)
def test_departures_of_in_progress_routes(
    window: str, cells: str, expected: tuple[int | None, ...], tmp_path: Path
) -> None:
    """In the form of the instance: of the depot, and of two customers."""
    rows = {**CUSTOMERS, "window": ["", window, window, window]}
    plan = tmp_path / "plan.csv"
    ids = ("yard", "a", "c", "yard")
    kinds = ("depot", "customer", "customer", "depot")
    plan.write_text(
        "route,id,kind,departure\n"
        + "".join(
            f"1,{name},{kind},{cell}\n"
            for name, kind, cell in zip(
                ids, kinds, cells.split(","), strict=True
            )
        )
    )
    speed = "1m/s" if ":" in window else None
    instance = nr.read(rows, capacity=9, in_progress=plan, speed=speed)
    assert instance.in_progress == (nr.InProgressRoute(0, (1, 3), expected),)
    plan.write_text("route,id,departure\n1,a,25:10\n")
    if window == "0-99":
        with pytest.raises(
            nr.InstanceError, match="must be times in the format"
        ):
            nr.read(rows, capacity=9, in_progress=plan)


def test_a_plan_is_a_beginning(tmp_path: Path) -> None:
    """As it is written, with its times: it costs the same again."""
    rows = {**CUSTOMERS, "window": ["", "0-9", "50-60", "0-99"]}
    instance = nr.read(rows, capacity=9)
    plan = nr.Solution.from_routes(instance, [[2, 3], [1]])
    write_routes(tmp_path / "plan.csv", instance, plan)
    again = nr.read(rows, capacity=9, in_progress=tmp_path / "plan.csv")
    assert [one.customers for one in again.in_progress] == [(2, 3), (1,)]
    assert again.in_progress[0].departures == (30, 50, 60)
    late = nr.Solution.from_routes(again, plan.routes)
    assert not nr.check_solution(again, late)


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _date(seconds: int) -> str:
    return f"2026-05-{4 + seconds // 86400:02}T{_clock(seconds % 86400)}"


def keep_first_stops(plan: Path, size: int) -> None:
    """Leave the first customers of the routes of a written plan."""
    if plan.suffix == ".json":
        content = json.loads(plan.read_text())
        for name in ("routes", "route_ids"):
            content[name] = [route[:size] for route in content[name]]
        plan.write_text(json.dumps(content))
    else:
        lines = plan.read_text().splitlines()
        plan.write_text("\n".join(lines[: size + 2]))


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("suffix", ["csv", "json"])
@pytest.mark.parametrize(
    ("moment", "unit"),
    [
        (int, None),
        (int, "s"),
        (lambda seconds: seconds / 60, "min"),
        (lambda seconds: seconds / 3600, "h"),
        (_clock, "s"),
        (_date, "s"),
    ],
    ids=["numbers", "s", "min", "h", "clock", "dates"],
)
def test_the_day_goes_on_as_it_was_planned(
    moment: Callable[[int], Any],
    unit: str | None,
    suffix: str,
    size: int,
    tmp_path: Path,
) -> None:
    """No stop is late by what a cell rounds off; 49:00 is read as well.

    Customer b is reached when its window closes, c opens much later.
    """
    scale = {"min": 60, "h": 3600}.get(unit or "s", 1)
    rows = {
        **CUSTOMERS,
        "close": ["", "", moment(28820), ""],
        "open": ["", "", "", moment(47 * 3600)],
        "service": ["", "", "", 7200 / scale],
    }
    ways = [[100.4 * abs(i - j) / scale for i in range(4)] for j in range(4)]
    options: Any = {"capacity": 9, "durations": ways, "time_unit": unit}
    instance = nr.read(rows, **options)
    planned = nr.Solution.from_routes(instance, [[1, 2, 3]])
    plan = tmp_path / f"plan.{suffix}"
    write_routes(plan, instance, planned)
    keep_first_stops(plan, size)
    again = nr.read(rows, in_progress=plan, **options)
    [in_progress] = again.in_progress
    assert in_progress.customers == (1, 2, 3)[:size]
    [schedule] = planned.schedules(instance)
    left = [schedule.start, *schedule.begins[1 : size + 1]]
    left[3:] = [49 * 3600] * (size == 3)
    assert in_progress.departures == pytest.approx(left, abs=60.0, rel=0.0)
    assert not nr.check_solution(again, planned)
    found = nr.solve(again, stop=nr.stop.MaxIterations(10))
    assert found.cost == planned.cost


def test_a_result_says_what_is_driven_once(tmp_path: Path) -> None:
    """Its timetable and its routes; without departures nothing is said."""
    rows = {**CUSTOMERS, "open": ["", 9, 50, 0]}
    instance = nr.read(rows, capacity=9)
    plan = tmp_path / "plan.json"
    write_routes(
        plan, instance, nr.Solution.from_routes(instance, [[2, 3], [1]])
    )
    again = nr.read(rows, capacity=9, in_progress=plan)
    assert again.in_progress[0].departures == (30, 50, 60)
    content = json.loads(plan.read_text())
    content["routes"][0].reverse()
    content["route_ids"][0].reverse()
    plan.write_text(json.dumps(content))
    message = "route 1: must begin a route of the timetable"
    with pytest.raises(nr.InstanceError, match=message):
        nr.read(rows, capacity=9, in_progress=plan)
    for row in content["timetable"]:
        del row["departure"]
    plan.write_text(json.dumps(content))
    again = nr.read(rows, capacity=9, in_progress=plan)
    assert again.in_progress[0] == nr.InProgressRoute(0, (3, 2))


def test_districts_without_a_limit_are_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One line; with a limit there is none."""
    rows = {**CUSTOMERS, "District": ["", "N", "N", "S"]}
    nr.read(rows, capacity=9, max_districts=1)
    assert not caplog.messages
    nr.read(rows, capacity=9)
    [line] = caplog.messages
    assert line.endswith("district has no effect without max_districts.")


def test_orders_of_customers() -> None:
    """Who comes before whom, directly or not, and who is first or last."""
    rows = [
        {"id": name, "x": x, "y": 0, "demand": int(x > 0)}
        for x, name in enumerate(("yard", "a", "b", "c", "d"))
    ]
    for row in rows:
        row |= {"depot": row["id"] == "yard", "comes after": ""}
        row |= {"directly after": "", "place on route": ""}
    van = {"capacity": 9}
    rows[1] |= {"comes after": "c"}
    rows[2] |= {"directly after": "d"}
    rows[3] |= {"place on route": "first"}
    instance = nr.read(rows, [van])
    assert instance.constraints is not None
    assert instance.constraints.precedences == ((3, 1),)
    assert instance.constraints.sequences == ((4, 2),)
    assert instance.constraints.positions == ("", "", "", "first", "")
    result = nr.solve(instance, nr.stop.MaxIterations(200), seed=1)
    assert list(map(tuple, result.routes)) == [(3, 4, 2, 1)]
    for number, changes, message in (
        (1, {"comes after": "yard"}, "comes after: must be a customer's id"),
        (1, {"place on route": "second"}, "must be first, last or empty"),
        (1, {"directly after": "d"}, "must not be that of two customers"),
        (4, {"directly after": "b"}, "must not lead back to its own row"),
        (3, {"comes after": "a"}, "must come before itself"),
        (
            1,
            {"place on route": "first"},
            "must be the first customer, and come",
        ),
    ):
        wrong = [*rows[:number], rows[number] | changes, *rows[number + 1 :]]
        with pytest.raises(nr.InstanceError, match=message):
            nr.read(wrong, [van])
