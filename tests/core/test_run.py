"""A run that is passed whole."""

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.events import Monitor
from ncc_routing.core.run import Run, stage_seed
from ncc_routing.core.stopping import Tally
from ncc_routing.vrp.run import SolveRun


def test_stages_have_seeds_of_their_own() -> None:
    """The rest of a run, and its class, stay as they are."""
    run = SolveRun(Budget.of(1.0), seed=3, jobs=2, router="local-search")
    stage = run.for_stage("polish")
    assert stage == run.with_seed(stage_seed(3, "polish"))
    assert isinstance(stage, SolveRun)
    assert stage.router == "local-search"
    draws = [one.generator().random() for one in (run, run, stage)]
    assert draws[0] == draws[1] != draws[2]


def test_a_watched_run_reports_to_its_monitor() -> None:
    """Costs are told in the unit of the run; without a monitor nothing is."""
    alone = Run()
    assert alone.watched() is alone
    monitor = Monitor(nr.TimeLimit())
    run = Run(Budget.of(iterations=4), monitor=monitor).watched(unit=2.0)
    assert run.budget.counts_iterations
    stop = run.budget.stop
    assert stop is not None
    assert stop.progress(Tally(1, 0, 5.0)) == 0.25
    assert [point.cost for point in monitor.trace] == [10.0]
