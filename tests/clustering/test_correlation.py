"""Clusters that follow the log-odds of pairs."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from ncc_routing.clustering._correlation_kernels import (
    Pairs,
    Partition,
    agreement,
    anneal,
)
from ncc_routing.clustering.correlation import (
    CorrelationParams,
    cluster_by_correlation,
    link_pairs,
)
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import ParameterError


def value(pairs: Pairs, labels: np.ndarray) -> float:
    """Return the sum of the log-odds of all pairs that share a cluster."""
    listed = {}
    for i in range(len(labels)):
        for e in range(pairs.starts[i], pairs.starts[i + 1]):
            listed[i, int(pairs.ends[e])] = float(pairs.log_odds[e])
    return sum(
        listed.get((i, j), pairs.far_log_odds)
        for i in range(len(labels))
        for j in range(i)
        if labels[i] == labels[j]
    )


def random_problem(
    seed: int, size: int, degree: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return neighbours and probabilities of a random graph."""
    rng = np.random.default_rng(seed)
    neighbours = np.array(
        [
            rng.choice(np.delete(np.arange(size), i), degree, replace=False)
            for i in range(size)
        ]
    )
    return neighbours, rng.random((size, degree))


def test_pairs_are_listed_in_both_directions() -> None:
    """One direction counts as it is, two by the mean of their log-odds.

    Probabilities of 0 and 1 are cut, and shapes have to agree.
    """
    pairs = link_pairs(
        np.array([[1], [0], [1]]), np.array([[0.5], [0.8], [0.2]]), -3.0
    )
    assert pairs.starts.tolist() == [0, 1, 3, 4]
    assert pairs.ends.tolist() == [1, 0, 2, 1]
    mean, low = np.log(4.0) / 2, np.log(0.25)
    np.testing.assert_allclose(pairs.log_odds, [mean, mean, low, low])
    assert pairs.far_log_odds == -3.0
    pairs = link_pairs(np.array([[1], [0]]), np.array([[1.0], [1.0]]), -3.0)
    np.testing.assert_allclose(pairs.log_odds, np.log(999.0))
    with pytest.raises(ParameterError, match="shape"):
        link_pairs(np.zeros((2, 1), int), np.zeros((2, 2)), -1.0)


@pytest.mark.parametrize("price", [0.0, 0.5, 3.0, 1e9])
@pytest.mark.parametrize("seed", range(10))
def test_reported_change_is_the_true_one(seed: int, price: float) -> None:
    """What the moves add up to is what the partition gained.

    A prohibitive price keeps it within the limits.
    """
    rng = np.random.default_rng(seed)
    size, count = 12, 3
    pairs = link_pairs(*random_problem(seed, size, 4), -2.0)
    weights = rng.integers(1, 5, size).astype(float)
    labels = np.arange(size) % count
    loads = np.bincount(labels, weights)
    limits = loads + rng.integers(0, 4, count)
    part = Partition(
        weights, limits, labels.copy(), loads.copy(), np.bincount(labels)
    )
    assert agreement(pairs, part) == pytest.approx(value(pairs, labels))
    change = anneal(pairs, part, 500, 2.0, 0.999, price, rng)
    excess = float(np.maximum(part.loads - limits, 0.0).sum())
    assert change == pytest.approx(
        value(pairs, part.labels) - value(pairs, labels) - price * excess
    )
    assert agreement(pairs, part) == pytest.approx(value(pairs, part.labels))
    np.testing.assert_array_equal(
        part.sizes, np.bincount(part.labels, minlength=count)
    )
    np.testing.assert_array_equal(
        part.loads, np.bincount(part.labels, weights, count)
    )
    if price > 1e6:
        assert (part.loads <= limits).all()


@pytest.mark.parametrize("seed", range(20))
def test_limits_are_kept_where_nothing_is_spare(seed: int) -> None:
    """Full clusters stay within their limits, whatever the pairs say."""
    rng = np.random.default_rng(seed)
    pairs = link_pairs(*random_problem(seed, 30, 6), -2.0)
    weights = rng.integers(1, 9, 30)
    labels = rng.permutation(np.arange(30) % 5)
    limits = np.bincount(labels, weights).astype(float)
    found = cluster_by_correlation(pairs, labels, weights, limits, rng=rng)
    assert (np.bincount(found, weights, 5) <= limits).all()
    assert value(pairs, found) >= value(pairs, labels)


def test_points_trade_places_through_an_overload() -> None:
    """Two of weight 1 change places with one of weight 2.

    No relocation and no swap of two points stays within the limits.
    """
    chances = np.full((6, 5), 0.01)
    neighbours = np.array([[j for j in range(6) if j != i] for i in range(6)])
    groups = np.array([0, 0, 0, 1, 1, 1])
    for i, row in enumerate(neighbours):
        chances[i, groups[row] == groups[i]] = 0.99
    pairs = link_pairs(neighbours, chances, -4.0)
    weights = np.array([1, 1, 4, 2, 2, 2])
    labels = np.array([1, 1, 0, 0, 1, 1])
    found = cluster_by_correlation(
        pairs,
        labels,
        weights,
        np.array([6.0, 6.0]),
        rng=np.random.default_rng(1),
    )
    assert len(set(found[:3])) == len(set(found[3:])) == 1


@pytest.mark.parametrize("seed", range(5))
def test_small_problems_are_solved_to_optimality(seed: int) -> None:
    """On seven points in two clusters no partition is better."""
    size, count = 7, 2
    pairs = link_pairs(*random_problem(seed, size, 5), -1.0)
    weights = np.array([3, 1, 2, 2, 1, 3, 2])
    limits = np.array([8.0, 8.0])
    best = max(
        value(pairs, np.array(labels))
        for labels in product(range(count), repeat=size)
        if (np.bincount(labels, weights, count) <= limits).all()
    )
    labels = cluster_by_correlation(
        pairs,
        np.array([0, 0, 0, 0, 1, 1, 1]),
        weights,
        limits,
        params=CorrelationParams(end_temperature=0.01),
        rng=np.random.default_rng(seed),
    )
    assert value(pairs, labels) == pytest.approx(best)


def test_expired_deadline_leaves_the_clusters() -> None:
    """Nothing is moved when the time is over, and the argument never."""
    pairs = link_pairs(*random_problem(1, 6, 2), -1.0)
    labels = np.array([0, 1, 0, 1, 0, 1])
    for deadline in (Deadline(0.0), None):
        found = cluster_by_correlation(
            pairs,
            labels,
            np.ones(6),
            np.full(2, 5.0),
            rng=np.random.default_rng(1),
            deadline=deadline,
        )
        assert labels.tolist() == [0, 1, 0, 1, 0, 1]
        if deadline is not None:
            assert found.tolist() == labels.tolist()


@pytest.mark.parametrize(
    "values", [{"max_moves": -1}, {"start_temperature": 0.1}]
)
def test_bad_parameters_are_refused(values: dict[str, Any]) -> None:
    """Values out of range, or an annealing that heats, name themselves."""
    with pytest.raises(ParameterError, match=next(iter(values))):
        CorrelationParams(**values)
