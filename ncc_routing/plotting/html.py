"""Interactive pictures: one HTML file each that needs no network.

The page is in ``page/`` and draws whatever data this module writes into it.
"""

from __future__ import annotations

import html
import json
import math
import re
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.params import require_type
from ncc_routing.core.text_files import describe_value
from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.problems import features
from ncc_routing.problems.routes.route_shapes import convex_hull
from ncc_routing.problems.routes.schedules import arc_distances, route_nodes
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.summary import list_heads
from ncc_routing.problems.routes.timetable import (
    DELIVERED,
    LOAD,
    PASSED_BY,
    PICKED_UP,
    REASONS,
    TIMES,
    WAITING,
    is_at_stop,
    list_stops,
    rank_of_told,
)
from ncc_routing.problems.routes.unserved import unserved_lines
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.comparison import Differences
    from ncc_routing.problems.routes.schedules import Schedule
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.problems.time_form import TimeForm

_SCRIPTS: Final = (
    "model.js",
    "view.js",
    "map.js",
    "gestures.js",
    "panel.js",
    "main.js",
)
"""The parts of the script, in the order in which they build on each other."""

_TILES: Final = re.compile(
    r"(https?://(?:\{s\}\.)?[a-z0-9.-]+(?::\d+)?)/[!-~]*", re.IGNORECASE
)
_PLACE_OF_TILE: Final = ("{z}", "{x}", "{y}")
"""An address of tiles, and what it must have."""

_LAST: Final = 85.0511
"""Degrees of latitude where base maps end."""

_UNSAFE: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""What could end the element that the data stand in, as JSON escapes."""


def routes_html(  # noqa: PLR0913 (what a page shows)
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    hulls: bool = False,
    title: str | None = None,
    tiles: str | None = None,
    notes: Mapping[str, str] | None = None,
    differences: Differences | None = None,
) -> str:
    """Return a page with the routes of a solution to look around in.

    Parameters
    ----------
    instance
        The instance; it must have coordinates.
    solution
        The routes to draw.
    unserved
        Required customers on no route. Default: none.
    hulls
        Whether the convex hulls of the routes are shaded at first. Default
        ``False``.
    title
        Heading of the page. Default: the name of the instance.
    tiles
        Address of the tiles of a base map, with {z}, {x} and {y}, for
        longitude and latitude. Default: no base map.
    notes
        Lines of text for customers, by id, that the page shows at a click.
        Default: none.
    differences
        What is different from the plan before, which the page shows first.
        Default: nothing.

    Returns
    -------
    str
        An HTML document that loads nothing but ``tiles`` from elsewhere.

    Raises
    ------
    InstanceError
        If the instance has no coordinates, or has tiles and no longitudes and
        latitudes.
    ParameterError
        If ``tiles`` is no such address.
    """
    require_type("solution", solution, Solution)
    coords, aspect = instance.require_coords("plotting"), aspect_of(instance)
    if tiles is not None:
        if not instance.is_geographic:
            rule = "must be longitudes and latitudes for a base map"
            raise InstanceError(instance.name, "coords", rule)
        coords, aspect = _mercator(coords), 1.0
    driven = zip(
        zip(solution.routes, solution.ends(instance), strict=True),
        solution.vehicle_types,
        solution.vehicles(instance),
        solution.loads(instance),
        _short(np.array(solution.route_costs(instance))),
        list_heads(instance, solution),
        strict=True,
    )
    groups = [_route_group(instance, coords, *each) for each in driven]
    stops = list_stops(instance, solution, breaks=False)
    form, ids = instance.source.time_form, instance.node_ids
    unit = form.unit_of_numbers and f"_{form.unit_of_numbers}"
    names = {name: f"{name}{unit}" for name in TIMES}
    if form.kind:
        names[WAITING] = f"{WAITING}_min"
    amounts = {name: name for name in (DELIVERED, PICKED_UP, LOAD)}
    columns = {
        name: iter(stops[title])
        for name, title in (names | amounts).items()
        if title in stops
    }
    taken: list[list[Any]] = [[]] * len(groups)
    rests = {features.BREAKS, features.HOURS_OF_SERVICE}
    if not rests.isdisjoint(instance.features):
        taken = [_breaks_of(form, k) for k in solution.schedules(instance)]
    for group, breaks in zip(groups, taken, strict=True):
        group["breaks"] = breaks
        size = 1 + len(group["distances"])
        cells = {
            k: list(islice(column, size)) for k, column in columns.items()
        }
        group["amounts"] = {k: cells.pop(k) for k in amounts if k in cells}
        group["times"] = cells or None
    return _fill(
        {
            "kind": "routes",
            "name": title or instance.name,
            "cost": _short(np.array([solution.cost]))[0],
            "objective": "cost",
            "capacity": _limit(instance, instance.capacity),
            "aspect": aspect,
            "depots": instance.depots,
            "ids": instance.ids,
            "columns": _columns(instance),
            **_unserved(instance, unserved),
            "changes": _changes(differences),
            "notes": {
                ids.index(name): text.split("\n")
                for name, text in (notes or {}).items()
                if name in ids
            },
            "inMetres": instance.has_metres,
            "hulls": hulls,
            "x": _short(coords[:, 0]),
            "y": _short(coords[:, 1]),
            "weights": list(
                map(instance.stated_load, instance.demands.tolist())
            ),
            "groups": groups,
        },
        tiles,
    )


def _breaks_of(form: TimeForm, schedule: Schedule) -> list[Any]:
    """Return place, begin and end of breaks, and whether they are there."""
    return [
        (
            one.place,
            *map(form.cell, (one.begin, one.begin + one.duration)),
            is_at_stop(schedule, one),
        )
        for one in schedule.breaks
    ]


def _unserved(
    instance: Instance, unserved: Sequence[Unserved]
) -> dict[str, Any]:
    words = "".join(unserved_lines(unserved)[:1]).split()
    return {
        "unserved": [
            {"point": one.customer, "reasons": [one.why]} for one in unserved
        ],
        "unservedTitle": " ".join(words).capitalize(),
        "passed": sorted(instance.passed_by),
    }


def _changes(differences: Differences | None) -> dict[str, list[str]]:
    """Return lines of text for each driver."""
    found = {} if differences is None else differences.by_driver()
    return {
        driver: [f"{one.stop}: {one}" for one in stops]
        for driver, stops in found.items()
    }


def _columns(instance: Instance) -> list[dict[str, Any]]:
    """Return the columns that people read, or else windows of the problem."""
    given = [
        {"title": one.title, "cells": one.cells, "says": one.says}
        for one in sorted(instance.source.columns, key=rank_of_told)
    ]
    windows, passed = instance.windows, instance.passed_by
    if passed:
        nodes = range(len(instance.demands))
        said = [PASSED_BY if node in passed else None for node in nodes]
        given.append({"title": REASONS, "cells": said, "says": "note"})
    if instance.source.columns or windows is None or not windows.features:
        return given
    form = instance.source.time_form
    cells = []
    for node in range(windows.num_nodes):
        ends = (
            (
                form.cell(early) if early > 0 else "",
                form.cell(late) if late < NO_LIMIT else "",
            )
            for early, late in windows.windows_of(node)
        )
        window = "; ".join(f"{first} - {last}".strip() for first, last in ends)
        cells.append(None if window == "-" else window)
    return [*given, {"title": "window", "cells": cells, "says": ""}]


def _mercator(coords: np.ndarray) -> np.ndarray:
    """Return places of a base map, whose width and height are 360."""
    latitudes = np.radians(np.clip(coords[:, 1], -_LAST, _LAST))
    heights = np.degrees(np.arctanh(np.sin(latitudes)))
    return np.column_stack([coords[:, 0], heights])


def _route_group(  # noqa: PLR0913 (what a route is)
    instance: Instance,
    coords: np.ndarray,
    route_and_ends: tuple[tuple[int, ...], tuple[Any, Any]],
    vehicle_type: int,
    number: int,
    load: int,
    cost: float,
    title_and_head: Sequence[str],
) -> dict[str, Any]:
    route, (start, end) = route_and_ends
    title, *head = title_and_head
    tour = np.array(route_nodes(instance, route, vehicle_type))
    vehicle = instance.vehicle_types[vehicle_type]
    arcs = (instance, vehicle.profile, tour[:-1], tour[1:])
    return {
        "members": list(route),
        "ends": [start and start[0], end and end[1]],
        "title": title,
        "head": head,
        "vehicle": _vehicle(instance, vehicle_type, number),
        "load": instance.stated_load(load),
        "capacity": _limit(instance, vehicle.capacity),
        "cost": cost,
        "distances": _short(arc_distances(*arcs)),
        "hull": _short(convex_hull(coords[list(route)])),
        "center": None,
    }


def _vehicle(instance: Instance, vehicle_type: int, number: int) -> str | None:
    """Return what drives a route, ``None`` where its title or nothing says."""
    if instance.fleet is None or instance.fleet.types[vehicle_type].name:
        return None
    return f"vehicle {number}"


def _limit(instance: Instance, capacity: int) -> float | None:
    """Return a capacity, ``None`` where it is no limit."""
    return instance.stated_load(capacity) if capacity < NO_LIMIT else None


def clusters_html(
    points: PointSet, clustering: Clustering, title: str | None = None
) -> str:
    """Return a page with clusters and their centers to look around in.

    Parameters
    ----------
    points
        Points in the plane.
    clustering
        Their clustering.
    title
        Heading of the page. Default: the name of the points.

    Returns
    -------
    str
        An HTML document that loads nothing from elsewhere. Points are
        numbered from 0, as in ``clustering.labels``.

    Raises
    ------
    ParameterError
        If the points are not in the plane.
    """
    if points.coords.shape[1] != 2:
        raise ParameterError(f"{points.name}: a picture needs two dimensions.")
    groups = []
    centers = points.to_plane(clustering.centers)
    for k, members in enumerate(clustering.members()):
        distances = _to_center(points, clustering, members, k, centers[k])
        cost = distances**2 if clustering.objective == "inertia" else distances
        places = points.coords[members]
        groups.append(
            {
                "members": members.tolist(),
                "load": clustering.loads[k].item(),
                "capacity": _capacity(points, clustering, k),
                "cost": float(cost.sum()),
                "distances": _short(distances),
                "hull": _short(convex_hull(places)) if len(members) else [],
                "center": _short(centers[k]),
            }
        )
    return _fill(
        {
            "kind": "clusters",
            "name": title or points.name,
            "cost": clustering.cost,
            "objective": clustering.objective,
            "capacity": points.capacity,
            "aspect": aspect_of(points),
            "depots": [],
            "ids": points.ids,
            "columns": [],
            "passed": [],
            "unserved": [],
            "unservedTitle": "",
            "changes": {},
            "notes": {},
            "inMetres": False,
            "hulls": True,
            "x": _short(points.coords[:, 0]),
            "y": _short(points.coords[:, 1]),
            "weights": points.weights.tolist(),
            "groups": groups,
        }
    )


def _to_center(
    points: PointSet,
    clustering: Clustering,
    members: np.ndarray,
    k: int,
    center: np.ndarray,
) -> np.ndarray:
    if points.matrix is not None and clustering.objective == "cpmp":
        return np.asarray(points.matrix[members, clustering.medoids[k]])
    gaps = points.coords[members] - center
    distances = np.hypot(gaps[:, 0], gaps[:, 1])
    if points.rounding == "floor" and clustering.objective == "cpmp":
        distances = np.floor(distances)
    return np.asarray(distances)


def _capacity(points: PointSet, clustering: Clustering, k: int) -> float:
    if points.capacities is not None:
        return float(points.capacities[k])
    if points.point_capacities is not None and clustering.medoids[k] >= 0:
        return float(points.point_capacities[clustering.medoids[k]])
    return points.capacity


def _short(values: np.ndarray) -> Any:
    """Return a list of numbers of at most nine significant digits.

    An infinite one, of a forbidden arc, is ``None``.
    """
    if values.ndim > 1:
        return [_short(row) for row in values]
    return [
        (int(value) if value.is_integer() else float(f"{value:.9g}"))
        if math.isfinite(value)
        else None
        for value in np.asarray(values, dtype=float).tolist()
    ]


def _fill(data: Mapping[str, object], tiles: str | None = None) -> str:
    """Return the page of some data; ``tiles`` may be loaded."""
    images = ""
    if tiles is not None:
        address = _TILES.fullmatch(tiles)
        if not address or any(part not in tiles for part in _PLACE_OF_TILE):
            raise ParameterError(
                "tiles must be an address such as "
                "https://tile.openstreetmap.org/{z}/{x}/{y}.png, got "
                f"{describe_value(tiles)}."
            )
        origin = address[1].replace("{s}", "*")
        images, data = f" {origin}", {**data, "tiles": tiles}
    page = files("ncc_routing.plotting") / "page"

    def part(name: str) -> str:
        return (page / name).read_text(encoding="utf-8")

    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    text = "".join(_UNSAFE.get(letter, letter) for letter in text)
    fields = {
        "{{images}}": images,
        "{{title}}": html.escape(str(data["name"])),
        "{{style}}": part("page.css"),
        "{{data}}": text,
        "{{script}}": "\n".join(part(name) for name in _SCRIPTS),
    }
    # From field to field, in their order on the page: what was filled in is
    # not read again, so a name that looks like a field is none.
    filled = part("page.html")
    pieces = []
    for field, content in fields.items():
        before, _, filled = filled.partition(field)
        pieces += [before, content]
    return "".join([*pieces, filled])
