"""Fleets that cannot carry the demands, whatever the routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def require_fleet_capacity(instance: Instance) -> None:
    """Refuse demands that the vehicles cannot carry, by arithmetic alone.

    What only the larger vehicles can carry must fit into these all together,
    and of the demands of at least some size each vehicle carries no more
    than fit one by one. Demands that pass may still be too many.

    Parameters
    ----------
    instance
        The instance.

    Raises
    ------
    InfeasibleError
        It names the demand, the capacity and the number of vehicles.
    """
    types = instance.vehicle_types
    if all(kind.num_available is None for kind in types):
        return
    demands = np.sort(instance.demands[1 : instance.num_customers + 1])
    # As real numbers: products of limits that are none at all stay finite.
    capacities = np.array([float(kind.capacity) for kind in types])
    numbers = np.array(
        [float(kind.num_available or NO_LIMIT) for kind in types]
    )
    _require_room(instance.name, demands, capacities, numbers)
    _require_places(instance.name, demands, capacities, numbers)


def _require_room(
    name: str, demands: np.ndarray, capacities: np.ndarray, numbers: np.ndarray
) -> None:
    """Compare the sum of the demands above each size with the vehicles'."""
    for size in np.unique([0, *capacities]):
        total = int(demands[demands > size].sum())
        is_larger = capacities > size
        room = (capacities * numbers)[is_larger].sum()
        if total > room:
            which = f"the demands above {size:.0f}" if size else "the demands"
            raise InfeasibleError(
                f"{name}: {which} add up to {total}, more than the capacity "
                f"of {room:.0f} of the {_vehicles(numbers[is_larger].sum())} "
                "that can carry them."
            )


def _require_places(
    name: str, demands: np.ndarray, capacities: np.ndarray, numbers: np.ndarray
) -> None:
    """Compare the number of demands of at least each size with the places."""
    sizes = np.unique(demands[demands > 0])
    places = sum(
        number * (capacity // sizes)
        for number, capacity in zip(numbers, capacities, strict=True)
    )
    found = len(demands) - np.searchsorted(demands, sizes)
    for idx in np.flatnonzero(found > places)[:1]:
        is_larger = capacities >= sizes[idx]
        raise InfeasibleError(
            f"{name}: {found[idx]} customers have a demand of {sizes[idx]} "
            f"or more, and the {_vehicles(numbers[is_larger].sum())} that "
            f"can carry such a demand can carry only {places[idx]:.0f} of "
            "them."
        )


def _vehicles(number: float) -> str:
    return "1 vehicle" if number == 1 else f"{number:.0f} vehicles"
