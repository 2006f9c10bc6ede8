"""What a VRPLIB file has to satisfy to be an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

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
    "VEHICLES_MAX_DURATION",
    "VEHICLES_MAX_DISTANCE",
    "VEHICLES_FIXED_COST",
    "VEHICLES_UNIT_DISTANCE_COST",
    "DISTANCE",
    "SERVICE_TIME",
    "RELEASE_TIME",
    "AUTHOR",
    "SOURCE",
)
"""Keys that are read, or say nothing."""

_KNOWN_SECTIONS: Final = frozenset(
    [
        "NODE_COORD",
        "DEMAND",
        "DEPOT",
        "EDGE_WEIGHT",
        "DISPLAY_DATA",
        "CAPACITY",
        "TIME_WINDOW",
        "SERVICE_TIME",
        "RELEASE_TIME",
        "VEHICLES_DEPOT",
        "VEHICLES_MAX_DURATION",
        "VEHICLES_MAX_DISTANCE",
        "VEHICLES_FIXED_COST",
        "VEHICLES_UNIT_DISTANCE_COST",
    ]
)
"""Sections of the same kind."""

_SECTIONS_OF_NODES: Final = (
    "NODE_COORD",
    "DEMAND",
    "TIME_WINDOW",
    "SERVICE_TIME",
    "RELEASE_TIME",
)
"""Sections with a row for each node."""

_HARMLESS_ZEROS: Final = ("BACKHAUL", "PRIZE")
"""Sections that say nothing where all their values are 0."""

_ALLOWED_VALUES: Final = {
    "TYPE": (
        "CVRP",
        "ACVRP",
        "VRP",
        "DCVRP",
        "VRPTW",
        "CVRPTW",
        "HFVRP",
        "HVRP",
        "HFVRPTW",
        "MDVRP",
        "MDVRPTW",
    ),
    "EDGE_WEIGHT_TYPE": tuple(ROUNDING_OF_TYPE),
    "EDGE_WEIGHT_FORMAT": ("FULL_MATRIX", "LOWER_ROW", "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS", "NO_COORDS"),
}
"""Values of a key that can be read, where it is given."""


class Outline(NamedTuple):
    """How many nodes a file has.

    Attributes
    ----------
    dimension
        Number of nodes, depots included.
    num_depots
        Number of depots, the first nodes of the file.
    """

    dimension: int
    num_depots: int

    @property
    def order(self) -> np.ndarray:
        """Row of each node of an instance: customers before other depots."""
        nodes = np.arange(self.dimension)
        return np.concatenate(
            [nodes[:1], nodes[self.num_depots :], nodes[1 : self.num_depots]]
        )


def check_outline(text: VrplibText) -> Outline:
    """Check everything but the values of the nodes.

    The depots and the explicit weights are brought into the one layout that
    vrplib reads right, and linehauls become demands.

    Parameters
    ----------
    text
        The split file; its depot and weight sections are modified in place.

    Returns
    -------
    Outline
        The numbers of nodes and depots.

    Raises
    ------
    InstanceError
        If a field is missing or breaks a rule of the format.
    UnsupportedProblemError
        If a field asks for more than an instance can hold.
    """
    given = text.specifications
    for key, allowed in _ALLOWED_VALUES.items():
        if key in given and given[key] not in allowed:
            rule = f"must be one of {', '.join(allowed)}"
            value = excerpt(given[key])
            raise UnsupportedProblemError(text.source, key, rule, value)
    if "LINEHAUL" in text.sections and "DEMAND" not in text.sections:
        text.sections["DEMAND"] = text.sections.pop("LINEHAUL")
    needed = ["DIMENSION", "EDGE_WEIGHT_TYPE"]
    if "DEMAND" in text.sections and "CAPACITY" not in text.sections:
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
    _check_constraints(text)
    for name in _SECTIONS_OF_NODES:
        if name in text.sections:
            text.rows(name, dimension)
    num_depots = _check_depots(text, dimension)
    _check_weights(text, dimension)
    return Outline(dimension, num_depots)


def _check_constraints(text: VrplibText) -> None:
    """Refuse every field that says more than an instance can hold."""
    rule = "this field is not supported"
    for key, value in text.specifications.items():
        if key not in _KNOWN_SPECIFICATIONS:
            value = excerpt(value)
            raise UnsupportedProblemError(text.source, key, rule, value)
    for name, lines in text.sections.items():
        field = f"{name}_SECTION"
        if name in _HARMLESS_ZEROS:
            if any(line.split()[1:] != ["0"] for line in lines):
                rule = "values other than 0 are not supported"
                raise UnsupportedProblemError(text.source, field, rule)
        elif name not in _KNOWN_SECTIONS:
            raise UnsupportedProblemError(text.source, field, rule)
        elif name in text.specifications:
            rule = "must not be a key as well"
            raise InstanceError(text.source, field, rule)


def _check_depots(text: VrplibText, dimension: int) -> int:
    """Check that the depots are the first nodes, and count them."""
    field = "DEPOT_SECTION"
    if "DEPOT" not in text.sections:
        raise InstanceError(text.source, field, "is missing")
    tokens = " ".join(text.sections["DEPOT"]).split()
    depots = tokens[: tokens.index("-1")] if "-1" in tokens else tokens
    first = [str(number) for number in range(1, len(depots) + 1)]
    if depots != first or not 0 < len(depots) < dimension:
        rule = "the depots must be the first nodes: 1, 2, ..."
        value = excerpt(" ".join(depots))
        raise UnsupportedProblemError(text.source, field, rule, value)
    text.sections["DEPOT"][:] = [*first, "-1"]
    return len(depots)


def _check_weights(text: VrplibText, dimension: int) -> None:
    """Check the number of explicit weights; put them in rows as named."""
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
    *,
    largest: float = LARGEST_NUMBER,
    of: str = "DIMENSION",
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
    largest
        Bound on the values. Default ``LARGEST_NUMBER``.
    of
        What the rows are: see ``VrplibText.rows``.

    Returns
    -------
    numpy.ndarray
        Float64 array of shape (dimension, width).

    Raises
    ------
    InstanceError
        If the section is missing or one of its rows is wrong.
    """
    lines = text.rows(section, dimension, of)
    field = f"{section}_SECTION"
    row_of = text.positions(section, dimension, of)
    for line in lines:
        if len(line.split()) != width + 1:
            rule = f"a row must hold a node number and {width} value(s)"
            raise InstanceError(text.source, field, rule, excerpt(line))
    # vrplib may have stopped reading before the section.
    array = finite_numbers(
        text.source, field, values.get(section.lower(), []), largest
    )
    if array.size != dimension * width:
        # vrplib stops reading at a row with EOF anywhere in it.
        rule = f"every row must hold a node number and {width} number(s)"
        raise InstanceError(text.source, field, rule)
    array = array.reshape(dimension, width)
    return array if row_of is None else array[row_of]


def finite_numbers(
    file: Path, field: str, values: object, largest: float = LARGEST_NUMBER
) -> np.ndarray:
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
    for value in array[~(np.abs(array) <= largest)][:1]:
        rule = f"every value must be finite and at most {largest:g}"
        raise InstanceError(file, field, rule, float(value))
    return array
