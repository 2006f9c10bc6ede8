"""``ncc-route solve``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ncc_routing import Solution, check_solution, read
from ncc_routing.vrp import solve as pipeline

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

KEYS = (
    "instance num_customers method polish seed feasible cost num_routes bks "
    "gap_percent runtime_seconds stages params phases routes summary version"
)


def test_json_is_one_object_with_the_documented_keys(
    run: Run, square_file: Path
) -> None:
    """The answer is on stdout, complete, and its routes are feasible."""
    done = run.succeeds("solve", square_file, "--method ckm --json")
    assert done.out.count("\n") == 1
    answer = json.loads(done.out)
    assert " ".join(answer) == KEYS
    assert answer["instance"] == "square"
    assert answer["num_customers"] == 4
    assert answer["feasible"] is True
    routes = tuple(tuple(route) for route in answer["routes"])
    solution = Solution(routes, answer["cost"])
    assert check_solution(read(square_file), solution) == []
    assert isinstance(answer["cost"], int)
    # The .sol file beside the instance is found.
    assert answer["bks"] == 484
    gap = 100 * (answer["cost"] / 484 - 1)
    assert answer["gap_percent"] == pytest.approx(gap, abs=1e-4)
    for stage in answer["stages"]:
        assert list(stage) == ["name", "seconds", "cost"]


def test_text_names_cost_routes_and_gap(run: Run, square_file: Path) -> None:
    """Without --json people get a few lines."""
    done = run.succeeds("solve", square_file, "--bks 400")
    assert "square, 4 customers, capacity 5" in done.out
    assert "feasible" in done.out
    assert "over 400)" in done.out


def test_paper_metric_measures_the_bks_alike(
    run: Run, square_file: Path
) -> None:
    """Unrounded and divided by 1000: sides 0.1, half diagonals 0.0707."""
    answer = run.json("solve", square_file, "--metric paper")
    assert answer["bks"] == pytest.approx(0.2 + 4 * 0.05 * 2**0.5)


def test_a_best_known_solution(
    run: Run, square_file: Path, random_file: Path
) -> None:
    """One that is named has to fit; one beside the instance need not."""
    best = square_file.with_suffix(".sol")
    assert run.json("solve", square_file, "--bks", best)["bks"] == 484
    run.fails(
        1, "is not a solution of random60", f"solve {random_file} --bks {best}"
    )
    for value in ("0", "-3", "inf", "no.sol"):
        done = run("solve", square_file, f"--bks={value}")
        assert (done.code, done.err.count("\n")) == (1, 1)
    random_file.with_suffix(".sol").write_text(best.read_text())
    done = run("solve", random_file, "--json")
    assert (done.code, json.loads(done.out)["bks"]) == (0, None)


def test_what_a_solver_prints_stays_off_stdout(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """A library that prints does not break the JSON."""
    original = pipeline.solve

    def chatty(*args: Any, **kwargs: Any) -> Any:
        print("solver says hello")
        return original(*args, **kwargs)

    monkeypatch.setattr(pipeline, "solve", chatty)
    done = run("solve", square_file, "--json")
    json.loads(done.out)
    assert "hello" in done.err


def test_compact_routes_are_measured(run: Run, square_file: Path) -> None:
    """The measures stand beside the routes, where compact ones are wanted."""
    limits = ("--time-limit", "0.3", "--compactness", "0.5")
    answer = run.json("solve", square_file, *limits)
    assert answer["cost"] == 484
    assert answer["params"]["compactness"] == 0.5
    assert answer["shapes"]["overlap"] == 0.0
    assert answer["shapes"]["crossings"] == 0
    done = run("solve", square_file, *limits)
    assert "overlap   0.0 %" in done.out
    plain = run("solve", square_file, "--time-limit 0.3 --json")
    assert "shapes" not in json.loads(plain.out)


def test_no_window_of_a_table_is_dropped(run: Run, tmp_path: Path) -> None:
    """Columns that may be one are refused, with options to paste."""
    table = tmp_path / "shops.csv"
    table.write_text("id,x,y,from,until\nhome,0,0,0,20\nann,3,4,2,6\n")
    done = run("solve", table, "--capacity 3 --json")
    assert (done.code, done.out) == (1, "")
    assert "shops.csv: columns: these may be costs or constraints" in done.err
    *_, start, end, _, line = done.err.splitlines()
    assert len(start) < 120
    options = [each.split(": ")[1].split(" or ")[0] for each in (start, end)]
    assert options == ["--columns open=from", "--columns close=until"]
    assert line.endswith(" ".join(options))
    found = run.json("solve", table, "--capacity 3 --time-limit 0.3", *options)
    assert found["timetable"][1]["arrival"] == 5
    ignored = [each.split(" or ")[1] for each in (start, end)]
    found = run.json("solve", table, "--capacity 3 --time-limit 0.3", *ignored)
    assert found["unused_columns"] == ["from", "until"]
    done = run("solve", table, "--capacity 3 --time-limit 0.3", *ignored)
    assert "no effect columns from, until\n" in done.out


def test_output_takes_every_form(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """A page as well; another suffix is a wrong use, said at once."""
    page, map_data = tmp_path / "plan.html", tmp_path / "plan.geojson"
    job = ("solve", square_file, "--polish none")
    run.succeeds(*job, "--output", page, "--plot", map_data)
    assert "<html" in page.read_text()
    assert "LineString" in map_data.read_text()
    done = run(*job, "--output", tmp_path / "plan.ods")
    assert (done.code, done.out) == (2, "")
    assert "plan.ods: the suffix must be one of .sol, .csv" in done.err


def test_largest_amount_is_the_objective(run: Run, square_file: Path) -> None:
    """Each corner is half a diagonal from the depot, and has a vehicle."""
    options = "--objective min-max-distance --time-limit 1"
    answer = run.json("solve", square_file, options)
    assert answer["num_routes"] == 4
    assert answer["largest"] == 142
    told = run.succeeds("solve", square_file, options).out
    assert "largest   142 on a route" in told
    done = run("solve", square_file, options, "--polish none")
    assert done.code == 1
    assert "objective min-max-distance needs an improvement" in done.err
