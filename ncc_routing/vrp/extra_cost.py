"""What a preference may cost, and the weight that makes use of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from ncc_routing.vrp.params import PREFERENCES, WEIGHTS, SolveParams

if TYPE_CHECKING:
    from ncc_routing.core.budget import Budget

LEAST_SECONDS: Final = 0.1
"""Least time of a search."""

FIRST_STEP: Final = 2.0
LEAST_STEP: Final = 1.2
"""Bounds of the factor between the weights of two rounds."""


@dataclass(frozen=True)
class WeightScale:
    """The factor of the weights of a round: it rises while the cost allows."""

    factor: float = 1.0
    _step: float = FIRST_STEP
    _was_within: bool = True

    def after(self, is_within: bool) -> WeightScale:
        """Return the next one, given whether the last round kept the cap."""
        step = self._step
        if is_within != self._was_within:
            step = max(LEAST_STEP, math.sqrt(step))
        change = step if is_within else 1.0 / step
        return WeightScale(self.factor * change, step, is_within)

    def of(self, params: SolveParams) -> dict[str, float]:
        """Return the weights of the preferences times the factor."""
        low, high, _ = WEIGHTS
        stated = {name: getattr(params, name) for name in PREFERENCES}
        return {
            name: min(high, max(low, self.factor * weight))
            for name, weight in stated.items()
            if weight > 0.0
        }


def share_of(max_extra_cost: float | None, default: float) -> Fraction:
    """Return the share as the decimal number that the user wrote."""
    return Fraction(
        repr(default if max_extra_cost is None else max_extra_cost)
    )


def cap_of(cost: Fraction, share: Fraction) -> Fraction:
    """Return the largest cost that the share allows, exactly."""
    return cost + share * abs(cost)


def part_of(budget: Budget, share: float, share_of_rest: float) -> Budget:
    """Return that of one search.

    ``share`` is its share of the iterations of a row of searches, and
    ``share_of_rest`` that of the time that is left.
    """
    if budget.stop is not None and budget.counts_iterations:
        budget = replace(budget, stop=budget.stop.part(share, 1.0))
    if not budget.is_timed:
        return budget
    left = share_of_rest * budget.remaining()
    return budget.within(max(LEAST_SECONDS, left))
