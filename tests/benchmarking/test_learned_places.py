"""The experiment on learned places, on a small region."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.experiments import learned_places as module
from benchmarks.harness.runner import run_tasks
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
