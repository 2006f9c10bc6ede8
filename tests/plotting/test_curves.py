"""Learning curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.plotting.curves import plot_learning_curve

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "epoch,train_loss,loss,accuracy,ranking\n"


def test_curve_shows_every_epoch(tmp_path: Path) -> None:
    """Losses of training and validation, accuracy and ranking."""
    source = tmp_path / "curve.csv"
    source.write_text(HEADER + "1,0.5,0.4,0.7,0.8\n2,0.4,0.3,0.8,0.9\n")
    figure = plot_learning_curve(source)
    lines = [
        np.asarray(line.get_ydata()).tolist()
        for axes in figure.axes
        for line in axes.lines
    ]
    assert lines == [[0.5, 0.4], [0.4, 0.3], [0.7, 0.8], [0.8, 0.9]]


def test_first_choices_are_drawn_where_they_are_known(tmp_path: Path) -> None:
    """Curves of today have a column more than older ones."""
    source = tmp_path / "curve.csv"
    head = HEADER.rstrip() + ",first_choice\n"
    source.write_text(head + "1,0.5,0.4,0.7,0.8,0.6\n")
    figure = plot_learning_curve(source)
    assert len(figure.axes) == 4
    assert figure.axes[3].get_title() == "right first choices"
    assert np.asarray(figure.axes[3].lines[0].get_ydata()).tolist() == [0.6]


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A table without the columns of a curve is named."""
    source = tmp_path / "other.csv"
    source.write_text("a,b\n1,2\n")
    with pytest.raises(InstanceError, match="not a learning curve"):
        plot_learning_curve(source)
