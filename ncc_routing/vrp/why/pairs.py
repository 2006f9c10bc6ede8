"""Customers of whom no two fit into one route, more than there are vehicles.

Two customers fit where some order of theirs keeps every limit with the
shortest paths between them, which may visit others: a condition that each
route with both keeps.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.values import NO_LIMIT, exceed
from ncc_routing.vrp.why.arcs import (
    DISTANCE,
    DURATION,
    Arcs,
    drive,
)
from ncc_routing.vrp.why.findings import Finding, finding, listed
from ncc_routing.vrp.why.shortages import Share, limited_shares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

_MOST_PAIRS: Final = 2_000_000
"""Pairs that are looked at, those of all vehicle types and shares together."""

_NUM_STARTS: Final = 12
"""Customers with whom a set begins."""

_MOST_SEARCHES: Final = 40
"""Customers from whom shortest paths are searched."""


def find_exclusive(
    instance: Instance, arcs: Arcs, customers: np.ndarray
) -> Iterator[Finding]:
    """Yield a set of some customers who each need a vehicle of their own."""
    limits: list[float] = [int(arcs.windows.tw_late.min())]
    for vehicle_type in arcs.types:
        limits += [
            vehicle_type.tw_late,
            vehicle_type.shift_duration,
            vehicle_type.max_distance,
        ]
    if min(limits) >= NO_LIMIT:
        return
    shares = list(limited_shares(instance, customers))
    num_tables = max(1, len(shares) * len(arcs.types))
    for share in shares:
        if share.num_vehicles >= len(share.customers):
            continue
        pool = _pool(arcs, share, int(np.sqrt(_MOST_PAIRS / num_tables)))
        apart = ~_fit(arcs, share, pool, by_paths=False)
        for members in islice(_cliques(apart, share.num_vehicles), 2):
            chosen = _verified(arcs, share, pool[members])
            if len(chosen) > share.num_vehicles:
                yield _describe(instance, share, chosen)
                return


def _describe(instance: Instance, share: Share, chosen: np.ndarray) -> Finding:
    chosen = np.sort(chosen[: share.num_vehicles + 1])
    which = ""
    if share.size >= 0:
        which = f" that can carry demands above {share.size}"
    return finding(
        instance,
        "fleet-pairs",
        f"no two of {len(chosen)} customers fit into one route by their "
        f"windows, loads and travel, with only {share.vehicles}"
        f"{which}: {listed(instance, chosen.tolist())}",
        chosen,
        {"vehicles": share.num_vehicles},
    )


def _pool(arcs: Arcs, share: Share, count: int) -> np.ndarray:
    """Return the customers to look at: of too many the narrowest windows."""
    windows, customers = arcs.windows, share.customers
    widths = windows.tw_late[customers] - windows.tw_early[customers]
    demands = -arcs.instance.demands[customers]
    return customers[np.sort(np.lexsort((demands, widths))[:count])]


def _cliques(apart: np.ndarray, number: int) -> Iterator[list[int]]:
    degrees = apart.sum(axis=1)
    order = np.argsort(-degrees, kind="stable")
    for first in order[:_NUM_STARTS].tolist():
        if degrees[first] < number:
            return
        members = [first]
        left = apart[first][order]
        while left.any():
            members.append(int(order[left.argmax()]))
            left = left & apart[members[-1]][order]
        if len(members) > number:
            yield members


def _verified(arcs: Arcs, share: Share, members: np.ndarray) -> np.ndarray:
    if arcs.is_metric:
        return members
    if share.num_vehicles >= _MOST_SEARCHES:
        return members[:0]
    members = members[:_MOST_SEARCHES]
    apart = ~_fit(arcs, share, members, by_paths=True)
    cliques = [[], *_cliques(apart, share.num_vehicles)]
    return members[max(cliques, key=len)]


def _fit(
    arcs: Arcs, share: Share, nodes: np.ndarray, *, by_paths: bool
) -> np.ndarray:
    demands = arcs.instance.demands[nodes]
    loads = np.add.outer(demands, demands)
    fits = np.eye(len(nodes), dtype=bool)
    for vehicle_type in arcs.types:
        if vehicle_type.capacity <= share.size:
            continue
        in_order = _fit_in_order(arcs, vehicle_type, nodes, by_paths=by_paths)
        fits |= (in_order | in_order.T) & (loads <= vehicle_type.capacity)
    return fits


def _fit_in_order(
    arcs: Arcs, vehicle_type: VehicleType, nodes: np.ndarray, *, by_paths: bool
) -> np.ndarray:
    windows = arcs.windows_of(vehicle_type)
    first, last = arcs.instance.ends_of(vehicle_type)
    lengths = arcs.shortest if by_paths else arcs.direct
    road = arcs.road_of(vehicle_type)

    def along(measure: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        there = lengths(measure, road, first)[nodes]
        back = lengths(measure, road, last, True)[nodes]
        between = arcs.between(measure, road, nodes, by_paths=by_paths)
        return there[:, None], between, back

    stops = (nodes[:, None], nodes)
    one, other = (windows.release_times[stop] for stop in stops)
    release = np.maximum(one, other)
    route = drive(
        windows, vehicle_type, (first, last), stops, along(DURATION), release
    )
    closes = min(vehicle_type.start_late, int(windows.tw_late[first]))
    broken = exceed(np.maximum(vehicle_type.tw_early, release), closes)
    for arrival, stop in zip(route.arrivals, stops, strict=True):
        broken = broken | exceed(arrival, windows.tw_late[stop])
    end = min(vehicle_type.tw_late, int(windows.tw_late[last]))
    broken |= exceed(route.returned, end)
    broken |= exceed(route.duration, vehicle_type.shift_duration)
    if vehicle_type.max_distance < NO_LIMIT:
        broken |= exceed(sum(along(DISTANCE)), vehicle_type.max_distance)
    return np.asarray(~broken)
