"""A whole day through the shell, as a dispatcher reads it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

ORDERS = """Auftragsnr;lat;lon;Gewicht;Zeitfenster;Dauer min;Telefon;Fahrzeug
Hof;50;8;0;;;;
ann;50.01;8;3;8:00-8:05;10;0171;Bo
bob;50.02;8;3;8:00-8:16;10;0172;Bo
eve;50.03;8;3;8-11;10;0173;Bo
joe;49.99;8;3;Mo 8:00-8:05, Di-Fr 14-15;10;0174;Al
"""
VANS = """Name;Kapazität;Schicht
Al;5;8-17
Bo;9;8-17
"""
MORNING = """Änderung;Auftrag;lat;lon;Gewicht;Zeitfenster;Dauer min;Fahrzeug
Storno;eve;;;;;;
neuer Auftrag;kim;49.98;8;2;Mo 8-11;10;Al
neuer Auftrag;leo;49.98;8.01;9;;;
"""
NOON = """Änderung;Auftrag;Fahrer;Verspätung (min)
Verspätung;;Al;15
Ausfall;;Bo;
"""
SHORT = "--time-limit 0.1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the tables of a day, and go there."""
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("orders", ORDERS),
        ("vans", VANS),
        ("morning", MORNING),
        ("noon", NOON),
    ):
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    return tmp_path


def answer(text: str) -> list[str]:
    """Return the lines of an answer up to the costs."""
    lines = text.splitlines()
    last = next(k for k, line in enumerate(lines) if line.startswith("cost "))
    return lines[:last]


GIVEN = "solve orders.csv --vehicles vans.csv --speed 30km/h --day Mo"


def test_a_day_of_a_dispatcher(run: Run, folder: Path) -> None:
    """Each step takes the plan of the one before, and is read line by line.

    A degree of 0.01 is 1,112 m, or 2.2 minutes at 30 km/h.
    """
    run.succeeds(GIVEN, SHORT, "-o plan.xlsx")
    done = run("replan plan.xlsx morning.csv --now 7:30 -o 2.xlsx", SHORT)
    assert done.code == 3
    assert answer(done.out) == [
        "Al",
        "  kim     new, at 08:14",
        "  return  at 08:28, 14 min later",
        "Bo",
        "  eve     cancelled",
        "  return  at 08:28, 15 min earlier",
        "unserved  1",
        "          leo (Bo: exceeds the capacity by 6)",
        "orders    4 -> 4 served, 1 unserved",
    ]
    done = run("replan 2.xlsx noon.csv --now 8:05 -o 3.xlsx", SHORT)
    assert answer(done.out) == [
        "Al",
        "  kim     at 08:29, 15 min later",
        "  return  at 08:43, 15 min later",
        "Bo",
        "  bob     dropped",
        "dropped   1, planned before",
        "          bob (its goods are on board Bo, which is out of service)",
        "unserved  1",
        "          leo (Al: exceeds the capacity by 9; Bo: drives no further)",
        "orders    4 -> 3 served, 2 unserved",
    ]
    done = run("replan 3.xlsx --now 8:06 -o 3.xlsx", SHORT)
    first, second, *_, orders = answer(done.out)
    assert first == "changes   none for any driver"
    assert (second, orders) == (
        "unserved  2: 1 skills, 1 capacity or vehicles that have finished",
        "orders    3 -> 3 served, 2 unserved",
    )
    assert "stop 2 of Al" in run.succeeds("explain 3.xlsx kim").out
    assert run.json("check 2.xlsx 2.xlsx", code=3)["violations"] == []


def test_a_plan_in_csv_goes_on(run: Run, folder: Path) -> None:
    """With the JSON beside it, which is missed by its name."""
    run.succeeds(GIVEN, SHORT, "-o plan.csv --also plan.json")
    asked = "plan.csv morning.csv", SHORT
    compared = run("what-if", *asked).out
    assert compared.startswith("orders    4 -> 4\nserved    kim\n")
    done = run.json("replan --now 7:30", *asked, code=3)
    said = done["differences"]["stops"][0]
    assert (said["driver"], said["stop"], said["what"]) == ("Al", "kim", "new")
    (folder / "plan.json").unlink()
    run.fails(1, "plan.json, which would", "replan --now 8", *asked)
    same = "--also plan.csv -o plan.csv"
    run.fails(1, "--output and --also must be different", GIVEN, same)
    run.fails(
        1, "--also and --also must be", GIVEN, "--also a.csv --also a.csv"
    )
    both = "--also b.json --also b.sol"
    told = run.succeeds(GIVEN, SHORT, "-o b.csv", both).out
    assert "also      b.json, b.sol\n" in told
    assert {"b.csv", "b.json", "b.sol"} <= {x.name for x in folder.iterdir()}


HEADS = (
    "id,lat,lon,demand,pickup,window,service min\nyard,50,8,,,,\n",
    "vehicle,capacity,shift,home lat,home lon,reload\n",
    "change,id,lat,lon,demand,pickup,window,service min,vehicle,transfer\n",
)
"""Of orders, vans and changes."""

ANN, BOB = "ann,50.01,8,3,,8-9,10\n", "bob,50.03,8,3,,8-12,10\n"
SOUTH = "bob,49.98,8,3,,8-12,10\n"
RETURN = "add order,ret,50.02,8,0,3,8-8:20,10,,\n"

DAYS: dict[str, tuple[Any, ...]] = {
    # The van has room for it when it has been at ann, who is served.
    "a return": (
        (ANN + BOB, "Al,6,8-17,,,\n", RETURN, "8:05"),
        "Al",
        "  ret     new, at 08:14",
        "  bob     at 08:26, 10 min later",
        "  return  at 08:43, 10 min later",
        "orders    2 -> 3 served",
    ),
    "a breakdown": (
        (
            ANN + SOUTH,
            "Al,3,8-17,,,yes\nBo,3,8-17,,,yes\n",
            "out of service,,,,,,,,Al,no\n",
            "8:01",
        ),
        "Al",
        "  *  dropped",
        "dropped   1, planned before",
        "          * (its goods are on board Al, which is out of service; Al: "
        "is out of service)",
        "orders    2 -> 1 served, 1 unserved",
    ),
    # From home to the yard, to both, and once more for kim.
    "a van from home": (
        (
            "ann,50.01,8,3,,8-8:20,10\n" + SOUTH,
            "Al,6,8-17,50.02,8,yes\n",
            "add order,kim,49.99,8,4,,8-16,10,,\n",
            "8:10",
        ),
        "Al",
        "  yard    new, at 08:37",
        "  kim     new, at 08:40",
        "  return  at 08:56, 14 min later",
        "orders    2 -> 3 served",
    ),
    # What bob was to get stays on board: 2 of 5, with 3 of the return.
    "a cancelled order on board": (
        (
            ANN + BOB.replace(",3,", ",2,"),
            "Al,5,8-17,,,\n",
            "cancel,bob,,,,,,,,\n" + RETURN,
            "8:05",
        ),
        "Al",
        "  bob     cancelled",
        "  ret     new, at 08:14",
        "  return  at 08:28, 5 min earlier",
        "orders    2 -> 2 served",
    ),
    "an over-full day": (
        (
            ANN + BOB,
            "Al,6,8-17,,,\n",
            "add order,kim,50.02,8,1,,8-16,10,,\n",
            "8:05",
        ),
        "changes   none for any driver",
        "unserved  1",
        "          kim (all vehicles have left, and none may come back to "
        "load (column reload_depots))",
        "orders    2 -> 2 served, 1 unserved",
    ),
}


@pytest.mark.parametrize("name", DAYS)
def test_days_that_go_otherwise(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each answer is read line by line; a star is what may be either."""
    monkeypatch.chdir(tmp_path)
    (*rows, now), *expected = DAYS[name]
    for file, head, text in zip(("o", "v", "c"), HEADS, rows, strict=True):
        (tmp_path / f"{file}.csv").write_text(head + text, "utf-8")
    run.succeeds(
        "solve o.csv --vehicles v.csv --speed 30km/h -o p.xlsx", SHORT
    )
    done = run("replan p.xlsx c.csv -o q.xlsx --now", now, SHORT)
    lines = answer(done.out)
    assert len(lines) == len(expected), lines
    for line, wanted in zip(lines, expected, strict=True):
        assert fnmatchcase(line, wanted)
