"""Vehicles and times in a VRPLIB file, in PyVRP's dialect of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io._vrplib_rules import TOURS
from ncc_routing.io._vrplib_text import LARGEST_NUMBER
from ncc_routing.io._wording import in_words_of
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.io.metrics import FileMetric

LARGEST_TIME: Final = 2.0**63
"""Bound on times and limits of a file: many write a huge number for none."""

_REMEDY: Final = (
    "times must be whole numbers: take the metric 'exact', which multiplies "
    "lengths and times by 1000, or 'dimacs' (by 10)"
)

_LIMITS: Final = {
    "VEHICLES_MAX_DURATION": "shift_duration",
    "DISTANCE": "shift_duration",
    "VEHICLES_MAX_DISTANCE": "max_distance",
}
"""Fields that limit a route. DISTANCE is CVRPLIB's bound on its length and
its service times together."""

_NUM_RELOADS: Final = "VEHICLES_MAX_RELOADS"
_RELOADS: Final = "VEHICLES_RELOAD_DEPOT"
_ALLOWED: Final = "VEHICLES_ALLOWED_CLIENTS"

_COSTS: Final = {
    "VEHICLES_FIXED_COST": "fixed_cost",
    "VEHICLES_UNIT_DISTANCE_COST": "unit_distance_cost",
}

FIELDS_OF_VEHICLES: Final = {
    name: attribute
    for name, attribute in (_LIMITS | _COSTS).items()
    if name != "DISTANCE"
} | {_NUM_RELOADS: "max_reloads"}
"""Sections of a file, and the fields of a vehicle type that they hold."""

_FIELD_OF_VEHICLE: Final = {
    attribute: name for name, attribute in FIELDS_OF_VEHICLES.items()
}

_TIMES: Final = {
    "SERVICE_TIME": "service_durations",
    "RELEASE_TIME": "release_times",
}

_SECTION_OF_TIME: Final = {
    "tw_early": "TIME_WINDOW_SECTION",
    "tw_late": "TIME_WINDOW_SECTION",
    **{attribute: f"{name}_SECTION" for name, attribute in _TIMES.items()},
}


def read_fleet(
    text: VrplibText, metric: FileMetric, num_depots: int
) -> Fleet | None:
    """Return the vehicles, ``None`` where they are a capacity alone.

    A field is one number for all vehicles, or a section with a row for each.
    Equal vehicles make a type, in the order of the file.
    """
    fields = {
        *("VEHICLES_DEPOT", _RELOADS, _NUM_RELOADS, _ALLOWED),
        *_LIMITS,
        *_COSTS,
    }
    given = set(text.sections) | set(text.specifications)
    is_tour = text.specifications.get("TYPE") in TOURS
    has_own = is_tour or bool(given & {"VEHICLES", *fields})
    if not (has_own or "CAPACITY" in text.sections or num_depots > 1):
        return None
    count = 1 if is_tour else text.number("DIMENSION") - num_depots
    if "VEHICLES" in text.specifications:
        count = text.number("VEHICLES")
        if count < 1:
            rule = "must be at least 1"
            raise InstanceError(text.source, "VEHICLES", rule, count)
    sections = sorted({"CAPACITY", *fields} & set(text.sections))
    for name in sections:
        text.rows(name, count, "VEHICLES")
    # Vehicles that nothing tells apart are one row.
    num_rows = count if sections else 1
    columns = _columns(text, metric, num_rows)
    depots = _depots(text, num_rows, num_depots)
    columns |= {"start_depot": depots, "end_depot": depots}
    if _RELOADS in text.sections:
        listed = text.lists(_RELOADS, count, num_depots, of="VEHICLES")
        columns["reload_depots"] = [
            tuple(depot - 1 for depot in row) for row in listed
        ]
    if _ALLOWED in text.sections:
        listed = text.lists(
            _ALLOWED, count, text.number("DIMENSION"), of="VEHICLES"
        )
        columns["profile"] = _profiles_of(listed)[0]
    rows = list(zip(*columns.values(), strict=True))
    types = []
    sizes = Counter(rows)  # in the order of the file
    for row, size in sizes.items():
        attributes: dict[str, Any] = dict(zip(columns, row, strict=True))
        available = size if sections else count
        with in_words_of(text.source, _FIELD_OF_VEHICLE):
            types.append(VehicleType(num_available=available, **attributes))
    if not sections:
        return Fleet(tuple(types))
    place = {row: idx for idx, row in enumerate(sizes)}
    return Fleet(tuple(types), tuple(place[row] for row in rows))


def _columns(
    text: VrplibText, metric: FileMetric, count: int
) -> dict[str, list[Any]]:
    """Return each field of the vehicles, with an entry for each of them."""
    columns: dict[str, np.ndarray] = {}
    reloads = _vehicle_values(text, _NUM_RELOADS, count, LARGEST_TIME)
    if reloads is not None:
        columns["max_reloads"] = reloads
    for name, attribute in _LIMITS.items():
        limits = _vehicle_values(text, name, count, LARGEST_TIME)
        if limits is not None:
            limits = measured_times(text, name, limits, metric)
            before = columns.get(attribute, limits)
            columns[attribute] = np.minimum(before, limits)
    for name, attribute in _COSTS.items():
        costs = _vehicle_values(text, name, count)
        if costs is not None:
            is_fixed = attribute == "fixed_cost"
            columns[attribute] = metric.measure(costs) if is_fixed else costs
    return {
        "capacity": _capacities(text, count),
        **{name: column.tolist() for name, column in columns.items()},
    }


def _capacities(text: VrplibText, count: int) -> list[Any]:
    """Return the capacities of each vehicle, one or one a dimension."""
    name, field = "CAPACITY", "CAPACITY_SECTION"
    if name not in text.sections:
        is_given = name in text.specifications
        return [text.real(name) if is_given else float(NO_LIMIT)] * count
    rows = text.values(name, count, None, of="VEHICLES")
    _refuse_negative(text, field, rows.ravel())
    for value in rows[rows != np.rint(rows)][:1]:
        rule = "must be whole numbers"
        raise InstanceError(text.source, field, rule, float(value))
    return [row[0] if len(row) == 1 else tuple(row) for row in rows.tolist()]


def read_allowed(text: VrplibText, order: np.ndarray) -> list[np.ndarray]:
    """Return for each profile whether its vehicles may visit each node.

    ``order`` holds the row of each node; depots are always allowed.
    """
    size = len(order)
    if _ALLOWED not in text.sections:
        return [np.ones(size, dtype=bool)]
    listed = text.lists(_ALLOWED, None, size, of="VEHICLES")
    num_depots = len(text.sections["DEPOT"]) - 1
    found = []
    for rows in _profiles_of(listed)[1]:
        is_allowed = np.arange(size) < num_depots
        is_allowed[np.array(rows, dtype=int) - 1] = True
        found.append(is_allowed[order])
    return found


def _profiles_of(
    listed: list[list[int]],
) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the profile of each vehicle, and the customers of each."""
    place: dict[tuple[int, ...], int] = {}
    own = [place.setdefault(tuple(row), len(place)) for row in listed]
    return own, list(place)


def _depots(text: VrplibText, count: int, num_depots: int) -> list[float]:
    """Return the depot of each vehicle; the first one where none is said."""
    depots = _vehicle_values(text, "VEHICLES_DEPOT", count)
    if depots is None:
        return [0] * count
    for value in depots[~np.isin(depots, np.arange(1, num_depots + 1))][:1]:
        field = "VEHICLES_DEPOT_SECTION"
        rule = f"must be depots 1..{num_depots}"
        raise InstanceError(text.source, field, rule, float(value))
    return [int(depot) - 1 for depot in depots]


def _vehicle_values(
    text: VrplibText,
    name: str,
    count: int,
    largest: float = LARGEST_NUMBER,
) -> np.ndarray | None:
    """Return a field of the vehicles; only fixed costs may be negative."""
    found = text.column(name, count, of="VEHICLES", largest=largest)
    if found is None:
        return None
    field, column = found
    if name != "VEHICLES_FIXED_COST":
        _refuse_negative(text, field, column)
    return column


def read_windows(
    text: VrplibText, metric: FileMetric, order: np.ndarray, num_depots: int
) -> TimeWindows | None:
    """Return the times of the nodes, or ``None`` where the file has none.

    Depots have neither service nor release. ``order`` holds the row of each
    node.
    """
    size = len(order)
    given: dict[str, np.ndarray] = {}
    if "TIME_WINDOW" in text.sections:
        rows = text.values("TIME_WINDOW", size, 2, largest=LARGEST_TIME)
        field = "TIME_WINDOW_SECTION"
        times = measured_times(text, field, rows, metric)
        given["tw_early"], given["tw_late"] = times.T
    for name, attribute in _TIMES.items():
        found = text.column(name, size, largest=LARGEST_TIME)
        if found is not None:
            field, column = found
            column[:num_depots] = 0
            given[attribute] = measured_times(text, field, column, metric)
    if not given:
        return None
    with in_words_of(text.source, _SECTION_OF_TIME):
        return TimeWindows.of(
            size, **{name: times[order] for name, times in given.items()}
        )


def measured_times(
    text: VrplibText, field: str, values: np.ndarray, metric: FileMetric
) -> np.ndarray:
    """Return times or limits in a metric, refusing all but whole numbers."""
    _refuse_negative(text, field, values)
    times: np.ndarray = np.minimum(metric.measure(values), NO_LIMIT)
    for value in times[times != np.rint(times)][:1]:
        raise InstanceError(text.source, field, _REMEDY, float(value))
    return times


def _refuse_negative(text: VrplibText, field: str, values: np.ndarray) -> None:
    for value in values[values < 0][:1]:
        rule = "must not be negative"
        raise InstanceError(text.source, field, rule, float(value))
