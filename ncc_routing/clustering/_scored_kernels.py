"""Compiled steps of capacitated k-means with scores from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.clustering.center_kernels import square
from ncc_routing.core.compiling import ALLOCATING, INNER, OUTER

if TYPE_CHECKING:
    from numpy.random import Generator


@njit(**OUTER)
def list_centers(
    coords: np.ndarray,
    centers: np.ndarray,
    listed: np.ndarray,
    lengths: np.ndarray,
) -> None:
    """List the nearest centers of each point, nearest first.

    Parameters
    ----------
    coords, centers
        Float64 arrays of shape (num_points, d) and (K, d).
    listed, lengths
        Int64 and float64 arrays of shape (C, num_points), C <= K: the
        centers and their distances. Modified in place.
    """
    num_listed, size = listed.shape
    for i in range(size):
        count = 0
        for k in range(len(centers)):
            reach = square(coords, i, centers, k)
            if count == num_listed and reach >= lengths[count - 1, i]:
                continue
            place = min(count, num_listed - 1)
            while place > 0 and lengths[place - 1, i] > reach:
                lengths[place, i] = lengths[place - 1, i]
                listed[place, i] = listed[place - 1, i]
                place -= 1
            lengths[place, i] = reach
            listed[place, i] = k
            count = min(count + 1, num_listed)
        for a in range(num_listed):
            lengths[a, i] = np.sqrt(lengths[a, i])


@njit(**INNER)
def nearest_with_room(
    coords: np.ndarray,
    i: int,
    weight: float,
    centers: np.ndarray,
    capacities: np.ndarray,
    loads: np.ndarray,
) -> int:
    """Return the nearest cluster that a point fits into, -1 for none."""
    near, near_k = np.inf, -1
    for k in range(len(centers)):
        if loads[k] + weight <= capacities[k]:
            reach = square(coords, i, centers, k)
            if reach < near:
                near, near_k = reach, k
    return near_k


@njit(**INNER)
def fill_regrets(scores: np.ndarray, regrets: np.ndarray) -> None:
    """Set the gap between the two best scores of each point."""
    for i in range(len(regrets)):
        best, second = -np.inf, -np.inf
        for c in range(len(scores)):
            value = scores[c, i]
            if value > best:
                best, second = value, best
            elif value > second:
                second = value
        regrets[i] = best - second if second > -np.inf else 1e18


@njit(**ALLOCATING)
def place_again(
    scores: np.ndarray,
    listed: np.ndarray,
    coords: np.ndarray,
    weights: np.ndarray,
    num_left: int,
    num_samples: int,
    heat: float,
    centers: np.ndarray,
    capacities: np.ndarray,
    loads: np.ndarray,
    labels: np.ndarray,
    rng: Generator,
) -> int:
    """Place the most doubtful points again, and those without a cluster.

    Each goes to the listed cluster with room of the highest score, else to
    the nearest one with room. The order is that of the regrets, the gaps
    between the two best scores, the largest first; from the second sample
    on with noise (Gumbel, times ``heat``) added. The order that places most
    points, then that of the largest sum of scores, counts, if it is better
    than what there was.

    Parameters
    ----------
    scores, listed
        Of shape (C, num_points): score and cluster, as
        ``assignment_kernels.assign_by_regret`` takes them.
    num_left
        Number of doubtful points: those of the least regrets.
    num_samples
        Orders that are tried.
    loads, labels
        Modified in place; -1 marks a point that has no cluster.

    Returns
    -------
    int
        Number of points that fit nowhere.
    """
    num_listed = len(listed)
    regrets = np.empty(len(labels))
    fill_regrets(scores, regrets)
    is_left = labels < 0
    if num_left > 0:
        is_left[np.argsort(regrets, kind="mergesort")[:num_left]] = True
    left = np.flatnonzero(is_left)
    if len(left) == 0:
        return 0
    kept = labels[left].copy()
    start = loads.copy()
    least, most = 0, 0.0
    for a in range(len(left)):
        k = kept[a]
        if k < 0:
            least += 1
            continue
        start[k] -= weights[left[a]]
        for c in range(num_listed):
            if listed[c, left[a]] == k:
                most += scores[c, left[a]]
    room = start.copy()
    trial = np.empty(len(left), dtype=np.int64)
    for sample in range(num_samples):
        keys = -regrets[left]
        if sample > 0:
            for a in range(len(left)):
                keys[a] += heat * np.log(-np.log(rng.random() + 1e-300))
        room[:] = start
        unplaced, total = 0, 0.0
        for a in np.argsort(keys, kind="mergesort"):
            i = left[a]
            best, best_k = -np.inf, -1
            for c in range(num_listed):
                k = listed[c, i]
                fits = room[k] + weights[i] <= capacities[k]
                if fits and scores[c, i] > best:
                    best, best_k = scores[c, i], k
            if best_k < 0:
                best = scores[num_listed - 1, i]
                best_k = nearest_with_room(
                    coords, i, weights[i], centers, capacities, room
                )
            trial[a] = best_k
            if best_k < 0:
                unplaced += 1
            else:
                room[best_k] += weights[i]
                total += best
        if unplaced < least or (unplaced == least and total > most):
            least, most = unplaced, total
            kept[:] = trial
    loads[:] = start
    for a in range(len(left)):
        labels[left[a]] = kept[a]
        if kept[a] >= 0:
            loads[kept[a]] += weights[left[a]]
    return least
