"""Which points of a clustering go together, apart, or to a given place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf
from typing import Any

from ncc_routing.core.params import bounded, shell_option


def _file(text: str) -> dict[str, Any]:
    return shell_option(text, "FILE")


@dataclass(frozen=True, eq=False)
class ClusterRules:
    """What clusters must respect besides the limits of their loads.

    Points are named by their indices, or by their ids as texts.

    Parameters
    ----------
    must_link
        Groups of points that must share a cluster, pairs for example.
    cannot_link
        Groups of points of which no two may share a cluster.
    fixed
        Cluster of each point, shape (num_points,), -1 for any; or a mapping
        from points to clusters.
    centers
        Centers of the first clusters, at most as many as there are clusters;
        the others are free. Either points, shape (m,), each a member of its
        cluster, or places, shape (m, num_dims), given as the points are (not
        for the objective "cpmp").
    forbidden_centers
        Points that must not be medoids (objective "cpmp").
    graph
        Every cluster must be connected in this graph. Pairs of points, shape
        (m, 2), or (m, 3) with the length of their border; a square scipy
        matrix or array of such lengths; a graph of networkx (edge attribute
        "weight"); a mapping from points to their neighbours, or weights of
        libpysal; "nearest", the eight nearest points of each; or "delaunay",
        neighbours in the Delaunay triangulation (plane, scipy). The default
        length is 1.
    weights_in_objective
        Whether the distance of a point is multiplied by its weight. Default
        no: weights count in loads alone.
    compactness
        Price of a unit of border between two clusters, in the unit of the
        objective. The search adds it; the reported cost excludes it. Default
        0.
    reference
        Former cluster of each point, as ``fixed``; or a ``Clustering``.
    consistency
        Price of a point outside its former cluster, as ``compactness``.
        Default 0.

    Raises
    ------
    InstanceError
        If there is no such point or cluster, or a value is out of range.
    """

    must_link: Any = field(
        default=None,
        metadata=_file(
            "Groups of points that share a cluster, one group per line."
        ),
    )
    cannot_link: Any = field(
        default=None,
        metadata=_file(
            "Groups of points of which no two share "
            "a cluster, one group per line."
        ),
    )
    fixed: Any = field(
        default=None,
        metadata=_file(
            "Clusters of points: a point and the number of its "
            "cluster per line."
        ),
    )
    centers: Any = field(
        default=None,
        metadata=_file(
            "Centers of the first clusters: one point, or its coordinates, "
            "per line."
        ),
    )
    forbidden_centers: Any = field(
        default=None,
        metadata=_file("Points that may not be medoids, one per line."),
    )
    graph: Any = field(
        default=None,
        metadata=shell_option(
            "Graph in which every cluster is connected: a file of pairs, "
            "areas (GeoJSON), nearest or delaunay.",
            "GRAPH",
        ),
    )
    weights_in_objective: bool = field(
        default=False,
        metadata=shell_option(
            "Multiply the distance of each point by its weight."
        ),
    )
    compactness: float = bounded(
        *(0.0, 0.0, inf),
        metadata=shell_option(
            "Price of a unit of border between clusters.", "P"
        ),
    )
    reference: Any = field(
        default=None,
        metadata=_file("Former clusters, as --output writes them."),
    )
    consistency: float = bounded(
        *(0.0, 0.0, inf),
        metadata=shell_option(
            "Price of a point that changes its cluster.", "P"
        ),
    )

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the rules that there are.

        A graph without edges is one: every point is a cluster of its own.
        """
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return tuple(
            name
            for name, value in values.items()
            if not (value is None if name == "graph" else _is_nothing(value))
        )

    @property
    def bind(self) -> bool:
        """Whether clusters depend on more than loads and distances."""
        return bool(set(self.given) - {"weights_in_objective"})


def _is_nothing(value: object) -> bool:
    if isinstance(value, (tuple, list, Mapping)):
        return len(value) == 0
    if isinstance(value, (bool, float)):
        return not value
    return value is None or getattr(value, "size", 1) == 0
