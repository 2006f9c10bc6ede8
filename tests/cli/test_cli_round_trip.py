"""What ``solve`` writes goes through the other verbs, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing import write_instance
from ncc_routing.generators.time_windows import generate_time_windows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SHORT = "--polish none --method insertion"


@pytest.fixture
def timed_file(tmp_path: Path) -> Path:
    """Write thirty customers with time windows."""
    file = tmp_path / "timed.vrp"
    write_instance(file, generate_time_windows(30, 4))
    return file


@pytest.mark.parametrize("suffix", [".csv", ".json", ".sol"])
def test_solve_check_plot_and_start(
    run: Run, timed_file: Path, tmp_path: Path, suffix: str
) -> None:
    """The cost stays the same, and the map data have the times."""
    plan, picture = tmp_path / f"plan{suffix}", tmp_path / "plan.geojson"
    solved = run.json("solve", timed_file, SHORT, "--output", plan)
    # A result has its instance.
    for instance in (timed_file, *[plan] * (suffix == ".json")):
        checked = run.json("check", instance, plan)
        assert (checked["feasible"], checked["cost"]) == (True, solved["cost"])
    run.succeeds("plot", timed_file, plan, "--output", picture)
    features = json.loads(picture.read_text())["features"]
    assert sum("arrival" in one["properties"] for one in features) == 30
    again = run.json(
        *("solve", timed_file, "--polish none --start", plan, "--bks", plan),
    )
    assert again["cost"] == solved["cost"]
    assert again["method"] == "initial-solution"
    assert again["timetable"] == solved["timetable"]
    if suffix != ".csv":  # which states no cost
        assert again["gap_percent"] == 0
    # A plan may take the place of its start.
    start = ("solve", timed_file, "--polish none --start", plan, "--bks", plan)
    assert run.json(*start, "-o", plan)["cost"] == solved["cost"]


def test_a_plan_is_asked(run: Run, tmp_path: Path) -> None:
    """A van passes b on its way to a: b costs nothing, and c has no place."""
    orders, plan = tmp_path / "orders.csv", tmp_path / "plan.json"
    orders.write_text("id,x,y,demand\nyard,0,0,0\na,9,0,1\n")
    vans = tmp_path / "vans.csv"
    vans.write_text("name,capacity,count\nvan,2,1\n")
    words = ("--vehicles", vans, "--time-limit 0.2 --output", plan)
    run.succeeds("solve", orders, *words)
    for suffix, text in (
        (".json", '{"id": "b", "x": 5, "y": 0, "demand": 1}'),
        (".csv", "id,x,y,demand\nb,5,0,1\n"),
    ):
        order = tmp_path / f"b{suffix}"
        order.write_text(text)
        [first, _] = run.json("offer", plan, order)["offers"]
        assert (first["cost"], first["vehicle"]) == (0, "van")
    assert "stop 1, cost +0" in run.succeeds("offer", plan, order, "-n 1").out
    taken = tmp_path / "taken.json"
    run.succeeds("offer", plan, order, "--take 2 --output", taken)
    assert run.json("explain", taken, "b")["position"] == 2
    assert "load 2 of 2" in run.succeeds("explain", taken, "van").out
    order.write_text("id,x,y,demand\nc,5,0,1\n")
    changes = tmp_path / "changes.csv"
    changes.write_text("change,id,x,y,demand\nadd,c,5,0,1\n")
    for verb, asked in (("offer", order), ("what-if", changes)):
        done = run(verb, taken, asked)
        assert done.code == 3
        assert "exceeds the capacity by 1" in done.out
    assert run.json("offer", taken, order, code=3) == {"offers": []}
    assert run("offer", plan, order, "--take 1").code == 2


def test_a_day_in_the_words_of_its_table_goes_on(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A row of JSON needs no id by that name, and hours count breaks.

    What the first table had without effect is not said once more.
    """
    orders, plan = tmp_path / "orders.csv", tmp_path / "plan.json"
    orders.write_text(
        "order no,x,y,kg,phone,preferred,late cost per hour\n"
        "yard,0,0,,,,\na,9000,0,1,12,8:00-8:30,60\n"
    )
    vans = tmp_path / "vans.csv"
    vans.write_text(
        "name,capacity,number,shift,break\nvan,9,1,8-18,30 min 8-12\n"
    )
    words = ("--vehicles", vans, "--speed 36km/h --time-limit 0.2 --columns")
    run.succeeds("solve", orders, *words, "demand=kg --output", plan)
    caplog.clear()
    order = tmp_path / "b.json"
    order.write_text('{"order no": "b", "x": 5000, "y": 0, "kg": 1}')
    assert "stop 1" in run.succeeds("offer", plan, order, "-n 1").out
    changes = tmp_path / "changes.csv"
    changes.write_text("change,order no,x,y,kg,phone\nadd,b,5000,0,1,13\n")
    asked = ("what-if", plan, changes, "--time-limit 0.2")
    hours = run.json(*asked)["before"]
    assert (hours["driving"], hours["breaks"]) == (0.5, 0.5)
    assert "hours     1.0 -> 1.0 h (+0.0)" in run.succeeds(*asked).out
    done = ("replan", plan, changes, "--now 8:00 --time-limit 0.2 -o", plan)
    assert run.json(*done)["summary"]["served"] == 2
    assert "without effect" not in caplog.text


def test_clock_times_go_through_all_forms(run: Run, tmp_path: Path) -> None:
    """At 10 m/s customer 1 is 1,500 m away, and each service takes 5 min."""
    table, plan = tmp_path / "day.csv", tmp_path / "plan.csv"
    table.write_text(
        "id,x,y,demand,from,due,service min\nyard,0,0,0,08:00,18:00,\n"
        "ann,1500,0,1,09:00,10:00,5\nbob,1500,1500,1,,11:00,5\n"
    )
    options = (table, "--capacity 2 --speed 36km/h --columns open=from")
    solved = run.json("solve", *options, SHORT, "--output", plan)
    arrivals = [row["arrival"] for row in solved["timetable"]]
    assert arrivals == ["08:57", "09:00", "09:07", "09:16"]
    assert [row["waiting_min"] for row in solved["timetable"]] == [0] * 4
    assert "09:00,09:00,ann,1,customer,1500.0,0.0,0," in plan.read_text()
    checked = run.json("check", *options, plan)
    assert (checked["feasible"], checked["cost"]) == (True, solved["cost"])
    page, picture = tmp_path / "a.html", tmp_path / "a.geojson"
    for file in (page, picture):
        run.succeeds("plot", *options, plan, "--output", file)
    assert '"arrival":["08:57","09:00",' in page.read_text()
    route = json.loads(picture.read_text())["features"][1]["properties"]
    assert (route["start"], route["end"]) == ("08:57", "09:16")
    again = run.json("solve", *options, "--polish none --start", plan)
    assert again["timetable"] == solved["timetable"]
    plan.write_text("route,id\n1,bob\n1,ann\n")
    table.write_text(
        table.read_text()
        .replace("09:00,10:00", "08:00,09:06")
        .replace(",,11:00", ",09:00,11:00")
    )
    late = run("check", *options, plan)
    assert "reaches customer 1 (id ann) 0:01:30 too late" in late.out


def test_the_answer_is_a_start_too(
    run: Run, timed_file: Path, tmp_path: Path
) -> None:
    """As printed, with a row for each stop."""
    solved = run.json("solve", timed_file, SHORT)
    rows = solved["timetable"]
    assert len(rows) == 30 + 2 * solved["num_routes"]
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(solved))
    again = run.json("solve", timed_file, "--polish none --start", answer)
    assert again["routes"] == solved["routes"]


def test_an_incomplete_start_is_repaired(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is said in the log and in the plan."""
    start = tmp_path / "a.csv"
    start.write_text("route,id\n1,1\n1,4\n2,2\n")
    options = ("--polish none --start", start)
    answer = run.json("solve", square_file, *options)
    assert "repaired: customer 3 is not visited" in caplog.text
    assert answer["phases"] == ["initial-solution", "repair"]
    assert answer["cost"] == 484


def test_the_reference_is_a_timetable(
    run: Run, timed_file: Path, tmp_path: Path
) -> None:
    """Rows of the depot do not count."""
    plan = tmp_path / "plan.csv"
    run.succeeds("solve", timed_file, SHORT, "--output", plan)
    kept = run.json("check", timed_file, plan, "--reference", plan)
    assert kept["consistency"]["kept_pairs"] == 1.0
