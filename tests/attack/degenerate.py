"""Routing problems at the edge, by every method and polish.

Those of at most six customers are held against brute force.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.vrp.methods import METHODS, NO_POLISH, POLISHES
from tests.attack.outcomes import Counts, require, require_line
from tests.brute_force import cheapest_plan

if TYPE_CHECKING:
    import random
    from pathlib import Path

MOST_BRUTE: Final = 6
"""Customers up to which every plan is tried."""

SECONDS: Final = 0.3
"""Time of a run: some methods start a process of their own."""

EXACT: Final = frozenset(("ruin-recreate", "auto"))
"""Polishes that find the best plan of so few customers."""

Shape = Callable[[np.random.Generator, int], nr.Instance]


def _draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return places on a grid, and demands of 1 to 8; the depot first."""
    coords = rng.integers(0, 60, size=(n + 1, 2))
    demands = np.concatenate([[0], rng.integers(1, 9, size=n)])
    return coords, demands


def _plain(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    return nr.Instance("plain", demands, 10, coords)


def _one_place(rng: np.random.Generator, n: int) -> nr.Instance:
    _, demands = _draw(rng, n)
    return nr.Instance("one place", demands, 10, np.full((n + 1, 2), 7))


def _on_depot(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    coords[rng.random(n + 1) < 0.6] = coords[0]
    return nr.Instance("on the depot", demands, 10, coords)


def _collinear(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    coords[:, 1] = 2 * coords[:, 0]
    return nr.Instance("collinear", demands, 10, coords)


def _full(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, _ = _draw(rng, n)
    demands = np.repeat([0, 7], [1, n])
    return nr.Instance("demand = capacity", demands, 7, coords)


def _no_demand(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    demands[rng.random(n + 1) < 0.7] = 0
    return nr.Instance("zero demands", demands, 8, coords)


def _exact(rng: np.random.Generator, n: int) -> nr.Instance:
    """Demands that fill whole vehicles to the last unit."""
    coords, _ = _draw(rng, n)
    capacity, rest, demands = 11, 11, [0]
    for left in range(n, 0, -1):
        last = left == 1 or rest == 1
        demands.append(rest if last else int(rng.integers(1, rest + 1)))
        rest = rest - demands[-1] or capacity
    return nr.Instance("exactly K x Q", np.array(demands), capacity, coords)


def _scaled(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    scale = 10.0 ** rng.integers(-9, 10)
    return nr.Instance("scaled", demands, 10, coords * scale, "none")


def _mixed_scales(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    scales = 10.0 ** rng.integers(-9, 10, size=(n + 1, 1))
    return nr.Instance("mixed scales", demands, 10, coords * scales, "none")


def _far(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    return nr.Instance("far from 0", demands, 10, coords + 10**9)


def _duplicates(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    coords = coords[rng.integers(0, 2, n + 1)]
    return nr.Instance("duplicates", demands, 10, coords)


def _asymmetric(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    matrix = rng.integers(0, 99, size=(n + 1, n + 1)).astype(float)
    np.fill_diagonal(matrix, 0.0)
    return nr.Instance("asymmetric", demands, 10, coords, matrix=matrix)


def _zero_matrix(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    matrix = np.zeros((n + 1, n + 1))
    return nr.Instance("zero matrix", demands, 10, coords, matrix=matrix)


def _matrix_alone(rng: np.random.Generator, n: int) -> nr.Instance:
    _, demands = _draw(rng, n)
    matrix = rng.random((n + 1, n + 1))
    np.fill_diagonal(matrix, 0.0)
    return nr.Instance("matrix alone", demands, 10, matrix=matrix)


def _large_demands(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    scale = 10**9
    return nr.Instance("large demands", demands * scale, 10 * scale, coords)


def _vast_capacity(rng: np.random.Generator, n: int) -> nr.Instance:
    coords, demands = _draw(rng, n)
    return nr.Instance("vast capacity", demands, 2**40, coords)


SHAPES: Final[tuple[Shape, ...]] = (
    _plain,
    _one_place,
    _on_depot,
    _collinear,
    _full,
    _no_demand,
    _exact,
    _scaled,
    _mixed_scales,
    _far,
    _duplicates,
    _asymmetric,
    _zero_matrix,
    _matrix_alone,
    _large_demands,
    _vast_capacity,
)
"""Everything that may be special about an instance."""

SIZES: Final = (1, 2, 3, 4, 5, 6, 7, 12, 30)


def combinations() -> list[tuple[str, str]]:
    """Return every method without a polish, and every polish."""
    alone = [(method, NO_POLISH) for method in METHODS]
    return alone + [("auto", polish) for polish in POLISHES]


def solve_degenerate(number: int, rng: random.Random, folder: Path) -> Counts:
    """Solve one problem by every method and polish that accepts it."""
    shape = SHAPES[number % len(SHAPES)]
    size = rng.choice(SIZES)
    instance = shape(np.random.default_rng(rng.randrange(2**32)), size)
    (folder / "instance.txt").write_text(describe(instance), encoding="utf-8")
    best = cheapest_plan(instance) if size <= MOST_BRUTE else None
    counts: Counts = Counter({"problems": 1})
    chosen = combinations()
    if best is None:
        chosen = rng.sample(chosen, 4)
    for method, polish in chosen:
        counts += solve_against(instance, method, polish, best)
    return counts


def solve_against(
    instance: nr.Instance, method: str, polish: str, best: float | None
) -> Counts:
    """Solve a problem; compare with the best cost where it is known.

    Raises
    ------
    Found
        If the answer breaks a rule, is cheaper than the best plan, or an
        exact polish misses the best plan.
    """
    what = f"{instance.name}, {instance.num_customers}, {method}, {polish}"
    try:
        found = nr.solve(
            instance,
            method=method,
            polish=polish,
            seed=1,
            deadline=Deadline(SECONDS),
            stop=None if polish == NO_POLISH else nr.MaxIterations(500),
        ).best
    except NccRoutingError as error:
        require_line(str(error))
        is_refused = isinstance(error, nr.UnsupportedProblemError)
        require(is_refused, f"{what}: {error}")
        return Counter({"unsupported": 1})
    broken = nr.check_solution(instance, found)
    require(not broken, f"{what}: {broken[:1]}")
    if best is None:
        return Counter({"solves": 1})
    slack = 1e-9 * max(1.0, best)
    require(found.cost >= best - slack, f"{what}: {found.cost} below {best}")
    if polish in EXACT:
        text = f"{what}: {found.cost}, the best plan costs {best}"
        require(found.cost <= best + slack, text)
    return Counter({"solves": 1, "against brute force": 1})


def describe(instance: nr.Instance) -> str:
    """Return what makes an instance again."""
    parts = (instance.demands, instance.coords, instance.matrix)
    arrays = [None if a is None else a.tolist() for a in parts]
    head = f"{instance.name}, {instance.capacity}, {instance.rounding}"
    return f"{head}: {arrays}\n"
