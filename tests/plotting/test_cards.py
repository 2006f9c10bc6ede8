"""What a notebook shows of a result."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from ncc_routing.ccp.solve import cluster
from ncc_routing.plotting.svg import html_card
from ncc_routing.problems.instance import Instance
from ncc_routing.vrp.solve import solve


def test_text_is_escaped() -> None:
    """A name cannot become markup."""
    card = html_card("<script>alert(1)</script>", "<svg/>")
    assert "<script>" not in card
    assert "&lt;script&gt;" in card
    assert "<svg/>" in card


def test_results_show_text_and_picture(square: Instance) -> None:
    """The summary, and a drawing that is well-formed."""
    routes = solve(square, polish="none")
    assert square.coords is not None
    clusters = cluster(square.coords, 2, 3)
    for result in (routes, clusters):
        card = result._repr_html_()
        assert result.summary().splitlines()[0] in card
        drawing = re.search(r"<svg.*</svg>", card, re.DOTALL)
        assert drawing is not None
        ElementTree.fromstring(drawing[0])


def test_a_matrix_has_no_picture() -> None:
    """The text alone, where there is nothing to draw."""
    matrix = np.ones((3, 3)) - np.eye(3)
    instance = Instance("table", np.array([0, 1, 1]), 2, matrix=matrix)
    assert "<svg" not in solve(instance, polish="none")._repr_html_()


def test_the_trace_is_drawn(square: Instance) -> None:
    """A figure of matplotlib with the costs of the trace."""
    result = solve(square, time_limit=0.3)
    axes = result.plot_trace().axes[0]
    heights = {y for line in axes.lines for y in np.asarray(line.get_ydata())}
    assert {point.cost for point in result.trace} <= heights
