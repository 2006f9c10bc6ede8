"""The day of each vehicle as a row of bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.plotting.figures import empty_figure
from ncc_routing.problems.routes.timetable import (
    ARRIVAL,
    CUSTOMER,
    DEPARTURE,
    DEPOT,
    KIND,
    ROUTE,
    SERVICE_START,
    has_times,
    list_stops,
    route_titles,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

DRIVING: Final = "driving"
WAITING: Final = "waiting"

_COLOURS: Final = {
    DRIVING: "0.72",
    WAITING: "#e8d9a8",
    CUSTOMER: "#3b76af",
    DEPOT: "#8a5a9e",
}
"""Colour of each part of a day; of others, the next one of the palette."""

_NAMES: Final = {CUSTOMER: "service"}

_ROW: Final = 0.32
"""Height of a row in inches."""

_STEPS: Final = tuple(900 * k for k in (1, 2, 4, 8, 12, 24, 48, 96))
"""Seconds between two ticks: a quarter of an hour to a day."""

_MOST_TICKS: Final = 12

Part = tuple[str, float, float]
"""What a vehicle does, from when on, and how long."""


def plot_timetable(
    instance: Instance,
    solution: Solution,
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw the day of each vehicle: driving, waiting, service.

    Parameters
    ----------
    instance
        An instance with times.
    solution
        Its routes, each of which is a row.
    size
        Width and height in inches. Default: 10, and as high as the rows need.

    Returns
    -------
    matplotlib.figure.Figure
        A figure of its own, with the times as the user writes them.

    Raises
    ------
    ParameterError
        If the instance has no times, or the solution no routes.
    """
    if not (has_times(instance) and solution.routes):
        raise ParameterError(
            f"{instance.name}: a timetable needs times and routes."
        )
    titles = route_titles(instance, solution)
    figure = empty_figure(size or (10.0, 1.4 + _ROW * len(titles)))
    axes = figure.add_subplot()
    days = _days(list_stops(instance, solution, clock=False), len(titles))
    colours, shown = dict(_COLOURS), set()
    for row, parts in enumerate(days):
        for what, begin, length in parts:
            colour = colours.setdefault(what, f"C{len(colours)}")
            name = _NAMES.get(what, what)
            axes.barh(
                *(row, length, 0.6 if what != DRIVING else 0.25, begin),
                color=colour,
                label="" if name in shown else name,
            )
            shown.add(name)
    axes.set_yticks(range(len(titles)), titles, parse_math=False)
    axes.invert_yaxis()
    axes.use_sticky_edges = False
    axes.xaxis.set_major_locator(_ticks(instance, days))
    axes.xaxis.set_major_formatter(
        lambda time, _: (
            instance.source.time_form.text(time) if time >= 0 else ""
        )
    )
    axes.grid(axis="x", alpha=0.25)
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(shown),
        fontsize=8,
        frameon=False,
    )
    return figure


def _days(columns: dict[str, list[Any]], num_routes: int) -> list[list[Part]]:
    """Return what each vehicle does, in the order of the day."""
    days: list[list[Part]] = [[] for _ in range(num_routes)]
    names = (ROUTE, KIND, ARRIVAL, SERVICE_START, DEPARTURE)
    left = 0.0
    for route, kind, *times in zip(*(columns[n] for n in names), strict=True):
        day, known = days[route - 1], [time or 0.0 for time in times]
        arrival, begin, end = known
        if not day and kind == DEPOT:
            left = arrival
        day += [
            (DRIVING, left, arrival - left),
            (WAITING, arrival, begin - arrival),
            (kind, begin, end - begin),
        ]
        left = end
    return [[part for part in day if part[2] > 0.0] for day in days]


def _ticks(instance: Instance, days: list[list[Part]]) -> Locator:
    """Return ticks at round times of a clock, where times have a unit."""
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    if not instance.source.time_form.kind:
        return MaxNLocator(_MOST_TICKS)
    parts = [part for day in days for part in day]
    first = min((begin for _, begin, _ in parts), default=0.0)
    last = max((begin + length for _, begin, length in parts), default=0.0)
    fitting = (s for s in _STEPS if (last - first) / s <= _MOST_TICKS)
    return MultipleLocator(next(fitting, last - first))
