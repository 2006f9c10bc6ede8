"""What the customers get and give, in several dimensions."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import Declared, per_node
from ncc_routing.problems.values import refuse, whole_numbers


def _amounts(source: str, name: str, given: object) -> np.ndarray:
    amounts = whole_numbers(source, name, given)
    if amounts.ndim != 2:
        rule = "must hold a row for each node, a column a dimension"
        raise InstanceError(source, name, rule, amounts.shape)
    refuse(
        amounts < 0, source, name, "must not be negative (node {})", amounts
    )
    return amounts


@dataclass(frozen=True, eq=False)
class Loads(Declared):
    """Deliveries and pickups of each node.

    A vehicle has the deliveries of a trip on board from its start, and the
    pickups until its end. Both happen at once: a customer with a delivery of 3
    and a pickup of 5 increases the load by 2.

    Parameters
    ----------
    delivery, pickup
        int64 arrays of shape (nodes, d): an entry for each node and load
        dimension, 0 for depots and for the stops of shipments.

    Raises
    ------
    InstanceError
        If the shapes differ, or an amount is negative or not a whole number.
    """

    delivery: np.ndarray = per_node(_amounts)
    pickup: np.ndarray = per_node(_amounts)

    def __post_init__(self) -> None:
        self.read_fields("loads")
        if self.delivery.shape != self.pickup.shape:
            rule = "must have the shape of delivery, "
            rule += str(self.delivery.shape)
            raise InstanceError("loads", "pickup", rule, self.pickup.shape)
        if self.num_dimensions == 0:
            raise InstanceError("loads", "delivery", "must have a dimension")

    @property
    def num_dimensions(self) -> int:
        """Number of load dimensions."""
        return int(self.delivery.shape[1])

    @property
    def has_pickups(self) -> bool:
        """Whether anything is picked up."""
        return bool(self.pickup.any())

    def check(
        self, source: str, demands: np.ndarray, depots: tuple[int, ...]
    ) -> None:
        """Refuse loads that do not agree with the demands of an instance."""
        if len(self.delivery) != len(demands):
            rule = f"must hold {len(demands)} rows, one for each node"
            raise InstanceError(source, "loads", rule, len(self.delivery))
        for node in np.flatnonzero(self.delivery[:, 0] != demands)[:1]:
            first = int(self.delivery[node, 0])
            rule = f"must be the first delivery of node {node}, {first}"
            raise InstanceError(source, "demands", rule, int(demands[node]))
        for field in fields(self):
            most = int(getattr(self, field.name)[list(depots)].max())
            if most > 0:
                rule = f"the {field.name} of a depot must be 0"
                raise InstanceError(source, "loads", rule, most)
