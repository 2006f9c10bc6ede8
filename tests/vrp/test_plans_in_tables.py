"""Results in tables of stops: inside a workbook, or beside a CSV file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr

if TYPE_CHECKING:
    from pathlib import Path

openpyxl = pytest.importorskip("openpyxl")

ROWS = [
    {"id": "yard", "x": 0, "y": 0, "open": "8:00", "close": "18:00"},
    *(
        {"id": name, "x": x, "y": 0, "demand": 1, "service": "0:10", "tel": x}
        for name, x in (("ann", 1), ("bob", 2), ("eve", 3), ("joe", -1))
    ),
]
VANS = [{"name": name, "capacity": 9, "number": 1} for name in ("Al", "Bo")]


@pytest.fixture(scope="module")
def plan() -> nr.Result:
    """Return a plan of two vans: Al serves three, Bo one; nobody is absent."""
    instance = nr.read(ROWS, VANS, speed="10km/h")
    routes = nr.Solution.from_routes(instance, ((1, 2, 3), (4,)), (0, 1))
    return nr.Result(instance, routes, "given", "none", 1, (), 0.0)


@pytest.fixture
def file(plan: nr.Result, tmp_path: Path) -> Path:
    """Write the plan as a workbook."""
    plan.write(tmp_path / "plan.xlsx")
    return tmp_path / "plan.xlsx"


def edited(file: Path, **cells: Any) -> Path:
    """Write cells of the sheet of Al, as Excel saves a workbook."""
    book = openpyxl.load_workbook(file)
    for name, value in cells.items():
        book["Al"][name] = value
    book.save(file)
    return file


def test_a_workbook_has_its_result(
    plan: nr.Result, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In a hidden sheet, which stays where another program saves it."""
    assert openpyxl.load_workbook(file)["result"].sheet_state == "hidden"
    for path in (file, edited(file)):
        assert nr.Result.read(path).to_json() == plan.to_json()
    assert nr.read(file).node_ids == plan.instance.node_ids
    assert caplog.text == ""


def test_a_large_result_takes_several_cells(tmp_path: Path) -> None:
    """Random lengths of 120 places are more than a cell of Excel can hold."""
    matrix = np.random.default_rng(1).integers(1, 10**6, (120, 120))
    instance = nr.Instance(
        "wide", np.ones(120) - np.eye(120)[0], capacity=119, matrix=matrix
    )
    best = nr.Solution.from_routes(instance, [range(1, 120)])
    plan = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    plan.write(tmp_path / "a.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx")["result"]
    assert sheet.max_row > 2
    assert nr.Result.read(tmp_path / "a.xlsx").cost == plan.cost


def test_a_csv_file_has_its_result_beside_it(
    plan: nr.Result, tmp_path: Path
) -> None:
    """The error names the file that is missing; edits are told by line."""
    file, beside = tmp_path / "plan.csv", tmp_path / "plan.json"
    with pytest.raises(nr.InstanceError, match=r"plan\.csv: file: does not"):
        nr.Result.read(file)
    plan.write(file)
    with pytest.raises(nr.ParameterError, match=r"plan\.json, which would"):
        nr.Result.read(file)
    plan.write(beside)
    assert nr.Result.read(file).routes == plan.routes
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    with pytest.raises(nr.InstanceError, match="line 3, id: must be ann"):
        nr.Result.read(file)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"C5": "bob", "C6": "ann"}, r"sheet Al, row 5, id: must be ann, the"),
        ({"C6": None}, r"row 7, id: must be bob, .* got 'eve'"),
        ({"C8": "joe"}, r"row 8, id: must be yard, .* got 'joe'"),
        ({"C9": "joe"}, r"row 9, id: is no stop of the plan there, got 'joe'"),
        ({"C3": "no"}, r"sheet Al, column id: is missing"),
    ],
)
def test_stops_that_people_move_are_refused(
    file: Path, cells: dict[str, Any], message: str
) -> None:
    """By sheet, row and id; the message says what to do."""
    with pytest.raises(nr.InstanceError, match=message) as refused:
        nr.Result.read(edited(file, **cells))
    assert "solve plan.xlsx --start plan.xlsx" in str(refused.value)


def test_all_sheets_with_moved_stops_are_named(file: Path) -> None:
    """Also one that is missing, and one that is new."""
    book = openpyxl.load_workbook(edited(file, C6="joe"))
    book["Bo"].title = "Cy"
    book.save(file)
    with pytest.raises(nr.InstanceError) as refused:
        nr.Result.read(file)
    first, *more, _ = str(refused.value).splitlines()
    assert "sheet Al, row 6, id: must be bob" in first
    assert "sheet Bo: is missing, or its column kind" in more[0]
    assert "sheet Cy: has stops, and is no sheet of the plan" in more[1]


def test_other_cells_that_people_change_are_told(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """They have no effect; further cells are notes."""
    book = openpyxl.load_workbook(file)
    head = [cell.value for cell in book["Al"][3]]
    column = head.index("tel") + 1
    book["Al"].cell(5, column).value = "0171"
    book["Al"].cell(6, len(head) + 1).value = "called"
    book["overview"]["A2"] = "Alf"
    book.save(file)
    nr.Result.read(file)
    told = "changed by hand, and not read: sheet Al, row 5 (id ann), tel."
    assert told in caplog.text


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (None, "it has no hidden sheet"),
        ({"A2": "eJ"}, "sheet result, which is hidden: is damaged"),
        ({"A1": None}, "hidden: row 1: is empty, and has a part of the plan"),
        ({"A2": None}, "hidden: row 2: is empty"),
        ({"A3": None}, "hidden: row 3: is empty"),
        ({"A4": None}, "hidden: row 4: is empty"),
    ],
)
def test_other_workbooks_are_no_results(
    file: Path,
    cells: dict[str, str | None] | None,
    message: str,
) -> None:
    """One without the sheet, and one with a part of it."""
    book = openpyxl.load_workbook(file)
    whole = book["result"]["A2"].value
    book["result"]["A3"], book["result"]["A4"] = whole[90:180], whole[180:]
    book["result"]["A2"] = whole[:90]
    for cell, text in (cells or {}).items():
        book["result"][cell] = text
    if cells is None:
        del book["result"]
    book.save(file)
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.Result.read(file)
