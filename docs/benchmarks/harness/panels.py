"""Panels of curves, one for each thing that is compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ncc_routing.plotting.figures import save_figure

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

Curve = tuple[Sequence[float] | Sequence[str], Sequence[float]]
"""Places, or their names, and heights."""


def plot_panels(
    panels: Mapping[str, Mapping[str, Curve]],
    columns: int = 3,
    *,
    labels: tuple[str, str] = ("", "gap, %"),
    is_step: bool = False,
    is_log: bool = False,
) -> Figure:
    """Draw curves in panels, ``columns`` of them side by side.

    ``panels`` holds the label and points of each curve by the panel's title.
    A step keeps its height up to the next place; steps, and curves with
    ``is_log``, get logarithmic axes.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    size = (3.7 * columns + 1.5, 2.6 * rows + 0.8)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    for number, (title, curves) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(rows, columns, number)
        for label, (places, heights) in curves.items():
            if is_step:
                axes.step(places, heights, where="post", label=label)
            else:
                axes.plot(places, heights, "o-", label=label)
        if is_step or is_log:
            axes.set_xscale("log")
            axes.set_yscale("log")
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                axis.set_major_formatter("{x:g}")
                axis.set_minor_formatter("")
        else:
            axes.set_ylim(bottom=0)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel(labels[0], fontsize=8)
        axes.set_ylabel(labels[1], fontsize=8)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.3)
        if len(curves) > 1:
            axes.legend(fontsize=7)
    return figure


def save_svg(figure: Figure, path: Path) -> None:
    """Write a figure that is the same text for the same curves."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        save_figure(figure, path)
