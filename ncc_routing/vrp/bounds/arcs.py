"""What the arcs of a vehicle type cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.routes.schedules import (
    arc_distances,
    arc_durations,
)
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True, eq=False)
class TypeArcs:
    """The arcs of a vehicle type between customers 1..n and the depot 0.

    Parameters
    ----------
    served
        Cost of serving each node, float64.
    has_left
        Whether vehicles are on their way, whose past costs no time.
    """

    instance: Instance
    vehicle_type: VehicleType
    allowed: np.ndarray | None
    served: np.ndarray
    has_left: bool

    @property
    def windows(self) -> TimeWindows:
        """Those of the nodes of the instance."""
        windows = self.instance.windows
        return windows or TimeWindows.of(len(self.instance.demands))

    @property
    def tails(self) -> np.ndarray:
        """Node of the instance at the start of arcs from each node."""
        start, _ = self.instance.ends_of(self.vehicle_type)
        return np.append(start, np.arange(1, len(self.served)))

    @property
    def heads(self) -> np.ndarray:
        """Node of the instance at the end of arcs to each node."""
        _, end = self.instance.ends_of(self.vehicle_type)
        return np.append(end, np.arange(1, len(self.served)))

    @property
    def are_symmetric(self) -> bool:
        """Whether arcs are known to cost the same backwards."""
        vehicle_type = self.vehicle_type
        return (
            self.instance.matrix is None
            and vehicle_type.profile == 0
            and vehicle_type.start_depot == vehicle_type.end_depot
            and vehicle_type.unit_duration_cost == 0
            and vehicle_type.unit_driving_cost == 0
            and self.allowed is None
            and not self.served.any()
        )

    def distances(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return lengths, float64; shapes of nodes broadcast."""
        return self._of(arc_distances, tails, heads)

    def travel(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return what is driving, float64."""
        return self._of(arc_durations, tails, heads)

    def works(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return durations with the service at the tail, float64."""
        services, _ = self.instance.work_of(self.vehicle_type)
        travel = self._of(arc_durations, tails, heads)
        return np.asarray(travel + services[self.tails[tails]])

    def costs(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return costs, float64, infinite where there is no arc.

        That of a vehicle is on the arcs of the depot.
        """
        vehicle_type = self.vehicle_type
        distances = self.distances(tails, heads)
        is_none = ~np.isfinite(distances) | (tails == heads)
        distances[is_none] = 0.0
        costs = vehicle_type.unit_distance_cost * distances
        if vehicle_type.unit_duration_cost > 0 and not self.has_left:
            works = self.works(tails, heads)
            costs += vehicle_type.unit_duration_cost * works
        if vehicle_type.unit_driving_cost > 0:
            travel = self.travel(tails, heads)
            costs += vehicle_type.unit_driving_cost * travel
        if self.served.any():
            costs += self.served[heads]
        if vehicle_type.fixed_cost > 0:
            at_depot = (tails == 0) | (heads == 0)
            costs += at_depot * (vehicle_type.fixed_cost / 2)
        if self.allowed is not None:
            is_none |= ~self.allowed[heads]
        costs[is_none] = np.inf
        return costs

    def _of(
        self,
        measure: Callable[..., np.ndarray],
        tails: np.ndarray,
        heads: np.ndarray,
    ) -> np.ndarray:
        nodes = (self.tails[tails], self.heads[heads])
        profile = self.vehicle_type.profile
        return np.array(measure(self.instance, profile, *nodes), dtype=float)
