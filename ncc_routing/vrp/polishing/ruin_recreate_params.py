"""The parameters of ruin and recreate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ncc_routing.core.cooling import require_cooling
from ncc_routing.core.exceptions import ParameterError


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
        Customers that moves of whole tails and of segments join to near
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

    degree: int = 100
    num_candidates: int = 8
    mean_removed: float = 9.0
    max_string: int = 7
    split: float = 0.3
    blink: float = 0.01
    reach: float = 4.0
    tail_moves: float = 0.05
    start_temperature: float = 1.3
    end_temperature: float = 0.04

    def __post_init__(self) -> None:
        for name in (
            "degree",
            "num_candidates",
            "mean_removed",
            "max_string",
            "reach",
        ):
            if not getattr(self, name) >= 1:
                raise ParameterError(
                    f"{name} must be at least 1, got {getattr(self, name)}."
                )
        if not 0.0 <= self.tail_moves < math.inf:
            raise ParameterError(
                f"tail_moves must be finite and >= 0, got {self.tail_moves}."
            )
        for name in ("split", "blink"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ParameterError(
                    f"{name} must lie in [0, 1), got {getattr(self, name)}."
                )
        require_cooling(self.start_temperature, self.end_temperature)
