"""VROOM's JSON: jobs, shipments and vehicles as an instance, and its steps."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    TooLargeError,
    UnsupportedProblemError,
)
from ncc_routing.desk.osrm import read_roads
from ncc_routing.desk.travel import (
    checked_detour,
    metres_a_second,
)
from ncc_routing.desk.vroom_format import (
    FIELD_OF_KEY,
    GivenRoute,
    Matrices,
    Problem,
    read_objects,
    without_unknown,
)
from ncc_routing.io.builder import in_words_of
from ncc_routing.io.vrplib import TypedRoutes
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.distances import (
    great_circle,
    place_numbers,
    require_degrees,
)
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.fleet import MOST_BREAKS, Fleet, VehicleType
from ncc_routing.problems.given_columns import GivenCell, GivenColumn
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.read_problem import ReadProblem
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.time_form import DATES, TimeForm
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ncc_routing.desk.table_options import TableOptions
    from ncc_routing.desk.vroom_format import Job, Named, Step, Stop, Vehicle
    from ncc_routing.desk.vroom_format import Shipment as GivenShipment
    from ncc_routing.problems.declared import Entry
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_MOST_ARCS: Final = 10**8
"""Of more, the matrices of all vehicles take more than 1.6 GB."""

DEFAULT_SPEED: Final = "40km/h"
DEFAULT_DETOUR: Final = 1.3
"""Of problems without matrices."""

JOB, PICKUP, DELIVERY = "job", "pickup", "delivery"
START, END, BREAK = "start", "end", "break"
"""Types of tasks, and of other steps."""

DESCRIPTION: Final = "description"
LOCATION_INDEX: Final = "location_index"
"""Columns of an instance that the answer gives back."""

PLACES: Final = ("lon", "lat")
"""The same for coordinates that not all have."""

_HOUR: Final = 3600
_KILOMETRE: Final = 1000
_FIRST_DATE: Final = 10**8
"""Seconds since 1970 that are no duration."""

_EPOCH: Final = "1970-01-01T00:00:00+00:00"

_FOREIGN: Final = (
    (
        {"plan", "fleet"},
        "the JSON of reinterpretcat's vrp (pragmatic) or of HERE",
    ),
    ({"distance_matrix", "num_vehicles"}, "a dictionary of OR-Tools"),
    ({"time_matrix", "num_vehicles"}, "a dictionary of OR-Tools"),
    ({"model"}, "the JSON of Google's route optimization"),
    ({"modelInput"}, "the JSON of Timefold"),
    ({"fleet_data", "task_data"}, "the JSON of cuOpt"),
    ({"services", "vehicle_types"}, "the JSON of GraphHopper"),
    ({"services", "vehicles"}, "the JSON of GraphHopper or Mapbox"),
    ({"visits", "fleet"}, "the JSON of Routific"),
)
"""Keys of other tools."""


class Task(NamedTuple):
    """What a node stands for: its type, and its id there."""

    kind: str
    id: int

    def __str__(self) -> str:
        """Return the id of the node."""
        return str(self.id) if self.kind == JOB else f"{self.kind} {self.id}"


def task_of(name: str) -> Task | None:
    """Return the task that the id of a node names, if it does."""
    match = re.fullmatch(rf"(?:({PICKUP}|{DELIVERY}) )?(\d+)", name, re.ASCII)
    return None if match is None else Task(match[1] or JOB, int(match[2]))


def numbered(name: str) -> tuple[int, str] | None:
    """Return id and description that a vehicle or a break has as its name."""
    number, _, description = name.partition(" ")
    if re.fullmatch(r"\d+", number, re.ASCII) is None:
        return None
    return int(number), description


def is_vroom(content: object) -> bool:
    """Whether JSON is a problem of VROOM, by its keys."""
    return isinstance(content, Mapping) and any(
        isinstance(content.get(key), list | tuple)
        and ("vehicles" in content or key == "shipments")
        for key in ("jobs", "shipments")
    )


def refuse_foreign(source: object, content: object) -> None:
    """Refuse the JSON of another tool as what it is."""
    if not isinstance(content, Mapping) or "customers" in content:
        return
    for keys, name in _FOREIGN:
        if keys <= content.keys():
            rule = f"is {name}, which is not read, as tables and VROOM's "
            rule += "JSON are"
            raise UnsupportedProblemError(source, "file", rule)


class _Place(NamedTuple):
    """Where something is: the row of the matrices, or coordinates."""

    row: int | None
    lon_lat: tuple[float, float] | None

    @property
    def key(self) -> object:
        return self.lon_lat if self.row is None else self.row


class _Node(NamedTuple):
    task: Task
    stop: Stop
    of: Job | GivenShipment
    place: _Place
    delivery: tuple[int, ...]
    pickup: tuple[int, ...]
    amount: tuple[int, ...] | None = None
    """That of a shipment."""


def read_vroom(
    source: object, name: str, content: Any, options: TableOptions
) -> ReadProblem:
    """Return the instance of VROOM's JSON.

    Parameters
    ----------
    source
        What it is from, for messages.
    name
        Name of the instance.
    content
        The JSON.
    options
        Speed, detour and OSRM where there are no matrices.

    Raises
    ------
    InstanceError
        If an entry is wrong; it names the path, as in ``jobs[2].service``.
    UnsupportedProblemError
        If an entry is not known.
    """
    instance, planned = read_planned(source, name, content, options)
    routes, types = [], []
    for idx, steps in enumerate(planned):
        if nodes := [one.node for one in steps if one.node is not None]:
            routes.append(nodes)
            types.append(idx)
    start = Solution.from_routes(instance, routes, types) if routes else None
    return ReadProblem(instance, True, start)


class _Driving(NamedTuple):
    """How a vehicle drives: its speed, and its prices.

    ``slowness`` multiplies durations, in hundredths as VROOM counts. ``kind``
    is the type of the vehicle, which services depend on; whether it starts
    nowhere.
    """

    profile: str
    slowness: float
    per_hour: int
    per_km: int
    per_task_hour: int
    kind: str
    is_open: bool

    @classmethod
    def of(cls, vehicle: Vehicle) -> _Driving:
        """Return how a vehicle drives."""
        slowness = round(100 / vehicle.speed_factor) / 100
        costs = vehicle.costs
        prices = (costs.per_hour, costs.per_km, costs.per_task_hour)
        is_open = vehicle.is_open("start")
        return cls(vehicle.profile, slowness, *prices, vehicle.type, is_open)


def _require_once(what: str, entries: Iterable[Named]) -> None:
    ids: set[int] = set()
    for one in entries:
        if one.id in ids:
            raise one.error("id", f"must be that of one {what}", one.id)
        ids.add(one.id)


class _Reader:
    """What is read of a problem on the way to its instance."""

    def __init__(
        self,
        root: Problem,
        options: TableOptions,
        unknown: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._root, self._options, self._unknown = root, options, unknown
        self._vehicles = root.vehicles
        if not self._vehicles:
            raise root.error("vehicles", "there must be one")
        _require_once("vehicle", self._vehicles)
        self._matrices = self._read_matrices()
        sizes = [len(one.capacity) for one in self._vehicles]
        self._num_dimensions = sizes[0]
        for one, size in zip(self._vehicles, sizes, strict=True):
            if size != sizes[0]:
                rule = f"must hold {sizes[0]} numbers, as that of the first"
                raise one.error("capacity", rule, size)
        self._nodes = list(self._read_nodes())
        if not self._nodes:
            raise root.error("jobs", "there must be a job or a shipment")
        self._depots: dict[object, _Place] = {}
        self._ends = [
            (self._depot(one, "start"), self._depot(one, "end"))
            for one in self._vehicles
        ]
        self._durations = cache(self._durations_of)
        self._driving = [_Driving.of(one) for one in self._vehicles]
        self._profiles = list(dict.fromkeys(map(self._arcs_of, self._driving)))
        self._require_few_arcs()

    def _read_matrices(self) -> Mapping[str, Matrices]:
        root, matrices = self._root, self._root.matrices or {}
        if root.matrices is None and root.matrix is not None:
            matrices = {"car": Matrices(durations=root.matrix)}
        given = [each.given for each in matrices.values()]
        sizes = {len(matrix) for each in given for matrix in each.values()}
        if len(sizes) > 1:
            rule = "must be of one size"
            raise root.error("matrices", rule, sorted(sizes))
        return matrices

    def _read_nodes(self) -> Iterator[_Node]:
        _require_once(JOB, self._root.jobs)
        for job in self._root.jobs:
            is_old = job.delivery is None and job.pickup is None
            if job.amount is not None and not is_old:
                raise job.error("amount", "must be delivery or pickup")
            delivery = self._amount(job, "amount" if is_old else DELIVERY)
            pickup = self._amount(job, PICKUP)
            yield self._node(JOB, job, job, delivery, pickup)
        nothing = (0,) * self._num_dimensions
        for shipment in self._root.shipments:
            amount = self._amount(shipment, "amount")
            for kind in (PICKUP, DELIVERY):
                stop = getattr(shipment, kind)
                yield self._node(
                    kind, stop, shipment, nothing, nothing, amount
                )
        for kind in (PICKUP, DELIVERY):
            each = (getattr(one, kind) for one in self._root.shipments)
            _require_once(kind, each)

    def _node(
        self,
        kind: str,
        stop: Stop,
        of: Job | GivenShipment,
        *loads: tuple[int, ...],
    ) -> _Node:
        place = self._place(stop, "location", LOCATION_INDEX)
        return _Node(Task(kind, stop.id), stop, of, place, *loads)

    def _amount(self, entry: Entry, key: str) -> tuple[int, ...]:
        amount: tuple[int, ...] | None = getattr(entry, key)
        if amount is None:
            return (0,) * self._num_dimensions
        if len(amount) != self._num_dimensions:
            rule = f"must hold {self._num_dimensions} numbers, as the "
            rule += "capacities of the vehicles"
            raise entry.error(key, rule, len(amount))
        return amount

    def _place(self, entry: Entry, key: str, index_key: str) -> _Place:
        lon_lat, row = getattr(entry, key), getattr(entry, index_key)
        if not self._matrices:
            if lon_lat is None:
                rule = "must be there, as there are no matrices"
                raise entry.error(key, rule)
            return _Place(None, lon_lat)
        if row is None:
            rule = "must be there, as there are matrices"
            raise entry.error(index_key, rule)
        size = len(next(iter(self._matrices.values())).durations)
        if row >= size:
            rule = f"must be a whole number 0..{size - 1}"
            raise entry.error(index_key, rule, row)
        return _Place(row, lon_lat)

    def _depot(self, vehicle: Vehicle, end: str) -> int | None:
        """Return which depot a vehicle has at an end; ``None``: open."""
        if vehicle.is_open(end):
            if vehicle.is_open("start") and vehicle.is_open("end"):
                raise vehicle.error(end, "must be there, or a start")
            return None
        place = self._place(vehicle, end, f"{end}_index")
        self._depots.setdefault(place.key, place)
        return list(self._depots).index(place.key)

    def instance(self, name: str) -> Instance:
        """Return the instance."""
        places = list(self._depots.values())
        places = [
            *places[:1],
            *(node.place for node in self._nodes),
            *places[1:],
        ]
        values = {
            "name": name,
            "num_depots": len(self._depots),
            "ids": self._ids(),
            "fleet": Fleet(tuple(self._types())),
            "unread": self._unread(),
            **self._values_of_nodes(),
            **self._arcs(places),
        }
        columns, values["coords"] = self._columns(places)
        with in_words_of(self._root.source):
            return Draft(values | {"columns": columns}).build()

    def _ids(self) -> list[str]:
        names = [f"depot {at + 1}" for at in range(len(self._depots))]
        names = ["depot"] if len(names) == 1 else names
        tasks = [str(node.task) for node in self._nodes]
        return [names[0], *tasks, *names[1:]]

    def _unread(self) -> dict[str, Mapping[str, Any]]:
        """Return keys that are not read, by what is called so."""
        if not self._unknown:
            return {}
        each: dict[str, Mapping[str, Any]] = {"": self._unknown.get("", {})}
        for node in self._nodes:
            paths = (node.of.path, node.stop.path)
            each[str(node.task)] = {
                key: value
                for path in paths
                for key, value in self._unknown.get(path, {}).items()
            }
        for one in self._vehicles:
            name, costs = f"vehicle {one.name}", f"{one.path}.costs"
            nested = self._unknown.get(costs, {})
            of_costs = {"costs": nested} if nested else {}
            each[name] = {**self._unknown.get(one.path, {}), **of_costs}
            for rest in one.breaks:
                keys = self._unknown.get(rest.path, {})
                each[f"{name}, break {rest.name}"] = keys
        return {name: keys for name, keys in each.items() if keys}

    def _values_of_nodes(self) -> dict[str, Any]:
        more = len(self._depots) - 1
        size = len(self._nodes) + 1 + more
        dimensions = max(1, self._num_dimensions)

        def spread(values: Sequence[Any], at_depots: Any) -> list[Any]:
            return [at_depots, *values, *[at_depots] * more]

        loads = {}
        for key in (DELIVERY, PICKUP):
            loads[key] = np.zeros((size, dimensions), dtype=np.int64)
            if self._num_dimensions:
                each = [getattr(node, key) for node in self._nodes]
                loads[key][1 : len(each) + 1] = each
        windows = [
            list(node.stop.time_windows or [(0, NO_LIMIT)])
            for node in self._nodes
        ]
        shipments = [
            Shipment(at, at + 1, node.amount or (0,))
            for at, node in enumerate(self._nodes, start=1)
            if node.task.kind == PICKUP
        ]
        skills = [tuple(map(str, node.of.skills)) for node in self._nodes]
        values: dict[str, Any] = {
            **loads,
            "tw_early": spread([each[0][0] for each in windows], 0),
            "tw_late": spread([each[-1][1] for each in windows], NO_LIMIT),
            "service_durations": self._durations("service"),
            "setup_durations": self._durations("setup"),
            "shipments": tuple(shipments),
            "time_form": self._time_form(),
        }
        priorities = [
            0 if node.task.kind == DELIVERY else node.of.priority
            for node in self._nodes
        ]
        if any(each[1:] for each in windows):
            values["windows"] = spread(windows, [])
        if any(priorities):
            values["priorities"] = spread(priorities, 0)
        if any(skills):
            values["skills"] = spread(skills, ())
        return values

    def _time_form(self) -> TimeForm:
        """Return the form of times: dates where they count from 1970."""
        given = [one.time_window for one in self._vehicles if one.time_window]
        for node in self._nodes:
            given += node.stop.time_windows
        latest = [window[1] for window in given]
        if latest and max(latest) >= _FIRST_DATE:
            return TimeForm(DATES, midnight=_EPOCH)
        return TimeForm("s")

    @cached_property
    def _keeps_lengths(self) -> bool:
        """Whether prices stand in place of distances that are known."""
        known = (self._matrices.get(one.profile) for one in self._driving)
        return self._prices_arcs and all(
            roads is not None and roads.distances is not None
            for roads in known
            if self._matrices
        )

    def _require_few_arcs(self) -> None:
        """Refuse matrices that cannot be held, before any is made."""
        size = len(self._nodes) + len(self._depots)
        slow = {one.slowness for one in self._driving} - {1}
        count = len(slow) if self._has_lines else len(self._profiles)
        if count * size**2 > _MOST_ARCS:
            place = self._root.place("vehicles" if count > 1 else "location")
            rule = (
                f"must need at most {_MOST_ARCS:,} arcs in matrices: they "
                f"need {count:,} x {size:,} x {size:,}"
            )
            if self._prices_arcs and not self._matrices:
                rule += ", as per_task_hour has no place without"
            raise TooLargeError(self._root.source, place, rule)

    @cached_property
    def _prices_arcs(self) -> bool:
        """Whether the matrices hold what arcs cost, in place of distances."""
        used = {one.profile for one in self._driving}
        return any(one.per_task_hour for one in self._driving) or any(
            roads.distances is None or roads.costs is not None
            for name, roads in self._matrices.items()
            if name in used
        )

    @cached_property
    def _has_lines(self) -> bool:
        """Whether arcs are straight lines, which need no matrix."""
        given = self._matrices or self._options.osrm is not None
        return not given and not self._prices_arcs

    def _arcs_of(self, driving: _Driving) -> _Driving:
        """Return what the arcs of a vehicle depend on."""
        if not self._prices_arcs:
            driving = driving._replace(per_hour=0, per_km=0)
        if self._has_lines:
            driving = driving._replace(slowness=1)
        if driving.per_task_hour:
            return driving
        return driving._replace(kind="", is_open=False)

    def _types(self) -> Iterator[VehicleType]:
        each = zip(self._vehicles, self._ends, self._driving, strict=True)
        for item, ends, driving in each:
            window = item.time_window or (0, NO_LIMIT)
            plain = {
                field.name: getattr(item, key)
                for key, field in FIELD_OF_KEY.items()
            }
            if plain["max_distance"] < NO_LIMIT and self._prices_arcs:
                rule = "needs distances, and neither costs nor per_task_hour"
                item.refuse("max_distance", rule)
            capacities = item.capacity or (NO_LIMIT,)
            breaks = self._breaks(item)
            work = sum(one.duration for one in breaks) / _HOUR
            far, long = 1.0, 0.0
            if not self._prices_arcs:
                far = driving.per_km / _KILOMETRE
                long = driving.per_hour / _HOUR
            yield VehicleType(
                capacity=capacities[0],
                other_capacities=capacities[1:],
                num_available=1,
                fixed_cost=item.costs.fixed + driving.per_task_hour * work,
                start_depot=ends[0],
                end_depot=ends[1],
                tw_early=window[0],
                tw_late=window[1],
                profile=self._profiles.index(self._arcs_of(driving))
                + self._keeps_lengths,
                name=item.name,
                skills=tuple(map(str, item.skills)),
                **plain,
                service_durations=self._own_durations("service", driving.kind),
                setup_durations=self._own_durations("setup", driving.kind),
                breaks=breaks,
                unit_distance_cost=far,
                unit_driving_cost=long,
                speed_factor=1 / driving.slowness if self._has_lines else 1,
            )

    def _durations_of(self, key: str, kind: str = "") -> tuple[int, ...]:
        """Return services or set-ups of all nodes by a type of vehicles."""
        each = [node.stop.duration(key, kind) for node in self._nodes]
        return (0, *each, *[0] * (len(self._depots) - 1))

    def _own_durations(self, key: str, kind: str) -> tuple[int, ...]:
        """Return those that vehicles of a type have; none: those of all."""
        of_kind = self._durations(key, kind)
        return () if of_kind == self._durations(key) else of_kind

    def _breaks(self, vehicle: Vehicle) -> tuple[Break, ...]:
        if len(vehicle.breaks) > MOST_BREAKS:
            rule = f"must be {MOST_BREAKS} at most"
            vehicle.refuse("breaks", rule)
        _require_once("break", vehicle.breaks)
        breaks = []
        for one in vehicle.breaks:
            load = None
            if one.max_load is not None:
                load = self._amount(one, "max_load")
            windows = one.time_windows or ((0, NO_LIMIT),)
            breaks.append(
                Break(one.service, windows, max_load=load, name=one.name)
            )
        return tuple(breaks)

    def _arcs(self, places: Sequence[_Place]) -> dict[str, Any]:
        """Return what arcs cost and how long they take, for all profiles."""
        names = dict.fromkeys(one.profile for one in self._profiles)
        if self._has_lines:
            return self._lines_between(places, list(names))
        if self._matrices:
            numbers = np.array([place.row for place in places], dtype=int)
            facts: dict[str, Any] = {"rounding": "none", "places": numbers}
            roads = {name: self._given_roads(name, places) for name in names}
        else:
            facts, roads = self._roads_between(places, list(names))
            coords = np.array([place.lon_lat for place in places], dtype=float)
            numbers = place_numbers(coords)
        is_elsewhere = numbers[:, None] != numbers
        first, *others = priced = [
            self._priced(roads[one.profile], one, is_elsewhere)
            for one in self._profiles
        ]
        if self._keeps_lengths:
            others = priced
        return {
            **facts,
            "is_metric": not self._prices_arcs,
            "matrix": first.matrix,
            "durations": first.durations,
            "profiles": tuple(others),
        }

    def _priced(
        self, roads: Matrices, driving: _Driving, is_elsewhere: np.ndarray
    ) -> Profile:
        """Return distances, or what arcs cost with the work at their heads."""
        durations = driving.slowness * roads.durations
        if not self._prices_arcs and roads.distances is not None:
            return Profile(roads.distances, durations)
        price = driving.per_hour / _HOUR * durations
        if roads.costs is not None:
            if driving.per_hour != _HOUR:
                rule = "costs and another per_hour exclude each other"
                raise self._root.error("matrices", rule, driving.per_hour)
            price = roads.costs
        if driving.per_km:
            if roads.distances is None:
                rule = "must have distances, as vehicles have per_km"
                raise self._root.error("matrices", rule)
            price = price + driving.per_km / _KILOMETRE * roads.distances
        if driving.per_task_hour:
            service, setup = (
                np.array(self._durations(key, driving.kind))
                for key in ("service", "setup")
            )
            work = service + setup * is_elsewhere
            if driving.is_open:  # no arc leads to the first task
                work = (service + setup)[:, None] - setup * ~is_elsewhere
                np.fill_diagonal(work, 0)
                if work.min() < 0:
                    rule = "must not be less than the set-up time of another "
                    rule += "task at the place, as a vehicle with "
                    rule += "per_task_hour has no start"
                    self._root.refuse("jobs.service", rule)
            price = price + driving.per_task_hour / _HOUR * work
        lengths = roads.distances if self._keeps_lengths else None
        return Profile(price, durations, lengths=lengths)

    def _given_roads(self, name: str, places: Sequence[_Place]) -> Matrices:
        """Return the matrices of a profile between the nodes."""
        if name not in self._matrices:
            rule = f"must have the profile {name}"
            raise self._root.error("matrices", rule)
        nodes = np.array([place.row for place in places], dtype=int)
        block = np.ix_(nodes, nodes)
        given = self._matrices[name].given.items()
        return Matrices(**{key: matrix[block] for key, matrix in given})

    def _coords_of(self, places: Sequence[_Place]) -> np.ndarray:
        coords = np.array([place.lon_lat for place in places], dtype=float)
        with in_words_of(self._root.source, {"coords": "location"}):
            require_degrees(str(self._root.source), coords)
        return coords

    def _lines_between(
        self, places: Sequence[_Place], names: Sequence[str]
    ) -> dict[str, Any]:
        """Return straight lines times the detour at one speed."""
        self._coords_of(places)
        if len(names) > 1:
            rule = "must be one where there are neither matrices nor OSRM"
            raise self._root.error("vehicles.profile", rule, names)
        options = self._options
        return {
            "is_geographic": True,
            "rounding": "nearest",
            "detour": checked_detour(options.detour or DEFAULT_DETOUR),
            "speed": metres_a_second(options.speed or DEFAULT_SPEED),
        }

    def _roads_between(
        self, places: Sequence[_Place], names: Sequence[str]
    ) -> tuple[dict[str, Any], dict[str, Matrices]]:
        """Return roads of OSRM, or lines whose prices need a matrix."""
        options = self._options
        coords = self._coords_of(places)
        if options.osrm is not None:
            roads = {
                name: read_roads(options.osrm, coords, name) for name in names
            }
            return {"is_geographic": True}, {
                name: Matrices(**each._asdict())
                for name, each in roads.items()
            }
        facts = self._lines_between(places, names)
        lengths = np.empty((len(coords), len(coords)))
        for row, place in enumerate(coords):  # in little memory
            lengths[row] = np.rint(
                facts["detour"] * great_circle(place, coords)
            )
        roads_of = Matrices(
            durations=np.rint(lengths / facts["speed"]), distances=lengths
        )
        return facts, {names[0]: roads_of}

    def _columns(
        self, places: Sequence[_Place]
    ) -> tuple[tuple[GivenColumn, ...], np.ndarray | None]:
        """Return what the answer gives back, and the coordinates of all."""
        more = [None] * (len(self._depots) - 1)
        texts = [node.stop.description or None for node in self._nodes]
        columns: dict[str, list[GivenCell]] = {
            DESCRIPTION: [None, *texts, *more],
            LOCATION_INDEX: [place.row for place in places],
        }
        known = [place.lon_lat for place in places]
        coords = None
        if None not in known:
            coords = np.array(known)
        else:
            for axis, title in enumerate(PLACES):
                columns[title] = [pair and pair[axis] for pair in known]
        return tuple(
            GivenColumn(title, tuple(cells))
            for title, cells in columns.items()
            if any(cell is not None for cell in cells)
        ), coords

    def planned(self, instance: Instance) -> list[list[PlannedStep]]:
        """Return the steps of each vehicle from its start to its end.

        There are none where it has no others.
        """
        known = {name: node for node, name in enumerate(instance.node_ids)}
        planned = []
        for vehicle, one in zip(
            self._vehicles, instance.vehicle_types, strict=True
        ):
            steps = [
                planned_of(step, known, one.breaks) for step in vehicle.steps
            ]
            ends = {one.kind: one for one in steps if one.kind in (START, END)}
            inner = [one for one in steps if one.kind not in (START, END)]
            if inner:
                first, last = (
                    ends.get(kind, PlannedStep(kind)) for kind in (START, END)
                )
                inner = [first, *inner, last]
            planned.append(inner)
        counts = Counter(one.node for steps in planned for one in steps)
        for node, count in counts.items():
            if node is not None and count > 1:
                rule = f"{instance.node_ids[node]} must appear once"
                raise self._root.error("vehicles.steps", rule)
        return planned


def _tell_unknown(
    source: object, unknown: Mapping[str, Iterable[str]]
) -> None:
    """Tell which keys are not read, once for all rows."""
    places = (
        re.sub(r"\[\d+\]", "[]", f"{path}.{key}".lstrip("."))
        for path, keys in unknown.items()
        for key in keys
    )
    if names := ", ".join(dict.fromkeys(places)):
        logger.warning("%s: keys that are not read: %s.", source, names)


def is_answer(content: object) -> bool:
    """Whether JSON has routes in steps, as VROOM's answers have."""
    return is_vroom(content) or (
        isinstance(content, Mapping) and {"code", "routes"} <= content.keys()
    )


def routes_of_steps(
    source: object, content: Any, instance: Instance
) -> TypedRoutes:
    """Return the routes in the steps of an answer, or of a problem.

    Errors: as of ``read_vroom``.
    """
    key, number = ("routes", "vehicle")
    if "routes" not in content:
        key, number = "vehicles", "id"
    types_of = {
        pair[0]: idx
        for idx, one in enumerate(instance.vehicle_types)
        if (pair := numbered(one.name))
    }
    known = {name: node for node, name in enumerate(instance.node_ids)}
    routes, types = [], []
    for item in read_objects(source, key, content.get(key, ()), GivenRoute):
        nodes = tuple(
            known_node(step, known)
            for step in item.steps
            if step.type not in (START, END, BREAK)
        )
        if not nodes:
            continue
        vehicle = getattr(item, number)
        if vehicle not in types_of:
            rule = f"must be a vehicle of {instance.name}"
            raise item.error(number, rule, vehicle)
        routes.append(nodes)
        types.append(types_of[vehicle])
    return TypedRoutes(tuple(routes), tuple(types))


def known_node(step: Step, known: Mapping[str, int]) -> int:
    """Return the node of a step that is a task."""
    kind = step.type
    if kind not in (JOB, PICKUP, DELIVERY):
        rule = "must be start, job, pickup, delivery, break or end"
        raise step.error("type", rule, kind)
    name = "" if step.id is None else str(Task(kind, step.id))
    if name not in known:
        raise step.error("id", f"must be that of a {kind}", step.id)
    return known[name]


class PlannedStep(NamedTuple):
    """A step of a route in plan mode, and bounds on when its service is.

    ``node`` is ``None`` at the ends of a route and at breaks, of which
    ``number`` says which.
    """

    kind: str
    node: int | None = None
    earliest: int = 0
    latest: int = NO_LIMIT
    number: int = 0


def planned_of(
    step: Step, known: Mapping[str, int], breaks: Sequence[Break]
) -> PlannedStep:
    """Return a step as plan mode takes it."""
    kind = step.type
    node, number = None, 0
    if kind == BREAK:
        ids = [numbered(one.name) for one in breaks]
        numbers = [pair and pair[0] for pair in ids]
        if step.id is None or step.id not in numbers:
            raise step.error("id", "must be that of a break of the vehicle")
        number = numbers.index(step.id)
    elif kind not in (START, END):
        kind, node = JOB, known_node(step, known)
    earliest, latest = step.service_after, step.service_before
    if step.service_at is not None:
        earliest = max(earliest, step.service_at)
        latest = min(latest, step.service_at)
    return PlannedStep(kind, node, earliest, latest, number)


def read_planned(
    source: object, name: str, content: Any, options: TableOptions
) -> tuple[Instance, list[list[PlannedStep]]]:
    """Return the instance of VROOM's JSON, and the steps of each vehicle.

    These begin with the start and close with the end of the vehicle; a vehicle
    without others has none. Errors: as of ``read_vroom``.
    """
    unknown: dict[str, dict[str, Any]] = {}
    if options.lenient:
        content = without_unknown(Problem, content, "", unknown)
        _tell_unknown(source, unknown)
    reader = _Reader(Problem.read(source, "", content), options, unknown)
    instance = reader.instance(name)
    return instance, reader.planned(instance)
