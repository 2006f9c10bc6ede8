"""Problems with a plan that keeps all limits just so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ncc_routing as nr
from ncc_routing import Solution
from ncc_routing.problems.routes.schedules import schedule_route

LONG = 10_000
"""Later than anything here."""


def tight_problem(seed: int) -> tuple[nr.Instance, Solution]:
    """Return a problem whose limits are what a random plan takes.

    Windows close soon after the services begin; each vehicle type has as
    many vehicles as are used, and carries, drives and works as much as the
    largest, longest and latest of its routes does.

    Parameters
    ----------
    seed
        Number of the problem. Even ones have coordinates, which are not
        rounded, odd ones matrices without the triangle inequality.
    """
    rng = np.random.default_rng(seed)
    count, num_types = int(rng.integers(2, 25)), int(rng.integers(1, 4))
    num_depots = int(rng.integers(1, 3))
    size = count + num_depots
    demands = np.zeros(size, dtype=int)
    demands[1 : count + 1] = rng.integers(0, 20, count)
    demands[1] += 1  # no capacity is 0 for all
    early, service = np.zeros((2, size), dtype=int)
    early[1 : count + 1] = rng.integers(0, 400, count) * rng.integers(0, 2)
    service[:] = rng.integers(0, 30, size) * rng.integers(0, 2)
    matrices: dict[str, Any] = {}
    if seed % 2:
        matrices["matrix"] = rng.integers(1, 100, (size, size)).astype(float)
        if rng.integers(2):
            matrices["durations"] = rng.integers(1, 100, (size, size))
    starts, ends = rng.integers(0, num_depots, (2, num_types)).tolist()
    kinds = [
        nr.VehicleType(
            capacity=int(demands.sum()), start_depot=start, end_depot=end
        )
        for start, end in zip(starts, ends, strict=True)
    ]

    def problem(
        types: list[nr.VehicleType], late: np.ndarray, capacity: int
    ) -> nr.Instance:
        return nr.Instance(
            f"tight-{seed}",
            demands,
            capacity,
            coords=np.random.default_rng(seed).random((size, 2)) * 100,
            rounding="none",
            num_depots=num_depots,
            fleet=nr.Fleet(tuple(types)),
            windows=nr.TimeWindows.of(size, early, late, service),
            **matrices,
        )

    wide = problem(kinds, np.full(size, LONG), int(demands.sum()))
    order = rng.permutation(count) + 1
    cuts = np.flatnonzero(rng.random(count - 1) < 0.3) + 1
    routes = [part.tolist() for part in np.split(order, cuts)]
    used = rng.integers(0, num_types, len(routes)).tolist()
    late = np.full(size, LONG)
    slack = int(rng.choice([0, 5, 50]))
    limits = []
    plans = [
        schedule_route(wide, route, idx)
        for route, idx in zip(routes, used, strict=True)
    ]
    for plan in plans:
        stops = zip(plan.visits, plan.begins, strict=True)
        for node, begin in [*stops][1:-1]:
            late[node] = math.ceil(begin) + slack
    for idx, kind in enumerate(kinds):
        own = [p for p, k in zip(plans, used, strict=True) if k == idx]
        if not own:
            own = plans[:1]  # there is a vehicle, and none is used
        limits.append(
            nr.VehicleType(
                capacity=max(plan.load for plan in own),
                num_available=max(1, used.count(idx)),
                start_depot=kind.start_depot,
                end_depot=kind.end_depot,
                tw_early=math.floor(min(plan.start for plan in own)),
                start_late=math.ceil(max(plan.start for plan in own)),
                tw_late=math.ceil(max(plan.begins[-1] for plan in own)),
                shift_duration=max(plan.duration for plan in own),
                max_distance=max(plan.distance for plan in own),
            )
        )
    largest = max(kind.capacity for kind in limits)
    tight = problem(limits, late, largest)
    return tight, Solution.from_routes(tight, routes, used)
