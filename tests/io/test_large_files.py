"""Files made to take long or much memory end in one line, and soon.

What was quadratic in the length of a line would take hours here.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

import ncc_routing as nr
from ncc_routing.bench.catalogue import list_instances
from ncc_routing.bench.tables import class_means, format_class_means
from ncc_routing.core import text_files
from ncc_routing.core.text import number_of
from ncc_routing.desk.tables import parse_table, read_table
from ncc_routing.io.toml import read_params
from tests.oracles.refusals import refused

TINY = (Path(__file__).parent / "data" / "tiny.vrp").read_text()
LONG = 1_000_000


def save(folder: Path, name: str, text: str) -> Path:
    """Return a new file with a text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_number_has_at_most_400_characters() -> None:
    """Blanks around it do not count."""
    third = "0." + "3" * 398
    assert number_of(f"  {third} ") == float(third)
    assert number_of(f"{third}3") != number_of(f"{third}3")  # nan


@pytest.mark.parametrize("cell", ["1", "1.", "1e", ".1", " ", ",1", "a", "-"])
def test_a_long_cell_is_refused(tmp_path: Path, cell: str) -> None:
    """In a number's column, and where a number may stand."""
    long = cell * (100_000 // len(cell)) + "x"
    customers = f'id,x,y,demand\n0,0,0,0\n1,"{long}",1,1\n'
    file = save(tmp_path, "a.csv", customers)
    with pytest.raises(
        nr.InstanceError, match=r"column x: must (have|be a finite)"
    ):
        nr.read(file, capacity=1)
    rows = [{"id": 0, "x": 0, "y": 0}, {"id": 1, "x": long * 10, "y": 1}]
    with pytest.raises(
        nr.InstanceError, match=r"column x: must (have|be a finite)"
    ):
        nr.read(rows, capacity=1)
    text = TINY.replace("CAPACITY : 10", f"CAPACITY : {long * 10}")
    with pytest.raises(nr.InstanceError, match="CAPACITY: must be a whole"):
        nr.read(save(tmp_path, "a.vrp", text))


@pytest.mark.parametrize("start", ["route", "Route", "cost", "total"])
@pytest.mark.parametrize("cell", [" ", "1", "\t", "#", ":", "a", "1 "])
def test_a_long_line_of_a_solution_is_read_once(
    tmp_path: Path, start: str, cell: str
) -> None:
    """Blanks between the words of a route were read in three places."""
    line = start + cell * LONG + "x"
    file = save(tmp_path, "a.sol", f"Route #1: 1\n{'1' * LONG}x\n{line}\n")
    try:
        assert nr.read_solution(file).routes == ((1,),)
    except nr.InstanceError as error:
        assert len(str(error)) < 400  # noqa: PT017 (some lines are wrong)


def test_long_heads_are_listed(tmp_path: Path) -> None:
    """Of instances and solutions, and cells of a printed table."""
    save(tmp_path, "a.vrp", "\n" * 5000)
    save(tmp_path, "a.sol", "\n" * LONG + "cost" + " " * LONG)
    assert list_instances([tmp_path])[0].bks is None
    row = {"method": "1" * LONG + "x", "size_class": "N1", "instance": "i"}
    (means,) = class_means([row])
    table = format_class_means([means])
    assert row["method"] in table


def test_a_table_has_at_most_16384_columns(tmp_path: Path) -> None:
    """And each one once."""
    many = ",".join(f"c{column}" for column in range(16_381))
    text = f"x,y,demand,{many}\n0,0,0\n1,1,1\n"
    file = save(tmp_path, "a.csv", text)
    assert len(read_table(file, "customers").columns) == 16_384
    file = save(tmp_path, "a.csv", f"last,{text}")
    with pytest.raises(nr.InstanceError, match="at most 16,384 columns"):
        read_table(file, "customers")


def test_a_table_has_at_most_20_million_cells(tmp_path: Path) -> None:
    """Also where few rows of many have many columns."""
    head = ",".join(f"c{column}" for column in range(1_001))
    file = save(tmp_path, "a.csv", f"{head}\n" + "1\n" * 19_981)
    with pytest.raises(nr.InstanceError, match="at most 20,000,000 cells"):
        nr.read(file, capacity=1)
    rows = [{f"c{row}": 1} for row in range(4_473)]
    file = save(tmp_path, "a.json", json.dumps(rows))
    with pytest.raises(nr.InstanceError, match="at most 20,000,000 cells"):
        nr.read(file, capacity=1)


def test_a_text_has_an_end(tmp_path: Path) -> None:
    """Its size is looked at before it is read, its lines on the way."""
    file = tmp_path / "a.csv"
    with file.open("wb") as sparse:
        sparse.truncate(text_files.MOST_BYTES + 1)
    with pytest.raises(nr.InstanceError, match="at most 1,073,741,824 bytes"):
        nr.read(file, capacity=1)
    file = save(tmp_path, "b.csv", "\r" * (text_files.MOST_CELLS + 1))
    with pytest.raises(nr.InstanceError, match="at most 20,000,000 lines"):
        nr.read(file, capacity=1)


def test_a_table_of_one_column_has_one_cell_a_row(tmp_path: Path) -> None:
    """One is no plural."""
    file = save(tmp_path, "a.csv", "id;\n1;\n2;3\n")
    with pytest.raises(
        nr.InstanceError, match="must have 1 cell, as the first"
    ):
        nr.read(file, capacity=1)


@pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000])
def test_parameters(tmp_path: Path, value: str) -> None:
    """TOML that goes too deep, and numbers that are too long."""
    file = save(tmp_path, "a.toml", f"a = {value}")
    with refused("file", "must be TOML", source=file):
        read_params(file)


LONG_CELLS = {
    "dashes": "8" + "-" * 500,
    "blanks": "8" + " " * 500 + "x",
    "windows": "08:00-09:00;" * 42,
    "digits": "1" * 501,
}
"""Cells of more than 500 characters."""


@pytest.mark.parametrize("cell", LONG_CELLS.values(), ids=LONG_CELLS.keys())
def test_no_time_and_no_number_is_looked_for_in_a_long_cell(cell: str) -> None:
    """Texts may be longer; 500 characters are not too many."""
    rows = {"id": ["yard", "a"], "x": [0, 1], "y": [0, 0], "demand": [0, 1]}
    rule = "must have at most 500 characters"
    for name in ("window", "open", "service", "demand", "prize"):
        with pytest.raises(nr.InstanceError, match=f"column {name}: {rule}"):
            nr.read({**rows, name: [None, cell]}, capacity=9)
    for name in ("shift", "break", "capacity", "max distance"):
        vehicles = [{"capacity": 9, name: cell}]
        with pytest.raises(nr.InstanceError, match=f"column {name}: {rule}"):
            nr.read(rows, vehicles)
    assert nr.read({**rows, "note": [None, cell]}, capacity=9)
    with pytest.raises(nr.InstanceError, match="must be a window"):
        nr.read({**rows, "window": [None, "8" + "-" * 499]}, capacity=9)


@pytest.mark.parametrize("part", [",", ";", "a,", '",', "1|"])
def test_a_line_of_twice_the_length_takes_twice_the_time(part: str) -> None:
    """Lines of marks are refused, or read, in time that grows with them."""

    def seconds(size: int) -> float:
        text = "id,x,y,demand\n" + part * size
        start = time.process_time()
        with suppress(nr.NccRoutingError):
            parse_table(Path("a.csv"), text, "customers")
        return time.process_time() - start

    seconds(1_000)
    assert seconds(400_000) < 4 * seconds(200_000) + 0.2
