"""Figures of a clustering, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering.objectives import (
    inertia_of,
    spectral_inertia,
    summarize,
)
from ncc_routing.problems.points import PointSet


def test_spectral_figure_is_the_scatter_along_the_main_axis() -> None:
    """A cross with arms 2 and 1: inertia 8 + 2, spectral 8."""
    coords = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    points = PointSet(coords, np.ones(4, dtype=int), 4)
    found = summarize(points, np.zeros(4, int), 1, "inertia")
    assert found.inertia == 10.0
    assert spectral_inertia(points, found) == pytest.approx(8.0)


def test_inertia_with_a_depot_as_the_released_code_has_it() -> None:
    """Two points at 2 and 4 with the depot at 0: the mean is 2."""
    coords = np.array([[2.0, 0.0], [4.0, 0.0]])
    labels = np.zeros(2, dtype=np.int64)
    assert inertia_of(coords, labels, 2) == pytest.approx(2.0)
    depot = np.zeros(2)
    assert inertia_of(coords, labels, 2, depot) == pytest.approx(0 + 4 - 4)
