"""PyVRP's data as instances.

Importing this module imports pyvrp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.printable import has_controls, printable
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.profiles import Profile
from ncc_routing.problems.rounding import ROUNDINGS
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.vrp.pyvrp_support import (
    MAX_VALUE,
    problem_data,
    pyvrp,
    require_supported,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROWS: Final = 512
"""Rows of a matrix that are compared at once."""


def from_problem_data(
    data: pyvrp.ProblemData | pyvrp.Model, name: str = "ProblemData"
) -> Instance:
    """Return PyVRP's data as an instance.

    Customer c is client c - 1, wherever its location stands in the data.
    The data's own distances count: they are dropped only where they are the
    rounded Euclidean ones. PyVRP's largest number stands for an arc that is
    not there. Names of clients, or of their locations, become ids where
    every client has one of its own.

    Parameters
    ----------
    data
        PyVRP's data, or its model.
    name
        Name of the instance, used in messages.

    Returns
    -------
    Instance
        The instance; with coordinates unless all of them are equal.

    Raises
    ------
    UnsupportedProblemError
        If the data have a feature that no instance can hold; the message
        names it.
    InstanceError
        If a demand is above the capacity, or there is no client.
    """
    data = problem_data(data)
    require_supported(data, name)
    kinds, clients = data.vehicle_types(), data.clients()
    depots = list(
        dict.fromkeys(d for k in kinds for d in (k.start_depot, k.end_depot))
    )
    first, *others = map(data.depot, depots)
    stops: list[Any] = [first, *clients, *others]
    places = [stop.location for stop in stops]
    coords = _coords_of(data, places)
    demands = np.zeros(len(stops), dtype=np.int64)
    if data.num_load_dimensions == 1:
        demands[1 : len(clients) + 1] = [c.delivery[0] for c in clients]
    types = _from_vehicle_types(kinds, depots, int(demands.sum()))
    profiles = list(dict.fromkeys(kind.profile for kind in kinds))
    distances, durations = _matrices(data, places, profiles[0])
    rounding = ""
    if all(kind.unit_distance_cost == 1 for kind in types):
        rounding = _euclidean_rounding(coords, distances)
    has_coords = bool(
        np.isfinite(coords).all() and (coords != coords[0]).any()
    )
    return Instance(
        name=name,
        demands=demands,
        capacity=max(kind.capacity for kind in types),
        coords=coords if rounding or has_coords else None,
        rounding=rounding or "nearest",
        matrix=None if rounding else distances,
        num_depots=len(depots),
        fleet=Fleet(tuple(types)),
        ids=_ids_of(data, clients, [first, *others]),
        windows=_windows_of(stops),
        durations=durations,
        profiles=tuple(
            Profile(*_matrices(data, places, own)) for own in profiles[1:]
        ),
    )


def _coords_of(data: pyvrp.ProblemData, places: Sequence[int]) -> np.ndarray:
    """Return the coordinates of some locations."""
    locations = map(data.location, places)
    return np.array([(one.x, one.y) for one in locations], dtype=float)


def _ids_of(
    data: pyvrp.ProblemData, clients: Sequence[Any], depots: Sequence[Any]
) -> tuple[str, ...] | None:
    """Return the names of the nodes, ``None`` where a client has no own one.

    A client without a name has that of its location.
    """

    def name_of(stop: Any) -> str:
        return str(stop.name or data.location(stop.location).name).strip()

    names = list(map(name_of, clients))
    if not all(names) or len(set(names)) < len(names):
        return None
    if any(map(has_controls, names)):
        return None
    homes: list[str] = []
    for depot in depots:
        home = printable(name_of(depot)) or "depot"
        while home in names or home in homes:
            home += "_"
        homes.append(home)
    return (homes[0], *names, *homes[1:])


def _windows_of(stops: Sequence[Any]) -> TimeWindows:
    """Return the times of depots and clients; depots have no release."""
    fields = ("tw_early", "tw_late", "service_duration", "release_time")
    return TimeWindows(
        *(
            np.array([getattr(stop, field, 0) for stop in stops])
            for field in fields
        )
    )


def _from_vehicle_types(
    kinds: Sequence[pyvrp.VehicleType], depots: Sequence[int], total: int
) -> list[VehicleType]:
    """Return our vehicle types for the used depots and a total demand."""
    profiles = list(dict.fromkeys(kind.profile for kind in kinds))
    types = []
    for kind in kinds:
        # Nobody fills more than everything, and an empty load needs no room.
        capacity = min(kind.capacity[0], total) if total > 0 else 1
        types.append(
            VehicleType(
                capacity=capacity,
                num_available=kind.num_available,
                fixed_cost=kind.fixed_cost,
                unit_distance_cost=kind.unit_distance_cost,
                unit_duration_cost=kind.unit_duration_cost,
                start_depot=depots.index(kind.start_depot),
                end_depot=depots.index(kind.end_depot),
                tw_early=kind.tw_early,
                tw_late=kind.tw_late,
                start_late=kind.start_late,
                shift_duration=kind.max_duration,  # overtime costs nothing
                max_distance=kind.max_distance,
                profile=profiles.index(kind.profile),
                name=kind.name,
            )
        )
    return types


def _matrices(
    data: pyvrp.ProblemData, places: list[int], profile: int
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return distances and durations between places, inf for missing edges.

    The durations are ``None`` where they are the distances.
    """
    distances: Any = data.distance_matrix(profile)
    durations: Any = data.duration_matrix(profile)
    if places != list(range(data.num_locations)):
        distances, durations = (
            matrix[np.ix_(places, places)] for matrix in (distances, durations)
        )
    is_same = np.array_equal(distances, durations)
    distances = _with_forbidden_arcs(distances)
    return distances, None if is_same else _with_forbidden_arcs(durations)


def _with_forbidden_arcs(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with inf in place of PyVRP's largest number."""
    is_missing = matrix >= MAX_VALUE
    return np.where(is_missing, np.inf, matrix) if is_missing.any() else matrix


def _euclidean_rounding(coords: np.ndarray, distances: np.ndarray) -> str:
    """Return the rounding that gives the distances, "" if there is none."""
    if not np.isfinite(coords).all():
        return ""
    nodes = np.arange(len(coords))
    for rounding in ROUNDINGS:
        try:
            probe = Instance(
                name="probe",
                demands=np.zeros(len(coords)),
                capacity=1,
                coords=coords,
                rounding=rounding,
            )
        except InstanceError:  # too large, scaled by this rounding
            continue
        if all(
            np.array_equal(
                probe.distances(nodes[start : start + _ROWS], nodes),
                distances[start : start + _ROWS],
            )
            for start in range(0, len(coords), _ROWS)
        ):
            return rounding
    return ""
