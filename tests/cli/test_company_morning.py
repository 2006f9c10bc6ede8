"""A company's morning: three files, one command, a plan for the drivers.

Everything about the plan is computed anew from the files, by code that
imports nothing of the package.
"""

from __future__ import annotations

import csv
import json
import math
import random
from collections import Counter
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr

if TYPE_CHECKING:
    from tests.cli.conftest import Run

VEHICLES = """\
name;number;capacity;shift start;shift end;fixed cost;cost per km;cost per hour
van;3;60;07:30;16:00;40;0,35;21
truck;2;140;06:00;15:30;95;0,8;24
"""
"""The decimal commas of a spreadsheet."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write 80 customers, five vehicles and the ways; go there."""
    rng = random.Random(40)
    places = [(8.68, 50.11)] + [
        (round(rng.gauss(8.68, 0.06), 5), round(rng.gauss(50.11, 0.04), 5))
        for _ in range(80)
    ]
    lines = ["id,lon,lat,demand,open,close,service_min,note"]
    lines.append(f"depot,{places[0][0]},{places[0][1]},0,06:00,18:00,,yard")
    for number, (lon, lat) in enumerate(places[1:], 1):
        opens = rng.choice((420, 480, 510, 600, 660))
        closes = opens + rng.choice((120, 150, 240, 330))
        lines.append(
            f"K-{1000 + number},{lon},{lat},{rng.randint(1, 8)},"
            f"{opens // 60:02}:{opens % 60:02},"
            f"{closes // 60:02}:{closes % 60:02},{rng.randint(2, 6)},"
            f"bell {number}"
        )
    (tmp_path / "customers.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "vehicles.csv").write_text(VEHICLES)
    distances = [[road(a, b, rng) for b in places] for a in places]
    durations = [[round(d / 9.5 + 20 * (d > 0)) for d in r] for r in distances]
    answer = {"code": "Ok", "distances": distances, "durations": durations}
    (tmp_path / "osrm.json").write_text(json.dumps(answer))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def road(
    one: tuple[float, float], other: tuple[float, float], rng: random.Random
) -> float:
    """Return metres along streets, a little more or less each direction."""
    east = 71_400 * abs(one[0] - other[0])
    north = 111_200 * abs(one[1] - other[1])
    length = 0.5 * (east + north) + 0.5 * math.hypot(east, north)
    return round(length * rng.uniform(1.0, 1.15), 1)


def seconds(text: str) -> float:
    """Return the seconds of a clock's time, or of a number of seconds."""
    if ":" not in text:
        return float(text)
    parts = [float(part) for part in text.split(":")]
    return math.fsum(p * 60.0 ** (2 - i) for i, p in enumerate(parts))


def rows_of(file: str, delimiter: str = ",") -> list[dict[str, str]]:
    """Return the rows of a table."""
    with Path(file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter=delimiter))


def recomputed_cost(plan: str) -> float:
    """Check each stop of a plan against the three files; return its cost."""
    customers = {row["id"]: row for row in rows_of("customers.csv")}
    place = {name: idx for idx, name in enumerate(customers)}
    vehicles = {row["name"]: row for row in rows_of("vehicles.csv", ";")}
    ways = json.loads(Path("osrm.json").read_text())
    stops = rows_of(plan)
    visited = Counter(s["id"] for s in stops if s["kind"] == "customer")
    assert visited == Counter(dict.fromkeys(list(customers)[1:], 1))
    used: Counter[str] = Counter()
    cost = 0.0
    for _, group in groupby(stops, key=lambda stop: stop["route"]):
        route = list(group)
        first, last = route[0], route[-1]
        assert (first["id"], last["id"]) == ("depot", "depot")
        vehicle = vehicles[first["vehicle_name"]]
        used[first["vehicle_name"]] += 1
        moment = seconds(first["arrival"])
        start = seconds(first["departure"])
        assert seconds(vehicle["shift start"]) <= moment <= start
        load = sum(int(customers[stop["id"]]["demand"]) for stop in route)
        assert int(first["load"]) == load <= int(vehicle["capacity"])
        driven = 0.0
        for before, stop in pairwise(route):
            customer = customers[stop["id"]]
            way = place[before["id"]], place[stop["id"]]
            driven += ways["distances"][way[0]][way[1]]
            arrival = start + ways["durations"][way[0]][way[1]]
            # Minutes that are over: less than one is lost.
            by_minute = partial(pytest.approx, abs=60, rel=0)
            assert seconds(stop["arrival"]) == by_minute(arrival)
            begin = max(arrival, seconds(customer["open"]))
            assert begin <= seconds(customer["close"])
            waiting = 60 * float(stop["waiting_min"])
            assert waiting == by_minute(begin - arrival)
            assert seconds(stop["service_start"]) == by_minute(begin)
            start = begin + 60 * float(customer["service_min"] or 0)
            assert seconds(stop["departure"]) == by_minute(start)
            load -= int(customer["demand"])
            assert int(stop["load"]) == load
            far = 1000 * float(stop["distance_km"])
            assert far == pytest.approx(driven, abs=0.51)  # km have 3 decimals
        assert start <= seconds(vehicle["shift end"])
        kilometre = float(vehicle["cost per km"].replace(",", "."))
        cost += float(vehicle["fixed cost"]) + kilometre * driven / 1000
        cost += float(vehicle["cost per hour"]) * (start - moment) / 3600
    for name, count in used.items():
        assert count <= int(vehicles[name]["number"])
    return cost


@pytest.mark.usefixtures("folder")
def test_one_command_plans_the_morning(run: Run) -> None:
    """The table, the printed answer and the page tell the same plan."""
    answer = run.json(
        "solve customers.csv --vehicles vehicles.csv --matrix osrm.json",
        "--time-limit 0.4 --output plan.csv --plot plan.html",
    )
    assert answer["feasible"]
    assert answer["cost"] == pytest.approx(
        recomputed_cost("plan.csv"), rel=2e-3
    )
    assert answer["unused_columns"] == ["note"]
    page = Path("plan.html").read_text(encoding="utf-8")
    assert all(f"K-{1000 + number}" in page for number in range(1, 81))
    options = "--vehicles vehicles.csv --matrix osrm.json"
    checked = run.json("check customers.csv plan.csv", options)
    assert checked["cost"] == pytest.approx(answer["cost"])


@pytest.mark.usefixtures("folder")
def test_six_lines_plan_the_morning() -> None:
    """The same in Python, from the files."""
    session: dict[str, Any] = {"nr": nr}
    exec(LINES, session)
    result = session["result"]
    assert result.cost == pytest.approx(recomputed_cost("plan.csv"), rel=2e-3)
    assert len(LINES.splitlines()) <= 6


LINES = """\
instance = nr.read("customers.csv", "vehicles.csv", matrix="osrm.json")
result = nr.solve(instance, time_limit=0.4)
result.write("plan.csv")
"""
