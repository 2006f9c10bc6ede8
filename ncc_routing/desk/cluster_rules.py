"""Files with links, centers, graphs and former clusters of points."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import may_be_number, number_of
from ncc_routing.core.text_files import read_text, require_path
from ncc_routing.desk.fields import GROUP_NAMES
from ncc_routing.desk.references import read_districts, read_reference
from ncc_routing.desk.tables import split_cells
from ncc_routing.problems.ccp.adjacency import GRAPHS
from ncc_routing.problems.distances import middle_of, project

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTHS: Final = {
    "fixed": (2, "a point and its cluster"),
    "forbidden_centers": (1, "one point"),
}
"""Cells of each line, and what they are."""

_CLUSTER: Final = "must have the number of a cluster, from 0"

_FILES: Final = (
    *("must_link", "cannot_link", "fixed", "centers", "forbidden_centers"),
    *("graph", "reference"),
)


def read_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules of clusters, with files in the place of their paths.

    Lines of a file are groups of points (``must_link``, ``cannot_link``), a
    point and its cluster (``fixed``, also a table with the columns ``id`` and
    ``cluster``, whose empty cells are free), one point or its coordinates
    (``centers``, ``forbidden_centers``), two points and maybe the length of
    their border (``graph``). A graph may be areas of GeoJSON, whose borders
    are shared; a ``reference`` is what
    :func:`ncc_routing.desk.references.read_reference` reads with clusters.

    Raises
    ------
    InstanceError
        If a file is missing or wrong; the message names file and line.
    """
    return {name: _read(name, value) for name, value in rules.items()}


def _read(name: str, value: Any) -> Any:  # noqa: C901
    if name not in _FILES or not isinstance(value, (str, os.PathLike)):
        return value
    if name == "graph" and value in GRAPHS:
        return value
    if name == "reference":
        return read_reference(value)
    file = require_path(value, name)
    text = read_text(file)
    if name == "graph" and text.lstrip()[:1] == "{":
        return read_borders(file, text)
    lines = [
        (number, [cell.strip() for cell in cells])
        for number, cells in split_cells(file, text)
        if not cells[0].startswith("#")
    ]

    def refuse(number: int, rule: str, cells: list[str]) -> None:
        line, shown = f"line {number}", ", ".join(cells)
        raise InstanceError(file, line, rule, shown)

    if name == "fixed" and lines:
        titles = {cell.lower() for cell in lines[0][1]}
        if not titles.isdisjoint(GROUP_NAMES):
            clusters = read_districts(file)
            for point, label in clusters.items():
                if not label.isdecimal():
                    raise InstanceError(file, f"id {point}", _CLUSTER, label)
            return {point: int(label) for point, label in clusters.items()}
    if name in _WIDTHS:
        width, what = _WIDTHS[name]
        for number, cells in lines:
            if len(cells) != width:
                refuse(number, f"must hold {what}", cells)
    rows = [cells for _, cells in lines]
    if name == "forbidden_centers":
        return [cells[0] for cells in rows]
    if name == "fixed":
        for number, (_, label) in lines:
            if not label.isdecimal():
                refuse(number, _CLUSTER, [label])
        return {point: int(label) for point, label in rows}
    if name == "centers":
        widths = {len(cells) for cells in rows}
        if widths == {1}:
            return [cells[0] for cells in rows]
        for number, cells in lines:
            if len(widths) > 1 or not all(map(may_be_number, cells)):
                refuse(number, "must be one point, or its coordinates", cells)
        return [[number_of(cell) for cell in cells] for cells in rows]
    if name == "graph":
        for number, cells in lines:
            if len(cells) not in (2, 3) or not all(
                map(may_be_number, cells[2:])
            ):
                rule = "must hold two points, and optionally a length"
                refuse(number, rule, cells)
        return [
            (a, b, *(number_of(cell) for cell in more)) for a, b, *more in rows
        ]
    for number, cells in lines:
        if len(cells) < 2:
            refuse(number, "must hold two points or more", cells)
    return rows


def read_borders(
    path: str | os.PathLike[str], text: str | None = None
) -> list[tuple[str, str, float]]:
    """Return which areas of a GeoJSON file share a border, and its metres.

    Areas are named by their ``id``, of the feature or in its properties, else
    by their number from 0. A border is shared where two areas have the same
    two corners one after the other.
    """
    file = Path(path)
    if text is None:
        text = read_text(file)
    try:
        features = json.loads(text)["features"]
        sides: dict[tuple[Any, Any], list[str]] = defaultdict(list)
        for number, feature in enumerate(features):
            about = feature.get("properties") or {}
            name = feature.get("id", about.get("id", number))
            shape = feature["geometry"]
            parts = {"Polygon": [shape["coordinates"]]}.get(
                shape["type"], shape["coordinates"]
            )
            if shape["type"] not in ("Polygon", "MultiPolygon"):
                raise ValueError(f"feature {number} is not an area")
            for rings in parts:
                for ring in rings:
                    corners = [(float(x), float(y)) for x, y, *_ in ring]
                    for side in pairwise(corners):
                        sides[min(side), max(side)].append(str(name))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = str(error).rstrip(".") or "a value is missing"
        rule = f"must be areas as GeoJSON: {reason}"
        raise InstanceError(file, "graph", rule) from None
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
