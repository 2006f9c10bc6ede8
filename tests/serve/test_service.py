"""The service: answers, limits, a queue, and workers that die."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="the client of the tests")

from fastapi.testclient import TestClient

from ncc_routing.serve.app import make_app
from ncc_routing.serve.params import ServeParams
from tests.oracles.vroom import faults_of, random_vroom

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
    "time_limit": 0.2,
}
"""Out and back are 4,000 m at 10 m/s."""

LIMITS = ServeParams(
    time_limit=1.0, max_megabytes=0.1, max_jobs=50, workers=1, queue=1
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Return a client of a service with one worker and one place to wait."""
    with TestClient(make_app(LIMITS)) as client:
        yield client


def test_problems_of_vroom_are_answered(client: TestClient) -> None:
    """With the options of vroom-express, and its plan mode."""
    problem = random_vroom(3, 8)
    reply = client.post("/", json={**problem, "options": {"l": 0.1}})
    assert reply.status_code == 200
    assert faults_of(problem, reply.json()) == []
    [vehicle, *_] = problem["vehicles"]
    [job, *_] = problem["jobs"]
    vehicle["steps"] = [{"type": "job", "id": job["id"]}]
    planned = client.post("/", json={**problem, "options": {"c": True}}).json()
    [route] = planned["routes"]
    assert [step["type"] for step in route["steps"]][1] == "job"


def test_a_day_of_tables_goes_on(client: TestClient) -> None:
    """Tables are answered with a result, and the result is replanned."""
    result = client.post("/solve", json=TABLES).json()
    assert (result["cost"], result["unserved"]) == (4000, [])
    order = {"change": "add order", "id": "eve", "x": 500, "y": 0}
    asked = {"result": result, "changes": [order], "now": "08:00"}
    after = client.post("/replan", json={**asked, "time_limit": 0.2}).json()
    assert after["instance"]["ids"][-1] == "eve"
    assert (after["cost"], after["unserved"]) == (4000, [])
    order.pop("change")
    found = client.post("/offers", json={"result": result, "order": order})
    assert found.json()["offers"][0]["cost"] == 0
    why = client.post("/explain", json={"result": result, "id": "bob"})
    assert why.json()["cost"] == 2000


def test_page_and_health(client: TestClient) -> None:
    """The page needs no build, and health tells of the workers."""
    home = resources.files("ncc_routing.serve")
    assert client.get("/").text == (home / "page.html").read_text("utf-8")
    assert client.get("/health").json()["workers"] == 1


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/", b"{", 400, "JSON"),
        ("/", b"\xff", 400, "UTF-8"),
        ("/", b"[" * 90_000, 400, "JSON"),
        ("/", b"[]", 400, "object"),
        ("/", b'{"jobs": 3}', 400, "vehicles"),
        ("/", b'{"jobs": [], "vehicles": [{"id": 1}]}', 400, "job"),
        ("/", b" " * 200_000, 413, "MB"),
        ("/", json.dumps({"jobs": [1] * 51, "vehicles": []}), 413, "many"),
        ("/solve", json.dumps({**TABLES, "speed": None}), 400, "speed"),
        ("/solve", b'{"customers": "/etc/passwd"}', 400, "customers"),
        ("/solve", b'{"customers": [], "matrix": "a.npz"}', 400, "matrix"),
        ("/solve", b'{"customers": [], "reference": "a"}', 400, "reference"),
        ("/replan", b'{"result": {}, "now": 3, "changes": "a"}', 400, "list"),
        ("/replan", b'{"result": {}, "now": 3}', 400, "result"),
    ],
)
def test_bad_requests_are_refused(
    client: TestClient, path: str, body: Any, status: int, words: str
) -> None:
    """Files of the server are none of theirs."""
    reply = client.post(path, content=body)
    assert reply.status_code == status
    assert reply.json()["code"] == (2 if status == 400 else 4)
    assert words in reply.json()["error"]


def test_more_requests_than_may_wait_are_sent_away(client: TestClient) -> None:
    """One works, one waits, and the others come back later."""
    problem = random_vroom(5, 12)
    asked = {**problem, "options": {"l": 1.0}}
    with ThreadPoolExecutor(4) as threads:
        replies = list(
            threads.map(lambda _: client.post("/", json=asked), range(4))
        )
    codes = sorted(reply.status_code for reply in replies)
    assert codes[0] == 200
    assert codes[-1] == 503
    [busy, *_] = (reply for reply in replies if reply.status_code == 503)
    assert int(busy.headers["retry-after"]) >= 1


def test_a_killed_worker_is_replaced(client: TestClient) -> None:
    """Its request fails in clear words, and the next one is answered."""
    pool = client.app.state.pool  # type: ignore[attr-defined]
    problem = random_vroom(5, 12)
    asked = {**problem, "options": {"l": 1.0}}

    def kill() -> None:
        while pool.busy == 0:
            time.sleep(0.01)
        time.sleep(0.1)
        for child in list(pool._all):  # noqa: SLF001
            child.end()

    threading.Thread(target=kill).start()
    reply = client.post("/", json=asked)
    assert reply.status_code == 500
    assert "killed" in reply.json()["error"]
    assert client.post("/", json=asked).status_code == 200
