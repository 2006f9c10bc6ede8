"""The point sets of the paper: Gaussian mixtures, and parts of a map."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.generators.uchoa import require_whole
from ncc_routing.problems.ccp.points import PointSet

WEIGHT_SLACK: Final = 1.1
"""Capacity over total weight, before rounding, in generated data."""

MAX_WEIGHT: Final = 0.2
"""Largest weight of a sub-sampled point, as a share of the capacity."""

TEST_SEED: Final = 4321
"""Seed of the published test sets of 100 instances."""

WEIGHT_FACTORS: Final = {"shanghai": (1.5, 4.0), "milan": (2.0, 5.0)}
"""Range of the random factors on the weights of a part, by its map."""


def generate_gmm(
    num_instances: int,
    num_points: int = 200,
    seed: int = TEST_SEED,
    num_clusters: tuple[int, int] = (3, 12),
) -> list[PointSet]:
    """Return instances of the paper's artificial data, as released.

    One stream of random numbers serves all instances: first the points of
    every instance, then all weights. The number of components K is uniform,
    their means are standard normal and their variances, per axis, uniform
    in [0.05, 0.1]. The weights, uniform in [1, 10], are scaled so that
    ``ceil(1.1 sum q)`` is K times the capacity 1; with few points some may
    exceed it and are cut to it. The points are scaled into the unit square.
    Values are rounded to single precision.

    Parameters
    ----------
    num_instances
        Number of instances.
    num_points
        Points of each. Default 200.
    seed
        Seed of the stream. Default 4321, that of the test set.
    num_clusters
        Least and largest K, cut to the number of points. Default (3, 12).

    Returns
    -------
    list[PointSet]
        With capacity 1 and ``num_clusters`` set to K.

    Raises
    ------
    ParameterError
        If a number is below 1, the seed is negative, or the least K exceeds
        the largest.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering; the
    released generator differs from the description in its appendix, which
    ``generate_gmm_as_described`` follows.
    """
    _require_positive(num_instances, num_points, seed)
    low, high = _counts(num_clusters, num_points)
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(num_instances):
        count = int(rng.integers(low, high + 1, size=1)[0])
        drawn.append((count, draw_mixture(num_points, count, rng)))
    sets = []
    for idx, (count, cloud) in enumerate(drawn):
        weights = rng.uniform(1.0, 10.0, size=num_points)
        weights /= math.ceil(WEIGHT_SLACK * weights.sum()) / count
        sets.append(
            PointSet(
                cloud.astype(np.float32),
                np.minimum(weights, 1.0).astype(np.float32),
                1.0,
                f"gmm-n{num_points}-s{seed}-{idx:03d}",
                num_clusters=count,
            )
        )
    return sets


def draw_mixture(
    num_points: int, num_components: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw points of a Gaussian mixture and fit them into the unit square.

    Means are standard normal, variances uniform in [0.05, 0.1] for each axis.
    """
    means = rng.normal(size=2 * num_components)
    variances = rng.uniform(0.05, 0.1, size=2 * num_components)
    draws = rng.multivariate_normal(
        means, np.diag(variances), size=math.ceil(num_points / num_components)
    )
    return _into_unit_square(draws.reshape(-1, 2)[:num_points])


def generate_gmm_as_described(
    num_instances: int,
    num_points: int = 200,
    seed: int = TEST_SEED,
    num_clusters: tuple[int, int] = (3, 12),
) -> list[PointSet]:
    """Return instances of the artificial data, as the paper describes them.

    Means, variances and weights are all uniform in [0, 1]; the weights are
    scaled so that they sum to K / 1.1 at capacity 1, and cut to it. Arguments
    and return value as ``generate_gmm``.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
    appendix on the data sets.
    """
    _require_positive(num_instances, num_points, seed)
    low, high = _counts(num_clusters, num_points)
    rng = np.random.default_rng(seed)
    sets = []
    for idx in range(num_instances):
        count = int(rng.integers(low, high + 1))
        means = rng.random((count, 2))
        spreads = np.sqrt(rng.random((count, 2)))
        component = np.arange(num_points) % count
        noise = rng.normal(size=(num_points, 2))
        cloud = means[component] + spreads[component] * noise
        weights = rng.random(num_points)
        weights *= count / (WEIGHT_SLACK * weights.sum())
        sets.append(
            PointSet(
                _into_unit_square(cloud),
                np.minimum(weights, 1.0),
                1.0,
                f"gmm-described-n{num_points}-s{seed}-{idx:03d}",
                num_clusters=count,
            )
        )
    return sets


def sample_points(
    points: PointSet,
    num_instances: int,
    num_points: int = 200,
    seed: int = TEST_SEED,
    weight_factors: tuple[float, float] = WEIGHT_FACTORS["shanghai"],
    max_draws: int = 10_000,
) -> list[PointSet]:
    """Return random parts of a large point set.

    A rectangle is placed at random: its lower left corner lies between the
    minimum and the median of the coordinates, its sides are the medians
    themselves (the description says half the extent), cut off at the
    maximum. Points inside are drawn without replacement, their weights
    multiplied by random factors and cut off at a fifth of the capacity.

    Parameters
    ----------
    points
        The large set, with coordinates >= 0.
    num_instances
        Number of parts.
    num_points
        Points of each part. Default 200.
    seed
        Seed, 0 to 2^32 - 1. Default 4321, that of the published test sets.
    weight_factors
        Range of the factors. Default: those of the Shanghai data.
    max_draws
        Limit on the rectangles tried for one part. Default 10,000.

    Returns
    -------
    list[PointSet]
        The number of clusters is left open.

    Raises
    ------
    ParameterError
        If no rectangle with more than ``num_points`` points was found, or
        an argument lies outside its range.
    """
    _require_positive(num_instances, num_points)
    if not 0 <= seed < 2**32:
        raise ParameterError(f"seed must be 0 to 2**32 - 1, got {seed}.")
    rng = np.random.RandomState(seed)
    coords = points.coords
    low, high = coords.min(axis=0), coords.max(axis=0)
    median = np.median(coords, axis=0)
    capacity = float(points.capacity)
    parts = []
    for idx in range(num_instances):
        for _ in range(max_draws):
            corner = rng.uniform(low, median)
            far = np.minimum(corner + median, high)
            is_inside = (coords >= corner) & (coords <= far)
            inside = np.flatnonzero(is_inside.all(axis=1))
            if len(inside) > num_points:
                break
        else:
            raise ParameterError(
                f"{points.name}: no part with more than {num_points} points "
                f"in {max_draws} draws."
            )
        chosen = rng.choice(inside, size=num_points, replace=False)
        factors = rng.uniform(*weight_factors, size=num_points)
        weights = np.minimum(
            points.weights[chosen] * factors, MAX_WEIGHT * capacity
        )
        name = f"{points.name}-part-s{seed}-{idx:03d}"
        parts.append(PointSet(coords[chosen], weights, capacity, name))
    return parts


def _into_unit_square(cloud: np.ndarray) -> np.ndarray:
    """Move and scale points so that the longer side is 0 to 1."""
    cloud = cloud - cloud.min(axis=0)
    extent = float(cloud.max())
    return np.asarray(cloud / extent if extent > 0.0 else cloud)


def _counts(num_clusters: tuple[int, int], num_points: int) -> tuple[int, int]:
    try:
        low, high = num_clusters
    except (TypeError, ValueError):
        raise ParameterError(
            "num_clusters must be a least and a largest number, got "
            f"{num_clusters!r}."
        ) from None
    require_whole(num_clusters=low)
    require_whole(num_clusters=high)
    if not 1 <= low <= high:
        raise ParameterError(
            "num_clusters must be a least and a largest number >= 1, got "
            f"{num_clusters}."
        )
    return min(low, num_points), min(high, num_points)


def _require_positive(
    num_instances: int, num_points: int, seed: int = 0
) -> None:
    require_whole(
        num_instances=num_instances, num_points=num_points, seed=seed
    )
    if num_instances < 1:
        raise ParameterError(f"num_instances must be >= 1: {num_instances}.")
    if num_points < 1:
        raise ParameterError(f"num_points must be >= 1: {num_points}.")
    if seed < 0:
        raise ParameterError(f"seed must be >= 0: {seed}.")
