"""What a route costs beyond some of its amounts."""

from __future__ import annotations

from typing import Any


def price_of_steps(kind: Any, **amounts: float) -> float:
    """Return what the price steps of a vehicle type add for some amounts."""
    return float(
        sum(
            step.unit_cost * max(0, amounts[step.amount] - step.beyond)
            for step in kind.price_steps
            if step.amount in amounts
        )
    )
