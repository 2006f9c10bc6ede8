"""A solution on the map: one colour a route, the depot as a square."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.plotting.colours import spread_colours
from ncc_routing.plotting.figures import (
    DEFAULT_SIZE,
    empty_figure,
    finish_map,
    line_width,
    mark_area,
)
from ncc_routing.plotting.hulls import convex_hull

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


def plot_solution(
    instance: Instance,
    solution: Solution,
    hulls: bool = False,
    title: str | None = None,
    size: tuple[float, float] = DEFAULT_SIZE,
) -> Figure:
    """Draw the routes of a solution.

    Parameters
    ----------
    instance
        The instance; it must have coordinates.
    solution
        The routes to draw.
    hulls
        Whether to shade the convex hull of the customers of each route.
        Default ``False``.
    title
        Text above the figure. By default the name of the instance, the
        cost and the number of routes.
    size
        Width and height in inches. Default 7 x 7. Lines and marks get
        thinner with the number of customers, and thicker with the size.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of its own: pyplot's global state is not touched.

    Raises
    ------
    InstanceError
        If the instance has no coordinates.
    ParameterError
        If a side of ``size`` is not positive.
    """
    coords = instance.require_coords("plotting")
    figure = empty_figure(size)
    axes = figure.add_subplot()
    routes = _around_depot(coords, solution.routes)
    colours = spread_colours(len(routes))
    if hulls:
        _draw_hulls(axes, coords, routes, colours)
    width = line_width(instance.num_customers, size)
    _draw_routes(axes, coords, routes, colours, width)
    area = mark_area(instance.num_customers, size)
    _draw_nodes(axes, coords, routes, colours, area)
    _set_limits(axes, coords)
    finish_map(axes, title or _title(instance, solution), aspect_of(instance))
    return figure


def _around_depot(
    coords: np.ndarray, routes: tuple[tuple[int, ...], ...]
) -> list[tuple[int, ...]]:
    """Order the routes by the angle under which the depot sees them."""
    means = [coords[list(route)].mean(axis=0) for route in routes]
    angles = [float(np.arctan2(*(mean - coords[0])[::-1])) for mean in means]
    return [routes[idx] for idx in np.argsort(angles, kind="stable")]


def _draw_hulls(
    axes: Axes,
    coords: np.ndarray,
    routes: list[tuple[int, ...]],
    colours: list[tuple[float, ...]],
) -> None:
    shapes = [convex_hull(coords[list(route)]) for route in routes]
    axes.add_collection(
        PolyCollection(
            shapes,
            facecolors=[(*colour[:3], 0.14) for colour in colours],
            edgecolors=[(*colour[:3], 0.35) for colour in colours],
            linewidths=1.0,
            zorder=1,
        )
    )


def _draw_routes(
    axes: Axes,
    coords: np.ndarray,
    routes: list[tuple[int, ...]],
    colours: list[tuple[float, ...]],
    width: float,
) -> None:
    """Draw the way from the depot and back fainter than the route itself."""
    faint = float(np.clip(15.0 / max(len(routes), 1), 0.12, 0.45))
    inner = [coords[list(route)] for route in routes]
    axes.add_collection(
        LineCollection(inner, colors=colours, linewidths=width, zorder=2)
    )
    ends, end_colours = [], []
    for route, colour in zip(routes, colours, strict=True):
        for customer in (route[0], route[-1]):
            ends.append(coords[[0, customer]])
            end_colours.append((*colour[:3], faint))
    axes.add_collection(
        LineCollection(
            ends,
            colors=end_colours,
            linewidths=0.6 * width,
            linestyles=(0, (4, 3)),
            zorder=1.5,
        )
    )


def _draw_nodes(
    axes: Axes,
    coords: np.ndarray,
    routes: list[tuple[int, ...]],
    colours: list[tuple[float, ...]],
    area: float,
) -> None:
    """Draw the customers in the colour of their route, and the depot."""
    customers = np.array([c for route in routes for c in route], dtype=int)
    shades = [
        colour
        for route, colour in zip(routes, colours, strict=True)
        for _ in route
    ]
    axes.scatter(
        coords[customers, 0],
        coords[customers, 1],
        s=area,
        color=shades,
        linewidths=0,
        zorder=3,
    )
    axes.scatter(
        coords[:1, 0],
        coords[:1, 1],
        s=90,
        marker="s",
        color="black",
        edgecolors="white",
        linewidths=1.2,
        zorder=5,
        label="depot",
    )


def _title(instance: Instance, solution: Solution) -> str:
    cost = f"{solution.cost:,.6g}"
    if float(solution.cost).is_integer():
        cost = f"{int(solution.cost):,}"
    return f"{instance.name}: cost {cost}, {solution.num_routes} routes"


def _set_limits(axes: Axes, coords: np.ndarray) -> None:
    """Leave a margin around all nodes."""
    low, high = coords.min(axis=0), coords.max(axis=0)
    margin = 0.03 * max(float((high - low).max()), 1e-9)
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
