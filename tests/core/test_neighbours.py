"""Nearest points, with scipy and without it, against brute force."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncc_routing.core.neighbours import nearest_points


@pytest.fixture(params=["scipy", "boxes"])
def _with_or_without_scipy(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Search once with scipy's tree and once without."""
    if request.param == "boxes":
        monkeypatch.setitem(sys.modules, "scipy", None)
    else:
        pytest.importorskip("scipy")


def check(points: np.ndarray, places: np.ndarray, count: int) -> None:
    """Compare distances with all pairs, and distances with indices."""
    lengths, found = nearest_points(points)(places, count)
    gaps = places[:, None] - points[None]
    pairs = np.sqrt((gaps**2).sum(axis=2))
    assert lengths == pytest.approx(np.sort(pairs, axis=1)[:, :count])
    own = np.take_along_axis(pairs, found, axis=1)
    assert lengths == pytest.approx(own)
    assert all(len(set(row)) == count for row in found.tolist())


@pytest.mark.usefixtures("_with_or_without_scipy")
def test_points_on_a_line_by_hand() -> None:
    """From 2.9 the nearest of 0, 1, 3, 7 are 3, 1 and 0."""
    points = np.array([[0.0], [1.0], [3.0], [7.0]])
    lengths, found = nearest_points(points)(np.array([[2.9]]), 3)
    assert found.tolist() == [[2, 1, 0]]
    assert lengths[0] == pytest.approx([0.1, 1.9, 2.9])


@pytest.mark.usefixtures("_with_or_without_scipy")
@pytest.mark.parametrize("count", [1, 5, 400])
@pytest.mark.parametrize("num_dims", [1, 2, 5])
def test_random_points(num_dims: int, count: int) -> None:
    """Four hundred points with places in and around them."""
    rng = np.random.default_rng(1)
    points = rng.random((400, num_dims))
    check(points, 3.0 * rng.random((150, num_dims)) - 1.0, count)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    size=st.integers(1, 200),
    side=st.integers(1, 40),
)
def test_boxes_on_grids_with_equal_points(
    seed: int, size: int, side: int
) -> None:
    """Many points share a place or a distance."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, side, (size, 2)).astype(np.float64)
    count = int(rng.integers(1, size + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "scipy", None)
        check(points, points, count)


def test_far_points_do_not_need_all_pairs_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A block that reaches too many points is cut in two; ties keep order."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    rng = np.random.default_rng(2)
    check(rng.random((40_000, 2)), rng.random((64, 2)), 3)
    points = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]])
    _, found = nearest_points(points)(np.zeros((1, 2)), 4)
    assert found.tolist() == [[0, 1, 2, 3]]
