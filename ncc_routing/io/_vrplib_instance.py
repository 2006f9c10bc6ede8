"""The instance that the keys and sections of a file describe."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.core.text import counted
from ncc_routing.core.text_files import name_of
from ncc_routing.io._vrplib_arcs import backhaul_arcs, without_access
from ncc_routing.io._vrplib_weights import (
    FUNCTIONS,
    LAYOUTS,
    computed_matrix,
    explicit_matrix,
    map_coords,
    num_weights,
)
from ncc_routing.io.builder import in_words_of
from ncc_routing.io.metrics import (
    METRICS,
    PAPER,
    PAPER_SCALE,
    FileMetric,
    rounding_of,
)
from ncc_routing.io.sections import (
    KEYS,
    LARGEST_NUMBER,
    OTHER_NAMES,
    ROUNDING_OF_TYPE,
    SECTION,
    SECTIONS,
    SHIPMENTS,
    TOURS,
    TYPES,
    WITH_DEPOTS,
    Section,
)
from ncc_routing.problems.draft import Draft, Values
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.odd_lengths import require_distances
from ncc_routing.problems.selection import Group
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.io._vrplib_text import VrplibFields
    from ncc_routing.problems.instance import Instance

_REMARK: Final = re.compile(r"\s*\(.*\)$")
"""A remark behind a TYPE."""

_WHOLE_TIMES: Final = (
    "times must be whole numbers: take the metric 'exact', which multiplies "
    "lengths and times by 1000, or 'dimacs' (by 10)"
)

_ROUNDING_REMEDY: Final = (
    "scale the coordinates, or take EXACT_2D or metric 'paper' (unrounded); "
    "longitude and latitude go in a table with columns lon and lat"
)
"""What to do about a file whose distances are rounded away."""

_NOT_BESIDE_SHIPMENTS: Final = (
    *("DEMAND", "BACKHAUL"),
    *("TIME_WINDOW", "SERVICE_TIME", "RELEASE_TIME"),
)
"""What the section of shipments says itself, or has no place for."""

_OF_VEHICLES: Final = tuple(
    dict.fromkeys(
        name
        for each in SECTIONS
        if each.of == "vehicle"
        for name in each.targets
    )
)
"""What sections say of vehicles."""

_TIMES: Final = ("tw_early", "tw_late", "service_durations", "release_times")


class _Sizes(NamedTuple):
    nodes: int
    depots: int
    vehicles: int

    @property
    def order(self) -> np.ndarray:
        """The row of each node: customers come before other depots."""
        rows, num = np.arange(self.nodes), self.depots
        return np.concatenate([rows[:1], rows[num:], rows[1:num]])


def instance_of(
    fields: VrplibFields, metric: str, *, has_lengths: bool = True
) -> Instance:
    """Return the instance that the fields of a file describe.

    ``metric`` is a name of ``METRICS``; ``has_lengths`` tells whether rounded
    distances must say something.
    """
    sizes = _check_outline(fields)
    fields.require_numerals()
    values = _named_values(fields, METRICS[metric], sizes)
    values |= _places(fields, metric, values.get("coords"), sizes.order)
    values["name"] = fields.keys.get("NAME") or name_of(fields.source)
    values["num_depots"] = sizes.depots
    with in_words_of(fields.source, _words(fields)):
        vehicles = {
            name: values.pop(name) for name in _OF_VEHICLES if name in values
        }
        fleet = _fleet(fields, vehicles, sizes)
        capacity = vehicles.get("capacity", [(1,)])[0][0]  # of no demand: any
        groups = [
            group for group in values.pop("groups", ()) if len(group) > 1
        ]
        values |= {"capacity": capacity, "groups": tuple(map(Group, groups))}
        values["fleet"] = fleet and replace(  # with one profile for now
            fleet,
            types=tuple(
                replace(vehicle_type, profile=0)
                for vehicle_type in fleet.types
            ),
        )
        instance = Draft(values).build()
        if has_lengths:
            kind = fields.keys["EDGE_WEIGHT_TYPE"]
            require_distances(instance, _ROUNDING_REMEDY, kind)
        lists = vehicles.get("allowed")
        if arcs := _forbidden_arcs(fields, values, lists, sizes):
            instance = _with_arcs(instance, fleet, arcs)
    if metric == PAPER and not instance.is_unlimited_cvrp:
        fields.refuse("metric", "the paper's metric is for a capacity alone")
    return instance


def _fleet(
    fields: VrplibFields, vehicles: Values, sizes: _Sizes
) -> Fleet | None:
    """Return the vehicles, ``None`` where they are a capacity alone.

    Equal vehicles make a type, in the order of the file.
    """
    is_listed = _lists_vehicles(fields)
    if not (
        is_listed
        or sizes.depots > 1
        or "VEHICLES" in fields.keys
        or fields.keys.get("TYPE") in TOURS
        or any(
            section.of == "vehicle" and section.name in fields.keys
            for section in SECTIONS
            if section.name != "CAPACITY"
        )
    ):
        return None
    num_rows = sizes.vehicles if is_listed else 1
    columns = {"capacity": [NO_LIMIT] * num_rows, **vehicles}
    if "start_depot" in columns:
        columns["end_depot"] = columns["start_depot"]
    if "allowed" in columns:
        profiles = list(dict.fromkeys(columns["allowed"]))
        columns["profile"] = map(profiles.index, columns.pop("allowed"))
    rows = list(zip(*columns.values(), strict=True))
    sizes_of = Counter(rows)  # in the order of the file
    types = tuple(
        VehicleType(
            num_available=number if is_listed else sizes.vehicles,
            **dict(zip(columns, row, strict=True)),
        )
        for row, number in sizes_of.items()
    )
    place = {row: idx for idx, row in enumerate(sizes_of)}
    return Fleet(
        types, tuple(place[row] for row in rows) if is_listed else None
    )


def _lists_vehicles(fields: VrplibFields) -> bool:
    """Whether a section has a row for each vehicle; else all are alike."""
    return any(SECTION[name].of == "vehicle" for name in fields.sections)


def _forbidden_arcs(
    fields: VrplibFields,
    values: Values,
    allowed: list[tuple[int, ...]] | None,
    sizes: _Sizes,
) -> list[np.ndarray]:
    """Return which arcs no vehicle of each profile may drive.

    Nothing is returned if no arc is forbidden: a matrix of a large instance
    does not fit into memory.
    """
    is_vrpb = fields.keys.get("TYPE") == "VRPB"
    if not is_vrpb and allowed is None:
        return []
    size, nodes = sizes.nodes, np.arange(sizes.nodes)
    is_depot = (nodes == 0) | (nodes > size - sizes.depots)
    lists = dict.fromkeys(allowed or [tuple(range(size))])
    masks = [is_depot | np.isin(nodes, each) for each in lists]
    if not is_vrpb and all(mask.all() for mask in masks):
        return []
    common = np.zeros((size, size), dtype=bool)
    if is_vrpb:
        common = backhaul_arcs(values["delivery"], values["pickup"])
    arcs = [without_access(common, mask) for mask in masks]
    return arcs if any(each.any() for each in arcs) else []


def _with_arcs(
    instance: Instance, fleet: Fleet | None, arcs: list[np.ndarray]
) -> Instance:
    nodes = np.arange(len(instance.demands))
    matrix = instance.distances(nodes, nodes)
    np.fill_diagonal(matrix, 0.0)
    matrices = [
        np.where(is_forbidden, np.inf, matrix) for is_forbidden in arcs
    ]
    return replace(
        instance,
        fleet=fleet,
        matrix=matrices[0] if arcs[0].any() else instance.matrix,
        profiles=tuple(map(Profile, matrices[1:])),
    )


def _words(fields: VrplibFields) -> dict[str, str]:
    words = {"demands": "DEMAND_SECTION", "rounding": "EDGE_WEIGHT_TYPE"}
    for section in SECTIONS:
        for name in section.targets:
            words.setdefault(name, section.field)
            if fields.has(section.name):
                words[name] = fields.field(section.name)
    if SHIPMENTS in fields.sections:
        words |= dict.fromkeys(("amount", "tw_late"), words["shipments"])
    return words


def _named_values(
    fields: VrplibFields, metric: FileMetric, sizes: _Sizes
) -> dict[str, Any]:
    """Return what sections and keys say, by the names of their targets.

    Nodes are in the order of an instance, and depots count from 0. Values of
    vehicles are lists, with one entry where all vehicles are alike.
    """
    order = sizes.order
    numbers = {"nodes": np.argsort(order), "depots": np.arange(sizes.depots)}
    values: dict[str, Any] = {}
    for section in SECTIONS:
        if section.of == "" or not fields.has(section.name):
            continue
        name, *others = section.targets
        if section.of == "vehicle" and section.name in fields.sections:
            fields.require_rows(section, sizes.vehicles)
        if section.kind == "text":
            values[name] = fields.texts(section)
            continue
        if section.is_list:
            of_row = numbers[section.kind]
            values[name] = [
                tuple(of_row[np.array(row, dtype=int) - 1].tolist())
                for row in fields.lists(section, len(of_row))
            ]
            continue
        rows = _measured(fields, section, metric, sizes)
        if section.name == SHIPMENTS:
            values |= _shipments(fields, rows, metric, sizes)
        elif section.of == "vehicle":
            column = rows[:, 0] if section.width else rows
            if name in values:
                column = np.minimum(column, values[name])
            listed = column.tolist()
            values[name] = (
                listed if section.width else list(map(tuple, listed))
            )
        elif others:
            values |= zip(section.targets, rows[order].T, strict=True)
        else:
            values[name] = (
                rows[order, 0] if section.width == 1 else rows[order]
            )
    return values | _loads(fields, values, sizes)


def _loads(
    fields: VrplibFields, values: Mapping[str, Any], sizes: _Sizes
) -> dict[str, np.ndarray]:
    """Return deliveries and pickups, 0 where the file has none."""
    given = [values[name] for name in ("delivery", "pickup") if name in values]
    width = given[0].shape[1] if given else 1
    nothing = np.zeros((sizes.nodes, width))
    if given and given[-1].shape[1] != width:
        rule = f"must have {counted(width, 'column')}, as the demands"
        fields.refuse("BACKHAUL_SECTION", rule, given[-1].shape[1])
    return {name: values.get(name, nothing) for name in ("delivery", "pickup")}


def _measured(
    fields: VrplibFields, section: Section, metric: FileMetric, sizes: _Sizes
) -> np.ndarray:
    if section.name in fields.sections:
        rows = fields.values(section)
    else:
        size = sizes.nodes
        if section.of == "vehicle":
            size = sizes.vehicles if _lists_vehicles(fields) else 1
        rows = np.full((size, 1), fields.real(section.name))
    if section.of == "customer":
        rows[: sizes.depots] = 0
    field = fields.field(section.name)
    if section.kind == "depot":
        is_none = ~np.isin(rows, np.arange(1, sizes.depots + 1))
        rule = f"must be depots 1..{sizes.depots}"
        fields.refuse_first(field, rule, rows, is_none)
        rows = rows - 1
    if section.kind == "cost":
        rows = metric.measure(rows)
    if section.kind == "time":
        rows = _times(fields, field, rows, metric)
    return rows


def _times(
    fields: VrplibFields, field: str, values: np.ndarray, metric: FileMetric
) -> np.ndarray:
    fields.refuse_first(field, "must not be negative", values, values < 0)
    times: np.ndarray = np.minimum(metric.measure(values), NO_LIMIT)
    fields.refuse_first(field, _WHOLE_TIMES, times, times != np.rint(times))
    return times


def _shipments(
    fields: VrplibFields, rows: np.ndarray, metric: FileMetric, sizes: _Sizes
) -> dict[str, Any]:
    """Return the shipments and the times of their stops, who are all."""
    field = f"{SHIPMENTS}_SECTION"
    for name in filter(fields.has, _NOT_BESIDE_SHIPMENTS):
        fields.refuse(fields.field(name), f"must not be combined with {field}")
    pairs = _shipment_pairs(fields, rows, sizes.depots)
    times = _times(fields, field, rows[:, 1:4], metric)
    times[: sizes.depots, 2] = 0
    node_of = np.argsort(sizes.order).tolist()
    shipments = tuple(
        Shipment(node_of[first], node_of[last], (rows[first, 0],))
        for first, last in pairs
    )
    named = zip(_TIMES, times[sizes.order].T, strict=False)
    return {"shipments": shipments, **dict(named)}


def _shipment_pairs(
    fields: VrplibFields, rows: np.ndarray, num_depots: int
) -> list[tuple[int, int]]:
    """Return the rows, from 0, of both stops of each shipment.

    The numbers of partners count as those of rows do; 0 stands for none.
    """
    pairs = []
    start = fields.first_row
    first, last = start + num_depots, start + len(rows) - 1
    for row, (amount, early, late, _, *ends) in enumerate(rows.tolist()):
        number, partner = row + start, sum(ends)
        rule = ""
        value: float | None = partner
        if late < early:
            rule, value = f"must not close before it opens at {early:g}", late
        elif row < num_depots:
            if amount or any(ends):
                rule = "a depot must have no amount and no partner"
                value = None
        elif all(ends) or not any(ends):
            rule = "must name its pickup or its delivery, and not both"
        elif partner == number or partner not in range(first, last + 1):
            rule = f"must name another row {first}..{last}"
        else:
            is_pickup = ends[0] == 0
            other = rows[int(partner) - start].tolist()
            named = other[4 if is_pickup else 5]
            if named != number:
                rule = f"must be named by its partner {partner:g}"
                value = named
            elif is_pickup and amount < 0:
                rule, value = "a pickup must have no negative amount", amount
            elif is_pickup and other[0] != -amount:
                rule = f"must be {-other[0]:g}, as its delivery {partner:g} "
                rule, value = rule + "takes", amount
            elif is_pickup:
                pairs.append((row, int(partner) - start))
        if rule:
            fields.refuse(fields.row(SHIPMENTS, number), rule, value)
    return pairs


def _places(
    fields: VrplibFields,
    metric: str,
    coords: np.ndarray | None,
    order: np.ndarray,
) -> dict[str, Any]:
    kind, matrix = fields.keys["EDGE_WEIGHT_TYPE"], None
    rounding = ROUNDING_OF_TYPE.get(kind, "none")
    if metric == PAPER and (kind == "EXPLICIT" or kind in FUNCTIONS):
        rule = "the paper's metric needs Euclidean distances"
        fields.refuse("EDGE_WEIGHT_TYPE", rule, kind)
    if kind == "EXPLICIT":
        layout = fields.keys["EDGE_WEIGHT_FORMAT"]
        lengths = explicit_matrix(fields.weights(), layout, len(order))
        matrix = METRICS[metric].measure(lengths)[np.ix_(order, order)]
    elif metric == PAPER and coords is not None:
        coords, rounding = coords / PAPER_SCALE, METRICS[PAPER].rounding
    elif coords is not None:
        rounding = rounding_of(fields.source, metric, kind, rounding)
        if kind in FUNCTIONS:
            matrix = computed_matrix(fields.source, kind, coords)
            coords = map_coords(kind, coords)
    return {"coords": coords, "rounding": rounding, "matrix": matrix}


def _check_outline(fields: VrplibFields) -> _Sizes:  # noqa: C901
    """Check all but the values of nodes and vehicles; count these."""
    keys, sections = fields.keys, fields.sections
    if "TYPE" in keys:
        keys["TYPE"] = _REMARK.sub("", keys["TYPE"])
    for key, allowed in KEYS.items():
        if key in keys and allowed and keys[key] not in allowed:
            rule = f"must be one of {', '.join(allowed)}"
            fields.refuse(key, rule, keys[key], UnsupportedProblemError)
    for other, name in OTHER_NAMES.items():
        if other in sections and name not in sections:
            sections[name] = sections.pop(other)
    is_tour = keys.get("TYPE") in TOURS  # the vehicle has no limit
    is_limited = "loads" in fields.shown() and not is_tour
    needed = ["DIMENSION", "EDGE_WEIGHT_TYPE"]
    if is_limited and "CAPACITY" not in sections:
        needed.append("CAPACITY")
    for key in needed:
        if key not in keys:
            fields.refuse(key, "is missing")
    size = fields.whole("DIMENSION")
    if size < 2:
        rule = "must count a depot and at least one customer"
        fields.refuse("DIMENSION", rule, size)
    capacity = fields.whole("CAPACITY") if "CAPACITY" in keys else 1
    if not 0 < capacity <= LARGEST_NUMBER:
        rule = f"must be positive and at most {LARGEST_NUMBER:g}"
        fields.refuse("CAPACITY", rule, keys["CAPACITY"])
    _check_type(fields)
    _check_names(fields)
    needs_demand = "CAPACITY" in keys and SHIPMENTS not in sections
    for section in SECTIONS:
        is_needed = section.name == "DEMAND" and needs_demand
        if section.of in ("node", "customer") and (
            section.name in sections or is_needed
        ):
            fields.require_rows(section, size)
    num_depots = _check_depots(fields, size)
    _check_weights(fields, size)
    num_vehicles = 1 if is_tour else size - num_depots
    if "VEHICLES" in keys:
        num_vehicles = fields.whole("VEHICLES")
        if num_vehicles < 1:
            fields.refuse("VEHICLES", "must be at least 1", num_vehicles)
    return _Sizes(size, num_depots, num_vehicles)


def _check_type(fields: VrplibFields) -> None:
    kind = fields.keys.get("TYPE", "VRP")
    shown = fields.shown()
    for word in TYPES[kind].split():
        if word not in shown:
            section = next(
                each
                for each in SECTIONS
                if word in (each.name, *each.shows.split())
            )
            field = "CAPACITY_SECTION" if word == "fleet" else section.field
            rule = f"is missing, and TYPE {kind} needs it"
            fields.refuse(field, rule, None, UnsupportedProblemError)


def _check_names(fields: VrplibFields) -> None:
    rule = "this field is not supported"
    for key, value in fields.keys.items():
        is_known = key in SECTION and SECTION[key].form != "section"
        if not (is_known or key in KEYS):
            fields.refuse(key, rule, value, UnsupportedProblemError)
    for name in fields.sections:
        field = f"{name}_SECTION"
        if name not in SECTION or SECTION[name].form == "key":
            fields.refuse(field, rule, None, UnsupportedProblemError)
        if name in fields.keys:
            fields.refuse(field, "must not be a key as well")


def _check_depots(fields: VrplibFields, size: int) -> int:
    field = "DEPOT_SECTION"
    if fields.keys.get("TYPE", "CVRP") not in WITH_DEPOTS:
        fields.sections.setdefault("DEPOT", ["1", "-1"])
    if "DEPOT" not in fields.sections:
        fields.refuse(field, "is missing")
    tokens = " ".join(fields.sections["DEPOT"]).split()
    depots = tokens[: tokens.index("-1")] if "-1" in tokens else tokens
    if tokens[len(depots) + 1 :]:
        fields.refuse(field, "must end with the first -1", " ".join(tokens))
    first = [str(number) for number in range(1, len(depots) + 1)]
    if depots != first or not 0 < len(depots) < size:
        rule = "the depots must be the first nodes: 1, 2, ..."
        value = " ".join(depots)
        fields.refuse(field, rule, value, UnsupportedProblemError)
    return len(depots)


def _check_weights(fields: VrplibFields, size: int) -> None:
    field = "EDGE_WEIGHT_SECTION"
    if fields.keys["EDGE_WEIGHT_TYPE"] != "EXPLICIT":
        if "NODE_COORD" not in fields.sections:
            fields.refuse("NODE_COORD_SECTION", "is missing")
        if "EDGE_WEIGHT" in fields.sections:
            fields.refuse(field, "must come with EDGE_WEIGHT_TYPE EXPLICIT")
        return
    layout = fields.keys.get("EDGE_WEIGHT_FORMAT")
    if layout not in LAYOUTS:
        rule = f"must be {', '.join(LAYOUTS)} for explicit weights"
        fields.refuse("EDGE_WEIGHT_FORMAT", rule, layout)
    if "EDGE_WEIGHT" not in fields.sections:
        fields.refuse(field, "is missing")
    expected = num_weights(layout, size)
    given = fields.num_weights()
    if given != expected:
        rule = f"must hold {counted(expected, 'weight')} for {size} nodes"
        fields.refuse(field, rule, given)
