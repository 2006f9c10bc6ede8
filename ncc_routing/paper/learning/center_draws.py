"""The centers that the network of the paper is trained on."""

from __future__ import annotations

from typing import Final

import numpy as np

from ncc_routing._core.clustering import Seeding, seed_centers
from ncc_routing.paper.scored_params import MEMBERS

NUM_NEAR: Final = 10
"""Customers nearest to a center, one of which takes its place where it is
moved."""

MOST_ROUNDS: Final = 2
"""Rounds of k-means after the seeds."""

_TINY: Final = 1e-9
"""Spacing where all customers lie at one place."""


def medoids_of(
    coords: np.ndarray, labels: np.ndarray, kind: str = MEMBERS
) -> np.ndarray:
    """Return the customer who stands for each route, int64, by route.

    "members": the customer of the route nearest to its mean. "nearest": the
    nearest of all customers, as in the paper; where routes overlap it often
    belongs to another one.
    """
    _, labels = np.unique(labels, return_inverse=True)
    squares = _squares(_means(coords, labels), coords)
    if kind == MEMBERS:
        is_other = labels != np.arange(len(squares))[:, None]
        squares[is_other] = np.inf
    return np.asarray(squares.argmin(axis=1))


def draw_centers(
    medoids: np.ndarray,
    coords: np.ndarray,
    weights: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Draw as many centers as there are medoids, as a clustering meets them.

    A third of the draws are the medoids, as in the paper. In a third, half of
    these move to a near customer. A third are seeds of ckm++, moved by up to
    ``MOST_ROUNDS`` rounds of k-means.
    """
    kind = rng.integers(3)
    if kind == 0:
        return medoids
    if kind == 1:
        moved = rng.random(len(medoids)) < 0.5
        near = min(NUM_NEAR, len(coords))
        lengths = _squares(coords[medoids], coords)
        places = np.argpartition(lengths, near - 1, axis=1)[:, :near]
        drawn = places[
            np.arange(len(medoids)), rng.integers(near, size=len(medoids))
        ]
        return np.where(moved, drawn, medoids)
    centers = np.zeros((len(medoids), 2))
    seed_centers(
        Seeding.CKM,
        np.ascontiguousarray(coords, dtype=np.float64),
        weights.astype(np.float64),
        centers,
        rng,
    )
    for _ in range(rng.integers(MOST_ROUNDS + 1)):
        nearest = _squares(centers, coords).argmin(axis=0)
        used = np.unique(nearest)
        centers[used] = _means(coords, nearest)
    return np.asarray(_squares(centers, coords).argmin(axis=1))


def spacings(coords: np.ndarray, medoids: np.ndarray) -> np.ndarray:
    """Return the distances of centers and customers in spacings, (K, n).

    The spacing is the longer side of the box around the customers, divided by
    the root of their number.
    """
    spacing = float(np.ptp(coords, axis=0).max()) / np.sqrt(len(coords))
    lengths = np.sqrt(_squares(coords[medoids], coords))
    return np.asarray(lengths / max(spacing, _TINY), dtype=np.float32)


def list_nearest(lengths: np.ndarray, num_listed: int) -> np.ndarray | None:
    """Return the ``num_listed`` nearest centers of the customers, (C, n).

    ``lengths`` is (K, n). ``None`` is returned where there are no more
    centers.
    """
    if len(lengths) <= num_listed:
        return None
    near = np.argpartition(lengths, num_listed - 1, axis=0)[:num_listed]
    return np.ascontiguousarray(near)


def _means(coords: np.ndarray, labels: np.ndarray) -> np.ndarray:
    counts = np.bincount(labels)
    sums = np.stack(
        [np.bincount(labels, coords[:, axis]) for axis in (0, 1)], axis=1
    )
    used = counts > 0
    return np.asarray(sums[used] / counts[used, None])


def _squares(centers: np.ndarray, coords: np.ndarray) -> np.ndarray:
    """Return the squared distance of centers and customers, (K, n)."""
    delta = coords[None] - centers[:, None]
    return np.asarray((delta * delta).sum(axis=2))
