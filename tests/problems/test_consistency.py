"""What routes keep of a reference, by hand."""

from itertools import combinations

import numpy as np
import pytest

from ncc_routing.problems.routes.references import (
    district_groups,
    measure_consistency,
)


def test_pairs_and_customers_by_hand() -> None:
    """Districts 1 2 3 | 4 5, customer 6 is new.

    Of the pairs 12, 13, 23, 45 the routes 1 2 4 | 3 5 6 keep one. The first
    is of district 0, which 4 is not; on the second 3 and 5 tie, and one of
    the two is of another district.
    """
    labels = [-1, 0, 0, 0, 1, 1, -1]
    found = measure_consistency(labels, [(1, 2, 4), (3, 5, 6)])
    assert found.kept_pairs == 0.25
    assert found.moved == 0.4


def test_counts_against_a_plain_reference() -> None:
    """Random districts and routes, counted pair by pair."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        labels = rng.integers(-1, 5, 31)
        labels[1] = 0
        routes = np.split(1 + rng.permutation(30), [4, 5, 17])
        districts = [[z for z in labels[r].tolist() if z >= 0] for r in routes]
        moved = [
            len(own) - max((own.count(z) for z in own), default=0)
            for own in districts
        ]
        owners = np.repeat(np.arange(4), [len(r) for r in routes])
        nodes = np.concatenate(routes)
        groups = district_groups(labels[nodes], owners)
        for number, district, size in zip(*groups, strict=True):
            assert districts[number].count(district) == size
        assert groups.sizes.sum() == sum(map(len, districts))
        pairs = sum(
            a == b for own in districts for a, b in combinations(own, 2)
        )
        known = [z for own in districts for z in own]
        everyone = sum(a == b for a, b in combinations(known, 2))
        labels[0] = -1
        found = measure_consistency(labels, routes)  # type: ignore[arg-type]
        assert found.kept_pairs == pytest.approx(pairs / everyone)
        assert found.moved == pytest.approx(sum(moved) / len(known))
