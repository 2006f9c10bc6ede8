"""The best cost, or the gap, over the time of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.plotting.figures import empty_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ncc_routing.core.events import TracePoint

DEFAULT_SIZE: Final = (7.0, 4.0)
"""Width and height in inches."""

LEAST_GAP: Final = 0.01
"""Least gap in percent that a logarithmic axis shows."""


class Traced(Protocol):
    """What has a trace, such as a result."""

    @property
    def trace(self) -> Sequence[TracePoint]:
        """Points by ascending time."""


def plot_trace(
    result: Traced,
    bks: float | None = None,
    title: str | None = None,
    size: tuple[float, float] = DEFAULT_SIZE,
) -> Figure:
    """Draw the best cost over time, with the stages marked.

    Parameters
    ----------
    result
        Anything with a ``trace``: points with ``seconds``, ``stage`` and
        ``cost``, by ascending time.
    bks
        A cost to compare with, drawn as a line. Default: none.
    title
        Text above the figure. Default: the last cost.
    size
        Width and height in inches. Default 7 x 4.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of its own. A stage begins where the one before it has its
        last point.

    Raises
    ------
    ParameterError
        If the trace is empty.
    """
    trace = result.trace
    if len(trace) == 0:
        raise ParameterError("trace: there is no point to draw.")
    figure = empty_figure(size)
    axes = figure.add_subplot()
    seconds = [point.seconds for point in trace]
    costs = [point.cost for point in trace]
    axes.step(seconds, costs, where="post", linewidth=1.6)
    if len(trace) < 60:
        axes.plot(seconds, costs, ".", color="C0", markersize=5)
    _mark_stages(axes, trace)
    if bks is not None:
        axes.axhline(
            bks, color="0.3", linewidth=1, linestyle="--", label="best known"
        )
        axes.legend(fontsize=8, frameon=False)
    axes.set_xlim(left=0)
    axes.set_xlabel("seconds")
    axes.set_ylabel("best cost")
    axes.grid(alpha=0.25)
    axes.set_title(
        title or f"cost {costs[-1]:,.10g} after {seconds[-1]:.3g} s",
        fontsize=11,
        loc="left",
        parse_math=False,
    )
    return figure


def plot_gaps(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    size: tuple[float, float] = DEFAULT_SIZE,
) -> Figure:
    """Draw gaps over time, on logarithmic axes.

    Parameters
    ----------
    curves
        Name, seconds and gaps in percent of each curve.
    size
        Width and height in inches. Default 7 x 4.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of its own. Gaps below 0.01 % are drawn there.
    """
    figure = empty_figure(size)
    axes = figure.add_subplot()
    for name, (seconds, gaps) in curves.items():
        shown = [max(gap, LEAST_GAP) for gap in gaps]
        axes.step(seconds, shown, where="post", linewidth=1.6, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("seconds")
    axes.set_ylabel("mean gap in %")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, frameon=False)
    return figure


def _mark_stages(axes: Axes, trace: Sequence[TracePoint]) -> None:
    begin = 0.0
    for k, point in enumerate(trace):
        is_last = k + 1 == len(trace)
        if not is_last and trace[k + 1].stage == point.stage:
            continue
        axes.annotate(
            point.stage,
            (begin, 0.0),
            xycoords=("data", "axes fraction"),
            xytext=(4, 4),
            textcoords="offset points",
            rotation="vertical",
            va="bottom",
            fontsize=8,
            color="0.4",
        )
        if not is_last:
            axes.axvline(point.seconds, color="0.75", linewidth=1, zorder=0)
        begin = point.seconds
