"""What a VRPLIB file has to satisfy to be an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.io._vrplib_text import LARGEST_NUMBER, excerpt

if TYPE_CHECKING:
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
    *("NAME", "COMMENT", "AUTHOR", "SOURCE", "TYPE", "DIMENSION"),
    *("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE"),
    *("DISPLAY_DATA_TYPE", "VEHICLES", "DISTANCE", *_EITHER),
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

ALLOWED_VALUES: Final = {
    "TYPE": (
        *("CVRP", "ACVRP", "VRP", "DCVRP", "VRPTW", "CVRPTW"),
        *("HFVRP", "HVRP", "HFVRPTW", "MDVRP", "MDVRPTW", "TSP", "GVRP"),
        *("VRPB", "VRPSPD", "PCVRP", "PCVRPTW", "MTVRP", "MTVRPTW"),
        *("MTVRPTWR", "SDVRP", "SDVRPTW", "PDPTW", "PDVRPTW"),
    ),
    "EDGE_WEIGHT_TYPE": tuple(ROUNDING_OF_TYPE),
    "EDGE_WEIGHT_FORMAT": ("FULL_MATRIX", "LOWER_ROW", "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS", "NO_COORDS"),
}
"""Values of a key that can be read, where it is given."""


_NEEDED: Final = {
    "GVRP": "MUTUALLY_EXCLUSIVE_GROUP",
    **dict.fromkeys(("VRPB", "VRPSPD"), "BACKHAUL"),
    **dict.fromkeys(("PCVRP", "PCVRPTW"), "PRIZE"),
    **dict.fromkeys(("MTVRP", "MTVRPTW"), "VEHICLES_RELOAD_DEPOT"),
    "MTVRPTWR": "VEHICLES_RELOAD_DEPOT",
    **dict.fromkeys(("SDVRP", "SDVRPTW"), "VEHICLES_ALLOWED_CLIENTS"),
    **dict.fromkeys(("PDPTW", "PDVRPTW"), "PICKUP_AND_DELIVERY"),
}
"""The section without which a TYPE would mean something else."""


_WITH_DEPOTS: Final = ("CVRP", "ACVRP", "VRP", "DCVRP")
"""Types whose files name their depot; without it others begin with one."""


_LOADS: Final = frozenset({"DEMAND", "BACKHAUL", "PICKUP_AND_DELIVERY"})
"""Sections of what a vehicle carries."""


def check_outline(text: VrplibText) -> tuple[int, int]:
    """Check all but the values of the nodes; return how many there are.

    The numbers are of all nodes and of depots, which come first. Linehauls
    become demands in ``text``.
    """
    given = text.specifications
    for key, allowed in ALLOWED_VALUES.items():
        if key in given and given[key] not in allowed:
            rule = f"must be one of {', '.join(allowed)}"
            value = excerpt(given[key])
            raise UnsupportedProblemError(text.source, key, rule, value)
    if "LINEHAUL" in text.sections and "DEMAND" not in text.sections:
        text.sections["DEMAND"] = text.sections.pop("LINEHAUL")
    needed = ["DIMENSION", "EDGE_WEIGHT_TYPE"]
    has_loads = not _LOADS.isdisjoint(text.sections)
    if has_loads and "CAPACITY" not in text.sections:
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
    needed_section = _NEEDED.get(given.get("TYPE", ""))
    if needed_section and needed_section not in text.sections:
        rule = f"is missing, of TYPE {given['TYPE']}"
        field = f"{needed_section}_SECTION"
        raise UnsupportedProblemError(text.source, field, rule)
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
    if layout not in ("FULL_MATRIX", "LOWER_ROW"):
        rule = "must be FULL_MATRIX or LOWER_ROW for explicit weights"
        raise InstanceError(text.source, "EDGE_WEIGHT_FORMAT", rule, layout)
    if "EDGE_WEIGHT" not in text.sections:
        raise InstanceError(text.source, field, "is missing")
    expected = dimension * dimension
    if layout == "LOWER_ROW":
        expected = dimension * (dimension - 1) // 2
    found = sum(len(line.split()) for line in text.sections["EDGE_WEIGHT"])
    if found != expected:
        rule = f"must hold {expected} weights for {dimension} nodes"
        raise InstanceError(text.source, field, rule, found)
