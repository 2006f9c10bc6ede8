"""Solutions whose routes are as equal as balances want them to be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ncc_routing.core.budget import Budget
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems.balance import USED, spread_of
from ncc_routing.problems.declared import number
from ncc_routing.problems.price_steps import AMOUNTS, PriceStep
from ncc_routing.problems.routes.balanced_routes import balanced_amounts
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import NO_LIMIT, exceeds
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

SMALL: Final = 30
SMALL_ROUNDS: Final = 36
"""Annealings of problems of up to so many customers."""

CHANGES: Final = (0, 1, -1)
SMALL_CHANGES: Final = (*CHANGES, 2, -2, 3)
"""How many routes more the targets are for, in turn."""

AIMED: Final = 0.95
"""Share of the largest spread that is aimed at."""

FIRST_TARGET: Final = -1.0
"""How far the targets of a price are from the mean at first, as a share of
the way to those of the plan; that is halved after each round that finds
nothing better."""

SMALL_ENDS: Final = (
    *((0.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (-0.5, 0.5), (-2.0, -2.0)),
    *((0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0), (-2.0, 0.0), (0.5, 0.5)),
    *((-0.5, -0.5), (-math.inf, -math.inf)),
)
"""Targets of small problems between the mean, 0, the smallest amount, -1, and
the largest one, 1: a solution may have routes that are longer than they need
be, or none on these vehicles."""

FIRST_PRICE: Final = 0.5
RAISED: Final = 2.0
LOWERED: Final = 0.5
LARGEST_PRICE: Final = 1000.0
"""Price of a unit beyond the target of a limit, in what a unit of all routes
costs in the mean; and by what it changes after a round whose plan is beyond
the limit or within it. Beyond the largest one it begins anew."""


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
    known: Solution,
) -> Solution:
    """Return a solution whose spreads keep their limits, at the least cost.

    Annealings pay for what routes have above or below a target, again and
    again. That of a price comes closer to the plan, and what a unit beyond
    that of a limit costs follows from the plan before. As long as a limit is
    exceeded, targets are those of one route more or fewer too.

    Parameters
    ----------
    instance, solution
        The instance without balances, and a solution to start from.
    run
        Its budget limits the time or the iterations.
    balances
        Those of each vehicle type.
    known
        Another solution, which may be the better one.

    Returns
    -------
    Solution
        One whose spreads exceed their limits as little as was found, and then
        of the least cost with that of the balances.
    """
    judge = _Judge(instance, tuple(balances))
    deadline = run.budget.time_limit
    is_small = instance.num_customers <= SMALL
    num_rounds = SMALL_ROUNDS if is_small else NUM_ROUNDS
    seconds = deadline.remaining() / num_rounds
    best = found = min(solution, known, key=judge.value)
    least = judge.value(best)
    price, gap = FIRST_PRICE, FIRST_TARGET
    for round_number in range(num_rounds):
        if deadline.passed():
            break
        budget = Budget(deadline.within(seconds))
        if run.budget.counts_iterations:
            budget = Budget(deadline, MaxIterations(ROUND_ITERATIONS))
        part = run.for_stage(f"round {round_number}").with_budget(budget)
        is_late = 2 * round_number >= num_rounds
        is_wide = is_small and (is_late or least[0] == 0.0)
        changes = SMALL_CHANGES if is_wide else CHANGES
        change = changes[round_number % len(changes)]
        if least[0] == 0.0 and not judge.prices_spread:
            change = 0
        ends = -max(0.0, gap), max(0.0, gap)
        if is_wide and round_number % 2:
            ends = SMALL_ENDS[round_number // 2 % len(SMALL_ENDS)]
        priced = judge.priced(found, price, ends, gap, change)
        found = ruin_and_recreate(priced, found.costed(priced), part)
        found = found.costed(instance)
        value = judge.value(found)
        price *= RAISED if value[0] > 0.0 else LOWERED
        price = price if price <= LARGEST_PRICE else FIRST_PRICE
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

    def is_of_used(self, balance: Balance) -> bool:
        """Whether vehicles without a route do not count."""
        return balance.among == USED or any(
            balance in own and each.num_available is None
            for each, own in zip(
                self.instance.vehicle_types, self.balances, strict=True
            )
        )

    @property
    def prices_spread(self) -> bool:
        return any(one.spread_cost for own in self.balances for one in own)

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

    def first_broken(self, solution: Solution) -> Balance | None:
        """Return a balance whose limit is exceeded, if there is one."""
        return next(
            (
                balance
                for balance, amounts in self.amounts(solution)
                if exceeds(spread_of(amounts), balance.max_spread)
            ),
            None,
        )

    def within(
        self, solution: Solution, balance: Balance, low: float
    ) -> Solution:
        """Return a solution whose routes of a balance have at least so much.

        They have at most the largest spread more. Shorter routes are given up,
        and longer ones lose customers.
        """
        name, kept = AMOUNTS[balance.amount], []
        for route, idx in zip(
            solution.routes, solution.vehicle_types, strict=True
        ):
            left = route

            def amount_of(stops: tuple[int, ...], idx: int = idx) -> float:
                schedule = schedule_route(self.instance, stops, idx)
                return schedule.amounts[name]

            if balance in self.balances[idx]:
                while left and exceeds(
                    amount_of(left) - low, balance.max_spread
                ):
                    shorter = [
                        left[:k] + left[k + 1 :] for k in range(len(left))
                    ]
                    left = min(shorter, key=amount_of)
                if not left or amount_of(left) < low:
                    continue
            kept.append((left, idx))
        return Solution.from_routes(
            self.instance, [r for r, _ in kept], [idx for _, idx in kept]
        )

    def priced(
        self,
        solution: Solution,
        price: float,
        ends: tuple[float, float],
        gap: float,
        change: int,
    ) -> Instance:
        """Return the instance where routes pay for what is off the target."""
        types = list(self.instance.vehicle_types)
        for balance, amounts in self.amounts(solution):
            if sum(amounts) == 0.0:
                continue
            is_of_used = self.is_of_used(balance)
            change = change if is_of_used else 0
            low, high = _targets(balance, amounts, ends, gap, change)
            of_limit = 0.0
            if balance.max_spread < NO_LIMIT:
                of_limit = price * (abs(solution.cost) / sum(amounts) or 1.0)
            of_spread = balance.spread_cost
            below = max(of_limit, of_spread)
            above = max(of_limit, of_spread + balance.largest_cost)
            steps = (
                PriceStep(balance.amount, high, above),
                _Rebate(balance.amount, 0.0, -below),
                PriceStep(balance.amount, low, below),
            )
            lacked = below * low if is_of_used else 0.0
            for idx, own in enumerate(self.balances):
                if balance in own:
                    types[idx] = replace(
                        types[idx],
                        price_steps=(*types[idx].price_steps, *steps),
                        fixed_cost=types[idx].fixed_cost + lacked,
                    )
        return self.instance.with_types(types)


def without_excess(instance: Instance, solution: Solution) -> Solution:
    """Return a solution whose spreads keep their limits, without some.

    Routes below a smallest amount are given up, and those that are beyond the
    largest one lose customers: as few as any choice of the two leaves out.
    """
    balances = tuple(each.balances for each in instance.vehicle_types)
    judge = _Judge(instance, balances)
    while (broken := judge.first_broken(solution)) is not None:
        shares = [broken in own for own in balances]
        lows = [0.0]
        if broken.among == USED:
            lows += [
                one.amounts[AMOUNTS[broken.amount]]
                for one, idx in zip(
                    solution.schedules(instance),
                    solution.vehicle_types,
                    strict=True,
                )
                if shares[idx]
            ]
        tried = [judge.within(solution, broken, low) for low in lows]
        solution = max(tried, key=lambda one: sum(map(len, one.routes)))
    return solution


def _targets(
    balance: Balance,
    amounts: Sequence[float],
    ends: tuple[float, float],
    gap: float,
    change: int,
) -> tuple[float, float]:
    """Return what routes are to have at least, and at most."""
    mean = sum(amounts) / max(1, len(amounts) + change)
    low, high = (_amount_at(end, mean, amounts) for end in ends)
    middle = low if low == high else mean
    if balance.largest_cost > 0.0:
        of_more = sum(amounts) / (len(amounts) + 1)  # with one more route
        high = min(high, of_more + gap * (max(amounts) - of_more))
    if balance.max_spread < NO_LIMIT:
        half = 0.5 * AIMED * balance.max_spread
        is_priced = balance.spread_cost + balance.largest_cost > 0.0
        low = max(low * is_priced, middle - half)
        high = min(high, middle + half) if is_priced else middle + half
    return max(0.0, low), max(0.0, high)


def _amount_at(end: float, mean: float, amounts: Sequence[float]) -> float:
    """Return what lies so far beyond the mean, 1 at the largest amount."""
    if math.isinf(end):
        return 0.0
    span = max(amounts) - mean if end > 0.0 else mean - min(amounts)
    return mean + end * span
