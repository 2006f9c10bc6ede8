"""VROOM's JSON: jobs, shipments and vehicles as an instance, and its steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import numpy as np

from ncc_routing.core.exceptions import (
    InstanceError,
    TooLargeError,
    UnsupportedProblemError,
)
from ncc_routing.desk.osrm import read_roads
from ncc_routing.desk.travel import (
    checked_detour,
    metres_a_second,
)
from ncc_routing.io.builder import build_instance, in_words_of
from ncc_routing.io.vrplib import TypedRoutes
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.distances import (
    great_circle,
    place_numbers,
    require_degrees,
)
from ncc_routing.problems.fleet import MOST_BREAKS, Fleet, VehicleType
from ncc_routing.problems.given_columns import GivenCell, GivenColumn
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.read_problem import ReadProblem
from ncc_routing.problems.selection import MOST_PRIORITY
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_form import DATES, TimeForm
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.desk.table_options import TableOptions
    from ncc_routing.problems.instance import Instance

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

_TASK: Final = (
    *("id", DESCRIPTION, "location", LOCATION_INDEX, "time_windows"),
    *("setup", "service", "setup_per_type", "service_per_type"),
)
_COMMON: Final = ("amount", "skills", "priority")
_BREAK: Final = (*("id", DESCRIPTION, "service", "time_windows", "max_load"),)
_VEHICLE: Final = (
    *("id", "profile", DESCRIPTION, "start", "start_index", "end"),
    *("end_index", "capacity", "costs", "skills", "type", "time_window"),
    *("breaks", "speed_factor", "max_tasks", "max_travel_time"),
    *("max_distance", "steps"),
)
_STEPS: Final = (
    *("type", "id", "service_at", "service_after", "service_before"),
    *("arrival", "duration", "setup", "service", "waiting_time", "load"),
    *("violations", DESCRIPTION, "location", LOCATION_INDEX, "distance"),
    "job",
)
"""Keys of steps, which may be those of an answer."""


_MATRICES: Final = ("durations", "distances", "costs")
_ROOT: Final = (
    *("jobs", "shipments", "vehicles", "matrices", "matrix", "options"),
)

_HOUR: Final = 3600
_KILOMETRE: Final = 1000
_LARGEST: Final = 2**32 - 1
"""VROOM's numbers have 32 bits."""

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


@dataclass(frozen=True)
class _Item:
    """An object of the JSON, and its path in messages."""

    source: object
    path: str
    content: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        parent: _Item,
        path: str,
        value: object,
        known: Sequence[str] | None = None,
    ) -> _Item:
        """Return an object; refuse keys that are not ``known``, if any are."""
        if not isinstance(value, Mapping):
            raise InstanceError(parent.source, path, "must be an object")
        item = cls(parent.source, path, value)
        for key in value:
            if known is not None and key not in known:
                rule = f"is not known; known are {', '.join(known)}"
                raise UnsupportedProblemError(
                    parent.source, item.place(key), rule
                )
        return item

    def place(self, key: object) -> str:
        """Return the path of an entry."""
        return f"{self.path}.{key}" if self.path else str(key)

    def error(
        self, key: str, rule: str, value: object = None
    ) -> InstanceError:
        """Return the error about an entry, to be raised."""
        return InstanceError(self.source, self.place(key), rule, value)

    def whole(
        self, key: str, default: int | None = None, most: int = _LARGEST
    ) -> int:
        """Return a whole number, the default where there is none."""
        value = self.content.get(key, default)
        if type(value) is not int or not 0 <= value <= most:
            raise self.error(key, f"must be a whole number 0..{most}", value)
        return value

    def entries(self, key: str, size: int | None = None) -> Sequence[Any]:
        """Return a list, empty where there is none."""
        value = self.content.get(key, ())
        if not isinstance(value, list | tuple):
            raise self.error(key, "must be a list", value)
        if size is not None and len(value) != size:
            raise self.error(key, f"must hold {size} entries", len(value))
        return value

    def items(
        self, key: str, known: Sequence[str] | None = None
    ) -> list[_Item]:
        """Return a list of objects."""
        return [
            _Item.of(self, f"{self.place(key)}[{at}]", value, known)
            for at, value in enumerate(self.entries(key))
        ]

    def item(self, key: str, known: Sequence[str]) -> _Item:
        """Return an object, an empty one where there is none."""
        value = self.content.get(key, {})
        return _Item.of(self, self.place(key), value, known)

    def name(self) -> str:
        """Return id and description, which ``numbered`` takes apart."""
        number = self.whole("id", most=2**63)
        return f"{number} {self.text(DESCRIPTION)}".strip()

    def by_type(self, key: str, kind: str) -> int:
        """Return a duration for vehicles of a type, or that for all."""
        per_type = self.content.get(f"{key}_per_type", {})
        item = _Item.of(self, self.place(f"{key}_per_type"), per_type)
        for each in item.content:
            item.whole(each)
        return item.whole(kind, self.whole(key, 0))

    def text(self, key: str, default: str = "") -> str:
        """Return a text."""
        value = self.content.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, "must be a text", value)
        return value

    def wholes(self, key: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        each = self.entries(key)
        for value in each:
            if type(value) is not int or not 0 <= value <= _LARGEST:
                rule = f"must hold whole numbers 0..{_LARGEST}"
                raise self.error(key, rule, value)
        return tuple(each)

    def window(self, key: str, value: Any) -> tuple[int, int]:
        """Return a time window."""
        _Item(self.source, "", {self.place(key): value}).entries(
            self.place(key), 2
        )
        pair = _Item(self.source, self.path, {key: value}).wholes(key)
        if pair[0] > pair[1]:
            raise self.error(key, "must not close before it opens", value)
        return pair[0], pair[1]

    def windows(self) -> list[tuple[int, int]]:
        """Return the time windows of a task or a break, in order."""
        if "time_windows" not in self.content:
            return []
        given = self.entries("time_windows")
        if not given:
            raise self.error("time_windows", "must not be empty")
        return sorted(
            self.window(f"time_windows[{at}]", value)
            for at, value in enumerate(given)
        )

    def coordinates(self, key: str) -> tuple[float, float] | None:
        """Return longitude and latitude, ``None`` without any."""
        if key not in self.content:
            return None
        pair = self.entries(key, 2)
        if not all(type(value) in (int, float) for value in pair):
            raise self.error(key, "must be [longitude, latitude]", pair)
        return float(pair[0]), float(pair[1])

    def refuse(self, key: str, rule: str) -> NoReturn:
        """Refuse an entry that there is no model of."""
        raise UnsupportedProblemError(self.source, self.place(key), rule)


class _Place(NamedTuple):
    """Where something is: the row of the matrices, or coordinates."""

    row: int | None
    lon_lat: tuple[float, float] | None

    @property
    def key(self) -> object:
        return self.lon_lat if self.row is None else self.row


class _Node(NamedTuple):
    task: Task
    item: _Item
    place: _Place
    skills: tuple[str, ...]
    priority: int
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
    root = _Item.of(_Item(source, "", {}), "", content, _ROOT)
    reader = _Reader(root, options)
    instance = reader.instance(name)
    return ReadProblem(instance, True, reader.start(instance))


class _Roads(NamedTuple):
    """The arcs of a profile between all nodes."""

    durations: np.ndarray
    distances: np.ndarray | None = None
    costs: np.ndarray | None = None


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
    def of(cls, vehicle: _Item) -> _Driving:
        """Return how a vehicle drives."""
        factor = vehicle.content.get("speed_factor", 1)
        if type(factor) not in (int, float) or not 0 < factor <= 5:
            rule = "must be a number above 0 and up to 5"
            raise vehicle.error("speed_factor", rule, factor)
        slowness = round(100 / factor) / 100
        profile, costs = vehicle.text("profile", "car"), _Costs.of(vehicle)
        is_open = vehicle.content.keys().isdisjoint(("start", "start_index"))
        kind = vehicle.text("type")
        return cls(profile, slowness, *costs[1:], kind, is_open)


class _Costs(NamedTuple):
    """The costs of a vehicle, those of time for each hour."""

    fixed: int
    per_hour: int
    per_km: int
    per_task_hour: int

    @classmethod
    def of(cls, vehicle: _Item) -> _Costs:
        """Return the costs of a vehicle."""
        given = vehicle.item("costs", cls._fields)
        defaults = zip(cls._fields, (0, _HOUR, 0, 0), strict=True)
        return cls(*(given.whole(*each) for each in defaults))


class _Reader:
    """What is read of a problem on the way to its instance."""

    def __init__(self, root: _Item, options: TableOptions) -> None:
        self._root, self._options = root, options
        self._vehicles = root.items("vehicles", _VEHICLE)
        if not self._vehicles:
            raise root.error("vehicles", "there must be one")
        self._matrices = self._read_matrices()
        self._num_dimensions = self._read_dimensions()
        self._nodes = [*self._read_jobs(), *self._read_shipments()]
        if not self._nodes:
            raise root.error("jobs", "there must be a job or a shipment")
        self._depots: dict[object, _Place] = {}
        self._ends = [
            (self._depot(one, "start"), self._depot(one, "end"))
            for one in self._vehicles
        ]
        self._known_durations: dict[tuple[str, str], tuple[int, ...]] = {}
        self._driving = [_Driving.of(one) for one in self._vehicles]
        self._profiles = list(dict.fromkeys(map(self._arcs_of, self._driving)))
        self._require_few_arcs()

    def _read_matrices(self) -> dict[str, dict[str, np.ndarray]]:
        root = self._root
        if "matrices" not in root.content:
            if "matrix" not in root.content:
                return {}
            return {"car": {"durations": self._matrix(root, "matrix")}}
        matrices = {}
        given = root.content["matrices"]
        if not isinstance(given, Mapping):
            raise root.error("matrices", "must be an object")
        for profile, value in given.items():
            path = root.place(f"matrices.{profile}")
            item = _Item.of(root, path, value, _MATRICES)
            matrices[profile] = {
                key: self._matrix(item, key) for key in item.content
            }
            if "durations" not in matrices[profile]:
                raise item.error("durations", "must be there")
        sizes = {
            len(matrix) for of in matrices.values() for matrix in of.values()
        }
        if len(sizes) > 1:
            rule = "must be of one size"
            raise root.error("matrices", rule, sorted(sizes))
        return matrices

    def _matrix(self, item: _Item, key: str) -> np.ndarray:
        rows = item.entries(key)
        try:
            matrix = np.array(rows)
        except ValueError:
            matrix = np.zeros(0)
        size = len(rows)
        if matrix.shape != (size, size) or size == 0:
            rule = "must be a square matrix of numbers"
            raise item.error(key, rule)
        if (
            matrix.dtype.kind not in "iuf"
            or not (
                (matrix >= 0)
                & (matrix <= _LARGEST)
                & (matrix == np.rint(matrix))
            ).all()
            # numpy takes true for 1
            or any(
                isinstance(rows[a][b], bool)
                for a, b in np.argwhere(matrix <= 1).tolist()
            )
        ):
            for number, row in enumerate(rows):
                path = f"{key}[{number}]"
                _Item(item.source, item.path, {path: row}).wholes(path)
        return matrix.astype(float)

    def _read_dimensions(self) -> int:
        sizes = [len(one.entries("capacity")) for one in self._vehicles]
        for one, size in zip(self._vehicles, sizes, strict=True):
            if size != sizes[0]:
                rule = f"must hold {sizes[0]} numbers, as that of the first"
                raise one.error("capacity", rule, size)
        return sizes[0]

    def _read_jobs(self) -> Iterator[_Node]:
        known = (*_TASK, *_COMMON, DELIVERY, PICKUP)
        ids: set[Task] = set()
        for item in self._root.items("jobs", known):
            is_old = item.content.keys().isdisjoint((DELIVERY, PICKUP))
            if "amount" in item.content and not is_old:
                raise item.error("amount", "must be delivery or pickup")
            yield _Node(
                *self._task(item, JOB, ids),
                *self._choice(item),
                self._amount(item, "amount" if is_old else DELIVERY),
                self._amount(item, PICKUP),
            )

    def _read_shipments(self) -> Iterator[_Node]:
        known = (PICKUP, DELIVERY, *_COMMON)
        ids: set[Task] = set()
        nothing = (0,) * self._num_dimensions
        for item in self._root.items("shipments", known):
            amount = self._amount(item, "amount")
            for kind in (PICKUP, DELIVERY):
                if kind not in item.content:
                    raise item.error(kind, "must be there")
                yield _Node(
                    *self._task(item.item(kind, _TASK), kind, ids),
                    *self._choice(item),
                    nothing,
                    nothing,
                    amount,
                )

    def _task(
        self, item: _Item, kind: str, ids: set[Task]
    ) -> tuple[Task, _Item, _Place]:
        task = Task(kind, item.whole("id", most=2**63))
        if task in ids:
            raise item.error("id", f"must be that of one {kind}", task.id)
        ids.add(task)
        return task, item, self._place(item, "location", LOCATION_INDEX)

    def _amount(self, item: _Item, key: str) -> tuple[int, ...]:
        if key not in item.content:
            return (0,) * self._num_dimensions
        amount = item.wholes(key)
        if len(amount) != self._num_dimensions:
            rule = f"must hold {self._num_dimensions} numbers, as the "
            rule += "capacities of the vehicles"
            raise item.error(key, rule, len(amount))
        return amount

    def _choice(self, item: _Item) -> tuple[tuple[str, ...], int]:
        skills = tuple(map(str, item.wholes("skills")))
        return skills, item.whole("priority", 0, MOST_PRIORITY)

    def _place(self, item: _Item, key: str, index_key: str) -> _Place:
        lon_lat = item.coordinates(key)
        if not self._matrices:
            if lon_lat is None:
                rule = "must be there, as there are no matrices"
                raise item.error(key, rule)
            return _Place(None, lon_lat)
        size = len(next(iter(self._matrices.values()))["durations"])
        if index_key not in item.content:
            rule = "must be there, as there are matrices"
            raise item.error(index_key, rule)
        return _Place(item.whole(index_key, most=size - 1), lon_lat)

    def _depot(self, vehicle: _Item, end: str) -> int | None:
        """Return which depot a vehicle has at an end; ``None``: open."""
        keys = vehicle.content.keys()
        if keys.isdisjoint((end, f"{end}_index")):
            if keys.isdisjoint(("start", "start_index", "end", "end_index")):
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
            **self._values_of_nodes(),
            **self._arcs(places),
        }
        columns, values["coords"] = self._columns(places)
        with in_words_of(self._root.source):
            return build_instance(values | {"columns": columns})

    def _ids(self) -> list[str]:
        names = [f"depot {at + 1}" for at in range(len(self._depots))]
        names = ["depot"] if len(names) == 1 else names
        tasks = [str(node.task) for node in self._nodes]
        return [names[0], *tasks, *names[1:]]

    def _values_of_nodes(self) -> dict[str, Any]:
        more = len(self._depots) - 1
        size = len(self._nodes) + 1 + more
        dimensions = max(1, self._num_dimensions)

        def spread(values: Sequence[Any], at_depots: Any) -> list[Any]:
            return [at_depots, *values, *[at_depots] * more]

        loads = {}
        for key in (DELIVERY, PICKUP):
            loads[key] = np.zeros((size, dimensions), dtype=np.int64)
            for at, node in enumerate(self._nodes, start=1):
                amount = getattr(node, key)
                loads[key][at, : len(amount)] = amount
        windows = [
            node.item.windows() or [(0, NO_LIMIT)] for node in self._nodes
        ]
        shipments = [
            Shipment(at, at + 1, node.amount or (0,))
            for at, node in enumerate(self._nodes, start=1)
            if node.task.kind == PICKUP
        ]
        skills = [node.skills for node in self._nodes]
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
            0 if node.task.kind == DELIVERY else node.priority
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
        given = [
            window
            for one in (*self._vehicles, *(node.item for node in self._nodes))
            for window in (
                one.entries("time_windows") or [one.content.get("time_window")]
            )
            if window is not None
        ]
        latest = [window[-1] for window in given]
        if latest and max(latest) >= _FIRST_DATE:
            return TimeForm(DATES, midnight=_EPOCH)
        return TimeForm("s")

    @cached_property
    def _keeps_lengths(self) -> bool:
        """Whether prices stand in place of distances that are known."""
        return self._prices_arcs and all(
            "distances" in self._matrices.get(one.profile, ())
            for one in self._driving
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
            "distances" not in matrices or "costs" in matrices
            for name, matrices in self._matrices.items()
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
        ids: set[int] = set()
        each = zip(self._vehicles, self._ends, self._driving, strict=True)
        for item, ends, driving in each:
            number = item.whole("id", most=2**63)
            if number in ids:
                raise item.error("id", "must be that of one vehicle", number)
            ids.add(number)
            window = (0, NO_LIMIT)
            if "time_window" in item.content:
                window = item.window(
                    "time_window", item.content["time_window"]
                )
            if "max_distance" in item.content and self._prices_arcs:
                rule = "needs distances, and neither costs nor per_task_hour"
                item.refuse("max_distance", rule)
            capacities = item.wholes("capacity") or (NO_LIMIT,)
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
                fixed_cost=_Costs.of(item).fixed
                + driving.per_task_hour * work,
                start_depot=ends[0],
                end_depot=ends[1],
                tw_early=window[0],
                tw_late=window[1],
                profile=self._profiles.index(self._arcs_of(driving))
                + self._keeps_lengths,
                name=item.name(),
                skills=tuple(map(str, item.wholes("skills"))),
                max_stops=item.whole("max_tasks", NO_LIMIT, NO_LIMIT),
                max_driving_time=item.whole(
                    "max_travel_time", NO_LIMIT, NO_LIMIT
                ),
                max_distance=item.whole("max_distance", NO_LIMIT, NO_LIMIT),
                service_durations=self._own_durations("service", driving.kind),
                setup_durations=self._own_durations("setup", driving.kind),
                breaks=breaks,
                unit_distance_cost=far,
                unit_driving_cost=long,
                speed_factor=1 / driving.slowness if self._has_lines else 1,
            )

    def _durations(self, key: str, kind: str = "") -> tuple[int, ...]:
        """Return services or set-ups of all nodes by a type of vehicles."""
        if (key, kind) not in self._known_durations:
            self._known_durations[key, kind] = self._durations_of(key, kind)
        return self._known_durations[key, kind]

    def _durations_of(self, key: str, kind: str) -> tuple[int, ...]:
        each = [node.item.by_type(key, kind) for node in self._nodes]
        return (0, *each, *[0] * (len(self._depots) - 1))

    def _own_durations(self, key: str, kind: str) -> tuple[int, ...]:
        """Return those that vehicles of a type have; none: those of all."""
        of_kind = self._durations(key, kind)
        return () if of_kind == self._durations(key) else of_kind

    def _breaks(self, vehicle: _Item) -> tuple[Break, ...]:
        items = vehicle.items("breaks", _BREAK)
        if len(items) > MOST_BREAKS:
            rule = f"must be {MOST_BREAKS} at most"
            vehicle.refuse("breaks", rule)
        ids: set[int] = set()
        breaks = []
        for item in items:
            number = item.whole("id", most=2**63)
            if number in ids:
                raise item.error("id", "must be that of one break", number)
            ids.add(number)
            if item.whole("service", 0) == 0:
                item.refuse("service", "must be positive")
            load = None
            if "max_load" in item.content:
                load = self._amount(item, "max_load")
            breaks.append(
                Break(
                    item.whole("service"),
                    tuple(item.windows()) or ((0, NO_LIMIT),),
                    max_load=load,
                    name=item.name(),
                )
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
        self, roads: _Roads, driving: _Driving, is_elsewhere: np.ndarray
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

    def _given_roads(self, name: str, places: Sequence[_Place]) -> _Roads:
        """Return the matrices of a profile between the nodes."""
        if name not in self._matrices:
            rule = f"must have the profile {name}"
            raise self._root.error("matrices", rule)
        nodes = np.array([place.row for place in places], dtype=int)
        block = np.ix_(nodes, nodes)
        matrices = {
            key: matrix[block] for key, matrix in self._matrices[name].items()
        }
        return _Roads(**matrices)

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
    ) -> tuple[dict[str, Any], dict[str, _Roads]]:
        """Return roads of OSRM, or lines whose prices need a matrix."""
        options = self._options
        coords = self._coords_of(places)
        if options.osrm is not None:
            roads = {
                name: read_roads(options.osrm, coords, name) for name in names
            }
            return {"is_geographic": True}, {
                name: _Roads(each.durations, each.distances)
                for name, each in roads.items()
            }
        facts = self._lines_between(places, names)
        lengths = np.empty((len(coords), len(coords)))
        for row, place in enumerate(coords):  # in little memory
            lengths[row] = np.rint(
                facts["detour"] * great_circle(place, coords)
            )
        roads_of = _Roads(np.rint(lengths / facts["speed"]), lengths)
        return facts, {names[0]: roads_of}

    def _columns(
        self, places: Sequence[_Place]
    ) -> tuple[tuple[GivenColumn, ...], np.ndarray | None]:
        """Return what the answer gives back, and the coordinates of all."""
        more = [None] * (len(self._depots) - 1)
        texts = [node.item.text(DESCRIPTION) or None for node in self._nodes]
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

    def start(self, instance: Instance) -> Solution | None:
        """Return the routes of the steps, ``None`` without any."""
        root = self._root
        known = {name: node for node, name in enumerate(instance.node_ids)}
        for vehicle, one in zip(
            self._vehicles, instance.vehicle_types, strict=True
        ):
            for step in vehicle.items("steps", _STEPS):
                planned_of(step, known, one.breaks)
        stated = routes_of_steps(root.source, root.content, instance)
        if not stated.routes:
            return None
        twice = Counter(chain.from_iterable(stated.routes))
        for node, count in twice.items():
            if count > 1:
                rule = f"{instance.node_ids[node]} must appear once"
                raise root.error("vehicles.steps", rule)
        return Solution.from_routes(instance, *stated)


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
    known = {
        pair[0]: idx
        for idx, one in enumerate(instance.vehicle_types)
        if (pair := numbered(one.name))
    }
    root = _Item(source, "", content)
    routes, types = [], []
    for at, value in enumerate(root.entries(key)):
        item = _Item.of(root, f"{key}[{at}]", value)
        nodes = _nodes_of_steps(
            instance,
            item.items("steps", _STEPS if key == "vehicles" else None),
        )
        if not nodes:
            continue
        vehicle = item.whole(number, most=2**63)
        if vehicle not in known:
            rule = f"must be a vehicle of {instance.name}"
            raise item.error(number, rule, vehicle)
        routes.append(nodes)
        types.append(known[vehicle])
    return TypedRoutes(tuple(routes), tuple(types))


def _nodes_of_steps(
    instance: Instance, steps: Sequence[_Item]
) -> tuple[int, ...]:
    """Return the tasks of a route, without its ends and breaks."""
    known = {name: node for node, name in enumerate(instance.node_ids)}
    return tuple(
        known_node(step, known)
        for step in steps
        if step.text("type") not in (START, END, BREAK)
    )


def known_node(step: _Item, known: Mapping[str, int]) -> int:
    """Return the node of a step that is a task."""
    kind = step.text("type")
    if kind not in (JOB, PICKUP, DELIVERY):
        rule = "must be start, job, pickup, delivery, break or end"
        raise step.error("type", rule, kind)
    task = Task(kind, step.whole("id", most=2**63))
    if str(task) not in known:
        raise step.error("id", f"must be that of a {kind}", task.id)
    return known[str(task)]


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
    step: _Item, known: Mapping[str, int], breaks: Sequence[Break]
) -> PlannedStep:
    """Return a step as plan mode takes it."""
    kind = step.text("type")
    node, number = None, 0
    if kind == BREAK:
        ids = [numbered(one.name) for one in breaks]
        numbers = [pair and pair[0] for pair in ids]
        if step.whole("id", most=2**63) not in numbers:
            raise step.error("id", "must be that of a break of the vehicle")
        number = numbers.index(step.content["id"])
    elif kind not in (START, END):
        kind, node = JOB, known_node(step, known)
    earliest = step.whole("service_after", 0)
    latest = step.whole("service_before", NO_LIMIT, NO_LIMIT)
    if "service_at" in step.content:
        at = step.whole("service_at")
        earliest, latest = max(earliest, at), min(latest, at)
    return PlannedStep(kind, node, earliest, latest, number)


def read_planned(
    source: object, name: str, content: Any, options: TableOptions
) -> tuple[Instance, list[list[PlannedStep]]]:
    """Return the instance of VROOM's JSON, and the steps of each vehicle.

    These begin with the start and close with the end of the vehicle; a vehicle
    without others has none. Errors: as of ``read_vroom``.
    """
    root = _Item.of(_Item(source, "", {}), "", content, _ROOT)
    instance = _Reader(root, options).instance(name)
    known = {text: node for node, text in enumerate(instance.node_ids)}
    planned = []
    for vehicle, one in zip(
        root.items("vehicles", _VEHICLE), instance.vehicle_types, strict=True
    ):
        steps = [
            planned_of(step, known, one.breaks)
            for step in vehicle.items("steps", _STEPS)
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
            raise root.error("vehicles.steps", rule)
    return instance, planned
