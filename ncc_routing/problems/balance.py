"""Prices and limits of how unequal the routes of a plan are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ncc_routing.problems.declared import (
    Declared,
    choice,
    limit,
    number,
    text,
)
from ncc_routing.problems.price_steps import AMOUNTS, LOAD, TIMES
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

USED, ALL = "used", "all"
"""Among which vehicles routes may be balanced."""


@dataclass(frozen=True)
class Balance(Declared):
    """A price of the largest amount of a route, or of a spread, and its limit.

    The spread is the largest amount less the smallest one, the range of Matl,
    Hartl and Vidal (2018). Vehicle types with an equal balance share it.

    Parameters
    ----------
    amount
        "distance", "duration" (from the start to the end of the route),
        "driving_time", "stops" (customers), or "load" (of the first
        dimension: what ``VehicleType.min_load`` counts).
    largest_cost
        Cost of each unit of the largest amount, at least 0. Default 0.
    spread_cost
        Cost of each unit of the spread, at least 0. Default 0.
    max_spread
        Largest spread, at least 0. Default: no limit.
    among
        "used": the vehicles with a route. "all": those without one too, with
        an amount of 0; a type without ``num_available`` has none. Default
        "used".
    group
        Tells apart balances that are equal otherwise. Default "".

    Raises
    ------
    InstanceError
        If the amount or ``among`` is none of these, or a number is negative.
    """

    amount: str = choice(AMOUNTS)
    largest_cost: float = number(0)
    spread_cost: float = number(0)
    max_spread: float = limit()
    among: str = choice((USED, ALL), USED)
    group: str = text("")

    def __post_init__(self) -> None:
        self.read_fields("balances")

    @property
    def is_timed(self) -> bool:
        """Whether the amount is a time."""
        return self.amount in TIMES

    def in_parts(self, factor: int) -> Balance:
        """Return the balance where loads count in parts, ``factor`` a unit."""
        if self.amount != LOAD or factor == 1:
            return self
        spread = self.max_spread
        return replace(
            self,
            largest_cost=self.largest_cost / factor,
            spread_cost=self.spread_cost / factor,
            max_spread=spread * factor if spread < NO_LIMIT else spread,
        )

    def price(self, amounts: Sequence[float]) -> float:
        """Return what such amounts of all routes cost."""
        if not amounts:
            return 0.0
        return self.largest_cost * max(amounts) + (
            self.spread_cost and self.spread_cost * spread_of(amounts)
        )


def spread_of(amounts: Sequence[float]) -> float:
    """Return the largest amount less the smallest one, 0 without any."""
    least, most = min(amounts, default=0.0), max(amounts, default=0.0)
    return most if most == float("inf") else most - least
