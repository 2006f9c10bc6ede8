"""Twenty customers, on which the searches are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


@pytest.fixture(scope="module")
def instance() -> Instance:
    """Return twenty customers."""
    return generate_uchoa(20, 3, demands="1-10", route_length=4)


@pytest.fixture(scope="module")
def start(instance: Instance) -> Solution:
    """Return a route for each customer."""
    customers = range(1, instance.num_customers + 1)
    start = Solution.from_routes(instance, [[c] for c in customers])
    # Compiles the kernels, which counts as time elsewhere.
    ruin_and_recreate(instance, start, max_iterations=10)
    return start
