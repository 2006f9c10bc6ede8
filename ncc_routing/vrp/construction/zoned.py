"""First routes that stay within the zones of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.instance import Instance, restrict
from ncc_routing.problems.references import nearest_zones
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.construction.savings import solve_savings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run


def solve_zones(
    instance: Instance, run: Run, labels: Sequence[int] | np.ndarray
) -> Solution:
    """Solve each zone of a reference by itself, in order, by savings.

    ``labels`` are those of :func:`problems.references.reference_labels`.

    A customer without a zone goes to that of the nearest customer with one.
    Large zones get several routes.
    """
    zones = np.asarray(labels, dtype=np.int32)
    homes = nearest_zones(instance, zones)[1 : instance.num_customers + 1]
    routes: list[np.ndarray] = []
    for zone in range(int(zones.max()) + 1):
        members = 1 + np.flatnonzero(homes == zone)
        part = restrict(instance, members)
        solution = solve_savings(part, run, router=None)
        routes += [members[np.array(route) - 1] for route in solution.routes]
    return Solution.from_routes(instance, routes)
