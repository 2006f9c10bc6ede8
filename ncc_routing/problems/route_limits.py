"""Limits of what a route has: those of each vehicle type, in one table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.time_form import TimeForm

LENGTH, DURATION, STOPS = "length", "duration", "stops"
"""What the number of a limit is."""


class RouteLimit(NamedTuple):
    """A limit of what a route has.

    ``name`` is that of the constraint, ``field`` the one of ``VehicleType``,
    and ``amount`` one of ``Schedule.amounts``. A route
    ``verb`` an amount, in words of a check ``checked``; ``cure`` is what an
    unserved customer lacks.
    """

    name: str
    field: str
    amount: str
    verb: str
    kind: str
    cure: str = ""
    checked: str = "takes"
    follows_times: bool = False

    def text(self, form: TimeForm) -> Callable[[float], str]:
        """Return how an amount is written."""
        if self.kind == DURATION:
            return partial(form.text, is_duration=True)
        if self.kind == STOPS:
            return lambda number: counted(round(number), "stop")
        return "{:.10g}".format

    def sides(
        self, amount: float, limit: float, form: TimeForm
    ) -> tuple[str, str]:
        """Return what a route has and its limit: "2 stops" and "1"."""
        text = self.text(form)
        return text(amount), str(limit) if self.kind == STOPS else text(limit)


ROUTE_LIMITS: Final = (
    RouteLimit(
        *("shift", "max_duration", "duration", "takes", DURATION),
        follows_times=True,
    ),
    RouteLimit(
        *("distance", "max_distance", "distance", "drives", LENGTH),
        "a longer maximum distance",
    ),
    RouteLimit(
        *("driving", "max_driving_time", "driving", "drives", DURATION),
        "more driving time",
    ),
    RouteLimit(
        *("stops", "max_stops", "num_stops", "makes", STOPS),
        *("more stops", "has"),
    ),
    RouteLimit(
        *("waiting", "max_waiting", "waiting", "waits", DURATION),
        *("more waiting", "waits"),
        follows_times=True,
    ),
    RouteLimit(
        *("wait", "max_wait", "longest_wait", "waits once", DURATION),
        *("longer waits", "waits once"),
        follows_times=True,
    ),
)
"""In the order in which a check names them."""
