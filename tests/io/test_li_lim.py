"""Reading Li and Lim's form of pickup and delivery problems."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.io.benchmarks import looks_like_li_lim

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """2\t20\t1
0\t0\t0\t0\t0\t90\t0\t0\t0
1\t1\t1\t10\t5\t40\t3\t0\t2
2\t4\t5\t-10\t0\t60\t3\t1\t0
3\t0\t9\t-7\t0\t70\t2\t4\t0
4\t0\t3\t7\t0\t50\t2\t0\t3
"""
"""Two shipments: 10 from stop 1 to stop 2, and 7 from stop 4 to stop 3."""


def save(folder: Path, text: str = TEXT) -> Path:
    """Write a text to a file and return its path."""
    file = folder / "lc1.txt"
    file.write_text(text)
    return file


def test_reads_every_field(tmp_path: Path) -> None:
    """Lengths are those of the benchmark: sqrt(2) and 5 are not rounded."""
    instance = nr.read(save(tmp_path))
    assert instance.name == "lc1"
    assert instance.demands.tolist() == [0, 0, 0, 0, 0]
    assert instance.capacity == 20
    assert instance.vehicle_types[0].num_available == 2
    assert instance.shipments == (
        nr.Shipment(1, 2, (10,)),
        nr.Shipment(4, 3, (7,)),
    )
    lengths = instance.distances([1], [0, 2]).tolist()
    assert lengths == [[np.sqrt(2), 5.0]]
    windows = instance.windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, 5, 0, 0, 0]
    assert windows.tw_late.tolist() == [90, 40, 60, 70, 50]
    assert windows.service_durations.tolist() == [0, 3, 3, 2, 2]


@pytest.mark.parametrize("speed", ["0", "2", "1.5", "-1"])
def test_the_speed_is_not_used(tmp_path: Path, speed: str) -> None:
    """Ten of the benchmark's files state 0, and mean the same."""
    expected = nr.read(save(tmp_path))
    other = nr.read(save(tmp_path, TEXT.replace("20\t1\n", f"20\t{speed}\n")))
    assert other.windows is not None
    assert expected.windows is not None
    assert np.array_equal(other.windows.tw_late, expected.windows.tw_late)
    assert np.array_equal(
        other.distances(range(5), range(5)),
        expected.distances(range(5), range(5)),
    )
    assert not looks_like_li_lim(TEXT.replace("20\t1\n", "20\tfast\n"))


def test_nothing_stands_behind_the_rows(tmp_path: Path) -> None:
    """It could be a rule."""
    for line in ("5 1 1 0 0 9 0 0", "MAX_DISTANCE : 3", "EOF"):
        with pytest.raises(
            nr.InstanceError, match="row 5: must hold number, x"
        ):
            nr.read(save(tmp_path, f"{TEXT}\n{line}\n"))


def test_another_metric_rounds(tmp_path: Path) -> None:
    """As for any file: sqrt(2) is 1, or 14 tenths, and so are the times."""
    file = save(tmp_path)
    assert nr.read(file, metric="round").distances([0], [1]).item() == 1
    tenths = nr.read(file, metric="dimacs")
    assert tenths.distances([0], [1]).item() == 14
    assert tenths.windows is not None
    assert tenths.windows.tw_late[0] == 900


def test_is_solved_and_checked(tmp_path: Path) -> None:
    """No longer than a route for each shipment: sqrt(2) + 5 + sqrt(41), 18."""
    instance = nr.read(save(tmp_path))
    result = nr.solve(instance, stop=nr.stop.MaxIterations(50), seed=1)
    assert nr.check_solution(instance, result.best) == []
    apart = 2**0.5 + 5 + 41**0.5 + 18
    assert result.best.cost <= apart


def test_comes_back_from_vrplib(tmp_path: Path) -> None:
    """In whole lengths, which VRPLIB has a type for."""
    instance = nr.read(save(tmp_path), metric="round")
    file = tmp_path / "again.vrp"
    nr.write_instance(file, instance)
    back = nr.read(file)
    assert back.shipments == instance.shipments
    assert back.fleet == instance.fleet


def test_is_told_from_other_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By lines of three and of nine numbers; from standard input as well."""
    assert looks_like_li_lim(f"\n{TEXT}")
    assert not looks_like_li_lim("")
    assert not looks_like_li_lim("2 20 1\n")
    assert not looks_like_li_lim("2 20\n0 0 0 0 0 90 0 0 0\n")
    assert not looks_like_li_lim("2 20 x\n0 0 0 0 0 90 0 0 0\n")
    assert not looks_like_li_lim("2 20 1\n0 0 0 0 0 90 0 0\n")
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode()))
    )
    assert len(nr.read("-").shipments) == 2


ENDS = "\t3\t0\t2\n"
"""Service and partners of the first stop."""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (ENDS, "\t3\t0\n", "row 1: must hold number, x, y, demand, "),
        ("1\t1\t1\t", "1\t1\tx\t", "row 1: must hold number, x, y, demand, "),
        ("2\t4\t5", "5\t4\t5", "row 2: rows must be numbered 0, 1, 2, ..., "),
        ("0\t90\t0", "0\t-9\t0", "row 0: must not close before it opens at 0"),
        ("0\t0\t90\t0", "3\t0\t90\t0", "row 0: a depot must have no amount"),
        ("90\t0\t0\t0", "90\t0\t0\t2", "row 0: a depot must have no amount"),
        (ENDS, "\t3\t4\t2\n", "row 1: must name its pickup or its d"),
        (ENDS, "\t3\t0\t0\n", "row 1: must name its pickup or its d"),
        (ENDS, "\t3\t0\t5\n", "row 1: must name another row 1..4, go"),
        (ENDS, "\t3\t0\t1\n", "row 1: must name another row 1..4, go"),
        (ENDS, "\t3\t0\t-2\n", "row 1: must name another row 1..4, "),
        (ENDS, "\t3\t0\t1.5\n", "row 1: must name another row 1..4,"),
        (ENDS, "\t3\t0\t3\n", "row 1: must be named by its partner 3"),
        ("\t10\t", "\t9\t", "row 1: must be 10, as its delivery 2 takes"),
        ("\t-7\t", "\t7\t", "row 4: must be -7, as its delivery 3 takes"),
        ("\t7\t", "\t-7\t", "row 4: a pickup must have no negative amou"),
        ("\t5\t40", "\t5\t4", "row 1: must not close before it opens at 5"),
        ("2\t20", "0\t20", "VEHICLES: must be at least 1, got 0"),
        ("2\t20", "2\t0", "CAPACITY: must be positive and at most 1e+09"),
    ],
)
def test_refuses_what_breaks_the_form(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """One line names the file, the row by its number, and the rule."""
    assert old in TEXT
    file = save(tmp_path, TEXT.replace(old, new, 1))
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert str(caught.value).startswith(f"{file}: {message}")
    assert "\n" not in str(caught.value)


def test_rows_of_vrplib_count_from_one(tmp_path: Path) -> None:
    """The same rules name the section and its own numbers."""
    file = tmp_path / "again.vrp"
    nr.write_instance(file, nr.read(save(tmp_path), metric="round"))
    text = file.read_text()
    file.write_text(text.replace("2\t10\t", "2\t9\t"))
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    rule = "must be 10, as its delivery 3 takes"
    assert str(caught.value) == (
        f"{file}: PICKUP_AND_DELIVERY_SECTION, row 2: {rule}, got 9.0."
    )
