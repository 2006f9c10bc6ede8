"""What a day takes: orders, vehicles, kilometres, hours, costs."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.text import counted, money
from ncc_routing.problems.price_steps import price_of
from ncc_routing.problems.routes.timetable import (
    has_times,
    route_titles,
    rows_of,
)
from ncc_routing.problems.time_form import DATES
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import Schedule
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

_WIDTH: Final = 10
_KILOMETRE: Final = 1000.0
_MINUTE: Final = 60.0
_HOUR: Final = 3600.0


@dataclass(frozen=True)
class Summary:
    """What the routes of a solution take altogether.

    Distances are kilometres where the instance has metres, and times hours and
    minutes where their unit is known (``Source.time_form``); otherwise they
    are numbers as in the instance.

    Parameters
    ----------
    served, unserved, left_out
        Numbers of customers on a route, of required ones on none, and of
        optional ones on none.
    cancelled
        Number of customers where a vehicle passes by, as their orders were
        cancelled on its way there. They are not served.
    vehicles
        Number of vehicles in use of each type, by its name.
    distance, distance_unit
        Distance of all routes, and "km" or "".
    costs
        Costs of each kind: "fixed", "distance", "time", "overtime", and
        "prizes" of customers who are left out.
    driving, service, waiting, breaks, time_unit
        Durations on all routes, and "h" or ""; ``None`` without times, or
        without breaks.
    latest_return, last_route
        When the last vehicle is back, as the input writes times, and the
        title of its route; ``None`` without times.
    least_slack, tightest
        Smallest time between a service and the end of its window, or the
        return and the end of the shift, in minutes, and where that is;
        ``None`` without such a limit.
    detour
        Factor by which distances are longer than straight lines; ``None``
        where they are not made of these, or have no known unit.
    """

    served: int
    unserved: int
    left_out: int
    vehicles: dict[str, int]
    distance: float | None
    distance_unit: str
    costs: dict[str, float]
    driving: float | None = None
    service: float | None = None
    waiting: float | None = None
    breaks: float | None = None
    time_unit: str = ""
    latest_return: float | str | None = None
    last_route: str | None = None
    least_slack: float | None = None
    tightest: str | None = None
    detour: float | None = None
    cancelled: int = 0

    @property
    def duration(self) -> float | None:
        """How long all routes take, with breaks; ``None`` without times."""
        times = (self.driving, self.service, self.waiting, self.breaks)
        return None if self.driving is None else sum(t or 0.0 for t in times)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return lines of text; what says nothing has none."""
        return [f"{name:<{_WIDTH}}{text}" for name, text in self._entries()]

    def _entries(self) -> Iterator[tuple[str, str]]:
        orders = f"{self.served:,} served"
        for count, what in (
            (self.unserved, "unserved"),
            (self.left_out, "optional left out"),
            (self.cancelled, "cancelled on the way there"),
        ):
            orders += f", {count:,} {what}" if count else ""
        yield "orders", orders
        if self.vehicles:
            used = (f"{count} {name}" for name, count in self.vehicles.items())
            yield "vehicles", ", ".join(used)
        if self.distance is not None and self.distance_unit:
            yield "distance", f"{self.distance:,.1f} {self.distance_unit}"
        if self.driving is not None:
            names = ["driving", "service", "waiting"]
            names += ["breaks"] * (self.breaks is not None)
            times = [getattr(self, name) or 0 for name in names]
            unit = self.time_unit and f" {self.time_unit}"
            form = ",.1f" if unit else ",.10g"
            whole, *parts = (f"{t:{form}}" for t in (self.duration, *times))
            each = ", ".join(map(" ".join, zip(names, parts, strict=True)))
            yield "hours" if unit else "duration", f"{whole}{unit}: {each}"
        if len(self.costs) > 1:
            each = ", ".join(f"{k} {money(c)}" for k, c in self.costs.items())
            yield "costs", each
        if self.latest_return is not None:
            end = self.latest_return
            text = end if isinstance(end, str) else f"{end:,.6g}"
            yield "return", f"{text} at the latest, {self.last_route}"
        if self.least_slack is not None:
            unit = " min" if self.time_unit else ""
            slack = self.least_slack
            text = f"{math.floor(slack):,}" if unit else f"{slack:,.4g}"
            yield "slack", f"{text}{unit} at {self.tightest}"
        if self.detour is not None:
            more = "; --detour 1.3 makes them longer"
            if self.detour > 1:
                more = f" times {self.detour:g}"
            yield "note", f"distances are straight lines{more}"


def summarise(
    instance: Instance, solution: Solution, unserved: Sequence[Unserved] = ()
) -> Summary:
    """Return what a solution takes; only its unserved customers are given."""
    schedules = solution.schedules(instance)
    unit = _KILOMETRE if instance.has_metres else 1.0
    visited = set(chain.from_iterable(solution.routes)) - set(instance.depots)
    cancelled = visited & instance.passed_by
    is_straight = instance.has_metres and instance.matrix is None
    lost = sum(not one.optional for one in unserved)
    return Summary(
        served=len(visited) - len(cancelled),
        unserved=lost,
        left_out=instance.num_customers - len(visited) - lost,
        cancelled=len(cancelled),
        vehicles=_vehicles(instance, solution),
        distance=_number(sum(one.distance for one in schedules) / unit),
        distance_unit="km" if instance.has_metres else "",
        costs=_costs(instance, solution, schedules, visited),
        detour=instance.detour or (1.0 if is_straight else None),
        **_times_of(instance, solution, schedules),
    )


def _times_of(
    instance: Instance, solution: Solution, schedules: Sequence[Schedule]
) -> dict[str, Any]:
    """Return the times of a summary, an empty mapping where there are none."""
    if not has_times(instance) or not schedules:
        return {}
    form, titles = instance.source.time_form, route_titles(instance, solution)
    hour, minute = (_HOUR, _MINUTE) if form.kind else (1.0, 1.0)
    durations = _durations(schedules)
    ends = [one.end for one in schedules]
    last = ends.index(max(ends))
    slack, tightest = _least_slack(instance, solution, schedules, titles)
    return {
        **{name: _number(sum(ts) / hour) for name, ts in durations.items()},
        "time_unit": "h" if form.kind else "",
        "latest_return": form.cell(ends[last]),
        "last_route": titles[last],
        "least_slack": _number(slack / minute),
        "tightest": tightest,
    }


def list_routes(
    instance: Instance, solution: Solution
) -> dict[str, list[Any]]:
    """Return columns with an entry a route: who drives, how far, how long.

    ``driver`` (the title of the route), ``orders``, with times ``start``,
    ``end``, ``driving``, ``service``, ``waiting`` and, where there are any,
    ``breaks``, the largest ``load`` of the first dimension, ``distance`` and
    ``cost``. The names of numbers have
    their unit behind them, as in ``problems.routes.timetable.list_stops``.
    """
    schedules, form = solution.schedules(instance), instance.source.time_form
    others = {*instance.depots, *instance.passed_by}
    columns: dict[str, list[Any]] = {
        "driver": route_titles(instance, solution),
        "orders": [len(set(one.visits) - others) for one in schedules],
    }
    if has_times(instance):
        unit = form.unit_of_numbers and f"_{form.unit_of_numbers}"
        columns |= {
            f"start{unit}": [form.cell(one.start) for one in schedules],
            f"end{unit}": [form.cell(one.end) for one in schedules],
        }
        minute, end = (_MINUTE, "_min") if form.kind else (1.0, "")
        durations = _durations(schedules)
        for name, times in durations.items():
            columns[name + end] = [_number(time / minute) for time in times]
    columns["load"] = [instance.stated_load(one.load) for one in schedules]
    length, end = (_KILOMETRE, "_km") if instance.has_metres else (1.0, "")
    far = [_number(one.distance / length) for one in schedules]
    costs = [_number(one.cost) for one in schedules]
    return columns | {f"distance{end}": far, "cost": costs}


def list_heads(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return title, and lines for the driver, of each route.

    These are who drives and what the day takes, with the plate of the vehicle
    and the date where these are known.
    """
    source, heads = instance.source, []
    form, plates = source.time_form, dict(source.plates)
    titles = route_titles(instance, solution)
    rows = rows_of(list_routes(instance, solution))
    for idx, title, one, row in zip(
        solution.vehicle_types,
        titles,
        solution.schedules(instance),
        rows,
        strict=True,
    ):
        plate = plates.get(instance.vehicle_types[idx].name, "")
        who = [title, plate] if plate not in ("", title) else [title]
        facts = [counted(row["orders"], "order")]
        if has_times(instance):
            ends = [str(form.cell(time)) for time in (one.start, one.end)]
            day = source.table_form.day
            if form.kind == DATES:
                day = ends[0].partition("T")[0]
                ends = [text.removeprefix(f"{day}T") for text in ends]
            facts = [*([day] if day else []), " to ".join(ends), *facts]
        if has_times(instance) and form.kind:
            facts.append(f"{(one.end - one.start) / _HOUR:,.1f} h")
        if instance.has_metres:
            facts.append(f"{one.distance / _KILOMETRE:,.1f} km")
        heads.append([title, ", ".join(who), ", ".join(facts)])
    return heads


def _durations(schedules: Sequence[Schedule]) -> dict[str, list[float]]:
    """Return how long each route drives, serves and waits."""
    durations = {
        "driving": [float(one.driving) for one in schedules],
        "service": [sum(one.services) for one in schedules],
        "waiting": [sum(one.waits) for one in schedules],
    }
    rests = [sum(each.duration for each in one.breaks) for one in schedules]
    return durations | ({"breaks": rests} if any(rests) else {})


def _number(value: float) -> float | None:
    """Return a number of few decimals, ``None`` where it is infinite."""
    if not math.isfinite(value):
        return None
    value = round(value, 3)
    return int(value) if value.is_integer() else value


def _vehicles(instance: Instance, solution: Solution) -> dict[str, int]:
    if instance.fleet is None:
        return {}
    names = (
        instance.vehicle_types[idx].name or f"type {idx}"
        for idx in sorted(solution.vehicle_types)
    )
    return dict(Counter(names))


def _costs(
    instance: Instance,
    solution: Solution,
    schedules: Sequence[Schedule],
    served: set[int],
) -> dict[str, float]:
    """Return the costs of each kind that is not 0."""
    costs = dict.fromkeys(
        (
            *("fixed", "distance", "time", "driving", "overtime", "steps"),
            *("windows", "balance"),
        ),
        0.0,
    )
    for idx, one in zip(solution.vehicle_types, schedules, strict=True):
        vehicle = instance.vehicle_types[idx]
        over = max(0.0, one.duration - vehicle.shift_duration)
        for kind, unit_cost, amount in (
            ("fixed", vehicle.fixed_cost, 1.0),
            ("distance", vehicle.unit_distance_cost, one.distance),
            (
                "time",
                vehicle.unit_duration_cost,
                one.duration - vehicle.unpaid_duration,
            ),
            ("driving", vehicle.unit_driving_cost, one.driving),
            ("overtime", vehicle.unit_overtime_cost, over),
        ):
            costs[kind] += unit_cost * amount if unit_cost else 0.0
        costs["steps"] += price_of(vehicle.price_steps, one.amounts)
        costs["windows"] += one.window_cost
    for balance, amounts in solution.balances(instance):
        costs["balance"] += balance.price(amounts)
    if instance.selection is not None:
        costs["prizes"] = instance.selection.lost_prizes(
            served | set(instance.depots)
        )
    rounded = {kind: _number(cost) for kind, cost in costs.items()}
    return {kind: cost for kind, cost in rounded.items() if cost}


def _least_slack(
    instance: Instance,
    solution: Solution,
    schedules: Sequence[Schedule],
    titles: Sequence[str],
) -> tuple[float, str | None]:
    """Return the least time left before a limit, and where that is."""
    ids = instance.node_ids
    least: tuple[float, str | None] = (math.inf, None)
    for idx, one, title in zip(
        solution.vehicle_types, schedules, titles, strict=True
    ):
        limits = [NO_LIMIT] * len(one.visits)
        if instance.windows is not None:
            limits = [
                next(
                    (late for _, late in windows if late >= begin),
                    windows[-1][1],
                )
                for windows, begin in zip(
                    map(instance.windows.windows_of, one.visits),
                    one.begins,
                    strict=True,
                )
            ]
        vehicle, begins = instance.vehicle_types[idx], list(one.begins)
        places = [f"{ids[node]}, {title}" for node in one.visits]
        if vehicle.end_depot is None:
            limits.append(vehicle.tw_late)
            begins.append(one.end)
            places.append(f"the end, {title}")
        else:
            limits[-1] = min(limits[-1], vehicle.tw_late)
            places[-1] = f"the return, {title}"
        stops = list(zip(limits, begins, places, strict=True))
        for limit, begin, place in stops[vehicle.start_depot is not None :]:
            if limit < NO_LIMIT and limit - begin < least[0]:
                least = (limit - begin, place)
    return least
