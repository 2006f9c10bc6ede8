"""Where each vehicle is when: a table with a row for each stop."""

from __future__ import annotations

from itertools import accumulate, chain
from operator import add
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.problems import features
from ncc_routing.problems.schedules import (
    Schedule,
    arc_distances,
    loads_on_board,
)
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.problems.time_form import TimeForm

ROUTE: Final = "route"
STOP: Final = "stop"
KIND: Final = "kind"
VEHICLE: Final = "vehicle"
VEHICLE_TYPE: Final = "vehicle_type"
VEHICLE_NAME: Final = "vehicle_name"
"""Columns that say where a place is visited, whether it is a depot, and by
whom."""

DEPOT: Final = "depot"
CUSTOMER: Final = "customer"
UNSERVED: Final = "unserved"
"""What ``KIND`` says."""

REASONS: Final = "reasons"
"""The column of why an unserved customer has no place."""

LOAD: Final = "load"
"""The column of what is on board after a stop, of the first dimension."""

WAITING: Final = "waiting"
DEPARTURE: Final = "departure"
TIMES: Final = ("arrival", WAITING, "service_start", DEPARTURE)
"""Columns of a problem with times, one of which is a duration."""

_TIMED: Final = frozenset(
    {
        features.TIME_WINDOWS,
        features.SERVICE_DURATIONS,
        features.RELEASE_TIMES,
        features.DURATIONS,
        features.VEHICLE_WINDOWS,
        features.SHIFT_DURATIONS,
        features.UNIT_DURATION_COSTS,
        features.OVERTIME,
    }
)
"""Features of a problem that has times."""


def has_times(instance: Instance) -> bool:
    """Whether a problem says when something is, or how long it takes."""
    return (
        not _TIMED.isdisjoint(instance.features)
        or any(one.durations is not None for one in instance.profiles)
        or any(one.departures for one in instance.in_progress)
    )


def list_stops(
    instance: Instance, solution: Solution, *, clock: bool = True
) -> dict[str, list[Any]]:
    """Return the timetable of a solution: columns with an entry a stop.

    Every route has a row for its depot at both ends. Times are those of the
    schedule of least duration that starts as early as that allows.

    Parameters
    ----------
    instance
        The instance.
    solution
        Its routes. Some may break a rule: a late service starts at the end
        of its window, and a number beyond a forbidden arc is ``None``.
    clock
        Whether times are written as the user writes them
        (``Instance.time_form``). Otherwise they are numbers, as in the
        instance. Default ``True``.

    Returns
    -------
    dict[str, list]
        ``route`` (from 1), ``stop`` (0 for the depot at the start, then from
        1), ``kind`` ("depot" or "customer"), ``id`` (the number of the node
        where there are no ids), ``demand``; ``x`` and ``y``, or ``lon`` and
        ``lat``, where known; with a fleet ``vehicle`` (from 1, as in solution
        files), ``vehicle_type`` (from 0), and ``vehicle_name``, the name of
        the type, where one has a name; with times ``arrival``, ``waiting``,
        ``service_start`` and ``departure``, of which ``arrival`` is the start
        of the vehicle where the route starts; the ``load`` on board after
        the stop, and "load 2" and so on for further load dimensions; the
        ``distance`` so far.
    """
    visits = solution.visits(instance)
    sizes = [len(nodes) for nodes in visits]
    nodes = [node for route in visits for node in route]
    ids, depots = instance.node_ids, set(instance.depots)
    vehicle_types = [
        instance.vehicle_types[vehicle_type]
        for vehicle_type in solution.vehicle_types
    ]
    columns: dict[str, list[Any]] = {
        ROUTE: _repeated(range(1, len(sizes) + 1), sizes),
        STOP: [stop for size in sizes for stop in range(size)],
        KIND: [DEPOT if node in depots else CUSTOMER for node in nodes],
        "id": [ids[node] for node in nodes],
        "demand": instance.demands[nodes].tolist(),
    }
    if instance.coords is not None:
        axes = ("lon", "lat") if instance.is_geographic else ("x", "y")
        places = instance.coords[nodes].T.tolist()
        columns |= zip(axes, places, strict=True)
    if instance.fleet is not None:
        columns[VEHICLE] = _repeated(solution.vehicles(instance), sizes)
        columns[VEHICLE_TYPE] = _repeated(solution.vehicle_types, sizes)
        if any(vehicle_type.name for vehicle_type in instance.vehicle_types):
            names = [vehicle_type.name for vehicle_type in vehicle_types]
            columns[VEHICLE_NAME] = _repeated(names, sizes)
    if has_times(instance):
        times = _times_of(instance, solution.schedules(instance))
        columns |= _in_form(instance.time_form, times) if clock else times
    tours = [np.array(route) for route in visits]
    loads = [
        load
        for tour, vehicle_type in zip(tours, vehicle_types, strict=True)
        for load in loads_on_board(instance, tour, vehicle_type)
    ]
    for dim in range(instance.num_load_dimensions):
        name = LOAD if dim == 0 else f"{LOAD} {dim + 1}"
        columns[name] = [load[dim] for load in loads]
    legs = [
        arc_distances(
            instance, vehicle_type.profile, tour[:-1], tour[1:]
        ).tolist()
        for tour, vehicle_type in zip(tours, vehicle_types, strict=True)
    ]
    columns["distance"] = _plain(
        far for route in legs for far in accumulate(route, initial=0)
    )
    return columns


def stop_rows(instance: Instance, solution: Solution) -> list[dict[str, Any]]:
    """Return the timetable as a mapping from columns to entries a stop."""
    columns = list_stops(instance, solution)
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _times_of(
    instance: Instance, schedules: Sequence[Schedule]
) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in TIMES}
    for one in schedules:
        late = zip(one.begins, one.waits, one.lateness, strict=True)
        arrivals = [begin + more - wait for begin, wait, more in late]
        arrivals[0] = one.start
        done = map(add, one.begins, one.services)
        rows = arrivals, one.waits, one.begins, done
        for name, times in zip(TIMES, rows, strict=True):
            columns[name] += _plain(times)
    return columns


def _in_form(
    form: TimeForm, columns: dict[str, list[Any]]
) -> dict[str, list[Any]]:
    form = form.fitting(chain.from_iterable(columns.values()))
    return {
        name: [form.cell(time, is_duration=name == WAITING) for time in times]
        for name, times in columns.items()
    }


def _repeated(values: Iterable[Any], sizes: Sequence[int]) -> list[Any]:
    pairs = zip(values, sizes, strict=True)
    return [value for value, size in pairs for _ in range(size)]


def _plain(numbers: Iterable[float]) -> list[float | None]:
    """Return whole numbers as such, and ``None`` for what is no number."""
    return [
        (int(number) if float(number).is_integer() else float(number))
        if abs(number) < NO_LIMIT
        else None
        for number in numbers
    ]
