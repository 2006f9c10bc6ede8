"""An instance as the keys and sections of a VRPLIB file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.io._vrplib_arcs import DIMACS, TYPE_OF_ROUNDING, arcs_of
from ncc_routing.io._vrplib_text import VrplibFields
from ncc_routing.io.sections import LARGEST_NUMBER, SECTIONS, SHIPMENTS, TYPES
from ncc_routing.problems import features
from ncc_routing.problems.declared import stated
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.selection import Group

_DIMACS_SCALE: Final = 10
"""Coordinates times this, cut to whole numbers, are those of "dimacs"."""


_UNWRITTEN: Final = (
    features.ROUTE_RULES
    | features.BEYOND_PYVRP
    | features.DRIVERS_DAY
    | features.OWN_WORK
    | {features.INITIAL_LOADS, features.OVERTIME, features.OPEN_ROUTES}
    | {features.SPEED_FACTORS, features.UNIT_DURATION_COSTS}
    | {features.VEHICLE_WINDOWS}
)
"""Features that no section has."""

_WRITTEN: Final = {
    *(name for section in SECTIONS for name in section.targets),
    *("num_available", "other_capacities", "end_depot", "profile"),
    *("name", "skills", "initial_load", "unit_overtime_cost", "min_stops"),
    *("required", "districts"),
}
"""Fields that a file shows, that alone say nothing, or that have features."""


def fields_of(  # noqa: C901
    instance: Instance, source: Path, comment: str = ""
) -> VrplibFields:
    """Return the keys and sections of an instance, or refuse it.

    ``source`` is the file that they are for.
    """
    for reason in _inexpressible(instance):
        raise ParameterError(f"{instance.name}: VRPLIB has {reason}.")
    arcs, vehicles = arcs_of(instance), _vehicles_of(instance)
    values = _of_nodes(instance) | _of_vehicles(instance, arcs.allowed)
    fields = VrplibFields(source, {}, {})
    keys = fields.keys
    keys["NAME"] = " ".join(instance.name.split())
    if comment:
        keys["COMMENT"] = " ".join(comment.split())
    keys["TYPE"] = ""  # its place
    keys["DIMENSION"] = str(len(instance.demands))
    if vehicles:
        keys["VEHICLES"] = str(len(vehicles))
    if arcs.matrix is not None:
        keys["EDGE_WEIGHT_TYPE"] = "EXPLICIT"
        keys["EDGE_WEIGHT_FORMAT"] = "FULL_MATRIX"
        values["matrix"] = arcs.matrix
    else:
        keys["EDGE_WEIGHT_TYPE"] = TYPE_OF_ROUNDING[instance.rounding]
        if instance.rounding == DIMACS:
            coords = instance.require_coords("a file")
            values["coords"] = _DIMACS_SCALE * coords
    match values.get("capacity"):
        case [[capacity]] if capacity > 0:
            keys["CAPACITY"] = str(capacity)
            del values["capacity"]
    nodes = np.array([*instance.depots, *range(1, instance.num_customers + 1)])
    row_of = np.argsort(nodes)
    for section in SECTIONS:
        columns = [values[name] for name in section.targets if name in values]
        if not columns or section.form == "key":
            continue
        of_row = nodes if section.of in ("node", "customer") else vehicles
        if section.of == "":
            rows = columns[0][np.ix_(nodes, nodes)]
        elif section.kind == "text":
            rows = [(columns[0][idx],) for idx in vehicles]
        elif section.is_list:
            number_of = (
                row_of if section.kind == "nodes" else np.arange(len(row_of))
            )
            rows = [
                (number_of[list(group)] + 1).tolist() for group in columns[0]
            ]
            if section.of == "vehicle":
                rows = [rows[idx] for idx in vehicles]
        else:
            rows = np.column_stack(columns)[list(of_row)]
            if section.kind == "depot":
                rows = rows + 1
        fields.sections[section.name] = rows
    depots = range(1, instance.num_depots + 1)
    fields.sections["DEPOT"] = [*map(str, depots), "-1"]
    keys["TYPE"] = "VRPB" if arcs.is_vrpb else _type_of(instance, fields)
    return fields


def _type_of(instance: Instance, fields: VrplibFields) -> str:
    shown = fields.shown()
    if instance.num_depots == 1:
        shown.discard("DEPOT")
    if len(instance.vehicle_types) == 1:
        shown.discard("fleet")
    return next(
        kind for kind, words in TYPES.items() if shown >= set(words.split())
    )


def _inexpressible(instance: Instance) -> Iterator[str]:
    """Yield what has no place in the form, as what VRPLIB has of it."""
    is_straight = instance.matrix is None and instance.detour is None
    if is_straight and instance.is_geographic:
        text = "no EDGE_WEIGHT_TYPE for great circles in metres; give them "
        yield text + "as a matrix"
    if is_straight and instance.rounding == "none":
        yield "no EDGE_WEIGHT_TYPE for unrounded Euclidean distances"
    for vehicle_type in instance.vehicle_types:
        if vehicle_type.start_depot != vehicle_type.end_depot:
            yield "one depot for each vehicle, not two"
    parts = (*instance.vehicle_types, *_parts(instance))
    for name in (
        *filter(_UNWRITTEN.__contains__, instance.features),
        *(x for part in parts for x in stated(part) if x not in _WRITTEN),
    ):
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
        yield "no optional groups"
    is_free = choice.is_free & (choice.prizes == 0)
    for node in np.flatnonzero(is_free)[:1].tolist():
        name = instance.describe_node(node)
        yield f"no optional customer without a prize, as {name}"


def _wrong_beside_shipments(instance: Instance) -> Iterator[str]:
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
            yield f"no customers without a shipment, as {name}, in {field}"
        elif not required[node]:
            yield f"no optional shipments, such as that of {name}"


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


def _parts(instance: Instance) -> Iterator[Any]:
    """Yield what says something of customers, if it is there."""
    parts = (instance.windows, instance.selection, instance.constraints)
    return filter(None, parts)


def _of_nodes(instance: Instance) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _parts(instance):
        values |= stated(part)
    choice = _Choice.of(instance)
    for name in ("prizes", "groups"):
        values.pop(name, None)
    if instance.coords is not None:
        values["coords"] = instance.coords
    windows = instance.windows
    if instance.shipments:
        for name in ("tw_early", "tw_late", "service_durations"):
            values.pop(name, None)
        values["shipments"] = _shipments(instance)
    else:
        if not _carries_nothing(instance):
            values["delivery"] = instance.deliveries
        if instance.loads is not None and instance.loads.has_pickups:
            values["pickup"] = instance.loads.pickup
        if windows is not None:
            values["tw_early"] = windows.tw_early
            values["tw_late"] = windows.tw_late
    if choice.prizes.any():
        values["prizes"] = choice.prizes
    if choice.groups:
        values["groups"] = [group.customers for group in choice.groups]
    return values


def _of_vehicles(
    instance: Instance, allowed: Mapping[int, np.ndarray]
) -> dict[str, Any]:
    types = instance.vehicle_types
    names = {name for one in types for name in stated(one)} - {"capacity"}
    if instance.num_depots > 1:
        names.add("start_depot")
    values: dict[str, Any] = {
        name: [getattr(one, name) for one in types] for name in names
    }
    if not _carries_nothing(instance):
        values["capacity"] = _capacities_of(instance)
    if allowed:
        customers = np.arange(1, instance.num_customers + 1)
        values["allowed"] = [
            customers[allowed[vehicle_type.profile][customers]]
            for vehicle_type in types
        ]
    return values


def _shipments(instance: Instance) -> np.ndarray:
    """Return Li and Lim's columns of all nodes; there is one depot."""
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    rows = np.zeros((len(instance.demands), 6), dtype=np.int64)
    times = (windows.tw_early, windows.tw_late, windows.service_durations)
    rows[:, 1:4] = np.column_stack(times)
    for one in instance.shipments:
        rows[[one.pickup, one.delivery], 0] = one.amount[0], -one.amount[0]
        rows[one.pickup, 5] = one.delivery + 1
        rows[one.delivery, 4] = one.pickup + 1
    return rows


def _capacities_of(instance: Instance) -> list[tuple[int, ...]]:
    """Return the capacities of each vehicle type.

    Where one is above what a file may hold, that of all loads stands for it.
    """
    carried = instance.deliveries.sum(axis=0)
    given = np.maximum(0, instance.load_changes + instance.deliveries)
    carried = np.maximum(1, carried + given.sum(axis=0)).tolist()
    return [
        tuple(
            capacity if capacity <= LARGEST_NUMBER else most
            for capacity, most in zip(
                vehicle_type.capacities, carried, strict=True
            )
        )
        for vehicle_type in instance.vehicle_types
    ]


def _carries_nothing(instance: Instance) -> bool:
    if instance.shipments or instance.num_load_dimensions > 1:
        return False
    has_loads = instance.deliveries.any() or instance.load_changes.any()
    return not has_loads and all(
        vehicle_type.capacity >= NO_LIMIT
        for vehicle_type in instance.vehicle_types
    )


def _vehicles_of(instance: Instance) -> tuple[int, ...]:
    if instance.fleet is not None:
        return instance.fleet.all_vehicles(instance.num_customers)
    # PyVRP counts a vehicle for each client, and takes none beside shipments.
    return (0,) * instance.num_customers if instance.shipments else ()
