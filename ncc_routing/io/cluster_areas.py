"""Clusters as areas in GeoJSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import write_text
from ncc_routing.problems.routes.route_shapes import convex_hull

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet


def write_areas(
    path: str | os.PathLike[str], points: PointSet, clustering: Clustering
) -> None:
    """Write clusters and points as one ``FeatureCollection`` of GeoJSON.

    A cluster is the convex hull of its points (a ``Polygon``, or less for
    places on a line), with ``kind`` "cluster", ``cluster``, ``load`` (of
    further weights ``load 2``, ``load 3``), ``size`` and ``center``; an empty
    one is left out. A point has ``kind`` "point", ``cluster``, ``weight``
    (``weight 2``, ``weight 3``) and ``id``. Places are as the points are
    given: a map shows longitudes and latitudes in the right place, others as
    they are.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    points, clustering
        Points in the plane, and their clusters.

    Raises
    ------
    ParameterError
        If the points are not in the plane.
    NccRoutingError
        If the file cannot be written.
    """
    if points.coords.shape[1] != 2:
        raise ParameterError(
            f"{points.name}: GeoJSON needs points in two dimensions."
        )
    axes = (axis.tolist() for axis in points.axes.values())
    places = [*zip(*axes, strict=True)]
    features: list[dict[str, Any]] = []

    def add(shape: str, corners: Any, **about: Any) -> None:
        geometry = {"type": shape, "coordinates": corners}
        features.append(
            {"type": "Feature", "geometry": geometry, "properties": about}
        )

    centers = clustering.centers.tolist()
    others = points.other_loads(clustering.labels, clustering.num_clusters)
    for k, members in enumerate(clustering.members()):
        if len(members) == 0:
            continue
        hull = convex_hull(np.array(places)[members]).tolist()
        about = {
            "kind": "cluster",
            "cluster": k,
            "load": clustering.loads[k].item(),
            **_numbered("load", others[k]),
            "size": len(members),
            "center": centers[k],
        }
        if len(hull) > 2:
            add("Polygon", [[*hull, hull[0]]], **about)
        elif len(hull) == 2:
            add("LineString", hull, **about)
        else:
            add("Point", hull[0], **about)
    for i, label in enumerate(clustering.labels.tolist()):
        about = {"kind": "point", "cluster": label}
        about["weight"] = points.weights[i].item()
        if points.other_weights is not None:
            about |= _numbered("weight", points.other_weights[i])
        if points.ids is not None:
            about["id"] = points.ids[i]
        add("Point", places[i], **about)
    content = {"type": "FeatureCollection", "features": features}
    write_text(path, json.dumps(content) + "\n")


def _numbered(name: str, values: np.ndarray) -> dict[str, Any]:
    return {f"{name} {k}": v for k, v in enumerate(values.tolist(), 2)}
