"""Figures of solutions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection

from ncc_routing import Instance, ParameterError, Solution
from ncc_routing.plotting import plot_solution, save_figure

if TYPE_CHECKING:
    from pathlib import Path


def solution_with(instance: Instance, num_routes: int) -> Solution:
    """Return a solution that deals the customers out to some routes."""
    customers = range(1, instance.num_customers + 1)
    routes = [list(customers[k::num_routes]) for k in range(num_routes)]
    return Solution.from_routes(instance, routes)


@pytest.mark.parametrize("num_routes", [1, 5, 60])
def test_every_route_is_a_line_of_its_own_colour(
    random_instance: Instance, num_routes: int
) -> None:
    """As many polylines and colours as routes, few or many."""
    solution = solution_with(random_instance, num_routes)
    figure = plot_solution(random_instance, solution)
    lines = [
        c
        for c in figure.axes[0].collections
        if isinstance(c, LineCollection) and len(c.get_segments()) > 0
    ]
    inner = lines[0]
    assert len(inner.get_segments()) == num_routes
    assert len(np.unique(inner.get_colors(), axis=0)) == num_routes


def test_title_names_instance_cost_and_routes(square: Instance) -> None:
    """Cost 2 (71 + 100 + 71) = 484."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    title = plot_solution(square, solution).axes[0].get_title(loc="left")
    assert title == "square: cost 484, 2 routes"
    named = plot_solution(square, solution, title="mine")
    assert named.axes[0].get_title(loc="left") == "mine"


def test_hulls_are_drawn_on_request(square: Instance) -> None:
    """One polygon for each route."""
    solution = Solution.from_routes(square, [[1, 4], [2], [3]])

    def polygons(hulls: bool) -> int:
        axes = plot_solution(square, solution, hulls=hulls).axes[0]
        found = [c for c in axes.collections if isinstance(c, PolyCollection)]
        return sum(len(c.get_paths()) for c in found)

    assert polygons(False) == 0
    assert polygons(True) == 3


def test_customers_in_one_place_can_be_drawn(tmp_path: Path) -> None:
    """No extent at all: the axes still have one."""
    instance = Instance(
        "point", np.array([0, 1, 1]), 2, coords=np.full((3, 2), 7.0)
    )
    solution = Solution.from_routes(instance, [[1], [2]])
    figure = plot_solution(instance, solution, hulls=True)
    save_figure(figure, tmp_path / "point.png")


def test_global_state_of_pyplot_is_not_touched(square: Instance) -> None:
    """No figure is registered with pyplot, which may not even be loaded."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    plot_solution(square, solution)
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_every_depot_is_drawn(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """Two squares; each route begins at its own."""
    axes = plot_solution(two_depots, two_depots_plan).axes[0]
    squares = axes.collections[-1].get_offsets()
    assert np.asarray(squares).tolist() == [[0, 0], [100, 0]]
    lines, legs = (
        c for c in axes.collections if isinstance(c, LineCollection)
    )
    starts = [segment[0].tolist() for segment in legs.get_segments()]
    assert sorted(starts) == [[0, 0], [20, 0], [80, 0], [100, 0]]
    assert len(np.unique(np.asarray(lines.get_colors()), axis=0)) == 2


def test_colours_of_a_reference(square: Instance) -> None:
    """Routes have the colours of their districts, new customers are grey."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    figure = plot_solution(square, solution, labels=[-1, 0, 1, 1, -1])
    [axes] = figure.axes
    # Customers 1 4 2 3, or 2 3 1 4: by the angle of their routes.
    marks = np.asarray(axes.collections[2].get_facecolor())
    first, second = marks[:2].tolist(), marks[2:].tolist()
    if first[0] == first[1]:
        first, second = second, first
    assert second[0] == second[1]
    assert first[0] != second[0]
    assert first[1][0] == first[1][1] == first[1][2]
    assert axes.get_title(loc="left").endswith("100 % kept")


def test_other_formats_are_refused(square: Instance, tmp_path: Path) -> None:
    """The message lists the formats."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    figure = plot_solution(square, solution)
    with pytest.raises(ParameterError, match=r"\.png or \.svg"):
        save_figure(figure, tmp_path / "square.gif")
