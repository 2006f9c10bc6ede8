"""What the routes of each balance have, and whether they are unequal."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ncc_routing.problems.balance import ALL, spread_of
from ncc_routing.problems.constraints import broken
from ncc_routing.problems.price_steps import AMOUNTS
from ncc_routing.problems.values import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ncc_routing.problems.balance import Balance
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance


def balanced_amounts(
    types: Sequence[VehicleType],
    driven: Sequence[int],
    amounts: Sequence[Mapping[str, float]],
) -> Iterator[tuple[Balance, list[float]]]:
    """Yield each balance, and what the vehicles that share it have.

    Parameters
    ----------
    types
        All vehicle types.
    driven
        Index of the type of each route.
    amounts
        Amounts of each route, as of ``Schedule``.
    """
    for balance in dict.fromkeys(chain(*(each.balances for each in types))):
        shared = [balance in each.balances for each in types]
        routes = zip(driven, amounts, strict=True)
        name = AMOUNTS[balance.amount]
        own = [had[name] for idx, had in routes if shared[idx]]
        if balance.among == ALL:
            own += [0.0] * (num_vehicles(types, balance) - len(own))
        yield balance, own


def num_vehicles(types: Sequence[VehicleType], balance: Balance) -> int:
    """Return how many vehicles share a balance among all of them."""
    shared = (each for each in types if balance in each.balances)
    return sum(each.num_available or 0 for each in shared)


def broken_balance(
    instance: Instance, balance: Balance, amounts: Sequence[float]
) -> list[tuple[str, str]]:
    """Return that a spread exceeds its limit, as a violation in words."""
    values = {"value": spread_of(amounts), "limit": balance.max_spread}
    if not exceeds(values["value"], values["limit"]):
        return []
    return [broken(instance, "spread", balance.amount, **values)]
