"""The service: answers, limits, a queue, and workers that die."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")
pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("httpx", reason="the client of the tests")

import uvicorn
from fastapi.testclient import TestClient

import ncc_routing as nr
from ncc_routing.core.processes import Child
from ncc_routing.serve import app as app_module
from ncc_routing.serve.app import make_app
from ncc_routing.serve.params import ServeParams
from ncc_routing.serve.work import Limits, reply_to
from tests.oracles.vroom import faults_of, random_vroom
from tests.robustness.support import IS_LARGE

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
    asked = {"l": 0.1, "explain": [problem["jobs"][0]["id"]]}
    reply = client.post("/", json={**problem, "options": asked})
    assert reply.status_code == 200
    assert "cost" in reply.json()["explanations"][0]
    assert faults_of(problem, reply.json()) == []
    [vehicle, *_] = problem["vehicles"]
    [job, *_] = problem["jobs"]
    vehicle["steps"] = [{"type": "job", "id": job["id"]}]
    planned = client.post("/", json={**problem, "options": {"c": True}}).json()
    [route] = planned["routes"]
    assert [step["type"] for step in route["steps"]][1] == "job"


def test_a_day_of_vroom_goes_on(client: TestClient) -> None:
    """A problem with a new job, and the answer to the one before."""
    line = [[10 * abs(i - j) for j in range(6)] for i in range(6)]
    van = {"start_index": 0, "end_index": 0, "time_window": [0, 500]}
    problem: dict[str, Any] = {
        "vehicles": [{"id": 4, "description": "ann", **van}],
        "jobs": [{"id": 10 + at, "location_index": at} for at in (1, 3, 5)],
        "matrix": line,
    }
    answer = client.post("/", json=problem).json()
    problem["jobs"] += [{"id": 12, "location_index": 2}]
    changes = [
        {"change": "cancel", "id": 15},
        {"change": "late", "vehicle": 4, "by": 7},
    ]
    asked = {"problem": problem, "answer": answer, "changes": changes}
    after = client.post("/replan", json={**asked, "now": 15}).json()
    [route] = after["routes"]
    done = [(step.get("id"), step["arrival"]) for step in route["steps"]]
    first = answer["routes"][0]["steps"][1]
    assert done[1] == (first["id"], first["arrival"])
    assert {one for one, _ in done} == {None, 11, 12, 13}
    reply = client.post(
        "/replan", json={"problem": problem, "answer": after, "now": 30}
    )
    assert "its times are not those" in reply.json()["error"]
    asked["changes"] = [{"change": "out of service", "vehicle": 1}]
    reply = client.post("/replan", json={**asked, "now": 15})
    assert "vehicle 1: there is no such" in reply.json()["error"]
    reply = client.post("/replan", json={"now": 3})
    assert (reply.status_code, reply.json()["error"]) == (
        400,
        "the request must have result.",
    )


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


def test_the_day_of_a_dispatcher(client: TestClient) -> None:
    """Orders come by offers, a van breaks down, and one order is cancelled."""

    def ask(path: str, **content: Any) -> Any:
        reply = client.post(path, json=content)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def starts(result: dict[str, Any]) -> dict[str, str]:
        rows = nr.Result.from_json(json.dumps(result)).to_dataframe()
        begins = zip(rows["id"], rows["service_start"], strict=True)
        return {key: begin for key, begin in begins if key != "yard"}

    places = {
        "ann": (8.651, 50.119, "08:40-09:20"),
        "bob": (8.704, 50.132, "09:00-09:50"),
        "eve": (8.669, 50.093, "10:30-13:00"),
        "joe": (8.720, 50.101, "11:00-14:00"),
        "kim": (8.735, 50.128, "12:00-15:00"),
    }
    orders = [
        {"id": key, "lon": lon, "lat": lat, "window": window, "demand": 3}
        for key, (lon, lat, window) in places.items()
    ]
    yard = {"id": "yard", "lon": 8.682, "lat": 50.111, "depot": 1}
    van = {"capacity": 9, "shift": "07:30-16:00", "reload": "yard"}
    vans = [{**van, "name": "van 1"}, {**van, "name": "van 2"}]
    result = ask(
        "/solve",
        customers=[yard, *orders],
        vehicles=vans,
        speed="20km/h",
        time_limit=0.2,
    )
    assert result["unserved"] == []
    for key, lon, lat in (("liz", 8.69, 50.12), ("max", 8.66, 50.1)):
        order = {"id": key, "lon": lon, "lat": lat, "demand": 1}
        slots = ["10:00-12:00", "12:00-14:00"]
        found = ask(
            "/offers",
            result=result,
            order=order,
            slots=slots,
            k=1,
            now="08:30",
        )["offers"]
        best = min(found, key=lambda one: float(one["cost"]))
        taken = {"change": "add order", **order, "window": best["slot"]}
        before = result["cost"]
        result = ask(
            "/replan",
            result=result,
            changes=[taken],
            now="08:30",
            time_limit=0.2,
        )
        opening, closing = best["slot"].split("-")
        assert opening <= starts(result)[key] <= closing
        assert result["cost"] - before <= best["cost"] + 1e-6
    [number] = (
        1 + place for place, route in enumerate(result["routes"]) if 1 in route
    )
    served = {key: at for key, at in starts(result).items() if at < "10:00"}
    broken = {
        "change": "out of service",
        "vehicle": number,
        "transfer": "yes",
    }
    *_, last = sorted(
        starts(result).items() - served.items(), key=lambda one: one[1]
    )
    for now, change in (
        ("10:00", broken),
        ("11:00", {"change": "cancel", "id": last[0]}),
    ):
        result = ask(
            "/replan",
            result=result,
            changes=[change],
            now=now,
            time_limit=0.2,
        )
    after = starts(result)
    assert served.items() <= after.items()
    assert {*after} == {*places, "liz", "max"} - {last[0]}
    why = ask("/explain", result=result, id="ann")
    assert (why["position"], why["is_begun"]) == (1, True)


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
        ("/", b'{"jobs": [], "vehicles": [], "options": []}', 400, "options"),
        (
            "/",
            b'{"jobs": [], "vehicles": [], "options": {"c": 1}}',
            400,
            "options.c: must be true or false",
        ),
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


def test_pages_of_other_origins_may_ask(client: TestClient) -> None:
    """The preflight of a browser is answered as vroom-express does."""
    headers = {
        "Origin": "https://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    reply = client.options("/", headers=headers)
    assert reply.status_code == 200
    assert reply.headers["access-control-allow-origin"] == "*"
    assert "POST" in reply.headers["access-control-allow-methods"]
    app = make_app(replace(LIMITS, cors="https://example.org"))
    with TestClient(app) as own:
        assert own.options("/", headers=headers).status_code == 200
        headers["Origin"] = "https://example.com"
        assert own.options("/", headers=headers).status_code == 400
    with pytest.raises(nr.ParameterError, match="cors must be"):
        ServeParams(cors="example.org")


def test_every_error_has_a_code_and_a_text(client: TestClient) -> None:
    """Of paths and methods that are none too; no page loads foreign code."""
    for reply, status in (
        (client.get("/nothing"), 404),
        (client.put("/"), 405),
        (client.get("/redoc"), 404),
        (client.get("/docs"), 404),
    ):
        assert reply.status_code == status
        assert reply.json().keys() == {"code", "error"}
    assert client.get("/openapi.json").json()["info"]["version"] == (
        nr.__version__
    )


def test_what_cannot_be_held_is_refused(client: TestClient) -> None:
    """Few places, and a matrix for each of the vehicles."""
    size, count = 2_000, 50
    place = {"location": [8, 50]}
    problem = {
        "jobs": [{"id": 0, **place}],
        "vehicles": [
            {"id": at, "start": [8, 50], "speed_factor": 1 + at / 50}
            for at in range(count)
        ],
    }
    reply = client.post("/", json=problem)
    assert reply.status_code == 200
    problem["jobs"] = [{"id": at, **place} for at in range(size)]
    limits = Limits(1.0, 10_000)
    refused = reply_to("/", json.dumps(problem).encode(), limits)
    assert (refused.status, json.loads(refused.body)["code"]) == (413, 4)
    assert "x 2,001 x 2,001" in json.loads(refused.body)["error"]


def test_mutated_requests_are_answered() -> None:
    """A result with one entry of another type is refused in words."""
    limits = Limits(0.05, 100)
    asked = {**TABLES, "time_limit": 0.05}
    result = json.loads(
        reply_to("/solve", json.dumps(asked).encode(), limits).body
    )
    result["instance"]["source"]["time_form"]["has_seconds"] = [[]]
    body = json.dumps({"result": result, "id": "ann"}).encode()
    reply = reply_to("/explain", body, limits)
    assert reply.status == 400
    assert "has_seconds" in json.loads(reply.body)["error"]
    rng = random.Random(1)
    for seed in range(3_000 if IS_LARGE else 100):
        body = mutated({"result": result, "id": "ann", **TABLES}, rng)
        for path in ("/explain", "/solve"):
            known = ("result", "id") if path == "/explain" else TABLES
            part = {k: v for k, v in body.items() if k in known}
            reply = reply_to(path, json.dumps(part).encode(), limits)
            assert reply.status in (200, 400, 413), seed


def mutated(content: Any, rng: random.Random) -> Any:
    """Return JSON with an entry of another kind."""
    copied = json.loads(json.dumps(content))
    source = copied["result"]["instance"]["source"]
    source["time_form"]["has_seconds"] = False
    part = copied
    while True:
        keys = list(part) if isinstance(part, dict) else range(len(part))
        key = rng.choice(list(keys))
        inner = part[key]
        if (
            not isinstance(inner, dict | list)
            or not inner
            or (rng.random() < 0.1)
        ):
            part[key] = rng.choice(
                [[[]], [], {}, None, True, "x", -1, 1e300, 0.5, [1, "a"]]
            )
            return copied
        part = inner


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


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Return the port of a service with one worker, behind real sockets."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            make_app(LIMITS), log_level="critical", timeout_keep_alive=75
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield int(listener.getsockname()[1])
        server.should_exit = True
        thread.join()


def ask(port: int, body: Any, headers: Any = None) -> tuple[int, str]:
    """Return the status and the error of the answer to a request."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        link.request("POST", "/", body, headers or {})
        reply = link.getresponse()
        return reply.status, json.loads(reply.read()).get("error", "")
    except (BrokenPipeError, ConnectionResetError):
        return 413, "MB"  # the service has closed before all was sent
    finally:
        link.close()


def wait_for_idle(port: int) -> None:
    """Return when no worker works."""
    health = {"busy": 1, "waiting": 1}
    while health["busy"] or health["waiting"]:
        time.sleep(0.02)
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        link.request("GET", "/health")
        health = json.loads(link.getresponse().read())
        link.close()


def test_large_bodies_are_refused_before_they_are_read(port: int) -> None:
    """With their size stated, and sent in chunks without an end."""
    part = b" " * 1_000_000
    for body in (100 * part, (part for _ in range(100))):
        status, error = ask(port, body)
        assert status == 413
        assert "MB" in error
    problem = random_vroom(5, 12)
    assert ask(port, json.dumps(problem))[0] == 200


def test_slow_senders_are_told(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They hold no worker while they send."""
    monkeypatch.setattr(app_module, "_BODY_SECONDS", 1.0)
    problem = json.dumps(random_vroom(5, 12))
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(head + b"{")
        assert ask(port, problem)[0] == 200
        slow.settimeout(60)
        assert b"408" in slow.recv(1000)
    with socket.create_connection(("127.0.0.1", port)) as wrong:
        wrong.sendall(b"\x00\x01 what?\r\n\r\n")
        assert b"400" in wrong.recv(1000)
    assert ask(port, problem)[0] == 200


def test_clients_who_leave_free_their_worker(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it works, while they wait, and while a dead worker is replaced."""
    task = {**random_vroom(5, 12), "options": {"l": 1.0}}
    body = json.dumps(task).encode()
    head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n"
    whole = head.encode() + body
    begun = []
    original = Child.__init__

    def counted(self: Child) -> None:
        begun.append(self)
        original(self)

    monkeypatch.setattr(Child, "__init__", counted)
    links = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
    for link in links:
        link.sendall(whole)
        time.sleep(0.2)
    for link in links:
        link.close()
    wait_for_idle(port)
    assert ask(port, body)[0] == 200
    begun[-1].end()
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(whole)
        time.sleep(0.1)
    wait_for_idle(port)
    assert ask(port, body)[0] == 200


def test_a_service_that_is_stopped_says_so() -> None:
    """To whom it works for; no process starts after that."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            make_app(LIMITS),
            log_level="critical",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = int(listener.getsockname()[1])
        threading.Timer(0.5, setattr, (server, "should_exit", True)).start()
        # Its body never ends.
        with socket.create_connection(("127.0.0.1", port), 60) as link:
            link.sendall(b"POST / HTTP/1.1\r\nHost: a\r\n")
            link.sendall(b"Content-Length: 9\r\n\r\n{")
            assert link.recv(100).startswith(b"HTTP/1.1 503")
        thread.join()
