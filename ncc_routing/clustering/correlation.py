"""Correlation clustering under capacities: pairs vote, clusters follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ncc_routing.clustering._correlation_kernels import (
    Pairs,
    Partition,
    anneal,
)
from ncc_routing.deadline import Deadline
from ncc_routing.exceptions import ParameterError

LEAST_CHANCE: Final = 1e-3
"""Probabilities are cut here and at one minus this: no pair decides alone."""

_BATCHES: Final = 50


@dataclass(frozen=True)
class CorrelationParams:
    """How pairs are annealed.

    Parameters
    ----------
    moves_per_point
        Moves tried for each point. Default 1000.
    max_moves
        Largest number of moves in all. Default 2,000,000.
    first_temperature, last_temperature
        Mean loss of log-odds that a move may cost at the start and at the
        end. Default 3 and 0.2.
    far_log_odds
        Log-odds of pairs that are not listed, below 0. Default -6.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    moves_per_point: int = 1000
    max_moves: int = 2_000_000
    first_temperature: float = 3.0
    last_temperature: float = 0.2
    far_log_odds: float = -6.0

    def __post_init__(self) -> None:
        if self.moves_per_point < 0 or self.max_moves < 0:
            raise ParameterError("moves_per_point and max_moves must be >= 0.")
        if not 0 < self.last_temperature <= self.first_temperature:
            raise ParameterError(
                "0 < last_temperature <= first_temperature must hold."
            )
        if not self.far_log_odds <= 0:
            raise ParameterError("far_log_odds must be <= 0.")


def link_pairs(
    neighbours: np.ndarray, chances: np.ndarray, far_log_odds: float
) -> Pairs:
    """Return listed pairs in both directions.

    Parameters
    ----------
    neighbours
        Int array of shape (num_points, k): points with which each point is
        paired; no point with itself.
    chances
        Probabilities of the same shape that the two share a cluster. Where
        both directions are listed, the mean of their log-odds counts.
    far_log_odds
        Log-odds of pairs that are not listed.
    """
    if neighbours.shape != chances.shape or neighbours.ndim != 2:
        raise ParameterError(
            "neighbours and chances must be of one shape (num_points, k)."
        )
    size, degree = neighbours.shape
    chances = np.clip(chances.ravel(), LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    log_odds = np.log(chances / (1.0 - chances))
    rows = np.repeat(np.arange(size, dtype=np.int64), degree)
    cols = neighbours.ravel().astype(np.int64)
    keys = np.concatenate([rows * size + cols, cols * size + rows])
    places, inverse, counts = np.unique(
        keys, return_inverse=True, return_counts=True
    )
    sums = np.bincount(inverse, np.concatenate([log_odds, log_odds]))
    starts = np.searchsorted(places, np.arange(size + 1) * size)
    return Pairs(
        starts.astype(np.int64), places % size, sums / counts,
        float(far_log_odds),
    )  # fmt: skip


def cluster_by_correlation(
    pairs: Pairs,
    labels: np.ndarray,
    weights: np.ndarray,
    limits: np.ndarray,
    *,
    params: CorrelationParams | None = None,
    rng: np.random.Generator,
    deadline: Deadline | None = None,
) -> np.ndarray:
    """Improve clusters so that pairs which belong together are together.

    Simulated annealing by relocations and swaps on the sum of the log-odds
    over all pairs within the clusters: with independent pairs that would be
    the most likely partition (correlation clustering), here under capacities
    and with the given number of clusters at most.

    Parameters
    ----------
    pairs
        From ``link_pairs``.
    labels
        Cluster of each point, in 0..K-1, shape (num_points,).
    weights
        Weight of each point, shape (num_points,).
    limits
        Largest load of each cluster, shape (K,); the given clusters keep it.
    params
        Default ``CorrelationParams()``.
    rng
        Source of the moves.
    deadline
        When to stop early: the annealing cools with the time. Default: the
        parameters alone count.

    Returns
    -------
    numpy.ndarray
        Int64 labels of shape (num_points,), within the limits.

    References
    ----------
    Bansal, Blum and Chawla (2004), Correlation clustering. Machine Learning
    56.
    """
    params = params or CorrelationParams()
    deadline = deadline or Deadline()
    weights = weights.astype(np.float64)
    limits = limits.astype(np.float64)
    labels = labels.astype(np.int64)
    part = Partition(
        weights,
        limits,
        labels,
        np.bincount(labels, weights, len(limits)),
        np.bincount(labels, minlength=len(limits)),
    )
    if len(pairs.ends) == 0:
        return labels
    num_moves = min(params.moves_per_point * len(labels), params.max_moves)
    decay = params.last_temperature / params.first_temperature
    total = deadline.remaining()
    batch = -(-num_moves // _BATCHES)
    cooling = decay ** (1.0 / max(num_moves, 1))
    done = 0
    while done < num_moves and not deadline.passed():
        progress = done / num_moves
        if deadline.is_limited():
            progress = max(progress, 1.0 - deadline.remaining() / total)
        anneal(
            pairs, part, min(batch, num_moves - done),
            params.first_temperature * decay**progress, cooling, rng,
        )  # fmt: skip
        done += batch
    return labels
