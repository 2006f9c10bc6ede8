"""What customers see of several days: how many drivers, and at what times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.routes.references import identities

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution


class DayPlan(Protocol):
    """The plan of a day, such as a ``Result``."""

    @property
    def instance(self) -> Instance:
        """The problem of the day."""

    @property
    def best(self) -> Solution:
        """Its routes."""


@dataclass(frozen=True)
class DayMeasures:
    """How consistent the plans of several days are.

    Parameters
    ----------
    mean_drivers, max_drivers
        Different drivers that a customer sees, on average and at most, of
        those who are served at all.
    mean_arrival_spread, max_arrival_spread
        Time between the earliest and the latest arrival at a customer on any
        day, on average and at most, of those who are served on two days or
        more; 0 where there are none.
    drivers
        The number of the driver of each route, from 1, for each day.
    """

    mean_drivers: float
    max_drivers: int
    mean_arrival_spread: float
    max_arrival_spread: float
    drivers: tuple[tuple[int, ...], ...]


class _Visits(NamedTuple):
    """The visits of a day: customer, route and arrival of each."""

    customers: np.ndarray
    routes: np.ndarray
    arrivals: np.ndarray
    num_routes: int


def compare_days(
    plans: Sequence[DayPlan], *, by_vehicle: bool = False
) -> DayMeasures:
    """Return how consistent the plans of several days are.

    Customers are matched by id; without ids, by location, else by number.
    Arrivals are those of the timetable, in which distances replace missing
    durations.

    Parameters
    ----------
    plans
        Results of the days, or anything with ``instance`` and ``best``.
    by_vehicle
        Whether each vehicle of the fleet has a fixed driver
        (``Solution.vehicles``). Default ``False``: drivers are assigned to the
        routes of a day so that customers see few of them.

    Returns
    -------
    DayMeasures
        Drivers per customer, and the spread of arrivals in the unit of the
        durations.

    Raises
    ------
    ParameterError
        If there is no plan.
    MissingDependencyError
        Without scipy, if drivers are to be assigned.
    """
    try:
        plans = tuple(plans)
    except TypeError:
        raise ParameterError(
            "plans must be a list of the results of the days, got "
            f"{describe_value(plans)}."
        ) from None
    for plan in plans:
        if not (hasattr(plan, "instance") and hasattr(plan, "best")):
            raise ParameterError(
                "plans must be the results of the days, with instance and "
                f"best, got {describe_value(plan)}."
            )
    if not plans:
        raise ParameterError("plans must be of one day or more.")
    days = _visits_of(plans)
    width = 1 + max(int(day.customers.max(initial=0)) for day in days)
    if by_vehicle:
        owners = [
            np.array(plan.best.vehicles(plan.instance), dtype=int) - 1
            for plan in plans
        ]
    else:
        owners = _matched_drivers(days, width)
    most = 1 + max(int(driver_of.max(initial=0)) for driver_of in owners)
    seen = np.zeros((width, most), dtype=np.bool_)
    first, last = np.full(width, np.inf), np.full(width, -np.inf)
    num_days = np.zeros(width, dtype=int)
    for day, driver_of in zip(days, owners, strict=True):
        seen[day.customers, driver_of[day.routes]] = True
        np.minimum.at(first, day.customers, day.arrivals)
        np.maximum.at(last, day.customers, day.arrivals)
        num_days[day.customers] += 1
    counts = seen.sum(axis=1)[num_days > 0]
    spreads = (last - first)[num_days > 1]
    return DayMeasures(
        mean_drivers=float(counts.mean()) if len(counts) else 0.0,
        max_drivers=int(counts.max(initial=0)),
        mean_arrival_spread=float(spreads.mean()) if len(spreads) else 0.0,
        max_arrival_spread=float(spreads.max(initial=0.0)),
        drivers=tuple(tuple((1 + driver_of).tolist()) for driver_of in owners),
    )


def number_customers(instances: Sequence[Instance]) -> list[dict[int, int]]:
    """Return a number for each customer of each day, the same on all days."""
    numbers: dict[Hashable, int] = {}
    days = []
    for instance, keys in zip(instances, identities(instances), strict=True):
        met: Counter[Hashable] = Counter()
        number_of = {}
        for node in range(1, instance.num_customers + 1):
            # Of several customers at one place the k-th stays the k-th.
            key = keys[node], met[keys[node]]
            met[keys[node]] += 1
            number_of[node] = numbers.setdefault(key, len(numbers))
        days.append(number_of)
    return days


def _visits_of(plans: Sequence[DayPlan]) -> list[_Visits]:
    numbers = number_customers([plan.instance for plan in plans])
    days = []
    for plan, number_of in zip(plans, numbers, strict=True):
        rows = [
            (number_of[node], route, begin + late - wait)
            for route, one in enumerate(plan.best.schedules(plan.instance))
            for node, begin, wait, late in zip(
                one.visits, one.begins, one.waits, one.lateness, strict=True
            )
            if node in number_of
        ]
        table = np.array(rows, dtype=float).reshape(-1, 3)
        customers, routes = table[:, :2].T.astype(int)
        days.append(
            _Visits(customers, routes, table[:, 2], plan.best.num_routes)
        )
    return days


def _matched_drivers(days: Sequence[_Visits], width: int) -> list[np.ndarray]:
    """Return a driver for each route of each day.

    Each day in turn gets the drivers whom its customers see on other days,
    until no day can do better: the pairs of customers and drivers only
    become fewer.
    """
    # Imported here: it takes longer than the rest of the package.
    with naming_the_extra():
        from scipy.optimize import linear_sum_assignment

    most = max(day.num_routes for day in days)
    owners: list[np.ndarray | None] = [None] * len(days)
    before = -1
    while True:
        total = 0
        for number, day in enumerate(days):
            times = np.zeros((width, most), dtype=int)
            for other, driver_of in enumerate(owners):
                if driver_of is not None and other != number:
                    visits = days[other]
                    times[visits.customers, driver_of[visits.routes]] = 1
            known = np.zeros((day.num_routes, most), dtype=int)
            np.add.at(known, day.routes, times[day.customers])
            rows, drivers = linear_sum_assignment(known, maximize=True)
            owners[number] = drivers
            total += int(known[rows, drivers].sum())
        if total <= before:
            return [driver_of for driver_of in owners if driver_of is not None]
        before = total
