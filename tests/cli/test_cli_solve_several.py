"""``ncc-route solve`` with several instances, tables and streams."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from ncc_routing import Solution, check_solution, read, read_solution

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Run

CUSTOMERS = "id,x,y,demand\nhome,0,0,0\nann,0,3,2\nbob,4,0,2\ncy,4,3,1\n"
QUICK = ("--method", "savings", "--polish", "none")


def test_several_instances_go_into_a_folder(
    run: Run, square_file: Path, random_file: Path, tmp_path: Path
) -> None:
    """One object a line, and one solution file by the name of each."""
    folder = tmp_path / "routes"
    done = run.succeeds(
        f"solve {square_file} {random_file} --sol-dir {folder} --json", *QUICK
    )
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [one["instance"] for one in answers] == ["square", "random60"]
    for file in (square_file, random_file):
        routes = read_solution(folder / f"{file.stem}.sol").routes
        instance = read(file)
        solution = Solution.from_routes(instance, routes)
        assert check_solution(instance, solution) == []


def test_a_folder_stands_for_its_instances(
    run: Run, square_file: Path, random_file: Path
) -> None:
    """In the order of their names, with a line between them."""
    done = run.succeeds("solve", square_file.parent, *QUICK)
    heads = [line for line in done.out.splitlines() if "customers" in line]
    assert [head.split()[1] for head in heads] == ["random60,", "square,"]


def test_one_that_fails_does_not_stop_the_others(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """It is named on stderr, and the exit code is 1."""
    broken = tmp_path / "broken.vrp"
    broken.write_text("NAME : broken\nEOF\n")
    done = run("solve", broken, square_file, *QUICK, "--json")
    assert done.code == 1
    assert json.loads(done.out)["instance"] == "square"
    assert f"ncc-route: error: {broken}" in done.err


def test_a_table_of_customers_keeps_its_ids(run: Run, tmp_path: Path) -> None:
    """In the JSON, and in the CSV of the stops."""
    table, stops = tmp_path / "shop.csv", tmp_path / "stops.csv"
    table.write_text(CUSTOMERS)
    arguments = ("solve", table, "--capacity", 5, *QUICK)
    answer = run.json(*arguments, "--output", stops)
    assert answer["cost"] == 14  # around the rectangle
    assert sorted(answer["route_ids"][0]) == ["ann", "bob", "cy"]
    rows = list(csv.DictReader(io.StringIO(stops.read_text())))
    visits = [row["id"] for row in rows if row["kind"] == "customer"]
    assert visits == answer["route_ids"][0]


def test_streams_in_and_out(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solution alone is on stdout; the words are on stderr."""
    text = square_file.read_text()
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    done = run.succeeds("solve - --output -", *QUICK)
    assert done.out.startswith("Route #1:")
    assert done.out.splitlines()[-1].startswith("Cost ")
    assert "savings" in done.err
