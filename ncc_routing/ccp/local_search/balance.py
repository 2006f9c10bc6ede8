"""k-means under a price of each cluster that balances the loads.

Each point joins the center of least squared distance plus price, a power
diagram: Aurenhammer, Hoffmann and Aronov (1998), Minkowski-type theorems and
least-squares clustering. Prices rise while a cluster is too full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import partition as kernels
from ncc_routing.core.neighbours import nearest_points

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit

_NUM_NEAR: Final = {1: 12, 2: 12, 3: 24, 4: 48}
_MOST_NEAR: Final = 64
"""Clusters that the members of each one may join, itself among them, by the
number of dimensions: cells have more neighbours in more."""

_SAMPLE_ROUNDS: Final = 40
"""Rounds of k-means on the sample."""

_ROUNDS: Final = 20
"""Rounds on all points; in the last half the means are fixed."""

_LEAST_ROUNDS: Final = 20
"""Rounds on the sample below which the prices are left out."""

_BALANCE_SHARE: Final = 0.6
"""Share of the time that the prices may take."""

_STEADY: Final = 1e-5
"""Relative change of the inertia, and excess load, at which the rounds end."""

_STEPS: Final = (0.01, 8.0)
_LONGER: Final = 1.2
_SHORTER: Final = 0.6
"""Least and largest price step for twice the limit; factors by its sign."""

_BLOCK: Final = 50_000
"""Points between two looks at the clock."""


class Priced(NamedTuple):
    """Labels, margins to the second choice, and prices (squared distances)."""

    labels: np.ndarray
    margins: np.ndarray
    prices: np.ndarray


def unpriced(problem: kernels.Problem, labels: np.ndarray) -> Priced:
    """Return labels with the margins between the nearest means."""
    rounds = _Rounds(problem, labels)
    rounds.assign(1, None)
    return rounds.priced()._replace(labels=labels)


def balance(
    problem: kernels.Problem,
    labels: np.ndarray,
    stride: int,
    deadline: TimeLimit,
) -> Priced | None:
    """Return labels whose loads are close to the limits; ``None`` if late.

    Every ``stride``-th point takes part in the first rounds.
    """
    deadline = deadline.within(_BALANCE_SHARE * deadline.remaining())
    rounds = _Rounds(problem, labels)
    start = deadline.now()
    if not rounds.assign(stride, deadline):
        return None
    work = (_SAMPLE_ROUNDS + stride * _ROUNDS) * (deadline.now() - start)
    share = min(1.0, deadline.remaining() / max(work, 1e-9))
    if share * _SAMPLE_ROUNDS < _LEAST_ROUNDS:
        return None
    fixed = int(share * _ROUNDS) // 2
    for step, count, moves in (
        (stride, int(share * _SAMPLE_ROUNDS), True),
        (1, fixed, True),
        (1, fixed, False),
    ):
        for _ in range(count):
            rounds.update(moves=moves)
            if not rounds.assign(step, deadline):
                return None
            if rounds.is_steady:
                break
    return rounds.priced()


class _Rounds:
    """k-means under prices, round by round."""

    def __init__(self, problem: kernels.Problem, labels: np.ndarray) -> None:
        self._problem = problem
        num_clusters = problem.num_clusters
        self._cells = kernels.PowerAssignment(problem, labels)
        # Of loads above the limits, and of those below if there are such.
        sides = 1 + bool(np.isfinite(problem.limits.lower).any())
        self._sides = np.zeros((sides, num_clusters))
        self._steps = np.ones((sides, num_clusters))
        self._excess = np.zeros((sides, num_clusters))
        self._inertia = np.inf
        # The most that each cluster may hold, by its tightest measure.
        limits = problem.limits
        self._unit = (limits.units * limits.upper).min(axis=1)
        self.is_steady = False
        counts = np.bincount(labels, minlength=num_clusters)
        self._means = np.empty((num_clusters, problem.coords.shape[1]))
        for axis, values in enumerate(problem.coords.T):
            sums = np.bincount(labels, values, num_clusters)
            self._means[:, axis] = sums / np.maximum(counts, 1)
        self._sums = self._cells.sums

    @property
    def prices(self) -> np.ndarray:
        prices = self._sides[0] - self._sides[1:].sum(axis=0)
        return np.asarray(prices - min(float(prices.min()), 0.0))

    def priced(self) -> Priced:
        cells = self._cells
        return Priced(cells.labels, cells.margins, self.prices)

    def assign(self, stride: int, deadline: TimeLimit | None) -> bool:
        """Give every ``stride``-th point its cluster; False if time is up."""
        problem, limits = self._problem, self._problem.limits
        near = clusters_near(self._means, self.prices)
        self._cells.begin(self._means, self.prices, near)
        size = problem.num_points
        block = stride * _BLOCK
        for low in range(0, size, block):
            if deadline is not None and deadline.passed():
                return False
            self._cells.assign(low, min(low + block, size), stride)
        self._sums = self._cells.sums
        counts, *loads, reach = self._sums[:, problem.coords.shape[1] :].T
        inertia = float(reach.sum() / counts.sum())
        excess = np.full_like(self._excess, -np.inf)
        upper, lower = limits.upper, limits.lower
        for m, load in enumerate(loads):
            share = load.sum() / max(limits.weights[:, m].sum(), 1e-300)
            load = load / max(share, 1e-300)
            sides = np.array([load - upper[:, m], lower[:, m] - load])
            sides = limits.units[m] * sides[: len(excess)]
            excess = np.maximum(excess, sides)
        over = float(np.maximum(excess, 0.0).sum())
        change = abs(self._inertia - inertia)
        self.is_steady = bool(
            change <= _STEADY * inertia and over <= _STEADY * self._unit.sum()
        )
        self._inertia = inertia
        # A price that overshoots takes smaller steps, as in Rprop.
        same = excess * self._excess > 0.0
        steps = self._steps * np.where(same, _LONGER, _SHORTER)
        self._steps = np.clip(steps, *_STEPS)
        self._excess = excess
        return True

    def update(self, *, moves: bool) -> None:
        """Change the prices, and where ``moves`` the means too."""
        limits = self._unit
        unit = np.maximum(limits, max(1e-3 * limits.mean(), 1e-300))
        change = self._steps * self._inertia * self._excess / unit
        self._sides = np.maximum(self._sides + change, 0.0)
        if moves:
            num_dims = self._means.shape[1]
            counts = self._sums[:, num_dims]
            used = counts > 0.0
            sums = self._sums[used, :num_dims]
            self._means[used] = sums / counts[used, None]


def clusters_near(means: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """Return the clusters that the members of each one may join.

    Int64 of shape (K, m), the cluster itself among them.
    """
    count, num_dims = means.shape
    clusters, num_near = np.arange(count), _NUM_NEAR.get(num_dims, _MOST_NEAR)
    if count <= num_near:
        return np.tile(clusters, (count, 1))
    places = np.column_stack([means, np.sqrt(prices)])
    asked = np.column_stack([means, np.zeros(count)])
    _, near = nearest_points(places)(asked, num_near)
    near = np.array(near, dtype=np.int64)
    alone = (near != clusters[:, None]).all(axis=1)
    near[alone, -1] = clusters[alone]
    return near
