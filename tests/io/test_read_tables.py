"""Tables from files, frames and mappings."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.columns import name_columns
from ncc_routing.desk.fields import PLACE_COLUMNS
from ncc_routing.desk.tables import (
    parse_table,
    read_table,
    split_cells,
    whole_if_possible,
)
from ncc_routing.problems.values import NO_LIMIT


class Frame:
    """What is used of a data frame: columns by name."""

    def __init__(self, **columns: list[object]) -> None:
        self.columns = list(columns)
        self._values = columns

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array(self._values[name])


def parsed(text: str) -> Any:
    """Return the table of a text."""
    return parse_table(Path("a.csv"), text, "points")


def test_cells_are_split_by_the_csv_module() -> None:
    """Quotes hold separators and line breaks; lines keep their numbers."""
    text = '# note\n\nid,x\n"a,b",1\n\n"two\n#lines",2,\n'
    assert split_cells("a.csv", text) == [
        (3, ["id", "x"]),
        (4, ["a,b", "1"]),
        (7, ["two\n#lines", "2"]),
    ]
    assert split_cells("a.csv", "# nothing\n") == []
    assert split_cells("a.csv", "id;x\n;\na;1\n;;;\n") == [
        (1, ["id", "x"]),
        (3, ["a", "1"]),
    ]


@pytest.mark.parametrize("head", ["id;x", "# note\n\nid;x", "sep=;\nid;x"])
def test_comments_stand_above_the_columns(head: str) -> None:
    """Below, the sign begins an id; Excel may say the separator."""
    table = parsed(f"{head}\n#1001;1\nann;2\n")
    assert table.texts("id") == ["#1001", "ann"]
    spaced = parsed("sep=,\nid,a;b\n#1,2\n")
    assert spaced.columns == {"id": ["#1"], "a;b": ["2"]}


def test_frames_mappings_and_records_are_tables() -> None:
    """The same two rows, whatever holds them."""
    expected = {"id": ["1", "2"], "x": ["3.5", "4"], "y": ["0", "1"]}
    sources = [
        Frame(ID=[1, 2], x=[3.5, 4], y=[0, 1]),
        {"ID": [1, 2], "x": np.array([3.5, 4.0]), "y": (0, 1)},
        [{"ID": 1, "x": 3.5, "y": 0}, {"ID": 2, "x": 4, "y": 1}],
    ]
    for source in sources:
        table = read_table(source, "points")
        assert table.num_rows == 2
        assert {n: table.texts(n) for n in table.columns} == expected
        assert table.numbers("x").tolist() == [3.5, 4.0]


@pytest.mark.parametrize("source", [None, 7, np.zeros((2, 2)), [1, 2], []])
def test_what_is_no_table_is_refused(source: object) -> None:
    """A clear line, and no error of NumPy."""
    with pytest.raises(nr.ParameterError, match="points must be a file"):
        read_table(source, "points")


def test_a_frame_with_a_name_twice_is_refused() -> None:
    """Pandas would give two columns for one name."""
    frame = Frame(x=[1])
    frame.columns = ["x", "x"]
    with pytest.raises(nr.InstanceError, match="a name must appear once"):
        read_table(frame, "points")


def test_the_index_of_a_frame_is_read() -> None:
    """Its levels are columns by their names; numbers of rows are none."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": ["a", "b"], "x": [1, 2], "y": [3, 4]})
    for levels in ("id", ["id", "y"]):
        table = read_table(frame.set_index(levels), "points")
        assert set(table.columns) == {"id", "x", "y"}
        assert table.texts("id") == ["a", "b"]
    assert set(read_table(frame[1:], "points").columns) == {"id", "x", "y"}
    with pytest.raises(nr.InstanceError, match="index: must have a name"):
        read_table(frame.set_axis(["a", "b"]), "points")
    with pytest.raises(nr.InstanceError, match="a name must appear once"):
        read_table(frame.set_index("id", drop=False), "points")


@pytest.mark.parametrize("cell", ["", "abc", "nan", "inf", "1,5,0"])
def test_cells_that_are_no_numbers_are_named(cell: str) -> None:
    """With the line, the column and the cell."""
    table = parsed(f"x;y\n1;2\n3;{cell}\n")
    with pytest.raises(nr.InstanceError, match=r"a\.csv: line 3, column y:"):
        table.numbers("y")


def test_blanks_and_truth_are_no_numbers() -> None:
    """A blank stands for a number where the caller says for which."""
    table = parsed("x,y,z\n1,,2\n")
    assert table.numbers("y", blank=0.0).tolist() == [0.0]
    with pytest.raises(nr.InstanceError, match="column y"):
        table.numbers("y")
    with pytest.raises(nr.InstanceError, match="row 1, column x"):
        parsed('[{"x": true}]').numbers("x")


def test_titles_above_a_table_are_said_whole(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each row of them, in any number of words and cells."""
    table = parsed(
        "Tour plan of Monday\nNorth;4 May\nid;x;y;demand\na;1;2;3\n"
    )
    assert table.columns["x"] == ["1"]
    assert "above it: Tour plan of Monday; North 4 May." in caplog.text


def test_unused_columns_are_said(caplog: pytest.LogCaptureFixture) -> None:
    """So is a name that is spelt wrong, which is read as what it nears."""
    with caplog.at_level(logging.WARNING):
        name_columns(parsed("x,y,wieght,phone\n1,2,3,4\n"), PLACE_COLUMNS)
    assert "a.csv: columns are read: wieght as demand." in caplog.text
    assert "a.csv: columns without effect: phone." in caplog.text


def test_whole_numbers_become_integers() -> None:
    """All of them, or none."""
    assert whole_if_possible(np.array([1.0, 2.0])).dtype == np.int64
    assert whole_if_possible(np.array([1.0, 2.5])).dtype == np.float64
    assert whole_if_possible(np.array([1e300])).dtype == np.float64


@pytest.mark.parametrize(
    ("x", "cells", "expected"),
    [
        ("1,5", {"window": "8.30-9.45"}, (30600, 35100, 0)),
        ("1.5", {"service": "0,25 h"}, (0, NO_LIMIT, 900)),
        ("1,5", {"required": "nein", "service": "1 h"}, (0, NO_LIMIT, 3600)),
        ("1,5", {"skills": "keine", "service": "1 h"}, (0, NO_LIMIT, 3600)),
    ],
)
def test_cells_of_other_countries(
    x: str, cells: dict[str, str], expected: tuple[int, ...]
) -> None:
    """One comma among points is no rule for all; a point may part a clock."""
    rows = [
        {"id": "yard", "x": "0,5" if "," in x else "0.5", "y": 0},
        {"id": "a", "x": x, "y": x, "demand": 1, **cells},
    ]
    found = nr.read(rows, capacity=9, speed="1m/s")
    assert found.coords is not None
    assert found.coords[1].tolist() == [1.5, 1.5]
    assert found.windows is not None
    times = ("tw_early", "tw_late", "service_durations")
    assert expected == tuple(getattr(found.windows, t)[1] for t in times)
    assert found.required[1] == ("required" not in cells)
    assert found.constraints is None


def test_the_load_with_too_many_decimals_is_named() -> None:
    """Pounds beside kilograms have eight; the other rows are fine."""
    rows = [
        {"id": "yard", "x": 0, "y": 0, "weight kg": 0},
        {"id": "a", "x": 1, "y": 0, "weight kg": "16.5"},
        {"id": "b", "x": 2, "y": 0, "weight kg": "5 lb"},
    ]
    with pytest.raises(nr.InstanceError, match="6 decimals in kg, got '5 lb'"):
        nr.read(rows, capacity=90)


def test_tables_of_other_libraries_are_refused_with_a_cure() -> None:
    """In the words of Python, for what looks like a DataFrame."""

    class LazyFrame(Frame):
        """As of polars."""

    class GeoDataFrame(Frame):
        """As of geopandas."""

    for kind, cure in (
        (LazyFrame, r"give customers.collect\(\)."),
        (GeoDataFrame, "give its points as columns, such as places = "),
    ):
        rule = f"customers: a {kind.__name__} is not read; {cure}"
        with pytest.raises(nr.ParameterError, match=rule):
            nr.read(kind(demand=[0, 1], geometry=["", ""]), capacity=9)
    with pytest.raises(nr.ParameterError, match="vehicles: a LazyFrame"):
        nr.read({"x": [0, 1], "y": [0, 1]}, LazyFrame(capacity=[9]))
    # One with coordinates is read as a DataFrame.
    places = GeoDataFrame(lon=[2, 3], lat=[48, 49], demand=[0, 1])
    assert nr.read(places, capacity=9).num_customers == 1


def test_a_table_of_features_is_no_table_of_points() -> None:
    """An array of them is clustered."""
    features: dict[str, list[object]] = {
        "petal length": [1.0, 2, 8, 9],
        "petal width": [1, 1, 2, 2],
    }
    for points in (features, Frame(**features)):
        with pytest.raises(nr.ParameterError, match=r"points.to_numpy\(\)"):
            nr.cluster(points, 2, 2)
    named = {"x": "petal length", "y": "petal width"}
    assert nr.read_points(features, 2, columns=named).num_points == 4


def test_least_loads_of_a_fleet_count_as_the_table_does() -> None:
    """In tenths: a route has 1 at least, and a break 2 on board at most."""
    rows = {"x": [0, 3, 4], "y": [0, 0, 0], "demand": [0, 0.5, 1.2]}
    rest = nr.Break(5, ((0, 99),), max_load=(2,))
    van = nr.VehicleType(capacity=4, min_load=1, breaks=(rest,))
    [found] = nr.read(rows, vehicles=nr.Fleet((van,))).vehicle_types
    assert (found.capacity, found.min_load) == (40, 10)
    assert found.breaks[0].max_load == (20,)
    vans = {"capacity": [4], "min load": [0.5], "break_max_load": [2]}
    vans |= {"break_duration": [5], "break_until": [99]}
    [stated] = nr.read(rows, vehicles=vans).vehicle_types
    half = replace(found, min_load=5)
    assert stated == replace(half, num_available=1)
