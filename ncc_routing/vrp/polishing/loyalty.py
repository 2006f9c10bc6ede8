"""Routes as in past plans: what customers cost among strangers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.scoring.priority import MIN_CHANCE
from ncc_routing.vrp.polishing.zones import Zones, refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.scoring.pair_scorer import PairScorer
    from ncc_routing.vrp.polishing._packed import PackedRoutes

SHARE_OF_COST: Final = 0.5
"""What one unit of log-probability costs at a weight of 1, as a share of the
mean cost of a customer (``docs/benchmarks/learned_places.md``)."""

NUM_NEAR: Final = 8
"""Zones whose penalties are told apart for each customer."""


@dataclass(frozen=True)
class LoyalRoutes:
    """The preference for routes of customers that belong together.

    Parameters
    ----------
    scorer
        Says how likely near customers share a route.
    weight
        The ``loyalty`` of ``SolveParams``, positive.
    """

    scorer: PairScorer = field(repr=False)
    weight: float
    name: ClassVar[str] = "loyalty"

    def require(self, instance: Instance) -> None:
        """Refuse an instance that is more than a CVRP with coordinates."""
        refuse_features(self.name, instance)

    def priced(self, instance: Instance, start: Solution) -> LoyaltyPenalties:
        """Return the cost of customers among strangers."""
        return LoyaltyPenalties.of(
            instance, self.scorer, start.cost, self.weight
        )


@dataclass(frozen=True, eq=False)
class LoyaltyPenalties:
    """The cost of customers among strangers.

    A customer costs the mean of -log P over the others of its route, where P
    is the probability of the scorer that the two share a route, and a fixed
    small one for pairs that it does not know; one that is alone costs as
    much as among strangers. The others of a route are the core of its zone.

    Parameters
    ----------
    neighbours
        Int64 array of shape (n + 1, k): customers that the scorer knows
        together with each node; the row of the depot means nothing.
    savings
        Float64 array of the same shape: how much less than a stranger each
        costs, at least 0. Zero for the depot.
    stranger
        Cost of a customer whose route it knows nothing of.
    step
        Power of two of which the penalties of zones are multiples: sums of
        them and of whole lengths have no rounding errors.
    """

    neighbours: np.ndarray
    savings: np.ndarray
    stranger: float
    step: float

    @classmethod
    def of(
        cls,
        instance: Instance,
        scorer: PairScorer,
        cost: float,
        weight: float,
    ) -> LoyaltyPenalties:
        """Return the penalties.

        Parameters
        ----------
        instance
            A CVRP with coordinates.
        scorer
            A scorer of routes; it is asked once.
        cost
            Cost of any solution, which tells the scale.
        weight
            Positive.
        """
        known, chances, _ = scorer.pair_probabilities(instance)
        logs = np.log(np.clip(chances, MIN_CHANCE, 1.0) / MIN_CHANCE)
        rate = weight * SHARE_OF_COST * cost / instance.num_customers
        step = 1.0
        if rate > 0.0:
            step = 2.0 ** (math.floor(math.log2(rate)) - 16)
        return cls(
            np.pad(known, ((1, 0), (0, 0))),
            rate * np.pad(logs, ((1, 0), (0, 0))),
            -rate * math.log(MIN_CHANCE),
            step,
        )

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs beside its length, shape (routes,)."""
        sizes = np.diff(routes.starts)
        owners = np.full(len(self.savings), -1)
        owners[routes.nodes] = np.repeat(np.arange(routes.num_routes), sizes)
        own = owners[routes.nodes]
        is_shared = owners[self.neighbours[routes.nodes]] == own[:, None]
        saved = np.where(is_shared, self.savings[routes.nodes], 0.0)
        mean = saved.sum(axis=1) / np.maximum(sizes[own] - 1, 1)
        return np.bincount(own, self.stranger - mean, routes.num_routes)

    def zones(self, routes: PackedRoutes) -> Zones:
        """Return zones whose cores are some routes."""
        num_nodes, num_routes = len(self.savings), routes.num_routes
        sizes = np.diff(routes.starts)
        owners = np.full(num_nodes, -1)
        owners[routes.nodes] = np.repeat(np.arange(num_routes), sizes)
        found = owners[self.neighbours]
        # One sum for each customer and each zone that it knows anyone of.
        rows = np.repeat(np.arange(num_nodes), found.shape[1])
        is_member = found.ravel() >= 0
        keys = rows[is_member] * num_routes + found.ravel()[is_member]
        places, inverse = np.unique(keys, return_inverse=True)
        sums = np.bincount(inverse, self.savings.ravel()[is_member])
        nodes, zones = np.divmod(places, num_routes)
        others = sizes[zones] - (owners[nodes] == zones)
        costs = self.stranger - sums / np.maximum(others, 1)
        return self._nearest(nodes, zones, costs)

    def _nearest(
        self, nodes: np.ndarray, zones: np.ndarray, costs: np.ndarray
    ) -> Zones:
        """Return the zones where each node costs least.

        Parameters
        ----------
        nodes, zones, costs
            What some nodes cost in some zones, by node.
        """
        num_nodes = len(self.savings)
        order = np.lexsort((zones, costs, nodes))
        nodes, zones, costs = nodes[order], zones[order], costs[order]
        ranks = np.arange(len(nodes)) - np.searchsorted(nodes, nodes)
        is_near = ranks < NUM_NEAR
        cells = nodes[is_near], ranks[is_near]
        ids = np.full((num_nodes, NUM_NEAR), -1, dtype=np.int32)
        penalties = np.zeros((num_nodes, NUM_NEAR))
        ids[cells] = zones[is_near]
        penalties[cells] = np.rint(costs[is_near] / self.step) * self.step
        far = np.full(num_nodes, np.ceil(self.stranger / self.step))
        return Zones(ids, penalties, far * self.step)
