"""The least cost of the times of a route with preferred windows, from its end.

Moments are those at which a stop may begin so that it, or one that it follows
or precedes without a wait, is at an end of a window, or the route takes as
long as it may.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.values import LOAD_TOLERANCE, NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems._shift_checks import Stop
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.time_windows import TimeWindows

_Preferred = tuple[float, float, float, float]
"""A window, and the costs of a unit of time before and after it."""


def preferred_of(
    times: TimeWindows | None, nodes: Sequence[int]
) -> dict[int, _Preferred]:
    """Return what the visits of a route prefer, by their places."""
    preferred = None if times is None else times.preferred
    if times is None or preferred is None:
        return {}
    early, late = (
        np.zeros(len(preferred)) if costs is None else costs
        for costs in (times.early_costs, times.late_costs)
    )
    return {
        place: (*preferred[node].tolist(), early[node], late[node])
        for place, node in enumerate(nodes)
        if node < len(preferred) and (early[node] or late[node])
    }


def least_time_costs(
    start: tuple[float, float],
    stops: Sequence[Stop],
    preferred: dict[int, _Preferred],
    vehicle_type: VehicleType,
) -> float | None:
    """Return the least cost of the duration, and of visits at wrong times.

    ``None`` is returned where there is no such drive.
    """
    worked = list(accumulate(work for _, _, work in stops))
    driven = list(accumulate(travel for _, travel, _ in stops))
    # How long after the start each stop begins at least.
    after = [
        drive + work - own[2]
        for drive, work, own in zip(driven, worked, stops, strict=True)
    ]
    moments = {end for end in start if end < NO_LIMIT}
    for place, (windows, _, _) in enumerate(stops):
        ends = [end for own in windows for end in own]
        ends += preferred.get(place, ())[:2]
        moments |= {end - after[place] for end in ends if end < NO_LIMIT}
    shorter = {
        longest - after[-1]
        for longest in (vehicle_type.shift_duration, vehicle_type.max_duration)
        if longest < NO_LIMIT
    }
    all_of = moments.copy()
    for slack in shorter:
        all_of |= {m + slack for m in moments} | {m - slack for m in moments}
    shifts = np.array(sorted(all_of))
    starts = np.array(
        [s for s in shifts.tolist() if start[0] <= s <= start[1]]
    )
    lasting = after[-1] + shifts - starts[:, None]
    paid = vehicle_type.unit_duration_cost * lasting
    paid += vehicle_type.unit_overtime_cost * np.maximum(
        0, lasting - vehicle_type.shift_duration
    )
    paid[(lasting < 0) | _exceed(lasting, vehicle_type.max_duration)] = np.inf
    rest = paid
    for place in range(len(stops) - 1, -1, -1):
        begins = shifts + after[place]
        is_open = np.zeros(len(shifts), dtype=bool)
        for opens, closes in stops[place][0]:
            # An end less a way, and with it again, may be rounded.
            is_late = _exceed(begins, closes)
            is_open |= ~_exceed(opens, begins) & ~is_late
        here = rest + _price(begins, preferred.get(place))
        here[:, ~is_open] = np.inf
        # What follows later costs as much from here, after a wait.
        rest = np.minimum.accumulate(here[:, ::-1], axis=1)[:, ::-1]
    from_start = rest[np.arange(len(starts)), np.searchsorted(shifts, starts)]
    least = float(from_start.min(initial=np.inf))
    return None if math.isinf(least) else least


def _exceed(
    values: np.ndarray | float, limits: np.ndarray | float
) -> np.ndarray:
    return np.asarray(values > limits * (1.0 + LOAD_TOLERANCE))


def _price(begins: np.ndarray, wanted: _Preferred | None) -> np.ndarray:
    if wanted is None:
        return np.zeros(len(begins))
    opens, closes, early, late = wanted
    return np.asarray(
        early * np.clip(opens - begins, 0, None)
        + late * np.clip(begins - closes, 0, None)
    )
