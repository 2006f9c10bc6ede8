"""Reading weighted points and writing labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.clustering.objectives import summarize
from ncc_routing.desk.points import write_labels, write_points
from tests.oracles.refusals import written

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text",
    [
        "x,y,weight\n1,2,3\n4,5,6\n",
        "weight;x;y\n3;1;2\n6;4;5\n",
        "x,y,weight,\n1,2,3,\n4,5,6,\n",
        "# note\nY X Demand\n2 1 3\n5 4 6",
        'x\ty\tnote\tquantity\n1\t2\t"a\tb"\t3\n4\t5\t\t6\n',
        '[{"weight": 3, "x": 1, "y": 2}, {"x": 4, "y": 5, "weight": 6}]',
        '{"y": [2, 5], "x": [1, 4], "weight": [3, 6]}',
    ],
)
def test_columns_are_known_by_their_names(tmp_path: Path, text: str) -> None:
    """In any order, by any separator; whole weights stay integers."""
    points = nr.read_points(written(tmp_path, text), capacity=9)
    assert points.coords.tolist() == [[1, 2], [4, 5]]
    assert points.weights.tolist() == [3, 6]
    assert points.has_whole_weights
    assert points.num_clusters is None
    assert points.name == "a"


def test_missing_weights_are_one(tmp_path: Path) -> None:
    """Two columns are enough."""
    points = nr.read_points(written(tmp_path, "x,y\n0.5,1\n2,3\n"), capacity=1)
    assert points.weights.tolist() == [1, 1]


def test_several_weights_have_limits_of_their_own(tmp_path: Path) -> None:
    """A capacity and a least load for each; a written table is the same."""
    text = "x,y,weight,weight 2\n0,0,1,9.5\n1,0,2,1\n"
    file = written(tmp_path, text)
    points = nr.read_points(file, capacity=[4, 11], min_load=[1, 2])
    assert (points.capacity, points.min_load) == (4, 1)
    assert points.other_weights is not None
    assert points.other_weights.tolist() == [[9.5], [1]]
    assert points.other_capacities is not None
    assert points.other_capacities.tolist() == [11]
    assert points.other_min_loads is not None
    assert points.other_min_loads.tolist() == [2]
    write_points(tmp_path / "b.csv", points)
    again = nr.read_points(tmp_path / "b.csv", capacity=[4, 11])
    assert again.other_weights is not None
    assert again.other_weights.tolist() == points.other_weights.tolist()
    with pytest.raises(nr.InstanceError, match="capacity: must be 2 numbers"):
        nr.read_points(file, capacity=4)
    alone = nr.read_points(written(tmp_path, "x,y\n0,0\n1,0\n"), [1, 2])
    assert alone.num_clusters == 2


def test_benchmark_format(tmp_path: Path) -> None:
    """The first line holds n and p, the others x y capacity demand."""
    text = "# n p\n2 1\n# x y\n1 2 10 3\n#\n4\t5\t10\t6\n"
    points = nr.read_points(written(tmp_path, text))
    assert (points.num_clusters, points.capacity) == (1, 10)
    assert points.weights.tolist() == [3, 6]
    assert points.point_capacities is None
    own = nr.read_points(written(tmp_path, "2 1\n1 2 10 3\n4 5 8 6\n"))
    assert own.point_capacities is not None
    assert own.point_capacities.tolist() == [10, 8]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,2\n", "capacity"),
        ("1,2,3\n", "line 1: must name the columns"),
        ("a,b,c\n1,2,3\n", "columns: are unknown"),
        ("x,weight\n1,2\n", "column y is missing"),
        ("x,y,lon,lat\n1,2,3,4\n", "either x and y or longitude"),
        ("x,y,demand,weight\n1,2,3,4\n", "name the same field"),
        ("x,y,X\n1,2,3\n", "a name must appear once"),
        ("lon,lat\n1,91\n", "line 2, column lat: must lie in -90..90"),
        ("x,y\n1,2,3\n", "line 2: must have 2 cells"),
        ("x,y,service_time\n1,2,0\n1,2,30\n", "  service_time "),
        ("x,y,depot\n1,2,1\n1,2,0\n", "  depot "),
        ("3 1\n1 2 10 3\n4 5 10 6\n", "must hold 3 points"),
        ("2 1\n1 2 10 3\n4 5 10\n", "line 3"),
        ("x,y,weight\n1,2,3\n1,b,3\n", "line 3, column y"),
        ("1\n2\n", "line 1"),
        ("x,y\n", "no points"),
        ("# a note\n\n# another\n", "a.csv: file: has no points"),
        ("x,y,weight\n1,2,3\n1,,3\n", "line 3, column y"),
        ("x,y,weight\n1,2,3\n1,2\n", "line 3, column weight"),
        ("2 1\n1 2 10 3\n4 b 10 6\n", "line 3: must hold finite numbers"),
        ('{"x": [1], "y": [2, 3]}', "must be of one length"),
        ('{"points": [{"x": 1, "y": 2}], "fleet": 3}', "fleet: is not known"),
        ('[{"x": 1,]', "line 1: is not JSON"),
        ('[{"x": 1, "x": 2}]', "file: is not JSON .*the key 'x' appears tw"),
        ("2 1.5\n1 2 10 3\n4 5 10 6\n", "line 1: must hold the number"),
        ("2 nan\n1 2 10 3\n4 5 10 6\n", "line 1: must hold finite numbers"),
        ("x,y,demand\n1_0,2,3\n", "line 2, column x: must be a finite"),
        ("x,y,demand\n\u0663,2,3\n", "line 2, column x: must be a finite"),
        ("x,y,demand\n1,2,inf\n", "line 2, column demand: must be a finite"),
        ("x,y,1_0\n1,2,3\n", "line 1: must name the columns"),
        ("x,y,nan\n1,2,3\n", "line 1: must name the columns"),
        ("2 1_0\n0 0 5 1\n1 1 5 1\n", "line 1: must hold finite numbers"),
        ("2 1\n0 0 inf 1\n1 1 5 1\n", "line 2: must hold finite numbers"),
        ("2 1\n0 0 5 1_0\n1 1 5 1\n", "line 2: must hold finite numbers"),
        ('[{"x": 1, "y": NaN}]', "file: is not JSON that can be read"),
        ('[{"x": 1, "y": Infinity}]', "file: is not JSON that can be read"),
        ('[{"x": 1, "y": "1_0"}]', "row 1, column y: must be a finite"),
        (f'[{{"x": 1, "y": {"9" * 400}}}]', "row 1, column y: must be a fin"),
        ("[" * 100_000, "file: is not JSON that can be read"),
        (f"x,y\n{'1' * 200_000},2\n", "line 2: is not CSV"),
    ],
)
def test_broken_files_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    """The message says what is wrong, and where."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.read_points(written(tmp_path, text))


def test_names_of_any_length_are_cut(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither an error nor a line of the log is as long as a file."""
    long = "n" * 100_000
    with pytest.raises(nr.InstanceError) as caught:
        nr.read_points(written(tmp_path, f"{long},b\n1,2\n"))
    assert len(str(caught.value)) < 1_000
    with pytest.raises(nr.InstanceError) as caught:
        nr.read_points({"x": [1], long: {"a": 1}, "y": f"{long}"})
    assert len(str(caught.value)) < 1_000
    nr.read_points(written(tmp_path, f"x,y,{long}\n1,2,3\n"), capacity=9)
    assert "without effect" in caplog.text
    assert len(caplog.text) < 1_000


def test_written_points_are_read_again(tmp_path: Path) -> None:
    """With K as a benchmark file, which says it all; without as a table."""
    coords = np.array([[0.1, 2.0], [1 / 3, -1e-9]])
    weights = np.array([0.25, 2.0])
    file = tmp_path / "again.csv"
    own = np.array([2.5, 3.0])
    known = nr.PointSet(
        coords, weights, 3, num_clusters=1, point_capacities=own
    )
    write_points(file, known)
    assert file.read_text().splitlines()[:2] == ["2 1", "0.1 2.0 2.5 0.25"]
    found = nr.read_points(file)
    assert found.coords.tolist() == coords.tolist()
    assert found.weights.tolist() == weights.tolist()
    assert (found.capacity, found.num_clusters) == (3, 1)
    assert found.point_capacities is not None
    assert found.point_capacities.tolist() == own.tolist()
    write_points(file, nr.PointSet(coords, np.array([1, 2]), 3))
    assert file.read_text().splitlines()[:2] == ["x,y,weight", "0.1,2.0,1"]
    found = nr.read_points(file, capacity=3)
    assert found.coords.tolist() == coords.tolist()
    assert found.weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    "points",
    [
        nr.PointSet(np.zeros((2, 3)), np.ones(2), 2),
        nr.PointSet(np.zeros((2, 2)), np.ones(2), 2, matrix=np.ones((2, 2))),
        nr.PointSet(np.zeros((2, 2)), np.ones(2), 2, capacities=np.ones(2)),
    ],
)
def test_what_no_format_holds_is_refused(
    tmp_path: Path, points: nr.PointSet
) -> None:
    """Space, a matrix, and a capacity for each cluster."""
    with pytest.raises(nr.ParameterError, match="in the plane"):
        write_points(tmp_path / "points.csv", points)


def test_labels_come_back_as_a_table(tmp_path: Path) -> None:
    """One line for each point, with its cluster."""
    text = "x,y,weight\n1,2,3\n4,5,6\n"
    points = nr.read_points(written(tmp_path, text), capacity=9)
    file = tmp_path / "labels.csv"
    found = summarize(points, np.array([1, 0]), 2, "inertia")
    write_labels(file, points, found)
    assert file.read_text().splitlines() == [
        "x,y,weight,cluster",
        "1.0,2.0,3,1",
        "4.0,5.0,6,0",
    ]


def test_ids_and_places_are_kept(tmp_path: Path) -> None:
    """Longitude and latitude come back as they were, beside the ids."""
    text = "name,lat,lon\nnorth,0.1,10\nsouth,-0.1,10\n"
    points = nr.read_points(written(tmp_path, text), capacity=1)
    assert points.ids == ("north", "south")
    found = summarize(points, np.array([1, 0]), 2, "inertia")
    file = tmp_path / "labels.csv"
    write_labels(file, points, found)
    assert file.read_text().splitlines() == [
        "id,lon,lat,weight,cluster",
        "north,10.0,0.1,1,1",
        "south,10.0,-0.1,1,0",
    ]
    write_points(file, points)
    again = nr.read_points(file, capacity=1)
    assert np.array_equal(again.coords, points.coords)
    assert again.ids == points.ids


def test_a_capacity_may_be_a_column_or_beside_the_points(
    tmp_path: Path,
) -> None:
    """One for all is a number, different ones belong to the medoids."""
    text = "x,y,capacity\n1,2,{}\n4,5,8\n"
    same = nr.read_points(written(tmp_path, text.format(8)))
    assert (same.capacity, same.point_capacities) == (8, None)
    own = nr.read_points(written(tmp_path, text.format(9)))
    assert own.capacity == 9
    assert own.point_capacities is not None
    assert own.point_capacities.tolist() == [9, 8]
    text = '{"points": [{"x": 1, "y": 2}], "capacity": 3, "num_clusters": 1}'
    beside = nr.read_points(written(tmp_path, text))
    assert (beside.capacity, beside.num_clusters) == (3, 1)


def test_published_instances_are_read(data_dir: Path) -> None:
    """All 56 files of the p-median benchmarks."""
    files = [*data_dir.glob("ccp/*/*.txt"), *data_dir.glob("ccp/*/*.dat")]
    assert len(files) == 56
    for file in files:
        points = nr.read_points(file)
        assert points.num_clusters is not None
        assert points.min_num_clusters <= points.num_clusters
