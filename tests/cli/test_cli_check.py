"""``ncc-route check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import write_instance
from ncc_routing.io.vrplib import write_solution

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance, Solution
    from tests.cli.conftest import Run


def test_best_solution_is_feasible(run: Run, square_file: Path) -> None:
    """Cost 2 (71 + 100 + 71) = 484, stated and recomputed."""
    done = run.succeeds("check", square_file, square_file.with_suffix(".sol"))
    assert "484" in done.out
    assert "NOT" not in done.out
    answer = run.json("check", square_file, square_file.with_suffix(".sol"))
    assert answer["feasible"] is True
    assert answer["cost"] == answer["stated_cost"] == 484
    assert (answer["num_routes"], answer["violations"]) == (2, [])
    most = {"duration": 242.0, "distance": 242.0, "stops": 2.0}
    assert answer["largest"] == most


def test_shapes_are_measured(run: Run, square_file: Path) -> None:
    """Two routes of two corners 100 apart: nobody inside, nothing crosses."""
    solution = square_file.with_suffix(".sol")
    done = run("check", square_file, solution, "--shapes --json")
    expected = {"overlap": 0.0, "medoid_distance": 50.0, "crossings": 0}
    assert json.loads(done.out)["shapes"] == expected
    done = run("check", square_file, solution, "--shapes")
    assert "overlap   0.0 %" in done.out
    assert "medoid    50 away" in done.out
    assert "crossings 0 " in done.out


@pytest.mark.parametrize(
    ("text", "kinds", "cost"),
    [
        ("Route #1: 1 4\nRoute #2: 2\nCost 384\n", ["missing"], 384),
        ("Route #1: 3 4\nRoute #2: 1 2\nCost 484\n", ["capacity"], 484),
        (
            "Route #1: 1 4\nRoute #2: 2 3\nRoute #3: 1\nCost 626\n",
            ["duplicate"],
            626,
        ),
        ("Route #1: 1 4\nRoute #2: 2 3 9\nCost 9\n", ["unknown"], None),
    ],
)
def test_every_violation_is_listed(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    text: str,
    kinds: list[str],
    cost: float | None,
) -> None:
    """A broken rule is named, and the exit code is 1."""
    solution = tmp_path / "broken.sol"
    solution.write_text(text)
    done = run("check", square_file, solution, "--shapes --json")
    assert done.code == 1
    answer = json.loads(done.out)
    assert answer["feasible"] is False
    assert [v["kind"] for v in answer["violations"]] == kinds
    assert answer["cost"] == cost
    assert answer["shapes"] is None
    assert "largest" not in answer
    plain = run("check", square_file, solution)
    assert plain.code == 1
    assert "NOT feasible" in plain.out


def test_who_is_left_out_is_named(run: Run, tmp_path: Path) -> None:
    """Customer 2 has a prize, 3 and 4 are a group; a reload has a cost."""
    instance = nr.Instance(
        "optional",
        np.array([0, 1, 1, 1, 1]),
        1,
        np.array([[0, 0], [3, 4], [6, 8], [0, 5], [0, 6]]),
        fleet=nr.Fleet((nr.VehicleType(capacity=1, reload_depots=(0,)),)),
        selection=nr.Selection(
            np.array([0, 0, 7, 0, 0]),
            np.array([True, True, False, False, False]),
            (nr.Group((3, 4)),),
        ),
    )
    problem, plan = tmp_path / "a.vrp", tmp_path / "a.sol"
    write_instance(problem, instance)
    plan.write_text("Route #1: 1 0 3\nCost 27\n")
    assert "left out  customer 2\n" in run.succeeds("check", problem, plan).out
    answer = run.json("check", problem, plan)
    assert (answer["cost"], answer["left_out"]) == (27, ["2"])
    plan.write_text("Route #1: 1 0 3 0 2\nCost 40\n")
    assert "left out" not in run.succeeds("check", problem, plan).out
    plan.write_text("Route #1: 3 0 2\nCost 30\n")
    answer = run.json("check", problem, plan, code=1)
    assert answer["left_out"] == []
    assert answer["violations"][0]["message"] == "customer 1 is not visited"


@pytest.mark.parametrize(
    ("stated", "metric"),
    [(480, "trunc"), (482.8, "dimacs"), (482.84, "none"), (481, None)],
)
def test_a_wrong_cost_makes_no_route_infeasible(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    stated: float,
    metric: str | None,
) -> None:
    """Each diagonal is 141.42 long; the metric that fits is named."""
    solution = tmp_path / "other.sol"
    solution.write_text(f"Route #1: 1 4\nRoute #2: 2 3\nCost {stated}\n")
    done = run("check", square_file, solution, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["feasible"]) == (1, True)
    assert [v["kind"] for v in answer["violations"]] == ["cost"]
    assert answer.get("stated_metric") == metric
    lines = run("check", square_file, solution).out.splitlines()
    assert lines[-1] == "feasible"
    assert any(f"the stated cost is {stated}, the" in line for line in lines)
    named = f"metric    {metric} gives the stated cost"
    assert (named in lines) is (metric is not None)


@pytest.mark.parametrize(
    ("metric", "stated", "is_right"),
    [
        ("none", 482.84, True),
        ("none", 482.8, True),
        ("none", 482.85, False),
        ("none", 483, False),
        ("dimacs", 482.8, True),
        ("dimacs", 4828, True),
        ("dimacs", 482.7, False),
    ],
)
def test_a_cost_to_its_decimals_or_in_the_unit_of_the_file(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    metric: str,
    stated: float,
    is_right: bool,
) -> None:
    """Unrounded 482.8427; ten times a length, cut, in "dimacs"."""
    solution = tmp_path / "other.sol"
    solution.write_text(f"Route #1: 1 4\nRoute #2: 2 3\nCost {stated}\n")
    words = ("check", square_file, solution, "--metric", metric)
    answer = run.json(*words, code=1 - is_right)
    if metric == "dimacs":
        assert answer["cost"] == 2 * (707 + 1000 + 707)
    assert answer["feasible"] is True
    kinds = [violation["kind"] for violation in answer["violations"]]
    assert kinds == ([] if is_right else ["cost"])
    solution.write_text("Route #1: 1 4\nRoute #2: 2 3\n")
    assert run.json(*words)["stated_cost"] is None


@pytest.mark.parametrize("name", ["a.sol", "a.csv", "a.json"])
def test_what_solve_wrote_is_read(run: Run, tmp_path: Path, name: str) -> None:
    """In each form, for check, plot and as best-known solution."""
    table, plan = tmp_path / "shops.csv", tmp_path / name
    table.write_text(
        "id,x,y,demand\nhome,0,0,0\n=ann,3,4,2\n'bob,6,8,2\n7,1,1,3\n"
    )
    given = (table, "--capacity", 4)
    run.succeeds("solve", *given, "-o", plan, "--time-limit 0.2")
    done = run("check", table, plan, "--capacity 4 --json")
    assert done.code == 0, done.out + done.err
    answer = json.loads(done.out)
    assert answer["feasible"] is True
    assert answer["cost"] == pytest.approx(20 + 2 * 2**0.5)
    picture = tmp_path / "a.svg"
    run.succeeds("plot", table, plan, "-o", picture, *given[1:])
    assert picture.stat().st_size > 1000
    solved = run("solve", *given, "--bks", plan, "--json --polish none")
    assert json.loads(solved.out)["bks"] == answer["cost"]


@pytest.fixture
def fleet_file(
    tmp_path: Path, two_depots: Instance, two_depots_plan: Solution
) -> Path:
    """Write two depots with types and windows, and their best plan."""
    file = tmp_path / "two_depots.vrp"
    write_instance(file, two_depots)
    write_solution(file.with_suffix(".sol"), two_depots_plan, two_depots)
    return file


def test_routes_of_a_fleet_are_those_of_its_vehicles(
    run: Run, fleet_file: Path
) -> None:
    """Vehicle 2 stays; customers are numbered behind both depots."""
    solution = fleet_file.with_suffix(".sol")
    assert solution.read_text().splitlines() == [
        "Route #1: 2 3",
        "Route #2:",
        "Route #3: 5 4",
        "Cost 125",
    ]
    answer = run.json("check", fleet_file, solution)
    assert (answer["feasible"], answer["cost"]) == (True, 125)
    assert answer["num_routes"] == 2


def test_windows_and_vehicles_are_checked(run: Run, fleet_file: Path) -> None:
    """Vehicle 1 visits all: too much, and too late."""
    solution = fleet_file.with_suffix(".sol")
    solution.write_text("Route #1: 5 4 3 2\nCost 200\n")
    done = run("check", fleet_file, solution, "--json")
    assert done.code == 1
    kinds = [v["kind"] for v in json.loads(done.out)["violations"]]
    assert kinds == ["capacity", "window", "cost"]


def test_a_forbidden_arc_is_told_as_json(run: Run, tmp_path: Path) -> None:
    """Such a route has no cost."""
    table, plan = tmp_path / "a.csv", tmp_path / "a.sol"
    table.write_text("id,demand\nhome,0\na,1\nb,1\n")
    matrix = tmp_path / "m.json"
    matrix.write_text('{"distances": [[0, 1, 2], [1, 0, null], [2, 1, 0]]}')
    plan.write_text("Route #1: 1 2\n")
    words = "check", table, plan, "--capacity 5 --matrix", matrix
    answer = run.json(*words, code=1)
    assert answer["cost"] is None
    assert [each["kind"] for each in answer["violations"]] == ["arc"]


def test_times_of_a_plan_without_any_are_told(
    run: Run, fleet_file: Path, tmp_path: Path
) -> None:
    """A list of routes has no times; a timetable has."""
    plan, table = fleet_file.with_suffix(".sol"), tmp_path / "plan.csv"
    plan.write_text("Route #1: 2 3\nRoute #2:\nRoute #3: 5 4\n")
    line = "times     the shortest ones, as the file states none"
    assert line in run("check", fleet_file, plan).out.splitlines()
    assert not run.json("check", fleet_file, plan)["states_times"]
    run.succeeds("solve", fleet_file, "-o", table, "--time-limit 0.2")
    done = run("check", fleet_file, table)
    assert done.code == 0
    assert "times  " not in done.out
