"""Times in tables: what they may look like, and what they count in."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.columns import name_columns
from ncc_routing.desk.fields import CUSTOMER_COLUMNS
from ncc_routing.desk.tables import read_table
from ncc_routing.desk.times import TimeColumn, Times, read_times
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.problems.values import NO_LIMIT

NOON = dt.datetime(2026, 5, 4, 12, tzinfo=dt.UTC)


def times_of(
    title: str, cells: list[Any], time_unit: str | None = None, **more: Any
) -> list[float]:
    """Return the times of one column, and the unit as the last number."""
    found = read(title, cells, time_unit=time_unit, **more)
    (values,) = found.values.values()
    return [*values.tolist(), float(found.in_seconds)]


def read(title: str, cells: list[Any], **more: Any) -> Times:
    """Return the times of a table with one column of them."""
    rows: Any = {"x": [0.0] * len(cells), title: cells}
    table = name_columns(read_table(rows, "rows"), CUSTOMER_COLUMNS)
    (field,) = table.columns.keys() - {"x"}
    column = TimeColumn(table, field, CUSTOMER_COLUMNS[field])
    return read_times([column], **more)


def dates_from(midnight: str) -> TimeForm:
    """Return the form of dates without seconds."""
    return TimeForm("dates", midnight=midnight)


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [
        ("08:30", 30600),
        ("8:30", 30600),
        ("8:30:15", 30615),
        ("8 a.m.", 28800),
        ("8:30am", 30600),
        ("12:05 AM", 300),
        ("12 pm", 43200),
        ("11:59 p.m.", 86340),
        ("25:00", 90000),
        (dt.time(8, 30), 30600),
        (dt.timedelta(minutes=3), 180),
        ("2026-05-04T08:30", 30600),
        ("2026-05-04 08:30:05", 30605),
        ("2026-05-04T08:30+02:00", 30600),
        (dt.datetime(2026, 5, 4, 8, 30), 30600),
        (NOON, 43200),
    ],
)
def test_moments_are_seconds_from_midnight(cell: object, seconds: int) -> None:
    """As people and programs write them; an empty cell is none."""
    first, second, in_seconds = times_of("open", [cell, ""])
    assert (first, in_seconds) == (seconds, 1.0)
    assert np.isnan(second)


@pytest.mark.parametrize(
    ("title", "cells", "more", "expected"),
    [
        ("open", ["", "08:30", "9 a.m."], {}, TimeForm("clock")),
        ("open", ["9 a.m.", "08:30"], {}, TimeForm("am/pm")),
        ("open", ["8:30 PM", "9:00:05"], {}, TimeForm("am/pm", True)),
        ("open", ["08:30", "09:00:00"], {}, TimeForm("clock", True)),
        ("open", [dt.time(8, 30)], {}, TimeForm("clock")),
        ("open", [dt.time(8, 30, 1)], {}, TimeForm("clock", True)),
        ("open", [dt.timedelta(hours=25)], {}, TimeForm("clock")),
        ("open", [dt.timedelta(seconds=61)], {}, TimeForm("clock", True)),
        ("open", [NOON], {}, dates_from("2026-05-04T00:00:00+00:00")),
        (
            "open",
            ["2026-05-05T08:30", "2026-05-04 08:30:00"],
            {},
            TimeForm("dates", True, "2026-05-04T00:00:00"),
        ),
        (
            "open",
            ["2026-05-04T08:30-05:00", "2026-05-04T09:30-04:00"],
            {},
            dates_from("2026-05-04T00:00:00-05:00"),
        ),
        ("open", [8], {}, TimeForm()),
        ("open", [8], {"time_unit": "s"}, TimeForm("s")),
        ("open", [8], {"time_unit": "h"}, TimeForm("h")),
        ("open_min", [8], {"time_unit": "h"}, TimeForm("min")),
        ("open", [8, "9:00"], {"time_unit": "h"}, TimeForm("clock")),
        ("open", [0], {"in_seconds": True}, TimeForm("s")),
        ("service", ["0:15"], {}, TimeForm("s")),
        ("service_min", [5], {}, TimeForm("s")),
    ],
)
def test_the_form_is_that_of_the_first_moment(
    title: str, cells: list[Any], more: Any, expected: TimeForm
) -> None:
    """That is no number; durations say nothing of clocks."""
    assert read(title, cells, **more).form == expected


def test_days_and_offsets_are_counted() -> None:
    """From the midnight before the first date, where that date is."""
    cells = ["2026-05-04T22:00+02:00", "2026-05-05T01:00+02:00"]
    assert times_of("close", cells)[:2] == [79200, 90000]
    mixed = ["2026-05-04T22:00+02:00", "2026-05-04T21:00+00:00"]
    assert times_of("close", mixed)[:2] == [79200, 82800]
    array = np.array(cells[:1] * 2, dtype="U16").astype("datetime64[ns]")
    assert times_of("close", array)[:2] == [79200, 79200]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "time_unit", "expected"),
    [
        ("service", None, [15, 0]),
        ("service", "s", [15, 1]),
        ("service", "min", [900, 1]),
        ("service", "h", [54000, 1]),
        ("service_min", None, [900, 1]),
        ("Service Time (min)", "s", [900, 1]),
        ("service-hours", None, [54000, 1]),
        ("ready_min", None, [900, 1]),
    ],
)
def test_numbers_count_in_the_unit_that_is_said(
    title: str, time_unit: str | None, expected: list[float]
) -> None:
    """By the name of the column, else by ``time_unit``, else by nothing."""
    assert times_of(title, [15], time_unit) == expected
    assert times_of("service_h", [0.1]) == [360, 1]
    assert times_of("service", ["0:15"]) == [900, 1]


@pytest.mark.parametrize(
    ("title", "cells", "rule"),
    [
        ("open", ["8:61"], "must be a number, 08:30"),
        ("open", ["48:00"], "must be a number"),
        ("open", ["13 p.m."], "must be a number"),
        ("open", ["8.30.15"], "must be a number"),
        ("open", ["0830"], "must be a number, 08:30"),
        ("open", ["2026-05-04"], "must be a number"),
        ("open", ["2026-13-04T08:00"], "must be a number"),
        ("open", ["08:00-12:00"], "must be a number"),
        ("open", ["1e999"], "must be a number"),
        ("open", [True], "must be a number"),
        ("open", [-1], "must not be negative"),
        ("service", [dt.timedelta(seconds=-1)], "must not be negative"),
        ("open", [1.5], "must be a whole number: take a smaller unit"),
        ("service_min", [0.123], "must be a whole number of seconds"),
        ("service", ["8 a.m."], "or hours and minutes such as 0:15"),
        ("service", ["2026-05-04T08:00"], "or hours and minutes"),
        ("open", ["8:00", "480"], "state the unit"),
        ("open", ["2026-05-04T08:00", "2026-05-04T08:00Z"], "an offset from"),
        ("open", ["2026-05-04T08:00", "2026-05-05T08:00", "9:00"], "a date"),
        ("open", ["2026-05-04T08:00", "2026-05-05T08:00", "00:00"], "l days"),
        (
            "open",
            ["2026-05-04T08:00Z", "2026-05-04T08:00+02:00", "9:00"],
            "al o",
        ),
    ],
)
def test_what_is_no_time_is_named(
    title: str, cells: list[Any], rule: str
) -> None:
    """With the row and the column, as the table calls it."""
    where = f"row {len(cells)}, column {title}: "
    with pytest.raises(nr.InstanceError, match=rule) as caught:
        times_of(title, cells)
    assert where in str(caught.value)


def windows_of(title: str, cell: object, **options: Any) -> list[list[int]]:
    """Return the window of a customer as opening and closing times."""
    rows = {"x": [0, 9], "y": [0, 0], "demand": [0, 1], title: ["", cell]}
    found = nr.read(rows, capacity=1, **options).windows
    assert found is not None
    return [found.tw_early.tolist(), found.tw_late.tolist()]


@pytest.mark.parametrize(
    ("title", "cell", "opens", "closes"),
    [
        ("window", "08:00-12:00", 28800, 43200),
        ("Time Window", " 8:00 - 12:30:15 ", 28800, 45015),
        ("opening_hours", "08:00\u201312:00", 28800, 43200),
        ("Hours", "8 a.m. to 12 p.m.", 28800, 43200),
        ("hours", "22:00\u201425:00", 79200, 90000),
        ("window", "12:00-12:00", 43200, 43200),
        ("window", "2026-05-04T08:00-2026-05-04T12:00", 28800, 43200),
        (
            "window",
            "2026-05-04T22:00-05:00-2026-05-05T02:00-05:00",
            79200,
            93600,
        ),
        ("window_min", "8-12", 480, 720),
        *(
            ("window", cell, 28800, 43200)
            for cell in (
                *("8-12", "08h00-12h00", "0800-1200", "8h-12h", "8-12 Uhr"),
                *("8 bis 12 Uhr", "von 8 bis 12", "de 8h \u00e0 12h"),
                *("between 8:00 and 12:00", "8:00 - 12:00 h", "from 8 to 12"),
            )
        ),
        *(
            ("window", cell, 36000, NO_LIMIT)
            for cell in (
                *("after 10:00", "10:00-", "ab 10 Uhr", "from 10:00", "> 10h"),
                *("apr\u00e8s 10h00", "desde 10:00", "dopo le 10:00"),
            )
        ),
        *(
            ("window", cell, 0, 57600)
            for cell in ("before 16:00", "bis 16 Uhr", "avant 16h", "by 4 pm")
        ),
        *(
            ("window", cell, 28800, 43200)
            for cell in ("8:00-12:00;", "8-12 Uhr;", "; 8 am - 12 pm")
        ),
        *(
            ("window", cell, 0, NO_LIMIT)
            for cell in ("any time", "-", "n/a", "ganztags", "Any Time")
        ),
        ("window", "22:00-06:00", 79200, 108000),
        ("window", "22-6", 79200, 108000),
        ("window", "18:00-06:00", 64800, 108000),
    ],
)
def test_one_cell_holds_a_window(
    title: str, cell: str, opens: int, closes: int
) -> None:
    """The times of both ends, whatever is between them; an empty one none."""
    expected = [[0, opens], [NO_LIMIT, closes]]
    assert windows_of(title, cell, speed="1m/s") == expected


def test_numbers_of_a_window_count_as_others() -> None:
    """In the unit of the durations, or the one that is said.

    The hours of "opening hours" are no unit.
    """
    for title in ("window", "opening hours", "hours"):
        assert windows_of(title, "8-12") == [[0, 8], [NO_LIMIT, 12]]
        for unit in (None, "min", "h"):
            hours = windows_of(title, "8 - 12", time_unit=unit, speed="1m/s")
            assert hours == [[0, 28800], [NO_LIMIT, 43200]]
        with pytest.raises(nr.InstanceError, match="state the unit"):
            windows_of(title, "8-25", speed="1m/s")  # 25 is no hour


@pytest.mark.parametrize(
    ("rows", "windows"),
    [
        ({"hours": "08:00\u201310:00, 14:00\u201316:00"}, [[8, 10], [14, 16]]),
        ({"hours": "14-16;8-10;\n18-"}, [[8, 10], [14, 16], [18, None]]),
        ({"hours": "8-10 and 9-12"}, []),
        (
            {"open": 8, "close": 10, "open 2": 14, "due time 2": 16},
            [[8, 10], [14, 16]],
        ),
        ({"open": 8, "close": 10, "close 2": 5}, [[0, 5], [8, 10]]),
        ({"open": 8, "close": 10, "open 2": 14}, [[8, 10], [14, None]]),
    ],
)
def test_a_customer_has_several_windows(
    rows: dict[str, Any], windows: list[list[Any]]
) -> None:
    """In one cell or in columns, in any order; those that meet are one."""
    row = {"x": 9, "y": 0, "demand": 1, **rows}
    found = nr.read(
        [{"x": 0, "y": 0}, row], capacity=1, time_unit="h", speed="1m/s"
    ).windows
    assert found is not None
    assert found.list_windows()[1] == [
        (3600 * opens, NO_LIMIT if closes is None else 3600 * closes)
        for opens, closes in windows
    ]


def test_a_window_needs_those_before_it() -> None:
    """Nothing is lost where the first one is missing, or there are five."""
    for row, rule in (
        ({"open": None, "open 2": 4}, "open 2: needs the windows before it"),
        ({"open": 1, "open 3": 4}, "open 3: needs the windows before it"),
        ({"open": 1, "open 2": 4, "close 2": 3}, "before the window opens"),
    ):
        with pytest.raises(nr.InstanceError, match=rule):
            nr.read([{"x": 0, "y": 0}, {"x": 9, "y": 0, **row}], capacity=1)


MANY = "must have at most 4 windows"


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("8-9, 10-11, 12-13, 14-15, 16-17", MANY),
        ("08:00-10:00;14:00", "must be a window"),
        ("08:00-10:00-12:00", "must be a window such as 08:00-12:00"),
        ("-12:00", "must be a window"),
        ("closed", "must be a window"),
        ("2026-05-04T08:00-05:00", "must be a window"),
        (8, "must be a window"),
        (dt.datetime(2026, 8, 12), "must be a window"),
        ("12:00-08:00", "must not be before the window opens"),
        ("18:00-06:01", "must not be before the window opens"),
    ],
)
def test_what_is_no_window_is_refused(cell: object, rule: str) -> None:
    """With the column as it is called."""
    with pytest.raises(nr.InstanceError, match=rule) as caught:
        windows_of("Opening Hours", cell, speed="1m/s")
    assert "row 2, column opening hours: " in str(caught.value)
    is_unsupported = isinstance(caught.value, nr.UnsupportedProblemError)
    assert is_unsupported == (rule == MANY)


def test_a_window_is_said_once() -> None:
    """Not beside its ends, one of which would be lost."""
    rows = {"x": [0, 9], "y": [0, 0], "demand": [0, 1], "hours": ["", ""]}
    for title in ("open", "due"):
        with pytest.raises(
            nr.InstanceError, match=f"hours and {title} mean the"
        ):
            nr.read({**rows, title: ["", "9:00"]}, capacity=1)
    named = {**rows, "Zeit": ["", "8-12"]}
    more: Any = {"columns": {"window": "Zeit"}, "ignore_columns": ["hours"]}
    found = nr.read(named, capacity=1, **more).windows
    assert found is not None
    assert found.tw_early.tolist() == [0, 8]


def test_a_unit_is_needed_beside_seconds() -> None:
    """A number alone does not say whether it is one of them; 0 does."""
    with pytest.raises(nr.InstanceError, match="--time-unit s, min or h"):
        times_of("open", [480], in_seconds=True)
    assert times_of("open", [0], in_seconds=True) == [0, 1]
    assert times_of("open", [8], "h", in_seconds=True) == [28800, 1]
    with pytest.raises(nr.ParameterError, match="must be one of s, min, h"):
        times_of("open", [480], "d")
