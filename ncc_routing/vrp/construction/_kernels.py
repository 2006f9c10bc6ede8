"""Compiled steps of the classical methods.

The sweep kernels work on ``ring``: the customers in the order of the beam,
written twice, shape (2n,), so that an arc that passes the end needs no
modulo. An *arc* is a run of consecutive positions of the ring; one that no
vehicle can extend is *full*.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.problems.distances import Metric, distance


@njit(cache=True, nogil=True)
def fill_ends(
    ring: np.ndarray, demands: np.ndarray, capacity: int, ends: np.ndarray
) -> None:
    """Set ``ends[i]`` to the position after the full arc that starts at i.

    Parameters
    ----------
    ring
        Int64 array of shape (2n,).
    demands
        Int64 array of shape (n + 1,), none above ``capacity``.
    capacity
        Capacity of a vehicle.
    ends
        Int64 array of shape (2n,). Modified in place; ``ends[i] <= i + n``.
    """
    n = len(ring) // 2
    load = 0
    end = 0
    for i in range(n):
        end = max(end, i)
        while end < i + n and load + demands[ring[end]] <= capacity:
            load += demands[ring[end]]
            end += 1
        ends[i] = end
        ends[i + n] = end + n
        load -= demands[ring[i]]


@njit(cache=True, nogil=True)
def fill_lengths(
    metric: Metric, ring: np.ndarray, lengths: np.ndarray
) -> None:
    """Set ``lengths[i]`` to the way from position 0 to position i."""
    total = 0.0
    for i in range(len(ring)):
        if i > 0:
            total += distance(metric, ring[i - 1], ring[i])
        lengths[i] = total


@njit(cache=True, nogil=True)
def find_best_start(
    metric: Metric, ring: np.ndarray, ends: np.ndarray, lengths: np.ndarray
) -> tuple[int, int, float]:
    """Return start, number of routes and cost of the best sweep.

    Every position is a start. Fewer routes come first, then lower cost,
    then the earlier start. The numbers of routes of two starts differ by at
    most one, so that all but the last few routes of every start are added
    up at once, by doubling: O(n log n).

    Parameters
    ----------
    metric
        Distances of the instance.
    ring, ends, lengths
        See ``fill_ends`` and ``fill_lengths``.
    """
    n = len(ring) // 2
    # Where the next 1, 2, 4, ... routes end, and what they cost.
    step = np.full(2 * n + 1, 2 * n)
    costs = np.zeros(2 * n + 1)
    for i in range(2 * n):
        step[i] = min(ends[i], 2 * n)
        last = step[i] - 1
        costs[i] = distance(metric, 0, ring[i]) + lengths[last] - lengths[i]
        costs[i] += distance(metric, ring[last], 0)
    num_skipped = -1
    i = 0
    while i < n:
        i = ends[i]
        num_skipped += 1
    num_skipped = max(0, num_skipped - 1)
    position = np.arange(n)
    totals = np.zeros(n)
    left = num_skipped
    while left > 0:
        if left % 2 == 1:
            for start in range(n):
                totals[start] += costs[position[start]]
                position[start] = step[position[start]]
        for i in range(2 * n):
            costs[i] += costs[step[i]]
            step[i] = step[step[i]]
        left //= 2
    best_start, best_count, best_cost = 0, n + 1, np.inf
    for start in range(n):
        stop = start + n
        count = num_skipped
        cost = totals[start]
        i = position[start]
        while i < stop:
            last = min(ends[i], stop) - 1
            cost += distance(metric, 0, ring[i])
            cost += lengths[last] - lengths[i]
            cost += distance(metric, ring[last], 0)
            count += 1
            i = last + 1
        if count < best_count or (count == best_count and cost < best_cost):
            best_start, best_count, best_cost = start, count, cost
    return best_start, best_count, best_cost


@njit(cache=True, nogil=True)
def list_pairs(
    order: np.ndarray,
    neighbours: np.ndarray,
    pairs: np.ndarray,
) -> int:
    """List each pair of a customer and a neighbour of it once.

    Parameters
    ----------
    order
        Int64 array of shape (n,): all customers. Near ones after one
        another keep the rows of their neighbours in the cache.
    neighbours
        Int32 array of shape (n + 1, k), see ``graph.KnnGraph``.
    pairs
        Int32 array of shape (2, n * k), overwritten.

    Returns
    -------
    int
        Number of pairs.
    """
    degree = neighbours.shape[1]
    count = 0
    for i in order:
        for a in range(degree):
            j = neighbours[i, a]
            # Two that are neighbours of each other: from the smaller one.
            is_known = False
            if j < i:
                for b in range(degree):
                    is_known |= neighbours[j, b] == i
            if not is_known:
                pairs[0, count] = i
                pairs[1, count] = j
                count += 1
    return count


@njit(cache=True, nogil=True)
def fill_savings(
    metric: Metric,
    tails: np.ndarray,
    heads: np.ndarray,
    shape: float,
    savings: np.ndarray,
) -> None:
    """Set ``savings[a]`` to what the link tails[a] -> heads[a] saves.

    Parameters
    ----------
    metric
        Distances of the instance.
    tails, heads
        Customers, int32 arrays of one length.
    shape
        Weight of the length of the link.
    savings
        Float64 array of that length. Modified in place.
    """
    for a in range(len(tails)):
        i, j = tails[a], heads[a]
        savings[a] = (
            distance(metric, i, 0)
            + distance(metric, 0, j)
            - shape * distance(metric, i, j)
        )


@njit(cache=True, nogil=True)
def find(parent: np.ndarray, i: int) -> int:
    """Return the root of i and halve the path to it (union-find)."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(cache=True, nogil=True)
def merge_routes(
    tails: np.ndarray,
    heads: np.ndarray,
    symmetric: bool,
    capacity: int,
    links: np.ndarray,
    parent: np.ndarray,
    loads: np.ndarray,
) -> None:
    """Join routes at their ends, link by link, where the load allows it.

    Parameters
    ----------
    tails, heads
        Links in the order in which they are tried, int32 arrays.
    symmetric
        Whether a route may be turned around. If not, a link joins the last
        customer of one route to the first customer of the other.
    capacity
        Capacity of a vehicle.
    links
        Int64 array of shape (n + 1, 2), the two neighbours of each customer
        in its route, 0 for the depot: predecessor and successor where
        routes must not be turned around, in any order where they may.
        Modified in place.
    parent, loads
        Int64 arrays of shape (n + 1,): the route of each customer as a
        union-find forest, and the load of the route at its root. Modified
        in place.
    """
    for a in range(len(tails)):
        i, j = tails[a], heads[a]
        # Column of a free end: the successor of i, the predecessor of j.
        # Where routes may be turned around, either column will do.
        out, into = 1, 0
        if symmetric:
            out = 0 if links[i, 0] == 0 else 1
            into = 0 if links[j, 0] == 0 else 1
        if links[i, out] != 0 or links[j, into] != 0:
            continue
        root_i, root_j = find(parent, i), find(parent, j)
        if root_i == root_j or loads[root_i] + loads[root_j] > capacity:
            continue
        links[i, out] = j
        links[j, into] = i
        parent[root_j] = root_i
        loads[root_i] += loads[root_j]


@njit(cache=True, nogil=True)
def walk_routes(
    links: np.ndarray, symmetric: bool, visits: np.ndarray
) -> None:
    """Write all routes to ``visits``, a 0 after each.

    Parameters
    ----------
    links
        See ``merge_routes``.
    symmetric
        Whether the columns of ``links`` come in any order.
    visits
        Int64 array of zeros of shape (2n,). Modified in place.
    """
    n = len(links) - 1
    seen = np.zeros(n + 1, dtype=np.bool_)
    position = 0
    for first in range(1, n + 1):
        is_end = links[first, 0] == 0 or (symmetric and links[first, 1] == 0)
        if seen[first] or not is_end:
            continue
        last, i = 0, first
        while i != 0:
            seen[i] = True
            visits[position] = i
            position += 1
            following = links[i, 1]
            # At the first customer last is 0, and so is its free column.
            if symmetric and following == last:
                following = links[i, 0]
            last, i = i, following
        position += 1


@njit(cache=True, nogil=True)
def walk_sweeps(
    ends: np.ndarray,
    starts: np.ndarray,
    costs: np.ndarray,
    totals: np.ndarray,
    lasts: np.ndarray,
) -> None:
    """Add up the routes of sweeps whose arcs have a cost.

    Parameters
    ----------
    ends
        See ``fill_ends``.
    starts
        Positions below n at which the sweeps start.
    costs
        Float64 array of shape (n,): cost of the full arc from a position,
        NaN where it is not known yet. The unknown ones that a sweep takes
        become infinite. Modified in place.
    totals
        Float64 array of shape (len(starts),), overwritten: cost of the full
        arcs of the sweep; infinite where one is not known.
    lasts
        Int64 array of that shape, overwritten: where the last route starts
        if it is cut short by the end of the sweep, else -1.
    """
    n = len(ends) // 2
    for k in range(len(starts)):
        totals[k] = 0.0
        lasts[k] = -1
        i = starts[k]
        stop = i + n
        while i < stop:
            if ends[i] > stop:
                lasts[k] = i
                break
            at = i if i < n else i - n
            if np.isnan(costs[at]):
                costs[at] = np.inf
            totals[k] += costs[at]
            i = ends[i]


@njit(cache=True, nogil=True)
def cut_into_petals(
    ends: np.ndarray,
    costs: np.ndarray,
    closing_costs: np.ndarray,
    start: int,
    reach: np.ndarray,
    came_from: np.ndarray,
) -> float:
    """Cut the ring at ``start`` into arcs of the least total cost.

    A shortest path: from each position on to the end of each arc.

    Parameters
    ----------
    ends
        See ``fill_ends``.
    costs
        Float64 array of shape (n, width): ``costs[i, w]`` is the cost of
        the arc from i to ``ends[i] - w``; infinite where there is none.
    closing_costs
        Float64 array of shape (n,): cost of the arc from a position to
        ``start``; infinite where it is not used.
    start
        Position below n.
    reach, came_from
        Float64 and int64 arrays of shape (n + 1,), overwritten: least cost
        up to ``start + a``, and the number of steps at which its last arc
        starts.

    Returns
    -------
    float
        The least cost; infinite where the arcs do not close the ring.
    """
    n, width = costs.shape
    reach[:] = np.inf
    reach[0] = 0.0
    for a in range(n):
        if reach[a] == np.inf:
            continue
        i = start + a
        at = i if i < n else i - n
        for w in range(width):
            b = ends[i] - w - start
            if b <= a:
                break
            if b <= n and reach[a] + costs[at, w] < reach[b]:
                reach[b] = reach[a] + costs[at, w]
                came_from[b] = a
        if ends[i] >= start + n and reach[a] + closing_costs[at] < reach[n]:
            reach[n] = reach[a] + closing_costs[at]
            came_from[n] = a
    return float(reach[n])


@njit(cache=True, nogil=True)
def assign_by_regret(
    seeds: np.ndarray,
    costs: np.ndarray,
    demands: np.ndarray,
    capacity: int,
    labels: np.ndarray,
    loads: np.ndarray,
) -> int:
    """Assign customers to seeds in the order of what they could lose.

    Rounds: the customers that are left are ordered by their regret, the
    difference between the costs of their two cheapest seeds with room; each
    gets its cheapest seed, or waits for the next round if that has no room
    any more.

    Parameters
    ----------
    seeds, costs
        Shape (n, m): the seeds that a customer may go to, and their costs.
    demands
        Int64 array of shape (n,).
    capacity
        Capacity of each seed.
    labels, loads
        Int64 arrays of shape (n,) and (number of seeds,), overwritten: the
        seed of each customer, -1 where none has room, and the loads.

    Returns
    -------
    int
        Number of customers without a seed.
    """
    size, degree = seeds.shape
    labels[:] = -1
    loads[:] = 0
    left = np.arange(size)
    cheapest = np.empty(size, dtype=np.int64)
    while len(left) > 0:
        regrets = np.empty(len(left))
        for a in range(len(left)):
            i = left[a]
            first, second = np.inf, np.inf
            cheapest[i] = -1
            for m in range(degree):
                if loads[seeds[i, m]] + demands[i] > capacity:
                    continue
                if costs[i, m] < first:
                    first, second = costs[i, m], first
                    cheapest[i] = seeds[i, m]
                elif costs[i, m] < second:
                    second = costs[i, m]
            # Without a second seed the regret is infinite: such customers
            # come first, those without any seed last.
            regrets[a] = second - first if cheapest[i] >= 0 else -1.0
        num_left = 0
        order = np.argsort(-regrets)
        waiting = np.empty(len(left), dtype=np.int64)
        for a in order:
            i = left[a]
            k = cheapest[i]
            if k >= 0 and loads[k] + demands[i] <= capacity:
                labels[i] = k
                loads[k] += demands[i]
            elif k >= 0:
                waiting[num_left] = i
                num_left += 1
        left = waiting[:num_left]
    count = 0
    for i in range(size):
        if labels[i] < 0:
            count += 1
    return count


@njit(cache=True, nogil=True)
def grow_petals(
    ring: np.ndarray,
    demands: np.ndarray,
    capacity: int,
    radii: np.ndarray,
    band: float,
    span: int,
    members: np.ndarray,
    offsets: np.ndarray,
) -> None:
    """Grow one petal from each position, skipping what does not belong.

    A customer is skipped if it does not fit any more, or if its distance
    from the depot differs from that of the first one by more than ``band``.

    Parameters
    ----------
    ring
        Int64 array of shape (2n,).
    demands, capacity
        As in ``fill_ends``.
    radii
        Float64 array of shape (n + 1,): distances from the depot.
    band
        Half the width of the band.
    span
        Number of positions that the beam passes, at most n.
    members, offsets
        Int64 arrays, overwritten: petal i holds
        ``members[offsets[i]:offsets[i + 1]]``.
    """
    n = len(ring) // 2
    size = 0
    offsets[0] = 0
    for i in range(n):
        load = 0
        for at in range(i, i + span):
            customer = ring[at]
            if load + demands[customer] > capacity:
                continue
            if abs(radii[customer] - radii[ring[i]]) <= band:
                load += demands[customer]
                members[size] = customer
                size += 1
        offsets[i + 1] = size
