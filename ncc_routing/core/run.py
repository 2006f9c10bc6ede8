"""What work is given: its budget, seed, jobs and monitor, passed whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from ncc_routing.core.budget import Budget

if TYPE_CHECKING:
    from ncc_routing.core.events import Monitor


def stage_seed(seed: int, stage: str) -> int:
    """Return the seed of a stage, in 0..2**32 - 1, which every solver takes.

    The name is the spawn key of a ``numpy.random.SeedSequence``, so that
    stages draw from different streams and a new stage changes no other.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(stage.encode()))
    return int(sequence.generate_state(1)[0])


@dataclass(frozen=True)
class Run:
    """What every solver is given.

    Parameters
    ----------
    budget
        When to stop. Default: when the work is done.
    seed
        Seed of the random choices, at least 0. Default 1.
    jobs
        Searches at a time, at least 1. Default 1.
    monitor
        Is told the stages and the best cost. Default: nothing is.
    """

    budget: Budget = field(default_factory=Budget)
    seed: int = 1
    jobs: int = 1
    monitor: Monitor | None = None

    def generator(self) -> np.random.Generator:
        """Return a new generator of the seed."""
        return np.random.default_rng(self.seed)

    def with_budget(self, budget: Budget) -> Self:
        """Return the run with another budget."""
        return replace(self, budget=budget)

    def with_seed(self, seed: int) -> Self:
        """Return the run with another seed."""
        return replace(self, seed=seed)

    def for_stage(self, name: str) -> Self:
        """Return the run of a stage, which has a seed of its own."""
        return self.with_seed(stage_seed(self.seed, name))

    def within(self, seconds: float | None) -> Self:
        """Return the run that ends ``seconds`` from now at the latest."""
        return self.with_budget(self.budget.within(seconds))

    def watched(self, unit: float = 1.0) -> Self:
        """Return the run whose criterion reports to the monitor.

        A cost of the search times ``unit`` is one of the run.
        """
        if self.monitor is None:
            return self
        stop = self.monitor.watched(self.budget.stop, unit)
        return self.with_budget(replace(self.budget, stop=stop))
