"""``ncc-route solve-many``: lines, a folder, and exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing import Result
from ncc_routing.core.row_files import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

QUICK = ("--method", "savings", "--polish", "none")


def test_a_folder_of_problems(
    run: Run, square_file: Path, random_file: Path, tmp_path: Path
) -> None:
    """A line for each; one that fails is named, and only tried again."""
    (tmp_path / "broken.vrp").write_text("NAME : broken\nEOF\n")
    results = tmp_path / "results"
    command = ("solve-many", square_file.parent, *QUICK, "--output", results)
    done = run.fails(1, "ncc-route: error: broken: ", *command, "--workers 2")
    assert "square                  cost 526, 3 routes, 0." in done.out
    assert done.out.splitlines()[-1] == "3 problems: 2 solved, 1 failed"
    assert Result.read(results / "square.json").cost == 526
    rows = read_rows(results / "manifest.csv")
    before = [row["runtime_seconds"] for row in rows]
    (tmp_path / "broken.vrp").write_text(square_file.read_text())
    done = run.succeeds(*command, "--json --timetables")
    assert len([*(results / "timetables").glob("*.parquet")]) == 3
    answers = {a["name"]: a for a in map(json.loads, done.out.splitlines())}
    assert answers.keys() == {"broken", "random60", "square"}
    assert answers["square"]["cost"] == answers["broken"]["cost"] == 526
    assert [
        str(answers[name].get("runtime_seconds"))
        for name in ("random60", "square")
    ] == before[1:]
    run.fails(1, "holds results with seed 1, not 3", *command, "--seed 3")
    run.fails(1, "holds results: name a new folder", *command, "--no-resume")


def test_a_table_may_leave_orders_out(run: Run, tmp_path: Path) -> None:
    """Then the exit code is that of ``solve``, and so is the option."""
    table = tmp_path / "shop.csv"
    table.write_text("id,x,y,demand\nhome,0,0,0\nann,0,3,2\nbob,4,0,9\n")
    command = ("solve-many", table, "--capacity", 5, *QUICK)
    done = run(*command)
    assert done.code == 3
    assert "1 route, 1 unserved, " in done.out
    assert "1 problem: 1 solved, 1 with unserved orders" in done.out
    assert run(*command, "--all-or-nothing").code == 1


WEEK = """id,depot,day,x,y,demand
north,north,,0,0,0
south,south,,90,90,0
ann,north,mon,10,0,1
bob,north,mon,0,10,1
cy,north,mon,10,1,1
dan,south,mon,80,75,4
ann,north,tue,10,0,1
bob,north,tue,0,10,1
cy,north,tue,8,9,1
eve,south,tue,80,70,9
"""
VANS = "name,depot,number,capacity\nn,north,2,2\ns,south,1,5\n"


def test_depots_and_days_of_one_table(run: Run, tmp_path: Path) -> None:
    """Each has its rows and vehicles, and the second day the drivers.

    Ann and Cy have one on Monday. On Tuesday Cy is nearer to Bob, so that
    keeping the driver costs something.
    """
    week, vans = tmp_path / "week.csv", tmp_path / "vans.csv"
    week.write_text(WEEK)
    vans.write_text(VANS)
    folder = tmp_path / "out"
    command = ("solve-many", week, "--by depot,day", "--vehicles", vans)
    done = run(*command, "--budget 1s --workers 2 --output", folder)
    assert done.code == 3  # Eve's order is too large
    assert done.out.splitlines()[-1] == (
        "4 problems: 4 solved, 1 with unserved orders"
    )
    settings = json.loads((folder / "manifest.json").read_text())
    assert settings["time_limit"] == 0.5
    found = {
        row["name"]: Result.read(folder / row["file"])
        for row in read_rows(folder / "manifest.csv")
    }
    assert {n: each.instance.ids for n, each in found.items()} == {
        "north-mon": ("north", "ann", "bob", "cy"),
        "north-tue": ("north", "ann", "bob", "cy"),
        "south-mon": ("south", "dan"),
        "south-tue": ("south", "eve"),
    }
    north = found["north-mon"].instance
    assert north.name == "north-mon"
    assert [one.capacity for one in north.vehicle_types] == [2]
    assert found["north-mon"].consistency is None
    kept = found["north-tue"].consistency
    assert kept is not None
    assert kept.kept_pairs == 1
    assert sorted(map(sorted, found["north-tue"].routes)) == [[1, 3], [2]]
    assert [one.id for one in found["south-tue"].absent] == ["eve"]
    done = run(*command, "--time-limit 0.2 --consistency 0 --json")
    assert done.code == 3
    rows = {row["name"]: row for row in map(json.loads, done.out.splitlines())}
    assert rows.keys() == found.keys()
    assert rows["north-tue"]["cost"] < found["north-tue"].cost


def test_days_come_in_the_order_of_their_dates(
    run: Run, tmp_path: Path
) -> None:
    """Whatever the order of their rows is; the first keeps nobody."""
    table = tmp_path / "dates.csv"
    rows = ["id,depot,day,x,y,demand", "d,d,,0,0,0"]
    rows += [f"c{n},d,2026-05-0{day},{n},3,1" for day in (5, 4) for n in "12"]
    table.write_text("\n".join(rows))
    command = ("solve-many", table, "--by depot,day --capacity 9 --json")
    done = run(*command, "--time-limit 0.1 --output", tmp_path / "out")
    assert done.code == 0
    names = [json.loads(line)["name"] for line in done.out.splitlines()]
    assert names == ["d-2026-05-04", "d-2026-05-05"]


def test_no_row_of_a_table_is_lost(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Those of no problem are named; vehicles of any depot are in all."""
    table, vans = tmp_path / "week.csv", tmp_path / "vans.csv"
    table.write_text(WEEK + "west,west,,5,5,0\nfay,west,,6,6,1\n")
    vans.write_text("name,depot,number,capacity\nn,north,1,2\ns,,2,9\n")
    words = "--by depot,day --time-limit 0.1 --consistency 0"
    folder = tmp_path / "out"
    files = ("--vehicles", vans, "--output", folder)
    done = run.succeeds("solve-many", table, words, *files)
    assert ": line 12, line 13" in caplog.text
    assert done.out.splitlines()[-1] == "4 problems: 4 solved"
    for name, rooms in (("north-mon", [2, 9]), ("south-mon", [9])):
        instance = Result.read(folder / f"{name}.json").instance
        assert [one.capacity for one in instance.vehicle_types] == rooms


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,,0,0,2\nb,n,1,1,\n", "no row has depot and day"),
        ("a,n-1,1,1,2\nb,n,1,1,1-2\n", "the same name, n-1-2"),
        ("a,n,1,1,2\nb,N,1,1,2\n", "the same name, N-2"),
    ],
)
def test_problems_of_a_table_have_names(
    run: Run, tmp_path: Path, rows: str, message: str
) -> None:
    """Each its own, whatever the case of its letters."""
    table = tmp_path / "week.csv"
    table.write_text("id,depot,x,y,day\n" + rows)
    words = ("solve-many", table, "--by", "depot,day", "--budget", "1s")
    run.fails(1, message, *words)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("week.csv --by site", "column site: is missing; the columns are id"),
        ("week.csv --by day --matrix m.csv", "does not go with --matrix"),
        ("square.vrp --by day", "--by goes with one table"),
        ("week.csv --by depot,day --polish none", "needs an improvement"),
        ("week.csv --by depot,day --reference a.sol", "are the days before"),
        ("week.csv --by depot --vehicles v.csv", "must be vehicles of south"),
        ("square.vrp --budget 3x", "'3x': must be a time such as 30min"),
        ("square.vrp --budget 3s --time-limit 1", "replaces --time-limit"),
        ("square.vrp --timetables", "--timetables needs --output"),
    ],
)
def test_what_does_not_go_together(
    run: Run,
    square_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    message: str,
) -> None:
    """It is said before the first problem."""
    monkeypatch.chdir(square_file.parent)
    (square_file.parent / "week.csv").write_text(WEEK)
    (square_file.parent / "v.csv").write_text("depot,capacity\nnorth,9\n")
    done = run("solve-many", *arguments.split(), "--capacity 9")
    assert done.code in (1, 2)
    assert message in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-",), "go with solve"),
        (("square.vrp", "sub/square.vrp"), "would have the same name"),
        (("square.vrp", "--output", "."), "holds files of something else"),
        (("square.vrp", "--workers", "0"), "at least 1, or -1"),
    ],
)
def test_refusals(
    run: Run,
    square_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    """Before the first problem."""
    monkeypatch.chdir(square_file.parent)
    done = run("solve-many", *arguments)
    assert done.code in (1, 2)
    assert message in done.err
    assert done.out == ""
