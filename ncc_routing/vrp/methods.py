"""The construction methods by name: one table for Python, shell and tests.

Each method is imported when it is called, so that a run loads no more than
it uses.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

    Clusterer = Callable[[Instance, int, Deadline], Sequence[np.ndarray]]
    Constructor = Callable[[Instance, str, int, Deadline], Solution]


logger = logging.getLogger(__name__)

SCORING_SECONDS_PER_CUSTOMER = 2.5e-4
"""Time that the shipped scorer takes. It cannot be cut short."""

NUM_SAMPLES = 8
SAMPLE_MOVES = 200
"""First clusterings of ``ncc-sampling``, of which the best one is improved,
and moves per customer in each."""

ROLLOUT_SHARE = 0.1
"""Share of the time for the first clusterings of the scorer."""


def _ckm(
    instance: Instance, seed: int, deadline: Deadline
) -> Sequence[np.ndarray]:
    from ncc_routing.vrp.ckm.search import cluster_ckm

    return cluster_ckm(instance, seed=seed, deadline=deadline)


def _ncc(num_samples: int, num_moves: int | None = None) -> Clusterer:
    def run(
        instance: Instance, seed: int, deadline: Deadline
    ) -> Sequence[np.ndarray]:
        seconds = SCORING_SECONDS_PER_CUSTOMER * instance.num_customers
        if deadline.remaining() < seconds:
            logger.warning(
                "too little time to score pairs: ckm instead of ncc."
            )
            return _ckm(instance, seed, deadline)
        from ncc_routing.clustering.correlation import CorrelationParams
        from ncc_routing.scoring.predictor import shipped_predictor
        from ncc_routing.scoring.priority import ScorerPriority
        from ncc_routing.vrp.ckm.search import cluster_ckm
        from ncc_routing.vrp.ncc import roll_out

        params = CorrelationParams()
        if num_moves is not None:
            params = CorrelationParams(moves_per_point=num_moves)
        priority = ScorerPriority.of(shipped_predictor(), instance)
        start = roll_out(
            instance,
            priority,
            num_samples=num_samples,
            params=params,
            seed=seed,
            deadline=deadline.within(ROLLOUT_SHARE * deadline.remaining()),
        )
        return cluster_ckm(
            instance,
            priority=priority,
            start=start,
            seed=seed,
            deadline=deadline,
        )

    return run


def _sweep(
    instance: Instance, _router: str, _seed: int, _deadline: Deadline
) -> Solution:
    from ncc_routing.vrp.construction.sweep import solve_sweep

    return solve_sweep(instance)


def _sweep_plus(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    from ncc_routing.vrp.construction.sweep import solve_sweep_plus

    return solve_sweep_plus(
        instance, router=router, seed=seed, deadline=deadline
    )


def _petal(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    from ncc_routing.vrp.construction.petal import solve_petal

    return solve_petal(instance, router=router, seed=seed, deadline=deadline)


def _savings(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    from ncc_routing.vrp.construction.savings import solve_savings

    return solve_savings(instance, router=router, seed=seed, deadline=deadline)


def _gap(
    instance: Instance, router: str, seed: int, deadline: Deadline
) -> Solution:
    from ncc_routing.vrp.construction.gap import solve_gap

    return solve_gap(instance, router=router, seed=seed, deadline=deadline)


CLUSTERERS: dict[str, Clusterer] = {
    "ckm": _ckm,
    "ncc": _ncc(1),
    "ncc-sampling": _ncc(NUM_SAMPLES, SAMPLE_MOVES),
}
"""Methods that only cluster: the pipeline routes their clusters."""

CONSTRUCTORS: dict[str, Constructor] = {
    "sweep": _sweep,
    "sweep+": _sweep_plus,
    "petal": _petal,
    "savings": _savings,
    "gap": _gap,
}
"""Methods that return routes."""

METHODS: dict[str, Clusterer | Constructor] = {**CLUSTERERS, **CONSTRUCTORS}
"""Every construction method by name."""
