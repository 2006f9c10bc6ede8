"""Parameters, routes and instances for the tests of the searches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import ncc_routing as nr
from ncc_routing._core.search import SearchParams
from ncc_routing.vrp.packed_routes import PackedRoutes

if TYPE_CHECKING:
    from ncc_routing._core.search import RoutingSearch
    from ncc_routing.vrp.search._state import SearchSpace


def search_params(**changes: float) -> SearchParams:
    """Return the parameters of a search, with some changes."""
    defaults = {
        "mean_removed": 9.0,
        "max_string": 7.0,
        "split": 0.3,
        "blink": 0.01,
        "reach": 4.0,
        "tolerance": 0.0,
        "num_local_moves": 0.0,
    }
    return SearchParams(**(defaults | changes))


def current_routes(space: SearchSpace, search: RoutingSearch) -> PackedRoutes:
    """Return the current routes of a search, of customers."""
    return space.unpack(PackedRoutes(*search.current_routes()))


def best_routes(space: SearchSpace, search: RoutingSearch) -> PackedRoutes:
    """Return the best routes of a search, of customers."""
    return space.unpack(PackedRoutes(*search.best_routes()))


def one_by_one(instance: nr.Instance) -> nr.Solution:
    """Return a route for each customer."""
    customers = range(1, instance.num_customers + 1)
    return nr.Solution.from_routes(instance, [[c] for c in customers])


def with_matrix(instance: nr.Instance) -> nr.Instance:
    """Return an instance of distances alone."""
    nodes = np.arange(instance.num_customers + 1)
    matrix = instance.distances(nodes, nodes)
    return replace(instance, coords=None, matrix=matrix)


def one_way(seed: int, size: int = 40, capacity: int = 60) -> nr.Instance:
    """Return customers with a matrix that knows no way back."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(1, 100, (size + 1, size + 1)).astype(float)
    np.fill_diagonal(matrix, 0.0)
    demands = np.concatenate([[0], rng.integers(1, 9, size)])
    coords = rng.integers(0, 100, (size + 1, 2))
    return nr.Instance("one-way", demands, capacity, coords, matrix=matrix)
