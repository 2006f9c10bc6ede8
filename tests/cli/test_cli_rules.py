"""Route constraints in the shell: tables, a plan that has begun, the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

CUSTOMERS = """id,x,y,demand,skills,vehicle,district
yard,0,0,0,,,
ann,10,0,1,cold,,north
bob,20,0,1,,van,north
eve,30,0,1,{skill},,south
"""

VEHICLES = """name,number,capacity,skills
van,1,9,cold
bike,2,9,lift
"""


@pytest.fixture
def words(tmp_path: Path) -> str:
    """Return the words of a command for two tables."""
    (tmp_path / "day.csv").write_text(CUSTOMERS.format(skill="lift"))
    (tmp_path / "fleet.csv").write_text(VEHICLES)
    return f"{tmp_path}/day.csv --vehicles {tmp_path}/fleet.csv"


def test_check_names_the_broken_rule(
    run: Run, words: str, tmp_path: Path
) -> None:
    """Ann and Bob by the van, and Eve by a bike."""
    plan = tmp_path / "plan.csv"
    lines = ["route,id,vehicle_type", "1,ann,0", "1,bob,0", "2,eve,1"]
    plan.write_text("\n".join(lines))
    table, *more = words.split()
    job = ("check", table, plan, *more)
    assert run.json(*job, "--max-districts 1")["feasible"]
    plan.write_text("\n".join([*lines[:3], "1,eve,0"]))
    found = run.json(*job, "--max-districts 1", code=1)
    assert found["violations"] == [
        {
            "kind": "skill",
            "message": "route 1 serves customer 3 (id eve), who needs lift, "
            "by vehicle type 0 (name van)",
        },
        {
            "kind": "district",
            "message": "route 1 visits 2 districts of 1",
        },
    ]


def test_in_progress_routes_are_a_plan(
    run: Run, words: str, tmp_path: Path
) -> None:
    """The bike has begun with Bob, who is for the van."""
    in_progress = tmp_path / "in_progress.sol"
    in_progress.write_text("Route #1:\nRoute #2: 2\n")
    done = run("diagnose", words, "--in-progress", in_progress)
    assert done.code == 1
    assert (
        "in-progress route 1 serves customer 2 (id bob) by vehicle type 1 "
        "(name bike)" in done.out
    )
    in_progress.write_text("Route #1: 2\n")
    assert run("diagnose", words, "--in-progress", in_progress).code == 0
    in_progress.write_text("Route #1: 7\n")
    run.fails(
        1, "in_progress.sol: ", "diagnose", words, "--in-progress", in_progress
    )


def test_a_skill_that_nobody_has(run: Run, words: str, tmp_path: Path) -> None:
    """It is named, with the customer."""
    (tmp_path / "day.csv").write_text(CUSTOMERS.format(skill="crane"))
    done = run("diagnose", words)
    assert done.code == 1
    assert "no vehicle has all that customer 3 (id eve) needs: crane" in (
        done.out
    )
