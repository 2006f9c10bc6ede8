"""Open ends, speeds and services of vehicle types as arcs and depots.

Searches, bounds, diagnosis and PyVRP know no other ends and speeds; services
of types are in the arcs of PyVRP alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import numpy as np

from ncc_routing.problems.draft import Draft
from ncc_routing.problems.features import (
    OWN_SETUPS,
    OWN_WORK,
    SETUP_DURATIONS,
)
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.routes.schedules import arc_distances, arc_durations
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_KNOWN: Final[WeakKeyDictionary[Instance, Instance]] = WeakKeyDictionary()


def with_types_as_arcs(instance: Instance) -> Instance:
    """Return the problem with open ends and speeds in its arcs.

    Open routes begin or end at one more depot, the last one, from and to which
    all arcs have no length. Vehicles with a speed factor have a profile. The
    instance itself where there is none.
    """
    known = _KNOWN.get(instance)
    if known is None:
        known = _with_types_as_arcs(instance)
        if known is not instance:
            _KNOWN[instance] = known
    return known


def _with_types_as_arcs(instance: Instance) -> Instance:
    types, fleet = instance.vehicle_types, instance.fleet
    is_open = any(None in (k.start_depot, k.end_depot) for k in types)
    if not (is_open or any(k.speed_factor != 1 for k in types)):
        return instance
    fleet = fleet or Fleet(types)
    if is_open:
        instance, nowhere = _with_nowhere(instance), instance.num_depots
        types = tuple(
            replace(
                each,
                start_depot=nowhere
                if each.start_depot is None
                else each.start_depot,
                end_depot=nowhere
                if each.end_depot is None
                else each.end_depot,
            )
            for each in instance.vehicle_types
        )
    profiles = list(instance.profiles)
    place: dict[tuple[int, float], int] = {}
    driven = []
    for each in types:
        key = each.profile, each.speed_factor
        if each.speed_factor == 1:
            place[key] = each.profile
        elif key not in place:
            distances, durations = _arcs_of(instance, each.profile)
            profiles.append(Profile(distances, durations / each.speed_factor))
            place[key] = len(profiles)
        driven.append(replace(each, profile=place[key], speed_factor=1))
    return instance.derived(
        fleet=replace(fleet, types=tuple(driven)),
        profiles=tuple(profiles),
    )


def _arcs_of(
    instance: Instance, profile: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return all distances and durations of a profile."""
    nodes = np.arange(len(instance.demands))
    arcs = instance, profile, nodes[:, None], nodes
    return arc_distances(*arcs), arc_durations(*arcs)


def have_company(instance: Instance) -> np.ndarray:
    """Return which nodes share their place with another one."""
    _, numbers, counts = np.unique(
        instance.place_of, return_inverse=True, return_counts=True
    )
    return np.asarray(counts[numbers] > 1)


def without_shared_setups(instance: Instance) -> Instance:
    """Return an instance without set-ups where one may do for several."""
    if {OWN_SETUPS, SETUP_DURATIONS}.isdisjoint(instance.features):
        return instance
    are_alone = ~have_company(instance)
    windows, fleet = instance.windows, instance.fleet
    if windows is not None:
        setups = windows.setup_durations * are_alone
        windows = replace(windows, setup_durations=setups)
    if fleet is not None:
        types = []
        for each in fleet.types:
            own = np.array(each.setup_durations, dtype=np.int64)
            if own.size:
                own *= are_alone
            types.append(replace(each, setup_durations=tuple(own.tolist())))
        fleet = replace(fleet, types=tuple(types))
    return instance.derived(windows=windows, fleet=fleet)


def with_services_as_arcs(instance: Instance) -> Instance:
    """Return an instance whose services are alike for all types.

    Set-ups are a part of them. What a service takes more than that of other
    types is in the arcs that leave, of a profile for each such type.
    """
    if OWN_WORK.isdisjoint(instance.features):
        return instance
    types = instance.vehicle_types
    services = np.array([np.add(*instance.work_of(each)) for each in types])
    least = services.min(axis=0)
    profiles = list(instance.profiles)
    place: dict[tuple[int, bytes], int] = {}
    driven = []
    for each, leave in zip(types, services - least, strict=True):
        key = each.profile, leave.tobytes()
        if not leave.any():
            place[key] = each.profile
        elif key not in place:
            distances, durations = _arcs_of(instance, each.profile)
            profiles.append(Profile(distances, durations + leave[:, None]))
            place[key] = len(profiles)
        driven.append(
            replace(
                each,
                profile=place[key],
                service_durations=(),
                setup_durations=(),
            )
        )
    windows = instance.windows or TimeWindows.of(len(least))
    fleet = instance.fleet
    return instance.derived(
        windows=replace(
            windows,
            service_durations=least,
            setup_durations=np.zeros_like(least),
        ),
        fleet=fleet and replace(fleet, types=tuple(driven)),
        profiles=tuple(profiles),
    )


def _with_nowhere(instance: Instance) -> Instance:
    """Return an instance with one more depot, with no way from or to it."""
    size = len(instance.demands)
    nodes, name = np.arange(size), "nowhere"

    def padded(matrix: np.ndarray | None) -> np.ndarray | None:
        return None if matrix is None else np.pad(matrix, (0, 1))

    while instance.ids is not None and name in instance.ids:
        name += "_"
    draft = Draft.of(instance).set(matrix=None, durations=None, profiles=())
    draft.keep([*nodes, 0]).clear(size)
    draft.set(
        num_depots=instance.num_depots + 1,
        ids=instance.ids and (*instance.ids, name),
        profiles=tuple(
            Profile(np.pad(each.matrix, (0, 1)), padded(each.durations))
            for each in instance.profiles
        ),
        is_metric=instance.has_metres,
        places=np.append(instance.place_of, instance.place_of.max() + 1)
        if not OWN_WORK.isdisjoint(instance.features)
        else None,
    )
    is_given = instance.matrix is not None or instance.durations is not None
    if not (is_given or instance.profiles):
        return draft.set(has_nowhere=True).build()
    return draft.set(
        matrix=padded(instance.distances(nodes, nodes)),
        durations=padded(instance.own_durations),
        speed=None,
    ).build()
