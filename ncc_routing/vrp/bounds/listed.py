"""Arcs for q-routes where a matrix would be too large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.arcs import TypeArcs

NUM_NEAR: Final = 24
"""Tails in the list of each head, beside the depot."""

_CELL_SIZE: Final = 8
"""Mean number of customers in a cell."""

_MOST_CELLS: Final = 1024
"""Most cells."""

_BLOCK: Final = 2**22
"""Arcs that are computed together."""


class ArcLists(NamedTuple):
    """The arcs to each node: from a list of tails, and from all others.

    ``tails`` is int32 of shape (nodes, 1 + ``NUM_NEAR``), the depot first;
    ``listed`` are the costs of these arcs, float64. No other arc costs less
    than that between the cells of its nodes: ``others`` is by cell of the
    head, then of the tail.
    """

    tails: np.ndarray
    listed: np.ndarray
    others: np.ndarray


class ListedRoutes(NamedTuple):
    """The routes of a vehicle type as q-routes over lists of near arcs.

    ``cells`` is that of each node, int32. ``starts`` are the arcs of walks
    from the depot, ``ends`` of walks backwards, the same object where these
    cost the same.
    """

    limit: int
    cells: np.ndarray
    starts: ArcLists
    ends: ArcLists

    @property
    def largest(self) -> float:
        """The largest cost of an arc."""
        costs = np.concatenate(
            [
                values.ravel()
                for lists in (self.starts, self.ends)
                for values in (lists.listed, lists.others)
            ]
        )
        return float(costs[np.isfinite(costs)].max(initial=0.0))

    @property
    def round_trips(self) -> np.ndarray:
        """Cost of serving each customer alone, float64."""
        return np.asarray((self.starts.listed + self.ends.listed)[1:, 0])


def list_arcs(
    arcs: TypeArcs, limit: int, deadline: TimeLimit
) -> ListedRoutes | None:
    """Return the cheapest arcs to and from each customer.

    ``None`` if the time is over before.
    """
    cells = _cells_of(arcs)
    starts = ends = _ArcBuilder(cells)
    if not arcs.are_symmetric:
        ends = _ArcBuilder(cells)
    nodes = np.arange(len(cells))
    rows = max(1, _BLOCK // len(cells))
    for first in range(0, len(cells), rows):
        if deadline.passed():
            return None
        block = nodes[first : first + rows]
        starts.add(block, arcs.costs(nodes, block[:, None]))
        if ends is not starts:
            ends.add(block, arcs.costs(block[:, None], nodes))
    lists = starts.build()
    if ends is starts:
        return ListedRoutes(limit, cells, lists, lists)
    return ListedRoutes(limit, cells, lists, ends.build())


def _cells_of(arcs: TypeArcs) -> np.ndarray:
    """Return the cell of each node: the nearest of some customers."""
    size = len(arcs.served)
    count = max(1, min(_MOST_CELLS, (size - 1) // _CELL_SIZE))
    nodes = np.arange(size)
    leaders = np.random.default_rng(0).choice(nodes[1:], count, replace=False)
    return np.asarray(
        arcs.distances(nodes[:, None], leaders).argmin(axis=1),
        dtype=np.int32,
    )


class _ArcBuilder:
    """The arcs to heads that come block by block."""

    def __init__(self, cells: np.ndarray) -> None:
        self._cells = cells
        self._order = 1 + np.argsort(cells[1:], kind="stable")
        self._lists: list[tuple[np.ndarray, np.ndarray]] = []
        count = int(cells.max()) + 1
        self._others = np.full((count, count), np.inf)
        self._used, starts = np.unique(cells[self._order], return_index=True)
        self._starts = starts

    def add(self, heads: np.ndarray, costs: np.ndarray) -> None:
        """Add heads (axis 0), with the costs of all arcs to them."""
        depot = costs[:, :1].copy()
        costs[:, 0] = np.inf
        count = min(NUM_NEAR, costs.shape[1] - 1)
        near = np.argpartition(costs, count, axis=1)[:, :count]
        listed = np.take_along_axis(costs, near, axis=1)
        tails = np.hstack([np.zeros_like(near[:, :1]), near])
        self._lists.append(
            (tails.astype(np.int32), np.hstack([depot, listed]))
        )
        np.put_along_axis(costs, near, np.inf, axis=1)
        least = np.minimum.reduceat(
            costs[:, self._order], self._starts, axis=1
        )
        others = np.full((len(heads), len(self._others)), np.inf)
        others[:, self._used] = least
        is_customer = heads > 0
        np.minimum.at(
            self._others, self._cells[heads[is_customer]], others[is_customer]
        )

    def build(self) -> ArcLists:
        """Return the lists of all heads."""
        tails, listed = map(np.concatenate, zip(*self._lists, strict=True))
        return ArcLists(tails, listed, self._others)
