"""Random days of some forty minutes by hours of service."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

import ncc_routing as nr

SHORT_EU: Final = nr.HoursOfService(
    driving_block=6,
    rest=3,
    first_part=1,
    second_part=2,
    work_block=8,
    rest_in_all=((8, 2), (12, 3)),
)
SHORT_US: Final = nr.HoursOfService(
    driving_block=7, rest=3, service_counts=True
)
"""Days of some forty minutes."""


def random_day(
    seed: int, hours: nr.HoursOfService, most: int = 5
) -> nr.Instance:
    """Return a problem of a few customers with one or two windows."""
    rng = np.random.default_rng(seed)
    size = 1 + int(rng.integers(1, most + 1))
    matrix = rng.integers(int(hours.service_counts), 7, (size, size))
    np.fill_diagonal(matrix, 0)
    early, late = np.zeros(size, int), np.full(size, 1000)
    several: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for node in range(1, size):
        if rng.random() < 0.5:
            early[node], more = rng.integers(0, 25), rng.integers(0, 14)
            late[node] = early[node] + more
        if rng.random() < 0.2:
            ends = np.cumsum([early[node], *rng.integers(1, 10, 3)])
            several[node] = [tuple(pair) for pair in ends.reshape(2, 2)]
            late[node] = ends[-1]
    late[0] = rng.integers(20, 50)
    service = rng.integers(0, 4, size)
    breaks: tuple[nr.Break, ...] = ()
    if not hours.service_counts and rng.random() < 0.2:
        begin = int(rng.integers(0, 20))
        breaks = (nr.Break(2, ((begin, begin + 8),)),)
    van = nr.VehicleType(
        capacity=3,
        unit_duration_cost=int(rng.integers(0, 2)),
        tw_late=int(late[0]),
        breaks=breaks,
        hours_of_service=hours,
    )
    return nr.Instance(
        demands=np.array([0, *[1] * (size - 1)]),
        matrix=matrix.astype(float),
        windows=nr.TimeWindows.of(
            size,
            early,
            late,
            service,
            windows=several if any(several) else None,
        ),
        fleet=nr.Fleet((van,)),
    )


def day_with_breaks(
    seed: int, hours: nr.HoursOfService, most: int = 4
) -> nr.Instance:
    """Return the same of a driver who owes one or two breaks."""
    instance = random_day(seed, hours, most)
    rng = np.random.default_rng([seed, 7])
    breaks = []
    for _ in range(int(rng.integers(1, 3))):
        opens = int(rng.integers(0, 25))
        windows = [(opens, opens + int(rng.integers(0, 10)))]
        if rng.random() < 0.3:
            later = windows[0][1] + int(rng.integers(1, 10))
            windows.append((later, later + int(rng.integers(0, 8))))
        if rng.random() < 0.2:
            windows = [(0, 1000)]
        load = (int(rng.integers(0, 3)),) if rng.random() < 0.3 else None
        duration, paid = int(rng.integers(1, 5)), bool(rng.random() < 0.6)
        breaks.append(nr.Break(duration, tuple(windows), paid, load))
    [van] = instance.vehicle_types
    van = replace(van, breaks=tuple(breaks))
    return replace(instance, fleet=nr.Fleet((van,)))


def begun_day(seed: int, hours: nr.HoursOfService, most: int) -> nr.Instance:
    """Return the same of a driver who has served some, and is tired."""
    instance = random_day(seed, hours, most)
    rng = np.random.default_rng([seed, 1])
    served = int(rng.integers(1, instance.num_customers + 1))
    times = np.sort(rng.integers(0, 12, 1 + served)).tolist()
    work = int(rng.integers(0, 14))
    so_far = nr.HoursSoFar(
        driven=int(rng.integers(0, 1 + min(work, 8))),
        worked=int(rng.integers(0, 1 + work)),
        work=work,
        rested=int(rng.integers(0, 4)),
        has_first_part=bool(hours.first_part and rng.random() < 0.3),
    )
    customers = tuple(range(1, 1 + served))
    begun = nr.InProgressRoute(0, customers, tuple(times), hours_so_far=so_far)
    rules = nr.RouteConstraints(in_progress=(begun,))
    return replace(instance, constraints=rules)
