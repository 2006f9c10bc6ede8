"""Vehicles whose breaks leave no room, whomever they serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.values import NO_LIMIT, exceed
from ncc_routing.vrp.why.findings import Finding, proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.breaks import Break
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.vrp.why.arcs import Arcs

    Stop = tuple[Any, Any, Any, Any]


def find_idle(arcs: Arcs) -> Iterator[Finding]:
    """Yield the vehicle types whose breaks do not fit into their shifts."""
    idle = [
        (vehicle_type, numbers)
        for vehicle_type, numbers in arcs.types.items()
        if vehicle_type.breaks and not _has_room(arcs, vehicle_type)
    ]
    form = arcs.instance.source.time_form
    for vehicle_type, (first, *_) in idle:
        opens, closes = _shift_of(arcs, vehicle_type)
        end = f" to {form.text(closes)}" if closes < NO_LIMIT else " on"
        yield proof(
            *(arcs.given, "fleet-break", ("break", "fleet")),
            numbers={"opens": opens, "closes": closes},
            is_fatal=len(idle) == len(arcs.types) and arcs.customers.size > 0,
            values={
                "vehicle": first,
                "breaks": vehicle_type.breaks,
                "end": end,
            },
        )


def _has_room(arcs: Arcs, vehicle_type: VehicleType) -> bool:
    """Whether breaks fit into a shift without anything else."""
    opens, closes = _shift_of(arcs, vehicle_type)
    end = earliest_end(vehicle_type.breaks, opens, [(0, 0, np.inf, 0)])
    return not exceed(end, closes)


def _shift_of(arcs: Arcs, vehicle_type: VehicleType) -> tuple[int, int]:
    """Return when a vehicle starts at the earliest, and ends at the latest."""
    first, last = arcs.instance.ends_of(vehicle_type)
    opens, closes = arcs.windows.tw_early[first], arcs.windows.tw_late[last]
    return (
        max(vehicle_type.tw_early, int(opens)),
        min(vehicle_type.tw_late, int(closes)),
    )


def earliest_end(
    breaks: Sequence[Break], start: Any, stops: Sequence[Stop]
) -> Any:
    """Return when routes end at the earliest, inf where a break has no room.

    Each stop is the travel to it, its opening and closing, and its service;
    the shapes of all times broadcast. A break may lie on any of these arcs.
    """
    everything = (1 << len(breaks)) - 1
    ready = {0: np.asarray(start, dtype=float)}  # by the breaks had, by bits
    for travel, opens, closes, service in stops:
        done: dict[int, Any] = {}
        for had, leave in ready.items():
            free = {had: leave}
            for now in range(had, everything + 1):
                if now not in free:
                    continue
                rested = sum(_of(breaks, now ^ had))
                there = np.maximum(leave + travel + rested, free[now])
                begin = np.maximum(there, opens)
                begin = np.where(exceed(begin, closes), np.inf, begin)
                end = begin + service
                done[now] = np.minimum(done.get(now, np.inf), end)
                for number, one in enumerate(breaks):
                    then = now | 1 << number
                    if then > now:
                        rest = _begin(one, free[now]) + one.duration
                        free[then] = np.minimum(free.get(then, np.inf), rest)
        ready = done
    return ready[everything]


def _of(breaks: Sequence[Break], bits: int) -> Iterator[int]:
    for number, one in enumerate(breaks):
        if bits >> number & 1:
            yield one.duration


def _begin(one: Break, free: Any) -> Any:
    """Return when a break begins at the earliest from a time on."""
    begins = [
        np.where(exceed(free, late), np.inf, np.maximum(free, early))
        for early, late in one.windows
    ]
    return np.min(begins, axis=0)
