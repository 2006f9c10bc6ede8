"""What a run tells while it works."""

import math

import ncc_routing as nr
from ncc_routing.core.events import Monitor, Progress, TracePoint
from ncc_routing.core.stopping import Pace, Tally
from tests.core.conftest import Clock


class Listener(nr.Callbacks):
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.best: list[Progress] = []
        self.all: list[Progress] = []

    def on_best(self, progress: Progress) -> None:
        """Hear of a better cost."""
        self.best.append(progress)

    def on_progress(self, progress: Progress) -> None:
        """Hear of a look."""
        self.all.append(progress)


def test_only_lower_costs_are_best(clock: Clock) -> None:
    """9, 9, 7: two points of the trace, at the times they came."""
    listener = Listener()
    monitor = Monitor(nr.TimeLimit(clock=clock), (listener,))
    with monitor.stage("polish"):
        for cost in (9.0, 9.0, 7.0):
            clock.time += 0.5
            monitor.note(cost, 10)
    points = ((0.5, "polish", 9.0), (1.5, "polish", 7.0))
    assert monitor.trace == [TracePoint(*point) for point in points]
    assert [one.cost for one in listener.best] == [9.0, 7.0]
    assert [one.cost for one in listener.all] == [None, 9.0, 9.0, 7.0]


def test_iterations_add_up_over_the_searches_of_a_stage() -> None:
    """A second search begins at 0 again; the next stage does as well."""
    listener = Listener()
    monitor = Monitor(nr.TimeLimit(), (listener,))
    with monitor.stage("polish"):
        for iterations in (100, 250, 40, 90):
            monitor.note(math.inf, iterations)
    with monitor.stage("other"):
        monitor.note(1.0, 5)
    counts = [one.iterations for one in listener.all]
    assert counts == [0, 100, 250, 290, 340, 0, 5]


def test_a_watched_criterion_is_the_criterion() -> None:
    """It ends where the other does, and tells of what is done alone."""
    listener = Listener()
    monitor = Monitor(nr.TimeLimit(), (listener,))
    stop = monitor.watched(nr.MaxIterations(100))
    assert stop.progress(Tally(50)) == 0.5
    assert stop.progress(Tally(100, ahead=0.0)) == 1.0
    assert stop.left(Tally(30)) == (math.inf, 70)
    assert isinstance(stop.part(0.5, 0.5), nr.MaxIterations)
    assert [one.iterations for one in listener.all] == [50]


def test_a_search_under_watch_tells_its_costs() -> None:
    """Each advance of a pace is a note; without a criterion none ends it."""
    monitor = Monitor(nr.TimeLimit())
    pace = Pace(monitor.watched(), 10, 50.0)
    for cost in (50.0, 41.0):
        assert pace.advance(10, cost) == 0.0
    assert [point.cost for point in monitor.trace] == [50.0, 41.0]
    pace = Pace(monitor.watched(nr.TargetCost(40.0)), 10, 41.0)
    assert pace.advance(10, 40.0) == 1.0
