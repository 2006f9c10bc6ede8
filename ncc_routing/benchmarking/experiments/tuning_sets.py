"""Instances on which the parameters of the clustering solver are chosen.

None of them is part of a published set: p-median problems with uniform,
clustered and line-shaped points and whole or skewed weights. All seeds are
fixed.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ncc_routing.benchmarking.experiment import Case
from ncc_routing.problems.points import PointSet

MEDIAN_SETS = (
    ("uniform-100-10", 100, 10, "grid", 0.92),
    ("city-300-30", 300, 30, "city", 0.90),
    ("blobs-500-10", 500, 10, "blobs", 0.90),
    ("uniform-500-120", 500, 120, "uniform", 0.88),
    ("blobs-700-40", 700, 40, "blobs", 0.85),
    ("lines-1000-250", 1000, 250, "lines", 0.92),
    ("uniform-1200-60", 1200, 60, "uniform", 0.88),
    ("blobs-1500-300", 1500, 300, "blobs", 0.85),
    ("lines-2000-20", 2000, 20, "lines", 0.88),
    ("blobs-3000-750", 3000, 750, "blobs", 0.88),
)
"""Name, points, medians, style, load over capacity."""


def median_sets() -> list[Case]:
    """Return the p-median problems, one for each row of the table."""
    return [
        Case(row[0], partial(median_set, idx))
        for idx, row in enumerate(MEDIAN_SETS)
    ]


def median_set(idx: int) -> PointSet:
    """Return the p-median problem of a row."""
    name, size, count, style, tightness = MEDIAN_SETS[idx]
    rng = np.random.default_rng([idx, size, count])
    weights = _weights(style, size, rng)
    capacity = math.ceil(weights.sum() / (count * tightness))
    return PointSet(
        _coords(style, size, rng),
        np.minimum(weights, capacity),
        capacity,
        name,
        num_clusters=count,
        rounding="floor" if style == "grid" else "none",
    )


def _weights(style: str, size: int, rng: np.random.Generator) -> np.ndarray:
    if style == "grid":
        return rng.integers(1, 21, size)
    if style == "city":
        return np.maximum(1, rng.lognormal(3.0, 1.0, size)).astype(np.int64)
    return rng.integers(1, 101, size)


def _coords(style: str, size: int, rng: np.random.Generator) -> np.ndarray:
    if style == "grid":
        return rng.integers(0, 101, (size, 2)).astype(np.float64)
    if style == "uniform":
        return np.round(10_000.0 * rng.random((size, 2)))
    if style == "lines":  # drilling patterns: rows of points, some doubled
        row = rng.integers(0, size // 25, size)
        along = rng.integers(0, 60, size) + rng.integers(0, 3, size // 25)[row]
        start = 10_000.0 * rng.random((size // 25, 2))
        flat = rng.random(size // 25)[row] < 0.5
        step = np.where(flat[:, None], [60.0, 0.0], [0.0, 60.0])
        return start[row] + along[:, None] * step
    # Blobs of unequal width, or one city with a dense core; some strays.
    num_blobs = 6 if style == "city" else max(4, size // 60)
    middle = 10_000.0 * rng.random((num_blobs, 2))
    width = 1500.0 * rng.random(num_blobs) ** 2 + 100.0
    blob = rng.integers(0, num_blobs, size)
    coords = middle[blob] + width[blob, None] * rng.normal(size=(size, 2))
    stray = rng.random(size) < 0.15
    coords[stray] = 10_000.0 * rng.random((int(stray.sum()), 2))
    return np.round(coords, 1)
