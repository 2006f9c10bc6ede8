"""Reading Solomon's form of problems with time windows."""

from __future__ import annotations

from pathlib import Path

import pytest

import ncc_routing as nr
from ncc_routing.io.benchmarks import looks_like_solomon
from ncc_routing.problems import features
from tests.oracles.refusals import written

TEXT = (Path(__file__).parent / "data" / "solomon.txt").read_text()


def save(folder: Path, text: str = TEXT) -> Path:
    """Write a text to a file and return its path."""
    file = folder / "t101.txt"
    file.write_text(text)
    return file


def test_reads_every_field(tmp_path: Path) -> None:
    """Vehicles, places, demands, windows and services."""
    instance = nr.read(save(tmp_path), metric="dimacs")
    assert instance.name == "T101"
    assert instance.num_customers == 3
    assert instance.capacity == 200
    assert instance.demands.tolist() == [0, 10, 30, 20]
    assert instance.coords is not None
    assert instance.coords[1].tolist() == [45, 68]
    assert instance.distances([0], [1, 2]).tolist() == [[186, 161]]
    windows = instance.windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, 120, 0, 0]
    assert windows.tw_late.tolist() == [12360, 670, 8700, 2000]
    assert windows.service_durations.tolist() == [0, 900, 900, 100]
    assert instance.vehicle_types[0].num_available == 2
    assert set(instance.features) == {
        features.LIMITED_FLEET,
        features.TIME_WINDOWS,
        features.SERVICE_DURATIONS,
    }


def test_is_told_from_vrplib() -> None:
    """Both tables, in their order; a name may say anything."""
    assert looks_like_solomon(TEXT)
    assert looks_like_solomon(TEXT.replace("T101", "NAME : CUSTOMER"))
    assert not looks_like_solomon("NAME : VEHICLE\nCOMMENT : CUSTOMER")
    assert not looks_like_solomon("CUSTOMER\nVEHICLE")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  2         200", "  2", "VEHICLE: must have one row: the number"),
        ("  2         200\n", "", "VEHICLE: must have one row"),
        ("    90\n", "\n", "CUSTOMER: a row must hold number, x, y, demand"),
        ("    2  ", "    7  ", "CUSTOMER: rows must be numbered 0, 1, 2, .*7"),
        (" 67 ", " 11 ", "must not be before tw_early 12"),
        ("  10  ", "  -1  ", "the demand of customer 1 must not be negative"),
        ("  10  ", " many ", "DEMAND_SECTION: every value must be a number"),
    ],
)
def test_refuses_what_breaks_the_form(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """One line names the file and what is wrong."""
    assert old in TEXT
    file = save(tmp_path, TEXT.replace(old, new, 1))
    with pytest.raises(nr.InstanceError, match=message) as caught:
        nr.read(file)
    assert str(caught.value).startswith(str(file))


def test_the_last_row_is_a_row(tmp_path: Path) -> None:
    """Another line there may be a customer."""
    text = TEXT.rstrip() + "\n*9 6 6 1 0 100 1\n"
    with pytest.raises(nr.InstanceError, match="must end with its last row"):
        nr.read(written(tmp_path, text, "a.txt"))


@pytest.mark.parametrize(
    "line",
    ["EOF\n4 6 6 1 0 100 1", "EOF\nMAX_DISTANCE : 3", "*4 6 6 1 0 100 1"],
)
def test_rows_stand_together(tmp_path: Path, line: str) -> None:
    """What stands between rows, or behind EOF, is not passed over."""
    with pytest.raises(nr.InstanceError, match="hold nothing else, got"):
        nr.read(written(tmp_path, f"{TEXT.rstrip()}\n{line}\n", "a.txt"))
    third = TEXT.rstrip().splitlines()[-1]
    text = TEXT.replace(third, f"*9 1 1 1 0 9 1\n{third}")
    with pytest.raises(nr.InstanceError, match=r"hold nothing else, got '\*9"):
        nr.read(written(tmp_path, text, "a.txt"))


@pytest.mark.parametrize("end", ["\x1a", "EOF\n", "\n\n"])
def test_marks_at_the_end_are_no_rows(tmp_path: Path, end: str) -> None:
    """DOS ended files by a mark of its own."""
    whole = nr.read(written(tmp_path, TEXT, "a.txt"))
    again = nr.read(written(tmp_path, f"{TEXT.rstrip()}\n{end}", "b.txt"))
    assert again.num_customers == whole.num_customers
