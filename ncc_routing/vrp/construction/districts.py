"""First routes that stay within the districts of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.draft import restrict
from ncc_routing.problems.routes.references import FREE, nearest_districts
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.construction.savings import solve_savings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance


def solve_districts(
    instance: Instance, run: Run, labels: Sequence[int] | np.ndarray
) -> Solution:
    """Solve each district of a reference by itself, in order, by savings.

    ``labels`` are those of ``problems.routes.references.reference_labels``.

    A customer without a district goes to that of the nearest with one; where
    nobody has one, there is one. Large districts get several routes.
    """
    districts = np.asarray(labels, dtype=np.int32)
    if districts.max() == FREE:
        return solve_savings(instance, run, router=None)
    homes = nearest_districts(instance, districts)[
        1 : instance.num_customers + 1
    ]
    routes: list[np.ndarray] = []
    for district in np.unique(homes):
        members = 1 + np.flatnonzero(homes == district)
        part = restrict(instance, members)
        solution = solve_savings(part, run, router=None)
        routes += [members[np.array(route) - 1] for route in solution.routes]
    return Solution.from_routes(instance, routes)
