"""Steady routes and trade-offs in the shell."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.generators.days import generate_days

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

PAST, TODAY = generate_days(40, 4, route_length=8.0)


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """Write two days, and what was driven on the first one."""
    nr.write_instance(tmp_path / "past.vrp", PAST)
    nr.write_instance(tmp_path / "today.vrp", TODAY)
    before = nr.solve(PAST, polish="none")
    nr.write_solution(tmp_path / "past.sol", before.best)
    return tmp_path


def reference(days: Path) -> list[object]:
    """Return the options that name the day before."""
    plan = ["--reference", days / "past.sol"]
    return [*plan, "--reference-instance", days / "past.vrp"]


def test_solve_and_check_say_what_is_kept(run: Run, days: Path) -> None:
    """The same figures, as JSON and as lines."""
    plan = days / "today.sol"
    done = run(
        *(
            "solve",
            days / "today.vrp",
            *reference(days),
            "--consistency",
            "20",
        ),
        *("--time-limit", "0.5", "--output", plan, "--json"),
    )
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["params"]["consistency"] == 20.0
    kept = answer["consistency"]
    assert 0.4 < kept["kept_pairs"] <= 1.0
    done = run("check", days / "today.vrp", plan, *reference(days), "--json")
    assert json.loads(done.out)["consistency"] == kept
    done = run("check", days / "today.vrp", plan, *reference(days))
    assert f"kept      {100 * kept['kept_pairs']:.1f} %" in done.out
    assert "moved     " in done.out


def test_a_plan_that_breaks_a_rule_has_no_measures(
    run: Run, days: Path
) -> None:
    """Customers may be missing."""
    plan = days / "wrong.sol"
    plan.write_text("Route #1: 1 2\nCost 5\n")
    done = run("check", days / "today.vrp", plan, *reference(days), "--json")
    assert done.code == 1
    assert json.loads(done.out)["consistency"] is None


def test_a_reference_of_other_numbers_is_refused(run: Run, days: Path) -> None:
    """One line names the customer and the instance."""
    (days / "past.sol").write_text("Route #1: 1 41\n")
    done = run(
        *("solve", days / "today.vrp", "--consistency", "1"),
        *("--reference", days / "past.sol"),
    )
    assert done.code == 1
    assert "customer 41 is not in" in done.err
    assert done.err.count("\n") == 1


def test_windows_are_refused_by_the_preference(run: Run, days: Path) -> None:
    """The line names what was asked for, no construction."""
    early = [0] + [1000] * TODAY.num_customers
    windows = nr.TimeWindows.of(len(early), early)
    day = days / "windows.vrp"
    nr.write_instance(day, replace(TODAY, name="windows", windows=windows))
    done = run("solve", day, *reference(days), "--consistency", "1")
    assert done.code == 1
    assert "windows: consistency: does not accept time windows." in done.err


def test_an_instance_without_its_routes(run: Run, days: Path) -> None:
    """Usage: the two go together."""
    file = days / "today.vrp"
    done = run("solve", file, "--reference-instance", file)
    assert done.code == 2
    assert "needs --reference" in done.err


def test_a_curve_as_table_and_figure(run: Run, days: Path) -> None:
    """One call: lines, a file, a figure."""
    curve = ("trade-off", days / "today.vrp", "--of", "consistency")
    limits = ("--weights", "2", "--time-limit", "0.3")
    files = ("--output", days / "c.csv", "--plot", days / "c.svg")
    done = run(*curve, *limits, *reference(days), *files)
    assert done.code == 0, done.err
    assert "kept_pairs" in done.out
    header = "consistency,cost,more_percent,num_routes"
    assert (days / "c.csv").read_text().startswith(header)
    assert "<svg" in (days / "c.svg").read_text()
    done = run(*curve, *limits, *reference(days), "--json")
    answer = json.loads(done.out)
    assert [plan["consistency"] for plan in answer["plans"]] == [0.0, 2.0]
    assert sum(map(len, answer["plans"][1]["routes"])) == 40


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--of", "magic"], 2, "compactness, consistency"),
        (["--weights", "1,a"], 2, "numbers between commas"),
        (["--of", "consistency"], 1, "needs a reference"),
        (["--weights", "1,1e308"], 1, "compactness must lie in"),
        (["--weights", "-1"], 1, "compactness must lie in"),
        (["--plot", "curve.html"], 2, ".svg"),
    ],
)
def test_wrong_options(
    run: Run, days: Path, options: list[str], code: int, message: str
) -> None:
    """Said in a line, before anything is solved."""
    done = run("trade-off", days / "today.vrp", *options)
    assert done.code == code
    assert message in done.err
