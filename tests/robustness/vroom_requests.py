"""Requests with every field of VROOM's API, answered beside VROOM.

``python -m tests.robustness.vroom_requests COMMAND`` asks both, where
``COMMAND`` is VROOM's own (that of the package pyvroom), and counts answers
whose code, keys or violations differ, that cost more, or that VROOM says to
break a rule when they come back as steps.
"""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ncc_routing as nr
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.desk.problem import choose_times
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.desk.vroom_answer import code_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]

_SIZE: Final = 12
_SECONDS: Final = 0.5


def _base(rng: random.Random, *, depots: int = 1) -> Json:
    """Return jobs around a depot, with matrices and two vehicles."""
    places = [
        (rng.uniform(0, 3000), rng.uniform(0, 3000))
        for _ in range(_SIZE + depots)
    ]
    far = [
        [round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in places]
        for a, b in places
    ]
    return {
        "jobs": [
            {"id": 100 + at, "location_index": at, "service": 60}
            for at in range(depots, _SIZE + depots)
        ],
        "vehicles": [
            {"id": number, "start_index": 0, "end_index": 0}
            for number in (1, 2)
        ],
        "matrices": {"car": {"durations": far}},
    }


def _each(
    key: str, rows: str, value: Callable[[random.Random], Any]
) -> Callable[[random.Random, Json], None]:
    """Return a change that sets a key of each row."""

    def change(rng: random.Random, problem: Json) -> None:
        for row in problem[rows]:
            row[key] = value(rng)

    return change


def _loads(rng: random.Random, problem: Json) -> None:
    _each("delivery", "jobs", lambda r: [r.randint(1, 5), 1])(rng, problem)
    _each("capacity", "vehicles", lambda _: [30, 9])(rng, problem)


def _pickups(rng: random.Random, problem: Json) -> None:
    _loads(rng, problem)
    for row in problem["jobs"][::2]:
        row["pickup"] = row.pop("delivery")


def _amounts(rng: random.Random, problem: Json) -> None:
    _each("amount", "jobs", lambda r: [r.randint(1, 5)])(rng, problem)
    _each("capacity", "vehicles", lambda _: [25])(rng, problem)


def _windows(rng: random.Random, problem: Json) -> None:
    def window(r: random.Random) -> list[list[int]]:
        early = r.randint(0, 6000)
        return [[early, early + 4000]]

    _each("time_windows", "jobs", window)(rng, problem)


def _two_windows(rng: random.Random, problem: Json) -> None:
    def windows(r: random.Random) -> list[list[int]]:
        early = r.randint(0, 3000)
        return [[early, early + 1500], [early + 6000, early + 9000]]

    _each("time_windows", "jobs", windows)(rng, problem)


def _dates(rng: random.Random, problem: Json) -> None:
    _windows(rng, problem)
    for row in problem["jobs"]:
        row["time_windows"] = [
            [1_790_000_000 + time for time in one]
            for one in row["time_windows"]
        ]


def _shipments(rng: random.Random, problem: Json) -> None:
    jobs = problem.pop("jobs")
    problem["jobs"] = jobs[8:]
    problem["shipments"] = [
        {
            "amount": [rng.randint(1, 5)],
            "pickup": {**one, "id": number},
            "delivery": {**other, "id": number},
        }
        for number, (one, other) in enumerate(
            zip(jobs[:4], jobs[4:8], strict=True), start=1
        )
    ]
    _each("capacity", "vehicles", lambda _: [8])(rng, problem)


def _skills(rng: random.Random, problem: Json) -> None:
    for row in problem["jobs"][:3]:
        row["skills"] = [7]
    problem["jobs"][3]["skills"] = [8]
    problem["vehicles"][0]["skills"] = [7]


def _breaks(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        row["breaks"] = [
            {
                "id": 1,
                "service": 600,
                "time_windows": [[2000, 4000]],
                "description": "lunch",
            }
        ]


def _free_breaks(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        row["breaks"] = [
            {"id": 1, "time_windows": [[2000, 4000]], "service": 0},
            {"id": 2, "service": 300},
        ]


def _loaded_breaks(rng: random.Random, problem: Json) -> None:
    _loads(rng, problem)
    _breaks(rng, problem)
    for row in problem["vehicles"]:
        row["breaks"][0] |= {"max_load": [20, 9], "time_windows": [[0, 9000]]}


def _too_few(_: random.Random, problem: Json) -> None:
    _each("max_tasks", "vehicles", lambda _: 4)(random.Random(0), problem)
    for number, row in enumerate(problem["jobs"]):
        row["priority"] = 10 * (number % 3)


def _no_starts(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        del row["start_index"]


def _no_ends(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        del row["end_index"]


def _places(rng: random.Random, problem: Json) -> None:
    for row in problem["jobs"]:
        row["location"] = [2 + rng.random(), 48 + rng.random()]
    for row in problem["vehicles"]:
        row["start"] = row["end"] = [2.5, 48.5]


def _distances(_: random.Random, problem: Json) -> None:
    matrices = problem["matrices"]["car"]
    matrices["distances"] = [
        [13 * x for x in row] for row in matrices["durations"]
    ]


def _kilometres(rng: random.Random, problem: Json) -> None:
    _distances(rng, problem)
    for row in problem["vehicles"]:
        row["costs"] = {"per_hour": 20, "per_km": 3, "fixed": 50}
        row["max_distance"] = 200_000


def _priced(_: random.Random, problem: Json) -> None:
    matrices = problem["matrices"]["car"]
    matrices["costs"] = [
        [2 * x + 5 * (x > 0) for x in row] for row in matrices["durations"]
    ]


def _fixed(_: random.Random, problem: Json) -> None:
    problem["vehicles"][1]["costs"] = {"fixed": 900}


def _task_hours(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        row["costs"] = {"per_hour": 3600, "per_task_hour": 360}


def _profiles(_: random.Random, problem: Json) -> None:
    far = problem["matrices"]["car"]["durations"]
    slow = [[round(1.4 * x) for x in row] for row in far]
    problem["matrices"]["bike"] = {"durations": slow}
    problem["vehicles"][1]["profile"] = "bike"


def _factors(_: random.Random, problem: Json) -> None:
    problem["vehicles"][1]["speed_factor"] = 1.5


def _setups(_: random.Random, problem: Json) -> None:
    jobs = problem["jobs"]
    jobs[1]["location_index"] = jobs[0]["location_index"]
    for row in jobs:
        row["setup"] = 90


def _by_type(_: random.Random, problem: Json) -> None:
    problem["vehicles"][0]["type"] = "van"
    for row in problem["jobs"]:
        row["service_per_type"] = {"van": 30}
        row["setup_per_type"] = {"van": 10}


def _shifts(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        row["time_window"] = [1000, 9000]


def _limits(_: random.Random, problem: Json) -> None:
    for row in problem["vehicles"]:
        row["max_travel_time"] = 7000


def _unknown(_: random.Random, problem: Json) -> None:
    problem["colour"] = "red"
    problem["vehicles"][0]["plate"] = "B-1"
    for row in problem["jobs"]:
        row["customer"] = {"name": "x"}


_FEATURES: Final = (
    *(_loads, _pickups, _amounts, _windows, _two_windows, _dates),
    *(_shipments, _skills, _breaks, _free_breaks, _loaded_breaks, _too_few),
    *(_no_starts, _no_ends, _places, _distances, _kilometres, _priced),
    *(_fixed, _task_hours, _profiles, _factors, _setups, _by_type),
    *(_shifts, _limits, _unknown),
)
"""One for each field of the API, or several that go together."""


def requests() -> Iterator[tuple[str, Json, bool]]:
    """Yield names, requests, and whether each is in plan mode."""
    for number, change in enumerate(_FEATURES):
        rng = random.Random(number)
        problem = _base(rng)
        change(rng, problem)
        yield change.__name__[1:], problem, False
        planned = copy.deepcopy(problem)
        _plan(rng, planned)
        yield f"{change.__name__[1:]} as planned", planned, True
    for seed in range(60 - 2 * len(_FEATURES)):
        rng = random.Random(1000 + seed)
        problem = _base(rng)
        for change in (_loads, _windows, _shifts, _breaks, _too_few):
            change(rng, problem)
        yield f"mixed {seed}", problem, False


def _plan(rng: random.Random, problem: Json) -> None:
    """Give the first vehicle some tasks as steps, and the other the rest."""
    steps = [{"type": "job", "id": row["id"]} for row in problem["jobs"]]
    rng.shuffle(steps)
    for one in problem.get("shipments", ()):
        for kind in ("pickup", "delivery"):
            steps.append({"type": kind, "id": one[kind]["id"]})
    half = len(steps) // 2
    for row, part in zip(
        problem["vehicles"], (steps[:half], steps[half:]), strict=True
    ):
        breaks = [
            {"type": "break", "id": one["id"]} for one in row.get("breaks", ())
        ]
        row["steps"] = [*part[:3], *breaks, *part[3:]]


def answer_to(problem: Json, *, is_planned: bool) -> Json:
    """Return the answer of this package."""
    options = TableOptions(lenient=True)
    try:
        if is_planned:
            return choose_times(options, problem)
        result = nr.solve(
            nr.read(problem, lenient=True),
            time_limit=_SECONDS,
            allow_unserved=True,
        )
    except NccRoutingError as error:
        return {"code": code_of(error), "error": str(error)}
    return result.to_vroom()


def answer_of(command: str, problem: Json, *, is_planned: bool) -> Json:
    """Return the answer of VROOM."""
    with tempfile.TemporaryDirectory() as folder:
        given, written = Path(folder, "in.json"), Path(folder, "out.json")
        given.write_text(json.dumps(problem), encoding="utf-8")
        called = [command, "-i", str(given), "-o", str(written)]
        mode = ["-c"] if is_planned else []
        run = subprocess.run(
            [*called, *mode], capture_output=True, check=False
        )
        text = written.read_text("utf-8") if written.exists() else run.stdout
        answer: Json = json.loads(text)
        return answer


def keys_of(answer: Json) -> set[str]:
    """Return the paths of all keys, without places in lists."""
    found: set[str] = set()

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            kind = value.get("type", "") if path.endswith("steps") else ""
            for key, one in value.items():
                found.add(f"{path}{kind and f'({kind})'}.{key}")
                walk(f"{path}.{key}", one)
        elif isinstance(value, list):
            for one in value:
                walk(path, one)

    walk("", answer)
    return found


def steps_of(problem: Json, answer: Json) -> Json:
    """Return the request with the routes of an answer as steps."""
    planned = copy.deepcopy(problem)
    rows = {row["id"]: row for row in planned["vehicles"]}
    for route in answer["routes"]:
        rows[route["vehicle"]]["steps"] = [
            {key: step[key] for key in ("type", "id") if key in step}
            for step in route["steps"]
        ]
    return planned


def worse_plan(ours: Json, theirs: Json) -> list[str]:
    """Return what the times of given routes break beyond VROOM's."""
    late = []
    broken = []
    for answer in (ours, theirs):
        steps = [
            (route["vehicle"], at, one)
            for route in answer["routes"]
            for at, step in enumerate([*route["steps"], route])
            for one in step["violations"]
        ]
        late.append(sum(one.get("duration", 0) for *_, one in steps))
        broken.append(
            {
                (*place, one["cause"])
                for *place, one in steps
                if "duration" not in one
            }
        )
    found = []
    if late[0] > late[1]:
        found.append(f"is {late[0]} early or late, not {late[1]}")
    if broken[0] != broken[1]:
        found.append(f"violations {broken[0]}, not {broken[1]}")
    return found


def differences(command: str, problem: Json, *, is_planned: bool) -> list[str]:
    """Return what differs between the answer of this package and VROOM's."""
    ours = answer_to(problem, is_planned=is_planned)
    theirs = answer_of(command, problem, is_planned=is_planned)
    if ours["code"] != theirs["code"]:
        return [f"code {ours['code']} for {theirs['code']}: {ours}"]
    if ours["code"]:
        return []
    found = []
    if not ours["unassigned"]:
        theirs["unassigned"] = []
    lost = keys_of(theirs) - keys_of(ours)
    if lost:
        found.append(f"has no {', '.join(sorted(lost))}")
    if is_planned:
        found += worse_plan(ours, theirs)
    else:
        # The sum of arcs that VROOM states while it searches may be rounded.
        given = steps_of(problem, theirs)
        theirs = answer_of(command, given, is_planned=True)
        back = answer_of(command, steps_of(problem, ours), is_planned=True)
        if back["code"] or back["summary"]["violations"]:
            found.append(f"breaks rules there: {back}")
    prices = [
        (one["summary"]["unassigned"], one["summary"]["cost"])
        for one in (ours, theirs)
    ]
    if prices[0] > prices[1] or (is_planned and prices[0] != prices[1]):
        found.append(f"unassigned and cost {prices[0]}, not {prices[1]}")
    return found


def main(command: str) -> None:
    """Print what differs, request by request."""
    counts = [0, 0]
    for name, problem, is_planned in requests():
        found = differences(command, problem, is_planned=is_planned)
        counts[bool(found)] += 1
        for each in found:
            print(f"{name}: {each}"[:1000], flush=True)
    print(f"{counts[0]} alike, {counts[1]} not")


if __name__ == "__main__":
    main(sys.argv[1])
