"""Columns of the input that travel into every output, and come back."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import time
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import read_in_progress, read_plan, write_routes
from ncc_routing.desk.workbooks import Sheet, write_workbook
from ncc_routing.io.geojson import write_geojson
from ncc_routing.problems.routes.unserved import Reason, Unserved

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """Order No;lat;lon;Weight;Window;Customer;Load;Note
hub;52.5;13.4;0;;Depot;;
a-1;52.6;13.4;3;8:00-12:00;"Ann, Lee";ramp;=1+1
a-2;52.5;13.5;4;;Bob;;-
a-3;52.4;13.4;2;;Cem;;
"""
FLEET = [
    {"vehicle": "Anna", "capacity": 5, "number": 1, "start": "7:00"},
    {"vehicle": "van", "capacity": 5, "number": 2},
    {"vehicle": "overview", "capacity": 5, "number": 1},
]
GIVEN = ("Weight", "Window", "Customer", "order Load", "Note")


@pytest.fixture
def problem(tmp_path: Path) -> nr.Instance:
    """Return a table with columns that are no fields, and one of a name."""
    file = tmp_path / "orders.csv"
    file.write_text(TABLE)
    return nr.read(
        file,
        FLEET,
        columns={"id": "Order No", "demand": "Weight"},
        ignore_columns=["Load"],
        speed="36km/h",
    )


@pytest.fixture
def plan(problem: nr.Instance) -> nr.Solution:
    """Return routes of Anna and the first van; a-3 is unserved."""
    return nr.Solution.from_routes(problem, [[1], [2]], [0, 1])


UNSERVED = (Unserved(3, "a-3", 0, (Reason(0, "capacity", "needs 1 more"),)),)


def rows_in(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    with file.open() as lines:
        return list(csv.DictReader(lines))


def test_they_stand_behind_ours_as_given(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path
) -> None:
    """With their titles, in rows of the unserved too; for drivers first."""
    file = tmp_path / "plan.csv"
    write_routes(file, problem, plan, UNSERVED)
    rows = rows_in(file)
    assert list(rows[0]) == [
        *("route", "vehicle_name", "stop", "arrival", "service_start", "id"),
        *("Customer", "Note", "delivered", "reasons", "kind", "lon", "lat"),
        *("vehicle", "vehicle_type", "waiting_min", "departure", "load"),
        *("distance_km", "Weight", "Window", "order Load"),
    ]
    assert [rows[1][name] for name in GIVEN] == [
        "3", "8:00-12:00", "Ann, Lee", "ramp", "=1+1",
    ]  # fmt: skip
    assert [rows[-1][n] for n in ("kind", "id", "reasons", "Customer")] == [
        "unserved", "a-3", "needs 1 more", "Cem",
    ]  # fmt: skip
    # 11.12 km at 36 km/h are 18.5 minutes.
    far = [rows[1][name] for name in ("distance_km", "arrival", "waiting_min")]
    assert far == ["11.12", "08:00", "0"]
    assert rows[1]["vehicle_name"] == "Anna"


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "json"])
def test_files_with_them_are_read_back(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path, suffix: str
) -> None:
    """With the departures; for a table without these columns as well."""
    file = tmp_path / f"plan.{suffix}"
    write_routes(file, problem, plan, UNSERVED)
    untitled = replace(problem, source=replace(problem.source, columns=()))
    for instance in (problem, untitled):
        stated = read_plan(file, instance)
        assert stated.routes == plan.routes
        assert stated.vehicle_types == plan.vehicle_types
        [first, _] = read_in_progress(file, instance)
        assert first.departures == (27660, 28800)  # 7:41 and 8:00
    other = nr.Solution.from_routes(problem, [[1]], [2])
    write_routes(file, problem, other, UNSERVED)
    assert read_plan(file, problem).routes == ((1,),)
    none = nr.Solution.from_routes(problem, [])
    write_routes(file, problem, none, UNSERVED)
    assert read_plan(file, problem).routes == ()


def test_results_and_maps_have_them(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path
) -> None:
    """A name that map data have already gets another one."""
    result = nr.Result(problem, plan, "a", "none", 1, (), 0.1)
    result = replace(result, unserved=UNSERVED)
    again = nr.Result.from_json(result.to_json())
    assert again.instance.source == problem.source
    assert json.loads(result.to_json())["summary"] == result.totals.to_json()
    file = tmp_path / "map.geojson"
    write_geojson(file, problem, plan, UNSERVED)
    features = json.loads(file.read_text())["features"]
    facts = [feature["properties"] for feature in features]
    assert [f["title"] for f in facts if "title" in f] == ["Anna", "van 1"]
    left_out = facts[-1]
    assert left_out["kind"] == "unserved"
    assert left_out["reasons"] == "needs 1 more"
    assert (left_out["route"], left_out["Customer"]) == (None, "Cem")


def test_a_workbook_has_a_sheet_for_each_driver(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path
) -> None:
    """Its texts are texts, and its titles differ and are not too long."""
    openpyxl = pytest.importorskip("openpyxl")
    file = tmp_path / "plan.xlsx"
    write_routes(file, problem, plan, UNSERVED)
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == ["overview", "Anna", "van 1", "unserved"]
    cell = book["Anna"]["E5"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")
    overview = [[c.value for c in row] for row in book["overview"].rows]
    assert overview[0][:4] == ["driver", "orders", "start", "end"]
    assert overview[1][:4] == ["Anna", 1, time(7, 41), time(8, 18)]
    assert overview[-2][0] == "unserved  1"
    assert overview[-1][0].strip() == "a-3 (needs 1 more)"
    titles = ["a" * 40, "A" * 40, "[x]/?", "", "history", "'q'", "\x01=1"]
    cells = ["\x02", 10**17, None, True, float("nan"), "\ud800 _x0041_"]
    sheets = [Sheet(title, {"=a": cells}) for title in titles]
    write_workbook(file, sheets)
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == [
        *("a" * 31, "A" * 27 + " (2)", "x", "sheet", "history (2)", "q", "=1")
    ]
    values = [row[0].value for row in book["q"].rows]
    assert values == [
        *("=a", "\ufffd", "100000000000000000", None, True, "nan"),
        "\ufffd _x0041_",
    ]
    top = book["q"]["A1"]
    assert (top.font.bold, top.data_type) == (True, "s")
    sheet = book["q"]
    assert (sheet.freeze_panes, sheet.print_title_rows) == ("A2", "$1:$1")
    assert sheet.page_setup.orientation == "landscape"
    assert 20 <= sheet.column_dimensions["A"].width <= 21


def test_what_a_day_takes(problem: nr.Instance, plan: nr.Solution) -> None:
    """By hand: 2 times 11.12 and 6.77 km on straight lines at 36 km/h."""
    result = nr.Result(problem, plan, "a", "none", 1, (), 0.1)
    found = replace(result, unserved=UNSERVED).totals
    assert (found.served, found.unserved, found.left_out) == (2, 1, 0)
    assert found.vehicles == {"Anna": 1, "van": 1}
    assert found.distance == pytest.approx(2 * (11.12 + 6.77), abs=0.02)
    assert found.driving == pytest.approx(2 * 17.89 / 36, abs=0.002)
    assert (found.service, found.waiting) == (0, 0)
    assert found.costs == {"distance": plan.cost}
    # Anna is at a-1 at eight, and four hours are left there.
    assert (found.latest_return, found.last_route) == ("08:18", "Anna")
    assert (found.least_slack, found.tightest) == (240, "a-1, Anna")
    assert found.detour == 1
    lines = "\n".join(found.lines())
    assert "orders    2 served, 1 unserved" in lines
    assert "distances are straight lines" in lines
