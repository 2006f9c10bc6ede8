"""Arrays that nobody can write, in every copy of a problem."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

import ncc_routing as nr

ROADS = np.ones((3, 3)) - np.eye(3)
FULL = nr.Instance(
    name="full",
    demands=np.array([0, 1, 1]),
    capacity=9,
    coords=np.array([[0, 0], [1, 0], [0, 1]]),
    matrix=ROADS,
    fleet=nr.Fleet((nr.VehicleType(capacity=9, profile=1),)),
    windows=nr.TimeWindows.of(3, tw_late=9),
    durations=ROADS,
    profiles=(nr.Profile(ROADS, ROADS),),
)
POINTS = nr.PointSet(
    np.array([[0.0, 0.0], [1.0, 0.0]]),
    np.array([1, 1]),
    capacity=2,
    capacities=np.array([2, 2]),
    point_capacities=np.array([2, 2]),
    matrix=ROADS[:2, :2],
    lonlat=np.zeros((2, 2)),
)


def through_pickle(value: object) -> object:
    """Return what another process receives."""
    again: object = pickle.loads(pickle.dumps(value))
    return again


def arrays(value: object) -> dict[str, np.ndarray]:
    """Return every array of a problem and of its parts, by its place."""
    found: dict[str, np.ndarray] = {}
    for field in fields(value):  # type: ignore[arg-type]
        part = getattr(value, field.name)
        if isinstance(part, np.ndarray):
            found[field.name] = part
        for idx, each in enumerate(
            part if isinstance(part, tuple) else [part]
        ):
            if isinstance(each, (nr.TimeWindows, nr.Profile)):
                inner = arrays(each).items()
                found |= {f"{field.name} {idx} {k}": v for k, v in inner}
    return found


@pytest.mark.parametrize("again", [through_pickle, copy.deepcopy, copy.copy])
@pytest.mark.parametrize(("problem", "count"), [(FULL, 11), (POINTS, 6)])
def test_copies_are_read_only(
    problem: object, count: int, again: Callable[[object], object]
) -> None:
    """All arrays, those of windows and profiles too; the same numbers."""
    found, given = arrays(again(problem)), arrays(problem)
    assert len(found) == count
    for name, values in found.items():
        assert not values.flags.writeable, name
        assert np.array_equal(values, given[name]), name


def test_a_copy_keeps_its_map_read_only() -> None:
    """What an instance has computed once is shared by its users too."""
    places = np.array([[7.0, 50.0], [7.1, 50.1]])
    instance = nr.Instance("map", [0, 1], 1, places, is_geographic=True)  # type: ignore[arg-type]
    instance.plane_coords("a test")
    again = pickle.loads(pickle.dumps(instance))
    assert not again.plane_coords("a test").flags.writeable
