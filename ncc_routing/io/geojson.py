"""Solutions as GeoJSON, for maps and geographic information systems."""

from __future__ import annotations

import json
import math
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.text_files import write_text
from ncc_routing.problems.timetable import (
    CUSTOMER,
    KIND,
    STOP,
    VEHICLE_NAME,
    VEHICLE_TYPE,
    stop_rows,
)

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


_HALF_TURN: Final = 180.0

_OF_VEHICLES: Final = ("vehicle", VEHICLE_TYPE, VEHICLE_NAME)
"""Columns of the timetable that say who drives."""

_STATED: Final = (STOP, KIND, "id", "demand", "x", "y", "lon", "lat")
"""Columns that a customer has under another name, or as its place."""


def write_geojson(
    path: str | os.PathLike[str], instance: Instance, solution: Solution
) -> None:
    """Write the routes, the customers and the depot as GeoJSON.

    One ``FeatureCollection``: a ``LineString`` for each route, from the
    depot and back to it (a ``MultiLineString`` where it crosses the
    antimeridian), with the properties ``route`` (from 1), ``load``, the
    largest one of the timetable, ``cost``, ``distance`` and ``num_customers``,
    and where there is a fleet ``vehicle`` (from 1), ``vehicle_type`` (from 0)
    and ``vehicle_name``; a ``Point`` for each customer, with ``customer``,
    ``demand``, ``route`` and ``position``, its ``stop`` in the timetable
    (both from 1, or null where no route visits it), and what else
    the timetable says of it (``problems.timetable.list_stops``); and a
    ``Point`` for each depot. Every feature has ``kind``: "route", "customer"
    or "depot"; where the instance has ids, those of customers and depots have
    ``id``. Where there are times, routes have their ``start`` and ``end``.

    Parameters
    ----------
    path
        The file; an existing one is replaced.
    instance
        The instance; it must have coordinates. GeoJSON means longitude and
        latitude in degrees: any others are written as they are, and a map
        will show them in the wrong place.
    solution
        The routes.

    Raises
    ------
    InstanceError
        If the instance has no coordinates.
    NccRoutingError
        If the file cannot be written.

    References
    ----------
    H. Butler et al. (2016), The GeoJSON format, RFC 7946.
    https://www.rfc-editor.org/rfc/rfc7946
    """
    features = _features_of(instance, solution)
    content = {"type": "FeatureCollection", "features": features}
    text = json.dumps(content, allow_nan=False)
    write_text(path, text + "\n")


def _features_of(instance: Instance, solution: Solution) -> list[Any]:
    places = instance.require_coords("GeoJSON").tolist()
    features = [
        _feature(
            "Point", places[depot], {"kind": "depot", **_id(instance, depot)}
        )
        for depot in instance.depots
    ]
    rows = iter(stop_rows(instance, solution))
    stops: dict[int, dict[str, Any]] = {}
    costs = solution.route_costs(instance)
    for nodes, cost in zip(solution.visits(instance), costs, strict=True):
        route_rows = list(islice(rows, len(nodes)))
        first, last = route_rows[0], route_rows[-1]
        facts: dict[str, Any] = {
            "kind": "route",
            "route": first["route"],
            "load": max(row["load"] for row in route_rows),
            "cost": cost if math.isfinite(cost) else None,
            "distance": last["distance"],
            "num_customers": sum(row[KIND] == CUSTOMER for row in route_rows),
        }
        facts |= {name: first[name] for name in _OF_VEHICLES if name in first}
        if "arrival" in first:
            facts |= {"start": first["arrival"], "end": last["departure"]}
        line = [places[node] for node in nodes]
        lines = _cut(line) if instance.is_geographic else [line]
        if len(lines) > 1:
            features.append(_feature("MultiLineString", lines, facts))
        else:
            features.append(_feature("LineString", line, facts))
        stops |= zip(nodes[1:-1], route_rows[1:-1], strict=True)
    for customer in range(1, instance.num_customers + 1):
        row = stops.get(customer, {"route": None})
        facts = {
            "kind": "customer",
            "customer": customer,
            **_id(instance, customer),
            "demand": int(instance.demands[customer]),
            "position": row.get(STOP),
            **{name: row[name] for name in row if name not in _STATED},
        }
        features.append(_feature("Point", places[customer], facts))
    return features


def _id(instance: Instance, node: int) -> dict[str, str]:
    return {} if instance.ids is None else {"id": instance.ids[node]}


def _cut(line: list[list[float]]) -> list[list[list[float]]]:
    """Return the parts of a line between its crossings of longitude 180.

    As RFC 7946, 3.1.9, asks for: maps draw no line across it.
    """
    parts = [[line[0]]]
    for (x, y), (to_x, to_y) in pairwise(line):
        if abs(to_x - x) > _HALF_TURN:
            side = math.copysign(_HALF_TURN, x)
            far = to_x + 2.0 * side
            share = (side - x) / (far - x) if far != x else 0.0
            height = y + share * (to_y - y)
            parts[-1].append([side, height])
            parts.append([[-side, height]])
        parts[-1].append([to_x, to_y])
    return parts


def _feature(
    kind: str, coordinates: list[Any], properties: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": properties,
    }
