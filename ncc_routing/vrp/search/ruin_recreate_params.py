"""The parameters of ruin and recreate."""

from __future__ import annotations

from dataclasses import dataclass

from ncc_routing._core.search import SearchParams
from ncc_routing.core.cooling import TEMPERATURES, require_cooling
from ncc_routing.core.params import bounded, check_bounds


@dataclass(frozen=True)
class RuinRecreateParams:
    """Parameters of the search; the defaults come from generated instances.

    Parameters
    ----------
    degree
        Neighbours that an insertion looks at. Default 100.
    num_candidates
        Neighbours, the nearest in routes with room, next to which it tries
        the customer. Default 8.
    mean_removed
        Customers that a ruin removes, on average. Default 9.
    max_string
        Most customers that a ruin removes from one route. Default 7.
    split
        Probability that a customer inside the string stays. Default 0.3.
    blink
        Probability that an insertion overlooks a position. Default 0.01.
    reach
        It does not look at neighbours further away than this many times the
        least detour found so far. Default 4.
    tail_moves
        Customers that 2-opt*, 2-opt and segment relocation join to near
        neighbours after each ruin and recreate, per customer of a mean
        route: long routes need more of them. Default 0.05.
    start_temperature, end_temperature
        Temperatures of the annealing in units of the mean length of an
        edge between two customers of the start. Defaults 1.3 and 0.04.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    degree: int = bounded(100, 1, 10_000)
    num_candidates: int = bounded(8, 1, 10_000)
    mean_removed: float = bounded(9.0, 1.0, 10_000.0)
    max_string: int = bounded(7, 1, 10_000)
    split: float = bounded(0.3, 0.0, 0.99)
    blink: float = bounded(0.01, 0.0, 0.99)
    # With 2 routes are 0.05 +- 0.11 % longer (commit 5ec48dd002f3).
    reach: float = bounded(4.0, 1.0, 1e6)
    # Routes are 0.38 +- 0.11 % shorter than with none, and 0.39 +- 0.10 % with
    # twice as many (commit 453be6d43f54).
    tail_moves: float = bounded(0.05, 0.0, 100.0)
    # After 4 s routes are 0.20 +- 0.13 % longer with half, and 0.03 +- 0.04 %
    # with twice as much (commit cc5073a5ea8a).
    start_temperature: float = bounded(1.3, *TEMPERATURES)
    end_temperature: float = bounded(0.04, *TEMPERATURES)

    def __post_init__(self) -> None:
        check_bounds(self)
        require_cooling(self.start_temperature, self.end_temperature)

    def for_search(
        self, tolerance: float, num_local_moves: float
    ) -> SearchParams:
        """Return what a search needs of them; see ``search/params.h``."""
        return SearchParams(
            mean_removed=self.mean_removed,
            max_string=self.max_string,
            split=self.split,
            blink=self.blink,
            reach=self.reach,
            tolerance=tolerance,
            num_local_moves=num_local_moves,
        )
