"""Labels from solved problems in files."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from ncc_routing import (
    Instance,
    InstanceError,
    ParameterError,
    PointSet,
    Solution,
    UnsupportedProblemError,
    write_instance,
)
from ncc_routing.io.vrplib import write_solution
from ncc_routing.paper.learning.label_files import read_labels
from ncc_routing.paper.learning.own_labels import label_folder

POINTS = "x,y,weight\n0,0,2\n1,0,1\n5,5,2\n6,5,1\n"
CLUSTERS = "x,y,weight,cluster\n0,0,2,west\n1,0,1,west\n5,5,2,7\n6,5,1,7\n"


@pytest.fixture
def solved(square: Instance, tmp_path: Path) -> Path:
    """Return a folder with one instance of four customers, solved."""
    folder = tmp_path / "solved"
    folder.mkdir()
    write_instance(folder / "one.vrp", square)
    routes = Solution.from_routes(square, [(1, 2), (3,), (4,)])
    write_solution(folder / "one.sol", routes)
    return folder


@pytest.fixture
def clustered(tmp_path: Path) -> Path:
    """Return a folder with four points and their clusters."""
    folder = tmp_path / "clustered"
    folder.mkdir()
    (folder / "a.csv").write_text(POINTS)
    (folder / "a.clusters.csv").write_text(CLUSTERS)
    return folder


def label(folder: Path, capacity: float | None = None) -> list[Path]:
    """Return the label files that are made of a folder."""
    output = folder.parent / "labels"
    return list(label_folder(folder, output, capacity=capacity))


def test_routes_become_labels(square: Instance, solved: Path) -> None:
    """Instance, routes and cost are those of the files."""
    [file] = label(solved)
    [entry] = read_labels([file])
    assert isinstance(entry.instance, Instance)
    np.testing.assert_array_equal(entry.instance.coords, square.coords)
    np.testing.assert_array_equal(entry.instance.demands, square.demands)
    assert entry.instance.capacity == square.capacity
    assert entry.labels.tolist() == [[-1, 0, 0, 1, 2]]
    cost = Solution.from_routes(square, [(1, 2), (3,), (4,)]).cost
    assert entry.costs.tolist() == [cost]


def test_clusters_become_labels(clustered: Path) -> None:
    """Names of clusters become numbers; the cost is the inertia."""
    [file] = label(clustered, capacity=3)
    [entry] = read_labels([file])
    assert isinstance(entry.instance, PointSet)
    assert entry.instance.num_clusters == 2
    assert entry.instance.capacity == 3
    assert entry.labels.tolist() in ([[0, 0, 1, 1]], [[1, 1, 0, 0]])
    assert entry.costs.tolist() == [1.0]  # 2 * (0.25 + 0.25)


def test_several_files(square: Instance, solved: Path) -> None:
    """Three problems in files of two."""
    for name in ("two", "zwo"):
        for ending in (".vrp", ".sol"):
            shutil.copy(solved / f"one{ending}", solved / f"{name}{ending}")
    output = solved.parent / "labels"
    files = list(label_folder(solved, output, shard_size=2))
    assert len(files) == 2
    assert len(read_labels([output])) == 3
    with pytest.raises(ParameterError, match="holds label files already"):
        list(label_folder(solved, output))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Route #1: 1 2\nRoute #2: 3\nCost 9\n", r"one\.sol: .*4"),
        ("Route #1: 1 2\nRoute #2: 3\nRoute #3: 4 2\n", r"one\.sol: .*2"),
        ("Route #1: 1 2 3 4\nCost 9\n", r"one\.sol: .*(load|capacity)"),
        ("Route #1: 1 2\nRoute #2: 3 9\nCost 9\n", r"one\.sol: Route: .*9"),
        ("Route #1: 1 two\nCost 9\n", r"one\.sol: line 1"),
        ("", r"one\.sol: file: is empty"),
    ],
)
def test_wrong_routes_are_refused(
    solved: Path, text: str, message: str
) -> None:
    """Left out, twice, too much, unknown, damaged, empty: file and rule."""
    (solved / "one.sol").write_text(text)
    with pytest.raises(InstanceError, match=message):
        label(solved)
    assert list((solved.parent / "labels").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CLUSTERS.replace(",west", ","), "line 2, column cluster"),
        (CLUSTERS.replace("7", "west"), "cluster west: .*at most 3"),
        (CLUSTERS.rsplit("\n", 2)[0] + "\n", "rows: must be 4"),
        (CLUSTERS.replace("cluster", "team"), "a column cluster"),
        (CLUSTERS.replace("5,5,2", "5,4,2"), "line 4, column y: must be 5"),
        (CLUSTERS.replace("1,0,1", "1,0,2"), "line 3, column weight"),
    ],
)
def test_wrong_clusters_are_refused(
    clustered: Path, text: str, message: str
) -> None:
    """Empty, overloaded, too short, without name, of other points."""
    (clustered / "a.clusters.csv").write_text(text)
    with pytest.raises(InstanceError, match=message) as found:
        label(clustered, capacity=3)
    assert "a.clusters.csv" in str(found.value)


def test_a_missing_file_is_named(
    square: Instance, solved: Path, clustered: Path, tmp_path: Path
) -> None:
    """The solution, the instance, the points, the folder, or all of them."""
    with pytest.raises(InstanceError, match="there is none"):
        label(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InstanceError, match="neither"):
        label(tmp_path / "empty")
    shutil.copy(solved / "one.sol", solved / "two.sol")
    with pytest.raises(InstanceError, match=r"two\.sol: .*two\.vrp"):
        label(solved)
    (solved / "two.sol").unlink()
    (solved / "one.sol").unlink()
    with pytest.raises(InstanceError, match=r"one\.vrp: .*one\.sol"):
        label(solved)
    (clustered / "a.csv").unlink()
    with pytest.raises(InstanceError, match=r"a\.clusters\.csv: points"):
        label(clustered)
    write_instance(clustered / "one.vrp", square)
    (clustered / "a.csv").write_text(POINTS)
    with pytest.raises(InstanceError, match="routes and clusters"):
        label(clustered)


def test_what_the_scorer_does_not_know_is_refused(
    solved: Path, clustered: Path
) -> None:
    """Service times, and capacities of single points."""
    file = solved / "one.vrp"
    content = file.read_text().replace(
        "DEMAND_SECTION", "SERVICE_TIME : 5\nDISTANCE : 100\nDEMAND_SECTION"
    )
    file.write_text(content)
    with pytest.raises(UnsupportedProblemError, match=r"one"):
        label(solved)
    (clustered / "a.csv").write_text(
        "x,y,weight,capacity\n0,0,2,3\n1,0,1,4\n5,5,2,3\n6,5,1,5\n"
    )
    with pytest.raises(UnsupportedProblemError, match="capacit"):
        label(clustered)


def test_clusters_of_other_ids_are_refused(clustered: Path) -> None:
    """A row belongs to the point of its place, which has another id."""
    (clustered / "a.csv").write_text("id,x,y\na,0,0\nn,1,0\nb,5,5\n")
    answer = clustered / "a.clusters.csv"
    answer.write_text("id,cluster\nb,0\na,0\nn,1\n")
    with pytest.raises(InstanceError, match="column id: must be a, as in"):
        label(clustered, 2)
    answer.write_text("id,cluster\na,0\nn,1\nb,0\n")
    [entry] = read_labels(label(clustered, 2))
    assert entry.labels.tolist() == [[0, 1, 0]]


def test_a_capacity_is_for_points(solved: Path) -> None:
    """An instance has its own."""
    with pytest.raises(InstanceError, match="capacity: states its own"):
        label(solved, 7)
