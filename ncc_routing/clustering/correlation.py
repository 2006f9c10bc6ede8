"""Correlation clustering under capacities: pairs vote, clusters follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ncc_routing._core.clustering import CorrelationSearch
from ncc_routing._core.clustering import Pairs as Pairs
from ncc_routing.core.cooling import TEMPERATURES, Cooling, require_cooling
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.stopping import MaxIterations, Pace, TimeLimit, first_of

LEAST_CHANCE: Final = 1e-3
"""Bound of the probabilities, and of one minus them: no pair decides alone."""

_BATCHES: Final = 50
"""Batches of moves, after each of which the price changes."""

_HOT: Final = 0.25
"""Share of the moves after which partitions count: before, it is too hot."""

_PROHIBITIVE: Final = 1e9
"""Price beyond every gain: from within the limits no move leaves them."""


@dataclass(frozen=True)
class CorrelationParams:
    """How pairs are annealed.

    Parameters
    ----------
    moves_per_point
        Moves tried for each point. Default 1000.
    max_moves
        Largest number of moves in all. Default 2,000,000.
    start_temperature, end_temperature
        Mean loss of log-odds that a move may cost at the start and at the
        end. Default 3 and 0.2.
    far_log_odds
        Log-odds of pairs that are not listed. Default -6.
    first_price
        Price in log-odds of the mean weight of a point beyond a limit, at
        the start. Default 20.
    price_growth, price_decay
        Factors on the price after each fiftieth of the moves: the first
        where a cluster is beyond its limit, else the second. Default 2 and
        0.97.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    moves_per_point: int = bounded(1000, 0, MAX_EFFORT)
    max_moves: int = bounded(2_000_000, 0, MAX_EFFORT)
    start_temperature: float = bounded(3.0, *TEMPERATURES)
    end_temperature: float = bounded(0.2, *TEMPERATURES)
    far_log_odds: float = bounded(-6.0, -1e6, 0.0)
    first_price: float = bounded(20.0, 1e-6, 1e6)
    price_growth: float = bounded(2.0, 1.0, 1000.0)
    price_decay: float = bounded(0.97, 0.01, 1.0)

    def __post_init__(self) -> None:
        check_bounds(self)
        require_cooling(self.start_temperature, self.end_temperature)


def link_pairs(
    neighbours: np.ndarray, chances: np.ndarray, far_log_odds: float
) -> Pairs:
    """Return listed pairs in both directions, with the mean of their log-odds.

    ``neighbours`` are the partners of each point, ``chances`` the
    probabilities to share a cluster, both of shape (num_points, k).
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
        starts.astype(np.int64),
        places % size,
        sums / counts,
        float(far_log_odds),
    )


def cluster_by_correlation(
    pairs: Pairs,
    labels: np.ndarray,
    weights: np.ndarray,
    limits: np.ndarray,
    *,
    params: CorrelationParams | None = None,
    rng: np.random.Generator,
    deadline: TimeLimit | None = None,
) -> np.ndarray:
    """Return labels, within the limits, that join pairs that belong together.

    Simulated annealing by relocations and swaps on the sum of the log-odds
    within the clusters. Loads may exceed the limits at a price; if no
    partition kept them all, the annealing is repeated without leaving them.
    The given labels keep the limits, of shape (K,). Bansal, Blum and Chawla
    (2004), Correlation clustering. Machine Learning 56.
    """
    params = params or CorrelationParams()
    deadline = deadline or TimeLimit()
    if len(pairs) == 0:
        return labels.astype(np.int64)
    weights = weights.astype(np.float64)
    for price in (params.first_price, _PROHIBITIVE):
        search = CorrelationSearch(
            pairs, weights, limits.astype(np.float64), labels.astype(np.int64)
        )
        annealed = _anneal(search, weights, params, price, rng, deadline)
        if annealed is not None:
            return annealed
    return labels.astype(np.int64)


def _anneal(
    search: CorrelationSearch,
    weights: np.ndarray,
    params: CorrelationParams,
    price: float,
    rng: np.random.Generator,
    deadline: TimeLimit,
) -> np.ndarray | None:
    """Return the best labels within the limits, or None."""
    num_moves = params.moves_per_point * len(weights)
    num_moves = min(num_moves, params.max_moves)
    cooling = Cooling(params.start_temperature, params.end_temperature)
    factor = cooling.factor(1.0 / max(num_moves, 1))
    stop = first_of(MaxIterations(num_moves), deadline.within(None))
    pace = Pace(stop, batch=-(-num_moves // _BATCHES))
    price /= max(float(weights.mean()), 1e-12)
    best, most = None, -np.inf
    for size, begin, _ in pace.batches(lambda: np.inf):
        search.anneal(
            size,
            temperature=cooling.at(begin),
            cooling=factor,
            price=price,
            rng=rng,
        )
        if not search.keeps_limits():
            price *= params.price_growth
            continue
        price *= params.price_decay
        if begin >= _HOT:
            value = search.agreement()
            if value > most:
                best, most = search.labels, value
    return best
