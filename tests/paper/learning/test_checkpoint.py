"""Checkpoints: what is read back, and what is wrong with a folder."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from ncc_routing import InstanceError
from ncc_routing.paper.learning.checkpoint import (
    CHECKPOINT,
    read_checkpoint,
    restore,
    write_checkpoint,
    write_curve,
)


def stepped(value: float) -> tuple[torch.nn.Linear, torch.optim.Adam]:
    """Return a layer after a step of Adam, and its optimizer."""
    layer = torch.nn.Linear(2, 1)
    torch.nn.init.constant_(layer.weight, value)
    adam = torch.optim.Adam(layer.parameters(), lr=0.1)
    torch.autograd.backward(layer(torch.ones(1, 2)).square().sum())
    adam.step()
    return layer, adam


@pytest.mark.numeric
def test_weights_and_moments_come_back(tmp_path: Path) -> None:
    """After a restore the next step is that of the other network."""
    one, two = stepped(1.0), stepped(5.0)
    write_checkpoint(tmp_path, {"epoch": 3, "best": 0.5}, *one)
    found = read_checkpoint(tmp_path)
    assert found is not None
    assert found[0] == {"epoch": 3, "best": 0.5}
    restore(found[1], *two)
    for layer, adam in (one, two):
        adam.zero_grad()
        torch.autograd.backward(layer(torch.ones(1, 2)).sum())
        adam.step()
    assert torch.equal(one[0].weight, two[0].weight)
    assert list(tmp_path.glob(".*")) == []


def test_a_checkpoint_is_one_file_that_is_replaced_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash before the new one is complete leaves the old one."""
    write_checkpoint(tmp_path, {"epoch": 3}, *stepped(1.0))
    assert [file.name for file in tmp_path.iterdir()] == [CHECKPOINT]

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", crash)
    with pytest.raises(KeyboardInterrupt):
        write_checkpoint(tmp_path, {"epoch": 4}, *stepped(2.0))
    found = read_checkpoint(tmp_path)
    assert found is not None
    assert found[0] == {"epoch": 3}
    assert [file.name for file in tmp_path.iterdir()] == [CHECKPOINT]


def test_weights_are_no_checkpoint(tmp_path: Path) -> None:
    """A file of tensors without a state is refused; no file is none."""
    assert read_checkpoint(tmp_path) is None
    save_file({"x": torch.ones(2)}, tmp_path / CHECKPOINT)
    with pytest.raises(InstanceError, match="must hold the state"):
        read_checkpoint(tmp_path)


def test_curve_has_one_header(tmp_path: Path) -> None:
    """Rounded to six places; written anew, it has each row once."""
    path = tmp_path / "curve.csv"
    rows = [{"epoch": 1.0, "loss": loss} for loss in (0.5, 1 / 3)]
    for _ in range(2):
        write_curve(path, rows)
    lines = ["epoch,loss", "1.0,0.5", "1.0,0.333333"]
    assert path.read_text().split() == lines
