"""Phases of a search: annealings and iterated searches, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import joblib
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.race import race
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop

RACE = (
    Phase(Step.ANNEAL, 0.4, 3, (0.0, 0.6)),
    Phase(Step.ITERATE, 0.7, 2, (0.3, 0.6)),
    Phase(Step.ITERATE, 1.0, 1, (0.6, 1.0)),
)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seconds", [0.04, 0.08, 0.3, 1.7])
def test_every_time_limit_is_kept_and_used(
    instance: nr.Instance, start: nr.Solution, seconds: float, jobs: int
) -> None:
    """By whatever the time is best spent on."""
    deadline = TimeLimit(seconds)
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline), jobs=jobs)
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost or seconds < 0.3
    assert deadline.remaining() > -3.0


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("phases", [RACE, RACE[1:]])
def test_phases_run_in_their_order(
    instance: nr.Instance,
    start: nr.Solution,
    phases: tuple[Phase, ...],
    jobs: int,
) -> None:
    """The answer is feasible, better than the start, and in time."""
    deadline = TimeLimit(0.5)
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline), jobs=jobs), phases=phases
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost
    assert deadline.remaining() > -1.0


def test_phases_run_in_processes(
    instance: nr.Instance, start: nr.Solution
) -> None:
    """All that a phase takes can be pickled."""
    with joblib.parallel_config(backend="loky"):
        found = ruin_and_recreate(
            instance, start, Run(Budget.of(4.0), jobs=2), phases=RACE[1:]
        )
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost


@pytest.mark.parametrize(
    "stop", [nr.stop.MaxIterations(10), nr.stop.NoImprovement(10)]
)
def test_phases_need_a_time_limit(
    instance: nr.Instance, start: nr.Solution, stop: Stop
) -> None:
    """A share of the iterations would never end."""
    for deadline in (TimeLimit(), TimeLimit(1.0)):
        with pytest.raises(nr.ParameterError, match="a time limit"):
            ruin_and_recreate(
                instance, start, Run(Budget(deadline, stop)), phases=RACE
            )


def test_a_run_tells_its_plan(
    instance: nr.Instance, caplog: pytest.LogCaptureFixture
) -> None:
    """In its result, in its summary and in the log."""
    with caplog.at_level("INFO", "ncc_routing"):
        found = nr.solve(instance, time_limit=0.2)
    assert found.phases[0] == "savings"
    assert found.phases[-1] == "iterate to 100 %"
    assert f"phases    {', '.join(found.phases)}" in found.summary()
    assert f"Phases: {', '.join(found.phases)}." in caplog.messages
    assert nr.Result.from_json(found.to_json()).phases == found.phases
    assert nr.solve(instance, polish="none").phases == ("ckm",)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("step", [Step.ANNEAL, Step.ITERATE])
def test_a_race_ends_at_a_target(
    instance: nr.Instance, start: nr.Solution, step: Step, jobs: int
) -> None:
    """What is left of eight seconds is not used up."""
    target = nr.stop.TargetCost(0.9 * start.cost)
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    deadline = TimeLimit(8.0)
    race(search, Phase(step, runs=8), Budget(deadline, target))
    assert search.best_cost <= target.cost
    assert deadline.remaining() > 4.0
