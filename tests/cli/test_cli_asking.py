"""A dialogue about columns: what is asked, checked, written and read."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome, Run

ORDERS = """\
id,x,y,load,gates,foo
yard,0,0,0,,
ann,3,4,1,8-12,8
bob,0,5,2,9-12,9
"""
VANS = "name,capacity,returns kg\nv1,9,1\nv2,8,2\n"


@pytest.fixture
def asked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Outcome]:
    """Return what diagnoses two tables on a terminal with some answers."""
    (tmp_path / "orders.csv").write_text(ORDERS)
    (tmp_path / "vans.csv").write_text(VANS)
    monkeypatch.chdir(tmp_path)

    def answered(*answers: str, options: str = "") -> Outcome:
        typed = io.StringIO("".join(f"{each}\n" for each in answers))
        for stream in (typed, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: True)
        monkeypatch.setattr("sys.stdin", typed)
        files = "orders.csv --vehicles vans.csv --speed 1m/s --interactive"
        return run(f"diagnose {files} {options}")

    return answered


def test_answers_are_checked_and_written(
    asked: Callable[..., Outcome], run: Run, tmp_path: Path
) -> None:
    """A number, a name, or i; what does not fit is asked again."""
    done = asked(
        *[
            "9",
            "capacity",
            "window",
            "1",
            "demand",
            "window",
            "id",
            "priority",
            "i",
        ]
    )
    assert done.code == 0, done.err
    shown = done.err.splitlines()
    first = shown.index("orders.csv: load: 1, 2")
    assert shown[first + 1] == (
        "  1  demand: demand or weight, 1 without the column"
    )
    assert "  i  ignore it: without them each row has a demand of 1" in shown
    assert "there is no field 9" in done.err
    assert "orders.csv has no field capacity." in done.err
    assert "after 10:00; several separated by ;): not '1'." in done.err
    assert "demand is load already" in done.err
    assert "id is id already" in done.err
    written = (tmp_path / "orders.columns.toml").read_text()
    assert written == (
        'ignore = [\n    "returns kg",\n]\n\n[columns]\ndemand = "load"\n'
        'window = "gates"\npriority = "foo"\n'
    )
    plain = "orders.csv --vehicles vans.csv --speed 1m/s"
    again = f"diagnose {plain} --columns orders.columns.toml"
    assert run.succeeds(again).out == done.out


@pytest.mark.parametrize("is_replaced", [True, False])
def test_an_older_file_is_kept_unless_wanted(
    asked: Callable[..., Outcome], tmp_path: Path, is_replaced: bool
) -> None:
    """The answers count for the run, and other mistakes are told after."""
    file = tmp_path / "orders.columns.toml"
    file.write_text("mine")
    done = asked(*["1", "i", "i", "i"], "y" if is_replaced else "n")
    assert done.code == 0, done.err
    assert "Replace orders.columns.toml?" in done.err
    assert (file.read_text() == "mine") != is_replaced
    (tmp_path / "vans.csv").write_text(VANS.replace("v1,9", "v1,x"))
    file.unlink()
    stated = "--columns demand=load --ignore-column foo"
    done = asked(*["i", "i"], options=stated)
    assert done.code == 1
    assert "row 1 (id v1)" in done.err or "line 2" in done.err
    assert 'demand = "load"' in file.read_text()


def test_two_columns_of_a_field_are_a_question(
    asked: Callable[..., Outcome], tmp_path: Path
) -> None:
    """The one that is taken has the field, and the other is asked about."""
    (tmp_path / "orders.csv").write_text(
        "id,x,y,weight,qty\nyard,0,0,0,0\nann,3,4,1,2\n"
    )
    (tmp_path / "vans.csv").write_text("name,capacity\nv1,9\n")
    done = asked("i")
    assert done.code == 0, done.err
    text = (tmp_path / "orders.columns.toml").read_text()
    assert text == 'ignore = [\n    "qty",\n]\n\n[columns]\n'


def test_one_letter_is_no_field(
    asked: Callable[..., Outcome], tmp_path: Path
) -> None:
    """Who answers x crosses out: it does not say that foo is a coordinate."""
    (tmp_path / "orders.csv").write_text(
        "id,lon,lat,foo\nyard,8,50,0\nann,8.1,50,1\n"
    )
    (tmp_path / "vans.csv").write_text("name,capacity\nv1,9\n")
    done = asked("x", "i")
    assert done.code == 0, done.err
    assert (
        "x may be a slip: state a coordinate as --columns x=foo, or answer i "
        "to ignore it."
    ) in done.err
    written = (tmp_path / "orders.columns.toml").read_text()
    assert written == 'ignore = [\n    "foo",\n]\n\n[columns]\n'


def test_questions_need_a_terminal(run: Run, tmp_path: Path) -> None:
    """Else nobody could answer."""
    (tmp_path / "orders.csv").write_text(ORDERS)
    run.fails(
        2,
        "no terminal to ask on: answer with --columns and --ignore-column",
        *("solve", tmp_path / "orders.csv", "--interactive"),
    )
