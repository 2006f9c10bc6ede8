"""The server of the guide, over the loopback interface."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import layers

if TYPE_CHECKING:
    from collections.abc import Iterator

GUIDE = layers.REPOSITORY / "docs" / "tutorials"
"""Where the server lies."""

METRES = 111_195.0
"""Length of a degree."""

TABLES: dict[str, Any] = {
    "customers": [
        {"id": "yard", "x": 0, "y": 0, "depot": 1},
        {"id": "ann", "x": 1000, "y": 0, "open": "08:30", "close": "09:00"},
        {"id": "bob", "x": 2000, "y": 0, "service min": 5},
    ],
    "vehicles": [{"capacity": 9, "shift start": "08:00"}],
    "speed": "36km/h",
}
"""One way of 4,000 m at 10 m/s: ann has to be first, or last, by 09:00."""


@contextmanager
def serving() -> Iterator[str]:
    """Run the server by uvicorn; yield its address."""
    words = [sys.executable, "-m", "uvicorn", "server:app", "--port", "0"]
    words += ["--app-dir", str(GUIDE), "--no-access-log"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        try:
            said = ""
            for line in server.stderr or ():
                said += line
                if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                    yield found[0]
                    return
            raise RuntimeError(f"the server did not start: {said}")
        finally:
            server.terminate()


def make_problem(num_customers: int, seed: int, has_matrix: bool) -> bytes:
    """Return what a client posts: customers with windows in a city, vans."""
    rng = random.Random(seed)
    customers: list[dict[str, Any]] = [
        {"id": "yard", "lon": 2.35, "lat": 48.85, "depot": 1}
    ]
    for number in range(num_customers):
        opens = rng.randrange(8 * 60, 14 * 60, 15)
        closes = opens + rng.choice((60, 120, 240))
        customers.append(
            {
                "id": f"c{number}",
                "lon": round(rng.uniform(2.23, 2.47), 5),
                "lat": round(rng.uniform(48.76, 48.94), 5),
                "demand": rng.randrange(1, 10),
                "open": _clock(opens),
                "close": _clock(closes),
                "service min": rng.choice((3, 5, 8)),
            }
        )
    van = {
        "number": num_customers // 6 + 2,
        "capacity": 100,
        "shift start": "07:00",
        "shift end": "19:00",
    }
    problem: dict[str, Any] = {"customers": customers, "vehicles": [van]}
    if has_matrix:
        problem["matrix"] = _roads(customers, rng)
    else:
        problem["speed"] = "40km/h"
    return json.dumps(problem).encode()


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _roads(places: list[dict[str, Any]], rng: random.Random) -> object:
    """Return distances and durations as OSRM answers them.

    Ways are longer than straight lines by 20 to 40 %, each direction by
    itself, and driven at 11 m/s.
    """
    narrow = math.cos(math.radians(places[0]["lat"]))
    distances = [
        [
            round(
                math.hypot(
                    narrow * (one["lon"] - other["lon"]),
                    one["lat"] - other["lat"],
                )
                * METRES
                * rng.uniform(1.2, 1.4),
                1,
            )
            for other in places
        ]
        for one in places
    ]
    durations = [[round(x / 11.0, 1) for x in row] for row in distances]
    return {"code": "Ok", "distances": distances, "durations": durations}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """Return a client of the server, which runs in processes of its own."""
    with (
        serving() as address,
        httpx.Client(base_url=address, timeout=60.0) as asking,
    ):
        yield asking


def seconds_of(time: object) -> float:
    """Return the seconds since midnight of a time, a number or a clock's."""
    if isinstance(time, int | float):
        return float(time)
    parts = [int(part) for part in str(time).split(":")]
    return float(sum(p * 60 ** (2 - i) for i, p in enumerate(parts)))


def test_plan_is_a_timetable(client: httpx.Client) -> None:
    """Every customer has a stop, in its window, at the cost of the ways."""
    answer = client.post("/plan", json=TABLES)
    assert answer.status_code == httpx.codes.OK
    plan = answer.json()
    stops = plan["timetable"]
    assert sorted(stop["id"] for stop in stops) == [
        *("ann", "bob", "yard", "yard")
    ]
    [ann] = (stop for stop in stops if stop["id"] == "ann")
    begin = seconds_of(ann["service_start"])
    assert 8.5 * 3600 <= begin <= 9 * 3600
    assert plan["cost"] == 1000 * stops[-1]["distance_km"] == 4000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"speed": None}, "speed"),
        ({"customers": "/etc/passwd"}, "customers"),
        ({"matrix": "roads.npz"}, "matrix"),
        ({"capacity": 9}, "capacity"),
        ({"vehicles": [{"capacity": 1}]}, "vehicle"),
        ({"customers": [*TABLES["customers"], {"id": "eve"}]}, "eve"),
    ],
)
def test_what_is_wrong_is_said(
    client: httpx.Client, change: dict[str, Any], words: str
) -> None:
    """A missing speed, files of the server, more than it takes, no plan."""
    answer = client.post("/plan", json=TABLES | change)
    assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert words in answer.json()["error"]


def test_no_json_is_refused(client: httpx.Client) -> None:
    """The error is one of the client, not of the server."""
    answer = client.post("/plan", content=b"{")
    assert answer.status_code == httpx.codes.UNPROCESSABLE_ENTITY


def test_clients_are_served_side_by_side(client: httpx.Client) -> None:
    """Four at a time, with speeds and roads; every customer has a stop."""
    bodies = [make_problem(30, seed, seed % 2 == 0) for seed in range(4)]
    with ThreadPoolExecutor(len(bodies)) as threads:
        answers = threads.map(
            lambda body: client.post("/plan", content=body), bodies
        )
        for body, answer in zip(bodies, answers, strict=True):
            assert answer.status_code == httpx.codes.OK
            asked = [c["id"] for c in json.loads(body)["customers"][1:]]
            found = [
                stop["id"]
                for stop in answer.json()["timetable"]
                if stop["kind"] == "customer"
            ]
            assert sorted(found) == sorted(asked)
