"""Files of problems of several days, in the form of the ConVRP sets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.core.text import counted, number_of
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.io._vrplib_instance import instance_of
from ncc_routing.io._vrplib_text import VrplibFields, numbers_in, split_text
from ncc_routing.io.metrics import require_metric
from ncc_routing.io.names import find_instance

if TYPE_CHECKING:
    import os

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


def read_days(  # noqa: C901
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
    require_metric(metric)
    file = require_path(path, "days")
    if not is_standard_input(file):
        file = find_instance(path)
    fields = split_text(file, read_text(file))
    if "NUM_DAYS" not in fields.keys:
        rule = "is missing: read() takes a file of one day"
        fields.refuse("NUM_DAYS", rule)
    _refuse_unknown(fields)
    if "CAPACITY" not in fields.keys:
        fields.refuse("CAPACITY", "is missing")
    num_days = fields.whole("NUM_DAYS")
    if num_days < 1:
        fields.refuse("NUM_DAYS", "must be at least 1", num_days)
    places = _table(fields, "NODE_COORD", 2)
    demands = _table(fields, "DEMAND", num_days, len(places))
    services = np.zeros_like(demands)
    if "SVC_TIME" in fields.sections:
        services = _table(fields, "SVC_TIME", num_days, len(places))
    depot = [line.split() for line in fields.sections.get("DEPOT", [])]
    if not depot or len(depot[0]) != 2 or depot[1:] not in ([], [["-1"]]):
        rule = "must be the place of the one depot, and -1"
        fields.refuse("DEPOT_SECTION", rule)
    if "DIMENSION" in fields.keys:
        size = fields.whole("DIMENSION")
        if size not in (len(places), len(places) + 1):
            customers = counted(len(places), "customer")
            rule = f"must be that of {customers} and a depot"
            fields.refuse("DIMENSION", rule, size)
    keys = {
        "TYPE": "CVRP",
        "CAPACITY": fields.keys["CAPACITY"],
        "EDGE_WEIGHT_TYPE": "EUC_2D",
    }
    if "DISTANCE" in fields.keys and fields.real("DISTANCE") < _NO_LIMIT:
        keys["VEHICLES_MAX_DURATION"] = fields.keys["DISTANCE"]
    depot_place = numbers_in(file, "NODE_COORD_SECTION", depot[:1])
    days = []
    for day in range(num_days):
        served = np.flatnonzero(demands[:, day] != _NO_SERVICE)
        if len(served) == 0:
            rule = f"day {day + 1} must have a customer"
            fields.refuse("DEMAND_SECTION", rule)
        sections = {
            "NODE_COORD": np.concatenate([depot_place, places[served]]),
            "DEMAND": np.append(0.0, demands[served, day])[:, None],
            "DEPOT": ["1", "-1"],
        }
        if (services[served, day] > 0).any():
            times = np.append(0.0, services[served, day])
            sections["SERVICE_TIME"] = times[:, None]
        per_day = {
            "NAME": f"{file.stem}-day{day + 1}",
            "DIMENSION": str(len(served) + 1),
        }
        instance = instance_of(
            VrplibFields(file, per_day | keys, sections), metric
        )
        ids = ("0", *map(str, (served + 1).tolist()))
        days.append(replace(instance, ids=ids))
    return tuple(days)


def _refuse_unknown(fields: VrplibFields) -> None:
    for key, value in fields.keys.items():
        if key not in _VALUES:
            rule = "this field is not supported in a file of several days"
            fields.refuse(key, rule, None, UnsupportedProblemError)
        known = _VALUES[key]
        if known and value.strip().upper() not in known:
            rule = f"must be {' or '.join(known)}"
            fields.refuse(key, rule, value, UnsupportedProblemError)
    for section in fields.sections:
        if section not in _SECTIONS:
            rule = "is not supported in a file of several days"
            field = f"{section}_SECTION"
            fields.refuse(field, rule, None, UnsupportedProblemError)


def _table(
    fields: VrplibFields, section: str, width: int, size: int | None = None
) -> np.ndarray:
    """Return the numbers of a section whose rows are numbered 1, 2, ...

    ``size`` is that of NODE_COORD, whose rows say how many there are.
    """
    field = f"{section}_SECTION"
    lines = fields.sections.get(section, [])
    if len(lines) != (size or max(1, len(lines))):
        rule = f"must list {counted(size or 1, 'customer')}"
        fields.refuse(field, rule, len(lines))
    values = []
    for number, line in enumerate(lines, start=1):
        first, *rest = line.split()
        row = [number_of(word) for word in rest]
        if first != str(number) or len(row) != width:
            rule = f"row {number} must hold {number} and {width} value(s)"
            fields.refuse(field, rule, line)
        if not np.isfinite(row).all():
            rule = f"row {number}: every value must be a finite number"
            fields.refuse(field, rule, line)
        values.append(row)
    return np.array(values)
