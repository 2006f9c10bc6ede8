"""Clusters that follow the log-odds of pairs."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from ncc_routing import ParameterError
from ncc_routing._core.clustering import CorrelationSearch, Pairs
from ncc_routing.clustering.correlation import (
    CorrelationParams,
    cluster_by_correlation,
    link_pairs,
)
from ncc_routing.stop import TimeLimit


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


def random_pairs(seed: int, size: int, degree: int, far: float) -> Pairs:
    """Return the pairs of a random graph."""
    rng = np.random.default_rng(seed)
    neighbours = np.array(
        [
            rng.choice(np.delete(np.arange(size), i), degree, replace=False)
            for i in range(size)
        ]
    )
    return link_pairs(neighbours, rng.random((size, degree)), far)


@pytest.mark.parametrize("price", [0.0, 0.5, 3.0, 1e9])
@pytest.mark.parametrize("seed", range(10))
def test_reported_change_is_the_true_one(seed: int, price: float) -> None:
    """The moves add up to the gain; a prohibitive price keeps the limits."""
    rng = np.random.default_rng(seed)
    size, count = 12, 3
    pairs = random_pairs(seed, size, 4, -2.0)
    weights = rng.integers(1, 5, size).astype(float)
    labels = np.arange(size) % count
    limits = np.bincount(labels, weights)
    limits = limits + rng.integers(0, 4, count).astype(float)
    search = CorrelationSearch(pairs, weights, limits, labels)
    before = value(pairs, labels)
    assert search.agreement() == pytest.approx(before)
    change = search.anneal(
        500, temperature=2.0, cooling=0.999, price=price, rng=rng
    )
    after, labels = value(pairs, search.labels), search.labels
    loads = np.bincount(labels, weights, count)
    excess = float(np.maximum(loads - limits, 0.0).sum())
    assert change == pytest.approx(after - before - price * excess)
    assert search.agreement() == pytest.approx(after)
    assert search.keeps_limits() == (loads <= limits).all()
    if price > 1e6:
        assert search.keeps_limits()


@pytest.mark.parametrize("seed", range(20))
def test_limits_are_kept_where_nothing_is_spare(seed: int) -> None:
    """Full clusters stay within their limits, whatever the pairs say."""
    rng = np.random.default_rng(seed)
    pairs = random_pairs(seed, 30, 6, -2.0)
    weights = rng.integers(1, 9, 30)
    labels = rng.permutation(np.arange(30) % 5)
    limits = np.bincount(labels, weights).astype(float)
    found = cluster_by_correlation(pairs, labels, weights, limits, rng=rng)
    assert (np.bincount(found, weights, 5) <= limits).all()
    assert value(pairs, found) >= value(pairs, labels)


def test_points_trade_places_through_an_overload() -> None:
    """Two of weight 1 and one of 2: no single move keeps the limits."""
    neighbours = np.array([[j for j in range(6) if j != i] for i in range(6)])
    same = neighbours // 3 == np.arange(6)[:, None] // 3
    pairs = link_pairs(neighbours, np.where(same, 0.99, 0.01), -4.0)
    found = cluster_by_correlation(
        pairs,
        *(np.array([1, 1, 0, 0, 1, 1]), np.array([1, 1, 4, 2, 2, 2])),
        np.array([6.0, 6.0]),
        rng=np.random.default_rng(1),
    )
    assert len(set(found[:3])) == len(set(found[3:])) == 1


@pytest.mark.parametrize("seed", range(5))
def test_small_problems_are_solved_to_optimality(seed: int) -> None:
    """On seven points in two clusters no partition is better."""
    pairs = random_pairs(seed, 7, 5, -1.0)
    weights, limits = np.array([3, 1, 2, 2, 1, 3, 2]), np.array([8.0, 8.0])
    best = max(
        value(pairs, np.array(labels))
        for labels in product(range(2), repeat=7)
        if (np.bincount(labels, weights, 2) <= limits).all()
    )
    labels = cluster_by_correlation(
        *(pairs, np.array([0, 0, 0, 0, 1, 1, 1]), weights, limits),
        params=CorrelationParams(end_temperature=0.01),
        rng=np.random.default_rng(seed),
    )
    assert value(pairs, labels) == pytest.approx(best)


def test_expired_deadline_leaves_the_clusters() -> None:
    """Nothing is moved when the time is over, and the argument never."""
    labels, limits = np.array([0, 1, 0, 1, 0, 1]), np.full(2, 5.0)
    problem = (random_pairs(1, 6, 2, -1.0), labels, np.ones(6), limits)
    for deadline in (TimeLimit(0.0), None):
        rng = np.random.default_rng(1)
        found = cluster_by_correlation(*problem, rng=rng, deadline=deadline)
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
