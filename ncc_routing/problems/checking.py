"""Checks of a solution that share no code with any solver."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.schedules import schedule_route
from ncc_routing.problems.tolerances import COST_TOLERANCE, LOAD_TOLERANCE

if TYPE_CHECKING:
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet
    from ncc_routing.problems.solution import Solution

_NO_COST: Final = 1e-12
"""Cost up to which a clustering counts as one of no cost at all, where the
largest coordinate is 1."""


@dataclass(frozen=True)
class Violation:
    """One broken rule.

    Parameters
    ----------
    kind
        "unknown", "duplicate", "missing", "capacity", "empty", "vehicles",
        "window", "shift", "distance" or "cost".
    message
        The rule and the values, for a person.
    """

    kind: str
    message: str


def check_solution(instance: Instance, solution: Solution) -> list[Violation]:
    """Return every rule of its problem that a solution breaks.

    Each customer is visited exactly once, no load exceeds the capacity, no
    route is empty, no vehicle type is used more often than it is there, each
    service begins within its time window, no route is longer than its
    vehicle may drive or work, and the stated cost is that of the routes.

    Parameters
    ----------
    instance
        The instance.
    solution
        The solution to check.

    Returns
    -------
    list[Violation]
        All of them; empty for a feasible solution with the right cost.
        Where a customer or a vehicle type is unknown, times, distances and
        the cost are not judged.
    """
    violations = _check_coverage(instance, solution)
    violations += _check_vehicles(instance, solution)
    is_known = all(violation.kind != "unknown" for violation in violations)
    demands = dict(enumerate(instance.demands.tolist()))
    for number, route in enumerate(solution.routes, start=1):
        if not route:
            text = f"route {number} is empty"
            violations.append(Violation("empty", text))
        capacity = instance.capacity
        if is_known and instance.fleet is not None:
            kind = solution.vehicle_types[number - 1]
            capacity = instance.fleet.types[kind].capacity
        load = sum(demands.get(customer, 0) for customer in route)
        if load > capacity:
            text = f"route {number} carries {load} of {capacity}"
            violations.append(Violation("capacity", text))
    if not is_known:
        return violations  # there is no distance to nowhere
    if instance.is_plain:
        cost = float(instance.route_costs(solution.routes).sum())
    else:
        cost, broken = _check_schedules(instance, solution)
        violations += broken
    if not math.isclose(cost, solution.cost, rel_tol=COST_TOLERANCE):
        text = f"the stated cost is {solution.cost:g}, the routes add up to "
        violations.append(Violation("cost", f"{text}{cost:g}"))
    return violations


def _check_vehicles(instance: Instance, solution: Solution) -> list[Violation]:
    """Check that there are the vehicles that the routes take."""
    found = []
    if len(solution.vehicle_types) != len(solution.routes):
        text = f"{len(solution.vehicle_types)} vehicle types are given for "
        text += f"{len(solution.routes)} routes"
        return [Violation("unknown", text)]
    types = instance.vehicle_types
    for idx, count in sorted(Counter(solution.vehicle_types).items()):
        if idx not in range(len(types)):
            text = f"there is no vehicle type {idx}"
            found.append(Violation("unknown", text))
            continue
        available = types[idx].num_available
        if available is not None and count > available:
            which = f" of type {idx}" if len(types) > 1 else ""
            text = f"there are {count} routes for {available} vehicles{which}"
            found.append(Violation("vehicles", text))
    return found


def _check_schedules(
    instance: Instance, solution: Solution
) -> tuple[float, list[Violation]]:
    """Return the cost, and the limits that the routes break."""
    cost, found = 0.0, []
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven, start=1):
        kind = instance.vehicle_types[idx]
        schedule = schedule_route(instance, route, idx)
        cost += schedule.cost
        stops = zip(schedule.visits, schedule.lateness, strict=True)
        for place, (node, late) in enumerate(stops):
            if _exceeds(schedule.begins[place] + late, schedule.begins[place]):
                at = f"customer {node}"
                if place in (0, len(schedule.visits) - 1):
                    at = "its depot"
                text = f"route {number} reaches {at} {late:g} too late"
                found.append(Violation("window", text))
        for name, value, limit in (
            ("shift", schedule.duration, kind.shift_duration),
            ("distance", schedule.distance, kind.max_distance),
        ):
            if _exceeds(value, limit):
                text = f"route {number} takes {value:g} of {limit:g}"
                found.append(Violation(name, text))
    return cost, found


def _exceeds(value: float, limit: float) -> bool:
    """Whether a limit is broken; exact where both are whole numbers."""
    if float(value).is_integer() and float(limit).is_integer():
        return value > limit
    return value > limit * (1.0 + LOAD_TOLERANCE)


def check_clustering(
    points: PointSet, clustering: Clustering, num_clusters: int | None = None
) -> list[Violation]:
    """Return every rule of the capacitated clustering that is broken.

    Each point has a cluster, there are as many clusters as wanted, no load
    exceeds its capacity, and the stated cost is that of the objective.

    Parameters
    ----------
    points
        The points.
    clustering
        The clustering to check.
    num_clusters
        The number of clusters wanted. Default: any.

    Returns
    -------
    list[Violation]
        All of them; empty for a feasible clustering with the right cost.
    """
    violations = []
    count = clustering.num_clusters
    if num_clusters is not None and count != num_clusters:
        text = f"there are {count} clusters instead of {num_clusters}"
        violations.append(Violation("unknown", text))
    labels = np.asarray(clustering.labels).astype(np.int64)
    if len(labels) != points.num_points:
        text = f"{len(labels)} labels for {points.num_points} points"
        violations.append(Violation("missing", text))
    labels = labels[: points.num_points]
    has_cluster = (labels >= 0) & (labels < count)
    for point in np.flatnonzero(~has_cluster):
        text = f"point {point} has cluster {labels[point]}"
        violations.append(Violation("missing", text))
    inside = np.flatnonzero(has_cluster)
    labels = labels[inside]
    # Exact for whole numbers, whose sum is one in float64 as well.
    loads = np.bincount(labels, points.weights[inside], count).tolist()
    used = np.bincount(labels, minlength=count) > 0
    for k in np.flatnonzero(used).tolist():
        medoid = int(clustering.medoids[k])
        capacity = _cluster_capacity(points, clustering.objective, k, medoid)
        if points.has_whole_weights:
            load, slack = int(loads[k]), 0.0
        else:
            load, slack = loads[k], LOAD_TOLERANCE * capacity
        if load > capacity + slack:
            text = f"cluster {k} carries {load} of {capacity}"
            violations.append(Violation("capacity", text))
    cost = _clusters_cost(points, clustering, inside, labels)
    if math.isinf(cost) or not math.isclose(
        cost,
        clustering.cost,
        rel_tol=COST_TOLERANCE,
        abs_tol=_NO_COST * _unit_of_cost(points, clustering.objective),
    ):
        text = f"the stated cost is {clustering.cost:g}, the clusters add up"
        violations.append(Violation("cost", f"{text} to {cost:g}"))
    return violations


def _cluster_capacity(
    points: PointSet, objective: str, k: int, medoid: int
) -> float:
    """Return the capacity of cluster ``k``, whatever it depends on."""
    own, by_medoid = points.capacities, points.point_capacities
    capacity = points.capacity
    if own is not None and k < len(own):
        capacity = own[k].item()
    if by_medoid is not None and objective == "cpmp":
        known = 0 <= medoid < points.num_points
        capacity = by_medoid[medoid].item() if known else capacity
    return capacity


def _unit_of_cost(points: PointSet, objective: str) -> float:
    """Return the cost of one length as long as the coordinates."""
    largest = float(abs(points.coords).max())
    return largest * largest if objective == "inertia" else largest


def _clusters_cost(
    points: PointSet,
    clustering: Clustering,
    inside: np.ndarray,
    labels: np.ndarray,
) -> float:
    """Return the cost of some points, straight from its definition.

    ``labels`` are the clusters of the points ``inside``.
    """
    coords = points.coords[inside]
    if clustering.objective == "cpmp":
        medoids = np.asarray(clustering.medoids).astype(np.int64)
        is_known = (medoids >= 0) & (medoids < points.num_points)
        own = medoids[labels]
        if not is_known[labels].all():
            return math.inf
        at_home = np.asarray(clustering.labels)[own] == labels
        if not at_home.all():
            return math.inf
        if points.matrix is not None:
            return float(points.matrix[inside, own].sum())
        centers = points.coords[own]
    else:
        count = clustering.num_clusters
        sizes = np.maximum(np.bincount(labels, minlength=count), 1)
        sums = [np.bincount(labels, axis, count) for axis in coords.T]
        centers = (np.column_stack(sums) / sizes[:, None])[labels]
    lengths = np.zeros(len(inside))
    for gap in (coords - centers).T:
        lengths = np.hypot(lengths, gap)
    if clustering.objective == "inertia":
        lengths *= lengths
    elif clustering.objective == "cpmp" and points.rounding == "floor":
        lengths = np.floor(lengths)
    return float(lengths.sum())


def _check_coverage(instance: Instance, solution: Solution) -> list[Violation]:
    visits = Counter(chain.from_iterable(solution.routes))
    customers = range(1, instance.num_customers + 1)
    found = [
        Violation("unknown", f"there is no customer {customer}")
        for customer in sorted(visits)
        if customer not in customers
    ]
    for customer in customers:
        count = visits[customer]
        if count == 0:
            text = f"customer {customer} is not visited"
            found.append(Violation("missing", text))
        elif count > 1:
            text = f"customer {customer} is visited {count} times"
            found.append(Violation("duplicate", text))
    return found
