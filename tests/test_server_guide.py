"""The server of the guide, over the loopback interface."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from benchmarks.experiments.server import make_problem, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    assert plan["cost"] == stops[-1]["distance"] == 4000


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
