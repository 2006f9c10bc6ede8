"""Solutions whose routes are as equal as balances want them to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ncc_routing.core.budget import Budget
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems.balance import USED, spread_of
from ncc_routing.problems.declared import number
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.price_steps import PriceStep
from ncc_routing.problems.routes.balanced_routes import balanced_amounts
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.problems.balance import Balance
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

NUM_ROUNDS: Final = 12
ROUND_ITERATIONS: Final = 200
"""Annealings, with a target each, and their iterations where these are
limited."""

AIMED: Final = 0.95
"""Share of the largest spread that is aimed at."""

FIRST_TARGET: Final = -1.0
"""How far the targets of a price are from the mean at first, as a share of
the way to those of the plan; that is halved after each round that finds
nothing better."""

FIRST_PRICE: Final = 0.5
RAISED: Final = 2.0
LOWERED: Final = 0.5
"""Price of a unit beyond the target of a limit, in what a unit of all routes
costs in the mean; and by what it changes after a round whose plan is beyond
the limit or within it."""


@dataclass(frozen=True)
class _Rebate(PriceStep):
    """A price step whose price may be negative."""

    unit_cost: float = number(0, least=-NO_LIMIT)


def with_balance(
    instance: Instance,
    solution: Solution,
    run: Run,
    *,
    balances: Sequence[tuple[Balance, ...]],
) -> Solution:
    """Return a solution whose spreads keep their limits, at the least cost.

    Annealings pay for what routes have above or below a target, again and
    again. That of a price comes closer to the plan, and what a unit beyond
    that of a limit costs follows from the plan before.

    Parameters
    ----------
    instance, solution
        The instance without balances, and a solution to start from.
    run
        Its budget limits the time or the iterations.
    balances
        Those of each vehicle type.

    Returns
    -------
    Solution
        One whose spreads exceed their limits as little as was found, and then
        of the least cost with that of the balances.
    """
    judge = _Judge(instance, tuple(balances))
    deadline = run.budget.time_limit
    seconds = deadline.remaining() / NUM_ROUNDS
    best = found = solution
    least = judge.value(solution)
    price, gap = FIRST_PRICE, FIRST_TARGET
    for round_number in range(NUM_ROUNDS):
        if deadline.passed():
            break
        budget = Budget(deadline.within(seconds))
        if run.budget.counts_iterations:
            budget = Budget(deadline, MaxIterations(ROUND_ITERATIONS))
        part = run.for_stage(f"round {round_number}").with_budget(budget)
        priced = judge.priced(found, price, gap)
        found = ruin_and_recreate(priced, _of(priced, found), part)
        found = _of(instance, found)
        value = judge.value(found)
        price *= RAISED if value[0] > 0.0 else LOWERED
        if value < least:
            best, least = found, value
        else:
            gap = 0.5 * (1.0 + gap)
    return best


@dataclass(frozen=True)
class _Judge:
    """What balances make of solutions."""

    instance: Instance
    balances: tuple[tuple[Balance, ...], ...]

    @property
    def types(self) -> tuple[VehicleType, ...]:
        return tuple(
            replace(each, balances=own)
            for each, own in zip(
                self.instance.vehicle_types, self.balances, strict=True
            )
        )

    def amounts(self, solution: Solution) -> list[tuple[Balance, list[float]]]:
        """Return what the vehicles of each balance have."""
        had = [one.amounts for one in solution.schedules(self.instance)]
        driven = solution.vehicle_types
        return [*balanced_amounts(self.types, driven, had)]

    def value(self, solution: Solution) -> tuple[float, float]:
        """Return by what the limits are exceeded, and the cost."""
        excess, cost = 0.0, solution.cost
        for balance, amounts in self.amounts(solution):
            excess += max(0.0, spread_of(amounts) - balance.max_spread)
            cost += balance.price(amounts)
        return excess, cost

    def priced(self, solution: Solution, price: float, gap: float) -> Instance:
        """Return the instance where routes pay for what is off the target."""
        types = list(self.instance.vehicle_types)
        for balance, amounts in self.amounts(solution):
            if sum(amounts) == 0.0:
                continue
            low, high = _targets(balance, amounts, gap)
            of_limit = 0.0
            if balance.max_spread < NO_LIMIT:
                of_limit = price * abs(solution.cost) / sum(amounts)
            of_spread = balance.spread_cost
            below = max(of_limit, of_spread)
            above = max(of_limit, of_spread + balance.largest_cost)
            steps = (
                PriceStep(balance.amount, high, above),
                _Rebate(balance.amount, 0.0, -below),
                PriceStep(balance.amount, low, below),
            )
            lacked = below * low if balance.among == USED else 0.0
            for idx, own in enumerate(self.balances):
                if balance in own:
                    types[idx] = replace(
                        types[idx],
                        price_steps=(*types[idx].price_steps, *steps),
                        fixed_cost=types[idx].fixed_cost + lacked,
                    )
        fleet = self.instance.fleet or Fleet(tuple(types))
        return self.instance.derived(fleet=replace(fleet, types=tuple(types)))


def _targets(
    balance: Balance, amounts: Sequence[float], gap: float
) -> tuple[float, float]:
    """Return what routes are to have at least, and at most."""
    mean = sum(amounts) / (len(amounts) + 1)  # with one more route
    high = mean + gap * (max(amounts) - mean)
    mean = sum(amounts) / len(amounts)
    low = mean - max(0.0, gap) * (mean - min(amounts))
    if balance.max_spread < NO_LIMIT:
        half = 0.5 * AIMED * balance.max_spread
        is_priced = balance.spread_cost + balance.largest_cost > 0.0
        low = max(low * is_priced, mean - half)
        high = min(high, mean + half) if is_priced else mean + half
    return max(0.0, low), max(0.0, high)


def _of(instance: Instance, solution: Solution) -> Solution:
    """Return the same routes at their cost in an instance."""
    driven = solution.routes, solution.vehicle_types
    return Solution.from_routes(instance, *driven)
