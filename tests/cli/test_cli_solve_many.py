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
    done = run.succeeds(*command, "--json")
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
