"""Compact and consistent routes, learned affinity, and what they cost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing import Solution, check_solution
from ncc_routing.generators.days import generate_days
from ncc_routing.io.vrplib import write_solution
from ncc_routing.paper.scoring.weights_file import WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

PAST, TODAY = generate_days(40, 4, route_length=8.0)
SHIPPED = WEIGHTS / "ncc-cvrp.safetensors"
LEARNED = ("--scorer", SHIPPED, "--affinity", "1")
SHORT = ("--time-limit", "0.3", "--json")


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """Write two days, and what was driven on the first one."""
    nr.write_instance(tmp_path / "past.vrp", PAST)
    nr.write_instance(tmp_path / "today.vrp", TODAY)
    before = nr.solve(PAST, polish="none")
    write_solution(tmp_path / "past.sol", before.best)
    return tmp_path


def reference(days: Path) -> list[object]:
    """Return the options that name the day before."""
    plan = ["--reference", days / "past.sol"]
    return [*plan, "--reference-instance", days / "past.vrp"]


def test_solve_and_check_say_what_is_kept(run: Run, days: Path) -> None:
    """The same figures, as JSON and as lines."""
    plan = days / "today.sol"
    answer = run.json(
        "solve",
        days / "today.vrp",
        *reference(days),
        f"--consistency 20 --time-limit 0.2 --output {plan}",
    )
    assert answer["params"]["consistency"] == 20.0
    kept = answer["consistency"]
    assert 0.4 < kept["kept_pairs"] <= 1.0
    assert (
        run.json("check", days / "today.vrp", plan, *reference(days))[
            "consistency"
        ]
        == kept
    )
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


def test_reshape_a_plan(run: Run, days: Path) -> None:
    """The plan, a file, limits the cost; both are in the answer."""
    files = days / "past.vrp", days / "past.sol"
    given = run.json("check", *files, "--shapes")
    words = (
        *("solve", files[0], "--start", files[1]),
        "--time-limit 0.2 --max-extra-cost 0.02",
    )
    answer = run.json(*words, "--compactness 1 --output", days / "new.sol")
    assert answer["stages"][0] == {
        **{"name": "start", "seconds": 0.0},
        "cost": given["cost"],
    }
    assert 50 * answer["cost"] <= 51 * given["cost"]
    assert answer["params"]["max_extra_cost"] == 0.02
    assert answer["shapes"]["overlap"] >= 0.0
    assert run.json("check", files[0], days / "new.sol")["feasible"]
    run.fails(1, "needs a positive compactness", *words)
    run.fails(2, "--max-extra-cost", *words, "--max-extra-cost", "-1")


def test_both_days_are_tables(run: Run, tmp_path: Path) -> None:
    """With the same options; what has begun today is no part of the past."""
    files = {
        "past.csv": "id,x,y\nyard,0,0\na,1,0\nb,2,0\n",
        "today.csv": "id,x,y\nyard,0,0\nc,9,9\nb,2,0\na,1,0\n",
        "vans.csv": "capacity,number\n3,2\n",
        "past.sol": "Route #1: 2 1\n",
        "today.sol": "Route #1: 1 2 3\n",
        "in_progress.csv": "route,id\n1,c\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    past, today, vans, plan, now, in_progress = (
        tmp_path / name for name in files
    )
    told = ("--reference", plan, "--reference-instance", past, "--depot yard")
    for fleet in (("--vehicles", vans), ("--capacity", 3)):
        options = (*fleet, *told, "--in-progress", in_progress)
        kept = run.json("check", today, now, *options)["consistency"]
        assert kept["kept_pairs"] == 1.0
        weight = "--consistency 1 --time-limit 0.2"
        assert run.json("solve", today, *options, weight)["consistency"]


def test_solve_with_a_scorer(run: Run, random_file: Path) -> None:
    """The parameters are in the answer; the cost is that of the routes."""
    done = run.succeeds("solve", random_file, *LEARNED, *SHORT)
    answer = json.loads(done.out)
    assert answer["params"]["affinity"] == 1.0
    assert answer["params"]["scorer"] == str(SHIPPED)
    assert answer["method"] == "savings"
    instance = nr.read(random_file)
    found = Solution.from_routes(instance, answer["routes"])
    assert check_solution(instance, found) == []
    assert answer["cost"] == found.cost
