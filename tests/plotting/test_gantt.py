"""The day of each vehicle as a row of bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from matplotlib.container import BarContainer

import ncc_routing as nr
from ncc_routing import ParameterError
from ncc_routing.plotting.gantt import plot_timetable

if TYPE_CHECKING:
    from ncc_routing import Instance

ORDERS = [
    {"id": "yard", "x": 0, "y": 0, "demand": 0, "window": "8-12"},
    {"id": "a", "x": 60, "y": 0, "demand": 1, "window": "9-10"},
    {"id": "b", "x": 120, "y": 0, "demand": 1, "window": "11-12"},
]
"""At a metre a second the way to a takes a minute; each stop takes ten."""

FLEET = [{"number": 2, "capacity": 5}]


Bars = dict[str, list[tuple[int, float, float]]]


def bars(instance: Instance, *routes: list[int]) -> Bars:
    """Return row, begin and length in minutes of the bars of each colour."""
    solution = nr.Solution.from_routes(instance, routes)
    axes = plot_timetable(instance, solution).axes[0]
    drawn: Bars = {}
    names: dict[object, str] = {}
    for container in axes.containers:
        assert isinstance(container, BarContainer)
        (bar,) = container.patches
        label = str(container.get_label())
        names.setdefault(bar.get_facecolor(), label)
        row = round(bar.get_y() + bar.get_height() / 2)
        place = (row, bar.get_x() / 60, bar.get_width() / 60)
        drawn.setdefault(names[bar.get_facecolor()], []).append(place)
    return drawn


def test_bars_are_the_day() -> None:
    """The vehicle leaves so late that it waits least."""
    rows = [{**row, "service": "10 min"} for row in ORDERS]
    rows[0]["service"] = ""
    instance = nr.read(rows, vehicles=FLEET, speed="1 m/s")
    assert bars(instance, [1, 2]) == {
        "driving": [(0, 599.0, 1.0), (0, 610.0, 1.0), (0, 670.0, 2.0)],
        "service": [(0, 600.0, 10.0), (0, 660.0, 10.0)],
        "waiting": [(0, 611.0, 49.0)],
    }
    assert {row for row, *_ in bars(instance, [2], [1])["service"]} == {0, 1}


def test_a_problem_without_times_has_no_day(square: Instance) -> None:
    """There is nothing to draw without routes, either."""
    solution = nr.Solution.from_routes(square, [[1, 4], [2, 3]])
    with pytest.raises(ParameterError, match="needs times and routes"):
        plot_timetable(square, solution)
