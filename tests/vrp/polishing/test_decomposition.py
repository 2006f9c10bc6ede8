"""Tests of cutting routes into parts."""

from __future__ import annotations

from itertools import chain

import networkx as nx
import numpy as np
import pytest

from ncc_routing.vrp.polishing._packed import PackedRoutes
from ncc_routing.vrp.polishing.decomposition import (
    route_adjacency,
    split_graph,
)

RNG_SEED = 5


def packed(*routes: list[int]) -> PackedRoutes:
    """Return routes in one pack."""
    return PackedRoutes.of([np.array(route) for route in routes])


def test_packed_routes_are_taken_apart_and_joined() -> None:
    """Two of three routes, and both again with the third."""
    whole = packed([3, 1], [2], [5, 4])
    part = whole.take([2, 0])
    assert part.nodes.tolist() == [5, 4, 3, 1]
    assert part.starts.tolist() == [0, 2, 4]
    joined = PackedRoutes.joined([part, whole.take([1])])
    assert joined.nodes.tolist() == [5, 4, 3, 1, 2]
    assert joined.starts.tolist() == [0, 2, 4, 5]
    assert whole.route_of(6).tolist() == [-1, 0, 1, 0, 2, 2]


def test_routes_with_near_customers_are_adjacent() -> None:
    """Three routes on a line: the outer ones do not touch."""
    neighbours = np.array([[1, 2], [2, 3], [1, 3], [4, 2], [3, 5], [6, 4]])
    neighbours = np.vstack([neighbours, [[5, 4]]])
    graph = route_adjacency(packed([1, 2], [3, 4], [6, 5]), neighbours)
    assert {frozenset(edge) for edge in graph.edges} == {
        frozenset({0, 1}),
        frozenset({1, 2}),
    }
    assert [graph.nodes[r]["size"] for r in range(3)] == [2, 2, 2]


def test_absent_customers_join_nothing() -> None:
    """Customer 2 is on no route; 0 and 1 would touch through it only."""
    neighbours = np.array([[1], [2], [1], [2]])
    assert not route_adjacency(packed([1], [3]), neighbours).edges


def grid(side: int) -> nx.Graph:
    """Return a square grid of routes of ten customers each."""
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    nx.set_node_attributes(graph, 10, "size")
    return graph


@pytest.mark.parametrize("num_parts", [1, 2, 3, 4, 7])
def test_parts_are_disjoint_and_about_equal(num_parts: int) -> None:
    """Each of 144 routes is in one part, and no part is twice the mean."""
    parts = split_graph(grid(12), num_parts, np.random.default_rng(RNG_SEED))
    assert len(parts) == num_parts
    assert sorted(chain.from_iterable(parts)) == list(range(144))
    sizes = [len(part) for part in parts]
    assert max(sizes) < 2 * 144 / num_parts
    assert min(sizes) > 0


def test_the_first_part_is_connected() -> None:
    """It grows from one route."""
    graph = grid(12)
    for seed in range(5):
        part, _ = split_graph(graph, 2, np.random.default_rng(seed))
        assert nx.is_connected(graph.subgraph(part))


def test_borders_move() -> None:
    """Other random numbers, other parts."""
    graph = grid(12)
    rng = np.random.default_rng(RNG_SEED)
    found = {frozenset(split_graph(graph, 2, rng)[0]) for _ in range(5)}
    assert len(found) > 1


def test_routes_without_neighbours_and_few_routes() -> None:
    """No edges at all, and fewer routes than parts."""
    graph = nx.Graph()
    graph.add_nodes_from(range(3), size=1)
    rng = np.random.default_rng(RNG_SEED)
    parts = split_graph(graph, 5, rng)
    assert len(parts) == 5
    assert sorted(chain.from_iterable(parts)) == [0, 1, 2]
