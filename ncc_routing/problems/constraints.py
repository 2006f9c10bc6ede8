"""Constraints of plans, in one table: what each limits, and how it is said.

The check, the diagnosis, the reasons of unserved orders, ``explain`` and
VROOM's violations read it.
"""

from __future__ import annotations

from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ncc_routing.core.text import counted
from ncc_routing.core.units import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ncc_routing.problems.breaks import Break
    from ncc_routing.problems.source import Source
    from ncc_routing.problems.time_form import TimeForm

_KILOMETRE: Final = 1000.0

CUSTOMER, ROUTE, VEHICLE, SOLUTION = range(4)
"""Whose constraint it is: a customer's, of a route alone, of what a vehicle
has, or of all routes together."""

VIOLATION, REASON, FINDING, LIMIT = "violation", "reason", "finding", "limit"
LARGEST = "largest"
"""Words of a check, of unserved orders, of a diagnosis, of ``explain``, and
of the largest amount of a solution.

"topic" is what it is called where unserved orders are counted, if not by its
name. Variants have a name behind it: "finding_release".
"""

DURATION, LENGTH, STOPS = "duration", "length", "stops"
"""Units of a limit of routes."""


class Constraint(NamedTuple):
    """A constraint of plans.

    Parameters
    ----------
    name
        Its name as a reason, and as a limit of a route.
    of
        Whose it is.
    words
        Templates of what is said of it, for ``say``. A violation of a route
        follows "route 1".
    kind
        Kind of its violations. Default: ``name``.
    field, amount, unit
        Of a limit of routes: the field of ``VehicleType``, what is limited of
        ``Schedule.amounts``, and its unit. Default: it is none.
    follows_times
        Whether the amount depends on the times of a route. Default no.
    feature
        Name of such a limit among ``Instance.features``.
    vroom
        Its cause as a violation in VROOM's JSON. Default: it has none.
    objective, price
        Of a limit of routes: the objective that makes the largest such amount
        small, and the field of ``VehicleType`` by which a search does so.
        Default: there is none.
    cure
        What would make room for an unserved customer. Default: not known.
    relaxed
        Fields without the constraint: of the windows of customers, or of
        vehicle types. Default: no limit for ``field``.
    """

    name: str
    of: int
    words: Mapping[str, str]
    kind: str = ""
    field: str = ""
    amount: str = ""
    unit: str = ""
    follows_times: bool = False
    feature: str = ""
    vroom: str = ""
    objective: str = ""
    price: str = ""
    cure: str = ""
    relaxed: Mapping[str, Any] = MappingProxyType({})

    @property
    def violation(self) -> str:
        """Kind of its violations."""
        return self.kind or self.name


def topic_of(name: str) -> str:
    """Return what a constraint, or one of a dimension, is called."""
    known = CONSTRAINTS.get(name)
    return name if known is None else known.words.get("topic", name)


class _Named(Protocol):
    """An instance, which reads the table itself."""

    @property
    def source(self) -> Source: ...

    @property
    def has_metres(self) -> bool: ...

    def stated_load(self, load: int) -> float: ...

    def describe_node(self, node: int) -> str: ...

    def describe_type(self, idx: int) -> str: ...


def say(
    instance: _Named,
    name: str,
    what: str,
    variant: str = "",
    /,
    **values: Any,
) -> str:
    """Return words about a constraint, with their values.

    Their formats are "time", "duration", "length" and "load" (as the table
    states it); "far" of a length for
    people; "cell" of a time in a table; "counted vehicle" or the like of a
    number; "node", "nodes", "type" and "types" by number; "breaks", "list",
    and those of Python.
    """
    words = CONSTRAINTS[name].words[f"{what}_{variant}" if variant else what]
    return _Words(instance).vformat(words, (), values)


def broken(
    instance: _Named, name: str, variant: str = "", /, **values: Any
) -> tuple[str, str]:
    """Return the kind and the words of a violation."""
    text = say(instance, name, VIOLATION, variant, **values)
    return CONSTRAINTS[name].violation, text


class _Words(Formatter):
    def __init__(self, instance: _Named) -> None:
        self._instance = instance

    def format_field(self, value: Any, format_spec: str) -> str:
        spec, _, what = format_spec.partition(" ")
        if what:
            return counted(round(value), what)
        if special := _FORMATS.get(spec):
            return str(special(self._instance, value))
        return format(value, spec)


def _joined(instance: _Named, nodes: Sequence[int]) -> str:
    """Return customers in words: "customer 1, customer 2 and customer 3"."""
    *others, last = map(instance.describe_node, nodes)
    return f"{', '.join(others)} and {last}" if others else last


def _described(instance: _Named, breaks: Iterable[Break]) -> str:
    """Return breaks in words: "the break of 0:30 between 11:30 and 13:30"."""
    form = instance.source.time_form
    return " and ".join(_break_in(form, one) for one in breaks)


def _break_in(form: TimeForm, one: Break) -> str:
    if len(one.windows) == 1 and one.windows[0][0] == one.windows[0][1]:
        early, end = one.windows[0][0], one.windows[0][0] + one.duration
        return f"the break from {form.text(early)} to {form.text(end)}"
    text = f"the break of {form.text(one.duration, is_duration=True)}"
    spans = []
    for early, late in one.windows:
        if late < NO_LIMIT:
            spans.append(f"between {form.text(early)} and {form.text(late)}")
        elif early > 0:
            spans.append(f"after {form.text(early)}")
    return f"{text} {' or '.join(spans)}".strip()


_FORMATS: Final[Mapping[str, Callable[[_Named, Any], object]]] = {
    "time": lambda instance, time: instance.source.time_form.text(time),
    "cell": lambda instance, time: instance.source.time_form.cell(time),
    DURATION: lambda instance, time: instance.source.time_form.text(
        time, is_duration=True
    ),
    LENGTH: lambda _, length: f"{length:.10g}",
    "load": lambda instance, load: f"{instance.stated_load(load):.10g}",
    "far": lambda instance, length: (
        f"{length / _KILOMETRE:,.1f} km"
        if instance.has_metres
        else f"{length:,.10g}"
    ),
    "node": lambda instance, node: instance.describe_node(node),
    "nodes": _joined,
    "list": lambda _, values: ", ".join(map(str, values)),
    "type": lambda instance, idx: instance.describe_type(idx),
    "types": lambda instance, types: " or ".join(
        map(instance.describe_type, types)
    ),
    "breaks": _described,
}


def _row(name: str, of: int, **parts: Any) -> Constraint:
    """Return a row of its fields and words."""
    fields = {k: parts.pop(k) for k in Constraint._fields if k in parts}
    return Constraint(name, of, parts, **fields)


_TABLE: Final = (
    _row(
        *("over", SOLUTION),
        topic="vehicles that have finished",
        violation="route {route} goes on, but its vehicle has finished",
        reason="drives no further",
        reason_state="is {state}",
        reason_all="no vehicle drives any further",
        kind="in_progress",
    ),
    _row(
        *("skill", ROUTE),
        topic="skills",
        violation="serves {node:node}, who needs {skills:list}, by "
        "{vehicle:type}",
        reason="lacks {skills:list}",
        reason_lost="its goods are on board {carrier}, which is out of "
        "service",
        finding="no vehicle has all that {node:node} needs: {skills:list}",
        vroom="skills",
    ),
    _row(
        *("pin", ROUTE),
        topic="vehicles that may serve it",
        violation="serves {node:node} by {vehicle:type}, and only "
        "{allowed:types} may",
        reason="is not allowed to serve it",
        finding="no vehicle that may serve {node:node} can carry its demand",
        finding_skills="no vehicle that may serve {node:node} has what it "
        "needs: {skills:list}",
        vroom="skills",
    ),
    _row(
        *("arc", ROUTE),
        topic="forbidden arcs",
        violation="takes the forbidden arc from {tail:node} to {head:node}",
        reason="only forbidden arcs lead there",
        finding="forbidden arcs leave no path there from a depot, or none "
        "back",
        finding_started="takes the forbidden arc to {node:node}",
    ),
    _row(
        *("capacity", VEHICLE),
        violation="carries {value} of {limit}",
        reason="exceeds the {which} by {excess:.10g}",
        finding="its {what} of {value} exceeds the largest capacity{place}, "
        "{limit}",
        finding_otherwise="its demand of {demand} is above {room}, the "
        "largest capacity of the vehicles that could serve it otherwise; of "
        "the larger ones, {why}",
        finding_fleet="the demands{which} add up to {load}, more than the "
        "capacity of {capacity} of the {vehicles:counted vehicle} that can "
        "carry them",
        finding_types="the demands of the customers that only {types} may "
        "serve add up to {load}, more than the capacity of {capacity}: {who}",
        finding_crowd="the {vehicles:counted vehicle} that can carry a demand "
        "of {load} or more can carry only {places} of the "
        "{customers:counted customer} with such a demand",
        limit="load{which} {stated[0]} of {stated[1]}",
        vroom="load",
        cure="more capacity",
        relaxed={"capacity": NO_LIMIT},
    ),
    _row(
        *("window", CUSTOMER),
        topic="time window",
        violation="reaches {node:node} {delay:duration} too late",
        violation_impossible="cannot be driven at the times of its schedule",
        reason="reached at {value:time}, closes at {limit:time}",
        reason_several="{excess:duration} late for its window",
        reason_far="too far away: times end at 2**60",
        finding="it is reached at {earliest_arrival:time} at the earliest, "
        "after its window from {opens:time} to {closes:time}",
        finding_started="reaches {node:node} after its window closes",
        finding_shipment="it closes at {closes:time}, before its pickup "
        "{pickup:node} opens at {opens:time}",
        limit="window of {id} {value:cell} of {limit:cell}",
        vroom="delay",
        cure="wider time windows",
        relaxed={"tw_early": 0, "tw_late": NO_LIMIT},
    ),
    _row(
        *("start", CUSTOMER),
        topic="start with its goods",
        violation="reaches {place} {delay:duration} too late",
        reason="goods ready {excess:duration} after the latest start",
        reason_left="has left, and may not come back to load (column "
        "reload_depots)",
        reason_without="has left without its goods",
        reason_all_left="all vehicles have left, and none may come back to "
        "load (column reload_depots)",
        reason_rest_left="all vehicles that still drive have left, and none "
        "may come back to load (column reload_depots)",
        finding="its vehicle starts at {shift_start:time} at the earliest, "
        "after its depot closes at {depot_closes:time}",
        finding_release="its goods are released at {release:time}, after the "
        "latest start at {latest_start:time}",
        finding_started="has goods that are released after its latest start",
        kind="window",
        cure="earlier releases",
        relaxed={"release_times": 0},
    ),
    _row(
        *("return", ROUTE),
        violation="reaches {place} {delay:duration} too late",
        violation_service="reaches {place} {delay:duration} too late: the "
        "service at {node:node} takes {value:duration}, longer than the shift "
        "of {limit:duration}",
        reason="returns at {value:time}, limit {limit:time}",
        finding="a vehicle is back at {earliest_return:time} at the earliest, "
        "after its end at {latest_return:time}",
        finding_opening="its window opens at {opens:time}, and a vehicle is "
        "back at {earliest_return:time} at the earliest, after its end at "
        "{latest_return:time}",
        finding_service="its service takes {service:duration}, longer than "
        "the time from {shift_start:time} to the end at {latest_return:time}",
        limit="return {value:cell} of {limit:cell}",
        kind="window",
        vroom="delay",
        cure="longer shifts",
        relaxed={
            **{"tw_early": 0, "tw_late": NO_LIMIT},
            **{"start_late": NO_LIMIT, "shift_duration": NO_LIMIT},
        },
    ),
    _row(
        *("shift", ROUTE),
        violation="takes {value:duration} of {limit:duration}",
        reason="takes {value:duration}, limit {limit:duration}",
        limit="shift {value:duration} of {limit:duration}",
        field="max_duration",
        amount="duration",
        unit=DURATION,
        finding="its route alone takes {duration:duration}, with shifts of at "
        "most {max_duration:duration}",
        finding_fleet="services and shortest arcs of {who} take "
        "{least:duration} together, more than the {available:duration} of "
        "{vehicles:counted vehicle}",
        follows_times=True,
        feature="shift durations",
        largest="{value:duration}",
        objective="min-max-duration",
        price="unit_duration_cost",
    ),
    _row(
        *("break", ROUTE),
        topic="breaks",
        violation="has no time for {breaks:breaks}",
        reason="{breaks:breaks} cannot fit",
        finding="{breaks:breaks} cannot fit into its route alone",
        finding_fleet="{vehicle:type} can drive no route: {breaks:breaks} "
        "cannot fit into its shift from {opens:time}{end}",
        limit="break {number} {value:cell} of {limit:cell}",
        vroom="missing_break",
    ),
    _row(
        *("hours", ROUTE),
        topic="hours of service",
        violation="drives {value:duration} without a rest of {rest:duration}, "
        "at most {limit:duration}",
        violation_work="works {value:duration} without a rest of "
        "{rest:duration}, at most {limit:duration}",
        violation_in_all="rests {value:duration} in {work:duration} of work, "
        "at least {limit:duration}",
        reason="more than {hours.driving_block:duration} of driving without a "
        "rest",
        reason_work="more than {hours.driving_block:duration} of driving, or "
        "{hours.work_block:duration} of work, without a rest",
    ),
    _row(
        *("distance", ROUTE),
        violation="takes {value:length} of {limit:length}",
        reason="drives {value:length}, limit {limit:length}",
        limit="distance {value:length} of {limit:length}",
        field="max_distance",
        amount="distance",
        unit=LENGTH,
        finding="its route alone is {distance:.12g} long, with a maximum "
        "distance of {max_distance:.12g}",
        finding_fleet="the shortest arcs to {who} are {least:.12g} long "
        "together, more than the {available:.12g} that "
        "{vehicles:counted vehicle} may drive",
        feature="maximum distances",
        largest="{value:far}",
        objective="min-max-distance",
        price="unit_distance_cost",
        vroom="max_distance",
        cure="a longer maximum distance",
    ),
    _row(
        *("later-windows", CUSTOMER),
        topic="time windows of others",
        reason="makes others on the route {excess:duration} late",
        kind="window",
        vroom="delay",
    ),
    _row(
        *("apart", ROUTE),
        topic="orders that must be apart",
        violation="serves {nodes:nodes}, who must be on different routes",
        reason="must be apart from others on the route",
    ),
    _row(
        *("district", ROUTE),
        topic="districts",
        violation="visits {value} districts of {limit}",
        reason="too many districts on the route",
    ),
    _row(
        *("driving", ROUTE),
        violation="takes {value:duration} of {limit:duration}",
        reason="drives {value:duration}, limit {limit:duration}",
        limit="driving {value:duration} of {limit:duration}",
        field="max_driving_time",
        amount="driving",
        unit=DURATION,
        finding="its route alone drives {driving:duration}, with at most "
        "{max_driving_time:duration}",
        feature="maximum driving times",
        vroom="max_travel_time",
        cure="more driving time",
    ),
    _row(
        *("stops", ROUTE),
        violation="has {value:counted stop} of {limit}",
        reason="makes {value:counted stop}, limit {limit}",
        limit="stops {value:.0f} of {limit:.0f}",
        field="max_stops",
        amount="num_stops",
        unit=STOPS,
        finding_fleet="the {vehicles:counted vehicle} may make "
        "{stops:counted stop} for {who}",
        feature="maximum numbers of stops",
        largest="{value:counted stop}",
        objective="min-max-stops",
        price="unit_distance_cost",
        vroom="max_tasks",
        cure="more stops",
    ),
    _row(
        *("waiting", ROUTE),
        violation="waits {value:duration} of {limit:duration}",
        reason="waits {value:duration}, limit {limit:duration}",
        limit="waiting {value:duration} of {limit:duration}",
        field="max_waiting",
        amount="waiting",
        unit=DURATION,
        follows_times=True,
        feature="maximum waiting times",
        cure="more waiting",
    ),
    _row(
        *("wait", ROUTE),
        violation="waits once {value:duration} of {limit:duration}",
        reason="waits once {value:duration}, limit {limit:duration}",
        limit="wait {value:duration} of {limit:duration}",
        field="max_wait",
        amount="longest_wait",
        unit=DURATION,
        follows_times=True,
        feature="maximum waiting times",
        cure="longer waits",
    ),
    _row(
        *("least", ROUTE),
        topic="least stops or load",
        violation="has {value:counted stop}, fewer than {limit}",
        reason="too few stops, or too small a load",
        kind="stops",
        cure="no minimum stops and loads",
        relaxed={"min_stops": 0, "min_load": 0},
    ),
    _row(
        *("load", ROUTE),
        violation="has a load of {value}, less than {limit}",
    ),
    _row(
        *("order", ROUTE),
        topic="order on the route",
        violation="must visit {nodes:nodes} in this order",
        violation_direct="must visit {nodes:nodes} in this order, one after "
        "the other",
        violation_place="must have {node:node} as its {place} customer",
        reason="it has no place in the order of the route",
    ),
    _row(
        *("together", SOLUTION),
        topic="orders of its group",
        violation="{nodes:nodes} must be on one route, and are on routes "
        "{routes:list}",
        violation_all_or_none="{nodes:nodes} must all be served, or none",
        reason="others of its group are not on the route",
        reason_served="others of its group are not served",
        finding_two="{who} must share a route, and they are on two "
        "in-progress routes",
        finding_apart="{who} must share a route, and {rivals} must be on "
        "different routes",
        finding_served="{who} must share a route, and no vehicle may serve "
        "all of them",
        finding_carried="{who} must share a route, and no vehicle that may "
        "serve them can carry {amounts:list}",
        finding_districts="{who} must share a route, and they are in {value} "
        "districts, and a route may visit {limit}",
    ),
    _row(
        *("in_progress", SOLUTION),
        topic="goods on board another vehicle",
        violation="no route of {vehicle:type} begins with {nodes:nodes}",
        violation_goods="route {route} serves {nodes:nodes}, whose goods are "
        "on board {carrier}",
        violation_two="route {route} goes on with those of two vehicles",
        reason="its goods are on board {carrier}",
        finding="{value} routes of {vehicle:type} have begun, more than its "
        "{limit:counted vehicle}",
        finding_group="in-progress routes visit {names} of one group",
    ),
    _row(
        *("reload", VEHICLE),
        violation="must not reload at {node:node}",
        violation_often="reloads {value} times of {limit}",
        cure="more reloads",
        relaxed={"max_reloads": NO_LIMIT},
    ),
    _row(
        *("goods", VEHICLE),
        violation="delivers to {node:node} before it has loaded",
        reason="the vehicle starts without its goods, and cannot load them",
        cure="goods where vehicles start",
        relaxed={"starts_empty": False},
    ),
    _row(
        *("vehicles", VEHICLE),
        topic="vehicles all in use",
        violation="there are {value} routes for {vehicles}",
        reason="all are in use",
        cure="more vehicles",
        relaxed={"num_available": None},
    ),
    _row(
        *("shipment", ROUTE),
        violation="{pickup:node} and {delivery:node} must be on one route",
        violation_order="route {route} visits {delivery:node} before "
        "{pickup:node}",
        violation_trips="route {route} reloads between {pickup:node} and "
        "{delivery:node}",
        finding="visits {delivery:node} before {pickup:node}",
        vroom="precedence",
    ),
    _row(
        *("spread", SOLUTION),
        topic="balance of routes",
        reason="the routes would differ by too much",
        largest_distance="{least:far} to {most:far} of distance",
        largest_duration="{least:duration} to {most:duration}",
        largest_driving_time="{least:duration} to {most:duration} of driving",
        largest_stops="{least:.0f} to {most:counted stop}",
        largest_load="{least:load} to {most:load} of load",
        violation_distance="distances of routes differ by {value:length}, by "
        "at most {limit:length}",
        violation_duration="durations of routes differ by {value:duration}, "
        "by at most {limit:duration}",
        violation_driving_time="driving times of routes differ by "
        "{value:duration}, by at most {limit:duration}",
        violation_stops="numbers of stops of routes differ by {value}, by at "
        "most {limit}",
        violation_load="loads of routes differ by {value:load}, by at most "
        "{limit:load}",
    ),
    _row(
        *("group", SOLUTION),
        violation="no customer of group {group} is visited",
        violation_several="{names} of group {group} are visited, one may be",
    ),
    _row("missing", SOLUTION, violation="{node:node} is not visited"),
    _row(
        *("duplicate", SOLUTION),
        violation="{node:node} is visited {value} times",
    ),
    _row("empty", ROUTE, violation="route {route} is empty"),
)
"""Those first that are named where several explain as much."""

CONSTRAINTS: Final = MappingProxyType({each.name: each for each in _TABLE})
"""The table by names, in its order."""

ROUTE_LIMITS: Final = tuple(each for each in _TABLE if each.amount)
"""Those of an amount of a route, in the order in which a check names them."""

MIN_MAX: Final = MappingProxyType(
    {each.objective: each for each in ROUTE_LIMITS if each.objective}
)
"""Those whose largest amount is an objective, by its name."""

OF_SOLUTIONS: Final = frozenset(
    each.violation for each in _TABLE if each.of == SOLUTION
)
"""Kinds of violations that a route alone says nothing of."""
