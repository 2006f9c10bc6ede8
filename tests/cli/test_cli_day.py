"""A whole day through the shell, as a dispatcher reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        "unserved  2",
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
