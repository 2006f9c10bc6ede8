"""Sheets for drivers: what they need comes first, and looks as they read."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.column_words import what_it_tells
from ncc_routing.desk.routes import read_in_progress, read_plan, write_routes
from ncc_routing.desk.stated import check_statements
from ncc_routing.desk.workbooks import Sheet, write_workbook
from ncc_routing.problems.routes.unserved import (
    Reason,
    Unserved,
    unserved_lines,
)

if TYPE_CHECKING:
    from pathlib import Path

openpyxl = pytest.importorskip("openpyxl")

ORDERS = [
    {"Kundennr": "hub", "lat": 52.5, "lon": 13.4, "Menge": 0},
    {
        **{"Kundennr": "a-1", "lat": 52.6, "lon": 13.4, "Menge": 3},
        **{"Bemerkung": "klingeln", "Zeitfenster": "9:00-12:00"},
        **{"Telefon": "0171 1", "Adresse": "Weg 1", "Kunde": "Ann Lee"},
    },
    {"Kundennr": "a-2", "lat": 52.5, "lon": 13.5, "Menge": 4, "Kunde": "Bo"},
    {"Kundennr": "a-3", "lat": 52.4, "lon": 13.4, "Menge": 9, "Kunde": "Cy"},
]
VANS = [
    {
        **{"Name": "Anna", "Kennzeichen": "B-AN 1", "Kapazität": 7},
        **{"start": "8:00", "break": "30 min 9:05-9:20"},
    }
]


@pytest.fixture(scope="module")
def problem() -> nr.Instance:
    """Return orders of three customers, and a van with a break."""
    return nr.read(ORDERS, VANS, speed="36km/h", day="2026-05-04")


@pytest.fixture(scope="module")
def plan(problem: nr.Instance) -> nr.Solution:
    """Return the route to a-1 and a-2."""
    return nr.Solution.from_routes(problem, [[1, 2]], [0])


def rows_of(file: Path, title: str) -> list[list[Any]]:
    """Return the cells of a sheet."""
    sheet = openpyxl.load_workbook(file)[title]
    return [[cell.value for cell in row] for row in sheet.rows]


def test_a_driver_finds_first_what_he_needs(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path
) -> None:
    """11.12 km at 36 km/h are 18:32; he is there at 9:00, as early as he may.

    It is 13.01 km from there to a-2, and 6.77 back: 30.9 in all.
    """
    file = tmp_path / "plan.xlsx"
    write_routes(file, problem, plan)
    who, day, names, *rows = rows_of(file, "Anna")
    assert who[0] == "Anna, B-AN 1"
    assert day[0] == "2026-05-04, 08:41 to 10:02, 2 orders, 1.4 h, 30.9 km"
    assert names[:8] == [
        *("stop", "arrival", "id", "Kunde", "Adresse", "Telefon"),
        *("Bemerkung", "delivered"),
    ]
    assert {"route", "lat", "vehicle_type"} <= {*names[8:]}
    assert [row[:8] for row in rows[:2]] == [
        [0, time(8, 41), "hub", None, None, None, None, 0],
        [
            *(1, time(9, 0), "a-1", "Ann Lee", "Weg 1", "0171 1"),
            *("klingeln", 3),
        ],
    ]
    kinds = names.index("kind")
    order = [(row[0], row[2], row[kinds]) for row in rows]
    assert order[2:] == [
        (None, "break", "break"),
        (2, "a-2", "customer"),
        (3, "hub", "depot"),
    ]
    sheet = openpyxl.load_workbook(file)["Anna"]
    assert sheet["B4"].number_format == "hh:mm"
    assert sheet.print_area == "'Anna'!$A$1:$H$8"
    assert sheet.print_title_rows == "$3:$3"
    overview = openpyxl.load_workbook(file)["overview"]
    formats = [cell.number_format for cell in overview[2][-7:]]
    assert formats == ["0", "0", "0", "0", "General", "0.0", "0.00"]
    assert read_plan(file, problem).routes == plan.routes
    assert not check_statements(file, problem, plan)


def test_a_break_at_a_stop_stands_behind_it(tmp_path: Path) -> None:
    """He is at a-1 at 8:18, has tea from 8:30 on, and serves until 9:20.

    The rows are in the order of the arrivals, and read alike.
    """
    van = {
        "name": "Al",
        "capacity": 9,
        "start": "8:00",
        "latest start": "8:00",
    }
    van |= {"latest start": "8:00", "break": "30 min 8:30-8:30"}
    orders = [ORDERS[0], {**ORDERS[1], "Zeitfenster": "", "service min": 20}]
    problem = nr.read(orders, [van], speed="36km/h")
    plan = nr.Solution.from_routes(problem, [[1]], [0])
    file = tmp_path / "plan.xlsx"
    write_routes(file, problem, plan)
    _, _, names, *rows = rows_of(file, "Al")
    times = [names.index(n) for n in ("arrival", "service_start", "departure")]
    assert [row[times[0]] for row in rows] == sorted(
        row[times[0]] for row in rows
    )
    assert [[row[3], *(row[k] for k in times)] for row in rows[1:3]] == [
        ["a-1", time(8, 18), time(9, 0), time(9, 20)],
        ["break", time(8, 30), time(8, 30), time(9, 0)],
    ]
    [begun] = read_in_progress(file, problem)
    [tea] = begun.breaks_taken
    assert tea[1] == 0
    assert not check_statements(file, problem, plan)


def test_times_are_those_of_excel(tmp_path: Path) -> None:
    """Also of the next day, with seconds, and with a date."""
    cells = [timedelta(hours=25), timedelta(hours=8, seconds=5)]
    cells = [*cells, datetime(2026, 5, 4, 8, 30)]  # type: ignore[list-item]
    file = tmp_path / "times.xlsx"
    write_workbook(file, [Sheet("times", {"at": cells})])
    column = openpyxl.load_workbook(file)["times"]["A"][1:]
    formats = [cell.number_format for cell in column]
    assert formats == ["[hh]:mm", "hh:mm:ss", "yyyy-mm-dd hh:mm"]
    assert [cell.is_date for cell in column] == [True] * 3


def test_what_is_printed_is_whole(tmp_path: Path) -> None:
    """Costs with their decimals, all lines of a remark, and numbers of pages.

    A remark has 20 words of 9 letters: five lines of four.
    """
    file = tmp_path / "sheets.xlsx"
    cells: dict[str, list[Any]] = {
        "id": ["a"],
        "note": ["telephone " * 20],
        "cost": [1234567],
    }
    write_workbook(file, [Sheet("sheet", cells)])
    sheet = openpyxl.load_workbook(file)["sheet"]
    assert sheet.column_dimensions["C"].width > len("1234567.00")
    assert sheet.row_dimensions[2].height == 75
    note, cost = sheet["B2"].alignment, sheet["C2"].alignment
    assert (note.wrap_text, note.indent, note.vertical) == (True, 1, "top")
    assert (cost.horizontal, sheet["C1"].alignment.horizontal) == (
        *(None, "right"),
    )
    assert sheet.page_setup.orientation == "landscape"
    assert (sheet.page_setup.fitToHeight, sheet.print_title_rows) == (
        *(0, "$1:$1"),
    )
    assert sheet.oddFooter.right.text == "&P / &N"


def test_lines_of_a_remark_stay_lines(tmp_path: Path) -> None:
    """Short ones too, and no row is higher than Excel allows."""
    file = tmp_path / "sheets.xlsx"
    notes = ["gate 3\nring twice\n\nask for ann", "- call " * 600]
    write_workbook(file, [Sheet("sheet", {"id": ["a", "b"], "note": notes})])
    sheet = openpyxl.load_workbook(file)["sheet"]
    assert sheet["B2"].value == notes[0]
    assert [sheet[cell].alignment.wrap_text for cell in ("B2", "B3")] == [
        *(True, True),
    ]
    assert sheet["B3"].quotePrefix
    assert [sheet.row_dimensions[k].height for k in (2, 3)] == [60, 408.75]


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_files_of_the_last_release_are_read(
    problem: nr.Instance, plan: nr.Solution, tmp_path: Path, suffix: str
) -> None:
    """Their columns were in another order, and their times texts."""
    names = (
        "route,stop,kind,id,lon,lat,vehicle,vehicle_type,vehicle_name,arrival,"
        "waiting_min,service_start,departure,delivered,load,distance_km,"
        "Menge,Kunde"
    )
    rows = (
        "1,0,depot,hub,13.4,52.5,1,0,Anna,08:41,0,08:41,08:41,0,7,0,0,",
        "1,1,customer,a-1,13.4,52.6,1,0,Anna,09:00,0,09:00,09:00,3,4,11.12,"
        "3,Ann",
        "1,,break,,,,1,0,Anna,09:05,0,09:05,09:35,,4,14.121,,",
        "1,2,customer,a-2,13.5,52.5,1,0,Anna,09:51,0,09:51,09:51,4,0,24.134,"
        "4,Bo",
        "1,3,depot,hub,13.4,52.5,1,0,Anna,10:02,0,10:02,10:02,0,0,30.903,0,",
    )
    file = tmp_path / f"plan.{suffix}"
    if suffix == "csv":
        file.write_text("\n".join((names, *rows)))
    else:
        cells = zip(*(row.split(",") for row in rows), strict=True)
        columns = dict(zip(names.split(","), map(list, cells), strict=True))
        of_routes: dict[str, list[Any]] = {
            "driver": ["Anna"],
            "orders": [2],
            "cost": [30903],
        }
        sheets = [Sheet("overview", of_routes), Sheet("Anna", columns)]
        write_workbook(file, sheets)
    assert read_plan(file, problem).routes == plan.routes
    [begun] = read_in_progress(file, problem)
    assert begun.departures[1:] == (32400, 35460)
    assert not check_statements(file, problem, plan)


def test_the_head_of_a_plan_comes_back(
    problem: nr.Instance, plan: nr.Solution
) -> None:
    """With the plates, and what columns tell."""
    absent = (Unserved(3, "a-3"),)
    result = nr.Result(problem, plan, "a", "none", 1, (), 0.1)
    result = replace(result, unserved=absent)
    again = nr.Result.from_json(result.to_json()).instance.source
    assert again == problem.source
    assert again.plates == (("Anna", "B-AN 1"),)
    with pytest.raises(nr.InstanceError, match="Menge: says must be one of"):
        replace(problem.source.columns[0], says="no")


def test_a_plate_is_the_name_of_a_vehicle_without_one() -> None:
    """Its sheet does not say it twice."""
    fleet = [{"plate": "K-1", "capacity": 20}]
    problem = nr.read(ORDERS, fleet, speed="36km/h")
    assert problem.vehicle_types[0].name == "K-1"
    assert problem.source.plates == ()


def test_reasons_are_counted_before_they_are_listed() -> None:
    """The most frequent first; several of one order are one."""
    late = Reason(0, "window", "reached at 9:00, closes at 8:00")
    large = Reason(0, "capacity", "exceeds the capacity by 2")
    used = Reason(1, "vehicles", "all are in use")
    orders = [(large,), (late,), (late, used), (), (late, large)]
    unserved = [Unserved(k, f"a-{k}", 0, one) for k, one in enumerate(orders)]
    assert unserved_lines(unserved)[0] == (
        "unserved  5: 2 time window, 1 capacity, 1 not known, "
        "1 time window or capacity"
    )
    assert unserved_lines(unserved[:1])[0] == "unserved  1"


@pytest.mark.parametrize(
    ("titles", "says"),
    [
        ("Kunde|Nom du client|Nombre|Ragione sociale|Customer name", "name"),
        ("PLZ|Lieferadresse|Adresse|Dirección|Indirizzo|Street", "address"),
        ("Tel.|Téléphone|Teléfono|Cellulare|Ansprechpartner", "phone"),
        ("Bemerkung|Remarque|Notas|Istruzioni|Remark", "note"),
        ("Kundennr|Customer no|Menge|order date|Gewicht|Priorität", ""),
    ],
)
def test_what_columns_tell_a_driver(titles: str, says: str) -> None:
    """In five languages; numbers of customers are no names."""
    assert {what_it_tells(title) for title in titles.split("|")} == {says}
