"""VROOM's JSON: problems, answers, plan mode, and roads of OSRM."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.core.exceptions import RoutingError
from ncc_routing.desk.osrm import read_roads
from ncc_routing.desk.problem import choose_times
from ncc_routing.desk.table_options import TableOptions
from tests.oracles.vroom import faults_of, random_vroom
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Run

EXAMPLE: dict[str, Any] = {
    "vehicles": [{"id": 0, "start_index": 0, "end_index": 3}],
    "jobs": [
        {"id": 1414, "location_index": 1},
        {"id": 1515, "location_index": 2},
    ],
    "matrices": {
        "car": {
            "durations": [
                [0, 2104, 197, 1299],
                [2103, 0, 2255, 3152],
                [197, 2256, 0, 1102],
                [1299, 3153, 1102, 0],
            ]
        }
    },
}
"""Example 2 of VROOM's documentation."""

LINE: dict[str, Any] = {
    "vehicles": [
        {
            "id": 1,
            "start_index": 0,
            "end_index": 0,
            "capacity": [4],
            "time_window": [100, 500],
            "skills": [1],
        },
        {"id": 2, "start_index": 0, "end_index": 0, "capacity": [4]},
    ],
    "jobs": [
        {"id": 7, "location_index": 1, "delivery": [3], "service": 10},
        {"id": 8, "location_index": 2, "delivery": [2], "skills": [2]},
    ],
    "shipments": [
        {
            "amount": [1],
            "pickup": {"id": 7, "location_index": 3},
            "delivery": {"id": 7, "location_index": 1},
        }
    ],
    "matrix": [[10 * abs(i - j) for j in range(4)] for i in range(4)],
}
"""Four places on a line, 10 s between neighbours."""


def test_example_of_the_documentation() -> None:
    """The steps of VROOM's own answer."""
    answer = nr.solve(EXAMPLE, time_limit=0.2).to_vroom()
    [route] = answer["routes"]
    assert (answer["code"], route["vehicle"], route["cost"]) == (0, 0, 5461)
    assert [
        (one["type"], one.get("id"), one["location_index"], one["arrival"])
        for one in route["steps"]
    ] == [
        ("start", None, 0, 0),
        ("job", 1414, 1, 2104),
        ("job", 1515, 2, 4359),
        ("end", None, 3, 5461),
    ]


@pytest.mark.parametrize("seed", seeds(200))
def test_answers_keep_every_rule(seed: int) -> None:
    """By a check of its own, which knows VROOM's API alone."""
    problem = random_vroom(seed, 5 + seed % 9)
    result = nr.solve(problem, time_limit=0.1, allow_unserved=True)
    assert faults_of(problem, result.to_vroom()) == []


def test_answer_is_a_plan(tmp_path: Path, run: Run) -> None:
    """``check`` takes it, and a problem may begin with its routes."""
    file, answer = tmp_path / "line.json", tmp_path / "answer.json"
    problem = deepcopy(LINE)
    problem["vehicles"][1]["skills"] = [2]
    file.write_text(json.dumps(problem))
    run.succeeds("solve", file, "--time-limit 0.2 --format vroom -o", answer)
    assert run.json("check", file, answer, "--json")["feasible"]
    routes = json.loads(answer.read_text())["routes"]
    for route in routes:
        [one] = (v for v in problem["vehicles"] if v["id"] == route["vehicle"])
        one["steps"] = route["steps"]
    assert nr.solve(problem, time_limit=0.1).method == "initial-solution"
    problem["vehicles"][0]["steps"] = problem["vehicles"][1]["steps"] = [
        {"type": "job", "id": 7}
    ]
    with pytest.raises(nr.InstanceError, match="7 must appear once"):
        nr.solve(problem)


def test_tables_are_answered_as_well(tmp_path: Path) -> None:
    """Ids and names are descriptions, nodes and vehicles are numbered."""
    tables = [{"id": "yard", "x": 0, "y": 0}, {"id": "ann", "x": 3, "y": 4}]
    result = nr.solve(
        nr.read(tables, [{"vehicle": "van", "capacity": 2}]), time_limit=0.1
    )
    result.write(tmp_path / "a.json", format="vroom")
    answer = json.loads((tmp_path / "a.json").read_text())
    [route] = answer["routes"]
    step = route["steps"][1]
    assert (route["vehicle"], route["description"]) == (1, "van")
    assert (step["id"], step["description"], step["location"]) == (
        *(1, "ann"),
        [3.0, 4.0],
    )
    with pytest.raises(nr.ParameterError, match="format"):
        result.write(tmp_path / "a.json", format="xml")


WRONG: list[tuple[tuple[object, ...], object, str]] = [
    (("vehicles",), [], "vehicles: there must be one"),
    (("jobs",), 3, "jobs: must be a list"),
    (("colour",), 1, "colour: is not known"),
    (("jobs", 0, "colour"), 1, r"jobs\[0\].colour: is not known"),
    (("vehicles", 1, "id"), 1, r"vehicles\[1\].id"),
    (("vehicles", 1, "steps"), [{"type": "x"}], r"vehicles\[1\].steps\[0\]"),
    (("jobs", 1, "id"), 7, r"jobs\[1\].id"),
    (("jobs", 1, "service"), -1, r"jobs\[1\].service"),
    (("jobs", 1, "service"), 2.5, r"jobs\[1\].service"),
    (("jobs", 1, "delivery"), [1, 2], r"jobs\[1\].delivery: must hold 1"),
    (("jobs", 1, "time_windows"), [], r"jobs\[1\].time_windows"),
    (("jobs", 1, "time_windows"), [[2, 1]], r"time_windows\[0\]"),
    (("jobs", 1, "time_windows"), [3], r"time_windows\[0\]"),
    (("jobs", 1, "location_index"), 4, r"jobs\[1\].location_index"),
    (("jobs", 1, "priority"), 101, r"jobs\[1\].priority"),
    (("jobs", 1, "amount"), [1], r"jobs\[1\].amount"),
    (("shipments", 0, "pickup", "id"), "a", r"shipments\[0\].pickup.id"),
    (("vehicles", 0, "capacity"), [1, 2], r"vehicles\[1\].capacity"),
    (("vehicles", 0, "profile"), "bike", "matrices: must have"),
    (("vehicles", 0, "costs"), {"per_km": 1}, "must have distances"),
    (("vehicles", 0, "max_distance"), 9, r"\[0\].max_distance: needs dist"),
    (("matrix", 0, 1), True, r"matrix\[0\].*True"),
    (
        ("vehicles", 0, "breaks"),
        2 * [{"id": 1, "service": 1}],
        r"breaks\[1\].id: must be that of one",
    ),
    (
        ("vehicles", 0, "breaks"),
        [{"id": i, "service": 1} for i in range(7)],
        r"vehicles\[0\].breaks: must be 6 at most",
    ),
    (("jobs", 0, "service_per_type"), {"a": -1}, r"service_per_type.a"),
    (("matrix",), [[0, 1], [1]], "matrix: must be a square"),
    (("matrix",), [[0, -1], [1, 0]], r"matrix\[0\]: must hold whole"),
    (("matrix",), [[0, 1], ["1", 0]], r"matrix\[1\]: must hold whole"),
    (("matrix",), [[0, 2**32], [1, 0]], r"matrix\[0\]: must hold whole"),
    (("matrix",), [[0, 10**30], [1, 0]], r"matrix\[0\]: must hold whole"),
    (("vehicles", 1, "steps"), [{"type": "break", "id": 1}], "of a break"),
    (
        ("vehicles", 1, "steps"),
        [{"type": "start", "service_at": "x"}],
        r"steps\[0\].service_at",
    ),
    (("matrices",), {"car": {"costs": [[0]]}}, "car.durations"),
    (("vehicles", 1), {"start_index": 0}, r"\[1\].id: must be there"),
    (("shipments",), [{"amount": [1]}], r"\[0\].pickup: must be there"),
]


@pytest.mark.parametrize(("path", "value", "words"), WRONG)
def test_wrong_entries_are_named(
    path: tuple[Any, ...], value: object, words: str
) -> None:
    """By their path in the JSON."""
    problem: Any = deepcopy(LINE)
    place = problem
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(nr.InstanceError, match=words):
        nr.read(problem)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"distance_matrix": [[0]], "num_vehicles": 1}, "OR-Tools"),
        ({"plan": {"jobs": []}, "fleet": {}}, "reinterpretcat"),
        ({"model": {}}, "Google"),
        ({"modelInput": {}}, "Timefold"),
    ],
)
def test_other_tools_are_named(content: dict[str, Any], words: str) -> None:
    """Their JSON is not read as a table."""
    with pytest.raises(nr.UnsupportedProblemError, match=words):
        nr.read(content)


def test_unknown_keys_are_given_back(
    tmp_path: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """Where they are to be kept; they are told once, and refused else."""
    problem = deepcopy(LINE)
    problem |= {"colour": "red", "code": 7}
    problem["vehicles"][1] |= {"plate": "B-1", "skills": [2]}
    for vehicle, place in zip(problem["vehicles"], "xy", strict=True):
        vehicle["costs"] = {"per_mile": 3}
        vehicle["breaks"] = [
            {"id": 5, "service": 9, "time_windows": [[0, 900]], "room": place}
        ]
    for job in problem["jobs"]:
        job |= {"customer": {"name": "ann"}, "arrival": "late"}
    problem["shipments"][0] |= {"ref": "a"}
    problem["shipments"][0]["pickup"]["dock"] = 4
    file, written = tmp_path / "a.json", tmp_path / "b.json"
    file.write_text(json.dumps(problem))
    run.fails(1, "colour: is not known", "solve", file, "--time-limit 0.1")
    result = nr.solve(nr.read(file, lenient=True), time_limit=0.1)
    assert "keys that are not read: vehicles[].costs.per_mile" in caplog.text
    assert caplog.text.count("customer") == 1
    answer = nr.Result.from_json(result.to_json()).to_vroom()
    assert (answer["colour"], answer["code"]) == ("red", 0)
    plates = {one["vehicle"]: one.get("plate") for one in answer["routes"]}
    assert plates == {1: None, 2: "B-1"} or plates == {2: "B-1"}
    tasks = {
        (step["type"], step["id"]): step
        for route in answer["routes"]
        for step in route["steps"]
        if "id" in step
    }
    job = tasks["job", 8]
    assert (job["customer"], type(job["arrival"])) == ({"name": "ann"}, int)
    assert (tasks["pickup", 7]["ref"], tasks["pickup", 7]["dock"]) == ("a", 4)
    assert "dock" not in tasks["delivery", 7]
    for route in answer["routes"]:
        assert route["costs"] == {"per_mile": 3}
        rooms = [step.get("room") for step in route["steps"]]
        assert [each for each in rooms if each] == ["xy"[route["vehicle"] - 1]]
    run.succeeds(
        f"solve {file} --lenient --time-limit 0.1 --format vroom -o {written}"
    )
    assert run.json(f"check {file} {written} --lenient --json")["feasible"]
    with pytest.raises(nr.ParameterError, match="lenient goes with VROOM"):
        nr.read([{"id": 1, "x": 1, "y": 2}], capacity=1, lenient=True)


def test_answers_have_every_key_of_vroom() -> None:
    """Places of open ends, times of the work, and breaks of no length."""
    problem = deepcopy(EXAMPLE)
    [vehicle] = problem["vehicles"]
    del vehicle["start_index"]
    vehicle["breaks"] = [{"id": 5, "time_windows": [[100, 3000]]}]
    answer = nr.solve(problem, time_limit=0.1).to_vroom(loading=0.012)
    times = answer["summary"]["computing_times"]
    assert (times["loading"], times["routing"]) == (12, 0)
    assert times["solving"] > 0
    [route] = answer["routes"]
    places = [step.get("location_index") for step in route["steps"]]
    assert places in ([1, 1, None, 2, 3], [1, 1, 2, None, 3])
    assert route["cost"] == 2255 + 1102


def test_plan_mode_says_what_is_broken() -> None:
    """Earliest times of the least violations, by hand.

    Vehicle 1 carries 5 of 4, lacks the skill 2, and would have to reach 8
    (20 s away) by 110, so that it leaves at 90 rather than 100. Vehicle 2 has
    the delivery before its pickup.
    """
    problem = deepcopy(LINE)
    problem["jobs"][1]["time_windows"] = [[0, 110]]
    first, second = problem["vehicles"]
    first["steps"] = [
        {"type": "start"},
        {"type": "job", "id": 8},
        {"type": "job", "id": 7, "service_after": 200},
    ]
    second["steps"] = [
        {"type": "delivery", "id": 7},
        {"type": "pickup", "id": 7},
    ]
    answer = choose_times(TableOptions(), problem)
    assert answer["unassigned"] == []
    one, two = answer["routes"]
    assert [step["arrival"] for step in two["steps"]] == [0, 10, 30, 60]
    assert two["violations"] == [{"cause": "precedence"}]
    times = [(step["arrival"], step["waiting_time"]) for step in one["steps"]]
    assert times in (
        [(100, 0), (120, 0), (130, 70), (220, 0)],
        [(90, 0), (110, 0), (120, 80), (220, 0)],
    )
    first["max_travel_time"] = 25
    second["breaks"] = [{"id": 1, "service": 5}]
    limited = choose_times(TableOptions(), problem)["routes"]
    too_long = [
        {"cause": "max_travel_time"} in step["violations"]
        for step in limited[0]["steps"]
    ]
    assert too_long == [False, False, True, True]
    assert {"cause": "missing_break"} in limited[1]["violations"]
    del first["max_travel_time"], second["breaks"]
    causes = {each["cause"]: each for each in one["violations"]}
    timed = causes.keys() & {"lead_time", "delay"}
    assert causes.keys() - timed == {"load", "skills"}
    assert sum(causes[cause]["duration"] for cause in timed) == 10
    second["steps"][0]["service_at"] = 5
    with pytest.raises(nr.InstanceError, match=r"vehicles\[1\].steps: cannot"):
        choose_times(TableOptions(), problem)
    problem["matrix"] = [
        [0 if i == j else 2**32 - 1 for j in range(4)] for i in range(4)
    ]
    with pytest.raises(nr.InstanceError, match="no road"):
        choose_times(TableOptions(), problem)


class _Osrm(BaseHTTPRequestHandler):
    """A table of OSRM: 10 m for each thousandth of a degree, at 2 m/s."""

    def do_GET(self) -> None:
        """Answer a table."""
        path, _, query = self.path.partition("?")
        lons = [float(p.split(",")[0]) for p in path.split("/")[-1].split(";")]
        asked = dict(part.split("=") for part in query.split("&"))
        rows, columns = (
            [int(k) for k in asked[key].split(";")]
            if key in asked
            else range(len(lons))
            for key in ("sources", "destinations")
        )
        table = [
            [10 * round(1000 * abs(lons[i] - lons[j])) for j in columns]
            for i in rows
        ]
        content: dict[str, object] = {
            "code": "Ok",
            "distances": table,
            "durations": [[x / 2 for x in row] for row in table],
        }
        if len(lons) > 100:
            content = {"code": "TooBig", "message": "too many"}
        if lons[0] == 0:
            content = {"code": "Ok", "durations": [[0]]}
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _osrm() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Osrm) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_coordinates_make_no_matrix() -> None:
    """Of many places, at the speed of each vehicle."""
    problem: dict[str, Any] = {
        "vehicles": [
            {"id": 1, "start": [8.0, 50.0], "speed_factor": 0.5},
            {"id": 2, "start": [8.0, 50.0], "end": [8.0, 50.0]},
        ],
        "jobs": [{"id": 1, "location": [8.0, 50.1], "skills": [1]}],
    }
    problem["vehicles"][0]["skills"] = [1]
    instance = nr.read(problem)
    assert (instance.matrix, instance.durations) == (None, None)
    # 11,119.5 m times 1.3 at 40 km/h, for the slow one twice.
    [route] = nr.solve(problem, time_limit=0.1).to_vroom()["routes"]
    assert (route["cost"], route["distance"]) == (2602, 14455)
    # A price of tasks changes nothing about the way.
    problem["vehicles"][0]["costs"] = {"per_task_hour": 3600}
    problem["jobs"][0]["service"] = 60
    [route] = nr.solve(problem, time_limit=0.1).to_vroom()["routes"]
    assert (route["cost"], route["distance"]) == (2662, 14455)
    problem["jobs"][0]["location_index"] = "1"
    with pytest.raises(nr.InstanceError, match="location_index: must be a wh"):
        nr.read(problem)


def test_roads_of_osrm(tmp_path: Path, run: Run) -> None:
    """In requests of 100 places, for VROOM's JSON and for tables."""
    import numpy as np

    with _osrm() as address:
        lons = 1 + np.arange(130) / 1000
        roads = read_roads(address, np.column_stack([lons, lons]))
        steps = np.abs(np.arange(130)[:, None] - np.arange(130))
        assert (roads.distances == 10 * steps).all()
        assert (roads.durations == 5 * steps).all()
        with pytest.raises(RoutingError, match="distances"):
            read_roads(address, np.zeros((2, 2)))
        problem = {
            "vehicles": [{"id": 1, "start": [1, 1], "end": [1, 1]}],
            "jobs": [{"id": 1, "location": [1.2, 1]}],
        }
        file = tmp_path / "job.json"
        file.write_text(json.dumps(problem))
        words = ("solve", file, "--time-limit 0.1 --format vroom --osrm")
        answer = json.loads(run.succeeds(*words, address).out)
        assert answer["summary"]["cost"] == 2 * 1000
        rows = [{"lon": 1, "lat": 1}, {"lon": 1.1, "lat": 1}]
        table = nr.read(rows, capacity=1, osrm=address)
        assert nr.solve(table, time_limit=0.1).cost == 2 * 1000
    refused = run(*words, "http://127.0.0.1:9")
    assert refused.code == json.loads(refused.out)["code"] == 3


def test_exit_codes_are_those_of_vroom(tmp_path: Path, run: Run) -> None:
    """0 with unassigned tasks, 2 for bad input, with the answer as JSON."""
    file = tmp_path / "line.json"
    file.write_text(json.dumps(LINE))  # nobody has the skill 2
    words = ("solve", file, "--time-limit 0.2")
    assert run(*words).code == 3
    answer = json.loads(run.succeeds(*words, "--format vroom").out)
    [left] = answer["unassigned"]
    assert (left["type"], left["id"], left["location_index"]) == ("job", 8, 2)
    assert left["reason"] == "1: lacks 2"
    file.write_text(json.dumps({**LINE, "jobs": 3}))
    refused = run(*words, "--format vroom")
    assert refused.code == json.loads(refused.out)["code"] == 2


@pytest.mark.parametrize(("rows", "setup"), [((1, 2), 180), ((1, 1), 90)])
def test_a_row_of_a_matrix_is_a_place(
    rows: tuple[int, int], setup: int
) -> None:
    """It needs a set-up, though the way there takes no whole second."""
    content = {
        "vehicles": [{"id": 1, "start_index": 0, "end_index": 0}],
        "jobs": [
            {"id": number, "location_index": row, "setup": 90, "service": 10}
            for number, row in enumerate(rows)
        ],
        "matrices": {"car": {"durations": [[0, 0, 0]] * 3}},
    }
    answer = nr.solve(content, nr.stop.MaxIterations(20)).to_vroom()
    assert answer["summary"]["setup"] == setup
    steps = answer["routes"][0]["steps"]
    assert [step["setup"] for step in steps[1:3]] == [90, setup - 90]
