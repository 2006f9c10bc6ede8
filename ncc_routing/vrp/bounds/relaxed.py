"""A problem as the bounds see it: whole numbers, and what is left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns

if TYPE_CHECKING:
    from fractions import Fraction

    from ncc_routing.problems.instance import Instance

NG_SIZE: Final = 8
"""Customers in an ng set."""

_LARGEST_SUM: Final = 2.0**46
"""Largest cost of a route, in units."""


class TypeRoutes(NamedTuple):
    """The routes of a vehicle type.

    ``costs`` are float64 with the fixed cost on the arcs of the depot, node 0;
    ``units`` the same in whole units, rounded down. ``num_available`` is never
    above the number of customers.
    """

    costs: np.ndarray
    units: np.ndarray
    pricer: _columns.Pricer
    num_available: int


@dataclass(frozen=True, eq=False)
class Relaxation:
    """A problem without what the bounds do not model.

    Parameters
    ----------
    types
        Routes of each vehicle type.
    weights
        Weight of each node in the pricing, int32, >= 1 for customers.
    capacity_weight
        Largest weight of a route.
    is_symmetric
        Whether all costs are symmetric.
    loads, capacity
        Load of each required customer, and the largest capacity: what rounded
        capacity inequalities count.
    prizes
        Cost of leaving each customer out, ``inf`` where it is required.
    exponent
        A unit is 2**-exponent.
    is_integral
        Whether the cost of every solution is a whole number.
    relaxed
        The features that are left out, in words.
    """

    types: tuple[TypeRoutes, ...]
    weights: np.ndarray
    capacity_weight: int
    is_symmetric: bool
    loads: np.ndarray
    capacity: int
    prizes: np.ndarray
    exponent: int
    is_integral: bool
    relaxed: tuple[str, ...]

    @property
    def num_nodes(self) -> int:
        """Number of nodes, the depot included."""
        return len(self.weights)

    @cached_property
    def is_limited(self) -> bool:
        """Whether there may be too few vehicles of a type."""
        most = self.num_nodes - 1
        return any(each.num_available < most for each in self.types)

    def bound_of(self, units: int) -> float:
        """Return a proven bound as a float that is not above it.

        Whole costs round up.
        """
        from fractions import Fraction

        exact = Fraction(units) / Fraction(2) ** self.exponent
        if self.is_integral:
            return float(math.ceil(exact))
        return rounded_down(exact)


def rounded_down(exact: Fraction) -> float:
    """Return the largest float that is not above a fraction."""
    value = float(exact)
    return value if value <= exact else math.nextafter(value, -math.inf)


def relax(instance: Instance) -> Relaxation:
    """Return a problem as the bounds see it."""
    size = len(instance.demands)
    nodes = np.arange(size)
    costs = instance.distances(nodes, nodes)
    demands = instance.demands
    capacity = min(instance.capacity, int(demands.sum()))
    weights, limit = _positive(demands, capacity)
    exponent = _exponent(costs, size)
    units = _in_units(costs, exponent)
    symmetric = bool((units == units.T).all())
    pricer = _columns.Pricer(
        steps=np.ascontiguousarray(np.broadcast_to(weights, (size, size))),
        early=np.zeros(size, dtype=np.int32),
        late=np.full(size, limit, dtype=np.int32),
        extras=[],
        limits=[],
        weights=weights,
        main_is_weight=True,
        near=_near(costs),
        is_symmetric=symmetric,
    )
    most = size - 1
    return Relaxation(
        types=(TypeRoutes(costs, units, pricer, most),),
        weights=weights,
        capacity_weight=limit,
        is_symmetric=symmetric,
        loads=np.asarray(demands, dtype=np.int64),
        capacity=capacity,
        prizes=np.full(size, np.inf),
        exponent=exponent,
        is_integral=instance.is_integral,
        relaxed=(),
    )


def _positive(demands: np.ndarray, capacity: int) -> tuple[np.ndarray, int]:
    """Return demands of at least 1, and a capacity, in the smallest numbers.

    What fits still does: customers without a demand, which could be visited
    in circles, get a small one each.
    """
    divisor = int(np.gcd.reduce(demands)) or 1
    own, limit = demands // divisor, capacity // divisor
    zeros = int((own[1:] == 0).sum())
    if zeros > 0:
        own, limit = own * (zeros + 1), limit * (zeros + 1) + zeros
        own[1:] = np.maximum(own[1:], 1)
    return np.asarray(own, dtype=np.int32), limit


def _exponent(costs: np.ndarray, num_nodes: int) -> int:
    """Return the exponent of the unit: fine, but no sum overflows."""
    finite = costs[np.isfinite(costs)]
    largest = max(1.0, float(finite.max(initial=0.0))) * (num_nodes + 2)
    return min(24, math.floor(math.log2(_LARGEST_SUM / largest)))


def _in_units(costs: np.ndarray, exponent: int) -> np.ndarray:
    is_arc = np.isfinite(costs)
    scaled = np.floor(np.where(is_arc, costs, 0.0) * 2.0**exponent)
    units = np.where(is_arc, scaled, 0.0).astype(np.int64)
    units[~is_arc] = _columns.NO_ARC
    np.fill_diagonal(units, _columns.NO_ARC)
    return units


def _near(costs: np.ndarray) -> np.ndarray:
    """Return the ng set of each customer: itself and the nearest ones."""
    both = costs + costs.T
    np.fill_diagonal(both, -1.0)
    count = min(NG_SIZE, len(costs) - 1)
    order = np.argsort(both[:, 1:], axis=1, kind="stable")[:, :count] + 1
    return np.ascontiguousarray(order, dtype=np.int32)
