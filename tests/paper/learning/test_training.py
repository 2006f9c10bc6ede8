"""Training: it learns, repeats, resumes, and runs on two ranks."""

import csv
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from ncc_routing import InstanceError, ParameterError
from ncc_routing.paper.learning.checkpoint import CHECKPOINT, read_checkpoint
from ncc_routing.paper.learning.label_files import LabelledInstance
from ncc_routing.paper.learning.labels import LabelPlan, write_labels
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.learning.scorer import load_scorer
from ncc_routing.paper.learning.training import EpochReport, train
from ncc_routing.paper.scoring.network_params import NetworkParams
from tests.oracles.precision import LATER_EPOCHS, rounding

FAST: dict[str, Any] = {
    "num_epochs": 3,
    "batch_size": 2,
    "learning_rate": 1e-2,
}


Run = Callable[..., list[EpochReport]]


@pytest.fixture
def run(tiny_labels: list[LabelledInstance], tiny_shape: NetworkParams) -> Run:
    """Return a training that ends, on three instances and the fourth."""

    def whole(folder: Path, **changes: Any) -> list[EpochReport]:
        data, params = (tiny_labels[:3], tiny_labels[3:]), {**FAST, **changes}
        course = TrainingParams(**params)
        return list(train(*data, folder, network=tiny_shape, params=course))

    return whole


@pytest.mark.numeric
def test_loss_falls(
    tiny_labels: list[LabelledInstance],
    tiny_shape: NetworkParams,
    tmp_path: Path,
) -> None:
    """A few epochs on four instances fit them better than the first."""
    data, params = (tiny_labels, tiny_labels), {**FAST, "num_epochs": 6}
    course = TrainingParams(**params)
    reports = list(train(*data, tmp_path, network=tiny_shape, params=course))
    losses = [report.validation.loss for report in reports]
    assert min(losses[1:]) < losses[0]
    assert [report.epoch for report in reports] == [1, 2, 3, 4, 5, 6]
    found = load_scorer(tmp_path / "best.safetensors")
    assert found.params == tiny_shape
    with (tmp_path / "learning_curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["loss"]) for row in rows] == pytest.approx(
        losses, abs=1e-6
    )


@pytest.mark.numeric
def test_resumed_training_is_the_uninterrupted_one(
    run: Run, tmp_path: Path
) -> None:
    """Two epochs and one more are three, to the last bit."""
    whole = run(tmp_path / "a")
    run(tmp_path / "b", num_epochs=2)
    rest = run(tmp_path / "b")
    assert [report.epoch for report in rest] == [3]
    assert rest[0].validation == whole[2].validation
    assert rest[0].train_loss == whole[2].train_loss
    assert run(tmp_path / "b") == []


@pytest.mark.numeric
@pytest.mark.parametrize("inputs", ["paper", "geometry"])
def test_chunks_add_up_to_a_step(
    inputs: str, tiny_labels: list[LabelledInstance], tmp_path: Path
) -> None:
    """One instance at a time gives the losses of all at once."""
    shape = NetworkParams(
        "paper", width=8, num_layers=1, degree=5, inputs=inputs
    )
    found: list[list[float]] = []
    for size in (1, 4):
        params = TrainingParams(**{**FAST, "batch_size": 4}, chunk_size=size)
        folder = tmp_path / str(size)
        reports = train(
            tiny_labels, tiny_labels, folder, network=shape, params=params
        )
        found.append([])
        for report in reports:
            found[-1] += [report.train_loss, report.validation.loss]
    one, whole = found
    # Both begin with the same weights, and sum over neighbours as well.
    terms = 3 * 4 * shape.width * shape.degree
    assert one[0] == pytest.approx(whole[0], rel=rounding(terms))
    assert one == pytest.approx(whole, rel=LATER_EPOCHS)


def test_patience_ends_a_training(run: Run, tmp_path: Path) -> None:
    """Too long steps only make it worse; more patience goes on."""
    rash = {"num_epochs": 30, "learning_rate": 3.0, "patience": 2}
    reports = run(tmp_path, **rash)
    losses = [report.validation.loss for report in reports]
    assert 3 <= len(reports) < 30
    assert min(losses) == losses[-3]
    assert run(tmp_path, **rash) == []
    assert len(run(tmp_path, **{**rash, "patience": 3})) >= 1


def test_a_crash_before_the_curve_is_made_up_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each epoch has one row, wherever the process was killed."""
    curve = tmp_path / "learning_curve.csv"

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    for place in ("write_curve", "write_checkpoint"):
        with monkeypatch.context() as patch:
            patch.setattr(
                f"ncc_routing.paper.learning.training.{place}", crash
            )
            with pytest.raises(KeyboardInterrupt):
                run(tmp_path)
    run(tmp_path)
    with curve.open() as file:
        epochs = [row["epoch"] for row in csv.DictReader(file)]
    assert epochs == ["1", "2", "3"]


def test_other_settings_and_damage_are_refused(
    run: Run, tmp_path: Path
) -> None:
    """A folder belongs to one training; a broken checkpoint is named."""
    run(tmp_path, num_epochs=1)
    with pytest.raises(ParameterError, match="other settings"):
        run(tmp_path, num_epochs=1, seed=5)
    (tmp_path / "checkpoint.safetensors").write_bytes(b"cut")
    with pytest.raises(InstanceError, match="damaged"):
        run(tmp_path, num_epochs=1)


def test_empty_sets_are_refused(
    tiny_labels: list[LabelledInstance], tmp_path: Path
) -> None:
    """Training needs instances, and so does the validation."""
    with pytest.raises(ParameterError, match="need instances"):
        list(train([], tiny_labels, tmp_path))
    with pytest.raises(ParameterError, match="need instances"):
        list(train(tiny_labels, [], tmp_path))


def test_the_best_epoch_is_that_of_the_loss_or_of_the_choices() -> None:
    """Of two epochs the one that is better at what is trained."""
    validation = {"loss": 0.25, "first_choice": 0.75}
    assert TrainingParams().figure_of(validation) == 0.25
    choosing = TrainingParams(choice_weight=0.5)
    assert choosing.figure_of({**validation, "first_choice": 0.5}) == 0.5


def test_rate_follows_the_schedule() -> None:
    """Times 0.55 after each 40 epochs."""
    params = TrainingParams()
    assert params.rate(39) == 1e-3
    assert params.rate(40) == pytest.approx(0.55e-3)
    assert params.rate(199) == pytest.approx(1e-3 * 0.55**4)


@pytest.mark.parametrize(
    "changes", [{"num_epochs": 0}, {"learning_rate": 0.0}, {"decay": 1.5}]
)
def test_bad_parameters_are_refused(changes: dict[str, Any]) -> None:
    """Values out of range name themselves."""
    with pytest.raises(ParameterError, match=next(iter(changes))):
        TrainingParams(**changes)


def test_threads_are_those_of_the_parameters(
    tiny_labels: list[LabelledInstance], tmp_path: Path
) -> None:
    """One thread unless told otherwise; put back afterwards."""
    before = torch.get_num_threads()
    shape, one = NetworkParams(width=8), TrainingParams(num_epochs=1)
    data = (tiny_labels, tiny_labels, tmp_path)
    for _ in train(*data, network=shape, params=one):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_two_ranks(
    tiny_plan: LabelPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As torchrun starts them, with gloo: both step, and one writes."""
    list(write_labels(tiny_plan, tmp_path / "labels"))
    code = (
        "import sys, pathlib\n"
        "from ncc_routing.paper.learning.label_files import read_labels\n"
        "from ncc_routing.paper.scoring.network_params import NetworkParams\n"
        "from ncc_routing.paper.learning.schedule import TrainingParams\n"
        "from ncc_routing.paper.learning.training import train\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "data = read_labels([folder / 'labels'])\n"
        "shape = NetworkParams(width=8, num_layers=1, num_heads=2)\n"
        "params = TrainingParams(num_epochs=2, batch_size=2)\n"
        "for report in train(data, data, folder / 'out', network=shape,\n"
        "                    params=params):\n"
        "    pass\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    for name, value in (shared | {"WORLD_SIZE": "2", "RANK": "1"}).items():
        monkeypatch.setenv(name, value)
    with subprocess.Popen([sys.executable, "-c", code, tmp_path]) as second:
        monkeypatch.setenv("RANK", "0")
        monkeypatch.setattr("sys.argv", ["rank", str(tmp_path)])
        exec(code, {})
        assert second.wait(240) == 0
    curve = (tmp_path / "out" / "learning_curve.csv").read_text()
    assert len(curve.splitlines()) == 3
    load_scorer(tmp_path / "out" / "best.safetensors")


def test_other_labels_need_another_folder(
    tiny_labels: list[LabelledInstance],
    tiny_shape: NetworkParams,
    run: Run,
    tmp_path: Path,
) -> None:
    """A best loss on other instances would say nothing."""
    run(tmp_path)
    course = TrainingParams(**{**FAST, "num_epochs": 4})
    for sets in (
        (tiny_labels[:2], tiny_labels[3:]),
        (tiny_labels[:3], tiny_labels[2:]),
    ):
        with pytest.raises(ParameterError, match="training with other labels"):
            list(train(*sets, tmp_path, network=tiny_shape, params=course))
    assert len(run(tmp_path, num_epochs=4)) == 1


def test_a_state_of_another_version_is_refused(
    run: Run, tmp_path: Path
) -> None:
    """The message names the file."""
    run(tmp_path)
    found = read_checkpoint(tmp_path)
    assert found is not None
    state, tensors = found
    for name, value in (("network", {"new": 1}), ("epoch", "x")):
        header = {"state": json.dumps({**state, name: value})}
        save_file(tensors, tmp_path / CHECKPOINT, header)
        with pytest.raises(InstanceError, match="or of another version"):
            run(tmp_path)
    del tensors[next(name for name in tensors if name.startswith("network"))]
    save_file(tensors, tmp_path / CHECKPOINT, {"state": json.dumps(state)})
    with pytest.raises(InstanceError, match="another version: Error"):
        run(tmp_path, num_epochs=4)
