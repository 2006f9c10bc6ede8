"""Areas of GeoJSON: as points, and as a graph by the borders they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import name_of
from ncc_routing.desk.fields import POINT_COLUMNS, field_of
from ncc_routing.desk.tables import parse_json, read_table
from ncc_routing.problems.distances import middle_of, project

if TYPE_CHECKING:
    from ncc_routing.desk.tables import Table

Corner = tuple[float, float]

_KINDS: Final = frozenset(("Polygon", "MultiPolygon"))


class Area(NamedTuple):
    """An area: its name, what is said about it, and its polygons.

    A polygon is a list of rings, the first of which is around the others.
    """

    name: str
    facts: dict[str, Any]
    polygons: list[list[list[Corner]]]


def has_areas(source: object) -> bool:
    """Whether an object is GeoJSON, or a GeoDataFrame with polygons."""
    if isinstance(source, Mapping):
        return source.get("type") == "FeatureCollection"
    return not _KINDS.isdisjoint(getattr(source, "geom_type", ()))


def read_areas(source: object, text: str | None = None) -> list[Area]:
    """Return the areas of GeoJSON: an object, or a file with its text.

    They are named by their property of the points' field ``id``, else by the
    ``id`` of the feature, else by their number from 0. A GeoDataFrame may have
    any coordinates on Earth.

    Raises
    ------
    InstanceError
        If a feature is not an area.
    """
    content: Any = source
    if text is not None:
        content = parse_json(str(source), text)
    elif not isinstance(source, Mapping):
        if content.crs is not None and not content.crs.is_geographic:
            content = content.to_crs(4326)
        content = content.__geo_interface__
    try:
        return [
            _area(number, feature)
            for number, feature in enumerate(content["features"])
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = str(error).rstrip(".") or "a value is missing"
        rule = f"must be areas as GeoJSON: {reason}"
        raise InstanceError(_called(source), "areas", rule) from None


def table_of_areas(source: object, areas: list[Area]) -> Table:
    """Return areas as a table of points, each at a place within its area."""
    rows = []
    for area in areas:
        for title in area.facts:
            if title in ("lon", "lat"):
                rule = "is the place in the area: give it another name"
                raise InstanceError(_called(source), title, rule)
        lon, lat = inner_point(area)
        rows.append({"id": area.name, **area.facts, "lon": lon, "lat": lat})
    table = replace(read_table(rows, "points"), source=_called(source))
    if isinstance(source, Path):
        return replace(table, name=name_of(source))
    return table


def inner_point(area: Area) -> Corner:
    """Return a point within an area: the middle of its widest cut.

    Each polygon is cut from west to east, half-way up, beside all corners.
    """
    widest, place = 0.0, None
    for rings in area.polygons:
        corners = [np.array(ring, dtype=float) for ring in rings]
        heights = np.unique(np.concatenate(corners)[:, 1])
        middle = (heights[0] + heights[-1]) / 2.0
        upper = int(np.searchsorted(heights, middle, side="right"))
        if upper == len(heights):  # they lie on a line
            continue
        y = (heights[upper - 1] + heights[upper]) / 2.0
        begins = np.concatenate([ring[:-1] for ring in corners])
        ends = np.concatenate([ring[1:] for ring in corners])
        is_cut = (begins[:, 1] > y) != (ends[:, 1] > y)
        (x0, y0), (x1, y1) = begins[is_cut].T, ends[is_cut].T
        cuts = np.sort(x0 + (y - y0) / (y1 - y0) * (x1 - x0))
        widths = cuts[1::2] - cuts[::2]
        k = int(np.argmax(widths))
        if widths[k] > widest:
            widest = widths[k]
            place = (float(cuts[2 * k] + widths[k] / 2.0), float(y))
    if place is None:
        rule = "must not be empty"
        raise InstanceError("areas", f"area {area.name}", rule)
    return place


def borders_of(areas: list[Area]) -> list[tuple[str, str, float]]:
    """Return which areas share a border, and its metres.

    A border is shared where two areas have the same two corners one after the
    other.
    """
    sides: dict[tuple[Corner, Corner], list[str]] = defaultdict(list)
    for area in areas:
        for rings in area.polygons:
            for ring in rings:
                for side in pairwise(ring):
                    sides[min(side), max(side)].append(area.name)
    ends = np.array(list(sides), dtype=float).reshape(-1, 2)
    if len(ends) == 0:
        return []
    places = project(ends, middle_of(ends)).reshape(-1, 2, 2)
    lengths = np.hypot(*(places[:, 0] - places[:, 1]).T).tolist()
    borders: dict[tuple[str, str], float] = defaultdict(float)
    for names, length in zip(sides.values(), lengths, strict=True):
        for a, b in combinations(sorted(set(names)), 2):
            borders[a, b] += length
    return [(a, b, length) for (a, b), length in borders.items()]


def _area(number: int, feature: Any) -> Area:
    shape = feature["geometry"] or {}
    kind = shape.get("type")
    if kind not in _KINDS:
        raise ValueError(f"feature {number} is no polygon but {kind}")
    given = shape["coordinates"]
    polygons = [
        [[(float(x), float(y)) for x, y, *_ in ring] for ring in rings]
        for rings in ([given] if kind == "Polygon" else given)
    ]
    facts = dict(feature.get("properties") or {})
    titles = (k for k in facts if field_of(k, POINT_COLUMNS) == "id")
    title = next(titles, "")
    name = facts.pop(title, feature.get("id", number))
    return Area(str(name), facts, polygons)


def _called(source: object) -> str:
    is_file = isinstance(source, (str, Path))
    return str(source) if is_file else type(source).__name__
