"""Problems that are infeasible for a known reason: it is named, with ids."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr

if TYPE_CHECKING:
    from collections.abc import Callable

    Cause = Callable[[nr.Instance, np.random.Generator], "Broken"]
    Broken = tuple[nr.Instance, set[int]]

END = 1000
"""When every window closes and every shift ends."""


def wide_problem(rng: np.random.Generator) -> nr.Instance:
    """Return 8 to 14 customers, at most 142 away, on vehicles without need.

    Whatever is not a cause is far from its limit.
    """
    size = int(rng.integers(9, 16))
    demands = rng.integers(1, 10, size)
    demands[0] = 0
    return nr.Instance(
        "known",
        demands,
        20,
        coords=rng.random((size, 2)) * 100,
        rounding="none",
        ids=("yard", *(f"id-{node}" for node in range(1, size))),
        windows=nr.TimeWindows.of(
            size, tw_late=END, service_durations=rng.integers(1, 10, size)
        ),
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=20, num_available=20, tw_late=END),)
        ),
    )


def with_times(instance: nr.Instance, node: int, **times: int) -> nr.Instance:
    """Return the instance with other times of a node."""
    windows = instance.windows
    assert windows is not None
    changed = {}
    for name, time in times.items():
        changed[name] = np.array(getattr(windows, name))
        changed[name][node] = time
    return replace(instance, windows=replace(windows, **changed))


def with_vehicles(instance: nr.Instance, **limits: Any) -> nr.Instance:
    """Return the instance with other limits of its vehicles."""
    kinds = (replace(kind, **limits) for kind in instance.vehicle_types)
    fleet = nr.Fleet(tuple(kinds))
    return replace(instance, fleet=fleet, capacity=fleet.capacity)


def moved(instance: nr.Instance, node: int, x: float) -> nr.Instance:
    """Return the instance with a node far away."""
    coords = np.array(instance.coords)
    coords[node] = x, coords[0, 1]
    return replace(instance, coords=coords)


def one_of(instance: nr.Instance, rng: np.random.Generator) -> int:
    """Return a customer."""
    return int(rng.integers(1, instance.num_customers + 1))


def late_window(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Close a window a moment before the way from the depot ends."""
    node = one_of(instance, rng)
    instance = moved(instance, node, 300.0)
    closes = math.ceil(instance.distances([0], [node])[0, 0]) - 1
    return with_times(instance, node, tw_late=closes), {node}


def late_end(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Open a window so late that the shift is over at the return."""
    node = one_of(instance, rng)
    instance = moved(instance, node, 150.0)
    opens = END - math.floor(instance.distances([node], [0])[0, 0])
    return with_times(instance, node, tw_early=opens), {node}


def large_demand(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Let only a vehicle carry it that does not come so far."""
    node = one_of(instance, rng)
    instance = moved(instance, node, 400.0)
    demands = np.array(instance.demands)
    demands[node] = 21
    [small] = instance.vehicle_types
    large = replace(small, capacity=30, max_distance=500)
    fleet = nr.Fleet((small, large))
    return replace(instance, demands=demands, capacity=30, fleet=fleet), {node}


def forbidden_arc(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Let nobody drive to a customer, or from it."""
    node = one_of(instance, rng)
    matrix = all_distances(instance)
    if rng.integers(2):
        matrix[:, node] = np.inf
    else:
        matrix[node] = np.inf
    return replace(instance, matrix=matrix), {node}


def isolated_group(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Leave three customers only the arcs to each other."""
    nodes = rng.choice(np.arange(1, instance.num_customers + 1), 3, False)
    matrix = all_distances(instance)
    inner = matrix[np.ix_(nodes, nodes)]
    matrix[nodes] = np.inf
    matrix[:, nodes] = np.inf
    matrix[np.ix_(nodes, nodes)] = inner
    return replace(instance, matrix=matrix), set(nodes.tolist())


def few_for_loads(instance: nr.Instance, _: np.random.Generator) -> Broken:
    """Take one vehicle less than the sum of the demands needs."""
    number = -(-int(instance.demands.sum()) // 20) - 1
    return with_vehicles(instance, num_available=number), set()


def few_for_time(instance: nr.Instance, _: np.random.Generator) -> Broken:
    """Let services take a quarter of a shift, with the ways on top."""
    for node in range(1, instance.num_customers + 1):
        instance = with_times(instance, node, service_durations=END // 4)
    number = instance.num_customers // 4
    limits = {"num_available": number, "capacity": 200}
    return with_vehicles(instance, **limits), set()


def few_for_pairs(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Let five customers want the same moment of four vehicles."""
    nodes = rng.choice(np.arange(1, instance.num_customers + 1), 5, False)
    for node in nodes.tolist():
        instance = with_times(
            instance, node, tw_early=500, tw_late=500, service_durations=1
        )
    limits = {"num_available": 4, "capacity": 200}
    return with_vehicles(instance, **limits), set(nodes.tolist())


def far_away(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Let vehicles drive to all customers and back but for one."""
    node = one_of(instance, rng)
    instance = moved(instance, node, 300.0)
    there = float(instance.distances([0], [node])[0, 0])
    return with_vehicles(instance, max_distance=2 * there - 0.5), {node}


def long_service(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Let a service take as long as a shift, with the way on top."""
    node = one_of(instance, rng)
    instance = with_vehicles(instance, shift_duration=400)
    return with_times(instance, node, service_durations=400), {node}


def late_goods(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Release goods when the window closes, before the way."""
    node = one_of(instance, rng)
    times = {"release_times": 600, "tw_late": 600}
    return with_times(instance, node, **times), {node}


def late_release(instance: nr.Instance, rng: np.random.Generator) -> Broken:
    """Release goods after the latest start."""
    node = one_of(instance, rng)
    instance = with_vehicles(instance, start_late=300)
    return with_times(instance, node, release_times=301), {node}


def all_distances(instance: nr.Instance) -> np.ndarray:
    """Return the distances between all nodes."""
    nodes = range(instance.num_customers + 1)
    return np.array(instance.distances(nodes, nodes))


CAUSES: dict[str, tuple[str, Cause]] = {
    "late window": ("window", late_window),
    "late end": ("return", late_end),
    "demand": ("demand", large_demand),
    "arc": ("arc", forbidden_arc),
    "group": ("group", isolated_group),
    "loads": ("fleet-load", few_for_loads),
    "time": ("fleet-time", few_for_time),
    "pairs": ("fleet-pairs", few_for_pairs),
    "distance": ("distance", far_away),
    "shift": ("shift", long_service),
    "late goods": ("window", late_goods),
    "release": ("release", late_release),
}


@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_and_the_ids_are_named(name: str) -> None:
    """Thirty problems of each cause: that one, and no other one."""
    kind, cause = CAUSES[name]
    for seed in range(30):
        rng = np.random.default_rng(seed)
        instance = wide_problem(rng)
        assert nr.diagnose(instance).fatal == ()
        broken, nodes = cause(instance, rng)
        [found] = nr.diagnose(broken).fatal
        assert found.kind == kind
        assert set(found.customers) == nodes
        assert set(found.ids) == {f"id-{node}" for node in nodes}
        for one in found.ids:
            assert f"(id {one})" in found.message
        with pytest.raises(nr.InfeasibleError) as error:
            nr.solve(broken, time_limit=60.0)
        assert str(error.value) == f"known: {found.message}."
