"""PyVRP's data, and what of them no search here respects.

Importing this module imports pyvrp.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import naming_the_extra

with naming_the_extra():
    import pyvrp as pyvrp
    from pyvrp.constants import MAX_VALUE as MAX_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator


class Reason(NamedTuple):
    """Something that keeps data from being solved here.

    Attributes
    ----------
    feature
        What they have, in words.
    place
        Where they have it: "client 3".
    """

    feature: str
    place: str

    def __str__(self) -> str:
        return f"{self.feature} ({self.place})"


def _keep_stdout_clean() -> None:
    """Send PyVRP's log to stderr: it attaches itself to stdout."""
    for handler in logging.getLogger("pyvrp").handlers:
        if (
            isinstance(handler, logging.StreamHandler)
            and handler.stream is sys.stdout
        ):
            handler.setStream(sys.stderr)


_keep_stdout_clean()


def problem_data(data: pyvrp.ProblemData | pyvrp.Model) -> pyvrp.ProblemData:
    """Return the data of a model; data come back as they are.

    Parameters
    ----------
    data
        PyVRP's data, or its model.

    Raises
    ------
    ParameterError
        If it is something else.
    """
    if isinstance(data, pyvrp.Model):
        return data.data()
    if not isinstance(data, pyvrp.ProblemData):
        raise ParameterError(
            f"data must be PyVRP's ProblemData or Model, got "
            f"{type(data).__name__}."
        )
    return data


def unsupported_parts(data: pyvrp.ProblemData) -> list[Reason]:
    """Return what of some data no instance can hold.

    Parameters
    ----------
    data
        PyVRP's data.

    Returns
    -------
    list[Reason]
        Each feature once, with the first place that has it; empty where
        ``pyvrp_instances.from_problem_data`` takes the data.
    """
    found: dict[str, Reason] = {}
    for reason in _all_reasons(data):
        found.setdefault(reason.feature, reason)
    return list(found.values())


def require_supported(data: pyvrp.ProblemData, name: str) -> None:
    """Refuse data that no instance can hold.

    Raises
    ------
    UnsupportedProblemError
        It names the first such feature.
    """
    for reason in unsupported_parts(data)[:1]:
        rule = f"not supported ({reason.place})"
        raise UnsupportedProblemError(name, reason.feature, rule)


def _all_reasons(data: pyvrp.ProblemData) -> Iterator[Reason]:
    """Yield everything that is not supported."""
    if data.num_shipments > 0:
        yield Reason("shipments", f"{data.num_shipments} of them")
    if data.num_groups > 0:
        yield Reason("client groups", f"{data.num_groups} of them")
    if data.num_load_dimensions > 1:
        count = f"{data.num_load_dimensions} of them"
        yield Reason("several load dimensions", count)
    for idx, vehicle in enumerate(data.vehicle_types()):
        place = f"vehicle type {idx}"
        if vehicle.reload_depots:
            yield Reason("reload depots", place)
        if any(vehicle.initial_load):
            yield Reason("initial loads", place)
        if vehicle.max_overtime > 0 and vehicle.unit_overtime_cost > 0:
            yield Reason("overtime costs", place)
    for idx, client in enumerate(data.clients()):
        place = f"client {idx}"
        if not client.required:
            yield Reason("optional clients", place)
        if any(client.pickup):
            yield Reason("pickups", place)
