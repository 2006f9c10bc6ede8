"""Finding instances by path and name, and all that are known."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.instance_files import expand_instances
from ncc_routing.io.names import find_instance
from tests.oracles.refusals import written

DATA = Path(__file__).parent / "data"


def test_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason of the operating system is passed on."""

    def refuse(self: Path, mode: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    file = shutil.copy(DATA / "tiny.vrp", tmp_path)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(nr.InstanceError, match=r"read \(Permission denied\)"):
        nr.read(file)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16"])
def test_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    """Old files, and those of Windows, are not in UTF-8."""
    file = tmp_path / "old.vrp"
    text = (DATA / "tiny.vrp").read_text()
    name = "Århus" if encoding == "latin-1" else "Århus \u2013 3 €"
    file.write_bytes(text.replace("tiny", name).encode(encoding))
    instance = nr.read(file)
    assert instance.name == name
    plan = (DATA / "tiny.sol").read_text()
    stated = nr.read_solution(written(tmp_path, plan, "a.sol"))
    (tmp_path / "b.sol").write_bytes(plan.encode(encoding))
    assert nr.read_solution(tmp_path / "b.sol") == stated


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_tables_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    """Ids keep their dashes, in CSV and in JSON."""
    rows = "id,x,y,demand\nHof \u2013,0,0,0\nCafé „Süd“,3,4,1\n"
    (tmp_path / "a.csv").write_bytes(rows.encode(encoding))
    listed = (
        '[{"id": "Hof \u2013", "x": 0, "y": 0, "demand": 0},'
        '{"id": "Café „Süd“", "x": 3, "y": 4, "demand": 1}]'
    )
    (tmp_path / "a.json").write_bytes(listed.encode(encoding))
    for name in ("a.csv", "a.json"):
        instance = nr.read(tmp_path / name, capacity=2)
        assert instance.ids == ("Hof \u2013", "Café „Süd“")


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """What is wrong with the path is said, in one line."""
    with pytest.raises(
        nr.InstanceError, match=r"nothing\.vrp: file: does not"
    ):
        nr.read(tmp_path / "nothing.vrp")
    with pytest.raises(nr.InstanceError, match="file: is a folder"):
        nr.read(tmp_path)
    link = tmp_path / "link.vrp"
    link.symlink_to(tmp_path / "nothing.vrp")
    with pytest.raises(nr.InstanceError, match="file: does not exist"):
        nr.read(link)


def test_finds_an_instance_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the environment is searched to any depth."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    file = tmp_path / "deep" / "er" / "known[1].vrp"
    shutil.copy(DATA / "tiny.vrp", file)
    monkeypatch.setenv("NCC_ROUTING_DATA", str(tmp_path))
    assert find_instance("known[1]") == file
    assert find_instance("known[1].vrp") == file
    assert nr.read("known[1]").num_customers == 5
    for unknown in ("unknown", "*", ""):
        with pytest.raises(nr.InstanceError):
            nr.read(unknown)
    with pytest.raises(nr.InstanceError, match="nor the name of an instance"):
        nr.read("unknown")
    # A folder that does not exist is no error by itself.
    monkeypatch.setenv("NCC_ROUTING_DATA", "/does/not/exist")
    with pytest.raises(nr.InstanceError, match="NCC_ROUTING_DATA"):
        nr.read("X-n000-k0")


def assert_solved(file: Path) -> nr.Instance:
    """Check that an instance and the solution beside it fit; return it."""
    instance = nr.read(file)
    assert instance.name == file.stem
    stated = nr.read_solution(file.with_suffix(".sol"))
    assert stated.cost is not None
    solution = nr.Solution(stated.routes, stated.cost)
    assert nr.check_solution(instance, solution) == []
    return instance


def test_published_instances(data_dir: Path) -> None:
    """Every published instance is read, and its best-known cost is right."""
    files = sorted((data_dir / "cvrp" / "X").glob("X-n[126]*.vrp"))
    assert files
    for file in files:
        assert_solved(file)


def test_instances_that_the_repository_ships(instances_dir: Path) -> None:
    """Each has the size that its name says, and a solution that is right."""
    files = sorted(instances_dir.glob("*.vrp"))
    assert len(files) == 15
    for file in files:
        instance = assert_solved(file)
        assert f"-n{instance.num_customers + 1:04d}-" in instance.name


def test_reads_large_files_without_a_matrix(tmp_path: Path) -> None:
    """Thirty thousand customers: memory and time linear in their number."""
    instance = generate_uchoa(30_000, 1, customers="random")
    file = tmp_path / "large.vrp"
    nr.write_instance(file, instance)
    back = nr.read(file)
    assert np.array_equal(
        back.require_coords("a test"), instance.require_coords("a test")
    )
    assert back.matrix is None


def test_files_of_folders_and_names(tmp_path: Path) -> None:
    """Folders are searched, files are taken as given, nothing twice."""
    inner = tmp_path / "inner"
    inner.mkdir()
    for name in ("b.vrp", "a.vrp", "a.sol", "inner/c.vrp"):
        (tmp_path / name).touch()
    found = expand_instances([tmp_path / "b.vrp", str(tmp_path), "X-n5", "-"])
    names = [path.name for path in found]
    assert names == ["b.vrp", "a.vrp", "c.vrp", "X-n5", "-"]


def test_folders_of_other_forms(tmp_path: Path) -> None:
    """Those of Solomon and of Li and Lim, by what they hold; TSPLIB's."""
    solomon = (DATA / "solomon.txt").read_text()
    li_lim = "1 5 0\n0 0 0 0 0 9 0 0 0\n1 1 1 1 0 9 0 0 2\n"
    li_lim += "2 2 2 -1 0 9 0 1 0\n"
    for name, text in {
        "c101.txt": solomon,
        "lc1.TXT": li_lim,
        "notes.txt": "Note: read me\nVEHICLE\n",
        "bytes.txt": "\0",
        "empty.txt": "",
        "tour.tsp": "NAME : a",
        ".c102.txt": solomon,
        "table.csv": "id,x,y,demand\n",
    }.items():
        written(tmp_path, text, name)
    names = [file.name for file in expand_instances([tmp_path])]
    assert names == ["c101.txt", "lc1.TXT", "tour.tsp"]
    assert nr.read(tmp_path / "lc1.TXT").num_customers == 2


def test_folders_without_instances_are_refused(tmp_path: Path) -> None:
    """Nothing to do is not what was asked for."""
    with pytest.raises(nr.InstanceError, match=r"holds no \.vrp"):
        expand_instances([tmp_path])
    with pytest.raises(nr.ParameterError, match="path of an instance"):
        expand_instances([3])  # type: ignore[list-item]


def test_links_to_nothing_are_no_folders(tmp_path: Path) -> None:
    """They fail later, by their name; so do capitals count."""
    (tmp_path / "a.VRP").write_text("x")
    (tmp_path / "b.vrp").symlink_to(tmp_path / "nothing")
    (tmp_path / "c.vrp").mkdir()
    names = [file.name for file in expand_instances([tmp_path])]
    assert names == ["a.VRP", "b.vrp"]
