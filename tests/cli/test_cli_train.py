"""``ncc-route label`` and ``ncc-route train``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing.paper.learning.checkpoint import read_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

WORDS = "label --count 2 --sizes 20 25 --iterations 10 --shard-size 1"
LABEL = tuple(WORDS.split())


def training(labels: Path, folder: Path) -> tuple[str, str]:
    """Return the words of a training, whose output is a folder in it."""
    data = f"train {labels} --validation {labels}"
    return data, f"--schedule cpu --output {folder / 'out'}"


@pytest.fixture
def labels(run: Run, tmp_path: Path) -> Path:
    """Return a folder with two labelled instances."""
    done = run.succeeds(*LABEL, "--seed 3", tmp_path / "labels", "--json")
    assert len(json.loads(done.out)["files"]) == 2
    return tmp_path / "labels"


def test_label_goes_on(run: Run, labels: Path) -> None:
    """A second call keeps the files; one of other settings is refused."""
    before = {path: path.stat().st_mtime_ns for path in labels.iterdir()}
    run.succeeds(*LABEL, "--seed 3", labels)
    after = {path: path.stat().st_mtime_ns for path in labels.iterdir()}
    assert after == before
    done = run.fails(1, "other settings", *LABEL, "--seed 3 --runs 5", labels)
    assert done.err.count("\n") <= 2


def test_train_writes_and_goes_on(
    run: Run, labels: Path, tmp_path: Path
) -> None:
    """One epoch, then a second one; weights, curve and figure are there."""
    common = training(labels, tmp_path)
    first = run.json(*common, "--epochs 1")["epochs"]
    assert [entry["epoch"] for entry in first] == [1]
    assert 0 < first[0]["validation"]["loss"] < 2
    figure = tmp_path / "curve.png"
    done = run.succeeds(*common, "--epochs 2 --plot", figure)
    assert "epoch   2" in done.out
    assert "epoch   1" not in done.out
    assert figure.stat().st_size > 1000
    names = {path.name for path in (tmp_path / "out").iterdir()}
    weights = {"best.safetensors", "checkpoint.safetensors"}
    assert names == weights | {"learning_curve.csv"}


def test_ccp_labels_are_trained_on(run: Run, tmp_path: Path) -> None:
    """Points are labelled, and the network is one for the CCP."""
    points = tmp_path / "points"
    run.succeeds(*LABEL, "--problem ccp", points)
    run.succeeds(*training(points, tmp_path), "--epochs 1 --json")
    checkpoint = read_checkpoint(tmp_path / "out")
    assert checkpoint is not None
    assert checkpoint[0]["network"]["problem"] == "ccp"
    assert run(*LABEL, "--problem tsp", points).code == 2


def test_solved_problems_are_labels(run: Run, tmp_path: Path) -> None:
    """A folder of instances and solutions; nothing else goes with it."""
    solved = tmp_path / "solved"
    run.succeeds("generate 20 --count 2 --output", solved)
    for file in sorted(solved.glob("*.vrp")):
        solve = ("solve", file, "--polish", "none", "--method", "savings")
        run.succeeds(*solve, "--output", file.with_suffix(".sol"))
    output = tmp_path / "labels"
    assert run.json("label", output, "--from", solved)["num_instances"] == 2
    run.fails(
        1, "holds label files already", f"label {output} --from {solved}"
    )
    run.fails(
        2,
        "--runs does not go with --from",
        "label",
        tmp_path / "other",
        f"--from {solved} --runs 3",
    )
    assert run("label", tmp_path / "other", "--capacity 3").code == 2
    file = next(solved.glob("*.sol"))
    file.write_text(file.read_text().replace("Route #1:", "Route #1: 99"))
    done = run.fails(
        1, file.name, "label", tmp_path / "other", f"--from {solved}"
    )
    assert done.err.count("\n") <= 2  # the progress is one


GEOMETRY = "--architecture paper --inputs geometry --medoids nearest"


@pytest.mark.parametrize("kind", ["", "--places", f"{GEOMETRY} --width 8"])
def test_a_trained_network_is_evaluated(
    run: Run, labels: Path, tmp_path: Path, kind: str
) -> None:
    """Measures as JSON and as lines; a foreign file is refused in one line."""
    run.succeeds(*training(labels, tmp_path), "--epochs 1", kind)
    weights = tmp_path / "out" / "best.safetensors"
    state = read_checkpoint(tmp_path / "out")
    assert state is not None
    network, is_paper = state[0]["network"], GEOMETRY in kind
    assert (network["inputs"] == "geometry") == is_paper
    assert (state[0]["training"]["medoids"] == "nearest") == is_paper
    assert (network.get("region") is not None) == (kind == "--places")
    found = run.json("evaluate", weights, labels)
    assert found["num_instances"] == 2
    assert 0 < found["metrics"]["ranking"] <= 1
    assert found["first_gap"] is not None
    done = run("evaluate", weights, labels)
    assert "first clustering" in done.out
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(b"no weights")
    run.fails(
        1,
        "foreign.safetensors: weights: not readable",
        f"evaluate {foreign} {labels}",
    )
