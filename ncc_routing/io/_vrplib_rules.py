"""What a VRPLIB file has to satisfy to be a CVRP that can be solved here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.io._vrplib_text import excerpt

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.io._vrplib_text import VrplibText

LARGEST_NUMBER: Final = 1e9
"""Bound on coordinates, weights, demands and capacities of a file.

Sums of a million of them are still exact in float64.
"""

ROUNDING_OF_TYPE: Final = {
    "EUC_2D": "nearest",
    "CEIL_2D": "ceil",
    "FLOOR_2D": "floor",
    "EXACT_2D": "exact",
    "EXPLICIT": "none",
}
"""Name in ``rounding.ROUNDINGS`` of each EDGE_WEIGHT_TYPE."""

ROUNDING_REMEDY: Final = (
    "scale the coordinates, or take EXACT_2D or metric 'paper' (unrounded); "
    "longitude and latitude go in a table with columns lon and lat"
)
"""What to do about a file whose distances are rounded away."""

_KNOWN_SPECIFICATIONS: Final = (
    "NAME",
    "COMMENT",
    "TYPE",
    "DIMENSION",
    "CAPACITY",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
    "VEHICLES",
    "AUTHOR",
    "SOURCE",
)
"""Keys that say nothing beyond the CVRP, or are checked below."""

_KNOWN_SECTIONS: Final = frozenset(
    ["NODE_COORD", "DEMAND", "DEPOT", "EDGE_WEIGHT", "DISPLAY_DATA"]
)
"""Sections of the same kind."""

_ALLOWED_VALUES: Final = {
    "TYPE": ("CVRP", "ACVRP"),
    "EDGE_WEIGHT_TYPE": tuple(ROUNDING_OF_TYPE),
    "EDGE_WEIGHT_FORMAT": ("FULL_MATRIX", "LOWER_ROW", "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS", "NO_COORDS"),
}
"""Values of a key that can be read, where it is given."""


def check_outline(text: VrplibText) -> int:
    """Check everything but the values of the nodes.

    The depot and the explicit weights are brought into the one layout that
    vrplib reads right.

    Parameters
    ----------
    text
        The split file; its depot and weight sections are modified in place.

    Returns
    -------
    int
        The number of nodes.

    Raises
    ------
    InstanceError
        If a field is missing or breaks a rule of the format.
    UnsupportedProblemError
        If a field asks for more than the capacity constraint.
    """
    given = text.specifications
    for key, allowed in _ALLOWED_VALUES.items():
        if key in given and given[key] not in allowed:
            rule = f"must be one of {', '.join(allowed)}"
            value = excerpt(given[key])
            raise UnsupportedProblemError(text.source, key, rule, value)
    for key in ("DIMENSION", "EDGE_WEIGHT_TYPE", "CAPACITY"):
        if key not in given:
            raise InstanceError(text.source, key, "is missing")
    dimension = text.number("DIMENSION")
    if dimension < 2:
        rule = "must count a depot and at least one customer"
        raise InstanceError(text.source, "DIMENSION", rule, dimension)
    if not 0 < text.number("CAPACITY") <= LARGEST_NUMBER:
        rule = f"must be positive and at most {LARGEST_NUMBER:g}"
        value = given["CAPACITY"]
        raise InstanceError(text.source, "CAPACITY", rule, value)
    _check_constraints(text, dimension)
    _check_depot(text)
    _check_weights(text, dimension)
    return dimension


def _check_constraints(text: VrplibText, dimension: int) -> None:
    """Refuse every field that may say more than the capacity does."""
    rule = "this field is not supported; a CVRP has no such constraint"
    for key, value in text.specifications.items():
        if key == "SERVICE_TIME" and value in ("0", "0.0"):
            continue  # no time limit comes with it, and it takes none
        if key not in _KNOWN_SPECIFICATIONS:
            value = excerpt(value)
            raise UnsupportedProblemError(text.source, key, rule, value)
    for name in text.sections:
        if name not in _KNOWN_SECTIONS:
            field = f"{name}_SECTION"
            raise UnsupportedProblemError(text.source, field, rule)
    if "VEHICLES" in text.specifications:
        vehicles = text.number("VEHICLES")
        if vehicles < dimension - 1:  # one a customer would be no limit
            rule = "a limit on the number of vehicles is not supported"
            field = "VEHICLES"
            raise UnsupportedProblemError(text.source, field, rule, vehicles)


def _check_depot(text: VrplibText) -> None:
    field = "DEPOT_SECTION"
    if "DEPOT" not in text.sections:
        raise InstanceError(text.source, field, "is missing")
    tokens = " ".join(text.sections["DEPOT"]).split()
    depots = tokens[: tokens.index("-1")] if "-1" in tokens else tokens
    if len(depots) > 1:
        rule = "must name one depot"
        value = excerpt(" ".join(depots))
        raise UnsupportedProblemError(text.source, field, rule, value)
    if depots != ["1"]:
        rule = "the depot must be node 1"
        value = excerpt(" ".join(depots))
        raise UnsupportedProblemError(text.source, field, rule, value)
    text.sections["DEPOT"][:] = ["1", "-1"]


def _check_weights(text: VrplibText, dimension: int) -> None:
    """Check the number of explicit weights; put them in rows as named."""
    field = "EDGE_WEIGHT_SECTION"
    if text.specifications["EDGE_WEIGHT_TYPE"] != "EXPLICIT":
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
    lines = text.sections["EDGE_WEIGHT"]
    weights = " ".join(lines).split()
    expected = dimension * dimension
    if layout == "LOWER_ROW":
        expected = dimension * (dimension - 1) // 2
    if len(weights) != expected:
        rule = f"must hold {expected} weights for {dimension} nodes"
        raise InstanceError(text.source, field, rule, len(weights))
    step = dimension if layout == "FULL_MATRIX" else expected
    # A matrix may be wrapped anywhere, but vrplib takes lines for rows.
    lines[:] = [
        " ".join(weights[start : start + step])
        for start in range(0, expected, step)
    ]


def node_values(
    text: VrplibText,
    values: dict[str, object],
    section: str,
    dimension: int,
    width: int,
) -> np.ndarray:
    """Return the values of a section in the order of the node numbers.

    Parameters
    ----------
    text
        The split file.
    values
        What vrplib read from it.
    section
        Name of the section, without ``_SECTION``.
    dimension
        Number of nodes.
    width
        Values per node.

    Returns
    -------
    numpy.ndarray
        Float64 array of shape (dimension, width).

    Raises
    ------
    InstanceError
        If the section is missing or one of its rows is wrong.
    """
    lines = text.rows(section, dimension)
    field = f"{section}_SECTION"
    row_of = text.positions(section, dimension)
    for line in lines:
        if len(line.split()) != width + 1:
            rule = f"a row must hold a node number and {width} value(s)"
            raise InstanceError(text.source, field, rule, excerpt(line))
    array = finite_numbers(text.source, field, values[section.lower()])
    if array.size != dimension * width:
        # vrplib stops reading at a row with EOF anywhere in it.
        rule = f"every row must hold a node number and {width} number(s)"
        raise InstanceError(text.source, field, rule)
    array = array.reshape(dimension, width)
    return array if row_of is None else array[row_of]


def finite_numbers(file: Path, field: str, values: object) -> np.ndarray:
    """Return the values as float64, all of them of a sensible size.

    Raises
    ------
    InstanceError
        If a value is not a number, not finite, or huge.
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        rule = f"every value must be a number ({excerpt(str(error))})"
        raise InstanceError(file, field, rule) from None
    for value in array[~(np.abs(array) <= LARGEST_NUMBER)][:1]:
        rule = f"every value must be finite and at most {LARGEST_NUMBER:g}"
        raise InstanceError(file, field, rule, float(value))
    return array
