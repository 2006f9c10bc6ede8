"""The objects of VROOM's JSON: a class for each, and a row for each key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, make_dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import Entry, declared, in_files
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.selection import MOST_PRIORITY
from ncc_routing.problems.values import NO_LIMIT

_LARGEST: Final = 2**32 - 1
"""VROOM's numbers have 32 bits."""

_MOST_ID: Final = 2**63

Window = tuple[int, int]
LonLat = tuple[float, float]


def _read_whole(
    source: object,
    path: str,
    value: object,
    least: int = 0,
    most: int = _LARGEST,
) -> int:
    if type(value) is not int or not least <= value <= most:
        rule = f"must be a whole number {least}..{most}"
        raise InstanceError(source, path, rule, value)
    return value


def _read_flag(source: object, path: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InstanceError(source, path, "must be true or false", value)
    return value


def _read_text(source: object, path: str, value: object) -> str:
    if not isinstance(value, str):
        raise InstanceError(source, path, "must be a text", value)
    return value


def _read_list(
    source: object, path: str, value: Any, size: int | None = None
) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise InstanceError(source, path, "must be a list", value)
    if size is not None and len(value) != size:
        rule = f"must hold {size} entries"
        raise InstanceError(source, path, rule, len(value))
    return tuple(value)


def _read_wholes(
    source: object, path: str, value: Any, size: int | None = None
) -> tuple[int, ...]:
    each = _read_list(source, path, value, size)
    for number in each:
        if type(number) is not int or not 0 <= number <= _LARGEST:
            rule = f"must hold whole numbers 0..{_LARGEST}"
            raise InstanceError(source, path, rule, number)
    return each


def _read_window(source: object, path: str, value: Any) -> tuple[int, int]:
    first, last = _read_wholes(source, path, value, 2)
    if first > last:
        rule = "must not close before it opens"
        raise InstanceError(source, path, rule, value)
    return first, last


def _read_windows(
    source: object, path: str, value: Any
) -> tuple[tuple[int, int], ...]:
    given = _read_list(source, path, value)
    if not given:
        raise InstanceError(source, path, "must not be empty")
    each = enumerate(given)
    return tuple(
        sorted(_read_window(source, f"{path}[{at}]", one) for at, one in each)
    )


def _read_place(source: object, path: str, value: Any) -> tuple[float, float]:
    pair = _read_list(source, path, value, 2)
    if not all(type(each) in (int, float) for each in pair):
        rule = "must be [longitude, latitude]"
        raise InstanceError(source, path, rule, value)
    return float(pair[0]), float(pair[1])


def _read_factor(source: object, path: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 < value <= 5:
        rule = "must be a number above 0 and up to 5"
        raise InstanceError(source, path, rule, value)
    return float(value)


def _read_matrix(source: object, path: str, value: Any) -> np.ndarray:
    rows = _read_list(source, path, value)
    try:
        matrix = np.array(rows)
    except ValueError:
        matrix = np.zeros(0)
    size = len(rows)
    if matrix.shape != (size, size) or size == 0:
        rule = "must be a square matrix of numbers"
        raise InstanceError(source, path, rule)
    if (
        matrix.dtype.kind not in "iuf"
        or not (
            (matrix >= 0) & (matrix <= _LARGEST) & (matrix == np.rint(matrix))
        ).all()
        # numpy takes true for 1
        or any(
            isinstance(rows[a][b], bool)
            for a, b in np.argwhere(matrix <= 1).tolist()
        )
    ):
        for number, row in enumerate(rows):
            _read_wholes(source, f"{path}[{number}]", row)
    return matrix.astype(float)


def _read_named(
    source: object, path: str, value: Any, each: Any
) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InstanceError(source, path, "must be an object")
    return {
        name: each(source, f"{path}.{name}", one)
        for name, one in value.items()
    }


def read_objects(
    source: object, path: str, value: Any, of: type[Entry]
) -> tuple[Any, ...]:
    """Return a list of objects."""
    each = enumerate(_read_list(source, path, value))
    return tuple(of.read(source, f"{path}[{at}]", one) for at, one in each)


def without_unknown(
    kind: Any, content: Any, path: str, unknown: dict[str, dict[str, Any]]
) -> Any:
    """Return an object, and those in it, without keys that are not known.

    ``unknown`` gets these, by the path of their object.
    """
    if isinstance(content, list | tuple):
        each = enumerate(content)
        return [
            without_unknown(kind, one, f"{path}[{at}]", unknown)
            for at, one in each
        ]
    if not isinstance(content, Mapping):
        return content
    if kind is Matrices and path == "matrices":
        return {
            name: without_unknown(kind, one, f"{path}.{name}", unknown)
            for name, one in content.items()
        }
    known = {}
    for key, value in content.items():
        if not kind.knows(key):
            unknown.setdefault(path, {})[key] = value
        elif (of := kind.kind_of_key(key)) is None:
            known[key] = value
        else:
            place = f"{path}.{key}" if path else key
            known[key] = without_unknown(of, value, place, unknown)
    return known


_wholes: Final = partial(declared, _read_wholes)
_windows: Final = partial(declared, _read_windows, ())
_by_type: Final = partial(declared, _read_named, None, each=_read_whole)


def _whole(default: Any = MISSING, most: int = _LARGEST) -> Any:
    return declared(_read_whole, default, least=0, most=most)


def _text(default: str = "") -> Any:
    return declared(_read_text, default)


def _objects(of: type[Entry]) -> Any:
    return declared(read_objects, (), kind=of, of=of)


@dataclass(frozen=True, kw_only=True)
class Costs(Entry):
    """Costs of a vehicle, those of time for each hour."""

    fixed: int = _whole(0)
    per_hour: int = _whole(3600)
    per_km: int = _whole(0)
    per_task_hour: int = _whole(0)


@dataclass(frozen=True, kw_only=True)
class Named(Entry):
    """What has an id, and a description for people."""

    id: int = _whole(most=_MOST_ID)
    description: str = _text()

    @property
    def name(self) -> str:
        """Id and description, which ``numbered`` takes apart."""
        return f"{self.id} {self.description}".strip()


@dataclass(frozen=True, kw_only=True)
class Break(Named):
    """A break of a vehicle."""

    service: int = _whole(0)
    time_windows: tuple[Window, ...] = _windows()
    max_load: tuple[int, ...] | None = _wholes(None)


@dataclass(frozen=True, kw_only=True)
class Stop(Named):
    """A job, or one end of a shipment; a place is an index of matrices."""

    location: LonLat | None = declared(_read_place, None)
    location_index: int | None = _whole(None)
    time_windows: tuple[Window, ...] = _windows()
    setup: int = _whole(0)
    service: int = _whole(0)
    setup_per_type: Mapping[str, int] | None = _by_type()
    service_per_type: Mapping[str, int] | None = _by_type()

    def duration(self, key: str, kind: str) -> int:
        """Return service or set-up by vehicles of a type."""
        per_type = getattr(self, f"{key}_per_type") or {}
        duration: int = per_type.get(kind, getattr(self, key))
        return duration


@dataclass(frozen=True, kw_only=True)
class Job(Stop):
    """A task that is one stop."""

    amount: tuple[int, ...] | None = _wholes(None)
    skills: tuple[int, ...] = _wholes(())
    priority: int = _whole(0, most=MOST_PRIORITY)
    delivery: tuple[int, ...] | None = _wholes(None)
    pickup: tuple[int, ...] | None = _wholes(None)


@dataclass(frozen=True, kw_only=True)
class Shipment(Entry):
    """A task from one stop to another."""

    pickup: Stop = declared(Stop.read, kind=Stop)
    delivery: Stop = declared(Stop.read, kind=Stop)
    amount: tuple[int, ...] | None = _wholes(None)
    skills: tuple[int, ...] = _wholes(())
    priority: int = _whole(0, most=MOST_PRIORITY)


@dataclass(frozen=True, kw_only=True)
class Step(Entry):
    """A step of a vehicle, which may be one of an answer."""

    type: str = _text()
    id: int | None = _whole(None, most=_MOST_ID)
    service_at: int | None = _whole(None)
    service_after: int = _whole(0)
    service_before: int = _whole(NO_LIMIT, most=NO_LIMIT)
    unread = (
        *("arrival", "duration", "setup", "service", "waiting_time", "load"),
        *("violations", "description", "location", "location_index"),
        *("distance", "job"),
    )


@dataclass(frozen=True, kw_only=True)
class Vehicle(Named):
    """A vehicle; without a start or an end, its route is open there."""

    profile: str = _text("car")
    start: LonLat | None = declared(_read_place, None)
    start_index: int | None = _whole(None)
    end: LonLat | None = declared(_read_place, None)
    end_index: int | None = _whole(None)
    capacity: tuple[int, ...] = _wholes(())
    costs: Costs = declared(Costs.read, Costs(), kind=Costs)
    skills: tuple[int, ...] = _wholes(())
    type: str = _text()
    time_window: Window | None = declared(_read_window, None)
    breaks: tuple[Break, ...] = _objects(Break)
    speed_factor: float = declared(_read_factor, 1)
    steps: tuple[Step, ...] = _objects(Step)

    def is_open(self, end: str) -> bool:
        """Whether its route has no place at an end."""
        keys = (end, f"{end}_index")
        return all(getattr(self, key) is None for key in keys)


FIELD_OF_KEY: Final = {
    files.vroom: field for field, files in in_files(VehicleType) if files.vroom
}
"""Keys of vehicles that are fields of ``VehicleType`` as they are."""


def _of_type(field: Field[Any]) -> tuple[type[Any], Any]:
    if field.type == "str":
        return str, declared(_read_text, field.default)
    return int, _whole(field.default, most=NO_LIMIT)


_VEHICLE_WITH_FIELDS: Final = make_dataclass(
    "Vehicle",
    [(key, *_of_type(field)) for key, field in FIELD_OF_KEY.items()],
    bases=(Vehicle,),
    frozen=True,
    kw_only=True,
)


@dataclass(frozen=True, kw_only=True)
class Matrices(Entry):
    """What arcs take, are long and cost by one profile."""

    durations: np.ndarray = declared(_read_matrix)
    distances: np.ndarray | None = declared(_read_matrix, None)
    costs: np.ndarray | None = declared(_read_matrix, None)

    @property
    def given(self) -> dict[str, np.ndarray]:
        """Those that there are, by their keys."""
        keys = ("durations", "distances", "costs")
        each = ((key, getattr(self, key)) for key in keys)
        return {key: matrix for key, matrix in each if matrix is not None}


@dataclass(frozen=True, kw_only=True)
class Options(Entry):
    """Options of vroom-express, and tasks that the answer explains.

    They are plan mode, geometry, seconds and others.
    """

    c: bool = declared(_read_flag, False)
    g: bool = declared(_read_flag, False)
    explain: tuple[int | str, ...] = declared(_read_list, ())
    unread = ("l", "t", "x")


@dataclass(frozen=True, kw_only=True)
class Problem(Entry):
    """What a file of VROOM has."""

    jobs: tuple[Job, ...] = _objects(Job)
    shipments: tuple[Shipment, ...] = _objects(Shipment)
    vehicles: tuple[Vehicle, ...] = _objects(_VEHICLE_WITH_FIELDS)
    matrices: Mapping[str, Matrices] | None = declared(
        _read_named, None, kind=Matrices, each=Matrices.read
    )
    matrix: np.ndarray | None = declared(_read_matrix, None)
    unread = ("options",)


@dataclass(frozen=True, kw_only=True)
class GivenStep(Step):
    """A step of an answer."""

    takes_more = True


@dataclass(frozen=True, kw_only=True)
class GivenRoute(Entry):
    """A route of an answer, or a vehicle with steps."""

    takes_more = True
    id: int | None = _whole(None, most=_MOST_ID)
    vehicle: int | None = _whole(None, most=_MOST_ID)
    steps: tuple[GivenStep, ...] = _objects(GivenStep)
