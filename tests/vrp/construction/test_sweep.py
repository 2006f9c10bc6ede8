"""Tests of the sweep against hand counts, brute force and published runs."""

from __future__ import annotations

import csv
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.sweep import (
    both_directions,
    solve_sweep,
    solve_sweep_plus,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def all_sweeps(instance: nr.Instance) -> Iterator[list[list[int]]]:
    """Yield the routes of every sweep, one customer a step."""
    for order in both_directions(instance, "test"):
        for start in range(len(order)):
            routes: list[list[int]] = [[]]
            load = 0
            for customer in np.roll(order, -start).tolist():
                load += instance.demands[customer]
                if load > instance.capacity:
                    routes.append([])
                    load = instance.demands[customer]
                routes[-1].append(customer)
            yield routes


def test_square_by_hand(square: nr.Instance) -> None:
    """Demands 1..4 about the square with capacity 5: 1+2 | 3 | 4 or 4+1."""
    solution = solve_sweep(square)
    assert nr.check_solution(square, solution) == []
    # Sides 100, spokes 71: 4 | 1 2 | 3 and 4 1 | 2 3 in the order of the
    # beam; the second has fewer routes and costs 2 (71 + 100 + 71).
    assert solution.cost == 484
    assert sorted(map(sorted, solution.routes)) == [[1, 4], [2, 3]]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rounding", ["nearest", "none"])
def test_sweep_equals_plain_loops(seed: int, rounding: str) -> None:
    """The compiled sweep finds what a loop over all starts finds."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    instance = nr.Instance(
        "random",
        coords=rng.integers(0, 12, size=(n + 1, 2)),
        demands=np.concatenate([[0], rng.integers(0, 8, size=n)]),
        capacity=int(rng.integers(8, 30)),
        rounding=rounding,
    )
    solution = solve_sweep(instance)
    assert nr.check_solution(instance, solution) == []
    num_routes, cost = min(
        (len(routes), sum(map(instance.route_cost, routes)))
        for routes in all_sweeps(instance)
    )
    assert solution.num_routes == num_routes
    assert solution.cost == pytest.approx(cost)


def test_all_published_sweeps(data_dir: Path) -> None:
    """All 100 X instances: the same routes, and costs but for ties.

    Customers at the same angle come in an arbitrary order in the published
    runs, so costs may differ slightly where there are some.
    """
    table = data_dir.parent / "reference" / "uchoa_sweep_savings.csv"
    if not table.is_file():
        pytest.skip(f"reference values not found ({table})")
    with table.open() as lines:
        rows = [
            row
            for row in csv.DictReader(lines)
            if row["method"] == "sweep_intdemand"
        ]
    assert len(rows) == 100
    num_equal = 0
    for row in rows:
        path = data_dir / "cvrp" / "X" / f"{row['instance']}.vrp"
        instance = nr.read(path, metric="paper")
        solution = solve_sweep(instance)
        cost = float(row["cost"])
        coords = instance.require_coords("the test")
        offsets = coords[1:] - coords[0]
        angles = np.arctan2(offsets[:, 1], offsets[:, 0]).round(9)
        has_ties = len(np.unique(angles)) < len(angles)
        assert solution.num_routes == int(row["k"])
        tolerance = 0.02 * cost if has_ties else 1e-3
        assert solution.cost == pytest.approx(cost, abs=tolerance)
        num_equal += abs(solution.cost - cost) < 1e-3
    assert num_equal >= 70


def test_sweep_plus_after_its_deadline(random_instance: nr.Instance) -> None:
    """With no time left the routes of the plain sweep are shortened."""
    solution = solve_sweep_plus(random_instance, Run(Budget.of(0.0)))
    plain = solve_sweep(random_instance)
    assert nr.check_solution(random_instance, solution) == []
    assert set(map(frozenset, solution.routes)) == set(
        map(frozenset, plain.routes)
    )
    assert solution.cost < plain.cost


def test_sweep_plus_takes_the_best_total() -> None:
    """Every sweep of a small instance routed by brute force."""
    instance = generate_uchoa(9, 3, route_length=4.0)

    def best_route(route: list[int]) -> float:
        return min(map(instance.route_cost, permutations(route)))

    solution = solve_sweep_plus(instance, router="local-search")
    assert nr.check_solution(instance, solution) == []
    assert solution.cost == min(
        sum(map(best_route, routes)) for routes in all_sweeps(instance)
    )
