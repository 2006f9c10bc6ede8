"""Several days with few drivers per customer."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.generators.days import generate_days
from ncc_routing.problems.routes.days import compare_days
from tests.oracles.samples import DAYS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SHORT = ("--time-limit", "0.3", "--method", "savings")
TABLE = "id,x,y,demand\nhome,0,0,0\nann,10,0,2\nbob,0,10,3\n"


@pytest.fixture
def week(tmp_path: Path) -> Path:
    """Write a folder with two days of forty customers."""
    folder = tmp_path / "week"
    folder.mkdir()
    days = generate_days(40, 4, route_length=8.0)
    for name, day in zip(("monday", "tuesday"), days, strict=True):
        nr.write_instance(folder / f"{name}.vrp", day)
    return folder


def rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    return [*csv.DictReader(file.read_text().splitlines())]


def test_a_folder_of_days(run: Run, week: Path, tmp_path: Path) -> None:
    """Plans, drivers and measures agree with the checker and the library."""
    out = tmp_path / "out"
    words = "solve-days", week, "--max-extra-cost 0.02 --format sol"
    answer = run.json(*words, *SHORT, "--output", out)
    plans = []
    for day, name in zip(answer["days"], ("monday", "tuesday"), strict=True):
        problem = week / f"{name}.vrp"
        checked = run.json("check", problem, out / f"{name}.sol")
        assert checked["feasible"]
        assert checked["cost"] == day["cost"]
        instance = nr.read(problem)
        best = nr.Solution.from_routes(instance, day["routes"])
        plans.append(nr.Result(instance, best, "", "", 1, (), 0.0))
    alone, together = answer["measures"]
    assert together["cost"] <= 1.02 * alone["cost"]
    assert together["mean_drivers"] <= alone["mean_drivers"]
    found = compare_days(plans)
    assert together["mean_drivers"] == round(found.mean_drivers, 4)
    assert [row["plans"] for row in rows(out / "measures.csv")] == [
        "alone",
        "together",
    ]
    drivers = [int(row["driver"]) for row in rows(out / "drivers.csv")]
    assert drivers == [one for day in answer["days"] for one in day["drivers"]]


def test_tables_of_days(run: Run, tmp_path: Path) -> None:
    """Timetables by default, and lines for a person."""
    files = [tmp_path / "mon.csv", tmp_path / "tue.csv"]
    for file in files:
        file.write_text(TABLE)
    out = tmp_path / "out"
    words = "solve-days", *files, "--capacity 5", *SHORT
    done = run.succeeds(*words, "--output", out)
    assert "mean drivers                   1           1" in done.out
    assert "extra cost                            0.00 %" in done.out
    assert {row["id"] for row in rows(out / "mon.csv")} == {
        "home", "ann", "bob",
    }  # fmt: skip
    run.succeeds("check", files[1], out / "tue.csv", "--capacity 5")
    run.succeeds(*words)
    done = run.succeeds("solve-days", files[0], "--capacity 5", *SHORT)
    assert "mean drivers                   1           1" in done.out
    twice = "solve-days", files[0], files[0], "--capacity 5", *SHORT
    assert len(json.loads(run.succeeds(*twice, "--json").out)["days"]) == 2
    run.fails(1, "different names", *twice, "--output", out)


def test_days_that_serve_nobody(run: Run, tmp_path: Path) -> None:
    """The table of drivers has its columns and no row."""
    files = [tmp_path / "mon.csv", tmp_path / "tue.csv"]
    for file in files:
        file.write_text("id,x,y,demand,prize\nhome,0,0,0,0\nann,9,0,1,1\n")
    out = tmp_path / "out"
    run.succeeds(
        *("solve-days", *files, "--capacity 5 --time-limit 0.3"),
        *("--output", out),
    )
    assert (out / "drivers.csv").read_text() == "day,route,driver\n"


def test_one_file_of_several_days(run: Run, tmp_path: Path) -> None:
    """Its days have numbers; options of tables do not go with it."""
    file, out = tmp_path / "week.vrp", tmp_path / "out"
    file.write_text(DAYS)
    words = "solve-days", file, *SHORT
    run.succeeds(*words, "--metric none", "--output", out)
    assert sorted(each.name for each in out.iterdir()) == [
        "drivers.csv", "measures.csv", "week-day1.csv", "week-day2.csv",
    ]  # fmt: skip
    run.fails(1, "capacity goes with a table", *words, "--capacity 9")
