"""The cheapest answers of small problems, by a look at every one."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, permutations, product
from operator import le
from typing import TYPE_CHECKING

import numpy as np

import ncc_routing as nr
from ncc_routing.problems.schedules import (
    arc_distances,
    arc_durations,
    route_nodes,
    schedule_route,
)
from ncc_routing.problems.values import LOAD_TOLERANCE, exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def cheapest_plan(instance: nr.Instance) -> float:
    """Return the least cost of a feasible plan, inf where there is none.

    Time and memory grow with the factorial of the customers: seven take
    some hundredths of a second.

    Parameters
    ----------
    instance
        An instance of any kind.
    """
    count = instance.num_customers
    # The cheapest plans so far, by the set of customers as bits.
    plans = np.full(1 << count, np.inf)
    plans[0] = 0.0
    for idx, kind in enumerate(instance.vehicle_types):
        costs = [cheapest_route(instance, s, idx) for s in _subsets(count)]
        for _ in range(min(kind.num_available or count, count)):
            more = _with_a_vehicle(plans, costs)
            if (more == plans).all():
                break
            plans = more
    return float(plans[-1])


def cheapest_route(
    instance: nr.Instance, members: tuple[int, ...], kind: int
) -> float:
    """Return the least cost of a route over some customers.

    Parameters
    ----------
    instance
        An instance of any kind.
    members
        The customers, in any order. Nobody costs nothing.
    kind
        Index of the vehicle type.

    Returns
    -------
    float
        Infinite where each order breaks a limit.
    """
    vehicle = instance.vehicle_types[kind]
    if sum(instance.demands[list(members)]) > vehicle.capacity:
        return math.inf
    if not members:
        return 0.0
    orders, bounds = _possible_orders(instance, members, kind)
    best = math.inf
    for place in np.argsort(bounds):
        if bounds[place] >= best:
            break
        found = schedule_route(instance, orders[place].tolist(), kind)
        if not (
            any(
                exceeds(begin + late, begin)
                for begin, late in zip(
                    found.begins, found.lateness, strict=True
                )
            )
            or exceeds(found.duration, vehicle.shift_duration)
            or exceeds(found.distance, vehicle.max_distance)
        ):
            best = min(best, found.cost)
    return best


def _possible_orders(
    instance: nr.Instance, members: tuple[int, ...], kind: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the orders that keep to the simple limits, and least costs.

    The vehicle starts as early as it may, whenever its depot opens and the
    goods are there, and its route takes no longer than the ways and the
    services.
    """
    vehicle = instance.vehicle_types[kind]
    windows = instance.windows or nr.TimeWindows.of(len(instance.demands))
    start, *_, end = route_nodes(instance, members, kind)
    orders = np.array(members)[_permutations(len(members))]
    ends = np.ones((len(orders), 1), dtype=orders.dtype)
    visits = np.hstack([start * ends, orders, end * ends])
    arcs = (instance, vehicle.profile, visits[:, :-1], visits[:, 1:])
    ways = arc_durations(*arcs)
    length = arc_distances(*arcs).sum(axis=1)
    services = windows.service_durations[visits[:, :-1]]
    work = ways.sum(axis=1) + services.sum(axis=1)
    # Whether the rounding of a sum is to blame is looked at later.
    more = 1.0 + LOAD_TOLERANCE
    is_possible = length <= more * vehicle.max_distance
    is_possible &= work <= more * vehicle.shift_duration
    now = np.full(len(orders), float(vehicle.tw_early))
    for stop, node in enumerate(orders.T):
        now = now + services[:, stop] + ways[:, stop]
        now = np.maximum(now, windows.tw_early[node])
        late = windows.tw_late[node]
        is_possible &= now <= more * late
        now = np.minimum(now, late)
    orders, length, work = (
        each[is_possible] for each in (orders, length, work)
    )
    bounds = vehicle.fixed_cost + vehicle.unit_distance_cost * length
    return orders, bounds + vehicle.unit_duration_cost * work


def _with_a_vehicle(plans: np.ndarray, costs: list[float]) -> np.ndarray:
    """Return the cheapest plans with one more vehicle, used or not."""
    better = plans.copy()
    masks = np.arange(len(plans))
    for mask, cost in enumerate(costs):
        others = masks[masks & mask == 0]
        whole = others | mask
        better[whole] = np.minimum(better[whole], plans[others] + cost)
    return better


@cache
def _permutations(size: int) -> np.ndarray:
    """Return the orders of so many things, one in each row."""
    return np.array(list(permutations(range(size))))


@cache
def _subsets(count: int) -> list[tuple[int, ...]]:
    """Return the sets of customers 1..count, each at the place of its bits."""
    return [
        tuple(c + 1 for c in range(count) if mask >> c & 1)
        for mask in range(1 << count)
    ]


def cheapest_full_plan(instance: nr.Instance) -> float:
    """Return the least cost of a feasible plan, inf where there is none.

    By a look at all routes: five stops take some tenths of a second.
    """
    everyone = (1 << instance.num_customers) - 1
    types = range(len(instance.vehicle_types))
    costs = [
        {
            members: _cheapest_route(instance, _stops(members), kind)
            for members in range(1, everyone + 1)
        }
        for kind in types
    ]
    used = [0] * len(types)
    parts: list[set[int]] = []
    best = math.inf

    def go_on(left: int, served: int, cost: float) -> None:
        """Decide on the stops that are left, the first one first."""
        nonlocal best
        if left == 0:
            if not _goes_together(instance, parts):
                return
            best = min(best, cost + _lost(instance, _stops(served)))
            return
        first = left & -left
        go_on(left & ~first, served, cost)
        part = left
        while part:
            for kind in types if part & first else ():
                most = instance.vehicle_types[kind].num_available
                more = costs[kind][part]
                if more < math.inf and (most is None or used[kind] < most):
                    used[kind] += 1
                    parts.append(set(_stops(part)))
                    go_on(left & ~part, served | part, cost + more)
                    parts.pop()
                    used[kind] -= 1
            part = (part - 1) & left

    go_on(everyone, 0, 0.0)
    return best


def _goes_together(instance: nr.Instance, parts: Sequence[set[int]]) -> bool:
    """Whether no group is parted, and all in-progress routes are there."""
    rules = instance.constraints
    if rules is None:
        return True
    groups = map(set, rules.same_route)
    return all(
        sum(not part.isdisjoint(group) for part in parts) <= 1
        for group in groups
    ) and all(
        any(part.issuperset(one.customers) for part in parts)
        for one in rules.in_progress
    )


def _keeps_rules(
    instance: nr.Instance, route: Sequence[int], kind: int
) -> bool:
    """Whether a route of a type keeps the rules that it can break alone."""
    rules = instance.constraints
    if rules is None:
        return True
    stops = [node for node in route if node not in instance.depots]
    skills = set(instance.vehicle_types[kind].skills)
    for stop in stops:
        if rules.skills and not skills.issuperset(rules.skills[stop]):
            return False
        pinned = rules.vehicles[stop] if rules.vehicles else None
        if pinned is not None and kind not in pinned:
            return False
    if any(len(set(s) & set(stops)) > 1 for s in rules.different_routes):
        return False
    if rules.max_districts is not None:
        visited = {rules.districts[stop] for stop in stops} - {-1}
        if len(visited) > rules.max_districts:
            return False
    return all(
        tuple(route[: len(one.customers)]) == one.customers
        and one.vehicle_type == kind
        for one in rules.in_progress
        if not set(one.customers).isdisjoint(stops)
    )


def num_routes(instance: nr.Instance) -> int:
    """Return how many routes the cheapest plan is looked for among."""
    stops = range(1, instance.num_customers + 1)
    found = 0
    for kind in instance.vehicle_types:
        calls = 1 + len(kind.reload_depots) if kind.can_reload else 1
        found += sum(math.perm(stops[-1], k) * calls**k for k in stops)
    return found


def _stops(members: int) -> tuple[int, ...]:
    """Return the stops of a set of bits."""
    return tuple(
        bit + 1 for bit in range(members.bit_length()) if members >> bit & 1
    )


def _lost(instance: nr.Instance, served: Sequence[int]) -> float:
    """Return the prizes lost; infinite where somebody must not be left out."""
    if instance.unserved([served]):
        return math.inf
    selection = instance.selection
    if selection is None:
        return 0.0
    for group in selection.groups:
        if len(set(group.customers).intersection(served)) > 1:
            return math.inf
    return selection.lost_prizes(served)


def _cheapest_route(
    instance: nr.Instance, stops: tuple[int, ...], kind: int
) -> float:
    """Return the least cost of a route over all these stops."""
    routes = _routes(instance, stops, kind)
    costs = (_cost(instance, each, kind) for each in routes)
    return min(costs, default=math.inf)


def _routes(
    instance: nr.Instance, stops: tuple[int, ...], idx: int
) -> Iterator[list[int]]:
    """Yield all orders, with or without a reload before each stop."""
    kind = instance.vehicle_types[idx]
    most = min(kind.max_reloads, len(stops)) if kind.can_reload else 0
    calls = [(), *((instance.depots[d],) for d in kind.reload_depots)]
    for order in permutations(stops):
        for before in product(calls if most else [()], repeat=len(order)):
            if sum(map(len, before)) <= most:
                pairs = zip(before, order, strict=True)
                yield [node for call, stop in pairs for node in (*call, stop)]


def _cost(instance: nr.Instance, route: list[int], idx: int) -> float:
    """Return the cost of a route, infinite where it breaks a limit."""
    for one in instance.shipments:
        ends = [one.pickup in route, one.delivery in route]
        if any(ends) != all(ends):
            return math.inf
        if all(ends):
            first, last = map(route.index, (one.pickup, one.delivery))
            if not set(route[first:last]).isdisjoint(instance.depots):
                return math.inf
            if first > last:
                return math.inf
    if not _keeps_rules(instance, route, idx):
        return math.inf
    kind = instance.vehicle_types[idx]
    found = schedule_route(instance, route, idx)
    is_over = any(
        load > capacity
        for loads in found.loads
        for load, capacity in zip(loads, kind.capacities, strict=True)
    )
    if (
        is_over
        or any(found.lateness)
        or found.distance > kind.max_distance
        or found.duration > kind.max_duration
    ):
        return math.inf
    return found.cost


def partitions(size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield each partition once: sets in the order of first members."""
    if size == 0:
        yield ()
        return
    for labels in partitions(size - 1, count):
        for label in range(min(count, max(labels, default=-1) + 2)):
            yield (*labels, label)


def cheapest_routes(instance: nr.Instance) -> float:
    """Return the least cost of routes for a plain CVRP."""
    nodes = np.arange(instance.num_customers + 1)
    lengths = instance.distances(nodes, nodes)

    @cache
    def cost(members: tuple[int, ...]) -> float:
        if instance.demands[list(members)].sum() > instance.capacity:
            return np.inf
        return min(
            sum(float(lengths[arc]) for arc in pairwise((0, *order, 0)))
            for order in permutations(members)
        )

    size = instance.num_customers
    return min(
        sum(
            cost(tuple(1 + i for i in range(size) if labels[i] == label))
            for label in set(labels)
        )
        for labels in partitions(size, size)
    )


def cheapest_clusters(
    points: nr.PointSet, count: int, objective: str
) -> float:
    """Return the least cost of at most ``count`` clusters, inf for none.

    Capacities of clusters go to the loads in descending order.
    """
    rooms = [points.capacity] * count
    if points.capacities is not None:
        rooms = sorted(points.capacities.tolist(), reverse=True)
    limits = [points.largest_load(room) * (1 + 1e-9) for room in rooms]

    @cache
    def cost(members: tuple[int, ...]) -> tuple[float, float]:
        chosen = list(members)
        load = float(points.weights[chosen].sum())
        return load, _cluster_cost(points, chosen, load, objective)

    best = np.inf
    for labels in partitions(points.num_points, count):
        groups: dict[int, list[int]] = {}
        for i, label in enumerate(labels):
            groups.setdefault(label, []).append(i)
        found = [cost(tuple(members)) for members in groups.values()]
        loads = sorted((load for load, _ in found), reverse=True)
        if all(map(le, loads, limits)):
            best = min(best, sum(value for _, value in found))
    return best


def cheapest_within_limits(
    points: nr.PointSet, count: int, objective: str
) -> float:
    """Return the least cost of exactly ``count`` clusters, inf for none.

    All limits of a ``PointSet`` hold, in every order of the clusters where
    they differ; a cluster may be empty unless a limit forbids it.
    """
    least, most = _limits_by_cluster(points, count)
    measures = _measures(points)
    best = np.inf
    for labels in partitions(points.num_points, count):
        groups: list[list[int]] = [[] for _ in range(count)]
        for i, label in enumerate(labels):
            groups[label].append(i)
        loads = np.array([measures[g].sum(axis=0) for g in groups])
        orders = permutations(range(count))
        if not any(
            (loads[list(order)] >= least).all()
            and (loads[list(order)] <= most).all()
            for order in orders
        ):
            continue
        total = sum(
            _cluster_cost(points, g, float(loads[k, 0]), objective)
            for k, g in enumerate(groups)
            if g
        )
        best = min(best, total)
    return best


def _measures(points: nr.PointSet) -> np.ndarray:
    columns = [points.weights, np.ones(points.num_points)]
    if points.other_weights is not None:
        columns += [*points.other_weights.T]
    return np.column_stack(columns).astype(float)


def _limits_by_cluster(
    points: nr.PointSet, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return least and largest loads, each of shape (count, measures)."""
    measures = _measures(points)
    least = np.zeros((count, len(measures.T)))
    most = np.full((count, len(measures.T)), np.inf)
    most[:, 0] = points.capacity
    if points.capacities is not None:
        most[:, 0] = points.capacities
    if points.min_load is not None:
        least[:, 0] = points.min_load
    if points.min_size is not None:
        least[:, 1] = points.min_size
    if points.max_size is not None:
        most[:, 1] = points.max_size
    if points.other_weights is not None:
        if points.other_capacities is not None:
            most[:, 2:] = points.other_capacities
        if points.other_min_loads is not None:
            least[:, 2:] = points.other_min_loads
    if points.tolerance is not None:
        means = measures.sum(axis=0) / count
        means[1] = np.nan  # no tolerance is asked of the sizes
        least = np.fmax(least, means * (1 - points.tolerance))
        most = np.fmin(most, means * (1 + points.tolerance))
    return least * (1 - 1e-9) - 1e-12, most * (1 + 1e-9) + 1e-12


def _cluster_cost(
    points: nr.PointSet, members: list[int], load: float, objective: str
) -> float:
    """Return what one cluster costs, by definition."""
    coords = points.coords[members]
    offsets = coords - coords.mean(axis=0)
    if objective == "inertia":
        return float((offsets**2).sum())
    if objective == "cccp":
        return float(np.sqrt((offsets**2).sum(axis=1)).sum())
    lengths = np.sqrt(((coords[:, None] - coords[None]) ** 2).sum(axis=2))
    if points.matrix is not None:
        lengths = points.matrix[np.ix_(members, members)]
    if points.rounding == "floor":
        lengths = np.floor(lengths)
    sums = lengths.sum(axis=0)
    if points.point_capacities is not None:
        rooms = points.point_capacities[members].astype(float)
        sums[load > points.largest_load(1) * rooms * (1 + 1e-9)] = np.inf
    return float(sums.min())
