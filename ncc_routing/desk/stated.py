"""What an answer states beside its routes, held against the problem."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.text_files import is_standard_input, read_text
from ncc_routing.desk.excel import is_excel, read_sheets, sheet_titles
from ncc_routing.desk.fields import STOP_COLUMNS
from ncc_routing.desk.routes import (
    STOP_SUFFIXES,
    is_before,
    is_timetable,
    named_stops,
    read_stops,
    times_in,
    without_given,
)
from ncc_routing.desk.tables import Table, is_blank, parse_table
from ncc_routing.desk.vroom import END, JOB, START, is_answer, numbered
from ncc_routing.desk.vroom_answer import (
    DrivenRoute,
    Stop,
    compose,
    lengths_of,
)
from ncc_routing.desk.workbooks import OVERVIEW, place_of_overview
from ncc_routing.problems.plain import entry_of, parse_object, reading_result
from ncc_routing.problems.routes.checking import (
    MeasuredRoute,
    Violation,
    measure_routes,
)
from ncc_routing.problems.routes.schedules import (
    measure_route,
    route_costs,
    schedule_route,
)
from ncc_routing.problems.routes.stated_times import (
    STATED,
    StatedStop,
    check_times,
)
from ncc_routing.problems.routes.summary import list_routes, summarise
from ncc_routing.problems.routes.timetable import (
    ARRIVAL,
    BREAK,
    DELIVERED,
    DEPARTURE,
    DISTANCE,
    KIND,
    LOAD,
    PICKED_UP,
    ROUTE,
    SERVICE_START,
    STOP,
    UNSERVED,
    WAITING,
    list_stops,
)
from ncc_routing.problems.values import rounds_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

_AMOUNTS: Final = (DELIVERED, PICKED_UP, LOAD, DISTANCE)
"""Columns of a timetable that follow from the routes."""

_OF_ROUTES: Final = ("orders", "load", "distance", "cost")
"""What an overview states of a route, whenever it begins."""

_NO_TASKS: Final = (START, END, BREAK)
_NO_NUMBERS: Final = frozenset(
    (
        *("type", "id", "job", "description", "violations", "steps"),
        *("vehicle", "routing", "computing_times"),
    )
)
_OF_TIMES: Final = frozenset(("arrival", "duration", "waiting_time"))
_ROUNDED: Final = frozenset(("cost", "duration", "distance"))
"""Entries of an answer: steps that are no tasks, what states no number, what
follows from times, and what may be a sum of rounded numbers."""

_HALF_A_SECOND: Final = 0.5
_MINUTE, _SECOND, _NUMBER = 60.0, 1.0, 0.05
"""How far times are rounded: of a clock with minutes, with seconds, numbers.
"""


def check_statements(
    file: Path, instance: Instance, solution: Solution
) -> list[Violation]:
    """Return what a file states beside its routes that is not so.

    These are the times, waits, services, breaks, loads, distances and costs of
    an answer of VROOM or of a timetable, and what overviews sum up of routes.
    Routes that were under way when they were planned have times of the past,
    which are not followed.

    Parameters
    ----------
    file
        The file, of which the routes were read.
    instance
        The problem.
    solution
        The routes, as ``read_plan`` returns them.
    """
    if is_standard_input(file):
        return []
    suffix = file.suffix.lower()
    if suffix == ".json":
        text = read_text(file)
        content = parse_object(text)
        if is_answer(content):
            if "routes" not in content:
                return []
            with reading_result(file):
                _require_numbers(content)
            return list(_of_answer(content, instance, solution))
        found = list(_of_summary(content, instance, solution))
        if not content.get("timetable"):
            return found
        table: Table | None = parse_table(file, text, "timetable")
    elif suffix in STOP_SUFFIXES:
        found = list(_of_overview(file, instance, solution))
        table = read_stops(file, "stops")
    else:
        return []
    if table is None:
        return found
    return [*_of_timetable(table, instance, solution), *found]


def states_times(file: Path) -> bool:
    """Return whether a file of routes says when vehicles are where."""
    if file.suffix.lower() == ".json":
        return '"arrival"' in read_text(file)
    if file.suffix.lower() not in STOP_SUFFIXES:
        return False
    table = read_stops(file, "stops")
    times = {ARRIVAL, SERVICE_START, DEPARTURE}
    return table is not None and not times.isdisjoint(table.columns)


def _of_summary(
    content: Mapping[str, Any], instance: Instance, solution: Solution
) -> Iterator[Violation]:
    """Yield what the summary of a result states wrongly but for times."""
    said = content.get("summary")
    if not isinstance(said, dict):
        return
    right = summarise(instance, solution).to_json()
    for name in ("served", "vehicles", "distance", "costs"):
        if said.get(name, right[name]) != right[name]:
            text = f"summary: {name} is {right[name]}, and {said[name]} "
            yield Violation(STATED, f"{text}is stated")


def _of_overview(
    file: Path, instance: Instance, solution: Solution
) -> Iterator[Violation]:
    """Yield what the overview of a workbook states wrongly but for times."""
    place = place_of_overview(sheet_titles(file)) if is_excel(file) else None
    if place is None:
        return
    (_, head), *lines = [*read_sheets(file)][place] or [(0, [])]
    stated = [dict(zip(head, cells, strict=False)) for _, cells in lines]
    rows = {row.get("driver"): row for row in stated}
    right = list_routes(instance, solution)
    names = [n for n in right if n.split("_")[0] in _OF_ROUTES and n in head]
    for place, driver in enumerate(right["driver"]):
        for name in names:
            said = rows.get(driver, {}).get(name)
            wanted = right[name][place]
            if wanted is None or (
                isinstance(said, int | float) and rounds_to(wanted, said)
            ):
                continue
            text = f"sheet {OVERVIEW}: {name} of {driver} is {wanted}, and "
            yield Violation(STATED, f"{text}{said} is stated")


def _is_under_way(instance: Instance, idx: int, route: Sequence[int]) -> bool:
    """Whether a route was under way when it was planned."""
    return any(
        one.begins(route, idx, instance.depots) for one in instance.in_progress
    )


def _require_numbers(content: Mapping[str, Any]) -> None:
    """Raise where what is read of an answer has another type."""
    entry_of({"summary": {}, **content}, "summary", dict)
    for one in entry_of({"unassigned": [], **content}, "unassigned", list):
        entry_of(one, "id", int)
    for route in content["routes"]:
        for step in route["steps"]:
            for name in ("arrival", "waiting_time", "service"):
                entry_of({name: 0, **step}, name, int, float)


def _of_answer(
    content: Mapping[str, Any], instance: Instance, solution: Solution
) -> Iterator[Violation]:
    """Yield what an answer of VROOM states wrongly."""
    given = [
        (at, one)
        for at, one in enumerate(content["routes"])
        if any(step.get("type") not in _NO_TASKS for step in one["steps"])
    ]
    measured = measure_routes(instance, solution)
    costs = route_costs(instance, solution.routes, solution.vehicle_types)
    driven, has_times, fastest = [], True, 0.0
    for number, (at, route) in enumerate(given):
        idx, nodes = solution.vehicle_types[number], solution.routes[number]
        steps = _Steps(instance, idx, nodes, measured[number])
        stops, stated = steps.read(route["steps"])
        driven.append(DrivenRoute(idx, at + 1, costs[number], stops))
        fastest = max(fastest, steps.fastest)
        has_times &= all("arrival" in step for step in route["steps"])
        has_times &= all("waiting_time" in step for step in route["steps"])
        if not _is_under_way(instance, idx, nodes):
            noise = _SECOND if steps.has_parts else 0.0
            yield from check_times(
                instance,
                idx,
                measured[number],
                stated,
                noise,
                f"route {at + 1}",
            )
    served = set(chain.from_iterable(solution.routes))
    absent = set(range(1, instance.num_customers + 1)) - served
    right = compose(instance, driven, sorted(absent), (0.0, 0.0))
    kept = _Comparison(has_times, fastest)
    said = content.get("summary", {})
    yield from kept.differences("summary", said, right["summary"], len(driven))
    for (at, route), other in zip(given, right["routes"], strict=True):
        where = f"routes[{at}]"
        yield from kept.differences(where, route, other, 1.0)
        steps_of = zip(route["steps"], other["steps"], strict=True)
        for number, pair in enumerate(steps_of):
            yield from kept.differences(f"{where}.steps[{number}]", *pair, 1.0)
    listed, unserved = (
        {(one.get("type", JOB), one.get("id")) for one in each}
        for each in (content.get("unassigned", ()), right["unassigned"])
    )
    for kind, number in sorted(listed ^ unserved, key=str):
        text = "is served" if (kind, number) in listed else "is missing"
        yield Violation(STATED, f"unassigned: {kind} {number} {text}")


class _Comparison:
    """Which entries of an answer are held against the right one."""

    def __init__(self, has_times: bool, fastest: float) -> None:
        self._of_breaks = 1.0 + fastest * _HALF_A_SECOND
        self._left_out = _NO_NUMBERS | (set() if has_times else _OF_TIMES)

    def differences(
        self,
        where: str,
        said: Mapping[str, Any],
        right: Mapping[str, Any],
        noise: float,
    ) -> Iterator[Violation]:
        """Yield the entries that state another number than the right one."""
        for name in said.keys() & right.keys() - self._left_out:
            pair = said[name], right[name]
            if pair[0] == pair[1]:
                continue
            allowed = noise if name in _ROUNDED else 0.0
            if name == "distance" and said.get("type") == BREAK:
                allowed = self._of_breaks
            if not _are_close(*pair, allowed):
                text = f"{where}: {name} is {pair[1]}, and {pair[0]} is stated"
                yield Violation(STATED, text)


def _are_close(said: Any, right: Any, noise: float) -> bool:
    if isinstance(right, list) and isinstance(said, list):
        return len(said) == len(right) and all(
            _are_close(*pair, noise) for pair in zip(said, right, strict=True)
        )
    if not isinstance(said, int | float):
        return False
    return math.isclose(said, right, rel_tol=1e-9, abs_tol=noise)


class _Steps:
    """The steps of a route in an answer of VROOM."""

    def __init__(
        self,
        instance: Instance,
        idx: int,
        nodes: Sequence[int],
        measured: MeasuredRoute,
    ) -> None:
        self._instance, self._measured = instance, measured
        self._breaks = instance.vehicle_types[idx].breaks
        parts = measure_route(instance, nodes, idx)
        self._legs = lengths_of(
            instance, idx, parts.visits.tolist(), parts.legs
        )
        self._parts, self.fastest = parts, 0.0
        self._loads = schedule_route(
            instance, nodes, idx, has_open_ends=True
        ).loads
        self.has_parts = bool(self._breaks) or not all(
            float(one).is_integer() for one in measured.durations
        )

    def read(
        self, steps: Sequence[Mapping[str, Any]]
    ) -> tuple[list[Stop], list[StatedStop]]:
        """Return the steps as they should be at the times that they state."""
        stops: list[Stop] = []
        stated: list[StatedStop] = []
        place, last = 0, len(self._measured.nodes) - 1
        driven = 0.0
        for step in steps:
            kind = step["type"]
            is_end = kind in (START, END)
            if kind != BREAK:
                place = {START: 0, END: last}.get(kind, place + 1)
            arrival = step.get("arrival")
            waiting = 0 if is_end else step.get("waiting_time")
            begin = None
            if arrival is not None and waiting is not None:
                begin = arrival + waiting
            if kind == BREAK:
                stop, number = self._break_in(step, arrival, begin)
                stop.load = stops[-1].load if stops else self._loads[place]
                stop.leg = self._part_of(place, stops, arrival, driven)
                driven += stop.leg
                length = stop.service
                leave = None if begin is None else begin + length
                name = f"break {stop.name}"
                stated.append(
                    StatedStop(name, -1, arrival, begin, leave, number)
                )
            else:
                stop = self._stop_at(place, kind, arrival, begin)
                stop.leg, driven = stop.leg - driven, 0.0
                name = f"its {kind}" if is_end else f"{kind} {step.get('id')}"
                stated.append(StatedStop(name, place, arrival, begin))
            stops.append(stop)
        return stops, stated

    def _part_of(
        self,
        place: int,
        stops: Sequence[Stop],
        arrival: float | None,
        driven: float,
    ) -> float:
        """Return what of the way from a place lies before a break."""
        if not stops or arrival is None or place == len(self._legs):
            return 0.0
        last = stops[-1]
        left = last.begin + last.setup + last.service
        leg, travel = self._legs[place], self._parts.travel[place]
        self.fastest = max(self.fastest, leg / travel if travel else 0.0)
        share = max(0.0, arrival - left) / travel if travel else 0.0
        return min(leg - driven, share * leg)

    def _stop_at(
        self,
        place: int,
        kind: str,
        arrival: float | None,
        begin: float | None,
    ) -> Stop:
        parts, arrived = self._parts, arrival or 0
        node: int | None = self._measured.nodes[place]
        is_inner = kind not in (START, END)
        has_leg = place > 0
        return Stop(
            kind if not is_inner else JOB,
            None if node == len(self._instance.demands) else node,
            arrived,
            arrived if begin is None else begin,
            self._loads[place - (kind == END)],
            setup=parts.setups[place] if is_inner else 0,
            service=0 if kind == END else parts.services[place],
            leg=self._legs[place - 1] if has_leg else 0,
        )

    def _break_in(
        self,
        step: Mapping[str, Any],
        arrival: float | None,
        begin: float | None,
    ) -> tuple[Stop, int]:
        """Return a break, and which one it is, -2 where it is none."""
        names = [numbered(one.name) for one in self._breaks]
        numbers = [
            (pair[0] if pair else at + 1) for at, pair in enumerate(names)
        ]
        number = -2
        if step.get("id") in numbers:
            number = numbers.index(step["id"])
        one = self._breaks[number] if number >= 0 else None
        arrived = arrival or 0
        stop = Stop(
            BREAK,
            None,
            arrived,
            arrived if begin is None else begin,
            (),
            service=one.duration if one else step.get("service", 0),
            name=(one.name if one else "") or str(step.get("id", "")),
        )
        return stop, number


def _of_timetable(
    raw: Table, instance: Instance, solution: Solution
) -> Iterator[Violation]:
    """Yield what a timetable states wrongly."""
    kinds = raw.columns.get(KIND, [""] * raw.num_rows)
    raw = raw.take([row for row, k in enumerate(kinds) if k != UNSERVED])
    if raw.num_rows == 0:
        return
    raw = without_given(raw, instance)
    table = named_stops(raw, instance, None)
    right = list_stops(instance, solution, breaks=False)
    rows_of: dict[Any, list[int]] = {}
    for row, number in enumerate(right[ROUTE]):
        rows_of.setdefault(number, []).append(row)
    aligned = _aligned(table, right, list(rows_of.values()))
    compared = [
        (field, title)
        for field, title in table.titles.items()
        if field in table.columns
        and field.split(" ")[0] in _AMOUNTS
        and title in right
    ]
    for row, other in aligned.items():
        for field, title in compared:
            said = table.columns[field][row]
            number, wanted = table.number(said), right[title][other]
            if wanted is None or is_blank(said):
                continue
            if not rounds_to(float(wanted), number):
                text = f"{table.where(row)}: {title} is {wanted}, and {said} "
                yield Violation(STATED, f"{text}is stated")
    if ARRIVAL in table.columns or SERVICE_START in table.columns:
        yield from _of_times(table, instance, solution, aligned, right)


def _aligned(
    table: Table,
    right: Mapping[str, Sequence[Any]],
    routes: Sequence[Sequence[int]],
) -> dict[int, int]:
    """Return the right row of each row that is no break, by its id."""
    rows_of: dict[str, list[int]] = {}
    labels, ids = table.texts(ROUTE), table.texts("id")
    kinds = table.texts(KIND) or [""] * table.num_rows
    order = [row for row, kind in enumerate(kinds) if kind != BREAK]
    if STOP in table.columns:
        stops = table.numbers(STOP, math.nan).tolist()
        order.sort(key=lambda row: stops[row])
    for row in order:
        rows_of.setdefault(labels[row], []).append(row)
    aligned = {}
    firsts = sorted(rows_of, key=lambda label: min(rows_of[label]))
    for label, others in zip(firsts, routes, strict=False):
        left = iter(others)
        for row in rows_of[label]:
            for other in left:
                if str(right["id"][other]) == ids[row]:
                    aligned[row] = other
                    break
    return aligned


def _of_times(
    table: Table,
    instance: Instance,
    solution: Solution,
    aligned: Mapping[int, int],
    right: Mapping[str, Sequence[Any]],
) -> Iterator[Violation]:
    """Yield what the times of a timetable state wrongly."""
    noise = _NUMBER
    if instance.source.time_form.is_clock:
        noise = _SECOND if instance.source.time_form.has_seconds else _MINUTE
    arrivals, begins, leaves = (
        times_in(table, name, instance)
        for name in (ARRIVAL, SERVICE_START, DEPARTURE)
    )
    waits = [math.nan] * table.num_rows
    if WAITING in table.columns:
        title = table.titles[WAITING]
        unit = STOP_COLUMNS[WAITING].unit_in(title) or 1.0
        waits = (unit * table.numbers(WAITING, math.nan)).tolist()
    kinds = table.texts(KIND) or [""] * table.num_rows
    labels = table.texts(ROUTE)
    stops: dict[str, list[StatedStop]] = {}
    numbers: dict[str, int] = {}
    firsts = _first_rows(right)
    rows = sorted(aligned) + [r for r, k in enumerate(kinds) if k == BREAK]
    for row in sorted(rows):
        arrival, begin, leave = arrivals[row], begins[row], leaves[row]
        name, wait = table.where(row), waits[row]
        if kinds[row] == BREAK:
            if (None not in (arrival, begin) and arrival != begin) or wait > 0:
                text = f"{name}: a break has no wait"
                yield Violation(STATED, text)
            begin = arrival if begin is None else begin
            stop = StatedStop(name, -1, None, begin, leave)
        else:
            number = numbers[labels[row]] = right[ROUTE][aligned[row]] - 1
            idx = solution.vehicle_types[number]
            is_open = instance.vehicle_types[idx].start_depot is None
            place = aligned[row] - firsts[number] + is_open
            if begin is None and arrival is not None and wait >= 0:
                begin = arrival + wait
            stop = StatedStop(name, place, arrival, begin, leave, wait=wait)
        listed = stops.setdefault(labels[row], [])
        is_there = kinds[row] == BREAK and bool(listed)
        is_there = is_there and is_before(leave, listed[-1].begin)
        listed.insert(len(listed) - is_there, stop)
    measured = measure_routes(instance, solution)
    for label, number in numbers.items():
        idx, nodes = solution.vehicle_types[number], solution.routes[number]
        vehicle = instance.vehicle_types[idx]
        if not _is_under_way(instance, idx, nodes):
            yield from check_times(
                *(instance, idx, measured[number], stops[label], noise),
                f"route {label}",
                lists_breaks=is_timetable(table)
                or (not vehicle.breaks and vehicle.hours is None),
            )


def _first_rows(right: Mapping[str, Sequence[Any]]) -> list[int]:
    """Return the first row of each route."""
    numbers = right[ROUTE]
    return [
        row
        for row, number in enumerate(numbers)
        if row == 0 or numbers[row - 1] != number
    ]
