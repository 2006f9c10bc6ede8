"""Learning curves of a training."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

PANELS: Final = (
    ("cross entropy", ("train_loss", "loss")),
    ("accuracy", ("accuracy",)),
    ("ranking (AUC)", ("ranking",)),
)
"""Title of each panel, and the columns that it shows."""


def plot_learning_curve(source: Path) -> Figure:
    """Draw the learning curve that a training has written.

    Parameters
    ----------
    source
        The file ``learning_curve.csv`` of a training.

    Returns
    -------
    matplotlib.figure.Figure
        One panel each for loss, accuracy and ranking over the epochs.

    Raises
    ------
    InstanceError
        If the file is not a learning curve.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with source.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    try:
        epochs = [int(row["epoch"]) for row in rows]
        series = {
            name: [float(row[name]) for row in rows]
            for _, names in PANELS
            for name in names
        }
    except (KeyError, TypeError, ValueError) as error:
        rule = f"not a learning curve: {error}"
        raise InstanceError(source, "rows", rule) from None
    figure = Figure(figsize=(10.5, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    for number, (title, names) in enumerate(PANELS, start=1):
        axes = figure.add_subplot(1, len(PANELS), number)
        for name in names:
            label = "training" if name == "train_loss" else "validation"
            axes.plot(epochs, series[name], marker=".", label=label)
        axes.set_xlabel("epoch")
        axes.set_title(title)
        axes.grid(alpha=0.3)
    figure.axes[0].legend()
    return figure
