"""An instance as the keys and sections of a VRPLIB file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.io._vrplib_fleet import FIELDS_OF_VEHICLES
from ncc_routing.io._vrplib_rules import ROUNDING_OF_TYPE
from ncc_routing.problems import features
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.problems.instance import Instance

_TYPE_OF_ROUNDING: Final = {
    rounding: kind
    for kind, rounding in ROUNDING_OF_TYPE.items()
    if kind != "EXPLICIT"
}
"""The EDGE_WEIGHT_TYPE of each rounding that has one."""

_DIMACS_SCALE: Final = 10
"""Coordinates times this, cut to whole numbers, are those of "dimacs"."""


def vrplib_content(instance: Instance, comment: str = "") -> dict[str, object]:
    """Return keys and sections with their values, or refuse the instance."""
    _require_expressible(instance)
    customers = range(1, instance.num_customers + 1)
    order = np.array([*instance.depots, *customers])  # node of each row
    content: dict[str, object] = {"NAME": " ".join(instance.name.split())}
    if comment:
        content["COMMENT"] = " ".join(comment.split())
    content["TYPE"] = _type_of(instance)
    content["DIMENSION"] = len(order)
    if instance.fleet is not None:
        vehicles = instance.fleet.all_vehicles(instance.num_customers)
        content["VEHICLES"] = len(vehicles)
    coords = instance.coords
    if instance.matrix is not None:
        content["EDGE_WEIGHT_TYPE"] = "EXPLICIT"
        content["EDGE_WEIGHT_FORMAT"] = "FULL_MATRIX"
    elif instance.rounding == "dimacs":
        content["EDGE_WEIGHT_TYPE"] = "FLOOR_2D"
        coords = _DIMACS_SCALE * instance.require_coords("a file")
    else:
        content["EDGE_WEIGHT_TYPE"] = _TYPE_OF_ROUNDING[instance.rounding]
    if len(instance.vehicle_types) == 1:
        content["CAPACITY"] = instance.capacity
    if instance.matrix is not None:
        matrix = instance.matrix[np.ix_(order, order)]
        content["EDGE_WEIGHT_SECTION"] = _plain_rows(matrix)
    if coords is not None:
        content["NODE_COORD_SECTION"] = _plain_rows(coords[order])
    content["DEMAND_SECTION"] = instance.demands[order].tolist()
    content |= _times(instance, order)
    content |= _fleet(instance)
    depots = range(1, instance.num_depots + 1)
    content["DEPOT_SECTION"] = [*depots, -1]
    return content


def plain(number: float) -> int | float:
    """Return a whole number as an int, so that it prints without ".0"."""
    number = float(number)
    return int(number) if number.is_integer() else number


_UNWRITTEN: Final = frozenset(
    {
        features.LOAD_DIMENSIONS,
        features.PICKUPS,
        features.SHIPMENTS,
        features.OPTIONAL_CUSTOMERS,
        features.CLIENT_GROUPS,
        features.INITIAL_LOADS,
        features.RELOAD_DEPOTS,
        features.OVERTIME,
    }
)
"""What files are read with, and not written."""


def _require_expressible(instance: Instance) -> None:
    """Refuse what has no place in the form."""
    reason = ""
    if instance.matrix is None and instance.is_geographic:
        reason = "no EDGE_WEIGHT_TYPE for great circles in metres; give them "
        reason += "as a matrix"
    elif instance.matrix is None and instance.rounding == "none":
        reason = "no EDGE_WEIGHT_TYPE for unrounded Euclidean distances"
    elif instance.durations is not None or instance.profiles:
        reason = "one matrix for all vehicles, distances and durations"
    elif instance.has_forbidden_arcs:
        reason = "no forbidden arcs"
    for kind in instance.vehicle_types:
        if kind.unit_duration_cost > 0:
            reason = "no section for unit duration costs"
        elif kind.start_depot != kind.end_depot:
            reason = "one depot for each vehicle, not two"
        elif kind.tw_early > 0 or kind.start_late < NO_LIMIT:
            reason = "no section for time windows of vehicles"
    windows = instance.windows
    if windows is not None:
        depots = list(instance.depots)
        if windows.service_durations[depots].any():
            reason = "no service durations of depots"
    if reason:
        raise ParameterError(f"{instance.name}: VRPLIB has {reason}.")
    unwritten = _UNWRITTEN | features.ROUTE_RULES
    for feature in unwritten.intersection(instance.features):
        raise ParameterError(
            f"{instance.name}: files are not written with {feature}."
        )


def _type_of(instance: Instance) -> str:
    """Return the TYPE: what the file is mostly about."""
    timed = "TW" if instance.windows is not None else ""
    if instance.num_depots > 1:
        return f"MDVRP{timed}"
    if len(instance.vehicle_types) > 1:
        return f"HFVRP{timed}"
    return f"VRP{timed}" if timed else "CVRP"


def _fleet(instance: Instance) -> dict[str, object]:
    """Return the sections of the vehicles."""
    if instance.fleet is None:
        return {}
    types = instance.fleet.types
    vehicles = instance.fleet.all_vehicles(instance.num_customers)
    content: dict[str, object] = {}

    def add(section: str, values: Iterable[float]) -> None:
        listed = [plain(value) for value in values]
        content[f"{section}_SECTION"] = [listed[idx] for idx in vehicles]

    if len(types) > 1:
        add("CAPACITY", (kind.capacity for kind in types))
    if instance.num_depots > 1:
        add("VEHICLES_DEPOT", (kind.start_depot + 1 for kind in types))
    usual = VehicleType(capacity=1)
    for section, field in FIELDS_OF_VEHICLES.items():
        values = [getattr(kind, field) for kind in types]
        if any(value != getattr(usual, field) for value in values):
            add(section, values)
    return content


def _times(instance: Instance, order: np.ndarray) -> dict[str, Any]:
    """Return the sections of the times."""
    windows = instance.windows
    if windows is None:
        return {}
    both = np.column_stack([windows.tw_early, windows.tw_late])[order]
    content = {"TIME_WINDOW_SECTION": both.tolist()}
    for section, times in (
        ("SERVICE_TIME", windows.service_durations),
        ("RELEASE_TIME", windows.release_times),
    ):
        if times.any():
            content[f"{section}_SECTION"] = times[order].tolist()
    return content


def _plain_rows(array: np.ndarray) -> list[list[int | float]]:
    return [[plain(number) for number in row] for row in array.tolist()]
