"""Learning curves of a training."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

_PANELS: Final = {
    "loss": ("train_loss", "loss"),
    "accuracy": ("accuracy",),
    "ranking (AUC)": ("ranking",),
    "right first choices": ("first_choice",),
}
"""Columns of each panel; older curves do not have the last one."""

_LABELS: Final = {
    "train_loss": "training, all terms",
    "loss": "validation, cross entropy",
}
"""What the lines of the first panel are; a training may add the choice of the
best center to its loss."""


def plot_learning_curve(source: Path) -> Figure:
    """Draw the learning curve that a training has written.

    Parameters
    ----------
    source
        The file ``learning_curve.csv`` of a training.

    Raises
    ------
    InstanceError
        If the file is not a learning curve.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with source.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    panels = dict(_PANELS)
    if not rows or "first_choice" not in rows[0]:
        del panels["right first choices"]
    try:
        epochs = [int(row["epoch"]) for row in rows]
        series = {
            name: [float(row[name]) for row in rows]
            for names in panels.values()
            for name in names
        }
    except (KeyError, TypeError, ValueError) as error:
        rule = f"not a learning curve: {error}"
        raise InstanceError(source, "rows", rule) from None
    figure = Figure(figsize=(3.5 * len(panels), 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    for number, (title, names) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(1, len(panels), number)
        for name in names:
            label = _LABELS.get(name)
            axes.plot(epochs, series[name], marker=".", label=label)
        axes.set_xlabel("epoch")
        axes.set_title(title)
        axes.grid(alpha=0.3)
    figure.axes[0].legend()
    return figure
