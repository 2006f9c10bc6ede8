"""What a VRPLIB file has to satisfy to be an instance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.counts import counted
from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.io._vrplib_text import FREE_TEXT, LARGEST_NUMBER, excerpt
from ncc_routing.io._vrplib_weights import FUNCTIONS, LAYOUTS, num_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.io._vrplib_text import VrplibText

ROUNDING_OF_TYPE: Final = {
    "EUC_2D": "nearest",
    "CEIL_2D": "ceil",
    "FLOOR_2D": "floor",
    "EXACT_2D": "exact",
    "EXPLICIT": "none",
}
"""Name in ``rounding.ROUNDINGS`` of each EDGE_WEIGHT_TYPE."""

_EITHER: Final = (
    *("CAPACITY", "SERVICE_TIME", "RELEASE_TIME"),
    *("VEHICLES_MAX_DURATION", "VEHICLES_MAX_DISTANCE"),
    *("VEHICLES_FIXED_COST", "VEHICLES_UNIT_DISTANCE_COST"),
    "VEHICLES_MAX_RELOADS",
)
"""Fields that are a key or a section."""

_KNOWN_SPECIFICATIONS: Final = (
    *("TYPE", "DIMENSION", "VEHICLES", "DISTANCE"),
    *("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE"),
    "DISPLAY_DATA_TYPE",
    *_EITHER,
    *FREE_TEXT,
)
"""Keys that are read, or say nothing."""

_SECTIONS_OF_NODES: Final = (
    *("NODE_COORD", "DEMAND", "TIME_WINDOW"),
    *("SERVICE_TIME", "RELEASE_TIME", "BACKHAUL", "PRIZE"),
    "PICKUP_AND_DELIVERY",
)
"""Sections with a row for each node."""

_KNOWN_SECTIONS: Final = (
    *("DEPOT", "EDGE_WEIGHT", "DISPLAY_DATA", "VEHICLES_DEPOT"),
    *("VEHICLES_RELOAD_DEPOT", "VEHICLES_ALLOWED_CLIENTS"),
    "MUTUALLY_EXCLUSIVE_GROUP",
    *_EITHER,
    *_SECTIONS_OF_NODES,
)
"""Sections that are read, or say nothing."""

TOURS: Final = ("TSP", "ATSP")
"""Types with one vehicle, where VEHICLES does not say more."""

ALLOWED_VALUES: Final = {
    "TYPE": (
        *("CVRP", "ACVRP", "VRP", "DCVRP", "VRPTW", "CVRPTW"),
        *("HFVRP", "HVRP", "HFVRPTW", "MDVRP", "MDVRPTW", "GVRP", *TOURS),
        *("VRPB", "VRPSPD", "PCVRP", "PCVRPTW", "MTVRP", "MTVRPTW"),
        *("MTVRPTWR", "SDVRP", "SDVRPTW", "PDPTW", "PDVRPTW"),
    ),
    "EDGE_WEIGHT_TYPE": (*ROUNDING_OF_TYPE, *FUNCTIONS),
    "EDGE_WEIGHT_FORMAT": (*LAYOUTS, "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS", "NO_COORDS"),
}
"""Values of a key that can be read, where it is given."""


_LOADS: Final = (
    "DEMAND_SECTION",
    "BACKHAUL_SECTION",
    "PICKUP_AND_DELIVERY_SECTION",
)
"""Sections of what a vehicle carries."""

_NEEDED: Final = (
    ({"CVRP", "ACVRP", "DCVRP", "CVRPTW", "PCVRP", "PCVRPTW"}, _LOADS),
    (
        {"DCVRP"},
        ("DISTANCE", "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DURATION"),
    ),
    (
        {"HFVRP", "HVRP", "HFVRPTW"},
        (
            *("CAPACITY_SECTION", "VEHICLES_FIXED_COST_SECTION"),
            "VEHICLES_UNIT_DISTANCE_COST_SECTION",
            "VEHICLES_MAX_DURATION_SECTION",
            "VEHICLES_MAX_DISTANCE_SECTION",
        ),
    ),
    ({"MDVRP", "MDVRPTW"}, ("DEPOT_SECTION",)),
    ({"GVRP"}, ("MUTUALLY_EXCLUSIVE_GROUP_SECTION",)),
    ({"VRPB", "VRPSPD"}, ("BACKHAUL_SECTION",)),
    ({"PCVRP", "PCVRPTW"}, ("PRIZE_SECTION",)),
    ({"MTVRP", "MTVRPTW", "MTVRPTWR"}, ("VEHICLES_RELOAD_DEPOT_SECTION",)),
    ({"MTVRPTWR"}, ("RELEASE_TIME",)),
    ({"SDVRP", "SDVRPTW"}, ("VEHICLES_ALLOWED_CLIENTS_SECTION",)),
    ({"PDPTW", "PDVRPTW"}, ("PICKUP_AND_DELIVERY_SECTION",)),
    (
        {
            *("VRPTW", "CVRPTW", "HFVRPTW", "MDVRPTW", "PCVRPTW"),
            *("MTVRPTW", "MTVRPTWR", "SDVRPTW"),
        },
        ("TIME_WINDOW_SECTION",),
    ),
)
"""Types, and the fields without one of which they would mean another
problem."""


_WITH_DEPOTS: Final = ("CVRP", "ACVRP", "VRP", "DCVRP")
"""Types whose files name their depot; without it others begin with one."""

_REMARK: Final = re.compile(r"\s*\(.*\)$")
"""A remark behind a TYPE."""


def check_outline(text: VrplibText) -> tuple[int, int]:
    """Check all but the values of the nodes; return how many there are.

    The numbers are of all nodes and of depots, which come first. Linehauls
    become demands in ``text``.
    """
    given = text.specifications
    if "TYPE" in given:
        given["TYPE"] = _REMARK.sub("", given["TYPE"])
    for key, allowed in ALLOWED_VALUES.items():
        if key in given and given[key] not in allowed:
            rule = f"must be one of {', '.join(allowed)}"
            value = excerpt(given[key])
            raise UnsupportedProblemError(text.source, key, rule, value)
    if "LINEHAUL" in text.sections and "DEMAND" not in text.sections:
        text.sections["DEMAND"] = text.sections.pop("LINEHAUL")
    needed = ["DIMENSION", "EDGE_WEIGHT_TYPE"]
    is_tour = given.get("TYPE") in TOURS  # the vehicle has no limit
    if _has(text, _LOADS) and not is_tour and "CAPACITY" not in text.sections:
        needed.append("CAPACITY")
    for key in needed:
        if key not in given:
            raise InstanceError(text.source, key, "is missing")
    dimension = text.number("DIMENSION")
    if dimension < 2:
        rule = "must count a depot and at least one customer"
        raise InstanceError(text.source, "DIMENSION", rule, dimension)
    has_capacity = "CAPACITY" in given
    if has_capacity and not 0 < text.number("CAPACITY") <= LARGEST_NUMBER:
        rule = f"must be positive and at most {LARGEST_NUMBER:g}"
        value = given["CAPACITY"]
        raise InstanceError(text.source, "CAPACITY", rule, value)
    _check_type(text)
    _check_constraints(text)
    for name in _SECTIONS_OF_NODES:
        if name in text.sections:
            text.rows(name, dimension, "DIMENSION")
    num_depots = _check_depots(text, dimension)
    _check_weights(text, dimension)
    return dimension, num_depots


def node_order(dimension: int, num_depots: int) -> np.ndarray:
    """Return the row of each node: customers come before other depots."""
    rows = np.arange(dimension)
    return np.concatenate([rows[:1], rows[num_depots:], rows[1:num_depots]])


def _check_type(text: VrplibText) -> None:
    """Refuse a TYPE whose fields are missing."""
    kind = text.specifications.get("TYPE")
    for kinds, fields in _NEEDED:
        if kind in kinds and not _has(text, fields):
            field, rule = fields[0], f"is missing, of TYPE {kind}"
            raise UnsupportedProblemError(text.source, field, rule)


def _has(text: VrplibText, fields: Iterable[str]) -> bool:
    """Whether a file has one of some keys or sections."""
    return any(
        field in text.specifications
        or field.removesuffix("_SECTION") in text.sections
        for field in fields
    )


def _check_constraints(text: VrplibText) -> None:
    """Refuse every field that says more than an instance can hold."""
    rule = "this field is not supported"
    for key, value in text.specifications.items():
        if key not in _KNOWN_SPECIFICATIONS:
            value = excerpt(value)
            raise UnsupportedProblemError(text.source, key, rule, value)
    for name in text.sections:
        field = f"{name}_SECTION"
        if name not in _KNOWN_SECTIONS:
            raise UnsupportedProblemError(text.source, field, rule)
        if name in text.specifications:
            rule = "must not be a key as well"
            raise InstanceError(text.source, field, rule)


def _check_depots(text: VrplibText, dimension: int) -> int:
    """Check that the depots are the first nodes, and count them."""
    field = "DEPOT_SECTION"
    if text.specifications.get("TYPE", "CVRP") not in _WITH_DEPOTS:
        text.sections.setdefault("DEPOT", ["1", "-1"])
    if "DEPOT" not in text.sections:
        raise InstanceError(text.source, field, "is missing")
    tokens = " ".join(text.sections["DEPOT"]).split()
    depots = tokens[: tokens.index("-1")] if "-1" in tokens else tokens
    if tokens[len(depots) + 1 :]:
        rule = "must end with the first -1"
        value = excerpt(" ".join(tokens))
        raise InstanceError(text.source, field, rule, value)
    first = [str(number) for number in range(1, len(depots) + 1)]
    if depots != first or not 0 < len(depots) < dimension:
        rule = "the depots must be the first nodes: 1, 2, ..."
        value = excerpt(" ".join(depots))
        raise UnsupportedProblemError(text.source, field, rule, value)
    text.sections["DEPOT"][:] = [*first, "-1"]
    return len(depots)


def _check_weights(text: VrplibText, dimension: int) -> None:
    """Check that there are as many distances as the file needs."""
    field = "EDGE_WEIGHT_SECTION"
    if text.specifications["EDGE_WEIGHT_TYPE"] != "EXPLICIT":
        if "NODE_COORD" not in text.sections:
            rule = "is missing"
            raise InstanceError(text.source, "NODE_COORD_SECTION", rule)
        if "EDGE_WEIGHT" in text.sections:
            rule = "must come with EDGE_WEIGHT_TYPE EXPLICIT"
            raise InstanceError(text.source, field, rule)
        return
    layout = text.specifications.get("EDGE_WEIGHT_FORMAT")
    if layout not in LAYOUTS:
        rule = f"must be {', '.join(LAYOUTS)} for explicit weights"
        raise InstanceError(text.source, "EDGE_WEIGHT_FORMAT", rule, layout)
    if "EDGE_WEIGHT" not in text.sections:
        raise InstanceError(text.source, field, "is missing")
    expected = num_weights(layout, dimension)
    found = sum(len(line.split()) for line in text.sections["EDGE_WEIGHT"])
    if found != expected:
        rule = f"must hold {counted(expected, 'weight')} for {dimension} nodes"
        raise InstanceError(text.source, field, rule, found)
