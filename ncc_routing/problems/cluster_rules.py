"""Which points of a clustering go together, apart, or to a given place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.adjacency import edges_of
from ncc_routing.problems.values import (
    finite_numbers,
    listed,
    one_number,
    require_size,
    whole_numbers,
)


@dataclass(frozen=True, eq=False)
class ClusterRules:
    """What clusters must respect beside the limits of their loads.

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
        Neighbours: every cluster must hang together in this graph. Pairs of
        points, shape (m, 2), or (m, 3) with the length of their border; a
        square scipy matrix or array of such lengths; a graph of networkx
        (edge attribute "weight"); a mapping from points to their neighbours,
        or weights of libpysal; "nearest", the eight nearest points of each;
        or "delaunay", neighbours in the Delaunay triangulation (plane, scipy).
        The default length is 1.
    weights_in_objective
        Whether the distance of a point counts as often as its weight says.
        Default no: weights count in loads alone.
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

    must_link: Any = ()
    cannot_link: Any = ()
    fixed: Any = None
    centers: Any = None
    forbidden_centers: Any = ()
    graph: Any = None
    weights_in_objective: bool = False
    compactness: float = 0.0
    reference: Any = None
    consistency: float = 0.0

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the rules that there are."""
        return tuple(
            each.name
            for each in fields(self)
            if not _is_nothing(getattr(self, each.name))
        )

    @property
    def bind(self) -> bool:
        """Whether clusters depend on more than loads and distances."""
        return bool(set(self.given) - {"weights_in_objective"})

    def resolved(
        self, name: str, coords: np.ndarray, ids: tuple[str, ...] | None
    ) -> ClusterRules:
        """Return the rules of points with their indices, checked."""
        if not self.given:
            return self
        read = _Reader(name, coords.shape, ids)
        changes: dict[str, Any] = {
            field: read.groups(field, getattr(self, field))
            for field in ("must_link", "cannot_link")
        }
        for field in ("fixed", "reference"):
            changes[field] = read.labels(field, getattr(self, field))
        changes["centers"] = read.centers(self.centers)
        forbidden = read.points("forbidden_centers", self.forbidden_centers)
        changes["forbidden_centers"] = forbidden
        if self.graph is not None:
            changes["graph"] = edges_of(self.graph, name, coords, read.point)
        for field, needed in (
            ("compactness", "graph"),
            ("consistency", "reference"),
        ):
            price = one_number(name, field, getattr(self, field), whole=False)
            if price > 0.0 and getattr(self, needed) is None:
                raise InstanceError(name, field, f"needs a {needed}")
            changes[field] = float(price)
        changes["weights_in_objective"] = bool(self.weights_in_objective)
        return replace(self, **changes)


def _is_nothing(value: object) -> bool:
    if isinstance(value, (tuple, list, Mapping, np.ndarray)):
        return len(value) == 0
    return value is None or (isinstance(value, (bool, float)) and not value)


class _Reader:
    """Points by index or id."""

    def __init__(
        self, name: str, shape: tuple[int, ...], ids: tuple[str, ...] | None
    ) -> None:
        self._name, self._size, self._num_dims = name, *shape
        self._index = {text: idx for idx, text in enumerate(ids or ())}

    def point(self, field: str, entry: object) -> int:
        if isinstance(entry, str):
            if entry in self._index:
                return self._index[entry]
            if self._index or not entry.isdecimal():
                rule = "names a point that is not there"
                raise InstanceError(self._name, field, rule, entry)
            entry = int(entry)
        idx = int(one_number(self._name, field, entry))
        if idx >= self._size:
            rule = f"must name points 0..{self._size - 1}"
            raise InstanceError(self._name, field, rule, idx)
        return idx

    def points(self, field: str, entries: object) -> tuple[int, ...]:
        given = listed(self._name, field, entries, "points")
        return tuple(self.point(field, entry) for entry in given)

    def groups(self, field: str, given: object) -> tuple[tuple[int, ...], ...]:
        groups = listed(self._name, field, given, "groups of points")
        found = tuple(self.points(field, group) for group in groups)
        for group in found:
            if len(set(group)) < max(2, len(group)):
                rule = "must be groups of two or more different points"
                raise InstanceError(self._name, field, rule, group)
        return found

    def labels(self, field: str, given: object) -> np.ndarray | None:
        given = getattr(given, "labels", given)
        if given is None:
            return None
        if isinstance(given, Mapping):
            labels = np.full(self._size, -1)
            names: dict[object, int] = {}
            if field == "reference":  # districts may have any names
                known = sorted(set(given.values()), key=str)
                is_named = not all(str(name).isdecimal() for name in known)
                names = {
                    name: number if is_named else int(str(name))
                    for number, name in enumerate(known)
                }
            for entry, label in given.items():
                point = self.point(field, entry)
                number = names.get(label, label)
                labels[point] = int(one_number(self._name, field, number))
        else:
            labels = whole_numbers(self._name, field, given)
        if labels.shape != (self._size,):
            rule = f"must have shape ({self._size},)"
            raise InstanceError(self._name, field, rule, labels.shape)
        if labels.min() < -1 or labels.max() >= self._size:
            rule = "must be clusters from 0, or -1 for any"
            raise InstanceError(self._name, field, rule, labels.tolist())
        labels = labels.astype(np.int64)
        labels.flags.writeable = False
        return labels

    def centers(self, given: Any) -> np.ndarray | None:
        field = "centers"
        if given is None or len(given) == 0:
            return None
        if np.ndim(given) == 1:
            found = np.array(self.points(field, given), dtype=np.int64)
            if len(np.unique(found)) < len(found):
                rule = "must be different points"
                raise InstanceError(self._name, field, rule, found.tolist())
            found.flags.writeable = False
            return found
        shape = (len(given), self._num_dims)
        places = finite_numbers(self._name, field, given, shape)
        require_size(self._name, field, np.array(places))
        return places
