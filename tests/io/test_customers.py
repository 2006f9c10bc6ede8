"""Customers and routes as tables."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import write_routes
from ncc_routing.problems.routes.solution import route_ids
from ncc_routing.problems.values import NO_LIMIT
from tests.oracles.refusals import written

DATA = Path(__file__).parent / "data"

HOME = {"id": "home", "x": 0, "y": 0, "demand": 0}
ANN = {"id": "ann", "x": 3, "y": 4, "demand": 2}
BOB = {"id": "bob", "x": 6, "y": 8, "demand": 3}


@pytest.mark.parametrize(
    "text",
    [
        "id,x,y,demand\nhome,0,0,0\nann,3,4,2\nbob,6,8,3\n",
        "Weight;Y;X;Name\n;0;0;home\n2;4;3;ann\n3;8;6;bob\n",
        "quantity\tid\ty\tx\ttype\n2\tann\t4\t3\tClient\n0\thome\t0\t0\tDepot\n"
        "3\tbob\t8\t6\t\n",
        "id,x,y,demand,depot\nann,3,4,2,no\nbob,6,8,3,0\nhome,0,0,0,yes\n",
        json.dumps([HOME, ANN, BOB]),
        json.dumps({"customers": [ANN, BOB], "depot": HOME, "name": "shop"}),
    ],
)
def test_columns_are_known_by_their_names(tmp_path: Path, text: str) -> None:
    """In any order; the depot is marked, or beside, or the first row."""
    instance = nr.read(written(tmp_path, text), capacity=4)
    assert instance.ids == ("home", "ann", "bob")
    assert instance.demands.tolist() == [0, 2, 3]
    assert instance.capacity == 4
    assert instance.require_coords("test").tolist() == [[0, 0], [3, 4], [6, 8]]
    # A table has no rule for rounding, so lengths stay as they are.
    assert instance.rounding == "none"
    assert instance.route_cost([1, 2]) == 20.0


def test_the_depot_may_be_given() -> None:
    """By the id of a row or by its place; an id counts more."""
    rows = [ANN, BOB]
    at = nr.read(rows, capacity=5, depot="0,0")
    assert at.ids == ("depot", "ann", "bob")
    assert at.route_cost([1, 2]) == 20.0
    assert nr.read(rows, capacity=5, depot=(0, 0)).route_cost([1]) == 10.0
    by_id = nr.read([ANN, HOME, BOB], capacity=5, depot="home")
    assert by_id.ids == ("home", "ann", "bob")
    named = [{"id": "1,2", "x": 7, "y": 7, "demand": 0}, ANN]
    assert nr.read(named, capacity=5, depot="1,2").route_cost([1]) == 10.0
    ids = [{**ANN, "id": 7, "demand": 0}, BOB]
    assert nr.read(ids, capacity=5, depot=7).ids == ("7", "bob")


def test_demands_and_ids_may_be_missing() -> None:
    """One each, and the first row is the depot; nodes have numbers."""
    instance = nr.read({"x": [0, 3, 6], "y": [0, 4, 8]}, capacity=2)
    assert instance.demands.tolist() == [0, 1, 1]
    assert instance.ids is None
    assert instance.node_ids == ("0", "1", "2")
    beside = nr.read({"x": [3, 6], "y": [4, 8]}, capacity=2, depot="0,0")
    assert beside.demands.tolist() == [0, 1, 1]


def test_the_capacity_is_needed(tmp_path: Path) -> None:
    """JSON may say it; an argument counts more."""
    with pytest.raises(nr.ParameterError, match="capacity of a vehicle"):
        nr.read([HOME, ANN])
    content = {"customers": [HOME, ANN], "capacity": 7}
    file = written(tmp_path, json.dumps(content), "c.json")
    assert nr.read(file).capacity == 7
    assert nr.read(file, capacity=9).capacity == 9


def test_longitude_and_latitude_are_measured_on_the_sphere() -> None:
    """In whole metres: a degree of a meridian is 111,195 of them."""
    rows = {"Lng": [10.0, 10.0, 10.0], "Latitude": [50.0, 51.0, 52.0]}
    instance = nr.read(rows, capacity=2)
    assert instance.is_geographic
    assert instance.rounding == "nearest"
    assert instance.distances([0], [1, 2]).tolist() == [[111195, 222390]]
    exact = nr.read(rows, capacity=2, rounding="none")
    assert exact.distances([0], [1])[0, 0] == pytest.approx(111195.08)


def test_rounding_that_takes_all_away_is_refused() -> None:
    """A unit square with the rounding of CVRPLIB."""
    rows = {"x": [0, 0.3, 0.4], "y": [0, 0.1, 0.2]}
    assert nr.read(rows, capacity=2).route_cost([1]) > 0.6
    with pytest.raises(nr.InstanceError, match="'nearest' makes 33 %"):
        nr.read(
            {"x": [0, 0.6, 0.6], "y": [0, 0, 0.2]},
            capacity=2,
            rounding="nearest",
        )


def test_a_matrix_follows_the_rows() -> None:
    """The depot is the last row; distances are those of the matrix."""
    rows = {"id": ["a", "b", "home"], "demand": [1, 2, 0], "depot": [0, 0, 1]}
    matrix = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    instance = nr.read(rows, capacity=3, matrix=matrix)
    assert instance.coords is None
    assert instance.ids == ("home", "a", "b")
    assert not instance.is_symmetric
    assert instance.route_cost([1, 2]) == 5 + 1 + 4
    assert instance.route_cost([2, 1]) == 6 + 3 + 2
    places = {**rows, "x": [1, 2, 3], "y": [1, 1, 1]}
    both = nr.read(places, capacity=3, matrix=matrix)
    assert both.coords is not None
    assert both.route_cost([1, 2]) == 10


def test_a_matrix_with_ids_is_put_in_order(tmp_path: Path) -> None:
    """Its first line and column say which row is whose."""
    file = written(tmp_path, ",b,home,a\nb,0,4,3\nhome,6,0,5\na,1,2,0\n")
    rows = {"id": ["home", "a", "b"], "demand": [0, 1, 2]}
    instance = nr.read(rows, capacity=3, matrix=file)
    assert instance.route_cost([1, 2]) == 5 + 1 + 4
    with pytest.raises(nr.InstanceError, match="none for 'c'"):
        nr.read({**rows, "id": ["home", "a", "c"]}, capacity=3, matrix=file)
    with pytest.raises(nr.InstanceError, match="the table needs a column id"):
        nr.read({"demand": [0, 1, 2]}, capacity=3, matrix=file)
    with pytest.raises(nr.InstanceError, match="must have 2 rows"):
        nr.read({"demand": [0, 1]}, capacity=3, matrix=np.ones((3, 3)))
    with pytest.raises(nr.InstanceError, match="a row of the table"):
        nr.read([ANN, BOB], capacity=5, matrix=np.ones((2, 2)), depot="0,0")


@pytest.mark.parametrize("method", ["sweep", "savings", "petal", "gap", "ckm"])
def test_coordinates_and_a_matrix_go_with_every_method(method: str) -> None:
    """Angles by the coordinates, an asymmetric cost by the matrix."""
    rng = np.random.default_rng(5)
    rows = {"x": rng.random(13), "y": rng.random(13)}
    matrix = rng.uniform(1, 9, (13, 13))
    np.fill_diagonal(matrix, 0.0)
    instance = nr.read(rows, capacity=4, matrix=matrix)
    found = nr.solve(
        instance, params=nr.SolveParams(method, "none", "local-search")
    )
    assert nr.check_solution(instance, found.best) == []


def test_files_of_both_kinds_are_problems(tmp_path: Path) -> None:
    """By the suffix, or by what the text looks like."""
    vrplib = DATA / "tiny.vrp"
    assert nr.read is nr.read
    assert nr.read(vrplib).name == "tiny"
    table = written(tmp_path, "x,y\n0,0\n3,4\n")
    assert nr.read(table, capacity=2).route_cost([1]) == 10.0
    other = table.replace(tmp_path / "orders.txt")
    assert nr.read(other, capacity=2).route_cost([1]) == 10.0
    with pytest.raises(
        nr.ParameterError, match="metric paper goes with a VRP"
    ):
        nr.read(other, capacity=2, metric="paper")


@pytest.mark.parametrize(
    ("text", "capacity", "name"),
    [
        ((DATA / "tiny.vrp").read_text(), None, "tiny"),
        ((DATA / "solomon.txt").read_text(), None, "T101"),
        ("x,y\n0,0\n3,4\n", 2, "stdin"),
        ('[{"x": 0, "y": 0}, {"x": 3, "y": 4}]', 2, "stdin"),
    ],
)
def test_standard_input_says_what_it_is(
    text: str, capacity: int | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its first lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert nr.read("-", capacity=capacity).name == name


def test_routes_come_out_with_ids(tmp_path: Path) -> None:
    """One line for each stop, and the ids for JSON."""
    instance = nr.read([HOME, ANN, BOB], capacity=5)
    solution = nr.Solution(((2,), (1,)), 30.0)
    assert route_ids(instance, solution) == [["bob"], ["ann"]]
    file = tmp_path / "routes.csv"
    write_routes(file, instance, solution)
    assert file.read_text().splitlines() == [
        "route,stop,id,delivered,kind,x,y,load,distance,demand",
        "1,0,home,0,depot,0.0,0.0,3,0,0",
        "1,1,bob,3,customer,6.0,8.0,0,10,3",
        "1,2,home,0,depot,0.0,0.0,0,20,0",
        "2,0,home,0,depot,0.0,0.0,2,0,0",
        "2,1,ann,2,customer,3.0,4.0,0,5,2",
        "2,2,home,0,depot,0.0,0.0,0,10,0",
    ]


def test_routes_without_ids_or_places(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Numbers stand for ids; longitude and latitude have their names."""
    matrix = np.ones((3, 3))
    bare = nr.read({"demand": [0, 1, 1]}, capacity=2, matrix=matrix)
    write_routes("-", bare, nr.Solution(((2, 1),), 3.0))
    assert capsys.readouterr().out.splitlines() == [
        "route,stop,id,delivered,kind,load,distance,demand",
        "1,0,0,0,depot,2,0,0",
        "1,1,2,1,customer,1,1,1",
        "1,2,1,1,customer,0,2,1",
        "1,3,0,0,depot,0,3,0",
    ]
    map_of: dict[str, Any] = {"lon": [10.0, 11.0], "lat": [50.0, 50.5]}
    write_routes("-", nr.read(map_of, capacity=1), nr.Solution(((1,),), 0.0))
    header, _, visit, _ = capsys.readouterr().out.splitlines()
    assert header == "route,stop,id,delivered,kind,lon,lat,load,distance_km"
    assert visit == "1,1,1,1,customer,11.0,50.5,0,90.257"


def test_a_depot_beside_the_rows_has_its_hours() -> None:
    """In JSON; in the unit of the column, and its other fields are said."""
    home = {**HOME, "due": 90, "phone": 7}
    table = [{**ANN, "due": 20}, BOB]
    content: dict[str, Any] = {"customers": table, "depot": home}
    instance = read_problem_of(content)
    assert instance.windows is not None
    assert instance.windows.tw_late.tolist() == [90, 20, NO_LIMIT]
    assert instance.source.unused_columns == ("phone",)
    content["customers"] = [{**ANN, "due_min": 20}, BOB]
    with pytest.raises(
        nr.InstanceError, match="depot, due: must be called due_"
    ):
        read_problem_of(content)
    content["depot"] = {**HOME, "X": 1}
    with pytest.raises(
        nr.InstanceError, match="depot: columns: a name must appear"
    ):
        read_problem_of(content)


def read_problem_of(content: object) -> nr.Instance:
    """Return the instance of some JSON on standard input."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO(json.dumps(content)))
        return nr.read("-", capacity=9)


def test_a_depot_has_its_longitude_first() -> None:
    """The other way round it is a continent away."""
    rows = [{"lat": 48.1, "lng": 11.5}, {"lat": 48.3, "lng": 11.7}]
    nr.read(rows, capacity=5, depot="11.6,48.2")
    with pytest.raises(nr.InstanceError, match=r"did you mean 11.6,48.2\?"):
        nr.read(rows, capacity=5, depot="48.2,11.6")


def test_a_given_depot_is_the_marked_one() -> None:
    """Two that contradict each other are refused."""
    rows = [{**HOME, "depot": 1}, ANN, BOB]
    assert nr.read(rows, capacity=9, depot="home").ids == (
        "home",
        "ann",
        "bob",
    )
    for depot in ("ann", (1, 1)):
        with pytest.raises(
            nr.InstanceError, match="column depot marks others"
        ):
            nr.read(rows, capacity=9, depot=depot)
    ignored = nr.read(rows, capacity=9, depot=(1, 1), ignore_columns=["Depot"])
    assert ignored.ids == ("depot", "home", "ann", "bob")
    assert ignored.source.unused_columns == ("depot",)


def test_a_window_that_closes_too_early_is_named() -> None:
    """With the row, the id and the column."""
    rows = {"id": "abc", "x": "012", "y": "012", "open": ["", "22:00", ""]}
    rows = {name: list(cells) for name, cells in rows.items()}
    late: dict[str, Any] = {**rows, "due": ["", "2:00", ""]}
    rule = r"row 2 \(id b\), column due: must not be before the window"
    with pytest.raises(nr.InstanceError, match=rule):
        nr.read(late, capacity=9, speed="1m/s")
    late["due"][1] = "26:00"
    windows = nr.read(late, capacity=9, speed="1m/s").windows
    assert windows is not None
    assert windows.tw_late[1] == 26 * 3600
    release = {**rows, "release": ["7:00", "", ""]}
    with pytest.raises(nr.InstanceError, match="a depot has no release time"):
        nr.read(release, capacity=9, speed="1m/s")


def test_a_point_beside_decimal_commas_is_no_number(tmp_path: Path) -> None:
    """It may part thousands."""
    text = "id;x;y;demand\nhome;0;0;0\nann;2,5;1;{}\n"
    instance = nr.read(written(tmp_path, text.format("3,0")), capacity=9)
    assert instance.require_coords("test").tolist() == [[0, 0], [2.5, 1]]
    assert instance.demands.tolist() == [0, 3]
    with pytest.raises(
        nr.InstanceError, match=r"\(id ann\), column demand: mu"
    ):
        nr.read(written(tmp_path, text.format("1.000")), capacity=9)
    # Loads with decimals or units are no exception.
    for load in ("1.200", "1.000,5", "1.200 kg"):
        rows = text.format(f"{load}\nbob;0,5;1;2,5")
        rule = f"must be .* without points, .* got '{load}'"
        with pytest.raises(nr.InstanceError, match=rule):
            nr.read(written(tmp_path, rows), capacity=9)
    mixed = text.format("12.5\nbob;2,5;1,5;2,5")
    assert nr.read(written(tmp_path, mixed), capacity=20).demands.tolist() == [
        0,
        125,
        25,
    ]
    points = nr.read(
        written(tmp_path, "id;x;y\nhome;0.5;0\nann;2.5;1\n"), capacity=9
    )
    assert points.require_coords("test")[1, 0] == 2.5


@pytest.mark.parametrize(
    ("demand", "says"), [("1.000", True), ("1.0", False), ("1000", False)]
)
def test_points_that_may_part_thousands_are_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, demand: str, says: bool
) -> None:
    """Between semicolons, where no decimal comma tells; also in a matrix."""
    file, matrix = tmp_path / "a.csv", tmp_path / "m.csv"
    file.write_text(f"id;x;y;demand\nhome;0;0;\nann;3;4;{demand}\n")
    matrix.write_text(f"0;{demand}\n900;0\n")
    nr.read(file, capacity=2000, matrix=matrix)
    for each in (file, matrix):
        assert (f"{each}: {demand} is read as a" in caplog.text) == says


def test_commas_of_texts_are_no_decimal_commas(tmp_path: Path) -> None:
    """Those of names, labels and columns that nothing reads."""
    text = (
        "id;x;y;vehicle;same route;note\nhome;0;0;;;\n1,5;2.5;1;1,2;1,2;1,5\n"
    )
    vans = [{"name": "1", "capacity": 9}, {"name": "2", "capacity": 9}]
    instance = nr.read(written(tmp_path, text), vans)
    assert instance.require_coords("test").tolist() == [[0, 0], [2.5, 1]]
    assert instance.ids == ("home", "1,5")
    assert instance.constraints is not None
    assert instance.constraints.vehicles == (None, (0, 1))


def test_work_of_a_given_fleet_is_that_of_the_nodes() -> None:
    """The depot is the last row, and the first node."""
    rows = {"id": ["a", "b", "d"], "x": [1, 2, 0], "demand": [1, 2, 0]}
    rows["y"] = [0, 0, 0]
    van = nr.VehicleType(capacity=9, service_durations=(0, 7, 8))
    found = nr.read(rows, vehicles=nr.Fleet((van,)), depot="d")
    assert found.node_ids == ("d", "a", "b")
    assert found.vehicle_types[0].service_durations == (0, 7, 8)
