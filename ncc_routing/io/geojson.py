"""Solutions as GeoJSON, for maps and geographic information systems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


def write_geojson(
    path: str | os.PathLike[str], instance: Instance, solution: Solution
) -> None:
    """Write the routes, the customers and the depot as GeoJSON.

    One ``FeatureCollection``: a ``LineString`` for each route, from the
    depot and back to it, with the properties ``route`` (from 1), ``load``,
    ``cost`` and ``num_customers``, and the ``vehicle_type`` (from 0) where
    there is a fleet; a ``Point`` for each customer, with ``customer``,
    ``demand``, ``route`` and ``position`` (both from 1, or null where no
    route visits it); and a ``Point`` for each depot. Every feature has
    ``kind``: "route", "customer" or "depot"; where the instance has ids,
    those of customers and depots have ``id``.

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
    """Return depots, routes and customers as features."""
    places = instance.require_coords("GeoJSON").tolist()
    features = [
        _feature(
            "Point", places[depot], {"kind": "depot", **_id(instance, depot)}
        )
        for depot in instance.depots
    ]
    visits: dict[int, tuple[int, int]] = {}
    driven = zip(
        solution.visits(instance),
        solution.vehicle_types,
        solution.route_costs(instance),
        strict=True,
    )
    for number, (nodes, kind, cost) in enumerate(driven, start=1):
        route = nodes[1:-1]
        line = [places[node] for node in nodes]
        facts: dict[str, Any] = {
            "kind": "route",
            "route": number,
            "load": int(instance.demands[list(route)].sum()),
            "cost": cost,
            "num_customers": len(route),
        }
        if instance.fleet is not None:
            facts["vehicle_type"] = kind
        features.append(_feature("LineString", line, facts))
        for position, customer in enumerate(route, start=1):
            visits[customer] = (number, position)
    for customer in range(1, instance.num_customers + 1):
        visited, position_or_none = visits.get(customer, (None, None))
        facts = {
            "kind": "customer",
            "customer": customer,
            **_id(instance, customer),
            "demand": int(instance.demands[customer]),
            "route": visited,
            "position": position_or_none,
        }
        features.append(_feature("Point", places[customer], facts))
    return features


def _id(instance: Instance, node: int) -> dict[str, str]:
    """Return the id of a node as a property, where there are ids."""
    return {} if instance.ids is None else {"id": instance.ids[node]}


def _feature(
    kind: str, coordinates: list[Any], properties: dict[str, Any]
) -> dict[str, Any]:
    """Return one feature."""
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": properties,
    }
