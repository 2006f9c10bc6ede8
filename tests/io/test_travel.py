"""Travel times: routing engines, matrices and speeds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.matrices import read_travel
from ncc_routing.desk.travel import metres_a_second
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.distances import ROUNDINGS
from tests.oracles.refusals import written

if TYPE_CHECKING:
    from pathlib import Path

METRES: list[list[Any]] = [[0, 900, 1500], [800, 0, None], [1400, 700, 0]]
SECONDS: list[list[Any]] = [[0, 90.5, 150], [80, 0, None], [140, 70, 0]]
OSRM: dict[str, Any] = {
    "code": "Ok",
    "distances": METRES,
    "durations": SECONDS,
    "sources": [{"location": [2.3, 48.8]}] * 3,
    "destinations": [{"location": [2.3, 48.8]}] * 3,
    "data_version": "2026-05-04",
}
ROWS: dict[str, Any] = {
    "id": ["home", "ann", "bob"],
    "lon": [2.35, 2.36, 2.30],
    "lat": [48.85, 48.86, 48.87],
    "demand": [0, 1, 1],
}
CLOCK: dict[str, Any] = {**ROWS, "due": ["", "8:30", "9:00"]}


def plain(rows: list[list[Any]]) -> list[list[float]]:
    """Return rows with infinity where nothing stands."""
    return [[np.inf if v is None else float(v) for v in row] for row in rows]


def objects(scale: float) -> list[list[dict[str, Any]]]:
    """Return the same ways as Valhalla lists them."""
    return [
        [
            {"distance": None if m is None else m / scale, "time": s}
            for m, s in zip(metres, seconds, strict=True)
        ]
        for metres, seconds in zip(METRES, SECONDS, strict=True)
    ]


@pytest.mark.parametrize(
    "content",
    [
        OSRM,
        {"sources_to_targets": objects(1000), "units": "kilometers"},
        {"sources_to_targets": objects(1609.344), "units": "miles"},
        {
            "distances": [
                [None if m is None else m / 1000 for m in row]
                for row in METRES
            ],
            "durations": SECONDS,
            "sources": OSRM["sources"],
            "metadata": {"service": "matrix", "query": {"units": "km"}},
        },
        {"distances": METRES, "times": SECONDS, "info": {}, "hints": []},
        {
            "matrixId": "a",
            "matrix": {
                "numOrigins": 3,
                "numDestinations": 3,
                "distances": [m or 0 for row in METRES for m in row],
                "travelTimes": [s or 0 for row in SECONDS for s in row],
                "errorCodes": [0, 0, 0, 0, 0, 3, 0, 0, 0],
            },
        },
        {
            "status": "OK",
            "origin_addresses": ["a", "b", "c"],
            "destination_addresses": ["a", "b", "c"],
            "rows": [
                {
                    "elements": [
                        {"status": "ZERO_RESULTS"}
                        if m is None
                        else {
                            "status": "OK",
                            "distance": {"value": m},
                            "duration": {"value": s},
                        }
                        for m, s in zip(*rows, strict=True)
                    ]
                }
                for rows in zip(METRES, SECONDS, strict=True)
            ],
        },
        [
            {
                "originIndex": row,
                "destinationIndex": column,
                "distanceMeters": METRES[row][column],
                "duration": f"{SECONDS[row][column]}s",
                "condition": "ROUTE_NOT_FOUND"
                if METRES[row][column] is None
                else "ROUTE_EXISTS",
            }
            for row in range(3)
            for column in (2, 1, 0)
        ],
        {
            "algorithm": "costmatrix",
            "sources_to_targets": {
                "shapes": [],
                "distances": [
                    [None if v is None else v / 1000 for v in row]
                    for row in METRES
                ],
                "durations": SECONDS,
            },
        },
    ],
)
def test_answers_of_routing_engines(content: Any, tmp_path: Path) -> None:
    """Both matrices at once, in metres and seconds; null is no way."""
    file = written(tmp_path, json.dumps(content), "ways.json")
    sources = (file, content) if isinstance(content, dict) else (file,)
    for source in sources:
        instance = nr.read(CLOCK, capacity=3, matrix=source)
        assert instance.matrix is not None
        assert instance.durations is not None
        assert instance.matrix == pytest.approx(np.array(plain(METRES)))
        assert instance.durations.tolist() == plain(SECONDS)
        assert instance.has_forbidden_arcs
        assert instance.has_metres
    best = nr.solve(instance, time_limit=0.3).best
    assert [1, 2] not in [list(route) for route in best.routes]
    assert nr.check_solution(instance, best) == []


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_all_searches_go_by_a_detour(rounding: str) -> None:
    """The checker computes lengths with its own code."""
    instance = replace(generate_uchoa(60, 1), rounding=rounding, detour=1.3)
    for polish in ("none", "auto"):
        stop = nr.stop.MaxIterations(300)
        found = nr.solve(instance, stop, polish=polish).best
        assert nr.check_solution(instance, found) == []


def test_a_detour_makes_straight_lines_longer() -> None:
    """Before they are rounded, and the durations with them."""
    straight = nr.read(ROWS, capacity=3)
    longer = nr.read(ROWS, capacity=3, detour=1.3, speed="36km/h")
    exact = nr.read(ROWS, capacity=3, rounding="none")
    expected = np.floor(1.3 * exact.distances(range(3), range(3)) + 0.5)
    arcs = np.ix_(range(3), range(3))
    assert longer.lengths(*arcs).tolist() == expected.tolist()
    times = np.rint(expected / 10)
    assert longer.travel_times(*arcs).tolist() == times.tolist()
    assert (straight.detour, longer.detour) == (None, 1.3)
    assert longer.has_metres
    result = nr.solve(longer, time_limit=0.3)
    assert "note      distances are straight lines times 1.3" in (
        result.summary()
    )
    for wrong in (0.9, 11, True, "far", float("nan")):
        with pytest.raises(nr.ParameterError, match="detour must"):
            nr.read(ROWS, capacity=3, detour=wrong)  # type: ignore[arg-type]
    with pytest.raises(nr.ParameterError, match="not for a matrix"):
        nr.read(ROWS, capacity=3, matrix=OSRM, detour=1.3)


def test_arcs_that_are_forbidden_are_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """By both matrices together, with the ids of the table."""
    rows = [{"id": name, "demand": k} for k, name in enumerate("abc")]
    most = 2**31 - 1
    distances = [[0, 9, most], [9, 0, 9], [9, 9, 0]]
    durations = [[0, 1, None], [1, 0, 1], [1, None, 0]]
    content = {"distances": distances, "durations": durations}
    nr.read(rows, capacity=3, matrix=content, time_unit="s")
    [message] = (record.getMessage() for record in caplog.records)
    assert message.endswith(
        ": 2 forbidden arcs (length 2147483647 or missing), such as that from "
        "a to c."
    )


def test_marks_keep_their_meaning_in_another_unit() -> None:
    """They are no minutes, and no kilometres."""
    rows = [{"id": "a"}, {"id": "b", "demand": 1}, {"id": "c", "demand": 1}]
    matrix = [[0, 2, 2**31 - 1], [2, 0, 2], [2, 2, 0]]
    found = nr.read(rows, capacity=3, durations=matrix, time_unit="min")
    cells = {"distances": matrix, "durations": matrix}
    ours = {"sources_to_targets": cells, "units": "kilometers"}
    assert found.has_forbidden_arcs
    engine = nr.read(rows, capacity=3, matrix=ours)
    assert np.asarray(engine.matrix)[0].tolist() == [0, 2000, np.inf]


def test_durations_alone_are_what_is_driven() -> None:
    """As OSRM answers by default; a limit of distances is refused then."""
    content = {"code": "Ok", "durations": SECONDS}
    instance = nr.read(CLOCK, capacity=3, matrix=content)
    assert instance.matrix is not None
    assert instance.matrix.tolist() == plain(SECONDS)
    vehicles = {"capacity": [3], "max_distance_km": [9]}
    with pytest.raises(nr.InstanceError, match="max_distance_km: needs dist"):
        nr.read(CLOCK, matrix=content, vehicles=vehicles)
    beside = nr.read(CLOCK, capacity=3, durations=content)
    assert beside.matrix is None
    assert beside.durations is not None
    assert beside.durations.tolist() == plain(SECONDS)


def test_plain_durations_have_a_unit(tmp_path: Path) -> None:
    """Said once; a matrix with ids is put in order, with decimal commas."""
    text = ";home;bob;ann\nhome;0;2,5;1,5\nbob;2;0;1\nann;1;1;0\n"
    file = written(tmp_path, text)
    with pytest.raises(nr.InstanceError, match="durations: has numbers"):
        nr.read(CLOCK, capacity=3, durations=file)
    instance = nr.read(CLOCK, capacity=3, durations=file, time_unit="min")
    assert instance.durations is not None
    assert instance.durations.tolist()[0] == [0, 90, 150]
    numbers = {**ROWS, "due": [99, 30, 40]}
    same = nr.read(numbers, capacity=3, durations=file)
    assert same.durations is not None
    assert same.durations.tolist()[0] == [0, 1.5, 2.5]
    bare = {"demand": [0, 1, 1], "due": [9, 9, 9]}
    alone = nr.read(bare, capacity=3, durations=np.ones((3, 3)))
    assert alone.matrix is not None


def test_numpy_files_hold_both(tmp_path: Path) -> None:
    """By the names of their arrays; infinity is no way."""
    file = tmp_path / "ways.npz"
    both = {"distances": plain(METRES), "durations": plain(SECONDS)}
    np.savez(file, **both)  # type: ignore[arg-type]
    instance = nr.read(CLOCK, capacity=3, matrix=file, time_unit="s")
    assert instance.matrix is not None
    assert instance.durations is not None
    assert instance.matrix.tolist() == plain(METRES)
    assert instance.durations.tolist() == plain(SECONDS)
    np.savez(file, durations=np.array(plain(SECONDS)))
    assert read_travel(file).distances is None
    with pytest.raises(nr.InstanceError, match="must have 2 rows"):
        read_travel(file, 2)


def test_a_speed_makes_durations() -> None:
    """Whole seconds; 111,195 m at 40 km/h are 10,007.6 s."""
    rows = {"lon": [10, 10], "lat": [50, 51], "due": ["20:00", "12:00"]}
    instance = nr.read(rows, capacity=1, speed="40km/h")
    both = np.array([0, 1])
    times = instance.travel_times(both[:, None], both)
    assert times.tolist() == [[0, 10008], [10008, 0]]
    beside = nr.read(
        {"x": [300], "y": [400]}, capacity=1, depot="0,0", speed="10 m/s"
    )
    assert beside.travel_times(both[:1], both[1:]).tolist() == [50]
    assert metres_a_second("36 KM/H") == pytest.approx(10)
    assert metres_a_second("25mph") == pytest.approx(11.176)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ({"code": "NoTable", "message": "no way"}, "code: .*no way"),
        ({"error": "too many"}, "error: .*too many"),
        ({"rows": []}, "must hold distances or durations"),
        ({"matrix": [[0]], "distances": [[0]]}, "distances or durations"),
        ({**OSRM, "duration": SECONDS}, "duration: is not known beside dist"),
        ({"ids": [], "distances": METRES}, "ids: is not known beside distan"),
        ({"distances": METRES, "units": "miles"}, "units: is not known"),
        (
            {"sources_to_targets": objects(1), "durations": SECONDS},
            "durations: is not known beside sources_to_targets",
        ),
        (
            {"sources_to_targets": {"durations": SECONDS, "times": []}},
            "times: is not known beside durations",
        ),
        ({"distances": 3}, "a list of lists"),
        ({"distances": [[0, 1], [2]]}, "must be numbers"),
        ({"distances": [["0", "1"], ["1", "0"]]}, "must be numbers"),
        ({"distances": [[0, 1], [1, 0]]}, "must have 3 rows"),
        ({"sources_to_targets": [[{"time": 1}]]}, "distance and time"),
        ({"sources_to_targets": [], "units": "feet"}, "kilometers, "),
        ({"code": "Ok", "durations": [[0, -1, 1]] * 3}, "negative"),
    ],
)
def test_what_is_no_matrix_is_refused(matrix: Any, message: str) -> None:
    """In one line that names the rule."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.read(CLOCK, capacity=3, matrix=matrix)


def test_a_matrix_is_there_once(tmp_path: Path) -> None:
    """Of two with one name, nothing says which counts."""
    text = '{"distances": [[0, 1], [1, 0]], "distances": [[0, 2], [2, 0]]}'
    with pytest.raises(nr.InstanceError, match="'distances' appears twice"):
        read_travel(written(tmp_path, text, "ways.json"))


def test_times_need_ways_in_the_same_unit() -> None:
    """Metres are no seconds, and seconds of an engine no minutes."""
    for rows in (CLOCK, {**ROWS, "due": [99, 30, 40]}):
        with pytest.raises(nr.InstanceError, match=r"--speed 40km/h"):
            nr.read(rows, capacity=3)
    plane = {"x": [0, 3], "y": [0, 4], "due": [9, 5]}
    assert nr.read(plane, capacity=1).durations is None
    with pytest.raises(nr.InstanceError, match="durations: are missing, and"):
        nr.read(plane, capacity=1, time_unit="min")
    numbers = {**ROWS, "due": [99, 30, 40]}
    with pytest.raises(
        nr.InstanceError, match=r"row 1 .*column due: has numbers"
    ):
        nr.read(numbers, capacity=3, matrix=OSRM)
    with pytest.raises(nr.ParameterError, match="speed and durations"):
        nr.read(CLOCK, capacity=3, matrix=OSRM, speed="3m/s")
    with pytest.raises(nr.ParameterError, match="holds durations already"):
        nr.read(CLOCK, capacity=3, matrix=OSRM, durations=OSRM)


LABELS = ["bob", "home", "ann"]
LABELLED = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
IN_ORDER = [[0, 4, 3], [6, 0, 5], [1, 2, 0]]
"""By the ids of ``ROWS``."""


@pytest.mark.parametrize("labels", [LABELS, [8, 10, 7], [0, 2, 1]])
def test_labels_of_a_frame_are_ids(labels: list[Any]) -> None:
    """On the rows, the columns, or both, in any order."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(LABELLED, labels, labels)
    rows = {"id": [labels[1], labels[2], labels[0]], "demand": [0, 1, 1]}
    frames = [
        frame,
        frame[rows["id"]],
        frame.loc[rows["id"]],
        frame.reset_index(drop=True),
        frame.set_axis(range(3), axis=1),
        frame.set_axis(list(map(str, labels)), axis=1),  # as read_csv
    ]
    for each in frames:
        found = nr.read(rows, capacity=2, matrix=each)
        assert np.array_equal(np.array(found.matrix), IN_ORDER)
    counted = nr.read(rows, capacity=2, matrix=pandas.DataFrame(LABELLED))
    assert np.array_equal(np.array(counted.matrix), LABELLED)
    other = frame.set_axis(["a", "b", "c"], axis=0)
    with pytest.raises(
        nr.InstanceError, match="the same labels on rows and col"
    ):
        nr.read(rows, capacity=2, matrix=other)


WAYS = [[0, 9, 2], [9, 0, 3], [2, 3, 0]]


@pytest.mark.parametrize(
    ("durations", "message"),
    [
        ({"distances": WAYS, "durations": WAYS}, "hold distances as well"),
        ({"code": "Ok", "distances": WAYS}, "has only distances"),
    ],
)
def test_distances_are_no_durations(
    durations: dict[str, Any], message: str
) -> None:
    """They would go unread, or count metres as seconds."""
    columns = {"x": [0, 1, 2], "y": [0, 1, 2], "demand": [0, 1, 1]}
    with pytest.raises(nr.ParameterError, match=message):
        nr.read(columns, capacity=5, durations=durations)


def test_places_of_routing_engines_are_in_one_order() -> None:
    """Rows and columns are the same places."""
    columns = {"x": [0, 1, 2], "y": [0, 1, 2], "demand": [0, 1, 1]}
    places = [{"location": [k, k]} for k in range(3)]
    answer = {"code": "Ok", "distances": WAYS, "sources": places}
    nr.read(columns, capacity=5, matrix={**answer, "destinations": places})
    other = {**answer, "destinations": [places[0], places[2], places[1]]}
    with pytest.raises(nr.InstanceError, match="destinations, entry 2: must"):
        nr.read(columns, capacity=5, matrix=other)
    cells = [
        [
            {"distance": 1.0, "time": 1, "from_index": row, "to_index": to}
            for to in (0, 2, 1)
        ]
        for row in range(3)
    ]
    with pytest.raises(nr.InstanceError, match="row 1, cell 2: must be of"):
        nr.read(columns, capacity=5, matrix={"sources_to_targets": cells})
