"""The script that makes the instances and keeps their best solutions."""

from __future__ import annotations

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

import pytest

import layers
from ncc_routing import Solution, read, read_solution
from ncc_routing.io.vrplib import write_solution

if TYPE_CHECKING:
    from pathlib import Path

NAME = "NCC-n0021-s1"


@pytest.fixture
def make(
    tmp_path: Path, instances_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Load the script, with one instance in another folder."""
    path = layers.REPOSITORY / "instances" / "make.py"
    spec = spec_from_file_location("make_instances", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    shutil.copy(instances_dir / f"{NAME}.vrp", tmp_path)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    return module


def test_better_solution_replaces_the_file(make: Any, tmp_path: Path) -> None:
    """The first is kept, a shorter one takes its place, a longer never."""
    instance = read(tmp_path / f"{NAME}.vrp")
    file = tmp_path / f"{NAME}.sol"
    alone = Solution.from_routes(instance, [[c] for c in range(1, 21)])
    best = Solution.from_routes(
        instance,
        read_solution(layers.REPOSITORY / "instances" / f"{NAME}.sol").routes,
    )
    for found, kept in ((alone, alone), (best, best), (alone, best)):
        make.keep_better(NAME, found)
        assert read_solution(file).cost == kept.cost


def test_wrong_solution_is_refused(make: Any, tmp_path: Path) -> None:
    """A customer left out ends the script before anything is written."""
    instance = read(tmp_path / f"{NAME}.vrp")
    with pytest.raises(SystemExit, match=NAME):
        make.keep_better(NAME, Solution.from_routes(instance, [[1]]))
    assert not (tmp_path / f"{NAME}.sol").exists()


def test_search_command(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seeds of half a second find what a bad file does not have."""
    monkeypatch.setattr(make, "make_instances", lambda: [NAME])
    words = ["make.py", "--seconds", "0.5", "--seeds", "2"]
    monkeypatch.setattr("sys.argv", words)
    instance = read(tmp_path / f"{NAME}.vrp")
    alone = Solution.from_routes(instance, [[c] for c in range(1, 21)])
    write_solution(tmp_path / f"{NAME}.sol", alone)
    make.main()
    stated = read_solution(tmp_path / f"{NAME}.sol").cost
    assert stated is not None
    assert stated < alone.cost
