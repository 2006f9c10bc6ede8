"""Longitude and latitude for a search on planes and matrices.

A great circle takes twenty times as long as a straight line, and a test for
it in the inner loop costs every other instance 5 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance


def in_searchable_form(
    instance: Instance, solution: Solution
) -> tuple[Instance, Solution]:
    """Return an instance without great circles, and a solution of it.

    It has no fleet: a number of vehicles is a limit of the search. Up to
    ``LARGEST_MATRIX`` nodes it has an exact matrix; beyond, the map of
    ``Instance.plane_coords`` is a little wrong from east to west.
    """
    if instance.fleet is not None:
        instance = instance.derived(fleet=None)
    if not instance.is_geographic or instance.matrix is not None:
        return instance, solution
    nodes = np.arange(len(instance.demands))
    if len(nodes) <= LARGEST_MATRIX:
        matrix = instance.distances(nodes, nodes)
        return instance.derived(matrix=matrix), solution
    plane = instance.plane_coords("ruin and recreate")
    flat = instance.derived(coords=plane, is_geographic=False)
    return flat, Solution.from_routes(flat, solution.routes)


def in_given_form(
    instance: Instance,
    start: Solution,
    solution: Solution,
    price: Callable[[Solution], float] | None = None,
) -> Solution:
    """Return what was found with its cost on the sphere, if it is better.

    ``instance`` and ``start`` were given to ``in_searchable_form``.
    """
    if not instance.is_geographic or instance.matrix is not None:
        return solution
    back = Solution.from_routes(instance, solution.routes)
    if price is not None:
        return back if price(back) < price(start) else start
    return back if back.cost < start.cost else start
