"""Two days of one depot: most customers come back, their demands do not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.draft import restrict

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

RECURRING = 0.8
"""Default share of the customers of a day who come back on the next."""


def generate_days(
    num_customers: int,
    seed: int,
    recurring: float = RECURRING,
    route_length: float | None = None,
) -> tuple[Instance, Instance]:
    """Generate two days with some customers in common.

    Both days are drawn from the customers of one instance of
    ``generate_uchoa``; the second draws all demands anew from its demands.

    Parameters
    ----------
    num_customers
        Number of customers of each day.
    seed
        Seed; the same arguments give the same days.
    recurring
        Share of the customers of the first day who are there on the second,
        from 0 to 1. Default 0.8.
    route_length
        As for ``generate_uchoa``.

    Returns
    -------
    tuple[Instance, Instance]
        The days, with the same depot and capacity. A customer of both days
        has the same id on both: its number in the common instance.

    Raises
    ------
    ParameterError
        If an argument lies outside its range.
    """
    if not 0.0 <= recurring <= 1.0:
        raise ParameterError(
            f"recurring must be from 0 to 1, got {recurring}."
        )
    num_common = round(recurring * num_customers)
    pool = generate_uchoa(
        2 * num_customers - num_common, seed, route_length=route_length
    )
    return draw_days(pool, num_customers, seed)


def draw_days(
    pool: Instance, num_customers: int, seed: int
) -> tuple[Instance, Instance]:
    """Draw two days from the customers of one instance of any kind.

    Those whom one day has no place for are on the other; all others are on
    both. Ids are numbers in ``pool``; the second day draws its demands anew.
    """
    rng = np.random.default_rng([seed, num_customers])
    order = 1 + rng.permutation(pool.num_customers)
    size = pool.num_customers + 1
    demands = pool.demands.copy()
    demands[1:size] = rng.choice(pool.demands[1:size], pool.num_customers)
    later = replace(pool, demands=demands)
    days = []
    for whole, letter, drawn in (
        (pool, "a", order[:num_customers]),
        (later, "b", order[-num_customers:]),
    ):
        nodes = np.sort(drawn)
        names = np.concatenate([[0], nodes, pool.depots[1:]]).tolist()
        ids = tuple(map(str, map(int, names)))
        name = f"{pool.name}-{letter}"
        days.append(replace(restrict(whole, nodes), name=name, ids=ids))
    return days[0], days[1]
