"""How much the searches of a clustering try."""

from __future__ import annotations

from dataclasses import dataclass

from ncc_routing.core.cooling import TEMPERATURES, require_cooling
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds


@dataclass(frozen=True)
class SearchParams:
    """How much the search tries.

    Parameters
    ----------
    num_starts
        Independent starts, each followed by a descent. Default 2.
    num_kicks
        Times that two to four neighbouring clusters of the best partition are
        clustered anew, followed by a descent. Default: as many as
        ``most_kicks`` of ``ccp.phases`` says, of few points 100 or more; with
        a time limit or another criterion until that ends them.
    patience
        Kicks without a gain after which the search ends. Default 1000.
    """

    # With 24 kicks the gap on 60 mixtures is 0.13 %; one start leaves 0.19 %
    # (commit aa8c942d64a4).
    num_starts: int = bounded(2, 1, MAX_EFFORT)
    num_kicks: int | None = bounded(None, 0, MAX_EFFORT)
    patience: int = bounded(1000, 1, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)


@dataclass(frozen=True)
class AnnealingParams:
    """How the annealing runs; temperatures are shares of the mean distance.

    Parameters
    ----------
    start_temperature, end_temperature
        First and last temperature of the whole. Defaults 0.1 and 0.01.
    local_start_temperature
        Highest first temperature of a neighbourhood. Default 0.3.
    global_share
        Share of the time for the whole; the rest goes to neighbourhoods, one
        after the other. Default 0.5.
    openings
        Closings and openings of a cluster while the whole is annealed, per
        cluster and move of each point. Default 0.3.
    price
        First price of a unit of load over the capacity, in mean distances
        per mean weight. Default 1.
    excess
        Load over the capacity up to which the price falls while the whole is
        annealed, as a share of all weight; it shrinks to 0. Default 0.003.
        With 0 and many clusters the price rises until hardly anything moves.
    local_price
        Price at the start of a neighbourhood, as a share of that at its
        end. Default 0.01.
    effort
        Moves per point and neighbourhood. Default 60.
    global_moves
        Moves per point of the whole, without a deadline. Default 300.
    num_trials
        Neighbourhoods without a deadline. Default: 200 and 4 per cluster.
    """

    # On ten p-median sets the gap is 0.30 % with these defaults, and 0.48 % or
    # more with 15 changes of them (commit b9aeede5a433).
    start_temperature: float = bounded(0.1, *TEMPERATURES)
    end_temperature: float = bounded(0.01, *TEMPERATURES)
    local_start_temperature: float = bounded(0.3, *TEMPERATURES)
    global_share: float = bounded(0.5, 0.0, 1.0)
    openings: float = bounded(0.3, 0.0, 10.0)
    price: float = bounded(1.0, 1e-6, 1e6)
    excess: float = bounded(0.003, 0.0, 1.0)
    local_price: float = bounded(0.01, 1e-6, 1.0)
    effort: int = bounded(60, 1, 10_000)
    global_moves: int = bounded(300, 0, MAX_EFFORT)
    num_trials: int | None = bounded(None, 0, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)
        end = self.end_temperature
        require_cooling(self.start_temperature, end)
        require_cooling(
            self.local_start_temperature, end, "local_start_temperature"
        )
