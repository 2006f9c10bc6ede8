"""Compiled annealing of clusters on the log-odds of pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ncc_routing.core.compiling import DRAWING, INNER, OUTER

SWAP_SHARE = 0.5
"""Probability of a swap where a point finds no room."""


class Pairs(NamedTuple):
    """Which points belong together, as the kernels see it.

    Attributes
    ----------
    starts
        Int64 array of shape (num_points + 1,): the pairs of point i stand at
        ``starts[i]:starts[i + 1]``.
    ends
        Int64 array: the other point of each pair.
    log_odds
        Float64 array: log-odds that they share a cluster.
    far_log_odds
        Log-odds of pairs that are not listed.
    """

    starts: np.ndarray
    ends: np.ndarray
    log_odds: np.ndarray
    far_log_odds: float


class Partition(NamedTuple):
    """Clusters under capacities; modified in place.

    Attributes
    ----------
    weights
        Float64 weights of the points, shape (num_points,).
    limits
        Float64 largest load of each cluster, shape (K,).
    labels
        Int64 cluster of each point.
    loads, sizes
        Float64 loads and int64 numbers of points of the clusters.
    """

    weights: np.ndarray
    limits: np.ndarray
    labels: np.ndarray
    loads: np.ndarray
    sizes: np.ndarray


@njit(**INNER)
def pull(p: Pairs, s: Partition, i: int, away: int, to: int) -> float:
    """Return by how much point i prefers the cluster ``to`` to ``away``.

    Counts the listed pairs alone, in log-odds above those of pairs that are
    not listed.
    """
    total = 0.0
    for e in range(p.starts[i], p.starts[i + 1]):
        label = s.labels[p.ends[e]]
        if label == to:
            total += p.log_odds[e] - p.far_log_odds
        elif label == away:
            total -= p.log_odds[e] - p.far_log_odds
    return total


@njit(**INNER)
def draw_partner(
    p: Pairs, s: Partition, i: int, cluster: int, rng: np.random.Generator
) -> int:
    """Return the place of a random pair of i with a point of the cluster.

    There must be one.
    """
    count = 0
    for e in range(p.starts[i], p.starts[i + 1]):
        if s.labels[p.ends[e]] == cluster:
            count += 1
    left = int(rng.random() * count)
    place = int(p.starts[i])
    for e in range(p.starts[i], p.starts[i + 1]):
        if s.labels[p.ends[e]] == cluster:
            if left == 0:
                place = int(e)
            left -= 1
    return place


@njit(**INNER)
def added_excess(s: Partition, to: int, own: int, shift: float) -> float:
    """Return by how much the excess grows when a load moves.

    The excess is what the clusters hold beyond their limits.
    """
    return float(
        max(0.0, s.loads[to] + shift - s.limits[to])
        - max(0.0, s.loads[to] - s.limits[to])
        + max(0.0, s.loads[own] - shift - s.limits[own])
        - max(0.0, s.loads[own] - s.limits[own])
    )


@njit(**DRAWING)
def anneal(
    p: Pairs,
    s: Partition,
    num_moves: int,
    temperature: float,
    cooling: float,
    price: float,
    rng: np.random.Generator,
) -> float:
    """Relocate and swap points; return the change of the objective.

    The objective is the sum of the log-odds over all pairs that share a
    cluster, less the price of the excess; it is maximized. A random point
    asks for the cluster of a random point it is paired with; where it has no
    room there, half of the time a point of that cluster with which it is
    paired takes its place.

    Parameters
    ----------
    p
        The pairs; every point has one at least.
    s
        A partition. Modified in place.
    num_moves
        Number of moves tried.
    temperature
        Mean loss that a move may cost at first.
    cooling
        Factor on the temperature from one move to the next.
    price
        Price of a unit of weight beyond a limit.
    """
    num_points = len(s.labels)
    change = 0.0
    for _ in range(num_moves):
        temperature *= cooling
        i = int(rng.random() * num_points)
        degree = p.starts[i + 1] - p.starts[i]
        j = p.ends[p.starts[i] + int(rng.random() * degree)]
        own, other = s.labels[i], s.labels[j]
        if own == other:
            continue
        gain = pull(p, s, i, own, other)
        limit = temperature * np.log(1.0 - rng.random())
        shift = s.weights[i]
        if (
            s.loads[other] + shift <= s.limits[other]
            or rng.random() >= SWAP_SHARE
        ):
            gain += p.far_log_odds * (s.sizes[other] - s.sizes[own] + 1)
            gain -= price * added_excess(s, other, own, shift)
            if gain >= limit:
                s.labels[i] = other
                s.loads[own] -= shift
                s.loads[other] += shift
                s.sizes[own] -= 1
                s.sizes[other] += 1
                change += gain
            continue
        pair = draw_partner(p, s, i, other, rng)
        k = p.ends[pair]
        shift -= s.weights[k]
        gain += pull(p, s, k, other, own)
        gain -= 2.0 * (p.log_odds[pair] - p.far_log_odds)
        gain -= price * added_excess(s, other, own, shift)
        if gain >= limit:
            s.labels[i], s.labels[k] = other, own
            s.loads[own] -= shift
            s.loads[other] += shift
            change += gain
    return change


@njit(**OUTER)
def agreement(p: Pairs, s: Partition) -> float:
    """Return the sum of the log-odds over all pairs that share a cluster."""
    listed = 0.0
    for i in range(len(s.labels)):
        for e in range(p.starts[i], p.starts[i + 1]):
            if s.labels[p.ends[e]] == s.labels[i]:
                listed += p.log_odds[e] - p.far_log_odds
    total = 0.5 * listed
    for k in range(len(s.sizes)):
        total += p.far_log_odds * s.sizes[k] * (s.sizes[k] - 1) / 2
    return total
