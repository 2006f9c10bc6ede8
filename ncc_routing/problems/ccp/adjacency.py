"""Neighbours of points as lists, and graphs in the forms that users have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.problems.values import listed, numbers, require_size

if TYPE_CHECKING:
    from collections.abc import Callable

    Name = Callable[[str, object], int]

GRAPHS: Final = ("nearest", "delaunay")
"""Graphs that are made from coordinates."""

_NUM_NEAREST: Final = 8


@dataclass(frozen=True, eq=False)
class Adjacency:
    """Neighbours of all points, one list after the other.

    Parameters
    ----------
    begins
        Where the list of each point begins, shape (num_points + 1,).
    others, lengths
        The neighbours, and the lengths of the borders with them.
    """

    begins: np.ndarray
    others: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, edges: np.ndarray, size: int) -> Adjacency:
        """Return the neighbours by edges, shape (m, 2), or (m, 3)."""
        ends = edges[:, :2].astype(np.int64)
        lengths = edges[:, 2] if edges.shape[1] > 2 else np.ones(len(edges))
        one, other = np.vstack([ends, ends[:, ::-1]]).T
        order = np.lexsort((other, one))
        begins = np.searchsorted(one[order], np.arange(size + 1))
        return cls(begins, other[order], np.tile(lengths, 2)[order])

    def row(self, i: int) -> np.ndarray:
        """Return the neighbours of a point."""
        return self.others[self.begins[i] : self.begins[i + 1]]


def parts_of(graph: Adjacency) -> np.ndarray:
    """Return the part of the graph that each point belongs to, from 0."""
    size = len(graph.begins) - 1
    part, count = np.full(size, -1), 0
    for start in range(size):
        if part[start] >= 0:
            continue
        part[start], queue = count, [start]
        while queue:
            near = graph.row(queue.pop())
            new = near[part[near] < 0]
            part[new] = count
            queue += new.tolist()
        count += 1
    return part


def edges_of(
    graph: Any, source: str, coords: np.ndarray, point: Name
) -> np.ndarray:
    """Return the edges of a graph once each: (m, 3), i < j and a length.

    ``point`` returns the index of a point by a field and a name.
    """
    field, size = "graph", len(coords)
    if isinstance(graph, str):
        if graph not in GRAPHS:
            rule = f"must be edges or one of {', '.join(GRAPHS)}"
            raise InstanceError(source, field, rule, graph)
        make = _nearest if graph == "nearest" else _delaunay
        return _once(make(coords, source))
    if hasattr(graph, "tocoo") or _is_square(graph, size):
        if graph.shape != (size, size):
            rule = f"must have shape ({size}, {size})"
            raise InstanceError(source, field, rule, graph.shape)
        if hasattr(graph, "tocoo"):
            table = graph.tocoo()
            edges = np.column_stack([table.row, table.col, table.data])
        else:
            places = np.nonzero(graph)
            edges = np.column_stack([*places, graph[places]])
        edges = edges[edges[:, 2] != 0]
    elif hasattr(graph, "nodes") and hasattr(graph, "edges"):
        edges = np.array(
            [
                (point(field, a), point(field, b), length)
                for a, b, length in graph.edges(data="weight", default=1.0)
            ]
        )
    elif isinstance(neighbours := getattr(graph, "neighbors", graph), Mapping):
        edges = np.array(
            [
                (point(field, a), point(field, b), 1.0)
                for a, row in neighbours.items()
                for b in row
            ]
        )
    else:
        entries = listed(source, field, graph, "edges")
        rows = [listed(source, field, row, "edges") for row in entries]
        wrong = [row for row in rows if len(row) not in (2, 3)]
        if wrong:
            rule = (
                "must be edges of two points and maybe a length, or a matrix "
                f"of shape ({size}, {size})"
            )
            raise InstanceError(
                source, field, rule, np.array(rows[0]).tolist()
            )
        edges = np.array(
            [
                (point(field, a), point(field, b), *(more or [1.0]))
                for a, b, *more in rows
            ]
        )
    edges = numbers(source, field, edges).reshape(-1, 3)
    if not (np.isfinite(edges[:, 2]) & (edges[:, 2] >= 0)).all():
        rule = "lengths must be finite and not negative"
        raise InstanceError(source, field, rule)
    require_size(source, field, edges[:, 2])
    return _once(edges)


def _is_square(graph: Any, size: int) -> bool:
    return (
        isinstance(graph, np.ndarray)
        and graph.shape == (size, size)
        and (size > 3)
    )


def _once(edges: np.ndarray) -> np.ndarray:
    """Return each edge once, with its longest length, and no loop."""
    edges = np.array(edges, dtype=np.float64).reshape(-1, 3)
    edges[:, :2] = np.sort(edges[:, :2], axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    edges = edges[np.lexsort((-edges[:, 2], edges[:, 1], edges[:, 0]))]
    is_new = np.ones(len(edges), dtype=bool)
    is_new[1:] = np.diff(edges[:, :2], axis=0).any(axis=1)
    edges = edges[is_new]
    edges.flags.writeable = False
    return edges


def _nearest(coords: np.ndarray, source: str) -> np.ndarray:
    count = min(_NUM_NEAREST + 1, len(coords))
    _, near = nearest_points(coords)(coords, count)
    tails = np.repeat(np.arange(len(coords)), count)
    return np.column_stack([tails, near.ravel(), np.ones(near.size)])


def _delaunay(coords: np.ndarray, source: str) -> np.ndarray:
    if coords.shape[1] != 2:
        rule = "delaunay needs points in the plane"
        raise InstanceError(source, "graph", rule, coords.shape)
    require_extra("scipy")
    from scipy.spatial import Delaunay, QhullError

    try:
        mesh = Delaunay(coords)
    except QhullError:  # all on a line: neighbours along it
        order = np.lexsort(coords.T)
        pairs = np.column_stack([order[:-1], order[1:]])
    else:
        corners = mesh.simplices
        sides = [corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]]
        # Points that coincide with a corner are its neighbours.
        pairs = np.vstack([*sides, mesh.coplanar[:, [0, 2]]])
    return np.column_stack([pairs, np.ones(len(pairs))])
