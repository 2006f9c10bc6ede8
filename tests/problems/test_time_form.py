"""Times as a user writes them: clocks, dates, numbers in a unit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.routes.simplification import simplify
from ncc_routing.problems.routes.timetable import list_stops
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.problems.values import NO_LIMIT

PARIS = TimeForm("dates", midnight="2026-05-04T00:00:00+02:00")


@pytest.mark.parametrize(
    ("form", "time", "expected"),
    [
        (TimeForm(), 30600, 30600),
        (TimeForm(), 0.1 + 0.2, 0.1 + 0.2),
        (TimeForm("s"), 30600.6, 510.01),
        (TimeForm("min"), 30600, 510),
        (TimeForm("min"), 30630, 510.5),
        (TimeForm("h"), 100, 0.0277777778),
        (TimeForm("clock"), 0, "00:00"),
        (TimeForm("clock"), 30600, "08:30"),
        (TimeForm("clock"), 30600.4, "08:30"),
        (TimeForm("clock"), 30659.6, "08:30"),
        (TimeForm("clock"), 30659.9999999, "08:31"),
        (TimeForm("clock", has_seconds=True), 30605.6, "08:30:05"),
        (TimeForm("clock"), 86340, "23:59"),
        (TimeForm("clock"), 86400, "24:00"),
        (TimeForm("clock"), 90000, "25:00"),
        (TimeForm("am/pm"), 0, "12:00 a.m."),
        (TimeForm("am/pm"), 3599, "12:59 a.m."),
        (TimeForm("am/pm"), 30600, "8:30 a.m."),
        (TimeForm("am/pm"), 43140, "11:59 a.m."),
        (TimeForm("am/pm"), 43200, "12:00 p.m."),
        (TimeForm("am/pm"), 46800, "1:00 p.m."),
        (TimeForm("am/pm", True), 86399, "11:59:59 p.m."),
        (TimeForm("am/pm"), 90000, "25:00"),
        (PARIS, 30600, "2026-05-04T08:30+02:00"),
        (PARIS, 90005, "2026-05-05T01:00+02:00"),
        (replace(PARIS, has_seconds=True), 0, "2026-05-04T00:00:00+02:00"),
        (TimeForm("dates", midnight="2026-05-04"), 60, "2026-05-04T00:01"),
        (PARIS, 3.6e12, "1000000000:00"),
        (TimeForm("clock"), None, None),
    ],
)
def test_moments_in_tables(form: TimeForm, time: Any, expected: Any) -> None:
    """Clocks have minutes, and seconds where the input has; s become min."""
    assert form.cell(time) == expected


@pytest.mark.parametrize(
    ("form", "time", "expected"),
    [
        (TimeForm(), 15, "15"),
        (TimeForm("s"), 2898, "48 min 18 s"),
        (TimeForm("s"), 3600, "1 h"),
        (TimeForm("s"), 59.5, "59.5 s"),
        (TimeForm("s"), 0, "0 s"),
        (TimeForm("min"), 930, "15.5 min"),
        (TimeForm("h"), 5400, "1.5 h"),
        (TimeForm("clock"), 900, "0:15"),
        (TimeForm("am/pm"), 900, "0:15"),
        (PARIS, 36015, "10:00:15"),
        (TimeForm("clock"), np.float64(0.25), "0:00:00.25"),
        (TimeForm("clock"), 59.9999, "0:01"),
        (TimeForm("clock"), NO_LIMIT, "no limit"),
    ],
)
def test_durations_in_messages(
    form: TimeForm, time: float, expected: str
) -> None:
    """Hours and minutes beside clocks; numbers have their unit."""
    assert form.text(time, is_duration=True) == expected


@pytest.mark.parametrize("wrong", [{"kind": "o'clock"}, {"kind": "dates"}])
def test_what_is_no_form_is_refused(wrong: dict[str, Any]) -> None:
    """Dates need the day that they begin with."""
    with pytest.raises(nr.InstanceError, match="time_form"):
        TimeForm(**wrong)


def test_timetables_have_the_form(
    two_depots: nr.Instance, two_depots_plan: nr.Solution
) -> None:
    """Arrivals at 5, 15, 30 and 55 of a unit that is said to be a second."""
    arrival = {
        TimeForm("clock", has_seconds=True): ("", ["00:00:05", "00:00:15"]),
        TimeForm("s"): ("_min", [0.0833333333, 0.25]),
        TimeForm("h"): ("_h", [0.0013888889, 0.0041666667]),
    }
    for form, (unit, expected) in arrival.items():
        clock = replace(two_depots, source=Source(time_form=form))
        stops = list_stops(clock, two_depots_plan)
        assert stops[f"arrival{unit}"][:2] == expected
        assert stops["waiting_min"][:2] == [0, 0]
    plain = list_stops(clock, two_depots_plan, clock=False)
    assert plain == list_stops(two_depots, two_depots_plan)


def test_copies_and_parts_keep_the_form(two_depots: nr.Instance) -> None:
    """Pickled, simplified and restricted ones; no other thing is a form."""
    clock = replace(two_depots, source=Source(time_form=TimeForm("clock")))
    assert (
        pickle.loads(pickle.dumps(clock)).source.time_form
        == clock.source.time_form
    )
    assert simplify(clock).source.time_form == clock.source.time_form
    coords = np.array([[0, 0], [1, 0], [2, 0]])
    plain = nr.Instance("a", np.array([0, 1, 1]), 2, coords)
    cut = restrict(
        replace(plain, source=Source(time_form=PARIS)), np.array([2])
    )
    assert cut.source.time_form == PARIS
    with pytest.raises(nr.InstanceError, match="must be a TimeForm"):
        Source(time_form="clock")  # type: ignore[arg-type]


def test_violations_are_told_in_the_form(two_depots: nr.Instance) -> None:
    """Customer 2 closes at 60: 80 on the way, 5 of service, 60 more.

    The route of the second depot takes 200 and two services.
    """
    plan = nr.Solution.from_routes(two_depots, [[3, 2], [1, 4]], [0, 1])
    late = replace(two_depots, source=Source(time_form=TimeForm("clock")))
    messages = [each.message for each in nr.check_solution(late, plan)]
    assert "route 1 reaches customer 2 0:01:25 too late" in messages
    assert "route 2 takes 0:03:10 of 0:01" in messages


def test_why_nobody_can_be_served_is_told_in_the_form() -> None:
    """Ann is 450 s from the yard, which opens at eight."""
    rows = {
        "id": ["yard", "ann"],
        "x": [0, 450],
        "y": [0, 0],
        "demand": [0, 1],
    }
    times = {"open": ["08:00", ""], "close": ["12:00", "8:05"]}
    problem = nr.read({**rows, **times}, capacity=1, speed="1m/s")
    with pytest.raises(nr.InfeasibleError, match=r"08:07:30.*to 08:05"):
        nr.solve(problem, time_limit=1.0)
