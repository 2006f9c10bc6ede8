"""Instances from named values: those of columns, with an entry for each node.

A table, a file of VRPLIB or another form says the same by other names; here
they are the fields of ``io.fields``, and nothing knows what a file looks like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from ncc_routing.io._wording import in_words_of
from ncc_routing.io.fields import CUSTOMER_COLUMNS, VEHICLE_COLUMNS
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.route_rules import RouteRules
from ncc_routing.problems.selection import Group, Selection
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from ncc_routing.io.fields import Column

Values = dict[str, Any]
"""What columns say, by their fields: an entry for each node, or each type."""

_TUPLES: Final = ("other_capacities", "initial_load")
"""Fields of a vehicle type that have an entry for each load dimension."""


class Origin(Protocol):
    """Where values are from, for messages: a table, or sections of a file."""

    @property
    def source(self) -> str:
        """The file."""

    def where(self, row: int) -> str:
        """Return the place of an entry."""

    def called(self, column: str) -> str:
        """Return the name of a field in the file."""

    def refuse(self, is_wrong: ArrayLike, column: str, rule: str) -> None:
        """Refuse the first of some entries, each of which says if it is."""


def build_instance(
    origin: Origin,
    values: Values,
    size: int,
    num_depots: int = 1,
    *,
    max_districts: Any = None,
    **facts: Any,
) -> Instance:
    """Return the instance of named values.

    Parameters
    ----------
    origin
        Where the values are from.
    values
        Entries of the nodes by fields of ``CUSTOMER_COLUMNS``: the first
        depot, the customers, further depots. ``deliver_to`` are nodes, -1 for
        none; ``required`` may be ``None``; ``skills``, ``served_by`` (vehicle
        types), ``same_route``, ``different_routes`` and ``district`` are lists
        of several entries.
    size
        Number of nodes.
    num_depots
        Number of depots. Default 1.
    max_districts
        Largest number of districts on a route. Default: no limit.
    **facts
        Other arguments of ``Instance``.

    Raises
    ------
    InstanceError
        If values contradict one another, or the problem is wrong.
    """
    nodes = np.arange(size)
    is_customer = (nodes > 0) & (nodes <= size - num_depots)
    deliveries = _stacked(values, "deliveries", size)
    if deliveries is None:
        deliveries = is_customer[:, None].astype(np.int64)
    pickups = _stacked(values, "pickups", size)
    if pickups is None:
        pickups = np.zeros((size, 1), dtype=np.int64)
    num = max(deliveries.shape[1], pickups.shape[1])
    deliveries, pickups = (
        np.pad(each, ((0, 0), (0, num - each.shape[1])))
        for each in (deliveries, pickups)
    )
    shipments = _take_shipments(origin, values, deliveries, pickups)
    loads = None
    if num > 1 or pickups.any():
        loads = Loads(deliveries, pickups)
    with in_words_of(origin.source):
        return Instance(
            demands=deliveries[:, 0],
            loads=loads,
            selection=_selection_of(origin, values, size, shipments),
            shipments=shipments,
            rules=build_rules(values, max_districts),
            windows=_windows_of(origin, values, is_customer),
            coords=_stacked(values, "coords", size),
            ids=values.get("id"),
            num_depots=num_depots,
            **facts,
        )


def _stacked(values: Values, target: str, size: int) -> np.ndarray | None:
    """Return the columns of a field beside one another, 0 for a missing one.

    ``None`` stands for no such column.
    """
    names = [
        name
        for name, column in CUSTOMER_COLUMNS.items()
        if target in column.target
    ]
    if target == "coords":
        names = [name for name in names if name in values]
    while names and names[-1] not in values:
        names.pop()
    nothing = np.zeros(size, dtype=np.int64)
    given = [values.get(name, nothing) for name in names]
    return np.column_stack(given) if given else None


def _take_shipments(
    origin: Origin,
    values: Values,
    deliveries: np.ndarray,
    pickups: np.ndarray,
) -> tuple[Shipment, ...]:
    """Return the shipments; their loads are no deliveries any more."""
    found = []
    for node, target in enumerate(values.get("deliver_to", ())):
        if target < 0:
            continue
        is_wrong = np.zeros(len(deliveries), dtype=bool)
        is_wrong[target] = deliveries[target].any()
        is_wrong[node] = pickups[[node, target]].any() and not is_wrong.any()
        rule = "must have no load beside that of the shipment"
        origin.refuse(is_wrong, "deliver_to", rule)
        found.append(Shipment(node, target, tuple(deliveries[node].tolist())))
        deliveries[node] = 0
    return tuple(found)


def _selection_of(
    origin: Origin,
    values: Values,
    size: int,
    shipments: Sequence[Shipment],
) -> Selection | None:
    """Return who must be served: without a word those without a prize."""
    if {"prize", "required", "one_of"}.isdisjoint(values):
        return None
    prizes = np.array(values.get("prize", np.zeros(size)))
    stated = values.get("required", [None] * size)
    required = prizes == 0
    if "required" in values:
        required = np.array([said is not False for said in stated])
    for shipment in shipments:
        both = [shipment.pickup, shipment.delivery]
        said = _common(origin, stated, both, "both rows of a shipment")
        required[both] = required[both] if said is None else said
    groups = []
    for name, nodes in groups_of([[one] for one in values.get("one_of", ())]):
        said = _common(origin, stated, nodes, f"all rows of one_of {name!r}")
        required[list(nodes)] = False
        groups.append(Group(nodes, said is not False, name))
    for shipment in shipments:
        required[shipment.delivery] = required[shipment.pickup]
    return Selection(prizes, required, tuple(groups))


def _common(
    origin: Origin,
    stated: Sequence[bool | None],
    nodes: Sequence[int],
    whose: str,
) -> bool | None:
    """Return what nodes say about their service, which must be the same."""
    said = next((s for node in nodes if (s := stated[node]) is not None), None)
    is_wrong = np.zeros(len(stated), dtype=bool)
    is_wrong[list(nodes)] = [
        stated[node] not in (None, said) for node in nodes
    ]
    origin.refuse(is_wrong, "required", f"must be the same in {whose}")
    return said


def build_rules(
    values: Values, max_districts: Any = None
) -> RouteRules | None:
    """Return the rules of routes, ``None`` where values say none."""
    given: Values = {}
    for name in ("same_route", "different_routes"):
        given[name] = [nodes for _, nodes in groups_of(values.get(name, ()))]
    if "skills" in values:
        given["skills"] = values["skills"]
    if "served_by" in values:
        given["vehicles"] = [types or None for types in values["served_by"]]
    if "district" in values:
        # A label is all that its cell says.
        labels = list(map("|".join, values["district"]))
        known = [label for label in dict.fromkeys(labels) if label]
        given["districts"] = [
            known.index(label) if label else -1 for label in labels
        ]
        given["max_districts"] = max_districts
    rules = RouteRules(**given)
    has_districts = max(rules.districts, default=-1) >= 0
    return rules if rules.features or has_districts else None


def groups_of(
    labels: Sequence[Sequence[str]],
) -> list[tuple[str, tuple[int, ...]]]:
    """Return each label that is not empty, and the nodes that have it."""
    groups: dict[str, list[int]] = {}
    for node, own in enumerate(labels):
        for label in dict.fromkeys(filter(None, own)):
            groups.setdefault(label, []).append(node)
    return [(label, tuple(nodes)) for label, nodes in groups.items()]


def _windows_of(
    origin: Origin, values: Values, is_customer: np.ndarray
) -> TimeWindows | None:
    """Return the times of the nodes, ``None`` where values say none."""
    times = {
        name: column
        for name, column in CUSTOMER_COLUMNS.items()
        if column.is_time and column.target
    }
    if times.keys().isdisjoint(values):
        return None
    nothing = np.zeros(len(is_customer))
    found = {
        column.target[0]: np.array(
            values.get(name, nothing + (column.blank or 0))
        )
        for name, column in times.items()
    }
    place = "close"
    rule = "must not be before the window opens (25:00 is the next day)"
    if place not in values:
        place, rule = "open", TOO_LARGE
    origin.refuse(found["tw_early"] > found["tw_late"], place, rule)
    is_wrong = (found["release_times"] > 0) & ~is_customer
    origin.refuse(is_wrong, "release", "a depot has no release time")
    return TimeWindows(**found)


def build_fleet(
    origin: Origin,
    values: Mapping[str, Sequence[Any]],
    columns: Mapping[str, Column] = VEHICLE_COLUMNS,
) -> Fleet:
    """Return the fleet of named values, which have an entry for each type.

    Parameters
    ----------
    origin
        Where the values are from.
    values
        Entries by fields of ``VEHICLE_COLUMNS``, the capacity among them.
        Those of depots are indices of ``Instance.depots``.
    columns
        Columns, whose targets are fields of ``VehicleType``.

    Raises
    ------
    InstanceError
        If a shift ends before it starts, or a vehicle type is wrong.
    """
    starts = values.get("shift_start", 0)
    for name in ("shift_end", "latest_start"):
        if name in values:
            rule = (
                "must not be before the shift starts (25:00 is the next day)"
            )
            origin.refuse(np.less(values[name], starts), name, rule)
    parts: dict[str, list[Sequence[Any]]] = {}
    fields: dict[str, str] = {}
    for name, column in columns.items():
        for field in column.target or (name,):
            fields.setdefault(field, origin.called(name))
            if name in values:
                parts.setdefault(field, []).append(values[name])
    if "initial_load" in parts:
        more = len(parts.get("other_capacities", ()))
        parts["initial_load"] += [[0] * len(values["capacity"])] * more
    entries = {
        field: list(zip(*given, strict=True)) if field in _TUPLES else given[0]
        for field, given in parts.items()
    }
    types = []
    for row in range(len(values["capacity"])):
        own: Values = {each: given[row] for each, given in entries.items()}
        place = f"{origin.source}: {origin.where(row)}"
        with in_words_of(place, fields):
            types.append(VehicleType(**own))
    return Fleet(tuple(types))
