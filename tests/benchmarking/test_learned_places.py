"""Scorers that count, by hand, and the experiment on learned places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.experiments import learned_places as module
from benchmarks.harness.past_plans import PastPlans, addresses_of
from benchmarks.harness.runner import run_tasks
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def small_region(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Take few addresses and days, and forget them at the end."""
    cached = (
        module.region,
        module.true_plan,
        module.counted,
        module.scorer_of,
    )
    monkeypatch.setenv("NCC_ROUTING_LABELS", str(tmp_path))
    for name, value in (
        ("NUM_ADDRESSES", 160),
        ("TRAINING", range(4)),
        ("VALIDATION", range(4, 5)),
        ("EFFORT", 20),
        ("TRAINING_CHANGES", {**module.TRAINING_CHANGES, "num_epochs": 1}),
    ):
        monkeypatch.setattr(module, name, value)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


def test_kept_pairs_by_hand() -> None:
    """Of three pairs and one, one is left."""
    reference = Solution(((1, 2, 3), (4, 5)), 0.0)
    assert module.kept_pairs(reference, reference) == 1.0
    other = Solution(((1, 2, 4), (3,), (5,)), 0.0)
    assert module.kept_pairs(reference, other) == 0.25


def test_every_variant_plans_a_day() -> None:
    """The loss is that of the order and the routes alone, on the roads."""
    experiment, training = module.PAGES[0].experiments
    tasks = experiment.tasks(limit=1)
    rows = [row for task in run_tasks(experiment, tasks, 1) for row in task]
    assert len(rows) == 2 + len(module.WEIGHTS)
    assert all(row["feasible"] for row in rows)
    assert all(row["reference"] == rows[0]["reference"] for row in rows)
    by_scorer = {str(row["scorer"]): row for row in rows}
    roads, plain = by_scorer["true distances"], by_scorer["none"]
    assert float(roads["cost"]) < float(plain["cost"])
    table = module.against_map(
        [{name: str(value) for name, value in row.items()} for row in rows]
    )
    assert float(table[0]["left"]) == pytest.approx(100.0)
    assert float(table[0]["times"]) == pytest.approx(1.0)
    [[row]] = run_tasks(training, training.tasks(), 1)
    assert row["epochs"] == 1
    assert 0.0 < float(row["loss"]) < 1.0


COORDS = np.array([[0, 0], [10, 0], [20, 0], [35, 0], [36, 0.0]])
"""The depot and four addresses on a line."""


def day(*addresses: int) -> Instance:
    """Return a day with an order from some addresses."""
    nodes = [0, *addresses]
    return Instance(
        "day",
        np.array([0] + [1] * len(addresses)),
        9,
        COORDS[nodes],
        ids=tuple(map(str, nodes)),
    )


def test_counts_by_hand() -> None:
    """1 and 2 met once and shared; others have the rate of their rank."""
    assert addresses_of(day(4, 2)).tolist() == [0, 4, 2]
    past = PastPlans.of([(day(1, 2, 3), np.array([-1, 0, 0, 1]))], 4)
    assert past.met[1, 2] == past.shared[1, 2] == 1.0
    assert (past.met[1, 3], past.shared[1, 3]) == (1.0, 0.0)
    assert past.met[1, 4] == 0.0
    # The nearest one shares the route of 1 and 2 and not of 3; then none.
    assert past.by_rank == pytest.approx([2.0 / 3.0, 0.0])
    nearest, chances, _ = past.pair_probabilities(day(1, 2, 4))
    assert nearest.tolist() == [[2, 3], [1, 3], [2, 1]]
    assert chances[0, 0] == pytest.approx((1.0 + 2.0 * 2.0 / 3.0) / 3.0)
    assert chances[2, 1] == pytest.approx(0.0)  # never met, second


def test_near_addresses_count_as_well() -> None:
    """3 and 4 are each other's nearest: what 3 did, 4 is thought to do."""
    past = PastPlans.of([(day(2, 3), np.array([-1, 0, 0]))], 4)
    pooled = past.pooled(COORDS, 2)
    assert past.met[2, 4] == 0.0
    assert pooled.met[2, 4] == 1.0
    assert pooled.shared[2, 4] == 1.0
