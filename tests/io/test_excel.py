"""Tables in files of Excel: the same checks as of CSV."""

from __future__ import annotations

import datetime as dt
import logging
import re
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.core.exceptions import MissingDependencyError
from ncc_routing.desk.excel import read_cells
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.problems.values import NO_LIMIT
from tests.io.files import read_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

openpyxl = pytest.importorskip("openpyxl")

HEAD = ["id", "x", "y", "demand", "open", "close", "service"]
YARD: list[Any] = [7, 0, 0, None, None, None, None]
ANN: list[Any] = ["ann", 3000, 4000.5, 2]
DAY = dt.datetime(2026, 5, 4)


def sheet(
    folder: Path,
    rows: Sequence[Sequence[Any]],
    formats: dict[str, str] | None = None,
    name: str = "a.xlsx",
) -> Path:
    """Write rows as the first sheet of a file."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cell, text in (formats or {}).items():
        book.active[cell].number_format = text
    book.save(folder / name)
    return folder / name


def read(folder: Path, *rows: list[Any], **formats: str) -> nr.Instance:
    """Read customers that follow the yard."""
    file = sheet(folder, [HEAD, YARD, *rows], formats)
    return nr.read(file, capacity=9, speed="36km/h")


def change(
    file: Path,
    work: Callable[[bytes], bytes],
    name: str = "xl/worksheets/sheet1.xml",
) -> None:
    """Change a part of a file."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[name] = work(parts[name])
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)


def with_rows(folder: Path, rows: str) -> Path:
    """Write two places, and rows from the fourth on as XML."""
    file = sheet(folder, [HEAD[:4], YARD[:4], ["ann", 3, 4, 2]])
    end = b"</sheetData>"
    change(file, lambda part: part.replace(end, rows.encode() + end))
    return file


def test_customers_vehicles_points_and_matrices(tmp_path: Path) -> None:
    """Rows and columns without anything do not count."""
    rows = [[], HEAD[:4], YARD[:4], [], ["ann", 3, 4, 2]]
    file = sheet(tmp_path, rows)
    cells: list[Any] = [[None, "7", "ann"], ["7", 0, 5], ["ann", 6.5, 0]]
    matrix = sheet(tmp_path, cells, name="m.xlsx")
    vans: list[Any] = [["name", "capacity", "fixed costs"], ["van", 4, 2.5]]
    vehicles = sheet(tmp_path, vans, name="v.xlsx")
    found = nr.read(file, vehicles, matrix=matrix)
    assert (found.name, found.ids) == ("a", ("7", "ann"))
    assert found.demands.tolist() == [0, 2]
    assert found.distances([0, 1], [0, 1]).tolist() == [[0, 5], [6.5, 0]]
    assert found.fleet == nr.Fleet(
        (
            nr.VehicleType(
                capacity=4, num_available=1, fixed_cost=2.5, name="van"
            ),
        )
    )
    file = sheet(tmp_path, [HEAD[:4], ["bob", 3, 4, 1.5], ["ann", 3, 4, 2]])
    assert nr.read_points(file, capacity=9).weights.tolist() == [1.5, 2]
    assert read_matrix(matrix).ids == ("7", "ann")


@pytest.mark.parametrize(
    ("opens", "shown", "seconds"),
    [
        (dt.time(8, 30), "h:mm", 30600),
        (dt.time(8, 30), "h:mm AM/PM", 30600),
        (dt.time(8, 29, 59), "hh:mm:ss", 30599),
        ("08:30", "General", 30600),
        (dt.timedelta(hours=25), "[h]:mm", 90000),
        (25 / 24, "h:mm", 90000),
        (1, "h:mm", 86400),
        (8.5 / 24, "h:mm", 30600),
        (DAY.replace(hour=8, minute=30), "yyyy-mm-dd hh:mm", 30600),
        (DAY, "dd/mm/yyyy hh:mm", 0),
    ],
)
def test_times_are_as_excel_gives_them(
    tmp_path: Path, opens: object, shown: str, seconds: int
) -> None:
    """Times of day, dates, durations, and hours beyond midnight."""
    row = [*ANN, opens, None, dt.time(0, 5)]
    windows = read(tmp_path, row, E3=shown, G3="h:mm").windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, seconds]
    assert windows.tw_late.tolist() == [NO_LIMIT, NO_LIMIT]
    assert windows.service_durations.tolist() == [0, 300]


def test_clocks_of_excel_come_out_as_clocks(tmp_path: Path) -> None:
    """Excel says nothing of seconds."""
    found = read(tmp_path, [*ANN, dt.time(8, 30), dt.time(9)])
    assert found.source.time_form == TimeForm("clock")


def test_formulas_are_their_values(tmp_path: Path) -> None:
    """As saved by Excel: half a day."""
    file = sheet(tmp_path, [HEAD, YARD, [*ANN, "=F3", 0.5]], {"E3": "h:mm"})
    change(file, lambda part: re.sub(b"<v ?/>|<v></v>", b"<v>0.5</v>", part))
    more: Any = {"speed": "1m/s", "ignore_columns": ["close"]}
    found = nr.read(file, capacity=2, **more)
    assert found.windows is not None
    assert found.windows.tw_early.tolist() == [0, 43200]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([*ANN, None, "soon"], "row 3 (id ann), column close: must be a num"),
        ([*ANN, None, "#N/A"], "row 3 (id ann), column close: must be a num"),
        ([*ANN, DAY], "row 3 (id ann), column open: must be a number, 08:30"),
        ([*ANN, 8], "column open: has numbers"),
        ([*ANN, True], "column open: must be a number"),
        ([*ANN, None, "=E3+1"], "a.xlsx: cell F3: holds a formula without"),
        (["ann", "3,500", 4, 2], "row 3 (id ann), column x: must be a finite"),
        ([*ANN, None, None, 1, "x"], "row 3: must have 7 cells, as the first"),
    ],
)
def test_cells_are_checked_as_in_csv(
    tmp_path: Path, row: list[Any], message: str
) -> None:
    """With the file, the row of the sheet, the id and the column."""
    with pytest.raises(nr.NccRoutingError) as caught:
        read(tmp_path, row, E3="dd/mm/yyyy" if DAY in row else "General")
    assert f"{tmp_path / 'a.xlsx'}: " in str(caught.value)
    assert message in str(caught.value)


def test_sheets_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    """Empty, without names, or with cells that belong to two rows."""
    with pytest.raises(nr.InstanceError, match="has no customers"):
        nr.read(sheet(tmp_path, []), capacity=1)
    with pytest.raises(nr.InstanceError, match="row 1: must name the columns"):
        nr.read(sheet(tmp_path, [[1, 2], [3, 4]]), capacity=1)
    file = sheet(tmp_path, [HEAD, YARD, ANN])
    book = openpyxl.load_workbook(file)
    book.active.merge_cells("E2:E3")
    book.save(file)
    with pytest.raises(nr.InstanceError, match="cells E2:E3: are merged"):
        nr.read(file, capacity=9)
    with pytest.raises(nr.InstanceError, match="does not exist"):
        nr.read(tmp_path / "b.xlsx", capacity=1)
    (tmp_path / "b.xlsx").write_text("id,x,y\n")
    with pytest.raises(nr.InstanceError, match="is not an Excel file"):
        nr.read(tmp_path / "b.xlsx", capacity=1)
    with pytest.raises(nr.InstanceError, match="row 2: must hold finite"):
        read_matrix(sheet(tmp_path, [[0, 1], ["far", 0]]))


def test_other_sheets_and_hidden_rows_are_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A user may take them for read, or for left out."""
    file = sheet(tmp_path, [HEAD[:4], YARD[:4], ["ann", 3, 4, 2]])
    book = openpyxl.load_workbook(file)
    book.create_sheet("vans")
    book.worksheets[0].row_dimensions[3].hidden = True
    book.save(file)
    with caplog.at_level(logging.WARNING):
        nr.read(file, capacity=9)
    assert "a.xlsx: sheets not read: vans." in caplog.text
    assert "a.xlsx: hidden rows are read too: 3." in caplog.text


def test_a_sheet_of_vehicles_is_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By its title, also the first one; others are given, or several are none.

    Rows are named by the sheet.
    """
    file = sheet(tmp_path, [HEAD[:4], YARD[:4], ["ann", 3, 4, 2]])
    book = openpyxl.load_workbook(file)
    vans = book.create_sheet("Véhicules", 0)
    for row in (["capacity"], [7], [8]):
        vans.append(row)
    book.save(file)
    found = nr.read(file)
    assert [one.capacity for one in found.vehicle_types] == [7, 8]
    assert "a.xlsx: sheet Véhicules: read as the vehicles." in caplog.text
    caplog.clear()
    [van] = nr.read(file, [{"capacity": 5}]).vehicle_types
    assert van.capacity == 5
    assert "a.xlsx: sheet Véhicules: is not read." in caplog.text
    vans["A3"] = "x"
    book.save(file)
    rule = r"sheet Véhicules: row 3, column capacity: .* got 'x'"
    with pytest.raises(nr.InstanceError, match=rule):
        nr.read(file)
    book.create_sheet("Fuhrpark").append(["capacity"])
    book.save(file)
    rule = "sheets: Véhicules and Fuhrpark say that they have the vehicles"
    with pytest.raises(nr.InstanceError, match=rule):
        nr.read(file)


def test_empty_cells_take_no_memory(tmp_path: Path) -> None:
    """A cell of openpyxl takes half a kilobyte."""
    rows = "".join(
        f'<row r="{row}">{"".join(f"""<c r="B{row}" s="0"/>""" * 50)}</row>'
        for row in range(4, 1004)
    )
    file = with_rows(tmp_path, f'{rows}<row r="1004"><c r="A1004"/></row>')
    read_cells(file)  # what is imported stays
    tracemalloc.start()
    assert [number for number, _ in read_cells(file)] == [1, 2, 3]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_a_cell_without_a_place_follows_the_one_before(tmp_path: Path) -> None:
    """An empty one too."""
    cells = '<c r="A4"><v>5</v></c><c r="B4"/><c><v>6</v></c><c/>'
    file = with_rows(tmp_path, f'<row r="4">{cells}</row>')
    assert read_cells(file)[-1] == (4, [5, None, 6])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "".join(
                f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>'
                for row in range(4, 1_304)
            ),
            "at most 20,000,000 cells",
        ),
        (f"<row>{'<c/>' * 1_100_000}</row>", "1,000,000 elements in a row"),
        (
            '<row r="4"><c r="A4"><v>1</v></c></row>' * 2,
            "is not an Excel file",
        ),
    ],
    ids=["far", "long", "twice"],
)
def test_sheets_without_an_end_are_refused(
    tmp_path: Path, rows: str, message: str
) -> None:
    """Few bytes must not become many."""
    file = with_rows(tmp_path, rows)
    with pytest.raises(nr.InstanceError, match=message):
        nr.read(file, capacity=9)


def test_parts_that_unpack_to_much_are_refused(tmp_path: Path) -> None:
    """Blanks in the styles, before any of them is read."""
    file = sheet(tmp_path, [HEAD[:4], YARD[:4], ["ann", 3, 4, 2]])
    name = "xl/styles.xml"
    change(file, lambda part: part.ljust(2**20), name)
    assert nr.read(file, capacity=9).num_customers == 1
    change(file, lambda part: part.ljust(2**26 + 1), name)
    with pytest.raises(nr.InstanceError, match="must have at most 67,108,864"):
        nr.read(file, capacity=9)


def test_styles_have_at_most_a_million_elements(tmp_path: Path) -> None:
    """Five bytes of each become 500."""
    file = sheet(tmp_path, [HEAD[:4], YARD[:4], ["ann", 3, 4, 2]])
    end = b"</cellXfs>"
    more = b"<xf/>" * 1_000_000 + end
    change(file, lambda part: part.replace(end, more), "xl/styles.xml")
    with pytest.raises(
        nr.InstanceError, match=r"styles\.xml: .* 1,000,000 elem"
    ):
        nr.read(file, capacity=9)


def test_openpyxl_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the extra."""
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingDependencyError, match=r"ncc_routing\[excel\]"):
        nr.read(tmp_path / "a.xlsx", capacity=9)


def test_empty_cells_of_a_matrix_are_forbidden_arcs(tmp_path: Path) -> None:
    """At the end of a row as well, and a number that Excel shortens."""
    most = 9223372036854770000
    file = sheet(tmp_path, [[0, most, 2], [None, 0, None], [1, 2, 0]])
    found = read_matrix(file).values.tolist()
    no = float("inf")
    assert found == [[0, no, 2], [no, 0, no], [1, 2, 0]]
