"""Whether two instances mean the same, one of them read by PyVRP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import ncc_routing as nr
from ncc_routing.problems.routes.schedules import arc_distances, arc_durations

METRIC_OF_SET = {
    "VRPTW": "dimacs",
    "HFVRP": "exact",
    "MDVRPTW": "exact",
    "SDVRPTW": "exact",
    "MTVRPTWR": "dimacs",
    "PCVRPTW": "dimacs",
    "VRPB": "round",
    "GVRP": "round",
    "TSP": "round",
}
"""Metric of each folder of ``vrp``, as its README says."""


def assert_same_meaning(
    ours: nr.Instance, theirs: nr.Instance, scale: int = 1
) -> None:
    """PyVRP scales loads as well, and windows of depots are its vehicles'."""
    assert ours.num_depots == theirs.num_depots
    assert ours.shipments == theirs.shipments
    assert np.array_equal(scale * ours.deliveries, theirs.deliveries)
    assert np.array_equal(scale * ours.load_changes, theirs.load_changes)
    nodes = np.arange(len(ours.demands))
    stops = nodes[1 : ours.num_customers + 1]
    for one, other in zip(*map(times_of, (ours, theirs)), strict=True):
        assert np.array_equal(one[stops], other[stops])
    everybody = nr.Selection(0 * nodes, nodes >= 0)
    own, other_own = (one.selection or everybody for one in (ours, theirs))
    assert np.array_equal(own.prizes, other_own.prizes)
    assert np.array_equal(own.required[stops], other_own.required[stops])
    assert own.groups == other_own.groups
    kinds = zip(ours.vehicle_types, theirs.vehicle_types, strict=True)
    compared = set()
    for kind, other_kind in kinds:
        assert type_of(ours, kind, scale) == type_of(theirs, other_kind, 1)
        pair = kind.profile, other_kind.profile
        if pair not in compared:
            compared.add(pair)
            for arcs in (arc_distances, arc_durations):
                mine, yours = (
                    arcs(one, profile, nodes[:, None], nodes)
                    for one, profile in zip((ours, theirs), pair, strict=True)
                )
                # PyVRP rounds halves to the even number, CVRPLIB up.
                assert ((mine == yours) | is_half(ours)).all()


def is_half(instance: nr.Instance) -> np.ndarray:
    """Return which unrounded lengths lie between two whole numbers."""
    if instance.coords is None or (instance.coords % 1 == 0).all():
        return np.zeros(1, dtype=bool)
    sides = instance.coords[:, None] - instance.coords
    return np.asarray(np.sqrt((sides**2).sum(axis=2)) % 1 == 0.5)


def times_of(instance: nr.Instance) -> list[np.ndarray]:
    """Return windows, services and releases of all nodes."""
    windows = instance.windows or nr.TimeWindows.of(len(instance.demands))
    return [
        windows.tw_early,
        windows.tw_late,
        windows.service_durations,
        windows.release_times,
    ]


def type_of(
    instance: nr.Instance, kind: nr.VehicleType, scale: int
) -> nr.VehicleType:
    """Return a type without its name, with windows of its depots."""
    early, late, *_ = times_of(instance)
    start, end = instance.ends_of(kind)
    most = max(1, scale * int(instance.deliveries.sum()))
    capacity: Any = tuple(min(scale * own, most) for own in kind.capacities)
    if len(capacity) == 1 and not instance.load_changes.any():
        capacity = 1
    start_late = min(kind.start_late, int(late[start]))
    return replace(
        kind,
        capacity=capacity,
        num_available=kind.num_available or instance.num_customers,
        tw_early=max(kind.tw_early, int(early[start]), int(early[end])),
        tw_late=min(kind.tw_late, int(late[end])),
        start_late=start_late,
        profile=0,
        name="",
    )
