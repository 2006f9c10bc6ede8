"""Windows, breaks and hours of service as kernels see them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.values import NO_LIMIT, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.hours_of_service import (
        HoursOfService,
        HoursSoFar,
    )

Window = tuple[float, float]


@lru_cache(maxsize=16)
def compiled_hours(
    hours: HoursOfService | None, *, are_whole: bool
) -> kernels.Hours:
    """Return hours of service as the kernels see them."""
    if hours is None:
        return kernels.Hours()

    def most(limit: float) -> float:
        if limit >= NO_LIMIT:
            return np.inf
        return limit if are_whole else float(widened(np.array(limit)))

    return kernels.Hours(
        driving_block=most(hours.driving_block),
        rest=hours.rest,
        first_part=hours.first_part,
        second_part=hours.second_part,
        service_counts=hours.service_counts,
        work_block=most(hours.work_block),
        least_rest=hours.least_rest,
        work_of_rests=[most(work) for work, _ in hours.rest_in_all],
        rests_in_all=[rest for _, rest in hours.rest_in_all],
    )


def compiled_windows(
    pairs: Sequence[Window], *, are_whole: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return openings, and what arrivals are compared with."""
    ends = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    late = np.where(ends[:, 1] >= NO_LIMIT, np.inf, ends[:, 1])
    return ends[:, 0].copy(), late if are_whole else widened(late)


def compiled_break(
    duration: float,
    windows: Sequence[Window],
    most_load: Sequence[int] = (),
    *,
    are_whole: bool,
) -> kernels.Break:
    """Return a break as the kernels see it."""
    early, limit = compiled_windows(windows, are_whole=are_whole)
    return kernels.Break(
        duration=duration,
        early=early,
        limit=limit,
        most_load=list(most_load),
    )


def compiled_so_far(so_far: HoursSoFar) -> kernels.HoursSoFar:
    """Return what a driver has done as the kernels see it."""
    return kernels.HoursSoFar(
        driven=so_far.driven,
        worked=so_far.worked,
        work=so_far.work,
        rested=so_far.rested,
        has_first=so_far.has_first_part,
    )
