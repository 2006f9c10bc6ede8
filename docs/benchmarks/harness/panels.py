"""Curves over logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ncc_routing.plotting.figures import save_figure

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

Curve = tuple[Sequence[float], Sequence[float]]
"""Places and heights."""


def plot_curves(
    title: str, curves: Mapping[str, Curve], labels: tuple[str, str]
) -> Figure:
    """Draw curves by their names; ``labels`` are those of the axes."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    figure = Figure(figsize=(5.2, 3.4), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    for name, (places, heights) in curves.items():
        axes.plot(places, heights, "o-", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")
    axes.set_title(title, fontsize=9)
    axes.set_xlabel(labels[0], fontsize=8)
    axes.set_ylabel(labels[1], fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    return figure


def save_svg(figure: Figure, path: Path) -> None:
    """Write a figure that is the same text for the same curves."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": path.stem, "svg.fonttype": "none"}):
        save_figure(figure, path)
