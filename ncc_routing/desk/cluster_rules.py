"""Files with links, centers, graphs and former clusters of points."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import may_be_number, number_of
from ncc_routing.core.text_files import read_text, require_path
from ncc_routing.desk.areas import borders_of, has_areas, read_areas
from ncc_routing.desk.fields import GROUP_NAMES
from ncc_routing.desk.references import read_districts, read_reference
from ncc_routing.desk.tables import split_cells
from ncc_routing.problems.ccp.adjacency import GRAPHS

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
    their border (``graph``). A graph may be areas of GeoJSON, or of a
    GeoDataFrame, whose borders are shared; a ``reference`` is what
    :func:`ncc_routing.desk.references.read_reference` reads with clusters.

    Raises
    ------
    InstanceError
        If a file is missing or wrong; the message names file and line.
    """
    return {name: _read(name, value) for name, value in rules.items()}


def _read(name: str, value: Any) -> Any:  # noqa: C901
    if name == "graph" and has_areas(value):
        return borders_of(read_areas(value))
    if name not in _FILES or not isinstance(value, (str, os.PathLike)):
        return value
    if name == "graph" and value in GRAPHS:
        return value
    if name == "reference":
        return read_reference(value)
    file = require_path(value, name)
    text = read_text(file)
    if name == "graph" and text.lstrip()[:1] == "{":
        return borders_of(read_areas(file, text))
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
            if not _is_edge(cells):
                rule = "must hold two points, and optionally a length"
                refuse(number, rule, cells)
        return [(a, b, *map(number_of, more)) for a, b, *more in rows]
    for number, cells in lines:
        if len(cells) < 2:
            refuse(number, "must hold two points or more", cells)
    return rows


def _is_edge(cells: list[str]) -> bool:
    return len(cells) in (2, 3) and all(map(may_be_number, cells[2:]))
