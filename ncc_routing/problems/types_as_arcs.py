"""Open ends, speeds and services of vehicle types as arcs and depots.

Searches, bounds, diagnosis and PyVRP know no others.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ncc_routing.problems.features import (
    OWN_SETUPS,
    OWN_WORK,
    SETUP_DURATIONS,
)
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.instance import of_nodes, take
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_KNOWN: Final[WeakKeyDictionary[Instance, Instance]] = WeakKeyDictionary()


def with_types_as_arcs(instance: Instance) -> Instance:
    """Return the problem with open ends, speeds and services in its arcs.

    Open routes begin or end at one more depot, the last one, from and to which
    all arcs have no length. Vehicles with a speed factor, or service durations
    of their own, have a profile: what such a service takes more than that of
    other types is in the arcs that leave, and departures are earlier by it.
    The instance itself where there is none.

    Set-ups are a part of the services. Types keep what who comes from the same
    place saves of them.
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
    if not (
        is_open
        or any(k.speed_factor != 1 for k in types)
        or not OWN_WORK.isdisjoint(instance.features)
    ):
        return instance
    fleet = fleet or Fleet(types)
    instance, leaving, saved = _with_shared_work(instance)
    nodes = np.arange(len(instance.demands))
    if is_open:
        instance, nowhere = _with_nowhere(instance), instance.num_depots
        nodes = np.arange(len(instance.demands))
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
            for each in types
        )
    profiles = list(instance.profiles)
    place: dict[tuple[int, float, bytes], int] = {}
    driven = []
    for each, *work in zip(types, leaving, saved, strict=True):
        leave, save = (np.resize(stated, len(nodes)) for stated in work)
        if is_open:
            leave[-1] = save[-1] = 0
        has_more = bool(leave.any())
        key = each.profile, each.speed_factor, leave.tobytes()
        if each.speed_factor == 1 and not has_more:
            place[key] = each.profile
        elif key not in place:
            profile = Profile(
                instance.distances(nodes, nodes), instance.own_durations
            )
            if each.profile > 0:
                profile = instance.profiles[each.profile - 1]
            durations = (
                profile.matrix
                if profile.durations is None
                else profile.durations
            )
            driving = durations / each.speed_factor
            place[key] = 1 + len(profiles)
            profiles.append(
                Profile(profile.matrix, driving + leave[:, None], driving)
                if has_more
                else Profile(profile.matrix, driving)
            )
        driven.append(
            replace(
                each,
                profile=place[key],
                speed_factor=1,
                service_durations=(),
                setup_durations=tuple(save.tolist()) if save.any() else (),
            )
        )
    return replace(
        instance,
        fleet=replace(fleet, types=tuple(driven)),
        profiles=tuple(profiles),
    )


def _is_elsewhere(instance: Instance) -> np.ndarray:
    """Return whether arcs lead to another place.

    Empty where no visit depends on it.
    """
    if OWN_WORK.isdisjoint(instance.features):
        return np.zeros((0, 0), dtype=bool)
    return np.asarray(instance.place_of[:, None] != instance.place_of)


def _have_company(is_elsewhere: np.ndarray) -> np.ndarray:
    """Return which nodes share their place with another one."""
    return np.asarray((~is_elsewhere).sum(axis=0) > 1)


def without_shared_setups(instance: Instance) -> Instance:
    """Return an instance without set-ups where one may do for several."""
    if {OWN_SETUPS, SETUP_DURATIONS}.isdisjoint(instance.features):
        return instance
    are_alone = ~_have_company(_is_elsewhere(instance))
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
    return replace(instance, windows=windows, fleet=fleet)


def _with_shared_work(
    instance: Instance,
) -> tuple[Instance, list[np.ndarray], list[np.ndarray]]:
    """Return an instance whose services are alike for all types.

    And for each type and node what leaving takes more, as departures are
    earlier by it, and what of the service is saved behind the same place.
    """
    types, size = instance.vehicle_types, len(instance.demands)
    windows = instance.windows or TimeWindows.of(size)
    work = [instance.work_of(each) for each in types]
    services, setups = (np.array(each) for each in zip(*work, strict=True))
    if OWN_WORK.isdisjoint(instance.features):
        none = list(np.zeros_like(services))
        return instance, none, none
    is_elsewhere = _is_elsewhere(instance)
    for one in instance.in_progress:  # who comes before whom is known
        vehicle_type = types[one.vehicle_type]
        nodes = np.array(one.stops(instance.depots), dtype=int)
        if vehicle_type.start_depot is not None:
            nodes = np.append(instance.depots[vehicle_type.start_depot], nodes)
        is_away = is_elsewhere[nodes[:-1], nodes[1:]]
        there = np.intersect1d(nodes[1:][~is_away], one.customers)
        setups[:, there.astype(int)] = 0
    saved = setups * _have_company(is_elsewhere)
    services = services + setups
    extras = services - services.min(axis=0)
    depots, constraints = instance.depots, instance.constraints
    if constraints is not None:
        in_progress = []
        for one in constraints.in_progress:
            start = types[one.vehicle_type].start_depot
            extra_of, stops = extras[one.vehicle_type], list(one.stops(depots))
            first = 0 if start is None else extra_of[depots[start]].item()
            more = [first, *extra_of[stops].tolist()]
            departures, latest = list(one.departures), math.inf
            for stop in range(len(departures) - 1, -1, -1):
                left = departures[stop]
                if left is not None:
                    # A driver may have been quicker than his service.
                    latest = min(latest, max(0, left - more[stop]))
                    departures[stop] = latest
            in_progress.append(replace(one, departures=tuple(departures)))
        constraints = replace(constraints, in_progress=tuple(in_progress))
    least = replace(
        windows,
        service_durations=services.min(axis=0),
        setup_durations=np.zeros(size, dtype=np.int64),
    )
    shared = replace(
        instance,
        windows=least,
        constraints=constraints,
        places=instance.place_of,
        serves_with_setups=bool(saved.any()),
    )
    return shared, list(extras), list(saved)


def _with_nowhere(instance: Instance) -> Instance:
    """Return an instance with one more depot, with no way from or to it."""
    size = len(instance.demands)
    nodes, windows, ids = np.arange(size), instance.windows, instance.ids

    def padded(matrix: np.ndarray | None) -> np.ndarray | None:
        return None if matrix is None else np.pad(matrix, (0, 1))

    if windows is not None:
        windows = of_nodes(windows, np.append(nodes, 0))
        always_of = {"tw_late": NO_LIMIT}
        changes = {}
        for each in fields(windows):
            values = getattr(windows, each.name)
            if isinstance(values, np.ndarray):
                is_one = values.ndim == 1
                always = (
                    always_of.get(each.name, 0) if is_one else (0, NO_LIMIT)
                )
                changes[each.name] = values.copy()
                changes[each.name][-1] = always
        windows = replace(windows, **changes)
    arcs: dict[str, Any] = {"has_nowhere": True}
    is_given = instance.matrix is not None or instance.durations is not None
    if is_given or instance.profiles:
        arcs = {
            "matrix": padded(instance.distances(nodes, nodes)),
            "durations": padded(instance.own_durations),
            "speed": None,
        }
    name = "nowhere"
    while ids is not None and name in ids:
        name += "_"
    return take(
        instance,
        np.append(nodes, 0),
        ids=ids and (*ids, name),
        windows=windows,
        profiles=tuple(
            Profile(np.pad(each.matrix, (0, 1)), padded(each.durations))
            for each in instance.profiles
        ),
        num_depots=instance.num_depots + 1,
        is_metric=instance.has_metres,
        places=None
        if instance.places is None
        else np.append(instance.places, instance.places.max() + 1),
        **arcs,
    )
