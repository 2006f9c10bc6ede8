"""The savings method of Clarke and Wright."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import construction as kernels
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.run import Run
from ncc_routing.problems.ccp.graph import (
    bounded_degree,
    knn_graph,
    spatial_order,
)
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.construction.arcs import finish_routes, search_deadline
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance


FULL_LIST_LIMIT = 300
"""Up to this number of customers every pair of them is a link."""

NUM_NEIGHBOURS = 100
"""Neighbours in the lists of larger instances: 0.08 % worse than all pairs on
generated ones of 1000 to 3000 customers (60: 0.2 %, 25: 0.5 %)."""

SHAPES = (1.0, 1.2, 1.1, 1.4, 0.9)
"""Shapes, the most useful first: the best of five is 0.5 % better than shape 1
alone on generated instances; a sixth adds less than 0.05 %."""


def solve_savings(
    instance: Instance,
    run: Run = Run(),
    *,
    num_neighbours: int | None = None,
    shapes: Sequence[float] = SHAPES,
    router: str | None = DEFAULT_ROUTER,
) -> Solution:
    """Merge routes of one customer, the link that saves most first.

    The parallel version: a link i -> j joins the route that ends at i and the
    one that starts at j, if both fit into one vehicle. It saves d(i, 0) + d(0,
    j) - shape * d(i, j); links that save less than 0 are not tried. Routes are
    turned around only where distances are symmetric. Each customer is linked
    to its ``num_neighbours`` nearest ones, by default to all up to
    ``FULL_LIST_LIMIT`` customers; the ends of routes that are left then get
    longer lists. The cheapest of ``shapes`` wins, and the first is carried out
    whatever the deadline. ``router=None`` leaves the routes as merged.

    Sources: Clarke and Wright (1964), Operations Research 12(4), 568-581
    (``shapes=(1.0,), router=None``); Gaskell (1967), OR 18(3), 281-295; Yellow
    (1970), OR Quarterly 21(2), 281-283.
    """
    num_neighbours = _list_length(instance.num_customers, num_neighbours)
    if len(shapes) == 0:
        raise ParameterError("shapes must hold at least one number.")
    everyone = np.arange(1, instance.num_customers + 1)
    links = _candidate_links(instance, everyone, num_neighbours)
    best = _merge_all(instance, links, num_neighbours, shapes[0])
    search = search_deadline(run.budget.time_limit)
    for shape in shapes[1:]:
        if search.passed():
            break
        routes = _merge_all(instance, links, num_neighbours, shape)
        best = min(best, routes, key=lambda solution: solution.cost)
    if router is None:
        return best
    return finish_routes(instance, best.routes, run, router)


def _list_length(num_customers: int, num_neighbours: int | None) -> int:
    """Return how many others each customer is linked to at first."""
    if num_neighbours is None:
        if num_customers <= FULL_LIST_LIMIT:
            return num_customers
        return bounded_degree(num_customers, NUM_NEIGHBOURS)
    if num_neighbours < 1:
        raise ParameterError(
            f"num_neighbours must be at least 1, got {num_neighbours}."
        )
    return num_neighbours


def _candidate_links(
    instance: Instance, nodes: np.ndarray, degree: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return tails and heads of links to the ``degree`` nearest ``nodes``.

    Symmetric distances have each pair once.
    """
    size = len(nodes)
    names = nodes.astype(np.int32)
    if degree >= size - 1:
        tails, heads = np.triu_indices(size, 1)
        first, second = names[tails], names[heads]
    else:
        part = instance
        if size < instance.num_customers:
            part = restrict(instance, nodes)
        pairs = np.empty((2, size * degree), dtype=np.int32)
        count = kernels.list_pairs(
            spatial_order(part)[1:], knn_graph(part, degree).neighbours, pairs
        )
        first, second = names[pairs[:, :count] - 1]
    if instance.is_symmetric:
        return first, second
    return np.concatenate([first, second]), np.concatenate([second, first])


def _merge_all(
    instance: Instance,
    candidates: tuple[np.ndarray, np.ndarray],
    degree: int,
    shape: float,
) -> Solution:
    num_customers = instance.num_customers
    symmetric = instance.is_symmetric
    links = np.zeros((num_customers + 1, 2), dtype=np.int64)
    parent = np.arange(num_customers + 1)
    loads = instance.demands.copy()
    num_ends = num_customers
    while True:
        tails, heads = _by_saving(instance, candidates, shape)
        kernels.merge_routes(
            tails, heads, symmetric, instance.capacity, links, parent, loads
        )
        if degree >= num_ends - 1:
            break
        # A list of near customers misses links between ends that lie far
        # apart: try again among the ends that are left, with longer lists.
        ends = _open_ends(instance, links, parent, loads)
        num_ends = len(ends)
        if num_ends < 2:
            break
        degree *= 2
        candidates = _candidate_links(instance, ends, degree)
    visits = np.zeros(2 * num_customers, dtype=np.int64)
    kernels.walk_routes(links, symmetric, visits)
    stops = np.flatnonzero(visits == 0).tolist()
    order = visits.tolist()
    parts = (order[low + 1 : high] for low, high in pairwise([-1, *stops]))
    return Solution.from_routes(instance, parts)


def _by_saving(
    instance: Instance, candidates: tuple[np.ndarray, np.ndarray], shape: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the links that do not cost anything, largest saving first."""
    tails, heads = candidates
    savings = np.empty(len(tails))
    kernels.fill_savings(instance.metric, tails, heads, shape, savings)
    count = np.count_nonzero(savings >= 0.0)
    np.negative(savings, out=savings)
    order = np.argsort(savings, kind="stable")[:count]
    return tails[order], heads[order]


def _open_ends(
    instance: Instance,
    links: np.ndarray,
    parent: np.ndarray,
    loads: np.ndarray,
) -> np.ndarray:
    """Return the ends of the routes that some other route could join."""
    customers = np.arange(1, len(parent))
    is_end = (links[1:] == 0).any(axis=1)
    ends = customers[is_end]
    roots = ends.copy()
    while (parent[roots] != roots).any():
        roots = parent[roots]
    lightest = loads[roots].min()
    can_join = loads[roots] + lightest <= instance.capacity
    return np.asarray(ends[can_join])
