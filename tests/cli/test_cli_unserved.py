"""An over-full day in the shell: who is unserved is told, with the code 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

ORDERS = "id,x,y,demand\nyard,0,0,0\na,1,0,4\nb,2,0,4\nc,9,9,4\n"
VANS = "name,capacity,num_available\nvan,8,1\n"


@pytest.fixture
def words(tmp_path: Path) -> str:
    """Return the words that name two tables: a van is full with two orders."""
    (tmp_path / "day.csv").write_text(ORDERS)
    (tmp_path / "fleet.csv").write_text(VANS)
    return f"{tmp_path}/day.csv --vehicles {tmp_path}/fleet.csv"


def test_the_rest_is_served(run: Run, words: str, tmp_path: Path) -> None:
    """A timetable, a result and routes, which can be read and continued."""
    for name in ("plan.csv", "plan.json", "plan.sol"):
        file = tmp_path / name
        job = f"solve {words} --time-limit 0.4 --output {file}"
        answer = run.json(job, code=3)
        assert [one["id"] for one in answer["unserved"]] == ["c"]
        assert answer["route_ids"] == [["a", "b"]]
        assert answer["cost"] == 4
        assert not answer["feasible"]
        again = run.json(job, "--start", file, code=3)
        assert again["routes"] == answer["routes"]
        orders, *vehicles = words.split()
        told = run.json("check", orders, file, *vehicles, code=3)
        assert told["unserved"] == answer["unserved"]
        if name == "plan.json":
            assert run.json("check", file, file, code=3) == told
        assert (told["feasible"], told["violations"]) == (False, [])
    row = (tmp_path / "plan.csv").read_text().splitlines()[-1]
    assert row.startswith(",,,c,,exceeds the capacity by 4,unserved,9.0,")
    text = (tmp_path / "plan.json").read_text()
    assert [one.id for one in nr.Result.from_json(text).unserved] == ["c"]


def test_lines_for_people(run: Run, words: str) -> None:
    """The summary says how many, who, and why."""
    done = run("solve", words, "--time-limit 0.4")
    assert done.code == 3
    assert "1, not all served" in done.out
    assert "unserved  1\n          c (exceeds the capacity by 4)" in done.out


def test_a_broken_route_is_told_beside_the_unserved(
    run: Run, words: str, tmp_path: Path
) -> None:
    """Reasons are those of routes that keep the rules; an excess is none."""
    plan = tmp_path / "full.csv"
    plan.write_text("route,id\n1,a\n1,c\n1,b\n")
    orders, *vehicles = words.split()
    done = run("check", orders, plan, *vehicles)
    assert (done.code, "unserved" in done.out) == (1, False)
    plan.write_text("route,id\n1,a\n2,b\n")
    told = run.json("check", orders, plan, *vehicles, code=1)
    assert [one["reasons"] for one in told["unserved"]] == [[]]
    assert "NOT feasible" in run("check", orders, plan, *vehicles).out


def test_all_or_nothing(run: Run, words: str, tmp_path: Path) -> None:
    """Nothing is written on demand."""
    file = tmp_path / "a.sol"
    job = f"solve {words} --time-limit 0.4 --all-or-nothing --output {file}"
    run.fails(1, "more than the capacity", job)
    assert not file.exists()


def test_several_instances(run: Run, words: str, tmp_path: Path) -> None:
    """All are solved, and the code comes at the end."""
    orders, *vehicles = words.split()
    small = tmp_path / "small.csv"
    small.write_text("\n".join(ORDERS.splitlines()[:3]))
    job = ("solve", orders, small, *vehicles, "--time-limit 0.4")
    assert run(*job, "--sol-dir", tmp_path / "out").code == 3
    assert (tmp_path / "out" / "day.sol").exists()
    assert (tmp_path / "out" / "small.sol").exists()


def test_a_file_in_vrplib_form_is_asked(
    run: Run, words: str, tmp_path: Path
) -> None:
    """It is all or nothing, unless the option is given."""
    orders, _, vehicles = words.split()
    file = tmp_path / "day.vrp"
    nr.write_instance(file, nr.read(orders, vehicles, rounding="nearest"))
    run.fails(1, "more than the capacity", "solve", file, "--time-limit 0.4")
    job = ("solve", file, "--time-limit 0.4 --allow-unserved")
    assert run.json(*job, code=3)["unserved"][0]["customer"] == 3
