"""Files with the routes of another day, or districts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.desk.problem import read
from ncc_routing.desk.routes import (
    STOP_SUFFIXES,
    list_columns,
    read_stops,
)
from ncc_routing.io.builder import in_words_of
from ncc_routing.io.vrplib import read_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.plain import (
    from_plain,
    parse_object,
    reading_result,
    routes_of,
)
from ncc_routing.problems.routes.references import PastRoutes
from ncc_routing.problems.routes.timetable import BREAK, DEPOT, KIND

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path


def read_reference(
    path: str | os.PathLike[str],
    instance: str | os.PathLike[str] | Instance | None = None,
) -> object:
    """Read routes or districts for ``solve(..., reference=...)``.

    Parameters
    ----------
    path
        A table (.csv, .tsv, .xlsx) with a column ``id`` or ``order`` and one
        of ``route``, ``driver``, ``vehicle``, ``district``, ``cluster``: what
        ``write_routes`` and ``write_labels`` write, or a list of your own;
        rows whose ``kind`` is "depot" are ignored. Also the whole result of a
        run (.json), clusters (.json, .geojson), or a solution (any other
        suffix, "-" for standard input).
    instance
        The instance of the solution: an ``Instance``, or a file for
        :func:`ncc_routing.read`, or a table of customers with its capacity.
        Default: that of the current problem, or one with the same numbers.

    Returns
    -------
    object
        Something that ``problems.routes.references.reference_labels`` takes.

    Raises
    ------
    InstanceError
        If a file is missing or wrong; the message names it.
    ParameterError
        If the JSON is not a result.
    """
    file = require_path(path, "a reference")
    suffix = "" if is_standard_input(file) else file.suffix.lower()
    is_json = suffix in (".json", ".geojson")
    if (suffix in STOP_SUFFIXES or is_json) and instance is not None:
        rule = "names its customers, so it takes no instance"
        raise InstanceError(file, "reference", rule)
    if suffix in STOP_SUFFIXES:
        return read_districts(file)
    if is_json:
        text = read_text(file)
        with reading_result(file):
            content = parse_object(text)
            if "points" in content or "features" in content:
                return _clusters_of(content)
            past = from_plain(Instance, content["instance"])
            return PastRoutes(past, routes_of(content))
    stated = read_solution(file)
    if instance is None:
        return stated
    past = instance if isinstance(instance, Instance) else read(instance)
    with in_words_of(file):
        return PastRoutes(past, stated.routes_of(past).routes)


def _clusters_of(content: Mapping[str, Any]) -> object:
    """Return the cluster of each point, by its id where points have ids."""
    if "features" in content:
        each = [one["properties"] for one in content["features"]]
        points = [one for one in each if one["kind"] == "point"]
        labels = [one["cluster"] for one in points]
        ids = [one["id"] for one in points if "id" in one]
    else:
        labels, ids = content["labels"], content["points"].get("ids")
    return dict(zip(ids, labels, strict=True)) if ids else labels


def read_districts(source: Path) -> dict[str, str]:
    """Return the district of each id in a table; an empty cell is none."""
    table = read_stops(source, "districts")
    if table is None:
        raise InstanceError(source, "file", "has no districts")
    ids, districts = map(table.texts, list_columns(table))
    kinds = [""] * table.num_rows
    if KIND in table.columns:
        kinds = table.texts(KIND)
    district_of: dict[str, str] = {}
    rows = zip(ids, districts, table.places, kinds, strict=True)
    for name, district, place, kind in rows:
        if kind in (DEPOT, BREAK):  # no customer
            continue
        if not name:
            rule = "must name the customer"
            raise InstanceError(source, f"{place}, id", rule)
        if name in district_of:
            rule = "must appear once"
            raise InstanceError(source, f"{place}, id", rule, name)
        if district:
            district_of[name] = district
    return district_of
