"""Problems from named values, which every form of file gives alike."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Values = dict[str, Any]
"""What a file says, by fields of the problem."""


def build_instance(values: Mapping[str, Any]) -> Instance:
    """Return the instance of named values.

    Parameters
    ----------
    values
        What a file says, by fields of ``Instance``, ``Loads``,
        ``TimeWindows``, ``Selection`` and ``RouteConstraints``; arrays have an
        entry for each node: the first depot, the customers, further depots.
        ``delivery`` must be there, in place of ``demands``. Both it and
        ``pickup`` have a column for each load dimension.
        ``capacity`` is that of a ``fleet`` where there is one. Without
        ``required``, customers without a prize and a group are mandatory.

    Raises
    ------
    InstanceError
        If the values are no problem.
    """
    rest = dict(values)
    loads, times, choice, constraints = (
        {name: rest.pop(name) for name in names if name in rest}
        for names in (
            [field.name for field in fields(part)]
            for part in (Loads, TimeWindows, Selection, RouteConstraints)
        )
    )
    size = len(loads["delivery"])
    if rest.get("fleet"):
        rest["capacity"] = rest["fleet"].capacity
    return Instance(
        demands=loads["delivery"][:, 0],
        windows=TimeWindows.of(size, **times) if times else None,
        loads=_loads(**loads),
        selection=_selection(size, **choice) if choice else None,
        constraints=_rules(**constraints),
        **rest,
    )


def _loads(
    delivery: np.ndarray, pickup: np.ndarray | None = None
) -> Loads | None:
    """Return the loads, ``None`` where the demands say it all."""
    if pickup is None:
        pickup = np.zeros_like(delivery)
    if delivery.shape[1] == 1 and not pickup.any():
        return None
    return Loads(delivery, pickup)


def _selection(size: int, **choice: Any) -> Selection:
    choice = {"prizes": np.zeros(size), "groups": (), **choice}
    if "required" not in choice:
        choice["required"] = choice["prizes"] == 0
        for group in choice["groups"]:
            choice["required"][list(group.customers)] = False
    return Selection(**choice)


def _rules(**given: Any) -> RouteConstraints | None:
    """Return the constraints of routes, ``None`` where there are none."""
    constraints = RouteConstraints(**given)
    has_districts = max(constraints.districts, default=-1) >= 0
    return constraints if constraints.features or has_districts else None


@contextmanager
def in_words_of(
    source: object, fields: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Name the file and its words for fields in errors about a problem."""
    try:
        yield
    except InstanceError as error:
        field = (fields or {}).get(error.field, error.field)
        raise type(error)(source, field, error.rule, error.value) from None
