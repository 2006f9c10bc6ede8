"""The data sets of the paper against published control values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_gmm
from ncc_routing.generators.mixtures import (
    generate_gmm_as_described,
    sample_points,
)


@pytest.mark.numeric
def test_the_published_test_set_is_reproduced() -> None:
    """Numbers of clusters, first point, weights of seed 4321."""
    sets = generate_gmm(100)
    counts = [points.num_clusters or 0 for points in sets]
    assert counts[:8] == [12, 3, 8, 6, 11, 11, 8, 9]
    assert counts[8:16] == [7, 10, 10, 8, 10, 9, 6, 12]
    assert np.mean(counts) == 7.5
    assert sets[0].coords[0] == pytest.approx([0.56523, 0.55642], abs=1e-5)
    assert sets[0].weights[0] == pytest.approx(0.032611, abs=1e-6)
    heaviest = max(points.weights.max() for points in sets)
    assert heaviest == pytest.approx(0.104283, abs=1e-6)
    totals = [points.weights.sum() for points in sets[:6]]
    expected = [10.906, 2.725, 7.269, 5.453, 10.000, 9.997]
    assert totals == pytest.approx(expected, abs=1e-3)


@pytest.mark.numeric
def test_the_published_description_is_reproduced() -> None:
    """Means of seed 234, 256 instances of 50 points, K in 2..9."""
    sets = generate_gmm(256, 50, 234, (2, 9))
    coords = np.concatenate([points.coords for points in sets])
    weights = np.concatenate([points.weights for points in sets])
    assert coords.mean(axis=0) == pytest.approx([0.434069, 0.442518], abs=1e-6)
    assert weights.mean() == pytest.approx(0.102038, abs=1e-6)
    assert weights.min() == pytest.approx(0.005923, abs=1e-6)
    assert weights.max() == pytest.approx(0.362087, abs=1e-6)


@pytest.mark.parametrize("num_points", [3, 8, 20])
def test_few_points_keep_the_capacity(num_points: int) -> None:
    """A weight above the capacity is cut to it."""
    sets = generate_gmm(40, num_points, 3)
    heaviest = [points.weights.max() for points in sets]
    assert max(heaviest) == 1.0
    assert all(len(points.weights) == num_points for points in sets)


def test_described_data_fill_the_square_and_the_clusters() -> None:
    """The weights sum to K / 1.1; the longer side is 0 to 1."""
    for points in generate_gmm_as_described(5, 100, 1):
        assert points.num_clusters is not None
        total = points.weights.sum()
        assert total == pytest.approx(points.num_clusters / 1.1)
        assert points.coords.min() == 0.0
        assert points.coords.max() == 1.0


def test_parts_lie_in_the_whole() -> None:
    """Points are drawn without replacement, weights cut off at 0.2."""
    rng = np.random.default_rng(1)
    whole = nr.PointSet(rng.random((500, 2)), 0.1 * rng.random(500), 1.0)
    known = {tuple(place) for place in whole.coords.tolist()}
    for part in sample_points(whole, 3, 60):
        places = [tuple(place) for place in part.coords.tolist()]
        assert len(set(places)) == 60
        assert set(places) <= known
        assert part.weights.max() <= 0.2


def test_impossible_sizes_are_refused() -> None:
    """No part can hold more points than there are."""
    whole = nr.PointSet(
        np.random.default_rng(1).random((50, 2)), np.ones(50), 9
    )
    with pytest.raises(nr.ParameterError, match="no part"):
        sample_points(whole, 1, 50, max_draws=20)
    with pytest.raises(nr.ParameterError, match="num_points"):
        generate_gmm(1, 0)


@pytest.mark.parametrize("seed", [-1, 2**32, 2**62])
def test_seeds_that_the_old_generator_does_not_know_are_refused(
    seed: int,
) -> None:
    """It takes 32 bits."""
    whole = nr.PointSet(
        np.random.default_rng(1).random((50, 2)), np.ones(50), 9
    )
    with pytest.raises(
        nr.ParameterError, match=f"seed must be .*, got {seed}"
    ):
        sample_points(whole, 1, 5, seed)
    assert len(sample_points(whole, 1, 5, 2**32 - 1)) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_clusters": (0, 0)}, "num_clusters must be a least and"),
        ({"num_clusters": (5, 3)}, "num_clusters must be a least and"),
        ({"seed": -1}, "seed must be >= 0"),
    ],
)
def test_wrong_numbers_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """By both generators."""
    for generate in (generate_gmm, generate_gmm_as_described):
        with pytest.raises(nr.ParameterError, match=message):
            generate(1, 20, **changes)
