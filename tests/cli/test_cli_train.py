"""``ncc-route label`` and ``ncc-route train``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing.learning.checkpoint import read_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

WORDS = "label --count 2 --sizes 20 25 --iterations 10 --shard-size 1"
LABEL = tuple(WORDS.split())


@pytest.fixture
def labels(run: Run, tmp_path: Path) -> Path:
    """Return a folder with two labelled instances."""
    done = run(*LABEL, "--seed", 3, tmp_path / "labels", "--json")
    assert done.code == 0, done.err
    assert len(json.loads(done.out)["files"]) == 2
    return tmp_path / "labels"


def test_label_goes_on(run: Run, labels: Path) -> None:
    """A second call keeps the files; one of other settings is refused."""
    before = {path: path.stat().st_mtime_ns for path in labels.iterdir()}
    assert run(*LABEL, "--seed", 3, labels).code == 0
    after = {path: path.stat().st_mtime_ns for path in labels.iterdir()}
    assert after == before
    done = run(*LABEL, "--seed", 3, "--runs", 5, labels)
    assert done.code == 1
    assert "other settings" in done.err
    assert done.err.count("\n") <= 2


def test_train_writes_and_goes_on(
    run: Run, labels: Path, tmp_path: Path
) -> None:
    """One epoch, then a second one; weights, curve and figure are there."""
    common = (
        *("train", labels, "--validation", labels, "--schedule", "cpu"),
        *("--output", tmp_path / "out"),
    )
    done = run(*common, "--epochs", 1, "--json")
    assert done.code == 0, done.err
    first = json.loads(done.out)["epochs"]
    assert [entry["epoch"] for entry in first] == [1]
    assert 0 < first[0]["validation"]["loss"] < 2
    figure = tmp_path / "curve.png"
    done = run(*common, "--epochs", 2, "--plot", figure)
    assert done.code == 0, done.err
    assert "epoch   2" in done.out
    assert "epoch   1" not in done.out
    assert figure.stat().st_size > 1000
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "best.safetensors",
        "checkpoint.safetensors",
        "learning_curve.csv",
    }


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("curve.txt", 2, ".png or .svg"),
        ("missing/curve.png", 1, "cannot be written"),
    ],
)
def test_bad_figure_is_refused_before_the_training(
    run: Run, labels: Path, tmp_path: Path, name: str, code: int, message: str
) -> None:
    """Nobody wants to hear it after the epochs."""
    done = run(
        *("train", labels, "--validation", labels, "--schedule", "cpu"),
        *("--epochs", 1, "--output", tmp_path / "out"),
        *("--plot", tmp_path / name),
    )
    assert done.code == code
    assert message in done.err
    assert not (tmp_path / "out").exists()


def test_missing_labels_are_one_line(run: Run, tmp_path: Path) -> None:
    """An empty folder is an error with its name."""
    done = run(
        *("train", tmp_path, "--validation", tmp_path),
        *("--output", tmp_path / "out"),
    )
    assert done.code == 1
    assert "no label file" in done.err
    assert "Traceback" not in done.err


def test_ccp_labels_are_trained_on(run: Run, tmp_path: Path) -> None:
    """Points are labelled, and the network is one for the CCP."""
    points = tmp_path / "points"
    done = run(*LABEL, "--problem", "ccp", points)
    assert done.code == 0, done.err
    done = run(
        *("train", points, "--validation", points, "--schedule", "cpu"),
        *("--epochs", 1, "--output", tmp_path / "out", "--json"),
    )
    assert done.code == 0, done.err
    checkpoint = read_checkpoint(tmp_path / "out")
    assert checkpoint is not None
    assert checkpoint[0]["network"]["problem"] == "ccp"
    assert run(*LABEL, "--problem", "tsp", points).code == 2


def test_solved_problems_are_labels(run: Run, tmp_path: Path) -> None:
    """A folder of instances and solutions; nothing else goes with it."""
    solved = tmp_path / "solved"
    done = run("generate", 20, "--count", 2, "--output", solved)
    assert done.code == 0, done.err
    for file in sorted(solved.glob("*.vrp")):
        solve = ("solve", file, "--polish", "none", "--method", "savings")
        done = run(*solve, "--output", file.with_suffix(".sol"))
        assert done.code == 0, done.err
    output = tmp_path / "labels"
    done = run("label", output, "--from", solved, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["num_instances"] == 2
    done = run("label", output, "--from", solved)
    assert done.code == 1
    assert "holds label files already" in done.err
    done = run("label", tmp_path / "other", "--from", solved, "--runs", 3)
    assert done.code == 2
    assert "--runs does not go with --from" in done.err
    assert run("label", tmp_path / "other", "--capacity", 3).code == 2
    file = next(solved.glob("*.sol"))
    file.write_text(file.read_text().replace("Route #1:", "Route #1: 99"))
    done = run("label", tmp_path / "other", "--from", solved)
    assert done.code == 1
    assert file.name in done.err
    assert done.err.count("\n") <= 2  # the progress is one


GEOMETRY = "--architecture paper --inputs geometry --medoids nearest"


@pytest.mark.parametrize("kind", ["", f"{GEOMETRY} --width 8"])
def test_a_trained_network_is_evaluated(
    run: Run, labels: Path, tmp_path: Path, kind: str
) -> None:
    """Measures as JSON and as lines; a foreign file is refused in one line."""
    done = run(
        *("train", labels, "--validation", labels, "--schedule", "cpu"),
        *("--epochs", 1, "--output", tmp_path / "out", *kind.split()),
    )
    assert done.code == 0, done.err
    weights = tmp_path / "out" / "best.safetensors"
    state = read_checkpoint(tmp_path / "out")
    assert state is not None
    assert (state[0]["network"]["inputs"] == "geometry") == bool(kind)
    assert (state[0]["training"]["medoids"] == "nearest") == bool(kind)
    done = run("evaluate", weights, labels, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["num_instances"] == 2
    assert 0 < found["metrics"]["ranking"] <= 1
    assert found["first_gap"] is not None
    done = run("evaluate", weights, labels)
    assert "first clustering" in done.out
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(b"no weights")
    done = run("evaluate", foreign, labels)
    assert done.code == 1
    assert "foreign.safetensors: weights: not readable" in done.err
