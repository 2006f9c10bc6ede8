"""Learning curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing import InstanceError
from ncc_routing.plotting.curves import plot_learning_curve

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "epoch,train_loss,loss,accuracy,ranking"


@pytest.mark.parametrize("has_first_choices", [False, True])
def test_curve_shows_every_epoch(
    tmp_path: Path, has_first_choices: bool
) -> None:
    """First choices have a panel where the file knows them."""
    head, first, second = HEADER, "1,0.5,0.4,0.7,0.8", "2,0.4,0.3,0.8,0.9"
    expected = [[0.5, 0.4], [0.4, 0.3], [0.7, 0.8], [0.8, 0.9]]
    if has_first_choices:
        head, first, second = (
            f"{head},first_choice",
            f"{first},1",
            f"{second},0",
        )
        expected.append([1, 0])
    source = tmp_path / "curve.csv"
    source.write_text("\n".join([head, first, second]))
    axes = plot_learning_curve(source).axes
    lines = [line.get_ydata() for each in axes for line in each.lines]
    assert [np.asarray(line).tolist() for line in lines] == expected
    if has_first_choices:
        assert axes[3].get_title() == "right first choices"


def test_other_files_are_refused(tmp_path: Path) -> None:
    """A table without the columns of a curve is named."""
    source = tmp_path / "other.csv"
    source.write_text("a,b\n1,2\n")
    with pytest.raises(InstanceError, match="not a learning curve"):
        plot_learning_curve(source)
