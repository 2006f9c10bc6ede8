"""Descents in short stretches, so that the clock is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.local_search._descent_kernels import descend, mark_all
from ncc_routing.core.stopping import (
    MaxIterations,
    Pace,
    TimeLimit,
    first_of,
)

if TYPE_CHECKING:
    from ncc_routing.ccp.local_search._partition_kernels import (
        Partition,
        Problem,
    )
    from ncc_routing.core.deadline import Deadline


def descend_until(
    problem: Problem,
    part: Partition,
    near: np.ndarray,
    most: int,
    max_passes: int,
    deadline: Deadline,
) -> float:
    """Improve a partition as far as single moves can, or until a deadline.

    Parameters
    ----------
    problem, part, near, most
        As for the kernel ``descend``. Every cluster counts as changed.
    max_passes
        Passes over all points at most.
    deadline
        When to stop.

    Returns
    -------
    float
        Change of the inertia, <= 0.
    """
    size = len(part.labels)
    mark_all(part, 1)
    limit = MaxIterations(max_passes * size)
    pace, total = Pace(first_of(TimeLimit(deadline), limit)), 0.0
    while pace.progress < 1.0 and part.cursor[1] < size:
        count, _ = pace.next_batch()
        total += descend(problem, part, near, most, count, np.inf)
        pace.advance(count)
    return total
