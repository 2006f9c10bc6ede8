"""Twenty customers, on which the searches are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.vrp.search.calls import one_by_one

if TYPE_CHECKING:
    import ncc_routing as nr


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return twenty customers."""
    return generate_uchoa(20, 3, demands="1-10", route_length=4)


@pytest.fixture(scope="module")
def start(instance: nr.Instance) -> nr.Solution:
    """Return a route for each customer."""
    start = one_by_one(instance)
    # Compiles the kernels, which counts as time elsewhere.
    ruin_and_recreate(instance, start, Run(Budget.of(iterations=10)))
    return start
