"""How long the server of the guide takes to answer."""

from __future__ import annotations

import json
import logging
import math
import os
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from benchmarks.harness.experiment import Case, Variant, page_of
from benchmarks.harness.views import Summary
from ncc_routing.core.exceptions import NccRoutingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Rows

GUIDE = Path(__file__).parents[2] / "tutorials"
"""Where the server lies."""

SIZES = (20, 50, 100, 200, 500)
"""Numbers of customers."""

LIMIT = 0.3
"""Seconds within which the server promises its answers."""

NUM_PROBLEMS, NUM_REQUESTS = 5, 40
"""Problems of a case, asked in turn, and requests of each client."""

PATIENCE = 60.0
"""Seconds after which a client gives up."""

METRES = 111_195.0
"""Length of a degree."""


@contextmanager
def serving(folder: Path = GUIDE) -> Iterator[str]:
    """Run ``server.py`` of a folder by uvicorn; yield its address."""
    words = [sys.executable, "-m", "uvicorn", "server:app", "--port", "0"]
    words += ["--app-dir", str(folder), "--no-access-log"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
        try:
            said = ""
            for line in server.stderr or ():
                said += line
                if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                    yield found[0]
                    return
            raise NccRoutingError(f"the server did not start: {said}")
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


def ask(
    bodies: Sequence[bytes], seed: int, budget: Allowance, *, clients: int
) -> list[dict[str, Any]]:
    """Let clients ask a server at the same time, one request after another.

    Returns a row for each answer.
    """
    # It would tell each request, and take its time.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with serving() as address, ThreadPoolExecutor(clients) as threads:
        work = partial(_client, address, bodies)
        found = threads.map(work, range(seed, seed + clients))
        return [row for rows in found for row in rows]


def _client(
    address: str, bodies: Sequence[bytes], first: int
) -> list[dict[str, Any]]:
    """Return the answers of one client; problems begin at one of them."""
    rows = []
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        for number in range(NUM_REQUESTS + 1):
            body = bodies[(first + number) % len(bodies)]
            begun = time.perf_counter()
            answer = client.post("/plan", content=body)
            seconds = time.perf_counter() - begun
            if answer.status_code != httpx.codes.OK:
                raise NccRoutingError(answer.text)
            row = {"milliseconds": round(1000.0 * seconds, 1)}
            load = round(os.getloadavg()[0], 1)
            cost = answer.json()["cost"]
            rows.append({**row, "cost": cost, "load_average": load})
    return rows[1:]  # the first one opens the connection


def with_lateness(rows: Rows) -> list[dict[str, str]]:
    """Add which answers come late, in percent."""
    return [
        {
            **row,
            "late": repr(100.0 * (float(row["milliseconds"]) > 1e3 * LIMIT)),
            "ways": row["instance"].partition("-")[0],
            "customers": row["instance"].partition("-")[2],
        }
        for row in rows
    ]


def _problems(num_customers: int, has_matrix: bool) -> list[bytes]:
    return [
        make_problem(num_customers, seed, has_matrix)
        for seed in range(1, NUM_PROBLEMS + 1)
    ]


def problems() -> list[Case]:
    """Return the problems by number of customers, with and without roads."""
    return [
        Case(f"{name}-{size}", partial(_problems, size, name == "matrix"))
        for name in ("speed", "matrix")
        for size in SIZES
    ]


PAGES = (
    page_of(
        "server",
        "A server that answers in 0.3 s",
        "How long the server of the guide takes to answer, for 20 to 500 "
        "customers with time windows.",
        cases=problems,
        variants=tuple(
            Variant(str(n), partial(ask, clients=n)) for n in (1, 4)
        ),
        columns="instance clients=variant milliseconds cost load_average",
        key="instance variant",
        views=(
            Summary(
                "ways clients customers",
                "median, ms: milliseconds .0f median; "
                "95 %, ms: milliseconds .0f p95; "
                "longest, ms: milliseconds .0f max; "
                "late, %: late .1f; cost: cost .0f",
                derive=with_lateness,
            ),
        ),
    ),
)
"""The page of this file, by which the registry finds it."""
