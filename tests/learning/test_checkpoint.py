"""Checkpoints: what is read back, and what is wrong with a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.learning.checkpoint import (
    STATE,
    append_row,
    read_checkpoint,
    restore,
    write_checkpoint,
)

if TYPE_CHECKING:
    from pathlib import Path


def stepped(value: float) -> tuple[torch.nn.Linear, torch.optim.Adam]:
    """Return a layer after a step of Adam, and its optimizer."""
    layer = torch.nn.Linear(2, 1)
    torch.nn.init.constant_(layer.weight, value)
    adam = torch.optim.Adam(layer.parameters(), lr=0.1)
    torch.autograd.backward(layer(torch.ones(1, 2)).square().sum())
    adam.step()
    return layer, adam


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


def test_folder_without_a_checkpoint(tmp_path: Path) -> None:
    """A training starts there."""
    assert read_checkpoint(tmp_path) is None


def test_files_of_two_epochs_are_refused(tmp_path: Path) -> None:
    """As after a crash between the two files."""
    write_checkpoint(tmp_path, {"epoch": 3}, *stepped(1.0))
    (tmp_path / STATE).write_text('{"epoch": 2}')
    with pytest.raises(InstanceError, match="tensors are of epoch 3"):
        read_checkpoint(tmp_path)


def test_rows_have_one_header(tmp_path: Path) -> None:
    """Rounded to six places."""
    path = tmp_path / "curve.csv"
    for loss in (0.5, 1 / 3):
        append_row(path, {"epoch": 1, "loss": loss})
    assert path.read_text().split() == ["epoch,loss", "1,0.5", "1,0.333333"]
