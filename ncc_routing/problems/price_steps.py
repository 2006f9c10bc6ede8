"""Prices of what a route has beyond some of an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ncc_routing.problems.declared import Declared, choice, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LOAD: Final = "load"

AMOUNTS: Final = {
    "distance": "distance",
    "duration": "duration",
    "driving_time": "driving",
    "stops": "num_stops",
    LOAD: LOAD,
}
"""Amounts that may have a price, as the amounts of a schedule."""

TIMES: Final = ("duration", "driving_time")
"""Those that are times."""


@dataclass(frozen=True)
class PriceStep(Declared):
    """A cost of each unit of an amount of a route beyond some of it.

    Several steps are a convex piecewise linear cost. They come on top of the
    other costs of a vehicle type.

    Parameters
    ----------
    amount
        "distance", "duration" (from the start to the end of the route),
        "driving_time", "stops" (customers), or "load" (of the first
        dimension: what ``VehicleType.min_load`` counts).
    beyond
        What costs nothing, at least 0. Default 0.
    unit_cost
        Cost of each further unit, at least 0. Default 0.

    Raises
    ------
    InstanceError
        If the amount is none of these, or a number is negative.
    """

    amount: str = choice(AMOUNTS)
    beyond: float = number(0)
    unit_cost: float = number(0)

    def __post_init__(self) -> None:
        self.read_fields("price_steps")

    @property
    def is_timed(self) -> bool:
        """Whether the amount is a time."""
        return self.amount in TIMES

    def in_parts(self, factor: int) -> PriceStep:
        """Return the step where loads count in parts, ``factor`` a unit."""
        if self.amount != LOAD or factor == 1:
            return self
        return PriceStep(LOAD, self.beyond * factor, self.unit_cost / factor)

    def price(self, amounts: Mapping[str, float]) -> float:
        """Return what a route of such amounts costs by this step."""
        value = amounts[AMOUNTS[self.amount]]
        return self.unit_cost * max(0.0, value - self.beyond)


def price_of(
    steps: Iterable[PriceStep], amounts: Mapping[str, float]
) -> float:
    """Return what a route of such amounts costs by all steps."""
    return sum(step.price(amounts) for step in steps)
