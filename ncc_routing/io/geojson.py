"""Solutions as GeoJSON, for maps and geographic information systems."""

from __future__ import annotations

import json
import math
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.text_files import write_text
from ncc_routing.problems.routes.timetable import (
    ARRIVAL,
    CUSTOMER,
    DEPARTURE,
    DISTANCE,
    KIND,
    LOAD,
    ROUTE,
    STOP,
    VEHICLE_NAME,
    VEHICLE_TYPE,
    given_cells,
    has_times,
    list_stops,
    list_unserved,
    route_titles,
    rows_of,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved


_HALF_TURN: Final = 180.0

_OF_VEHICLES: Final = ("vehicle", VEHICLE_TYPE, VEHICLE_NAME)
"""Columns of the timetable that say who drives."""

_STATED: Final = (STOP, KIND, "id", "x", "y", "lon", "lat")
"""Columns that a customer has under another name, or as its place."""


def write_geojson(
    path: str | os.PathLike[str],
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
) -> None:
    """Write the routes, the customers and the depot as GeoJSON.

    One ``FeatureCollection``: a ``LineString`` for each route, from the
    depot and back to it (a ``MultiLineString`` where it crosses the
    antimeridian), with the properties ``route`` (from 1), ``title`` (its
    driver, or "Route 1"), ``max_load``, the largest load of the timetable,
    ``cost``, ``distance`` and ``num_customers``, and where there is a fleet
    ``vehicle`` (from 1), ``vehicle_type`` (from 0) and ``vehicle_name``; a
    ``Point`` for each customer, with ``customer``, ``route`` and ``position``,
    its ``stop`` in the timetable (both from 1, or null where no route visits
    it), and what else the timetable says of it (``list_stops`` of
    ``problems.routes.timetable``), with the columns of the input; and a
    ``Point`` for each depot. Every feature has ``kind``: "route", "customer",
    "unserved", which has ``reasons``, or "depot"; where the instance has ids,
    those of customers and depots have ``id``. Where there are times, routes
    have their ``start`` and ``end``. Units are those of the timetable.

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
    unserved
        Required customers on no route. Default: none.

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
    features = _features_of(instance, solution, unserved)
    content = {"type": "FeatureCollection", "features": features}
    text = json.dumps(content, allow_nan=False)
    write_text(path, text + "\n")


def _features_of(
    instance: Instance, solution: Solution, unserved: Sequence[Unserved]
) -> list[Any]:
    places = instance.require_coords("GeoJSON").tolist()
    features = [
        _feature(
            "Point", places[depot], {"kind": "depot", **_id(instance, depot)}
        )
        for depot in instance.depots
    ]
    stops_only = list_stops(instance, solution, breaks=False)
    rows = iter(rows_of(stops_only))
    stops: dict[int, dict[str, Any]] = {}
    costs = solution.route_costs(instance)
    titles = route_titles(instance, solution)
    far = f"{DISTANCE}_km" if instance.has_metres else DISTANCE
    unit = instance.source.time_form.unit_of_numbers
    unit = unit and f"_{unit}"
    for nodes, ends, cost, title in zip(
        solution.visits(instance),
        solution.ends(instance),
        costs,
        titles,
        strict=True,
    ):
        route_rows = list(islice(rows, len(nodes)))
        first, last = route_rows[0], route_rows[-1]
        facts: dict[str, Any] = {
            "kind": "route",
            "route": first[ROUTE],
            "title": title,
            "max_load": max(row[LOAD] for row in route_rows),
            "cost": cost if math.isfinite(cost) else None,
            far: last[far],
            "num_customers": sum(row[KIND] == CUSTOMER for row in route_rows),
        }
        facts |= {name: first[name] for name in _OF_VEHICLES if name in first}
        if has_times(instance):
            start, end = f"{ARRIVAL}{unit}", f"{DEPARTURE}{unit}"
            facts |= {f"start{unit}": first[start], f"end{unit}": last[end]}
        line = [places[node] for node in nodes] * (1 + (len(nodes) == 1))
        lines = _cut(line) if instance.is_geographic else [line]
        if len(lines) > 1:
            features.append(_feature("MultiLineString", lines, facts))
        else:
            features.append(_feature("LineString", line, facts))
        inner = slice(ends[0] and 1, ends[1] and -1)
        stops |= zip(nodes[inner], route_rows[inner], strict=True)
    left_out = rows_of(list_unserved(instance, unserved))
    pairs = zip(unserved, left_out, strict=True)
    stops |= {one.customer: {ROUTE: None, **row} for one, row in pairs}
    for customer in range(1, instance.num_customers + 1):
        row = stops.get(customer) or {
            **{ROUTE: None, KIND: CUSTOMER},
            **{k: c[0] for k, c in given_cells(instance, [customer]).items()},
        }
        facts = {
            "kind": row[KIND],
            "customer": customer,
            **_id(instance, customer),
            "position": row.get(STOP),
        }
        for name in row:
            if name not in _STATED:
                facts[f"order {name}" if name in facts else name] = row[name]
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
