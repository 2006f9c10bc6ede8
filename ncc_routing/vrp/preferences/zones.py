"""Zones: what a customer costs on a route, by the zone of the route."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.vrp.packed_routes import PackedRoutes

if TYPE_CHECKING:
    from collections.abc import Collection

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


@dataclass(frozen=True, eq=False)
class Zones:
    """Penalties of customers in zones, sparse.

    A search binds each route of its start to the zone where its customers
    cost least, and a new one to the zone that suits its first customer.
    Sums of penalties are exact where all are multiples of one power of two.

    Parameters
    ----------
    ids
        Int32 array of shape (n + 1, k): zones with the least penalties for
        each node, least first; -1 where there are fewer, though each
        customer has one at least.
    penalties
        Float64 array of shape (n + 1, k): what they cost, at least 0, in
        units of cost.
    far
        Float64 array of shape (n + 1,): what any other zone costs, no less.
    """

    ids: np.ndarray
    penalties: np.ndarray
    far: np.ndarray

    def part(self, customers: np.ndarray) -> Zones:
        """Return the penalties of the depot and some customers."""
        names = np.concatenate([[0], customers])
        return Zones(self.ids[names], self.penalties[names], self.far[names])


@dataclass(frozen=True, eq=False)
class SameRoutePairs:
    """Zones whose customers are to share a route, and what it costs if not.

    Parameters
    ----------
    labels
        Int32 array of shape (n + 1,): zone of each node, negative for none.
    num_others
        Int32 array of shape (n + 1,): further customers of that zone.
    unit
        Cost of two of a zone on different routes.
    """

    labels: np.ndarray
    num_others: np.ndarray
    unit: float

    def part(self, customers: np.ndarray) -> SameRoutePairs:
        """Return what concerns the depot and some customers."""
        names = np.concatenate([[0], customers])
        return SameRoutePairs(
            self.labels[names], self.num_others[names], self.unit
        )


class RoutePenalties(Protocol):
    """What the routes of an instance cost besides their length."""

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs, float64 of shape (routes,).

        Solutions of different stretches of a search are compared by it: it
        must depend on the routes alone.
        """

    def zones(self, routes: PackedRoutes) -> Zones | SameRoutePairs:
        """Return the zones in which a search goes on from some routes.

        In them the routes must cost no less than ``penalties`` says, but
        for roundings. Zones that move are made anew for each stretch.
        """


class Preference(Protocol):
    """What routes shall be besides short, and its weight.

    ``SolveParams`` makes it of its parameters, and ``RuinRecreateSearch``
    takes what it costs.
    """

    @property
    def free_share(self) -> float:
        """Share of a search, below 1, that first only shortens the routes."""

    @property
    def name(self) -> str:
        """The parameter behind it, for messages."""

    def require(self, instance: Instance) -> None:
        """Refuse an instance that the preference is not made for.

        Raises
        ------
        UnsupportedProblemError, ParameterError
            It names the instance, and its feature or the parameter.
        """

    def priced(self, instance: Instance, start: Solution) -> RoutePenalties:
        """Return what it costs, for an instance that ``require`` accepts.

        ``start`` is any solution: it tells the scale of the costs.
        """


def price(solution: Solution, penalties: RoutePenalties | None) -> float:
    """Return length and penalties of a solution together."""
    if penalties is None:
        return float(solution.cost)
    packed = PackedRoutes.of(solution.routes)
    return float(solution.cost + penalties.penalties(packed).sum())


def refuse_features(
    name: str, instance: Instance, accepted: Collection[str] = ()
) -> None:
    """Refuse an instance with a feature that a preference cannot deal with.

    Raises
    ------
    UnsupportedProblemError
        It names the preference and the feature.
    """
    for feature in instance.features:
        if feature not in accepted:
            rule = f"does not accept {feature}"
            raise UnsupportedProblemError(instance.name, name, rule)
