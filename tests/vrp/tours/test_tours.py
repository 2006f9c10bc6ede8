"""The compiled tours against brute force and plain references."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from ncc_routing._core.tours import (
    fill_nearest_neighbour_tour,
    move_segment,
    optimize_tour,
    route_members,
)
from ncc_routing.problems.distances import ROUNDINGS, Metric


def _matrix(size: int, seed: int, *, symmetric: bool = True) -> np.ndarray:
    """Return distances of random points, or random directed ones."""
    rng = np.random.default_rng(seed)
    if symmetric:
        points = rng.random((size, 2))
        delta = points[:, None] - points[None]
        return np.asarray(np.sqrt((delta**2).sum(axis=2)))
    dist = rng.integers(1, 100, (size, size)).astype(float)
    np.fill_diagonal(dist, 0.0)
    return dist


def _length(dist: np.ndarray, order: tuple[int, ...]) -> float:
    """Return the length of the closed tour, added up plainly."""
    return float(sum(dist[a, b] for a, b in pairwise((*order, order[0]))))


def _shortest(dist: np.ndarray) -> float:
    """Return the length of the best tour by trying all."""
    rest = range(1, len(dist))
    return min(_length(dist, (0, *order)) for order in permutations(rest))


def test_nearest_neighbour_tour_by_hand() -> None:
    """On a line the tour takes the nearest node left, starting at 0."""
    places = np.array([0.0, 10.0, 1.0, -3.0])
    dist = np.abs(places[:, None] - places[None])
    tour = np.zeros(4, dtype=np.int64)
    fill_nearest_neighbour_tour(dist, tour)
    assert tour.tolist() == [0, 2, 3, 1]


@pytest.mark.parametrize("start", range(7))
@pytest.mark.parametrize(("length", "gap"), [(1, 1), (3, 2), (2, 4), (1, 5)])
def test_a_moved_segment_keeps_its_direction(
    start: int, length: int, gap: int
) -> None:
    """It stands ``gap`` nodes later, whichever way round it went."""
    order = [3, 0, 6, 1, 5, 2, 4]
    tour = np.array(order)
    turned = order[start:] + order[:start]
    segment, rest = turned[:length], turned[length:]
    expected = rest[:gap] + segment + rest[gap:]
    move_segment(tour, start, length, gap)
    found = tour.tolist()
    at = found.index(expected[0])
    assert found[at:] + found[:at] == expected


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8])
def test_optimize_tour_solves_small_cases(size: int, symmetric: bool) -> None:
    """With kicks the result is the brute-force optimum up to 8 nodes."""
    for seed in range(8):
        dist = _matrix(size, seed, symmetric=symmetric)
        tour = np.arange(size)
        rng = np.random.default_rng(seed)
        length = optimize_tour(dist, tour, 100, rng)
        assert sorted(tour.tolist()) == list(range(size))
        assert length == pytest.approx(_length(dist, tuple(tour.tolist())))
        assert length == pytest.approx(_shortest(dist))


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("num_kicks", [0, 50])
def test_optimize_tour_is_no_worse(symmetric: bool, num_kicks: int) -> None:
    """A permutation, shorter than the start, and the same by the seed."""
    for size in (9, 25, 60):
        dist = _matrix(size, size, symmetric=symmetric)
        before = _length(dist, tuple(range(size)))
        tours = [np.arange(size), np.arange(size)]
        for tour in tours:
            rng = np.random.default_rng(1)
            length = optimize_tour(dist, tour, num_kicks, rng)
            assert sorted(tour.tolist()) == list(range(size))
            assert length == pytest.approx(_length(dist, tuple(tour.tolist())))
            assert length < before
        assert tours[0].tolist() == tours[1].tolist()


@pytest.mark.parametrize("symmetric", [True, False])
def test_optimize_tour_leaves_no_gain(symmetric: bool) -> None:
    """A plain search finds no gain left at the nodes of a local optimum.

    For asymmetric distances only insertions are complete: a reversal is
    looked for from its first edge only.
    """
    size = 12
    for seed in range(5):
        dist = _matrix(size, seed, symmetric=symmetric)
        tour = np.arange(size)
        length = optimize_tour(dist, tour, 0, np.random.default_rng(1))
        order = tour.tolist()
        for i in range(size):
            turned = order[i:] + order[:i]
            for j in range(2, size) if symmetric else ():
                flipped = turned[:j][::-1] + turned[j:]
                assert _length(dist, tuple(flipped)) > length - 1e-9
            for count in (1, 2, 3):
                segment, rest = turned[:count], turned[count:]
                for at in range(1, len(rest)):
                    for part in (segment, segment[::-1]):
                        moved = rest[:at] + part + rest[at:]
                        assert _length(dist, tuple(moved)) > length - 1e-9


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_optimize_tour_ends_on_awkward_numbers(scale: float) -> None:
    """Ties, equal points and extreme scales neither loop nor lose nodes."""
    places = np.array([0.0, 0.1, 0.1, 0.3, 0.3, 0.3, 0.7, 0.0]) * scale
    dist = np.abs(places[:, None] - places[None])
    tour = np.array([0, 6, 1, 5, 2, 4, 3, 7])
    length = optimize_tour(dist, tour, 200, np.random.default_rng(1))
    assert length == pytest.approx(1.4 * scale)
    length = optimize_tour(dist * 0, tour, 20, np.random.default_rng(1))
    assert length == 0.0
    assert sorted(tour.tolist()) == list(range(8))


def test_route_members_routes_each_part_by_itself() -> None:
    """Each part keeps its members; the empty one costs nothing."""
    coords = np.array([[0, 0], [0, 2], [2, 2], [2, 0], [5, 0], [9, 0]])
    metric = Metric(
        coords.astype(float), np.zeros((0, 0)), ROUNDINGS["nearest"]
    )
    members = np.array([1, 3, 2, 5, 4])
    costs = np.full(4, -1.0)
    route_members(
        metric,
        members,
        np.array([0, 3, 3, 4, 5]),
        10,
        np.random.default_rng(1),
        costs,
    )
    assert members[:3].tolist() in ([1, 2, 3], [3, 2, 1])
    assert members[3:].tolist() == [5, 4]
    assert costs.tolist() == [8.0, 0.0, 18.0, 10.0]


def test_without_a_generator_there_are_no_kicks() -> None:
    """The same as no kicks for any node, which draw nothing."""
    coords = np.random.default_rng(3).random((61, 2))
    metric = Metric(coords, np.zeros((0, 0)), ROUNDINGS["none"])
    orders = []
    rng = np.random.default_rng(1)
    for kicks, source in ((20, None), (0, rng)):
        members = np.arange(1, 61)
        costs = np.zeros(2)
        route_members(
            metric, members, np.array([0, 40, 60]), kicks, source, costs
        )
        orders.append(members.tolist())
    assert orders[0] == orders[1]
    assert rng.random() == np.random.default_rng(1).random()
