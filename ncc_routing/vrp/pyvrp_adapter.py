"""Instances and solutions in PyVRP 0.14's form, and solutions back.

Customer c of an instance is client c - 1 of a ``pyvrp.ProblemData``: since
0.14 the integers in ``pyvrp.Solution(data, routes)`` count clients, not
locations. ``pyvrp_instances`` is the way back of problems.

Importing this module imports pyvrp.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    UnsupportedProblemError,
)
from ncc_routing.problems.schedules import arc_distances, arc_durations
from ncc_routing.problems.simplification import longest_distance
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.tolerances import COST_TOLERANCE
from ncc_routing.problems.values import NO_LIMIT, longest_finite
from ncc_routing.vrp.pyvrp_limits import (
    BYTES_PER_PAIR,
    MAX_MATRIX_BYTES,
    fits_pyvrp,
)
from ncc_routing.vrp.pyvrp_support import MAX_VALUE, problem_data, pyvrp

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

SCALED_LENGTH: Final = 1_000_000
"""Unrounded distances are scaled by a power of ten to at most this.

The longest one then has six digits: fine enough to rank solutions, and still
of the size that PyVRP's penalties are made for.
"""

_UNLIMITED: Final = int(np.iinfo(np.int64).max)
"""What PyVRP takes for no limit."""

_BLOCK: Final = 512
"""Rows of a matrix that are filled or compared at once."""


def to_problem_data(instance: Instance) -> pyvrp.ProblemData:
    """Return the instance in PyVRP's form.

    Whole distances are taken as they are. Those of a plain CVRP that are no
    whole numbers are scaled by a power of ten and rounded: costs in PyVRP
    are then not those of the instance, and ``from_pyvrp`` adds up its own.

    Parameters
    ----------
    instance
        The instance.

    Returns
    -------
    pyvrp.ProblemData
        Location i is node i, client c - 1 is customer c, and the vehicle
        types keep their order. An unlimited number of vehicles is one for
        each client.

    Raises
    ------
    UnsupportedProblemError
        If the matrices would not fit into ``MAX_MATRIX_BYTES``, a distance
        is larger than PyVRP can take, or the costs of a problem beyond the
        CVRP are no whole numbers.
    """
    size = len(instance.demands)
    _require_fitting(instance)
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
    size = len(instance.demands)
    if not fits_pyvrp(size - 1):
        needed = BYTES_PER_PAIR * size * size
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
        capacity=[kind.capacity],
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

    Where durations are the distances, it is the same matrix.
    """
    # PyVRP's stubs type arrays in a way of their own: hence Any.
    distances, durations = [], []
    for profile in range(1 + len(instance.profiles)):
        matrix = _integer_matrix(instance, profile, arc_distances)
        own = instance.durations
        if profile > 0:
            own = instance.profiles[profile - 1].durations
        distances.append(matrix)
        durations.append(
            matrix
            if own is None
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
    """Return the solution in PyVRP's form.

    Parameters
    ----------
    solution
        Routes over customers 1..n, each of a vehicle type.
    data
        Data of the same customers and vehicle types: from
        ``to_problem_data``, or the ones given to ``from_problem_data``.

    Raises
    ------
    InfeasibleError
        If a type is used more often than it is there.
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
    kinds = [route.vehicle_type() for route in solution.routes()]
    return Solution.from_routes(instance, routes, kinds)


def disagreement(
    solution: Solution, problem: pyvrp.ProblemData | pyvrp.Model
) -> list[str]:
    """Return what PyVRP finds wrong with a solution of its data.

    Parameters
    ----------
    solution
        Routes over customers 1..n, each of a vehicle type.
    problem
        PyVRP's data, or its model.
    """
    theirs = to_pyvrp(solution, problem_data(problem))
    if not (theirs.is_feasible() and theirs.is_complete()):
        return ["PyVRP finds it infeasible"]
    cost = objective_of(theirs)
    if not math.isclose(cost, solution.cost, rel_tol=COST_TOLERANCE):
        return [f"its cost is {solution.cost:g}, and for PyVRP {cost:g}"]
    return []


def objective_of(found: pyvrp.Solution | pyvrp.Route) -> int:
    """Return what PyVRP's objective counts of a feasible solution or route.

    Parameters
    ----------
    found
        PyVRP's solution, or one of its routes.
    """
    return (
        found.fixed_vehicle_cost()
        + found.distance_cost()
        + found.duration_cost()
    )
