"""Routes in the forms that the package writes them in."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan, write_routes
from ncc_routing.io.vrplib import write_solution

if TYPE_CHECKING:
    from pathlib import Path


def test_every_form_keeps_routes_and_vehicles(
    two_depots: nr.Instance, two_depots_plan: nr.Solution, tmp_path: Path
) -> None:
    """A table, its rows as JSON and a result, of a fleet with two types."""
    result = nr.Result(two_depots, two_depots_plan, "a", "none", 1, (), 0.1)
    files = [tmp_path / name for name in ("a.csv", "a.json", "b.json")]
    table, rows, whole = files
    write_routes(table, two_depots, two_depots_plan)
    write_routes(rows, two_depots, two_depots_plan)
    whole.write_text(result.to_json())
    costs = None, two_depots_plan.cost, two_depots_plan.cost
    for file, cost in zip(files, costs, strict=True):
        found = read_plan(file, two_depots)
        assert found.routes == two_depots_plan.routes
        assert found.vehicle_types == two_depots_plan.vehicle_types
        assert found.cost == cost


def test_rows_may_stand_in_any_order(
    square: nr.Instance, tmp_path: Path
) -> None:
    """The stop counts; without it the order of the rows does."""
    file = tmp_path / "a.csv"
    file.write_text("Stop;Route;Customer\n2;b;3\n1;a;4\n1;b;2\n2;a;1\n")
    assert read_plan(file, square).routes == ((2, 3), (4, 1))
    file.write_text("Stop;Route;Node\n1,5;b;3\n1;a;4\n1;b;2\n2;a;1\n")
    assert read_plan(file, square).routes == ((2, 3), (4, 1))
    file.write_text("Route;Customer\nb;3\na;4\nb;2\na;1\n")
    assert read_plan(file, square).routes == ((3, 2), (4, 1))


def test_ids_count_more_than_numbers(
    square: nr.Instance, tmp_path: Path
) -> None:
    """The result of an instance with another order, and of ``--json``."""
    past = replace(square, ids=("home", "a", "b", "c", "d"))
    today = replace(square, ids=("home", "d", "c", "b", "a"))
    solution = nr.Solution.from_routes(past, [[1, 4], [2, 3]])
    result = nr.Result(past, solution, "a", "none", 1, (), 0.1)
    file = tmp_path / "a.json"
    file.write_text(result.to_json())
    assert read_plan(file, today).routes == ((4, 1), (3, 2))
    assert read_plan(file, square).routes == ((1, 4), (2, 3))
    answer = {"routes": [[1], [2]], "route_ids": [["d"], ["c"]], "cost": 9}
    file.write_text(json.dumps(answer))
    assert read_plan(file, today)[:3] == (((1,), (2,)), (0, 0), 9)


def test_json_and_csv_hold_the_same_rows(
    two_depots: nr.Instance, two_depots_plan: nr.Solution, tmp_path: Path
) -> None:
    """With the depot at both ends; the whole result has them as well."""
    table, rows = tmp_path / "a.csv", tmp_path / "a.json"
    for file in (table, rows):
        write_routes(file, two_depots, two_depots_plan)
    found = json.loads(rows.read_text())["timetable"]
    with table.open() as lines:
        said = list(csv.DictReader(lines))
    assert said == [{name: str(row[name]) for name in row} for row in found]
    assert [row["kind"] for row in said[:4]] == [
        "depot", "customer", "customer", "depot",
    ]  # fmt: skip
    result = nr.Result(two_depots, two_depots_plan, "a", "none", 1, (), 0.1)
    assert json.loads(result.to_json())["timetable"] == found


@pytest.mark.parametrize("has_ids", [False, True])
@pytest.mark.parametrize("name", ["a.sol", "a.csv", "a.json"])
@pytest.mark.parametrize(
    ("is_fleet", "routes"),
    [
        (False, []),
        (True, []),
        (True, [[0, 1, 4]]),
        (True, [[5, 1, 5], [4, 0, 3]]),
    ],
)
def test_plans_with_reloads_and_without_routes_come_back(
    two_depots: nr.Instance,
    square: nr.Instance,
    tmp_path: Path,
    has_ids: bool,
    name: str,
    is_fleet: bool,
    routes: list[list[int]],
) -> None:
    """Reloads come first or last as well, at depots known by their ids."""
    instance = square
    if is_fleet:
        kind = nr.VehicleType(capacity=9, reload_depots=(0, 1))
        instance = replace(two_depots, capacity=9, fleet=nr.Fleet((kind,)))
    size = len(instance.demands)
    if has_ids:
        instance = replace(instance, ids=tuple("abcdef"[:size]))
    solution = nr.Solution.from_routes(instance, routes)
    file = tmp_path / name
    if name == "a.sol":
        write_solution(file, solution, instance)
    else:
        write_routes(file, instance, solution)
    found = read_plan(file, instance)
    assert found.routes == solution.routes
    assert found.vehicle_types == solution.vehicle_types
    assert found.cost == (None if name == "a.csv" else solution.cost)


DEPOTS = "route,stop,kind,id,vehicle_type\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "1,0,depot,5,0\n1,1,customer,1,0\n",
            "route 1, depot: must be where the vehicle of the route starts or "
            "ends, got '5'",
        ),
        ("1,0,customer,1,0\n1,1,depot,0,0\n1,2,customer,2,0\n", "got '0'"),
        ("1,0,depot,7,0\n", "column id: must be a depot of two_depots"),
        ("1,0,customer,0,0\n", "column id: must be a customer of two_dep"),
    ],
)
def test_depots_stand_at_the_ends(
    two_depots: nr.Instance, tmp_path: Path, rows: str, message: str
) -> None:
    """Those of the vehicle of the route, and nowhere else."""
    file = tmp_path / "a.csv"
    file.write_text(DEPOTS + rows)
    with pytest.raises(nr.NccRoutingError, match=message):
        read_plan(file, two_depots)


TYPED = "route,id,vehicle_type\n1,1,"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "route,id\n1,9\n", "column id: must be a customer of sq"),
        ("a.csv", "route,node\n1,0\n", "column node: must be a customer"),
        ("a.csv", "route,id\n,1\n", "column route: must name the route"),
        ("a.csv", "id,x\n1,1\n", "columns: there must be one of route"),
        ("a.csv", "id,x\n", "file: has no stops"),
        ("a.csv", "route,x\n1,1\n", "columns: there must be one of id"),
        ("a.csv", "route,stop,id\n1,a,1\n", r"line 2 \(id 1\), column stop"),
        ("a.csv", f"{TYPED}0\n1,2,1\n", "column vehicle_type: must be the s"),
        (
            "a.csv",
            f"{TYPED}0.5\n",
            "route 1, vehicle_type: must be one of the",
        ),
        ("a.json", '{"routes": [["1"]]}', "route 1 must be a list of whole"),
        ("a.json", "{ROUTE, ROUTE}", "the key 'routes' appears twice"),
        ("a.json", "[[1]]", "is no result: it must be an object"),
        ("a.json", '{ROUTE, "vehicle_types": [0, 0]}', "must be one for each"),
        ("a.json", '{ROUTE, "cost": "9"}', "cost must be a whole"),
        ("a.json", '{ROUTE, "route_ids": [["e"]]}', "of square, got 'e'"),
    ],
)
def test_wrong_files_are_refused(
    square: nr.Instance, tmp_path: Path, name: str, text: str, message: str
) -> None:
    """In one line with the file, the place and the rule."""
    named = square
    if "route_ids" in text:
        named = replace(square, ids=("home", "a", "b", "c", "d"))
    file = tmp_path / name
    file.write_text(text.replace("ROUTE", '"routes": [[1]]'))
    with pytest.raises(nr.NccRoutingError, match=message) as caught:
        read_plan(file, named)
    assert str(caught.value).startswith(str(file))


def test_a_fleet_needs_vehicle_types(
    two_depots: nr.Instance, tmp_path: Path
) -> None:
    """Nothing says which vehicle drives."""
    file = tmp_path / "a.csv"
    file.write_text("route,id\n1,1\n")
    with pytest.raises(nr.NccRoutingError, match="must be a vehicle_type"):
        read_plan(file, two_depots)


@pytest.fixture
def named(two_depots: nr.Instance) -> nr.Instance:
    """Return an instance with the vehicles "van" and "bike"."""
    assert two_depots.fleet is not None
    van, bike = two_depots.fleet.types
    types = replace(van, name="van"), replace(bike, name="bike")
    return replace(two_depots, fleet=nr.Fleet(types))


def test_a_name_says_the_vehicle_type(
    named: nr.Instance, tmp_path: Path
) -> None:
    """Where no number does; an empty cell beside a number says nothing."""
    file = tmp_path / "a.csv"
    file.write_text("route,id,Vehicle Name\n1,1,bike\n2,2,van\n")
    assert read_plan(file, named).vehicle_types == (1, 0)
    file.write_text("route,id,vehicle_type,vehicle_name\n1,1,1,\n")
    assert read_plan(file, named).vehicle_types == (1,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "vehicle_type,vehicle_name\n1,1,1,van\n",
            r"line 2 \(id 1\), column vehicle_name: must be the name of "
            "vehicle type 1, got 'van'",
        ),
        (
            "vehicle_type,vehicle_name\n1,1,1,lorry\n",
            r"must name vehicles \(van, bike\), got 'lorry'",
        ),
        ("vehicle_name\n1,1,\n", "must name one vehicle type"),
        ("vehicle_name\n1,1,van\n1,2,bike\n", "must be the same on all rows"),
        ("vehicle_type,vehicle\n1,1,1,3\n2,2,0,3\n", "must have one route"),
        ("vehicle_type,vehicle\n1,1,1,1\n", "must be a vehicle of type 1"),
        ("vehicle_type,vehicle\n1,1,1,0\n", "must be a number from 1"),
        ("vehicle_type,kind\n1,1,1,lunch\n", "must be depot or customer"),
        ("vehicle_type,stop\n1,1,1,2\n1,2,1,2\n", "must appear once on a"),
        ("vehicle_type,departed\n1,1,1,9\n", "  departed "),
        ("vehicle_type,driver\n1,1,1,Anna\n", "  driver "),
        ("vehicle_type,load 2\n1,1,1,7\n", "  load 2 "),
    ],
)
def test_columns_that_a_plan_does_not_have_are_refused(
    named: nr.Instance, tmp_path: Path, text: str, message: str
) -> None:
    """And names of vehicles that are others."""
    file = tmp_path / "a.csv"
    file.write_text(f"route,id,{text}")
    with pytest.raises(nr.NccRoutingError, match=message):
        read_plan(file, named)


def test_only_columns_of_others_are_said(
    named: nr.Instance,
    two_depots_plan: nr.Solution,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nothing is wrong with those of a timetable, nor with an empty one."""
    file = tmp_path / "a.csv"
    write_routes(file, named, two_depots_plan)
    read_plan(file, named)
    assert not caplog.messages
    head, *rows = file.read_text().splitlines()
    lines = [f"{head},Colour,driver", *(f"{row},red," for row in rows)]
    file.write_text("\n".join(lines))
    read_plan(file, named)
    [line] = caplog.messages
    assert line.endswith("columns without effect: colour, driver.")


def test_ids_of_a_result_are_those_of_its_routes(
    square: nr.Instance, tmp_path: Path
) -> None:
    """A list of ids for each route, or the file is no result."""
    file = tmp_path / "a.json"
    file.write_text('{"routes": [[1], [2]], "route_ids": [["1"]]}')
    named = replace(square, ids=("0", "1", "2", "3", "4"))
    with pytest.raises(nr.ParameterError, match="one for each route"):
        read_plan(file, named)
