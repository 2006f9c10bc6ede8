"""Files of problems of several days, in the form of the ConVRP sets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.counts import counted
from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.core.numerals import number_of
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.io._vrplib_text import excerpt, split_text
from ncc_routing.io.names import find_instance
from ncc_routing.io.vrplib import parse_instance

if TYPE_CHECKING:
    import os

    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.problems.instance import Instance

_NO_LIMIT: Final = 9_999_999
"""What stands for a day without an end."""

_VALUES: Final = {
    **dict.fromkeys(("NAME", "COMMENT", "DIMENSION", "NUM_DAYS"), ()),
    **dict.fromkeys(("CAPACITY", "DISTANCE"), ()),
    "TYPE": ("CVRP", "CONVRP"),
    "EDGE_WEIGHT_TYPE": ("FUNCTION", "EUC_2D"),
    "EDGE_WEIGHT_FORMAT": ("EUC_2D", "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS",),
    "DISPLAY_DATA_TYPE": (),
}
"""Fields of the head, and the values that a file may have; none: any."""

_SECTIONS: Final = (
    *("NODE_COORD", "DEMAND", "SVC_TIME", "DEPOT"),
    "DISPLAY_DATA",
)

_NO_SERVICE: Final = -1.0
"""Demand of a customer who is not served on a day."""


def read_days(
    path: str | os.PathLike[str], metric: str = "cvrplib"
) -> tuple[Instance, ...]:
    """Read a file with the customers of several days.

    The form is that of the sets of Groër, Golden and Wasil: NUM_DAYS days,
    a demand for each of them (-1 for no service), the service times of each,
    and a DISTANCE that limits the duration of a route, services included.

    Parameters
    ----------
    path
        A file, the name of a known one, or "-" for standard input.
    metric
        As for :func:`ncc_routing.read`. The literature does not round:
        "none". Default "cvrplib", which rounds to the nearest integer.

    Returns
    -------
    tuple[Instance, ...]
        The days, each with its own customers. The id of a customer is its
        number in the file, that of the depot "0".

    Raises
    ------
    InstanceError
        If the file is missing or wrong; the message names the field.
    UnsupportedProblemError
        If it has another field or section, or a value that is not supported.

    References
    ----------
    C. Groër, B. Golden, E. Wasil (2009). The consistent vehicle routing
    problem. Manufacturing & Service Operations Management 11(4).
    """
    file = require_path(path, "days")
    if not is_standard_input(file):
        file = find_instance(path)
    text = split_text(file, read_text(file))
    if "NUM_DAYS" not in text.specifications:
        rule = "is missing: read() takes a file of one day"
        raise InstanceError(file, "NUM_DAYS", rule)
    _refuse_unknown(text)
    if "CAPACITY" not in text.specifications:
        raise InstanceError(file, "CAPACITY", "is missing")
    num_days = text.number("NUM_DAYS")
    if num_days < 1:
        raise InstanceError(file, "NUM_DAYS", "must be at least 1", num_days)
    places = _table(text, "NODE_COORD", 2)
    demands = _table(text, "DEMAND", num_days, len(places))
    services = np.zeros_like(demands)
    if "SVC_TIME" in text.sections:
        services = _table(text, "SVC_TIME", num_days, len(places))
    depot = [line.split() for line in text.sections.get("DEPOT", [])]
    if not depot or len(depot[0]) != 2 or depot[1:] not in ([], [["-1"]]):
        rule = "must be the place of the one depot, and -1"
        raise InstanceError(file, "DEPOT_SECTION", rule)
    if "DIMENSION" in text.specifications:
        size = text.number("DIMENSION")
        if size not in (len(places), len(places) + 1):
            customers = counted(len(places), "customer")
            rule = f"must be that of {customers} and a depot"
            raise InstanceError(file, "DIMENSION", rule, size)
    if "DISTANCE" in text.specifications:
        text.real("DISTANCE")
    days = []
    for day in range(num_days):
        served = np.flatnonzero(demands[:, day] != _NO_SERVICE)
        if len(served) == 0:
            rule = f"day {day + 1} must have a customer"
            raise InstanceError(file, "DEMAND_SECTION", rule)
        rows = zip(
            places[served].tolist(),
            demands[served, day].tolist(),
            services[served, day].tolist(),
            strict=True,
        )
        content = _as_vrplib(text, day, depot[0], list(rows))
        instance = parse_instance(file, content, metric)
        ids = ("0", *map(str, (served + 1).tolist()))
        days.append(replace(instance, ids=ids))
    return tuple(days)


def _refuse_unknown(text: VrplibText) -> None:
    """Refuse what may be a constraint that is not read."""
    for key, value in text.specifications.items():
        if key not in _VALUES:
            rule = "this field is not supported in a file of several days"
            raise UnsupportedProblemError(text.source, key, rule)
        known = _VALUES[key]
        if known and value.strip().upper() not in known:
            rule = f"must be {' or '.join(known)}"
            raise UnsupportedProblemError(text.source, key, rule, value)
    for section in text.sections:
        if section not in _SECTIONS:
            rule = "is not supported in a file of several days"
            field = f"{section}_SECTION"
            raise UnsupportedProblemError(text.source, field, rule)


def _table(
    text: VrplibText, section: str, width: int, size: int | None = None
) -> np.ndarray:
    """Return the numbers of a section whose rows are numbered 1, 2, ...

    ``size`` is that of NODE_COORD, whose rows say how many there are.
    """
    field = f"{section}_SECTION"
    lines = text.sections.get(section, [])
    if len(lines) != (size or max(1, len(lines))):
        rule = f"must list {counted(size or 1, 'customer')}"
        raise InstanceError(text.source, field, rule, len(lines))
    values = []
    for number, line in enumerate(lines, start=1):
        first, *rest = line.split()
        row = [number_of(word) for word in rest]
        if first != str(number) or len(row) != width:
            rule = f"row {number} must hold {number} and {width} value(s)"
            raise InstanceError(text.source, field, rule, excerpt(line))
        if not np.isfinite(row).all():
            rule = f"row {number}: every value must be a finite number"
            raise InstanceError(text.source, field, rule, excerpt(line))
        values.append(row)
    return np.array(values)


def _as_vrplib(
    text: VrplibText,
    day: int,
    depot: list[str],
    rows: list[tuple[list[float], float, float]],
) -> str:
    """Return the text of one day in VRPLIB form."""
    given = text.specifications
    head = [
        f"NAME: {text.source.stem}-day{day + 1}",
        "TYPE: CVRP",
        f"DIMENSION: {len(rows) + 1}",
        f"CAPACITY: {given['CAPACITY']}",
        "EDGE_WEIGHT_TYPE: EUC_2D",
    ]
    if "DISTANCE" in given and text.real("DISTANCE") < _NO_LIMIT:
        head.append(f"VEHICLES_MAX_DURATION: {given['DISTANCE']}")
    body = {
        "NODE_COORD": [
            " ".join(depot),
            *(f"{x} {y}" for (x, y), _, _ in rows),
        ],
        "DEMAND": ["0", *(str(demand) for _, demand, _ in rows)],
    }
    if any(service > 0 for _, _, service in rows):
        own = (str(service) for _, _, service in rows)
        body["SERVICE_TIME"] = ["0", *own]
    for section, entries in body.items():
        head.append(f"{section}_SECTION")
        numbered = enumerate(entries, start=1)
        head += [f"{number} {entry}" for number, entry in numbered]
    return "\n".join([*head, "DEPOT_SECTION", "1", "-1", "EOF"])
