"""The cost over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from ncc_routing import ParameterError
from ncc_routing.core.events import TracePoint
from ncc_routing.plotting import plot_trace


@dataclass
class Run:
    """What has a trace."""

    trace: tuple[TracePoint, ...]


POINTS = ((0.5, "route", 30.0), (1.0, "polish", 25.0), (4.0, "polish", 20.0))
RUN = Run(tuple(TracePoint(*point) for point in POINTS))


def test_cost_is_a_step_and_stages_are_marked() -> None:
    """The route stage ends at 0.5 s, where the polish begins."""
    axes = plot_trace(RUN).axes[0]
    step, _, end_of_route = axes.lines
    assert np.asarray(step.get_xdata()).tolist() == [0.5, 1.0, 4.0]
    assert np.asarray(step.get_ydata()).tolist() == [30.0, 25.0, 20.0]
    assert step.get_drawstyle() == "steps-post"
    assert np.asarray(end_of_route.get_xdata()).tolist() == [0.5, 0.5]
    marks = [(text.get_text(), text.xy[0]) for text in axes.texts]  # type: ignore[attr-defined]
    assert marks == [("route", 0.0), ("polish", 0.5)]
    assert axes.get_title(loc="left") == "cost 20 after 4 s"


def test_best_known_cost_is_a_line() -> None:
    """Only where one is given."""
    axes = plot_trace(RUN, bks=19.0, title="mine", size=(5, 3)).axes[0]
    assert np.asarray(axes.lines[-1].get_ydata()).tolist() == [19.0, 19.0]
    assert axes.get_legend() is not None
    assert axes.get_title(loc="left") == "mine"
    assert plot_trace(RUN).axes[0].get_legend() is None


def test_empty_traces_are_refused() -> None:
    """There is nothing to draw."""
    with pytest.raises(ParameterError, match="no point"):
        plot_trace(Run(()))
