"""What the parts of an instance have to satisfy together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import require_kind

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def check_demands(instance: Instance) -> None:
    """Refuse demands that no vehicle can serve.

    Raises
    ------
    InstanceError
        If a demand is negative or above the capacity, a depot has one, or
        there is no customer.
    """
    source, demands = instance.name, instance.demands
    capacity = instance.capacity
    if demands.ndim != 1 or len(demands) <= instance.num_depots:
        rule = "a depot and a customer are needed"
        raise InstanceError(source, "demands", rule)
    if capacity <= 0:
        raise InstanceError(source, "capacity", "must be positive", capacity)
    for depot in instance.depots:
        if demands[depot] != 0:
            rule = "the demand of the depot must be 0"
            value = int(demands[depot])
            raise InstanceError(source, "demands", rule, value)
    for is_wrong, rule in (
        (demands < 0, "must not be negative"),
        (demands > capacity, f"must not exceed the capacity {capacity}"),
    ):
        for idx in np.flatnonzero(is_wrong)[:1].tolist():
            text = f"the demand of {instance.describe_node(idx)} {rule}"
            raise InstanceError(source, "demands", text, int(demands[idx]))


def check_parts(instance: Instance) -> None:
    """Refuse parts beyond a plain CVRP that do not fit together.

    Raises
    ------
    InstanceError
        If a part is of another class, the times are not those of all nodes,
        a profile is of another size, a vehicle type names a depot or a
        profile that there is not, the capacity is not the largest of the
        fleet, or several depots have no fleet.
    """
    source, size = instance.name, len(instance.demands)
    windows, fleet = instance.windows, instance.fleet
    if windows is not None:
        require_kind(source, "windows", windows, TimeWindows)
        if windows.num_nodes != size:
            rule = f"must hold {size} entries, one for each node"
            raise InstanceError(source, "windows", rule, windows.num_nodes)
    for profile in instance.profiles:
        if len(profile.matrix) != size:
            rule = f"must have {size} rows, one for each node"
            raise InstanceError(source, "profiles", rule, len(profile.matrix))
    if fleet is None:
        if instance.num_depots > 1:
            rule = "must say which vehicles belong to which depot"
            raise InstanceError(source, "fleet", rule)
        return
    require_kind(source, "fleet", fleet, Fleet)
    fleet.check(source, instance.num_depots, 1 + len(instance.profiles))
    if fleet.capacity != instance.capacity:
        rule = f"must be {fleet.capacity}, the largest of the fleet"
        raise InstanceError(source, "capacity", rule, instance.capacity)
