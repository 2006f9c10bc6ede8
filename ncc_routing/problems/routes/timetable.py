"""Where each vehicle is when: a table with a row for each stop."""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.problems import features
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.given_columns import TOLD
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ncc_routing.problems.given_columns import GivenColumn
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import DriverBreak, Schedule
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved
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
CANCELLED: Final = "cancelled"
BREAK: Final = "break"
UNSERVED: Final = "unserved"
"""What ``KIND`` says."""

REASONS: Final = "reasons"
"""The column of why a customer is not served."""

PASSED_BY: Final = "cancelled: passed by, not served"
"""What it says of ``InProgressRoute.cancelled``."""

DELIVERED: Final = "delivered"
PICKED_UP: Final = "picked_up"
LOAD: Final = "load"
"""Columns of what a stop takes from the vehicle, what it gives, and what is on
board after it, of the first dimension."""

DISTANCE: Final = "distance"
"""The column of the distance so far."""

_KILOMETRE: Final = 1000.0
_MINUTE: Final = 60.0
_MOST_LISTED: Final = 9
"""Metres and seconds of the units in the output."""

ARRIVAL: Final = "arrival"
WAITING: Final = "waiting"
SERVICE_START: Final = "service_start"
DEPARTURE: Final = "departure"
TIMES: Final = (ARRIVAL, WAITING, SERVICE_START, DEPARTURE)
"""Columns of a problem with times, one of which is a duration."""

_FIRST: Final = (ROUTE, VEHICLE_NAME, STOP, ARRIVAL, SERVICE_START, "id")
_THEN: Final = (DELIVERED, PICKED_UP, REASONS)
"""Columns before and behind those that tell a driver where to go."""

_OURS: Final = frozenset(
    {
        *(ROUTE, STOP, KIND, VEHICLE, VEHICLE_TYPE, VEHICLE_NAME, REASONS),
        *("id", "x", "y", "lon", "lat", *TIMES),
        *(DELIVERED, PICKED_UP, LOAD, DISTANCE),
    }
)
"""Columns that no column of the input may be called."""

_TAIL: Final = re.compile(r"( \d+|_(min|h|km))$", re.ASCII)
"""The dimension or the unit at the end of the name of a column."""


def has_times(instance: Instance) -> bool:
    """Whether a problem says when something is, or how long it takes."""
    return (
        not features.TIMED.isdisjoint(instance.features)
        or any(one.durations is not None for one in instance.profiles)
        or any(one.departures for one in instance.in_progress)
    )


def list_stops(
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    clock: bool = True,
    breaks: bool = True,
) -> dict[str, list[Any]]:
    """Return the timetable of a solution: columns with an entry for each stop.

    Every route has a row for its depot at each end that is not open, and one
    for each break. Times are those of the schedule of least duration that
    starts as early as that allows.

    Parameters
    ----------
    instance
        The instance.
    solution
        Its routes. Some may break a rule: a late service starts at the end
        of its window, and a number beyond a forbidden arc is ``None``.
    unserved
        Customers on no route: each has a row of the kind "unserved" at the
        end, with ``reasons``. Default: none.
    clock
        Whether times are written as the user writes them
        (``Source.time_form``), and distances in kilometres where they are
        metres. Otherwise they are numbers, as in the instance. Default
        ``True``.
    breaks
        Whether there is a row for each break, before the stop that it
        precedes. Default ``True``.

    Returns
    -------
    dict[str, list]
        What a driver needs comes first: ``route`` (from 1), ``vehicle_name``,
        the name of the type, where one has a name, ``stop`` (0 for the depot
        at the start, then from 1, empty for a break), with times ``arrival``,
        the start of the vehicle where the route starts, and
        ``service_start``, ``id`` (the number of the node where there are no
        ids; "break" for a break), the names, addresses, phone numbers and
        remarks of the input, what is ``delivered`` to a customer, and
        ``picked_up`` there where there are pickups or shipments, and where
        customers are not served the ``reasons``. Then ``kind`` ("depot",
        "customer", "cancelled", where a vehicle passes by, or "break"); ``x``
        and ``y``, or ``lon`` and ``lat``, where known; with a
        fleet ``vehicle`` (from 1, as in solution files) and ``vehicle_type``
        (from 0); with times ``waiting`` and ``departure``; the ``load`` on
        board after the stop, and "load 2" and so on for further load
        dimensions; the ``distance`` so far. Last the other columns of the
        input (``Source.columns``). All of these have their titles; one that is
        called as a column here has "order " before its own.

        Times of a clock have no seconds, unless the input has some. A name
        says the unit of numbers where it is known: ``arrival_min`` or
        ``arrival_h``, ``waiting_min``, ``distance_km``.
    """
    visits = solution.visits(instance)
    sizes = [len(nodes) for nodes in visits]
    nodes = [node for route in visits for node in route]
    ids, cancelled = instance.node_ids, instance.passed_by
    kinds = dict.fromkeys(instance.depots, DEPOT)
    kinds |= dict.fromkeys(cancelled, CANCELLED)
    vehicle_types = [
        instance.vehicle_types[vehicle_type]
        for vehicle_type in solution.vehicle_types
    ]
    columns: dict[str, list[Any]] = {
        ROUTE: _repeated(range(1, len(sizes) + 1), sizes),
        STOP: [
            stop
            for size, vehicle_type in zip(sizes, vehicle_types, strict=True)
            for first in [int(vehicle_type.start_depot is None)]
            for stop in range(first, first + size)
        ],
        KIND: [kinds.get(node, CUSTOMER) for node in nodes],
        "id": [ids[node] for node in nodes],
        **places_of(instance, nodes),
    }
    if instance.fleet is not None:
        columns[VEHICLE] = _repeated(solution.vehicles(instance), sizes)
        columns[VEHICLE_TYPE] = _repeated(solution.vehicle_types, sizes)
        if any(vehicle_type.name for vehicle_type in instance.vehicle_types):
            names = [vehicle_type.name for vehicle_type in vehicle_types]
            columns[VEHICLE_NAME] = _repeated(names, sizes)
    schedules = solution.schedules(instance)
    if has_times(instance):
        times = _times_of(instance, schedules)
        columns |= (
            _in_form(instance.source.time_form, times) if clock else times
        )
    loads = [load for one in schedules for load in one.loads]
    columns |= _amounts(instance, nodes, loads)
    far = [far for one in schedules for far in accumulate(one.legs, initial=0)]
    if clock and instance.has_metres:
        in_km = (round(one / _KILOMETRE, 3) for one in far)
        columns[f"{DISTANCE}_km"] = _plain(in_km)
    else:
        columns[DISTANCE] = _plain(far)
    given = given_cells(instance, nodes)
    rests = {features.BREAKS, features.HOURS_OF_SERVICE}
    if breaks and not rests.isdisjoint(instance.features):
        columns = _with_breaks(columns | given, schedules, instance, clock)
        given = {name: columns[name] for name in given}
    if cancelled or unserved:
        is_passed = (kind == CANCELLED for kind in columns[KIND])
        columns[REASONS] = [PASSED_BY if one else "" for one in is_passed]
    columns |= given
    if not unserved:
        return _in_order(columns, instance)
    more = list_unserved(instance, unserved)
    nothing = [""] * len(unserved)
    both = {n: [*c, *more.get(n, nothing)] for n, c in columns.items()}
    return _in_order(both, instance)


def _in_order(
    columns: Mapping[str, list[Any]], instance: Instance
) -> dict[str, list[Any]]:
    """Return columns with those first that a driver needs."""
    titles = _titles_of(instance)
    told = [title for title, one in titles.items() if one.says]
    told.sort(key=lambda title: rank_of_told(titles[title]))
    order = [*_FIRST, *told, *_THEN]
    place = {name: at for at, name in enumerate(order)}

    def rank(name: str) -> int:
        plain = name if name in titles else _TAIL.sub("", name)
        return place.get(plain, len(order))

    return {name: columns[name] for name in sorted(columns, key=rank)}


def stop_rows(instance: Instance, solution: Solution) -> list[dict[str, Any]]:
    """Return the timetable as a mapping from columns to entries a stop."""
    return rows_of(list_stops(instance, solution))


def rows_of(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the rows of columns of one length."""
    rows = zip(*columns.values(), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def list_unserved(
    instance: Instance, unserved: Sequence[Unserved]
) -> dict[str, list[Any]]:
    """Return the unserved customers as columns of a timetable.

    Their ``kind`` is "unserved", and ``reasons`` say why.
    """
    nodes = [one.customer for one in unserved]
    columns = {
        KIND: [UNSERVED] * len(nodes),
        "id": [one.id for one in unserved],
        REASONS: [one.why for one in unserved],
        **places_of(instance, nodes),
        **given_cells(instance, nodes),
    }
    return _in_order(columns, instance)


def route_titles(instance: Instance, solution: Solution) -> list[str]:
    """Return what each route is called: by its driver, or "Route 1".

    A vehicle has the name of its type, with a number if the type has others.
    Without a name, the number is that of the route, as in its timetable.
    """
    if instance.fleet is None:
        return [f"Route {k}" for k in range(1, 1 + solution.num_routes)]
    types, titles = instance.vehicle_types, []
    ranks = dict(enumerate((rank for _, rank in _ranks(instance)), start=1))
    vehicles = solution.vehicles(instance)
    for number, (idx, vehicle) in enumerate(
        zip(solution.vehicle_types, vehicles, strict=True), start=1
    ):
        name = types[idx].name
        available = [k.num_available for k in types if k.name == name]
        title = (
            name
            if available == [1]
            else f"{name} {ranks.get(vehicle, vehicle)}"
        )
        titles.append(title if name else f"Route {number}")
    return titles


def type_titles(instance: Instance) -> list[str]:
    """Return what the vehicles of each type are called: "van", "type 2".

    Where types share a name, their vehicles have numbers: "van 1, 3".
    """
    types = instance.vehicle_types
    numbers: list[list[str]] = [[] for _ in types]
    for idx, rank in _ranks(instance):
        numbers[idx].append(str(rank))
    shared = Counter(one.name for one in types)
    return [
        f"{one.name} {', '.join(own)}"
        if one.name and shared[one.name] > 1 and len(own) <= _MOST_LISTED
        else one.name or f"type {idx}"
        for idx, (one, own) in enumerate(zip(types, numbers, strict=True))
    ]


def _ranks(instance: Instance) -> Iterator[tuple[int, int]]:
    """Yield the type of each vehicle, and its rank among those of its name."""
    types, counts = instance.vehicle_types, Counter[str]()
    fleet = instance.fleet or Fleet(types)
    for idx in fleet.all_vehicles(instance.num_customers):
        counts[types[idx].name] += 1
        yield idx, counts[types[idx].name]


def given_cells(
    instance: Instance, nodes: Sequence[int]
) -> dict[str, list[Any]]:
    """Return the columns of the input for some nodes, by unique titles."""
    titles = _titles_of(instance)
    return {
        title: [one.cells[node] for node in nodes]
        for title, one in titles.items()
    }


def rank_of_told(column: GivenColumn) -> int:
    """Return the place of a column among those that drivers read."""
    return (*TOLD, "").index(column.says)


def _titles_of(instance: Instance) -> dict[str, GivenColumn]:
    """Return the columns of the input by titles that none of ours has."""
    columns = {}
    known = {one.title.lower() for one in instance.source.columns}
    for one in instance.source.columns:
        title = one.title
        if _TAIL.sub("", title.lower()) in _OURS:
            title = f"order {title}"
            while title.lower() in known:
                title = f"order {title}"
        columns[title] = one
    return columns


def places_of(instance: Instance, nodes: Sequence[int]) -> dict[str, Any]:
    """Return the coordinates of nodes, an empty mapping without any."""
    if instance.coords is None:
        return {}
    axes = ("lon", "lat") if instance.is_geographic else ("x", "y")
    return dict(zip(axes, instance.coords[nodes].T.tolist(), strict=True))


def _amounts(
    instance: Instance,
    nodes: Sequence[int],
    loads: Sequence[tuple[int, ...]],
) -> dict[str, list[float]]:
    delivered = instance.deliveries.copy()
    for one in instance.shipments:
        delivered[one.delivery] = one.amount
    picked_up = instance.load_changes + delivered
    columns = {}
    for dim in range(instance.num_load_dimensions):
        end = f" {dim + 1}" if dim else ""
        given = {DELIVERED: delivered[nodes, dim].tolist()}
        if instance.shipments or instance.loads is not None:
            given[PICKED_UP] = picked_up[nodes, dim].tolist()
        given[LOAD] = [load[dim] for load in loads]
        for name, amounts in given.items():
            columns[name + end] = [
                instance.stated_load(amount, dim) for amount in amounts
            ]
    return columns


def _times_of(
    instance: Instance, schedules: Sequence[Schedule]
) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in TIMES}
    for one in schedules:
        late = zip(one.begins, one.waits, one.lateness, strict=True)
        arrivals = [begin + more - wait for begin, wait, more in late]
        for each in one.breaks:
            if is_at_stop(one, each):
                arrivals[each.place] -= each.duration
        arrivals[0] = one.start
        done = map(add, one.begins, one.services)
        rows = arrivals, one.waits, one.begins, done
        for name, times in zip(TIMES, rows, strict=True):
            columns[name] += _plain(times)
    return columns


def is_at_stop(schedule: Schedule, one: DriverBreak) -> bool:
    """Whether a break is taken at its stop, before the service there.

    An open end is no stop.
    """
    return one.share == 1.0 and one.place < len(schedule.visits)


def _with_breaks(
    columns: dict[str, list[Any]],
    schedules: Sequence[Schedule],
    instance: Instance,
    clock: bool,
) -> dict[str, list[Any]]:
    """Return a timetable with a row for each break, before its stop."""
    firsts = accumulate((len(one.visits) for one in schedules), initial=0)
    # The row before; an open route has none before its start.
    taken = [
        (
            first + max(0, one.place - 1),
            first + one.place - 0.5,
            one,
        )
        for first, schedule in zip(firsts, schedules, strict=False)
        for one in schedule.breaks
    ]
    breaks = [one for *_, one in taken]
    begins = _plain(one.begin for one in breaks)
    ends = _plain(one.begin + one.duration for one in breaks)
    waits: list[Any] = [0] * len(taken)
    own_times = (begins, waits, begins, ends)
    times: dict[str, list[Any]] = dict(zip(TIMES, own_times, strict=True))
    if clock:
        times = _in_form(instance.source.time_form, times)
    size = len(columns[KIND])
    order = np.argsort(
        [*range(size), *(place for _, place, _ in taken)], kind="stable"
    ).tolist()
    copied = {ROUTE, VEHICLE, VEHICLE_TYPE, VEHICLE_NAME}
    listed = {}
    for name, cells in columns.items():
        added: list[Any] = [None] * len(taken)
        if name in copied:
            added = [cells[row] for row, *_ in taken]
        elif name in (KIND, "id"):
            added = [BREAK] * len(taken)
        elif name in times:
            added = times[name]
        elif name.split(" ")[0] == LOAD:
            added = [
                None if one.place == 0 else cells[row]
                for row, *_, one in taken
            ]
        elif name.startswith(DISTANCE):
            unit = _KILOMETRE if name.endswith("km") else 1
            added = _plain(
                None if far is None else round(far + one.distance / unit, 3)
                for row, _, one in taken
                for far in [cells[row]]
            )
        both = [*cells, *added]
        listed[name] = [both[row] for row in order]
    return listed


def _in_form(
    form: TimeForm, columns: dict[str, list[Any]]
) -> dict[str, list[Any]]:
    unit = form.unit_of_numbers
    written: dict[str, list[Any]] = {}
    for name, times in columns.items():
        if name == WAITING and form.kind:
            minutes = [time and round(time / _MINUTE, 3) for time in times]
            written[f"{name}_min"] = _plain(minutes)
        else:
            title = f"{name}_{unit}" if unit else name
            written[title] = [form.cell(time) for time in times]
    return written


def _repeated(values: Iterable[Any], sizes: Sequence[int]) -> list[Any]:
    pairs = zip(values, sizes, strict=True)
    return [value for value, size in pairs for _ in range(size)]


def _plain(numbers: Iterable[float | None]) -> list[float | None]:
    """Return whole numbers as such, and ``None`` for what is no number."""
    return [
        (int(number) if float(number).is_integer() else float(number))
        if number is not None and abs(number) < NO_LIMIT
        else None
        for number in numbers
    ]
