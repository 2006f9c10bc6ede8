"""`ncc-route serve` under load, and beside clients that misbehave."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.dispatch import orders_of_a_depot
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.processes import COMMAND
from benchmarks.harness.views import Summary
from ncc_routing.desk.vroom import routes_of_steps
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.harness.experiment import Allowance

Json = dict[str, Any]

NUM_CLIENTS, NUM_JOBS = 16, 200
LIMIT: Final = 1.0
WORKERS: Final = 2

MINUTE: Final = 60.0
MINUTES: Final = 10

PAUSE: Final = 7.0
"""Mean seconds of a client between two requests, in every second minute. In
the others it asks at once, and all but two wait or are sent away."""

AT_ONCE: Final = 0.01
"""Seconds that a request may have waited for a worker, and not count so."""

MISDEEDS: Final = 5
"""Times that each client of the last minute misbehaves."""


@dataclass
class Tally:
    """What clients got within a minute."""

    waited: list[float] = field(default_factory=list)
    at_once: list[float] = field(default_factory=list)
    busy: int = 0
    failed: int = 0
    clear: int = 0
    last: dict[int, Json] = field(default_factory=dict)


def problems() -> list[Json]:
    """Return a problem for each client, the odd ones on straight lines."""
    found = []
    for number in range(NUM_CLIENTS):
        problem = orders_of_a_depot(NUM_JOBS, 98_001 + number)
        if number % 2:
            del problem["matrices"]
            rng = np.random.default_rng(number)
            shape = (NUM_JOBS + 1, 2)
            depot, *places = rng.normal([2.35, 48.86], 0.06, shape).tolist()
            for job, place in zip(problem["jobs"], places, strict=True):
                del job["location_index"]
                job["location"] = place
            for van in problem["vehicles"]:
                del van["start_index"], van["end_index"]
                van["start"] = van["end"] = depot
        found.append({**problem, "options": {"l": LIMIT}})
    return found


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Yield the process and the port of a service."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    options = {"port": port, "time-limit": LIMIT, "workers": WORKERS}
    words = [f"--{name}={value}" for name, value in options.items()]
    with subprocess.Popen(
        [*COMMAND, "serve", *words], stderr=subprocess.DEVNULL
    ) as process:
        try:
            for _ in range(600):
                time.sleep(0.1)
                with suppress(OSError):
                    ask(port, "GET", "/health")
                    break
            yield process.pid, port
        finally:
            process.send_signal(signal.SIGINT)


def ask(
    port: int, method: str, path: str, body: Any = None
) -> tuple[int, bytes, http.client.HTTPMessage]:
    """Return status, content and headers of an answer."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=MINUTE)
    try:
        link.request(method, path, body)
        reply = link.getresponse()
        return reply.status, reply.read(), reply.headers
    finally:
        link.close()


def client(
    number: int,
    body: bytes,
    port: int,
    tallies: list[Tally],
    lock: threading.Lock,
    end: float,
) -> None:
    """Ask again and again, and come back where the service is busy."""
    rng = np.random.default_rng(number)
    begin = end - MINUTE * len(tallies)
    while (now := time.monotonic()) < end:
        minute = int((now - begin) / MINUTE)
        own = tallies[minute]
        try:
            status, content, headers = ask(port, "POST", "/", body)
        except OSError:
            status, content, headers = 0, b"", http.client.HTTPMessage()
        seconds = time.monotonic() - now
        pause = 0.0 if minute % 2 == 0 else float(rng.exponential(PAUSE))
        with lock:
            if status == http.HTTPStatus.OK:
                own.last[number] = json.loads(content)
                stated = headers["Server-Timing"].rpartition("=")[2]
                has_waited = float(stated) / 1000.0 > AT_ONCE
                (own.waited if has_waited else own.at_once).append(seconds)
            elif status == http.HTTPStatus.SERVICE_UNAVAILABLE:
                own.busy += 1
                pause = float(headers["Retry-After"])
            else:
                own.failed += 1
                own.clear += b"error" in content
        time.sleep(max(0.0, min(pause, end - time.monotonic())))


def family(pid: int) -> list[int]:
    """Return a process and its children."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *map(int, file.read_text("utf-8").split())]


def measured(pid: int) -> tuple[float, float]:
    """Return the MiB and the seconds of a core of a process and children."""
    kib = ticks = 0
    for one in family(pid):
        with suppress(OSError):
            lines = Path(f"/proc/{one}/smaps_rollup").read_text("utf-8")
            kib += int(lines.partition("\nPss:")[2].split()[0])
            times = Path(f"/proc/{one}/stat").read_text("utf-8")
            # Those of children that have ended are the last two.
            ticks += sum(map(int, times.rpartition(")")[2].split()[11:15]))
    return kib / 1024, ticks / os.sysconf("SC_CLK_TCK")


def misbehave(pid: int, port: int, body: bytes, found: list[str]) -> None:
    """Kill a worker, and send what is broken, too large or too slow.

    ``found`` gets what was not answered by the error that is due, nor sent
    away because all workers are busy.
    """
    large = b" " * 1_000_000
    due: list[tuple[int, Any]] = [
        (400, b'{"jobs": [{"id"'),
        (413, b" " * 100_000_000),
        (413, (large for _ in range(100))),
    ]
    for status, content in due:
        # The service may close before all is sent.
        with suppress(BrokenPipeError, ConnectionResetError):
            got, reply, _ = ask(port, "POST", "/", content)
            if got not in (status, 503) or b"error" not in reply:
                found.append(f"{got} instead of {status}")
    with socket.create_connection(("127.0.0.1", port)) as link:
        head = f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
        link.sendall(head.encode() + b"\r\n" + body[:10])
        link.settimeout(MINUTE)
        if b"408" not in link.recv(100):
            found.append("a slow sender is not told")
    os.kill(family(pid)[-1], signal.SIGKILL)


def loaded(tasks: list[Json], _seed: int, budget: Allowance) -> list[Json]:
    """Let clients ask for minutes, and then one beside some that misbehave.

    A row for each minute follows one for all but the last.
    """
    bodies = [json.dumps(task).encode() for task in tasks]
    count = int(float(budget or MINUTES)) + 1
    tallies = [Tally() for _ in range(count)]
    faults: list[str] = []
    lock = threading.Lock()
    with served() as (pid, port):
        end = time.monotonic() + MINUTE * count
        threads = [
            threading.Thread(
                target=client, args=(number, body, port, tallies, lock, end)
            )
            for number, body in enumerate(bodies)
        ]
        for thread in threads:
            thread.start()
        rows = []
        before = measured(pid)[1]
        for minute in range(count):
            until = end - MINUTE * (count - 1 - minute)
            rude: list[threading.Thread] = []
            if minute == count - 1:
                rude = [
                    threading.Timer(
                        number, misbehave, (pid, port, bodies[0], faults)
                    )
                    for number in range(MISDEEDS)
                ]
            for thread in rude:
                thread.start()
            memory = []
            while time.monotonic() < until:
                memory.append(measured(pid)[0])
                time.sleep(0.5)
            cpu = measured(pid)[1]
            rows.append(
                {
                    "memory_mib": round(float(np.mean(memory)), 1),
                    "most_mib": round(max(memory), 1),
                    "server_cpu_seconds": round(cpu - before, 1),
                    "load_average": round(os.getloadavg()[0], 1),
                }
            )
            before = cpu
        for thread in threads:
            thread.join()
        lives = ask(port, "GET", "/health")[0] == http.HTTPStatus.OK
    instances = [nr.read(task) for task in tasks]
    minutes = [
        {
            **row,
            "minute": str(number),
            "clients": "with pauses" if number % 2 == 0 else "at once",
            **summed_up([tally], instances),
        }
        for number, (row, tally) in enumerate(
            zip(rows, tallies, strict=True), start=1
        )
    ]
    *_, last = minutes
    last["clients"] += ", some rude"
    last["feasible"] = last["feasible"] and lives and not faults
    last["error"] = "; ".join(faults)
    whole = {
        "minute": f"1-{count - 1}",
        "clients": "all",
        **summed_up(tallies[:-1], instances),
    }
    return [whole, *minutes]


def summed_up(tallies: list[Tally], instances: list[nr.Instance]) -> Json:
    """Return what clients got, in seconds and numbers of requests."""
    waited = [one for tally in tallies for one in tally.waited]
    at_once = [one for tally in tallies for one in tally.at_once]
    row: Json = {
        "answered": len(waited) + len(at_once),
        "busy": sum(tally.busy for tally in tallies),
        "failed": sum(tally.failed for tally in tallies),
        "feasible": all(
            tally.clear == tally.failed
            and not any(
                broken(instances[number], answer)
                for number, answer in tally.last.items()
            )
            for tally in tallies
        ),
    }
    for name, seconds in (("at_once", at_once), ("waited", waited)):
        row[f"num_{name}"] = len(seconds)
        if seconds:
            row[f"p95_{name}"] = round(float(np.percentile(seconds, 95)), 3)
            row[f"most_{name}"] = round(max(seconds), 3)
    return row


def broken(instance: nr.Instance, answer: Json) -> list[Any]:
    """Return what an answer breaks, but for jobs that it does not serve."""
    routes = routes_of_steps("answer", answer, instance)
    plan = Solution.from_routes(instance, *routes)
    found = check_solution(instance, plan)
    return [each for each in found if each.kind != "missing"]


def clients_of_a_service() -> list[Case]:
    """Return one case: a problem for each client."""
    return [Case("clients", problems)]


EXPERIMENTS = (
    Experiment(
        "server",
        cases=clients_of_a_service,
        variants=(Variant("serve", loaded),),
        columns="minutes=budget minute clients answered busy failed "
        "num_at_once p95_at_once most_at_once num_waited p95_waited "
        "most_waited memory_mib most_mib server_cpu_seconds load_average "
        "feasible",
        key="budget",
        budgets=(float(MINUTES),),
        views=(
            Summary(
                "minute clients",
                "answered: answered .0f; 503: busy .0f; failed: failed .0f; "
                "at once: num_at_once .0f; 95 %, s: p95_at_once; "
                "longest: most_at_once; waited: num_waited .0f; "
                "95 %, s: p95_waited; longest: most_waited; "
                "MiB: memory_mib .0f; CPU, s: server_cpu_seconds .0f; "
                "load: load_average .1f",
            ),
        ),
        setting={
            "num_clients": NUM_CLIENTS,
            "num_jobs": NUM_JOBS,
            "limit_seconds": LIMIT,
            "workers": WORKERS,
        },
    ),
)
