"""What a notebook shows: small still pictures as SVG text, no matplotlib.

The ground is transparent and the depot has the colour of the text around,
so the pictures fit light and dark pages.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text import counted
from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.problems.routes.route_shapes import convex_hull
from ncc_routing.problems.routes.timetable import route_titles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

_SIDE: Final = 1000
"""Units of the longer side; whole ones are exact enough for the eye."""

_MARGIN: Final = 20

_GOLDEN_ANGLE: Final = 137.50776
"""Degrees between the hues of groups that follow each other."""


def routes_svg(
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    width: int = 480,
) -> str:
    """Return a small picture of the routes.

    Parameters
    ----------
    instance
        The instance; it must have coordinates.
    solution
        The routes to draw.
    unserved
        Required customers on no route, drawn as crosses. Default: none.
    width
        Pixels of the longer side. Default 480.

    Returns
    -------
    str
        An ``<svg>`` element; hovering over a route names it.

    Raises
    ------
    InstanceError
        If the instance has no coordinates.
    """
    coords = instance.require_coords("plotting")
    places, size = _whole_places(coords, aspect_of(instance))
    wide, mark = _widths(instance.num_customers)
    legs, lines = [], []
    costs = solution.route_costs(instance)
    trips = solution.trips(instance)
    loads = list(map(instance.stated_load, solution.loads(instance)))
    titles = route_titles(instance, solution)
    driven = zip(solution.routes, solution.ends(instance), costs, strict=True)
    for k, (route, both_ends, cost) in enumerate(driven):
        colour = _colour(k)
        start, end = both_ends
        ends = [places[list(leg)] for leg in (start, end and end[::-1]) if leg]
        if ends:
            legs.append(f'<path stroke="{colour}" d="{_path(*ends)}"/>')
        count = sum(map(len, trips[k]))
        lines.append(
            f'<g stroke="{colour}"><title>{escape(titles[k])}: '
            f"{counted(count, 'customer')}, load {loads[k]}, "
            f"cost {cost:,.6g}</title>"
            f'<path stroke-width="{wide}" d="{_path(places[list(route)])}"/>'
            f'<path stroke-width="{mark}" d="{_dots(places[list(route)])}"/>'
            "</g>"
        )
    faint = max(0.12, min(0.45, 15 / max(len(legs), 1)))
    return _wrap(
        [
            f'<g opacity="{faint:.2f}" stroke-width="{wide * 0.7:.3g}">',
            *legs,
            "</g>",
            *lines,
            *_crosses([places[one.customer].tolist() for one in unserved]),
            *(_square(*places[depot].tolist()) for depot in instance.depots),
        ],
        f"{instance.name}: {counted(solution.num_routes, 'route')}",
        (size, width),
    )


def clusters_svg(
    points: PointSet, clustering: Clustering, width: int = 480
) -> str:
    """Return a small picture of the clusters, their hulls and centers.

    Parameters
    ----------
    points
        Points in the plane.
    clustering
        Their clustering.
    width
        Pixels of the longer side. Default 480.

    Returns
    -------
    str
        An ``<svg>`` element; hovering over a cluster names it.

    Raises
    ------
    ParameterError
        If the points are not in the plane.
    """
    if points.coords.shape[1] != 2:
        raise ParameterError(f"{points.name}: a picture needs two dimensions.")
    count = points.num_points
    centers = points.to_plane(clustering.centers)
    nodes = np.concatenate([points.coords, centers])
    places, size = _whole_places(nodes, aspect_of(points))
    _, mark = _widths(count)
    shapes, crosses = [], []
    for k, members in enumerate(clustering.members()):
        if len(members) == 0:
            continue
        hull = _path(convex_hull(places[members]).astype(int))
        load = clustering.loads[k].item()
        shapes.append(
            f'<g stroke="{_colour(k)}"><title>Cluster {k}: '
            f"{counted(len(members), 'point')}, load {load:,.6g}</title>"
            f'<path fill="{_colour(k)}" fill-opacity=".14" '
            f'stroke-opacity=".5" stroke-width="2" d="{hull}Z"/>'
            f'<path stroke-width="{mark}" d="{_dots(places[members])}"/></g>'
        )
        crosses.append(places[count + k].tolist())
    return _wrap(
        [*shapes, *_crosses(crosses)],
        f"{points.name}: {counted(clustering.num_clusters, 'cluster')}",
        (size, width),
    )


def html_card(summary: str, picture: str = "") -> str:
    """Return lines of text, escaped, with an SVG picture beside them."""
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; '
        'align-items: flex-start">'
        f"<pre>{escape(summary)}</pre>"
        f'<div style="flex: 1; min-width: 16em; max-width: 32em">{picture}'
        "</div></div>"
    )


def _whole_places(
    coords: np.ndarray, aspect: float
) -> tuple[np.ndarray, tuple[int, int]]:
    """Return places in whole units, y downwards, and the size around them."""
    shape = np.column_stack([coords[:, 0], -aspect * coords[:, 1]])
    shape = shape - shape.min(axis=0)
    shape *= _SIDE / (shape.max() or 1.0)
    places = np.rint(shape).astype(int) + _MARGIN
    across, down = (places.max(axis=0) + _MARGIN).tolist()
    return places, (across, down)


def _widths(num_marks: int) -> tuple[float, float]:
    spacing = _SIDE / num_marks**0.5
    wide = float(np.clip(0.06 * spacing, 1.0, 4.0))
    mark = float(np.clip(0.26 * spacing, 2.4, 13.0))
    return round(wide, 2), round(mark, 2)


def _square(x: int, y: int) -> str:
    return (
        f'<rect x="{x - 9}" y="{y - 9}" width="18" height="18" '
        'fill="currentColor"><title>Depot</title></rect>'
    )


def _crosses(places: list[list[int]]) -> list[str]:
    path = "".join(f"M{x - 7} {y - 7}l14 14m-14 0l14-14" for x, y in places)
    if not path:
        return []
    return [f'<path stroke="currentColor" stroke-width="4" d="{path}"/>']


def _colour(k: int) -> str:
    """Return a colour of middle lightness far from that of k - 1."""
    lightness = (46, 56, 40)[k % 3]
    return f"hsl({(215 + k * _GOLDEN_ANGLE) % 360:.0f} 62% {lightness}%)"


def _path(*lines: np.ndarray | list[np.ndarray]) -> str:
    return "".join(
        "M" + "L".join(f"{x} {y}" for x, y in np.asarray(line).tolist())
        for line in lines
    )


def _dots(places: np.ndarray) -> str:
    """Return path data of round dots: lines of no length, with round caps."""
    return "".join(f"M{x} {y}h0" for x, y in places.tolist())


def _wrap(
    parts: list[str], label: str, sizes: tuple[tuple[int, int], int]
) -> str:
    (across, down), width = sizes
    scale = width / max(across, down)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'aria-label="{escape(label)}" viewBox="0 0 {across} {down}" '
        f'width="{across * scale:.0f}" height="{down * scale:.0f}" '
        'style="max-width:100%;height:auto" fill="none" '
        'stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(parts)}</svg>"
    )
