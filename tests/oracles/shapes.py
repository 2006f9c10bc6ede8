"""Random problems of shapes in which limits of a driver's day bind.

Where each number is drawn by itself, no vehicle is quicker than another
everywhere, and shifts seldom bind.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.problems.features import HOURS_OF_SERVICE
from ncc_routing.problems.values import NO_LIMIT
from tests.oracles.checker import INF, Checker
from tests.oracles.problems import (
    HOURS,
    PREFERRED,
    QUICK,
    random_hours_so_far,
    random_problem,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_PARTS: Final = (
    *("windows", "services", "setups", "own_services", "durations", "costs"),
    *("depots", "open", "releases", "optional", "several"),
)
"""What a problem of any shape may have."""

_LAWS: Final = (HOURS, (*PREFERRED, "breaks"), ("breaks", "overtime"))
"""One of these comes on top: by the minute, hours take time."""


def shaped_problem(
    seed: int, num_customers: int = 5, *, share: float = 0.4
) -> nr.Instance:
    """Return a problem of several vehicle types and some of the shapes.

    Parameters
    ----------
    seed
        Number of the problem.
    num_customers
        Most customers. Default 5.
    share
        Chance of each part and shape. Default 0.4.
    """
    for attempt in count():
        rng = np.random.default_rng([seed, attempt, 5])
        law = _LAWS[rng.integers(len(_LAWS))]
        quick = [part for part in QUICK if rng.random() < share]
        try:
            instance = random_problem(
                int(rng.integers(2**32)),
                (*_PARTS, *law),
                num_customers,
                share=share,
                always=("types", *law[:1], *quick),
            )
            if instance.num_customers < 2 or len(instance.vehicle_types) < 2:
                continue
            for shape in SHAPES:
                if rng.random() < share:
                    instance = shape(instance, rng)
        except nr.InstanceError:  # one shape leaves no place for another
            continue
        return replace(instance, name=f"shaped-{seed}")
    raise AssertionError


def _unit(instance: nr.Instance) -> int:
    """Return an hour; days by hours of service are counted in quarters."""
    return 15 if HOURS_OF_SERVICE in instance.features else 60


def _times(instance: nr.Instance) -> nr.TimeWindows:
    return instance.windows or nr.TimeWindows.of(len(instance.demands))


def _with_types(
    instance: nr.Instance, change: Callable[[nr.VehicleType], dict[str, Any]]
) -> nr.Instance:
    types = [replace(each, **change(each)) for each in instance.vehicle_types]
    return replace(instance, fleet=nr.Fleet(tuple(types)))


def open_later(instance: nr.Instance, rng: np.random.Generator) -> nr.Instance:
    """Let all windows of customers open after the shifts start."""
    times, later = _times(instance), np.zeros(len(instance.demands), int)
    later[1 : 1 + instance.num_customers] = max(
        kind.tw_early for kind in instance.vehicle_types
    ) + int(rng.integers(1, _unit(instance)))
    moved = {
        field: np.minimum((getattr(times, field).T + later).T, NO_LIMIT)
        for field in ("tw_early", "tw_late", "windows")
        if getattr(times, field) is not None
    }
    return replace(instance, windows=replace(times, **moved))


def serve_long(instance: nr.Instance, rng: np.random.Generator) -> nr.Instance:
    """Let the service of one customer take an hour or two more."""
    node = 1 + int(rng.integers(instance.num_customers))
    unit = _unit(instance)
    more = np.zeros(len(instance.demands), int)
    more[node] = rng.integers(unit, 2 * unit)
    times = _times(instance)
    longer = times.service_durations + more
    instance = replace(
        instance, windows=replace(times, service_durations=longer)
    )
    return _with_types(
        instance,
        lambda kind: {
            "service_durations": kind.service_durations
            and tuple(np.add(kind.service_durations, more).tolist())
        },
    )


def share_places(
    instance: nr.Instance, rng: np.random.Generator
) -> nr.Instance:
    """Let nodes share places, and customers need set-ups there."""
    size, times = len(instance.demands), _times(instance)
    setups = times.setup_durations.copy()
    customers = slice(1, 1 + instance.num_customers)
    setups[customers] = rng.integers(
        0, _unit(instance) // 3, instance.num_customers
    )
    return replace(
        instance,
        places=rng.integers(0, 3, size),
        windows=replace(times, setup_durations=setups),
    )


def rest_in_the_middle(
    instance: nr.Instance, rng: np.random.Generator
) -> nr.Instance:
    """Let each driver have one break, an hour or two after the start."""
    unit = _unit(instance)
    opens, width = rng.integers(unit, 2 * unit), rng.integers(0, unit // 2)
    duration = int(rng.integers(1, unit // 2))
    return _with_types(
        instance,
        lambda kind: {
            "breaks": (
                nr.Break(
                    duration,
                    (
                        (
                            kind.tw_early + int(opens),
                            kind.tw_early + int(opens + width),
                        ),
                    ),
                    bool(duration % 2),
                ),
            )
        },
    )


def open_far_away(
    instance: nr.Instance, rng: np.random.Generator
) -> nr.Instance:
    """Let one or two customers have a short window and one far away."""
    unit = _unit(instance)
    gap = unit * (2 if unit < 60 else 4)
    for _ in range(rng.integers(1, 3)):
        times = _times(instance)
        node = 1 + int(rng.integers(instance.num_customers))
        opens = int(times.tw_early[node])
        soon = opens, opens + int(rng.integers(0, unit))
        far = soon[1] + gap, soon[1] + gap + unit
        times = times.with_times(
            node, [soon, far], tw_early=opens, tw_late=far[1]
        )
        instance = replace(instance, windows=times)
    return instance


def _tour(
    instance: nr.Instance, judge: Checker, rng: np.random.Generator
) -> tuple[int, list[int]]:
    """Return the vehicle type of the quickest work, and a load of stops."""
    idx = min(
        range(len(judge.types)),
        key=lambda one: (
            sum(judge.service_of(one))
            + sum(judge.types[one].setup_durations or judge.setup)
        ),
    )
    tour = (1 + rng.permutation(instance.num_customers)).tolist()
    for one in instance.in_progress:
        tour = [node for node in tour if node not in one.customers]
        if one.vehicle_type == idx:
            tour = [*one.customers, *tour]
    while tour and not judge._carries(tour, idx):  # noqa: SLF001
        tour.pop()
    return idx, tour


def begin_a_trip(
    instance: nr.Instance, rng: np.random.Generator
) -> nr.Instance:
    """Let the quickest vehicle be on its way, without a break so far."""
    judge = Checker(instance)
    idx, tour = _tour(instance, judge, rng)
    tour = tour[: rng.integers(1, 1 + instance.num_customers)]
    now, _, windows, travel, service, _ = judge._day(tour, idx)  # noqa: SLF001
    left = []
    for own, leg, work in zip(windows, travel, service, strict=True):
        then = now + leg
        begins = [max(then, opens) for opens, closes in own if then <= closes]
        now = min(begins, default=then) + work
        left.append(now)
    hours, so_far = judge.types[idx].hours, nr.HoursSoFar()
    if hours is not None:
        so_far = random_hours_so_far(hours, rng)
    begun = nr.InProgressRoute(
        idx, tuple(tour), tuple(left[:-1]), hours_so_far=so_far
    )
    rules = nr.RouteConstraints(in_progress=(begun,))
    return replace(instance, constraints=rules)


def just_fit(instance: nr.Instance, rng: np.random.Generator) -> nr.Instance:
    """Let shifts be what the quickest vehicle needs for a tour."""
    has_end = bool(rng.random() < 0.5) and not instance.in_progress
    free = _with_types(
        instance,
        lambda kind: {
            "tw_late": NO_LIMIT,
            "shift_duration": NO_LIMIT,
            "start_late": kind.tw_early if has_end else kind.start_late,
        },
    )
    judge = Checker(free)
    idx, tour = _tour(instance, judge, rng)
    lasts = judge.duration(tour, idx)
    if lasts == INF:
        return instance
    if not has_end:
        return _with_types(
            instance,
            lambda _: {"shift_duration": int(lasts), "max_overtime": 0},
        )
    end = instance.vehicle_types[idx].tw_early + int(lasts)
    return _with_types(
        instance,
        lambda kind: {
            "tw_late": max(end, kind.tw_early),
            "start_late": min(kind.start_late, max(end, kind.tw_early)),
        },
    )


SHAPES: Final = (
    *(open_later, serve_long, share_places, rest_in_the_middle),
    *(open_far_away, begin_a_trip, just_fit),
)
"""Shapes in the order in which they change a problem."""
