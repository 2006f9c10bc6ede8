"""Conversion between our types and those of PyVRP 0.14.

Customer c of an instance is client c - 1 of a ``pyvrp.ProblemData``: since
0.14 the integers in ``pyvrp.Solution(data, routes)`` count clients, not
locations. No other module knows that.

Importing this module imports pyvrp.
"""

from __future__ import annotations

import logging
import math
import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding import ROUNDINGS
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.pyvrp_limits import (
    BYTES_PER_PAIR,
    MAX_MATRIX_BYTES,
    fits_pyvrp,
)

with naming_the_extra():
    import pyvrp
    from pyvrp.constants import MAX_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCALED_LENGTH: Final = 1_000_000
"""Unrounded distances are scaled by a power of ten to at most this.

The longest one then has six digits: fine enough to rank solutions, and still
of the size that PyVRP's penalties are made for.
"""

_Rule = tuple[str, bool, object]
"""A feature beyond the CVRP, whether it is used, and its value."""

_UNLIMITED: Final = int(np.iinfo(np.int64).max)
"""What PyVRP takes for no limit."""

_BLOCK: Final = 512
"""Rows of a matrix that are filled or compared at once."""


def _keep_stdout_clean() -> None:
    """Send PyVRP's log to stderr: it attaches itself to stdout."""
    for handler in logging.getLogger("pyvrp").handlers:
        if (
            isinstance(handler, logging.StreamHandler)
            and handler.stream is sys.stdout
        ):
            handler.setStream(sys.stderr)


_keep_stdout_clean()


def to_problem_data(instance: Instance) -> pyvrp.ProblemData:
    """Return the instance in PyVRP's form, with an unlimited fleet.

    Whole distances are taken as they are. Others are scaled by a power of
    ten and rounded: costs in PyVRP are then not those of the instance, and
    ``from_pyvrp`` adds up its own.

    Parameters
    ----------
    instance
        The instance.

    Returns
    -------
    pyvrp.ProblemData
        One depot, one vehicle type; client c - 1 is customer c.

    Raises
    ------
    UnsupportedProblemError
        If the matrices would not fit into ``MAX_MATRIX_BYTES``, or a
        distance is larger than PyVRP can take.
    """
    size = instance.num_customers + 1
    if not fits_pyvrp(instance.num_customers):
        needed = BYTES_PER_PAIR * size * size
        raise UnsupportedProblemError(
            instance.name,
            "num_customers",
            f"PyVRP needs {needed / 1e9:.0f} GB for the distances, the limit "
            f"is {MAX_MATRIX_BYTES / 1e9:.0f} GB",
            instance.num_customers,
        )
    # PyVRP's stubs type arrays in a way of their own.
    matrices: list[Any] = [_integer_matrix(instance)]
    coords = instance.coords
    if coords is None:
        coords = np.zeros((size, 2))
    return pyvrp.ProblemData(
        locations=[pyvrp.Location(x, y) for x, y in coords.tolist()],
        clients=[
            pyvrp.Client(location, delivery=[demand])
            for location, demand in enumerate(instance.demands.tolist())
            if location > 0
        ],
        depots=[pyvrp.Depot(0)],
        vehicle_types=[
            pyvrp.VehicleType(
                num_available=instance.num_customers,
                capacity=[instance.capacity],
            )
        ],
        distance_matrices=matrices,
        duration_matrices=matrices,
    )


def _integer_matrix(instance: Instance) -> np.ndarray:
    """Return the distances as int64, shape (n + 1, n + 1)."""
    longest = _longest_distance(instance)
    scale = 1.0
    if not instance.is_integral and longest > 0:
        digits = math.floor(math.log10(SCALED_LENGTH / longest))
        scale = 10.0**digits
    if longest * scale > MAX_VALUE:
        rule = f"PyVRP takes distances up to {MAX_VALUE}"
        raise UnsupportedProblemError(
            instance.name, "distances", rule, longest
        )
    size = instance.num_customers + 1
    nodes = np.arange(size)
    matrix = np.empty((size, size), dtype=np.int64)
    for start in range(0, size, _BLOCK):
        rows = nodes[start : start + _BLOCK]
        matrix[rows] = np.rint(scale * instance.distances(rows, nodes))
    np.fill_diagonal(matrix, 0)
    return matrix


def _longest_distance(instance: Instance) -> float:
    """Return an upper bound on the distances, tight up to a factor of 2."""
    if instance.matrix is not None:
        return float(instance.matrix.max())
    if instance.is_geographic:  # by way of the depot
        nodes = np.arange(instance.num_customers + 1)
        return 2.0 * float(instance.lengths(np.zeros_like(nodes), nodes).max())
    coords = instance.require_coords("PyVRP")
    diagonal = float(np.linalg.norm(np.ptp(coords, axis=0)))
    return diagonal * ROUNDINGS[instance.rounding].scale


def to_pyvrp(solution: Solution, data: pyvrp.ProblemData) -> pyvrp.Solution:
    """Return the solution in PyVRP's form.

    Parameters
    ----------
    solution
        Routes over customers 1..n.
    data
        Data of the same customers, from ``to_problem_data`` or the ones
        given to ``from_problem_data``.
    """
    routes = [[customer - 1 for customer in r] for r in solution.routes]
    return pyvrp.Solution(data, routes)


def from_pyvrp(solution: pyvrp.Solution, instance: Instance) -> Solution:
    """Return PyVRP's routes with the cost that they have in ``instance``.

    Parameters
    ----------
    solution
        PyVRP's solution.
    instance
        The instance that its data stand for.
    """
    routes = [
        [activity.idx + 1 for activity in route if activity.is_client()]
        for route in solution.routes()
    ]
    return Solution.from_routes(instance, routes)


def problem_data(data: pyvrp.ProblemData | pyvrp.Model) -> pyvrp.ProblemData:
    """Return the data of a model; data come back as they are.

    Parameters
    ----------
    data
        PyVRP's data, or its model.

    Raises
    ------
    ParameterError
        If it is something else.
    """
    if isinstance(data, pyvrp.Model):
        return data.data()
    if not isinstance(data, pyvrp.ProblemData):
        raise ParameterError(
            f"data must be PyVRP's ProblemData or Model, got "
            f"{type(data).__name__}."
        )
    return data


def from_problem_data(
    data: pyvrp.ProblemData | pyvrp.Model, name: str = "ProblemData"
) -> Instance:
    """Return PyVRP's data as an instance, if they are a CVRP.

    Customer c is client c - 1, wherever its location stands in the data.
    The data's own distances count: they are dropped only where they are the
    rounded Euclidean ones.

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
        If the data have a feature beyond the CVRP; the message names it. A
        fleet smaller than the number of clients is such a feature: no
        method here limits the number of routes.
    InstanceError
        If a demand is above the capacity, or there is no client.
    """
    data = problem_data(data)
    _refuse_first(name, _problem_rules(data))
    clients, vehicle = data.clients(), data.vehicle_type(0)
    _refuse_first(name, _vehicle_rules(vehicle, len(clients)))
    _refuse_first(name, _depot_rules(data.depot(0)))
    for idx, client in enumerate(clients):
        _refuse_first(f"{name}, client {idx}", _client_rules(client))
    places = [data.depot(0).location, *(c.location for c in clients)]
    coords = np.array(
        [(loc.x, loc.y) for loc in map(data.location, places)], dtype=float
    )
    demands = np.array([0, *(c.delivery[0] for c in clients)])
    distances: Any = data.distance_matrix(vehicle.profile)
    if places != list(range(data.num_locations)):
        distances = distances[np.ix_(places, places)]
    rounding = _euclidean_rounding(coords, distances)
    has_coords = bool(
        np.isfinite(coords).all() and (coords != coords[0]).any()
    )
    return Instance(
        name=name,
        demands=demands,
        capacity=vehicle.capacity[0],
        coords=coords if rounding or has_coords else None,
        rounding=rounding or "nearest",
        matrix=None if rounding else distances,
    )


def _euclidean_rounding(coords: np.ndarray, distances: np.ndarray) -> str:
    """Return the rounding that gives the distances, "" if there is none."""
    if not np.isfinite(coords).all():
        return ""
    nodes = np.arange(len(coords))
    for rounding in ROUNDINGS:
        probe = Instance(
            name="probe",
            demands=np.zeros(len(coords)),
            capacity=1,
            coords=coords,
            rounding=rounding,
        )
        if all(
            np.array_equal(
                probe.distances(nodes[start : start + _BLOCK], nodes),
                distances[start : start + _BLOCK],
            )
            for start in range(0, len(coords), _BLOCK)
        ):
            return rounding
    return ""


def _refuse_first(name: str, rules: Iterable[_Rule]) -> None:
    for feature, is_used, value in rules:
        if is_used:
            rule = "not supported, since it is no part of the CVRP"
            raise UnsupportedProblemError(name, feature, rule, value)


def _problem_rules(data: pyvrp.ProblemData) -> Iterator[_Rule]:
    """Yield each feature of the problem, if it is used, and its value."""
    depots = data.num_depots
    types = data.num_vehicle_types
    dimensions = data.num_load_dimensions
    yield "several depots", depots != 1, depots
    yield "shipments", data.num_shipments > 0, data.num_shipments
    yield "client groups", data.num_groups > 0, data.num_groups
    yield "several vehicle types", types != 1, types
    yield "number of load dimensions", dimensions != 1, dimensions


def _vehicle_rules(
    vehicle: pyvrp.VehicleType, num_clients: int
) -> Iterator[_Rule]:
    available = vehicle.num_available
    yield "limited number of vehicles", available < num_clients, available
    yield "reload depots", bool(vehicle.reload_depots), vehicle.reload_depots
    yield "initial load", any(vehicle.initial_load), vehicle.initial_load
    for feature, value, usual in (
        ("fixed vehicle cost", vehicle.fixed_cost, 0),
        ("unit distance cost", vehicle.unit_distance_cost, 1),
        ("unit duration cost", vehicle.unit_duration_cost, 0),
        ("maximum distance", vehicle.max_distance, _UNLIMITED),
        ("shift duration", vehicle.shift_duration, _UNLIMITED),
        ("vehicle time windows", vehicle.tw_early, 0),
        ("vehicle time windows", vehicle.tw_late, _UNLIMITED),
        ("vehicle time windows", vehicle.start_late, _UNLIMITED),
    ):
        yield feature, value != usual, value


def _depot_rules(depot: pyvrp.Depot) -> Iterator[_Rule]:
    yield "depot time windows", depot.tw_early != 0, depot.tw_early
    yield "depot time windows", depot.tw_late != _UNLIMITED, depot.tw_late
    duration = depot.service_duration
    yield "depot service durations", duration != 0, duration


def _client_rules(client: pyvrp.Client) -> Iterator[_Rule]:
    yield "time windows", client.tw_early != 0, client.tw_early
    yield "time windows", client.tw_late != _UNLIMITED, client.tw_late
    duration = client.service_duration
    yield "service durations", duration != 0, duration
    yield "release times", client.release_time != 0, client.release_time
    yield "optional clients", not client.required, client.name or None
    yield "prizes", client.prize != 0, client.prize
    yield "pickups", any(client.pickup), client.pickup
