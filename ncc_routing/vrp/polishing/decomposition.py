"""Cut a set of routes into parts of neighbouring routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import networkx as nx
import numpy as np

if TYPE_CHECKING:
    from ncc_routing.vrp.polishing._packed import PackedRoutes

NEAREST: Final = 5
"""Nearest neighbours of a customer that make its route and theirs adjacent."""


def route_adjacency(routes: PackedRoutes, neighbours: np.ndarray) -> nx.Graph:
    """Return the graph of the routes, near ones joined.

    Parameters
    ----------
    routes
        The routes, R of them.
    neighbours
        Int array of shape (n + 1, k): the nearest neighbours of each node,
        nearest first.

    Returns
    -------
    networkx.Graph
        Nodes 0 to R - 1, with the number of customers as ``size``. Two
        routes are adjacent where one of the five nearest neighbours of a
        customer of one is on the other.
    """
    num_routes = routes.num_routes
    route_of = routes.route_of(len(neighbours))
    ends = route_of[neighbours[routes.nodes, :NEAREST]].ravel()
    tails = route_of[routes.nodes].repeat(len(ends) // len(routes.nodes))
    apart = (ends >= 0) & (ends != tails)
    codes = np.unique(tails[apart] * num_routes + ends[apart])
    graph = nx.Graph()
    graph.add_nodes_from(
        (number, {"size": int(size)})
        for number, size in enumerate(np.diff(routes.starts))
    )
    graph.add_edges_from(
        zip(
            (codes // num_routes).tolist(),
            (codes % num_routes).tolist(),
            strict=True,
        )
    )
    return graph


def split_graph(
    graph: nx.Graph, num_parts: int, rng: np.random.Generator
) -> list[list[int]]:
    """Cut a graph into connected parts of about the same size.

    Each cut grows one side by breadth-first search from a random node, so
    that the borders differ from call to call.

    Parameters
    ----------
    graph
        Nodes with a ``size``.
    num_parts
        Number of parts, at least 1.
    rng
        Random numbers for the nodes that the searches begin from.

    Returns
    -------
    list[list[int]]
        The nodes of each part; none is empty unless there are fewer nodes
        than parts.
    """
    if num_parts == 1:
        return [list(graph)]
    order = _breadth_first(graph, rng)
    sizes = np.array([graph.nodes[node]["size"] for node in order])
    num_left = num_parts // 2
    reached = np.cumsum(sizes) / max(1, sizes.sum())
    cut = int(np.searchsorted(reached, num_left / num_parts)) + 1
    cut = max(min(cut, len(order) - 1), min(1, len(order)))
    return [
        *split_graph(graph.subgraph(order[:cut]), num_left, rng),
        *split_graph(graph.subgraph(order[cut:]), num_parts - num_left, rng),
    ]


def _breadth_first(graph: nx.Graph, rng: np.random.Generator) -> list[int]:
    """Return the nodes by their distance in edges from a random one.

    A node that cannot be reached begins a search of its own.
    """
    order: list[int] = []
    nodes = list(graph)
    seen: set[int] = set()
    for idx in rng.permutation(len(nodes)).tolist():
        root = nodes[idx]
        if root in seen:
            continue
        reached = [root, *(child for _, child in nx.bfs_edges(graph, root))]
        seen.update(reached)
        order.extend(reached)
    return order
