"""What answers state beside their routes is held against the problem.

One statement of each answer is falsified, and has to be found.
"""

from __future__ import annotations

import csv
import json
import random
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.stated import check_statements
from ncc_routing.desk.tables import csv_text
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_form import TimeForm
from tests.oracles.problems import (
    DAY,
    FLEETS,
    HOURS,
    LIMITS,
    PARTS,
    PLACES,
    RULES,
    random_problem,
)
from tests.oracles.vroom import random_vroom
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

NAMES = (
    *("id", "job", "vehicle", "code", "computing_times", "description"),
    "violations",
)
"""Entries of an answer that are no statements about its routes."""


def numbers_in(answer: Any, path: tuple[Any, ...] = ()) -> list[Any]:
    """Return where an answer has numbers."""
    if isinstance(answer, dict):
        each = [(k, v) for k, v in answer.items() if k not in NAMES]
    elif isinstance(answer, list):
        each = list(enumerate(answer))
    else:
        return [path] if isinstance(answer, int | float) else []
    return [at for key, part in each for at in numbers_in(part, (*path, key))]


def falsified(answer: Any, rng: random.Random) -> tuple[Any, str]:
    """Return an answer with one statement that is not so, and where it is."""
    wrong = deepcopy(answer)
    breaks = [
        (route["steps"], step)
        for route in wrong["routes"]
        for step in route["steps"]
        if step["type"] == "break"
    ]
    if breaks and rng.random() < 0.1:
        steps, step = rng.choice(breaks)
        steps.remove(step)
        return wrong, "a break"
    if wrong["unassigned"] and rng.random() < 0.1:
        wrong["unassigned"].pop()
        return wrong, "unassigned"
    *path, last = rng.choice(
        [p for p in numbers_in(wrong) if p[0] != "unassigned"]
    )
    part = wrong
    for key in path:
        part = part[key]
    part[last] += rng.choice([-1, 1]) * rng.randrange(20, 90)
    return wrong, str((*path, last))


@pytest.mark.parametrize("seed", seeds(300, step=29))
def test_a_false_statement_of_an_answer_is_found(
    tmp_path: Path, run: Run, seed: int
) -> None:
    """And a true answer of a random problem has none."""
    problem = random_vroom(seed, 4 + seed % 7)
    file, answer = tmp_path / "p.json", tmp_path / "a.json"
    file.write_text(json.dumps(problem))
    result = nr.solve(problem, time_limit=0.05, seed=1, allow_unserved=True)
    right = result.to_vroom()
    answer.write_text(json.dumps(right))
    checked = run("check", file, answer, "--json")
    assert json.loads(checked.out)["violations"] == []
    rng = random.Random(seed)
    for _ in range(3 if right["routes"] else 0):
        wrong, where = falsified(right, rng)
        answer.write_text(json.dumps(wrong))
        found = run("check", file, answer, "--json")
        assert found.code == 1, where
        kinds = {v["kind"] for v in json.loads(found.out)["violations"]}
        assert "stated" in kinds, where


def save(file: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows, each with the same names."""
    text = csv_text({name: [row[name] for row in rows] for name in rows[0]})
    file.write_text(text)


def random_day(rng: random.Random) -> tuple[list[Any], list[Any]]:
    """Return orders with windows, and vehicles with breaks."""
    orders: list[Any] = [{"id": "yard", "x": 0, "y": 0, "demand": 0}]
    orders[0] |= {"window": "", "service": ""}
    orders += [
        {
            "id": f"o{at}",
            "x": rng.randrange(-9000, 9000),
            "y": rng.randrange(-9000, 9000),
            "demand": rng.randrange(1, 4),
            "window": rng.choice(["", "8:00-12:00", "11-16"]),
            "service": f"{rng.randrange(0, 30)} min",
        }
        for at in range(7)
    ]
    vans = [
        {
            "name": f"v{at}",
            "capacity": 12,
            "shift": "7:00-18:00",
            "break": rng.choice(["", "30 min 11:00-13:30", "12:00-12:45"]),
            "end depot": rng.choice(["yard", "none"]),
            "cost per hour": rng.choice([0, 20]),
        }
        for at in range(3)
    ]
    return orders, vans


COMPARED = ("arrival", "waiting_min", "service_start", "departure")
"""Columns of times of a timetable."""


def cells_in(rows: list[dict[str, str]]) -> list[tuple[int, str]]:
    """Return the cells that say something; a break has no load of its own."""
    cells = []
    for at, row in enumerate(rows):
        of_break = row["kind"] == "break"
        for name, cell in row.items():
            is_amount = name in ("load", "delivered", "distance_km")
            is_amount &= not of_break
            if cell and (name in COMPARED or is_amount):
                cells.append((at, name))
    return cells


@pytest.mark.parametrize("seed", seeds(60))
def test_a_false_cell_of_a_timetable_is_found(
    tmp_path: Path, run: Run, seed: int
) -> None:
    """Times of a clock are rounded to minutes; distances have units."""
    rng = random.Random(seed)
    orders, vans = tmp_path / "o.csv", tmp_path / "v.csv"
    for file, table in zip((orders, vans), random_day(rng), strict=True):
        save(file, table)
    plan = tmp_path / "plan.csv"
    options = ("--vehicles", vans, "--speed 30km/h")
    run.succeeds("solve", orders, *options, "--time-limit 0.2 -o", plan)
    assert run.json("check", orders, plan, *options)["violations"] == []
    with plan.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    for at, name in rng.sample(cells_in(rows), 5):
        wrong = deepcopy(rows)
        cell = wrong[at][name]
        if ":" in cell:
            hour, minute = map(int, cell.split(":"))
            minutes = 60 * hour + minute + rng.choice([-7, 7])
            wrong[at][name] = f"{minutes // 60}:{minutes % 60:02}"
        else:
            wrong[at][name] = str(float(cell) + 7)
        save(plan, wrong)
        found = run("check", orders, plan, *options, "--json")
        kinds = {v["kind"] for v in json.loads(found.out)["violations"]}
        assert kinds == {"stated"}, (name, cell)


@pytest.mark.parametrize("column", ["orders", "load", "distance", "cost"])
def test_a_false_cell_of_an_overview_is_found(
    tmp_path: Path, column: str
) -> None:
    """One more than a route has is no rounding."""
    openpyxl = pytest.importorskip("openpyxl")
    instance = generate_uchoa(10, 1)
    result = nr.solve(instance, nr.stop.MaxIterations(10), seed=1)
    file = tmp_path / "plan.xlsx"
    result.write(file)
    book = openpyxl.load_workbook(file)
    (head, first, *_) = book["overview"].iter_rows()
    (cell,) = (
        c for h, c in zip(head, first, strict=True) if h.value == column
    )
    cell.value += 1
    book.save(file)
    (found,) = check_statements(file, instance, result.best)
    assert found.message.startswith(f"sheet overview: {column} of ")


@pytest.mark.parametrize("name", ["served", "vehicles", "distance", "costs"])
def test_a_false_summary_is_found(tmp_path: Path, name: str) -> None:
    """Nothing of the routes is 77."""
    instance = generate_uchoa(10, 1)
    result = nr.solve(instance, nr.stop.MaxIterations(10), seed=1)
    file = tmp_path / "plan.json"
    result.write(file)
    content = json.loads(file.read_text("utf-8"))
    content["summary"][name] = 77
    file.write_text(json.dumps(content), encoding="utf-8")
    (found,) = check_statements(file, instance, result.best)
    assert found.message.startswith(f"summary: {name} is ")


EVERYTHING = (*FLEETS, *PLACES, *DAY, *LIMITS, *RULES, *PARTS, *HOURS, "open")


@pytest.mark.parametrize("seed", seeds(400))
def test_what_this_package_states_is_so(tmp_path: Path, seed: int) -> None:
    """Of random problems with every feature, and times in every form."""
    instance = random_problem(seed, EVERYTHING, 8, share=0.35)
    if instance.source.time_form.kind:
        kind = ("clock", "min", "h", "s", "am/pm")[seed % 5]
        form = TimeForm(kind, seed % 2 == 0)
        instance = replace(instance, source=Source(time_form=form))
    try:
        result = nr.solve(
            instance, time_limit=0.05, seed=1, allow_unserved=True
        )
    except nr.InfeasibleError:
        return
    for suffix in (".csv", ".json", ".xlsx"):
        file = tmp_path / f"plan{suffix}"
        result.write(file)
        assert check_statements(file, instance, result.best) == []


@pytest.mark.parametrize(
    ("arrival", "code"), [("8:20", 0), ("8:50", 0), ("8:15", 1)]
)
def test_a_table_without_breaks_says_nothing_about_them(
    tmp_path: Path, run: Run, arrival: str, code: int
) -> None:
    """From 8:10 it drives ten minutes; half an hour of rest may be in it."""
    places = {"yard": 0, "a": 6000, "b": 12000}
    orders = [
        {"id": name, "x": x, "y": 0, "demand": int(x > 0)}
        for name, x in places.items()
    ]
    van = {"capacity": 9, "shift": "8-17", "break": "30 min 8:00-12:00"}
    stops = [
        {"route": 1, "id": name, "arrival": time, "departure": time}
        for name, time in (("a", "8:10"), ("b", arrival))
    ]
    for name, rows in (("o", orders), ("v", [van]), ("p", stops)):
        save(tmp_path / f"{name}.csv", rows)
    given = (tmp_path / "o.csv", tmp_path / "p.csv", "--speed 36km/h")
    done = run("check", *given, "--vehicles", tmp_path / "v.csv")
    assert done.code == code, done.out


def test_lengths_are_said_to_be_straight_lines(
    tmp_path: Path, run: Run
) -> None:
    """An answer that was made with roads is not called late without that."""
    rows = {"id": ["yard", "a"], "lon": [2.35, 2.6], "lat": [48.86, 48.86]}
    rows |= {"demand": [0, 1], "window": ["", "8:00-8:10"]}
    save(
        tmp_path / "o.csv",
        [
            dict(zip(rows, each, strict=True))
            for each in zip(*rows.values(), strict=True)
        ],
    )
    save(tmp_path / "v.csv", [{"capacity": 9, "shift": "8-9"}])
    (tmp_path / "a.sol").write_text("Route #1: 1\n")
    given = (tmp_path / "o.csv", tmp_path / "a.sol", "--speed 40km/h")
    done = run("check", *given, "--vehicles", tmp_path / "v.csv")
    assert done.code == 1
    assert "lengths   straight lines times 1 at 40 km/h\n" in done.out
    late = [one for one in done.out.splitlines() if "too late" in one]
    assert late
    assert all(one.endswith(", by straight lines") for one in late)
