"""A set of routes and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class Solution:
    """Routes of a CVRP, without the depot, and their total cost.

    Parameters
    ----------
    routes
        Each route is the tuple of its customers (1..n) in the order of the
        visit. There are no empty routes.
    cost
        Total length of depot -> route -> depot. A whole number where the
        instance rounds its distances.
    """

    routes: tuple[tuple[int, ...], ...]
    cost: float

    @classmethod
    def from_routes(
        cls, instance: Instance, routes: Iterable[Iterable[int]]
    ) -> Solution:
        """Build a solution, dropping empty routes and adding up the cost.

        Nothing is checked here: ``checking.check_solution`` does that.
        """
        listed = (tuple(map(int, route)) for route in routes)
        kept = tuple(route for route in listed if route)
        return cls(kept, float(sum(instance.route_costs(kept).tolist())))

    @property
    def num_routes(self) -> int:
        """Number of routes."""
        return len(self.routes)
