"""Costs that files state, and the metric that they are stated in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.text_files import is_standard_input
from ncc_routing.io.metrics import METRICS
from ncc_routing.io.plans import read_plan
from ncc_routing.io.vrplib import read
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    import os


def is_stated(stated: float, cost: float, metric: str) -> bool:
    """Whether a stated cost is that of some routes.

    Parameters
    ----------
    stated
        The stated cost. It may be in the unit of the instance file, which a
        metric scales. An unscaled one may be rounded to its decimals.
    cost
        What the routes cost.
    metric
        Name of the metric of ``cost``, an entry of ``metrics.METRICS``.
    """
    _, _, decimals = repr(float(stated)).partition(".")
    unit = 0.0 if float(stated).is_integer() else 10.0 ** -len(decimals)
    scaled = METRICS[metric].scale * stated
    is_close = math.isclose(stated, cost, abs_tol=0.5 * unit)
    return is_close or math.isclose(scaled, cost)


def stated_metric(
    instance: str | os.PathLike[str],
    solution: str | os.PathLike[str],
    stated: float,
) -> str | None:
    """Return the metric in which routes have the cost that is stated.

    Parameters
    ----------
    instance
        A file in VRPLIB form, or the name of a known instance.
    solution
        The file with the routes.
    stated
        The cost that it states.

    Returns
    -------
    str | None
        The first such entry of ``metrics.METRICS``. ``None`` where there is
        none, or a file cannot be read once more.
    """
    if is_standard_input(instance) or is_standard_input(solution):
        return None
    for metric in METRICS:
        try:
            problem = read(instance, metric)
            routes, kinds, _ = read_plan(solution, problem)
        except NccRoutingError:  # no such metric for such a file
            continue
        cost = Solution.from_routes(problem, routes, kinds).cost
        if is_stated(stated, cost, metric):
            return metric
    return None
