"""The vehicles in a VRPLIB file, in PyVRP's dialect of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io._vrplib_rules import LARGEST_NUMBER, node_values
from ncc_routing.io._vrplib_times import LARGEST_TIME, measured_times
from ncc_routing.problems.fleet import Fleet, VehicleType

if TYPE_CHECKING:
    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.io.metrics import FileMetric

_LIMITS: Final = {
    "VEHICLES_MAX_DURATION": "shift_duration",
    "DISTANCE": "shift_duration",
    "VEHICLES_MAX_DISTANCE": "max_distance",
}
"""Fields that limit a route. DISTANCE is CVRPLIB's bound on its length and
its service times together."""

_COSTS: Final = {
    "VEHICLES_FIXED_COST": "fixed_cost",
    "VEHICLES_UNIT_DISTANCE_COST": "unit_distance_cost",
}


def read_fleet(
    text: VrplibText,
    values: dict[str, object],
    metric: FileMetric,
    num_depots: int,
) -> Fleet | None:
    """Return the vehicles, ``None`` where they are a capacity alone.

    Fields of vehicles are one number for all, or a section with a row for
    each. Vehicles that are alike make a type, in the order of the file.

    Parameters
    ----------
    text, values
        The split file, and what vrplib read from it.
    metric
        How numbers are measured.
    num_depots
        Number of depots.

    Raises
    ------
    InstanceError
        If a section does not list every vehicle once, or a value is out of
        range.
    """
    given = set(text.sections) | set(text.specifications)
    own = {"VEHICLES", "VEHICLES_DEPOT", *_LIMITS, *_COSTS}
    has_capacities = "CAPACITY" in text.sections
    if not (given & own or has_capacities or num_depots > 1):
        return None
    count = text.number("DIMENSION") - num_depots
    if "VEHICLES" in text.specifications:
        count = text.number("VEHICLES")
        if count < 1:
            rule = "must be at least 1"
            raise InstanceError(text.source, "VEHICLES", rule, count)
    listed = {"CAPACITY", "VEHICLES_DEPOT", *_LIMITS, *_COSTS}
    sections = sorted(listed & set(text.sections))
    for name in sections:
        text.rows(name, count, "VEHICLES")
    # Vehicles that nothing tells apart are one row.
    num_rows = count if sections else 1
    columns = _columns(text, values, metric, num_rows)
    depots = _depots(text, values, num_rows, num_depots)
    rows = list(zip(depots, *columns.values(), strict=True))
    sizes = Counter(rows)  # in the order of the file
    types = []
    for row, size in sizes.items():
        fields: dict[str, Any] = dict(zip(columns, row[1:], strict=True))
        fields |= {"start_depot": row[0], "end_depot": row[0]}
        available = size if sections else count
        types.append(VehicleType(num_available=available, **fields))
    if not sections:
        return Fleet(tuple(types))
    place = {row: idx for idx, row in enumerate(sizes)}
    return Fleet(tuple(types), tuple(place[row] for row in rows))


def _columns(
    text: VrplibText,
    values: dict[str, object],
    metric: FileMetric,
    count: int,
) -> dict[str, list[float]]:
    """Return each field of the vehicles, with an entry for each of them."""
    capacities = np.ones(count)  # nothing has a demand
    if "CAPACITY" in text.sections or "CAPACITY" in text.specifications:
        capacities = _vehicle_values(text, values, "CAPACITY", count)
    for value in capacities[capacities != np.rint(capacities)][:1]:
        rule = "must be whole numbers"
        field = "CAPACITY_SECTION"
        raise InstanceError(text.source, field, rule, float(value))
    columns = {"capacity": capacities}
    for name, attribute in _LIMITS.items():
        if name in text.sections or name in text.specifications:
            limits = _vehicle_values(text, values, name, count, LARGEST_TIME)
            limits = measured_times(text, name, limits, metric)
            before = columns.get(attribute, limits)
            columns[attribute] = np.minimum(before, limits)
    for name, attribute in _COSTS.items():
        if name in text.sections or name in text.specifications:
            costs = _vehicle_values(text, values, name, count)
            if attribute == "fixed_cost":
                costs = metric.measure(costs)
            columns[attribute] = costs
    return {name: column.tolist() for name, column in columns.items()}


def _depots(
    text: VrplibText, values: dict[str, object], count: int, num_depots: int
) -> list[int]:
    """Return the depot of each vehicle; the first one where none is said."""
    if "VEHICLES_DEPOT" not in text.sections:
        return [0] * count
    field = "VEHICLES_DEPOT_SECTION"
    depots = _vehicle_values(text, values, "VEHICLES_DEPOT", count)
    for value in depots[~np.isin(depots, np.arange(1, num_depots + 1))][:1]:
        rule = f"must be depots 1..{num_depots}"
        raise InstanceError(text.source, field, rule, float(value))
    return [int(depot) - 1 for depot in depots]


def _vehicle_values(
    text: VrplibText,
    values: dict[str, object],
    name: str,
    count: int,
    largest: float = LARGEST_NUMBER,
) -> np.ndarray:
    """Return a field of the vehicles, none of it negative."""
    field = name
    if name in text.sections:
        field = f"{name}_SECTION"
        column = node_values(
            text, values, name, count, 1, largest=largest, of="VEHICLES"
        )[:, 0]
    else:
        column = np.full(count, text.real(name))
    for value in column[column < 0][:1]:
        rule = "must not be negative"
        raise InstanceError(text.source, field, rule, float(value))
    return column
