"""A solution on the map: one colour a route, depots as squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from ncc_routing.core.params import require_type
from ncc_routing.core.text import counted
from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.plotting.colours import spread_colours
from ncc_routing.plotting.figures import (
    DEFAULT_SIZE,
    empty_figure,
    finish_map,
    line_width,
    mark_area,
)
from ncc_routing.problems.routes.references import measure_consistency
from ncc_routing.problems.routes.route_shapes import convex_hull
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.unserved import Unserved

_GREY: Final = (0.55, 0.55, 0.55, 1.0)
"""Colour of customers without a district."""


def plot_solution(
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    hulls: bool = False,
    title: str | None = None,
    size: tuple[float, float] = DEFAULT_SIZE,
    labels: Sequence[int] | np.ndarray | None = None,
) -> Figure:
    """Draw the routes of a solution.

    Each route has a colour of its own, and unserved customers are crosses.
    With a reference the colours are those of its districts: a route has that
    of most of its customers, so that those who are moved show in another
    colour, and new ones in grey.

    Parameters
    ----------
    instance
        The instance; it must have coordinates.
    solution
        The routes to draw.
    unserved
        Required customers on no route. Default: none.
    hulls
        Whether to shade the convex hull of the customers of each route.
        Default ``False``.
    title
        Text above the figure. By default the name of the instance, the
        cost and the number of routes.
    size
        Width and height in inches. Default 7 x 7. Lines and marks get
        thinner with the number of customers, and thicker with the size.
    labels
        District of each node in a reference, as ``Result.labels`` has them.
        Default: none.

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
    require_type("solution", solution, Solution)
    coords = instance.require_coords("plotting")
    figure = empty_figure(size)
    axes = figure.add_subplot()
    order = _around_depot(coords, solution.routes)
    routes = [solution.routes[idx] for idx in order]
    both_ends = solution.ends(instance)
    legs = [list(filter(None, both_ends[idx])) for idx in order]
    colours, shades = _colours(instance, routes, labels)
    if hulls:
        _draw_hulls(axes, coords, routes, colours)
    width = line_width(instance.num_customers, size)
    _draw_routes(axes, coords, (routes, legs), colours, width)
    area = mark_area(instance.num_customers, size)
    customers = np.array([c for route in routes for c in route], dtype=int)
    x, y = coords[customers].T
    axes.scatter(x, y, s=area, color=shades, linewidths=0, zorder=3)
    if unserved:
        x, y = coords[[one.customer for one in unserved]].T
        axes.scatter(
            x,
            y,
            s=2.0 * area,
            marker="x",
            color="black",
            zorder=4,
            label="unserved",
        )
    x, y = coords[list(instance.depots)].T
    axes.scatter(
        x,
        y,
        s=90,
        marker="s",
        color="black",
        edgecolors="white",
        linewidths=1.2,
        zorder=5,
        label="depot",
    )
    low, high = coords.min(axis=0), coords.max(axis=0)
    margin = 0.03 * max(float((high - low).max()), 1e-9)
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    finish_map(
        axes, title or _title(instance, solution, labels), aspect_of(instance)
    )
    return figure


def _around_depot(
    coords: np.ndarray, routes: tuple[tuple[int, ...], ...]
) -> list[int]:
    means = [coords[list(route)].mean(axis=0) for route in routes]
    angles = [float(np.arctan2(*(mean - coords[0])[::-1])) for mean in means]
    return [int(idx) for idx in np.argsort(angles, kind="stable")]


def _colours(
    instance: Instance,
    routes: list[tuple[int, ...]],
    labels: Sequence[int] | np.ndarray | None,
) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    if labels is not None and len(labels) > 0:
        districts = np.asarray(labels)
        palette = _district_colours(
            instance.require_coords("plotting"), districts
        )
        colours = [palette[_district_of(districts[list(r)])] for r in routes]
        return colours, [
            palette[districts[c]] for route in routes for c in route
        ]
    colours = spread_colours(len(routes))
    pairs = zip(routes, colours, strict=True)
    return colours, [colour for route, colour in pairs for _ in route]


def _district_colours(
    coords: np.ndarray, districts: np.ndarray
) -> list[tuple[float, ...]]:
    """Return a colour for each district, and a grey for none at the end."""
    members = tuple(
        tuple(np.flatnonzero(districts == district).tolist())
        for district in range(districts.max() + 1)
    )
    palette: list[tuple[float, ...]] = [_GREY] * (len(members) + 1)
    spread = spread_colours(len(members))
    for idx, colour in zip(
        _around_depot(coords, members), spread, strict=True
    ):
        palette[idx] = colour
    return palette


def _district_of(districts: np.ndarray) -> int:
    """Return the district of most customers of a route, -1 for none at all."""
    known = districts[districts >= 0]
    return int(np.bincount(known).argmax()) if len(known) else -1


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
    lines: tuple[list[tuple[int, ...]], list[list[tuple[int, int]]]],
    colours: list[tuple[float, ...]],
    width: float,
) -> None:
    routes, legs = lines
    faint = float(np.clip(15.0 / max(len(routes), 1), 0.12, 0.45))
    inner = [coords[list(route)] for route in routes]
    axes.add_collection(
        LineCollection(inner, colors=colours, linewidths=width, zorder=2)
    )
    ends, end_colours = [], []
    for of_route, colour in zip(legs, colours, strict=True):
        for leg in of_route:
            ends.append(coords[list(leg)])
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


def _title(
    instance: Instance,
    solution: Solution,
    labels: Sequence[int] | np.ndarray | None,
) -> str:
    cost = f"{solution.cost:,.6g}"
    if float(solution.cost).is_integer():
        cost = f"{int(solution.cost):,}"
    kept = ""
    if labels is not None and len(labels) > 0:
        share = measure_consistency(labels, solution.routes).kept_pairs
        kept = f", {100.0 * share:.0f} % kept"
    routes = counted(solution.num_routes, "route")
    return f"{instance.name}: cost {cost}, {routes}{kept}"
