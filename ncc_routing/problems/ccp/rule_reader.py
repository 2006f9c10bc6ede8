"""Rules of clusters as users state them, with the indices of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.ccp.adjacency import edges_of
from ncc_routing.problems.values import (
    finite_numbers,
    listed,
    one_number,
    require_size,
    whole_numbers,
)

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.cluster_rules import ClusterRules


def resolve(
    rules: ClusterRules,
    name: str,
    coords: np.ndarray,
    ids: tuple[str, ...] | None,
) -> ClusterRules:
    """Return the rules of points with their indices, checked.

    Errors are those of ``ClusterRules``.
    """
    if not rules.given:
        groups = ("must_link", "cannot_link", "forbidden_centers")
        none: dict[str, Any] = dict.fromkeys(groups, ())
        return replace(rules, **none)
    read = _Reader(name, coords.shape, ids)
    changes: dict[str, Any] = {
        field: read.groups(field, getattr(rules, field))
        for field in ("must_link", "cannot_link")
    }
    for field in ("fixed", "reference"):
        changes[field] = read.labels(field, getattr(rules, field))
    changes["centers"] = read.centers(rules.centers)
    forbidden = read.points("forbidden_centers", rules.forbidden_centers)
    changes["forbidden_centers"] = forbidden
    if rules.graph is not None:
        changes["graph"] = edges_of(rules.graph, name, coords, read.point)
    for field, needed in (
        ("compactness", "graph"),
        ("consistency", "reference"),
    ):
        price = one_number(name, field, getattr(rules, field), whole=False)
        if price > 0.0 and getattr(rules, needed) is None:
            raise InstanceError(name, field, f"needs a {needed}")
        changes[field] = float(price)
    if changes["reference"] is not None and not changes["consistency"]:
        rule = "has no effect without a consistency"
        raise InstanceError(name, "reference", rule)
    changes["weights_in_objective"] = bool(rules.weights_in_objective)
    return replace(rules, **changes)


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
        if entries is None:
            return ()
        given = listed(self._name, field, entries, "points")
        return tuple(self.point(field, entry) for entry in given)

    def groups(self, field: str, given: object) -> tuple[tuple[int, ...], ...]:
        if given is None:
            return ()
        groups = listed(self._name, field, given, "groups of points")
        read = tuple(self.points(field, group) for group in groups)
        for group in read:
            if len(set(group)) < max(2, len(group)):
                rule = "must be groups of two or more different points"
                raise InstanceError(self._name, field, rule, group)
        return read

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
            points = np.array(self.points(field, given), dtype=np.int64)
            if len(np.unique(points)) < len(points):
                rule = "must be different points"
                raise InstanceError(self._name, field, rule, points.tolist())
            points.flags.writeable = False
            return points
        shape = (len(given), self._num_dims)
        places = finite_numbers(self._name, field, given, shape)
        require_size(self._name, field, np.array(places))
        return places
