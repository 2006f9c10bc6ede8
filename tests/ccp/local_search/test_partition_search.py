"""The moves of the local search against recomputed inertias."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing._core import partition as kernels
from ncc_routing._core.clustering import Limits
from tests.ccp.points import limits_by

if TYPE_CHECKING:
    from collections.abc import Callable


def whole(
    coords: np.ndarray,
    weights: np.ndarray,
    limits: list[int],
    share: float,
    labels: Any,
) -> kernels.Partition:
    """Return a partition with everything computed."""
    part = kernels.Partition(
        kernels.Problem(coords, limits_by(weights, limits), share)
    )
    part.assign(np.asarray(labels))
    return part


def start(
    seed: int, num_dims: int = 2
) -> tuple[kernels.Partition, np.random.Generator]:
    """Return 30 random points in 4 random clusters, with room to spare."""
    rng = np.random.default_rng(seed)
    coords = rng.random((30, num_dims))
    weights = rng.integers(1, 10, 30).astype(float)
    labels = rng.integers(0, 4, 30)
    return whole(coords, weights, [60] * 4, 0.1, labels), rng


def everyone_near(num_clusters: int) -> np.ndarray:
    """Return that each cluster is near every one."""
    return np.tile(np.arange(num_clusters), (num_clusters, 1))


def on_a_line(
    places: list[float], labels: list[int], limits: list[int]
) -> kernels.Partition:
    """Return points of weight 1 and their clusters."""
    coords = np.array(places)[:, None]
    return whole(coords, np.ones(len(coords)), limits, 1.0, labels)


def inertia(coords: np.ndarray, labels: np.ndarray) -> float:
    """Return the inertia from its definition."""
    groups = [coords[labels == k] for k in range(labels.max() + 1)]
    return float(
        sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups if len(g))
    )


@pytest.mark.parametrize("num_dims", [1, 2, 5])
def test_deltas_are_exact(num_dims: int) -> None:
    """Relocation, swap and replacement agree with the definition."""
    part, _ = start(3, num_dims)
    coords, labels = part.problem.coords, part.labels
    before = inertia(coords, labels)
    assert part.rebuild() == pytest.approx(before)
    for i in range(30):
        to = int((labels[i] + 1) % 4)
        changed = labels.copy()
        changed[i] = to
        delta = part.insertion(i, to) - part.removal(i)
        after = inertia(coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        j = (7 * i + 1) % 30
        if labels[j] == labels[i]:
            continue
        changed = labels.copy()
        changed[i], changed[j] = labels[j], labels[i]
        delta = part.exchange(i, j)
        after = inertia(coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        both = part.replacement(i, j) + part.replacement(j, i)
        assert both == pytest.approx(after - before, abs=1e-12)


def test_move_keeps_means_loads_and_lists() -> None:
    """After many moves everything is as if recomputed."""
    part, rng = start(4)
    for _ in range(200):
        i, to = int(rng.integers(30)), int(rng.integers(4))
        own = int(part.labels[i])
        if own != to and len(part.members(own)) > 1:
            part.move(i, to)
    means, loads = part.means, part.loads[:, 0]
    for k in range(4):
        inside = np.flatnonzero(part.labels == k)
        assert sorted(part.members(k)) == inside.tolist()
    part.rebuild()
    assert means == pytest.approx(part.means)
    assert loads == pytest.approx(part.loads[:, 0])


def test_an_empty_cluster_keeps_its_mean() -> None:
    """The only point on the right leaves, and may come back."""
    part = on_a_line([0.0, 1.0, 9.0], [0, 0, 1], [3, 3])
    part.move(2, 0)
    assert part.means.ravel().tolist() == pytest.approx([10 / 3, 9.0])
    assert part.insertion(2, 1) == 0.0
    assert part.rebuild() == pytest.approx(
        inertia(part.problem.coords, part.labels)
    )
    assert part.means[1, 0] == 9.0


def test_descent_states_its_gain_and_keeps_the_limits() -> None:
    """The sum of the deltas is the change of the inertia."""
    for seed in range(5):
        part, _ = start(seed)
        problem, near, level = part.problem, everyone_near(4), np.zeros(4)
        relief = kernels.Relief(part, near, 30)
        while relief.run(np.arange(30), level, level, level, 0.0):
            pass
        assert (part.loads[:, 0] <= problem.limits.upper[:, 0]).all()
        before = part.rebuild()
        descent = kernels.Descent(part, near, 30)
        change = descent.run(3000, np.inf)
        assert descent.is_complete
        after = inertia(problem.coords, part.labels)
        assert change <= 0.0
        assert after == pytest.approx(before + change)
        loads = np.bincount(part.labels, problem.limits.weights[:, 0], 4)
        assert (loads <= problem.limits.upper[:, 0]).all()


def test_descent_finds_a_swap_where_nothing_has_room() -> None:
    """Two full clusters: only exchanging 1 and 2 puts things right."""
    part = on_a_line([0.0, 10, 1, 11], [0, 0, 1, 1], [2, 2])
    kernels.Descent(part, everyone_near(2), 4).run(40, np.inf)
    assert part.labels[0] == part.labels[2] != part.labels[1]


@pytest.mark.parametrize(
    ("needed", "labels"),
    [(-np.inf, [0, 1, 0, 1, 2]), (np.inf, [0, 0, 2, 1, 2])],
)
def test_ejections_follow_where_they_are_needed(
    needed: float, labels: list[int]
) -> None:
    """Of 0 and 1, 0.4 and 20, 4: the 0.4 swaps with the 1 at first.

    Then the 1 comes back in place of the 0.4, which goes to the 4. Nothing
    else has room, or is near.
    """
    part = on_a_line([0.0, 1, 0.4, 20, 4], [0, 0, 1, 1, 2], [2, 2, 2])
    near = np.array([[0, 2], [1, 0], [2, 2]])
    descent = kernels.Descent(part, near, 5)
    descent.run(1000, needed)
    assert descent.is_complete
    assert part.labels.tolist() == labels


def test_descent_goes_on_where_it_stopped() -> None:
    """Seven points at a time, until nothing is left: as in one go."""
    found = []
    for stretch in (3000, 7):
        part, _ = start(1)
        part.assign(np.arange(30) % 4)
        descent = kernels.Descent(part, everyone_near(4), 30)
        while not descent.is_complete:
            descent.run(stretch, np.inf)
        found.append(part.labels.tolist())
    assert found[0] == found[1]


def test_excess_is_handed_on_to_where_there_is_room() -> None:
    """Four points of three clusters: too full, full, and with room."""
    line = ([0.0, 1.0, 2.0, 9.0], [0, 0, 1, 2], [1, 1, 2])
    near, order = np.array([[0, 1], [1, 2], [2, 1]]), np.arange(4)
    heights, level = np.array([2.0, 1.0, 0.0]), np.zeros(3)
    part = on_a_line(*line)
    for _ in range(2):
        kernels.Relief(part, near, 4).run(order, heights, level, level, 0.0)
    assert part.loads[:, 0].tolist() == [1, 1, 2]
    part = on_a_line(*line)
    relief = kernels.Relief(part, near, 4)
    assert not relief.run(order, level, level, level, 0.0)


def test_kicks_keep_the_best_and_say_what_it_is() -> None:
    """Twenty kicks at a time; none makes it worse, and seeds decide."""
    found = []
    for _ in range(2):
        part, _ = start(2)
        near, rng = everyone_near(4), np.random.default_rng(5)
        best = part.rebuild()
        kicks = kernels.Kicks(part, near)
        for _ in range(5):
            value = kicks.run(20, rng)
            assert value <= best
            best = value
        assert best == pytest.approx(inertia(part.problem.coords, part.labels))
        found.append(part.labels.tolist())
    assert found[0] == found[1]


def test_reseeding_keeps_the_limits_or_the_labels() -> None:
    """Ten points of weight 1 fill the clusters; of weight 2 they do not."""
    rng = np.random.default_rng(3)
    coords, limits = rng.random((10, 2)), np.array([3.0, 3.0, 4.0])
    for weight in (1.0, 2.0):
        weights = np.full(10, weight)
        problem = kernels.Problem(coords, limits_by(weights, limits), 1.0)
        labels = np.full(10, -7)
        is_placed = kernels.reseed(problem, labels, rng)
        assert is_placed == (weight == 1.0)
        if is_placed:
            assert np.bincount(labels).tolist() == [3, 3, 4]
        else:
            assert set(labels.tolist()) == {-7}


def test_price_moves_the_border_between_two_centers() -> None:
    """At 4 of 0 to 10: 16 + 20 is as much as 36; margins by hand."""
    part = on_a_line([3.0, 5.0, 10.0], [0, 0, 1], [3, 3])
    cells = kernels.PowerAssignment(part.problem, np.zeros(3, int))
    cells.begin(
        np.array([[0.0], [10.0]]), np.array([20.0, 0.0]), everyone_near(2)
    )
    cells.assign(0, 3, 1)
    assert cells.labels.tolist() == [0, 1, 1]
    assert cells.margins.tolist() == [20.0, 20.0, 120.0]
    assert cells.sums.tolist() == [[3, 1, 1, 9], [15, 2, 2, 25]]


def test_arrays_outlive_what_they_belong_to() -> None:
    """A partition keeps its problem, and a problem its arrays."""
    part = on_a_line([3.0, 5.0, 10.0], [0, 0, 1], [3, 3])
    coords = part.problem.coords
    del part
    assert coords.ravel().tolist() == [3.0, 5.0, 10.0]
    assert not coords.flags.writeable


TWO = (np.zeros((2, 1)), limits_by(np.ones(2), np.ones(2)))


def problem_of_two() -> kernels.Problem:
    """Return two points and two clusters."""
    return kernels.Problem(*TWO, 1.0)


def part_of_two() -> kernels.Partition:
    """Return a point in each of two clusters."""
    part = kernels.Partition(problem_of_two())
    part.assign(np.arange(2))
    return part


def cells_of_two() -> kernels.PowerAssignment:
    """Return a power diagram of two points."""
    return kernels.PowerAssignment(problem_of_two(), np.zeros(2, int))


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.Problem(np.zeros((3, 1)), TWO[1], 1.0),
        lambda: limits_by(np.ones(0), np.ones(2)),
        lambda: limits_by(np.ones(2), np.ones(0)),
        lambda: Limits(
            np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 2)), np.ones(1)
        ),
        lambda: Limits(
            np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 1)), np.ones(2)
        ),
        lambda: part_of_two().assign(np.zeros(3, int)),
        lambda: part_of_two().assign(np.array([0, 2])),
        lambda: part_of_two().assign(np.array([0, -1])),
        lambda: kernels.Partition(problem_of_two()).rebuild(),
        lambda: kernels.Partition(problem_of_two()).removal(0),
        lambda: part_of_two().removal(2),
        lambda: part_of_two().insertion(0, 2),
        lambda: part_of_two().exchange(0, -1),
        lambda: part_of_two().replacement(2, 0),
        lambda: part_of_two().move(0, -1),
        lambda: part_of_two().members(2),
        lambda: kernels.Descent(
            kernels.Partition(problem_of_two()), everyone_near(2), 2
        ),
        lambda: kernels.Descent(part_of_two(), everyone_near(3), 2),
        lambda: kernels.Descent(part_of_two(), everyone_near(2) + 1, 2),
        lambda: kernels.Descent(part_of_two(), np.zeros((2, 0), int), 2),
        lambda: kernels.Relief(part_of_two(), everyone_near(1), 2),
        lambda: kernels.Relief(part_of_two(), everyone_near(2), 2).run(
            np.array([2]), np.zeros(2), np.zeros(2), np.zeros(2), 0.0
        ),
        lambda: kernels.Relief(part_of_two(), everyone_near(2), 2).run(
            np.array([0]), np.zeros(1), np.zeros(2), np.zeros(2), 0.0
        ),
        lambda: kernels.Kicks(part_of_two(), everyone_near(3)),
        lambda: kernels.reseed(
            problem_of_two(), np.zeros(1, int), np.random.default_rng(1)
        ),
        lambda: kernels.PowerAssignment(problem_of_two(), np.array([0, 2])),
        lambda: cells_of_two().assign(0, 2, 1),
        lambda: cells_of_two().begin(
            np.zeros((3, 1)), np.zeros(2), everyone_near(2)
        ),
        lambda: cells_of_two().begin(
            np.zeros((2, 1)), np.zeros(2), everyone_near(3)
        ),
    ],
)
def test_sizes_that_do_not_fit_are_refused(
    call: Callable[[], object],
) -> None:
    """Each would read or write outside of an array."""
    with pytest.raises(ValueError, match=r"\.$"):
        call()


@pytest.mark.parametrize(
    ("low", "high", "stride"), [(-1, 2, 1), (0, 3, 1), (0, 2, 0)]
)
def test_points_that_there_are_not_join_no_cluster(
    low: int, high: int, stride: int
) -> None:
    """Nor would a stride of 0 ever end."""
    cells = cells_of_two()
    cells.begin(np.zeros((2, 1)), np.zeros(2), everyone_near(2))
    with pytest.raises(ValueError, match="no such points"):
        cells.assign(low, high, stride)
