"""The best-known solution that a cost is compared with."""

from __future__ import annotations

import logging
import math
from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.core.text import may_be_number, number_of
from ncc_routing.io.vrplib import read_solution
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_logger = logging.getLogger(__name__)


def find_bks(
    instance: Instance, file: Path, given: str | None = None
) -> float | None:
    """Return the cost of the best-known solution, ``None`` without one.

    ``given`` is a positive number or a solution file. The default is the
    ``.sol`` file beside ``file``; one that does not fit only warns. The
    distances of ``instance`` count, so the gap holds in every metric.
    """
    if given is not None:
        value = _positive_number(given)
        if value is not None:
            return value
        return read_valid_solution(instance, Path(given)).cost
    beside = file.with_suffix(".sol")
    if not beside.is_file():
        return None
    try:
        return read_valid_solution(instance, beside).cost
    except NccRoutingError as error:
        _logger.warning("no gap is computed: %s", error)
        return None


def _positive_number(text: str) -> float | None:
    """Return the number that a text spells, ``None`` where it is a path."""
    if not may_be_number(text):
        return None
    value = number_of(text)
    if not (math.isfinite(value) and value > 0):
        raise ParameterError(f"bks must be positive, got {text}.")
    return value


def read_valid_solution(instance: Instance, path: Path) -> Solution:
    """Return the valid solution in a file; its stated cost does not count."""
    # Not from_routes at once: an unknown customer has no distance.
    if path.suffix.lower() == ".sol":
        routes, vehicle_types = read_solution(path).routes_of(instance)
    else:
        # Imported here: a solution beside an instance is no table.
        from ncc_routing.desk.routes import read_plan

        routes, vehicle_types, *_ = read_plan(path, instance)
    violations = check_solution(instance, Solution(routes, 0.0, vehicle_types))
    broken = [v for v in violations if v.kind != "cost"]
    if broken:
        raise ParameterError(
            f"{path} is not a solution of {instance.name}: "
            f"{broken[0].message}."
        )
    return Solution.from_routes(instance, routes, vehicle_types)
