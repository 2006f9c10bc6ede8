"""PyVRP 0.14's problems and solutions as ours, and ours as PyVRP's.

Customer c of an instance is client c - 1 of a ``pyvrp.ProblemData``: since
0.14 the integers in ``pyvrp.Solution(data, routes)`` count clients, not
locations. Importing this module imports pyvrp.
"""

from __future__ import annotations

import logging
import math
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.core.printable import has_controls, printable, with_id
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.profiles import Profile
from ncc_routing.problems.rounding import ROUNDINGS
from ncc_routing.problems.schedules import arc_distances, arc_durations
from ncc_routing.problems.simplification import longest_distance
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.tolerances import COST_TOLERANCE
from ncc_routing.problems.values import NO_LIMIT, longest_finite

with naming_the_extra():
    import pyvrp as pyvrp
    from pyvrp.constants import MAX_VALUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_MATRIX_BYTES: Final = 8_000_000_000
"""Memory that the distances may take: about 18,000 customers fit."""

_BYTES_PER_PAIR: Final = 24
"""PyVRP keeps two matrices of 8 bytes an entry, copied from a third."""

SCALED_LENGTH: Final = 1_000_000
"""Unrounded distances are scaled to at most this: six digits rank solutions,
and are of the size that PyVRP's penalties are made for."""

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
    """Return the instance in PyVRP's form; vehicle types keep their order.

    Unrounded distances of a plain CVRP are scaled by a power of ten and
    rounded, so PyVRP's costs differ; ``from_pyvrp`` adds up its own. An
    unlimited number of vehicles is one for each client. Raises
    ``UnsupportedProblemError`` for matrices beyond ``MAX_MATRIX_BYTES``, too
    large distances, and fractional costs beyond the CVRP.
    """
    _require_fitting(instance)
    size = len(instance.demands)
    windows = instance.windows or TimeWindows.of(size)
    times = _times(windows)
    distances, durations = _integer_matrices(instance)
    coords = instance.coords
    if coords is None:
        coords = np.zeros((size, 2))
    return pyvrp.ProblemData(
        locations=[pyvrp.Location(x, y) for x, y in coords.tolist()],
        clients=[
            pyvrp.Client(
                node,
                delivery=[int(instance.demands[node])],
                release_time=int(windows.release_times[node]),
                **times[node],
            )
            for node in range(1, instance.num_customers + 1)
        ],
        depots=[pyvrp.Depot(node, **times[node]) for node in instance.depots],
        vehicle_types=[
            _to_vehicle_type(kind, instance.num_customers)
            for kind in instance.vehicle_types
        ],
        distance_matrices=distances,
        duration_matrices=durations,
    )


def _require_fitting(instance: Instance) -> None:
    """Refuse an instance that PyVRP cannot hold."""
    needed = _BYTES_PER_PAIR * len(instance.demands) ** 2
    if needed > MAX_MATRIX_BYTES:
        raise UnsupportedProblemError(
            instance.name,
            "num_customers",
            f"PyVRP needs {needed / 1e9:.0f} GB for the distances, the limit "
            f"is {MAX_MATRIX_BYTES / 1e9:.0f} GB",
            instance.num_customers,
        )
    if not (instance.is_plain or instance.is_integral):
        rule = "PyVRP takes whole costs and durations"
        raise UnsupportedProblemError(instance.name, "distances", rule)


def _times(windows: TimeWindows) -> list[dict[str, Any]]:
    """Return window and service of each node, as PyVRP's arguments."""
    return [
        {
            "tw_early": early,
            "tw_late": _to_limit(late),
            "service_duration": service,
        }
        for early, late, service in zip(
            windows.tw_early.tolist(),
            windows.tw_late.tolist(),
            windows.service_durations.tolist(),
            strict=True,
        )
    ]


def _to_limit(number: float) -> int:
    return _UNLIMITED if number >= NO_LIMIT else int(number)


def _to_vehicle_type(kind: VehicleType, most: int) -> pyvrp.VehicleType:
    """Return a type in PyVRP's form; ``most`` vehicles are no limit."""
    available = kind.num_available
    return pyvrp.VehicleType(
        num_available=most if available is None else available,
        capacity=[_to_limit(kind.capacity)],
        start_depot=kind.start_depot,
        end_depot=kind.end_depot,
        fixed_cost=int(kind.fixed_cost),
        tw_early=kind.tw_early,
        tw_late=_to_limit(kind.tw_late),
        shift_duration=_to_limit(kind.shift_duration),
        max_distance=_to_limit(kind.max_distance),
        unit_distance_cost=int(kind.unit_distance_cost),
        unit_duration_cost=int(kind.unit_duration_cost),
        profile=kind.profile,
        start_late=_to_limit(kind.start_late),
        name=kind.name,
    )


def _integer_matrices(instance: Instance) -> tuple[list[Any], list[Any]]:
    """Return distances and durations as int64, a matrix for each profile.

    PyVRP's stubs name no array types: hence ``Any``.
    """
    sources: list[Instance | Profile] = [instance, *instance.profiles]
    distances, durations = [], []
    for profile, source in enumerate(sources):
        matrix = _integer_matrix(instance, profile, arc_distances)
        distances.append(matrix)
        durations.append(
            matrix
            if source.durations is None
            else _integer_matrix(instance, profile, arc_durations)
        )
    return distances, durations


def _integer_matrix(
    instance: Instance,
    profile: int,
    arcs: Callable[[Instance, int, np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray:
    """Return lengths as int64, an entry for each pair of nodes."""
    nodes = np.arange(len(instance.demands))
    scale = 1.0
    if not instance.is_integral:
        longest = longest_distance(instance)
        if longest > 0:
            digits = math.floor(math.log10(SCALED_LENGTH / longest))
            scale = 10.0**digits
    matrix = np.empty((len(nodes), len(nodes)), dtype=np.int64)
    for start in range(0, len(nodes), _BLOCK):
        rows = nodes[start : start + _BLOCK]
        block = scale * arcs(instance, profile, rows[:, None], nodes)
        longest = longest_finite(block)
        if longest >= MAX_VALUE:
            rule = f"PyVRP takes distances below {MAX_VALUE}"
            raise UnsupportedProblemError(
                instance.name, "distances", rule, longest
            )
        # PyVRP's number for an edge that is not there.
        matrix[rows] = np.rint(np.minimum(block, MAX_VALUE))
    np.fill_diagonal(matrix, 0)
    return matrix


def to_pyvrp(solution: Solution, data: pyvrp.ProblemData) -> pyvrp.Solution:
    """Return the solution in PyVRP's form, for data of the same instance.

    Raises ``InfeasibleError`` if a type has more routes than vehicles.
    """
    for kind, count in Counter(solution.vehicle_types).items():
        available = data.vehicle_type(kind).num_available
        if count > available:
            raise InfeasibleError(
                f"there are {count} routes for {available} vehicles of type "
                f"{kind}."
            )
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    routes = [
        pyvrp.Route(data, [customer - 1 for customer in customers], kind)
        for customers, kind in driven
    ]
    return pyvrp.Solution(data, routes)


def from_pyvrp(solution: pyvrp.Solution, instance: Instance) -> Solution:
    """Return PyVRP's routes with the cost that they have in ``instance``."""
    return Solution.from_routes(instance, *routes_of_pyvrp(solution))


def routes_of_pyvrp(
    solution: object,
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the customers and the vehicle type of each of PyVRP's routes."""
    if not isinstance(solution, pyvrp.Solution):
        raise ParameterError(
            f"it must be PyVRP's Solution, got {type(solution).__name__}."
        )
    routes = tuple(
        tuple(stop.idx + 1 for stop in route if stop.is_client())
        for route in solution.routes()
    )
    return routes, tuple(one.vehicle_type() for one in solution.routes())


def disagreement(
    solution: Solution, problem: pyvrp.ProblemData | pyvrp.Model
) -> list[str]:
    """Return what PyVRP finds wrong with a solution of its data or model."""
    theirs = to_pyvrp(solution, problem_data(problem))
    if not (theirs.is_feasible() and theirs.is_complete()):
        return ["PyVRP finds it infeasible"]
    cost = objective_of(theirs)
    if not math.isclose(cost, solution.cost, rel_tol=COST_TOLERANCE):
        return [f"its cost is {solution.cost:g}, and for PyVRP {cost:g}"]
    return []


def objective_of(found: pyvrp.Solution | pyvrp.Route) -> int:
    """Return PyVRP's objective of a feasible solution or route."""
    return (
        found.fixed_vehicle_cost()
        + found.distance_cost()
        + found.duration_cost()
    )


def problem_data(data: pyvrp.ProblemData | pyvrp.Model) -> pyvrp.ProblemData:
    """Return the data of a model, or the given data."""
    if isinstance(data, pyvrp.Model):
        return data.data()
    if not isinstance(data, pyvrp.ProblemData):
        raise ParameterError(
            f"data must be PyVRP's ProblemData or Model, got "
            f"{type(data).__name__}."
        )
    return data


class Reason(NamedTuple):
    """Something that keeps data from being solved here: "client 3" has it."""

    feature: str
    place: str

    def __str__(self) -> str:
        return f"{self.feature} ({self.place})"


def unsupported_parts(data: pyvrp.ProblemData) -> list[Reason]:
    """Return each feature of PyVRP's data that no instance can hold, once."""
    found: dict[str, Reason] = {}
    for reason in _all_reasons(data):
        found.setdefault(reason.feature, reason)
    return list(found.values())


def _all_reasons(data: pyvrp.ProblemData) -> Iterator[Reason]:
    """Yield everything that is not supported."""
    for feature, count, most in (
        ("shipments", data.num_shipments, 0),
        ("client groups", data.num_groups, 0),
        ("several load dimensions", data.num_load_dimensions, 1),
    ):
        if count > most:
            yield Reason(feature, f"{count} of them")
    for idx, vehicle in enumerate(data.vehicle_types()):
        place = _named(f"vehicle type {idx}", vehicle)
        if vehicle.reload_depots:
            yield Reason("reload depots", place)
        if any(vehicle.initial_load):
            yield Reason("initial loads", place)
        if vehicle.max_overtime > 0 and vehicle.unit_overtime_cost > 0:
            yield Reason("overtime costs", place)
    for idx, client in enumerate(data.clients()):
        place = _named(f"client {idx}", client)
        if not client.required:
            yield Reason("optional clients", place)
        if any(client.pickup):
            yield Reason("pickups", place)


def _named(place: str, part: Any) -> str:
    """Return the place of a part of PyVRP's data, and what it is called."""
    return with_id(place, str(part.name)) if part.name else place


def from_problem_data(
    data: pyvrp.ProblemData | pyvrp.Model, name: str = "ProblemData"
) -> Instance:
    """Return PyVRP's data or model as an instance; client c - 1 is customer c.

    The data's distances are dropped only where they are the rounded Euclidean
    ones; PyVRP's largest number stands for a missing arc. Names become ids
    where every client has its own. There are coordinates unless all are
    equal. Raises ``UnsupportedProblemError`` naming an unsupported feature,
    and ``InstanceError`` for a demand above the capacity or no client.
    """
    data = problem_data(data)
    for reason in unsupported_parts(data)[:1]:
        rule = f"not supported ({reason.place})"
        raise UnsupportedProblemError(name, reason.feature, rule)
    kinds, clients = data.vehicle_types(), data.clients()
    depots = list(
        dict.fromkeys(d for k in kinds for d in (k.start_depot, k.end_depot))
    )
    first, *others = map(data.depot, depots)
    stops: list[Any] = [first, *clients, *others]
    places = [stop.location for stop in stops]
    locations = map(data.location, places)
    coords = np.array([(one.x, one.y) for one in locations], dtype=float)
    demands = np.zeros(len(stops), dtype=np.int64)
    if data.num_load_dimensions == 1:
        demands[1 : len(clients) + 1] = [c.delivery[0] for c in clients]
    profiles = list(dict.fromkeys(kind.profile for kind in kinds))
    types = _from_vehicle_types(kinds, depots, profiles, int(demands.sum()))
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


def _ids_of(
    data: pyvrp.ProblemData, clients: Sequence[Any], depots: Sequence[Any]
) -> tuple[str, ...] | None:
    """Return the names of the nodes, ``None`` unless each client has one.

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
    kinds: Sequence[pyvrp.VehicleType],
    depots: Sequence[int],
    profiles: Sequence[int],
    total: int,
) -> list[VehicleType]:
    """Return our vehicle types; ``total`` is the demand of all clients."""
    return [
        VehicleType(
            # No route carries more than that; none carries less than nothing.
            capacity=min(kind.capacity[0], total) if total > 0 else 1,
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
        for kind in kinds
    ]


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
                probe.distances(nodes[start : start + _BLOCK], nodes),
                distances[start : start + _BLOCK],
            )
            for start in range(0, len(coords), _BLOCK)
        ):
            return rounding
    return ""
