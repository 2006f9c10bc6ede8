"""An instance as the keys and sections of a VRPLIB file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.io._vrplib_arcs import DIMACS, TYPE_OF_ROUNDING, arcs_of
from ncc_routing.io._vrplib_fleet import FIELDS_OF_VEHICLES
from ncc_routing.io._vrplib_rules import ALLOWED_VALUES
from ncc_routing.io._vrplib_shipments import SHIPMENTS
from ncc_routing.io._vrplib_text import LARGEST_NUMBER
from ncc_routing.problems import features
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.selection import Group

_DIMACS_SCALE: Final = 10
"""Coordinates times this, cut to whole numbers, are those of "dimacs"."""

_TYPE_OF_SECTION: Final = {
    SHIPMENTS: "PDPTW",
    "MUTUALLY_EXCLUSIVE_GROUP": "GVRP",
    "PRIZE": "PCVRP",
    "VEHICLES_ALLOWED_CLIENTS": "SDVRP",
    "VEHICLES_RELOAD_DEPOT": "MTVRP",
    "BACKHAUL": "VRPSPD",
}
"""The TYPE of a file that has a section; the first one counts."""


def vrplib_content(instance: Instance, comment: str = "") -> dict[str, object]:
    """Return keys and sections with their values, or refuse the instance."""
    for reason in _inexpressible(instance):
        raise ParameterError(f"{instance.name}: VRPLIB has {reason}.")
    arcs = arcs_of(instance)
    customers = range(1, instance.num_customers + 1)
    order = np.array([*instance.depots, *customers])  # node of each row
    content: dict[str, object] = {"NAME": " ".join(instance.name.split())}
    if comment:
        content["COMMENT"] = " ".join(comment.split())
    content["TYPE"] = ""
    content["DIMENSION"] = len(order)
    vehicles = _vehicles_of(instance)
    if vehicles:
        content["VEHICLES"] = len(vehicles)
    coords = instance.coords
    if arcs.matrix is not None:
        content["EDGE_WEIGHT_TYPE"] = "EXPLICIT"
        content["EDGE_WEIGHT_FORMAT"] = "FULL_MATRIX"
    else:
        content["EDGE_WEIGHT_TYPE"] = TYPE_OF_ROUNDING[instance.rounding]
        if instance.rounding == DIMACS:
            coords = _DIMACS_SCALE * instance.require_coords("a file")
    capacities = _capacities_of(instance)
    (first, *others), *more = capacities
    if not (others or more) and first > 0:
        content["CAPACITY"] = first
    if arcs.matrix is not None:
        matrix = arcs.matrix[np.ix_(order, order)]
        content["EDGE_WEIGHT_SECTION"] = _plain_rows(matrix)
    if coords is not None:
        content["NODE_COORD_SECTION"] = _plain_rows(coords[order])
    if instance.shipments:
        content[f"{SHIPMENTS}_SECTION"] = _shipments(instance, order)
    else:
        content |= _loads(instance, order)
        content |= _times(instance, order)
    content |= _selection(instance, order)
    if "CAPACITY" not in content:
        content["CAPACITY_SECTION"] = [capacities[idx] for idx in vehicles]
    content |= _fleet(instance, vehicles, arcs.allowed, order)
    if _carries_nothing(instance):
        for name in ("CAPACITY", "CAPACITY_SECTION", "DEMAND_SECTION"):
            content.pop(name, None)
    depots = range(1, instance.num_depots + 1)
    content["DEPOT_SECTION"] = [*depots, -1]
    content["TYPE"] = "VRPB" if arcs.is_vrpb else _type_of(instance, content)
    return content


def plain(number: float) -> int | float:
    """Return a whole number as an int, so that it prints without ".0"."""
    number = float(number)
    return int(number) if number.is_integer() else number


def _inexpressible(instance: Instance) -> Iterator[str]:
    """Yield what has no place in the form, as what VRPLIB has of it."""
    if instance.matrix is None and instance.is_geographic:
        text = "no EDGE_WEIGHT_TYPE for great circles in metres; give them "
        yield text + "as a matrix"
    if instance.matrix is None and instance.rounding == "none":
        yield "no EDGE_WEIGHT_TYPE for unrounded Euclidean distances"
    for kind in instance.vehicle_types:
        if kind.unit_duration_cost > 0:
            yield "no section for unit duration costs"
        if kind.start_depot != kind.end_depot:
            yield "one depot for each vehicle, not two"
        if kind.tw_early > 0 or kind.start_late < NO_LIMIT:
            yield "no section for time windows of vehicles"
    unwritten = {features.INITIAL_LOADS, features.OVERTIME}
    for name in instance.features:
        if name in unwritten | features.ROUTE_RULES:
            yield f"no section for {name}"
    windows = instance.windows
    if windows is not None:
        depots = list(instance.depots)
        if windows.service_durations[depots].any():
            yield "no service durations of depots"
    if instance.shipments:
        yield from _wrong_beside_shipments(instance)
    choice = _Choice.of(instance)
    if not all(group.required for group in choice.groups):
        yield "no group of whom nobody need be served"
    is_free = choice.is_free & (choice.prizes == 0)
    for node in np.flatnonzero(is_free)[:1].tolist():
        name = instance.describe_node(node)
        yield f"no place for {name}, who need not be served and has no prize"


def _wrong_beside_shipments(instance: Instance) -> Iterator[str]:
    """Yield what the section of shipments has no place for."""
    field = f"{SHIPMENTS}_SECTION"
    if instance.num_depots > 1:  # PyVRP counts the rows in another way
        yield f"one depot beside {field}"
    if instance.num_load_dimensions > 1:
        yield f"one load dimension in {field}"
    ends = {one.pickup for one in instance.shipments}
    ends |= {one.delivery for one in instance.shipments}
    required = instance.required
    for node in range(1, instance.num_customers + 1):
        name = instance.describe_node(node)
        if node not in ends:
            yield f"no place for {name}, of no shipment, beside {field}"
        elif not required[node]:
            yield f"no place for {name}, of a shipment that need not be served"


class _Choice(NamedTuple):
    """Who is chosen: groups of several, prizes, and who may be left out.

    A group of one is its customer. The prize of who must be served is never
    lost and left out.
    """

    groups: list[Group]
    prizes: np.ndarray
    is_free: np.ndarray

    @classmethod
    def of(cls, instance: Instance) -> _Choice:
        """Return the choice of an instance."""
        nothing = np.zeros(len(instance.demands))
        selection = instance.selection
        if selection is None:
            return cls([], nothing, nothing > 0)
        is_free, is_grouped = ~instance.required, nothing > 0
        is_free[list(instance.depots)] = False
        groups = []
        for group in selection.groups:
            members, is_one = list(group.customers), len(group.customers) == 1
            is_free[members] = is_one and not group.required
            if not is_one:
                is_grouped[members] = True
                groups.append(group)
        prizes = np.where(is_free | is_grouped, selection.prizes, 0.0)
        return cls(groups, prizes, is_free)


def _selection(instance: Instance, order: np.ndarray) -> dict[str, object]:
    """Return the sections of prizes and groups."""
    choice, row_of = _Choice.of(instance), np.argsort(order)
    content: dict[str, object] = {}
    if choice.prizes.any():
        prizes = choice.prizes[order].tolist()
        content["PRIZE_SECTION"] = list(map(plain, prizes))
    if choice.groups:
        content["MUTUALLY_EXCLUSIVE_GROUP_SECTION"] = [
            (row_of[list(group.customers)] + 1).tolist()
            for group in choice.groups
        ]
    return content


def _shipments(instance: Instance, order: np.ndarray) -> list[list[int]]:
    """Return Li and Lim's columns of all nodes."""
    size, row_of = len(order), np.argsort(order)
    windows = instance.windows or TimeWindows.of(size)
    rows = np.zeros((size, 6), dtype=np.int64)
    times = (windows.tw_early, windows.tw_late, windows.service_durations)
    rows[:, 1:4] = np.column_stack(times)[order]
    for one in instance.shipments:
        first, last = row_of[[one.pickup, one.delivery]]
        rows[[first, last], 0] = one.amount[0], -one.amount[0]
        rows[first, 5], rows[last, 4] = last + 1, first + 1
    listed: list[list[int]] = rows.tolist()
    return listed


def _loads(instance: Instance, order: np.ndarray) -> dict[str, object]:
    """Return the sections of what is delivered and picked up."""
    given = {"DEMAND": instance.deliveries}
    if instance.loads is not None and instance.loads.has_pickups:
        given["BACKHAUL"] = instance.loads.pickup
    return {
        f"{name}_SECTION": amounts[order].tolist()
        for name, amounts in given.items()
    }


def _capacities_of(instance: Instance) -> list[tuple[int, ...]]:
    """Return the capacities of each vehicle type.

    Where one is above what a file may hold, that of all loads stands for it.
    """
    carried = instance.deliveries.sum(axis=0)
    given = np.maximum(0, instance.load_changes + instance.deliveries)
    carried = np.maximum(1, carried + given.sum(axis=0)).tolist()
    return [
        tuple(
            own if own <= LARGEST_NUMBER else most
            for own, most in zip(kind.capacities, carried, strict=True)
        )
        for kind in instance.vehicle_types
    ]


def _carries_nothing(instance: Instance) -> bool:
    """Whether there are neither loads nor capacities, as for a tour."""
    if instance.shipments or instance.num_load_dimensions > 1:
        return False
    has_loads = instance.deliveries.any() or instance.load_changes.any()
    return not has_loads and all(
        kind.capacity >= NO_LIMIT for kind in instance.vehicle_types
    )


def _vehicles_of(instance: Instance) -> tuple[int, ...]:
    """Return the type of each vehicle, none where it needs not be said."""
    if instance.fleet is not None:
        return instance.fleet.all_vehicles(instance.num_customers)
    # PyVRP counts a vehicle for each client, and takes none beside shipments.
    return (0,) * instance.num_customers if instance.shipments else ()


def _type_of(instance: Instance, content: Mapping[str, object]) -> str:
    """Return the TYPE: what the file is mostly about."""
    kind = "HFVRP" if len(instance.vehicle_types) > 1 else "VRP"
    if instance.num_depots > 1:
        kind = "MDVRP"
    for section, other in _TYPE_OF_SECTION.items():
        if f"{section}_SECTION" in content:
            kind = other
            break
    if instance.windows is None:
        is_cvrp = kind == "VRP" and "DEMAND_SECTION" in content
        return "CVRP" if is_cvrp else kind
    return f"{kind}TW" if f"{kind}TW" in ALLOWED_VALUES["TYPE"] else kind


def _fleet(
    instance: Instance,
    vehicles: tuple[int, ...],
    allowed: Mapping[int, np.ndarray],
    order: np.ndarray,
) -> dict[str, object]:
    """Return the sections of the vehicles but their capacities."""
    types = instance.vehicle_types
    content: dict[str, object] = {}

    def add(section: str, values: Iterable[object]) -> None:
        listed = list(values)
        content[f"{section}_SECTION"] = [listed[idx] for idx in vehicles]

    if instance.num_depots > 1:
        add("VEHICLES_DEPOT", (kind.start_depot + 1 for kind in types))
    usual = VehicleType(capacity=1)
    for section, field in FIELDS_OF_VEHICLES.items():
        values = [getattr(kind, field) for kind in types]
        if any(value != getattr(usual, field) for value in values):
            add(section, map(plain, values))
    if any(kind.reload_depots for kind in types):
        listed = ([own + 1 for own in kind.reload_depots] for kind in types)
        add("VEHICLES_RELOAD_DEPOT", listed)
    if allowed:
        rows = np.arange(1, len(order) + 1)
        is_customer = rows > instance.num_depots
        served = (allowed[kind.profile][order] & is_customer for kind in types)
        add("VEHICLES_ALLOWED_CLIENTS", (rows[own].tolist() for own in served))
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
