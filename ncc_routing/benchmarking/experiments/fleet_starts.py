"""First routes with windows, fleets and depots: insertion or clusters first.

Seconds are those of the processor.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.benchmarking.experiment import Case, page_of, vary
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Differences, Summary
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.core.exceptions import InfeasibleError, NccRoutingError
from ncc_routing.core.seeds import stage_seed
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.points import PointSet
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.vrp.polishing.fleets.limits import keep_to_fleet
from ncc_routing.vrp.polishing.fleets.search import insert_customers
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.instance import Instance

SIZES = (200, 500, 1000)
"""Customers of the instances, eight kinds of each."""

_SEED = 7_400

WINDOW_WEIGHT = 0.2
"""What the middle of a window counts for beside the places, where a unit of
time is one of distance."""


def of_all_kinds() -> list[Case]:
    """Return instances with windows, a fleet, and depots, of every size."""
    kinds: dict[str, Any] = {
        f"{places}-{windows}": partial(
            generate_time_windows, customers=places, windows=windows
        )
        for places in ("random", "clustered", "half")
        for windows in ("short", "long")
    }
    kinds |= {"fleet": generate_fleet, "depots": generate_depots}
    return [
        Case(f"{kind}-n{size}", partial(make, size, _SEED + size))
        for size in SIZES
        for kind, make in kinds.items()
    ]


def start_by(
    instance: Instance, seed: int, budget: Budget, *, start: str
) -> dict[str, Any]:
    """Make first routes in some way, and polish them for the rest.

    Parameters
    ----------
    instance, seed, budget
        As every run gets them.
    start
        "insertion", or clusters by "places" or "places and windows".
    """
    deadline = processor_deadline(budget)
    begun = deadline.remaining()
    if start == "insertion":
        first = insert_customers(instance, seed, deadline)
    else:
        weight = WINDOW_WEIGHT if start == "places and windows" else 0.0
        first = insert_in_clusters(instance, seed, deadline, weight)
    first = keep_to_fleet(instance, first, stage_seed(seed, "fleet"), deadline)
    seconds = begun - deadline.remaining()
    found = ruin_and_recreate(instance, first, deadline=deadline, seed=seed)
    for violation in check_solution(instance, found):
        raise NccRoutingError(violation.message)
    return {
        "start_seconds": round(seconds, 3),
        "start_cost": first.cost,
        "start_routes": first.num_routes,
        "cost": found.cost,
        "num_routes": found.num_routes,
    }


def insert_in_clusters(
    instance: Instance, seed: int, deadline: Deadline, window_weight: float
) -> Solution:
    """Cluster the customers, and insert those of each cluster by themselves.

    A cluster gets further vehicles where its windows need them.

    Parameters
    ----------
    instance
        An instance with coordinates.
    seed
        Seed of both steps.
    deadline
        When to stop trying; the first try comes to its end.
    window_weight
        What a unit of time counts for, in units of distance.
    """
    routes: list[list[int]] = []
    kinds: list[int] = []
    for members in _clusters(instance, seed, deadline, window_weight):
        part = _with_members(instance, members)
        found = insert_customers(part, seed, deadline)
        routes += [members[np.array(r) - 1].tolist() for r in found.routes]
        kinds += found.vehicle_types
    return Solution.from_routes(instance, routes, kinds)


def _clusters(
    instance: Instance, seed: int, deadline: Deadline, window_weight: float
) -> Iterator[np.ndarray]:
    """Yield the customers of each cluster, as few clusters as there may be.

    No more fit a cluster than a mean vehicle carries, and than may be
    served between the opening and the closing of the depot.
    """
    size = instance.num_customers
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    features = instance.require_coords("clusters")
    if window_weight > 0.0 and instance.windows is not None:
        middles = (windows.tw_early + windows.tw_late) / 2.0
        features = np.column_stack([features, window_weight * middles])
    demands = instance.demands[1 : size + 1]
    capacities = [kind.capacity for kind in instance.vehicle_types]
    capacity = max(int(demands.max()), int(np.mean(capacities)))
    work = windows.service_durations[1:].sum() / windows.tw_late[0]
    count = math.ceil(max(demands.sum() / capacity, work))
    points = PointSet(features[1 : size + 1], demands, capacity)
    depot = features[0] if instance.num_depots == 1 else None
    rng = np.random.default_rng(seed)
    while True:
        try:
            found = capacitated_kmeans(
                points, count, depot=depot, rng=rng, deadline=deadline
            )
        except InfeasibleError:
            count += 1 + count // 20
        else:
            break
    for number in range(count):
        members = np.flatnonzero(found.labels == number) + 1
        if len(members) > 0:
            yield members


def _with_members(instance: Instance, members: np.ndarray) -> Instance:
    """Return an instance with some of its customers, and all vehicles."""
    nodes = np.array([0, *members, *instance.depots[1:]])
    windows = instance.windows
    if windows is not None:
        windows = TimeWindows(
            windows.tw_early[nodes],
            windows.tw_late[nodes],
            windows.service_durations[nodes],
            windows.release_times[nodes],
        )
    return replace(
        instance,
        demands=instance.demands[nodes],
        coords=instance.require_coords("clusters")[nodes],
        windows=windows,
    )


PAGES = (
    page_of(
        "fleet_starts",
        "Insertion or clusters first, with windows and fleets",
        "First routes by insertion, and by capacitated clusters with the "
        "depot and the windows in their distances, before ruin and recreate; "
        "2 s of processor time in all, on generated instances.",
        cases=of_all_kinds,
        variants=vary(
            start_by, "start", ("insertion", "places", "places and windows")
        ),
        columns="instance num_customers seed budget start start_seconds "
        "start_cost start_routes cost num_routes",
        key="instance start seed budget",
        budgets=(2.0,),
        warm=Case("warm-up", partial(generate_depots, 60, 1)),
        warm_budget=1.0,
        views=(
            Differences(*("start", "insertion", "start_cost"), relative=True),
            Differences(*("start", "insertion", "cost"), relative=True),
            Summary(
                "start",
                "runs; s: start_seconds seconds; routes at first: "
                "start_routes .1f; routes: num_routes .1f",
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
"""The pages of this file, by which the registry finds them."""
