"""Plans whose routes are about equal, at a price or by a limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from tests.oracles.balances import cheapest_balanced, plan_cost
from tests.oracles.problems import FLEETS, LIMITS, random_problem
from tests.robustness.support import seeds

ITERATIONS = nr.stop.MaxIterations(60)

AMOUNTS = "duration", "distance", "stops", "driving_time"

SETS = {
    "fleets": FLEETS,
    "carried": (*FLEETS, "shipments", "pickups", "optional", "groups"),
    "limits": (*FLEETS, *LIMITS, "overtime", "open", "steps"),
}


def with_balances(instance: nr.Instance, seed: int) -> nr.Instance:
    """Return a problem with one or two balances at random."""
    rng = np.random.default_rng(seed)
    types = list(instance.vehicle_types)
    for _ in range(int(rng.integers(1, 3))):
        amount = AMOUNTS[rng.integers(len(AMOUNTS))]
        kind = rng.integers(3)
        unit = {"stops": 20}.get(amount, 1)
        one = nr.Balance(
            amount,
            largest_cost=int(rng.integers(1, 4)) * unit if kind == 0 else 0,
            spread_cost=int(rng.integers(1, 4)) * unit if kind == 1 else 0,
            max_spread=int(rng.integers(0, 60)) // unit
            if kind == 2
            else np.inf,
            among=("used", "all")[rng.integers(2)],
        )
        who = int(rng.integers(1, 1 << len(types)))
        for idx, each in enumerate(types):
            if who >> idx & 1 and one not in each.balances:
                types[idx] = replace(each, balances=(*each.balances, one))
    fleet = instance.fleet or nr.Fleet(tuple(types))
    return replace(instance, fleet=replace(fleet, types=tuple(types)))


@pytest.mark.parametrize("name", SETS)
def test_random_problems(name: str) -> None:
    """No cost is wrong, no spread too large, and most plans the best."""
    verdicts: Counter[str] = Counter()
    for seed in seeds(2000, step=37):
        plain = random_problem(seed, SETS[name], 4 + seed % 2)
        instance = with_balances(plain, seed)
        optimum = cheapest_balanced(instance)
        try:
            best = nr.solve(instance, ITERATIONS).best
        except nr.InfeasibleError:
            verdicts["none" if np.isinf(optimum) else "missed"] += 1
            continue
        assert not nr.check_solution(instance, best)
        assert best.cost == pytest.approx(plan_cost(instance, best))
        assert best.cost >= optimum * (1 - 1e-9)
        is_best = best.cost <= optimum * (1 + 1e-9) + 1e-9
        verdicts["best" if is_best else "dearer"] += 1
    print(name, verdicts)
    found = verdicts["best"] + verdicts["none"]
    assert found >= 0.8 * verdicts.total(), verdicts
