"""Skills and pins as arcs that a vehicle may not drive."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.profiles import Profile
from ncc_routing.problems.schedules import arc_distances, own_durations

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def with_forbidden_types_as_arcs(instance: Instance) -> Instance:
    """Return the problem with a profile for each choice of customers.

    The distances to those whom a vehicle type may not serve are infinite
    there. Types keep their order, and plans their feasibility and cost.
    """
    allowed = instance.allowed_types()
    if instance.rules is None or allowed is None:
        return instance
    nodes = np.arange(len(instance.demands))
    profiles, types = list(instance.profiles), []
    place: dict[tuple[int, bytes], int] = {}
    for kind, may in zip(instance.vehicle_types, allowed, strict=True):
        key = (kind.profile, may.tobytes())
        if may.all():
            place[key] = kind.profile
        elif key not in place:
            own = (instance, kind.profile)
            matrix = np.array(arc_distances(*own, nodes[:, None], nodes))
            matrix[:, ~may] = np.inf
            profiles.append(Profile(matrix, own_durations(*own)))
            place[key] = len(profiles)
        types.append(replace(kind, profile=place[key]))
    fleet = instance.fleet or Fleet(instance.vehicle_types)
    return replace(
        instance,
        fleet=replace(fleet, types=tuple(types)),
        profiles=tuple(profiles),
        rules=replace(instance.rules, skills=(), vehicles=()),
    )
