"""Visits and vehicle types as the kernels see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.tolerances import COST_TOLERANCE, widened
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.polishing.fleets import _layout as _rich

if TYPE_CHECKING:
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance


def visit_records(instance: Instance) -> np.ndarray:
    """Return when the customers may be visited."""
    size = instance.num_customers + 1
    visits = np.zeros(size, dtype=_rich.VISIT)
    visits["late"] = np.inf
    windows = instance.windows
    if windows is not None:
        visits["early"] = windows.tw_early[:size]
        late = windows.tw_late[:size]
        visits["late"] = np.where(late >= NO_LIMIT, np.inf, late)
        visits["service"] = windows.service_durations[:size]
        visits["release"] = windows.release_times[:size]
    visits["limit"] = visits["late"]
    return visits


def vehicle_records(instance: Instance) -> np.ndarray:
    """Return the vehicle types with the routes that each can drive."""
    types = instance.vehicle_types
    vehicles = np.zeros(len(types), dtype=_rich.VEHICLE)
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    first = 0
    for row, kind in zip(vehicles, types, strict=True):
        row["capacity"] = kind.capacity
        row["fixed_cost"] = kind.fixed_cost
        row["distance_cost"] = kind.unit_distance_cost
        row["duration_cost"] = kind.unit_duration_cost
        row["max_distance"] = _unlimited(kind.max_distance)
        row["max_duration"] = _unlimited(kind.shift_duration)
        row["profile"] = kind.profile
        row["start"] = instance.depots[kind.start_depot]
        row["end"] = instance.depots[kind.end_depot]
        _set_ends(row, kind, windows)
        row["first_route"] = first
        most = instance.num_customers
        first += min(most, kind.num_available or most)
        row["end_route"] = first
    return vehicles


def _unlimited(value: float) -> float:
    return np.inf if value >= NO_LIMIT else float(value)


def _set_ends(row: Any, kind: VehicleType, windows: TimeWindows) -> None:
    """Set what leaving the depot and coming back take, and when.

    A vehicle may wait between its own window and that of the depot.
    """
    start, end = int(row["start"]), int(row["end"])
    opens, closes = windows.tw_early[start], windows.tw_late[start]
    wait = max(0, opens - kind.start_late)
    row["start_duration"] = wait + windows.service_durations[start]
    row["start_early"] = max(kind.tw_early, opens) - wait
    row["start_late"] = _unlimited(min(kind.start_late, closes))
    is_never = kind.tw_early > closes
    opens, closes = windows.tw_early[end], windows.tw_late[end]
    wait = max(0, kind.tw_early - closes)
    row["end_duration"] = wait
    row["end_early"] = max(opens, kind.tw_early) - wait
    row["end_late"] = _unlimited(min(closes, kind.tw_late))
    if is_never or opens > kind.tw_late:
        row["end_late"] = -np.inf


def widen_limits(
    visits: np.ndarray,
    vehicles: np.ndarray,
    distances: np.ndarray,
    durations: np.ndarray,
) -> None:
    """Add the tolerance to the limits of unrounded sums, in place."""
    if not _is_whole(distances):
        vehicles["max_distance"] = widened(vehicles["max_distance"])
    if not _is_whole(durations):
        visits["limit"] = widened(visits["late"])
        vehicles["end_late"] = widened(vehicles["end_late"])
        vehicles["max_duration"] = widened(vehicles["max_duration"])


def counts_only_vehicles(instance: Instance) -> bool:
    """Whether neither distances nor durations cost anything."""
    return not any(
        kind.unit_distance_cost or kind.unit_duration_cost
        for kind in instance.vehicle_types
    )


def break_ties(vehicles: np.ndarray, distances: np.ndarray) -> None:
    """Let distances decide between plans whose vehicles cost the same.

    Otherwise nearly all moves change nothing. In ``vehicles`` distances then
    cost 1, and the least difference between two plans costs more than all
    distances of a plan.
    """
    fixed = vehicles["fixed_cost"]
    # Real costs closer than the tolerance count as equal.
    unit = COST_TOLERANCE * fixed[fixed > 0].min(initial=np.inf)
    if _is_whole(fixed):
        unit = float(np.gcd.reduce(fixed.astype(np.int64)))
    num_arcs = 2 * distances.shape[1]
    if fixed.any():
        vehicles["fixed_cost"] *= (1.0 + num_arcs * distances.max()) / unit
    vehicles["distance_cost"] = 1.0


def _is_whole(values: np.ndarray) -> bool:
    return bool((values == np.rint(values)).all())
