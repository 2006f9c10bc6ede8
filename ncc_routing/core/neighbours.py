"""Nearest points: by the tree of scipy, and without it box by box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ncc_routing.core.extras import is_installed

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAF_SIZE: Final = 32
"""Points in a box at most."""

_BLOCK_SIZE: Final = 64
"""Questions that are answered together at most."""

_MOST_PAIRS: Final = 2_000_000
"""Distances that are kept at a time, for more than one question."""


class Search(Protocol):
    """Answers which points are the nearest."""

    def __call__(
        self, places: np.ndarray, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and indices (m, count) of the nearest points.

        The nearest is first; ``count`` is from 1 to the number of points.
        """


def nearest_points(points: np.ndarray, leaf_size: int = 16) -> Search:
    """Return an exact search among points, float of shape (n, d).

    That of scipy is quicker from some thousand points on; the order of equally
    distant points may differ. ``leaf_size`` is that of its tree.
    """
    if not is_installed("scipy"):
        return _Boxes(points)
    from scipy.spatial import cKDTree

    tree = cKDTree(points, leafsize=leaf_size)

    def search(
        places: np.ndarray, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        lengths, nearest = tree.query(places, k=count)
        shape = (len(places), count)
        return lengths.reshape(shape), nearest.reshape(shape)

    return search


class _Boxes:
    """Points in boxes around few of them."""

    def __init__(self, points: np.ndarray) -> None:
        self._points = points
        self._members = list(_halved(points, _LEAF_SIZE))
        self._sizes = np.array([len(part) for part in self._members])
        boxes = [points[part] for part in self._members]
        self._low = np.array([box.min(axis=0) for box in boxes])
        self._high = np.array([box.max(axis=0) for box in boxes])

    def __call__(
        self, places: np.ndarray, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        squares = np.empty((len(places), count))
        nearest = np.empty((len(places), count), dtype=np.int64)
        blocks = list(_halved(places, _BLOCK_SIZE))
        while blocks:
            block = blocks.pop()
            near = self._candidates(places[block], count)
            if len(block) > 1 and len(block) * len(near) > _MOST_PAIRS:
                half = (len(block) + 1) // 2
                parts = _halved(places[block], half)
                blocks += [block[part] for part in parts]
                continue
            squares[block], chosen = smallest(
                self._squares(places[block], near), count
            )
            nearest[block] = near[chosen]
        return np.sqrt(squares), nearest

    def _candidates(self, places: np.ndarray, count: int) -> np.ndarray:
        low, high = places.min(axis=0), places.max(axis=0)
        apart = np.maximum(self._low - high, low - self._high)
        gaps = (np.maximum(apart, 0.0) ** 2).sum(axis=1)
        order = np.argsort(gaps, kind="stable")
        enough = np.searchsorted(np.cumsum(self._sizes[order]), count) + 1
        first = self._points_in(order[:enough])
        # No place has its nearest points farther away than these are.
        reached, _ = smallest(self._squares(places, first), count)
        return self._points_in(np.flatnonzero(gaps <= reached[:, -1].max()))

    def _points_in(self, boxes: np.ndarray) -> np.ndarray:
        members = [self._members[box] for box in boxes.tolist()]
        return np.sort(np.concatenate(members))

    def _squares(self, places: np.ndarray, near: np.ndarray) -> np.ndarray:
        total = np.zeros((len(places), len(near)))
        for axis in range(places.shape[1]):
            total += (places[:, axis, None] - self._points[near, axis]) ** 2
        return total


def _halved(points: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """Yield indices of parts of at most ``size`` points, cut where widest."""
    parts = [np.arange(len(points))] if len(points) else []
    while parts:
        part = parts.pop()
        if len(part) <= size:
            yield part
            continue
        inside = points[part]
        axis = int(np.argmax(np.ptp(inside, axis=0)))
        half = len(part) // 2
        order = np.argpartition(inside[:, axis], half)
        parts += [part[order[half:]], part[order[:half]]]


def smallest(values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ``count`` smallest entries of each row and their columns.

    They are in order; of equal entries the first comes first.
    """
    columns = np.argpartition(values, count - 1, axis=1)[:, :count]
    columns.sort(axis=1)
    chosen = np.take_along_axis(values, columns, axis=1)
    order = np.argsort(chosen, axis=1, kind="stable")
    columns = np.take_along_axis(columns, order, axis=1)
    return np.take_along_axis(values, columns, axis=1), columns
