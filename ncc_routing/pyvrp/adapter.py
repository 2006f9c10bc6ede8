"""PyVRP's problems and solutions as ours, and ours as PyVRP's.

Customer c of an instance is client c - 1 of a ``pyvrp.ProblemData``; the stops
of its shipments come after its clients, two for each. Importing this module
imports pyvrp.
"""

from __future__ import annotations

import logging
import math
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import naming_the_extra, require_version
from ncc_routing.core.text import counted, has_controls, printable
from ncc_routing.problems.declared import in_files
from ncc_routing.problems.distances import ROUNDINGS, round_lengths
from ncc_routing.problems.features import (
    BEYOND_PYVRP,
    DRIVERS_DAY,
    OWN_WORK,
    ROUTE_RULES,
    SETUP_DURATIONS,
)
from ncc_routing.problems.fleet import COSTS, Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.routes.schedules import arc_distances, arc_durations
from ncc_routing.problems.routes.simplification import (
    longest_distance,
    with_forbidden_types_as_arcs,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.types_as_arcs import (
    have_company,
    with_services_as_arcs,
    with_types_as_arcs,
)
from ncc_routing.problems.selection import Group, Selection
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import (
    COST_TOLERANCE,
    NO_LIMIT,
    longest_finite,
)

with naming_the_extra():
    import pyvrp as pyvrp

require_version("pyvrp", (0, 14), (2, 0))

from pyvrp.constants import MAX_VALUE  # noqa: E402

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

_ENDS: Final = (" (pickup)", " (delivery)")
"""What tells the stops of a shipment apart, behind its name."""

_OF_TYPES: Final = tuple(
    field.name for field, files in in_files(VehicleType) if files.pyvrp
)
"""Fields of vehicle types that are PyVRP's."""

_BLOCK: Final = 512
"""Rows of a matrix that are filled or compared at once."""

_CONVERTED: Final[
    WeakKeyDictionary[
        Solution, tuple[pyvrp.ProblemData, Instance | None, pyvrp.Solution]
    ]
] = WeakKeyDictionary()


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
    unlimited number of vehicles is one for each client. Skills and pins become
    profiles. Raises ``UnsupportedProblemError`` for other route constraints,
    set-ups at places with several nodes,
    matrices beyond ``MAX_MATRIX_BYTES``, too large distances, and fractional
    costs beyond the CVRP.
    """
    _require_own_setups(instance)
    instance = with_services_as_arcs(with_types_as_arcs(instance))
    instance = with_forbidden_types_as_arcs(instance)
    _require_fitting(instance)
    size = len(instance.demands)
    windows = instance.windows or TimeWindows.of(size)
    times = _times(windows)
    distances, durations = _integer_matrices(instance)
    coords = instance.coords
    if coords is None:
        coords = np.zeros((size, 2))
    names = ("",) * size if instance.ids is None else instance.ids
    selection = instance.selection or Selection(
        np.zeros(size), np.ones(size, dtype=bool)
    )
    # What every stop has: service and window, prize, and whether it must be.
    choices = [
        {"prize": int(prize), "required": required}
        for prize, required in zip(
            selection.prizes.tolist(), selection.required.tolist(), strict=True
        )
    ]
    try:
        return pyvrp.ProblemData(
            locations=[pyvrp.Location(x, y) for x, y in coords.tolist()],
            clients=_to_clients(instance, selection, times, choices, names),
            depots=[
                pyvrp.Depot(node, name=names[node], **times[node])
                for node in instance.depots
            ],
            vehicle_types=[
                _to_vehicle_type(
                    _without_forbidden_arcs(instance, vehicle_type),
                    instance.num_customers,
                )
                for vehicle_type in instance.vehicle_types
            ],
            distance_matrices=distances,
            duration_matrices=durations,
            groups=_to_groups(instance, selection),
            shipments=[
                pyvrp.Shipment(
                    shipment.pickup,
                    shipment.delivery,
                    **_prefixed("pickup_", times[shipment.pickup]),
                    **_prefixed("delivery_", times[shipment.delivery]),
                    amount=list(shipment.amount),
                    name=names[shipment.pickup].removesuffix(_ENDS[0]),
                    **choices[shipment.pickup],
                )
                for shipment in instance.shipments
            ],
        )
    except ValueError as error:
        rule = f"PyVRP refuses the problem: {error}"
        raise UnsupportedProblemError(
            instance.name, "ProblemData", rule
        ) from None


def _prefixed(prefix: str, entries: dict[str, Any]) -> dict[str, Any]:
    return {prefix + name: entry for name, entry in entries.items()}


def _to_clients(
    instance: Instance,
    selection: Selection,
    times: Sequence[dict[str, Any]],
    choices: Sequence[dict[str, Any]],
    names: Sequence[str],
) -> list[pyvrp.Client]:
    deliveries = instance.deliveries.tolist()
    pickups = (0 * instance.deliveries).tolist()
    if instance.loads is not None:
        pickups = instance.loads.pickup.tolist()
    releases = [0] * len(deliveries)
    if instance.windows is not None:
        releases = instance.windows.release_times.tolist()
    group_of = {
        node: number
        for number, group in enumerate(selection.groups)
        for node in group.customers
    }
    return [
        pyvrp.Client(
            node,
            delivery=deliveries[node],
            pickup=pickups[node],
            release_time=releases[node],
            group=group_of.get(node),
            name=names[node],
            **choices[node],
            **times[node],
        )
        for node in _client_nodes(instance)
    ]


def _to_groups(
    instance: Instance, selection: Selection
) -> list[pyvrp.ClientGroup]:
    place = {node: idx for idx, node in enumerate(_client_nodes(instance))}
    return [
        pyvrp.ClientGroup(
            [place[node] for node in group.customers],
            group.required,
            name=group.name,
        )
        for group in selection.groups
    ]


def _client_nodes(instance: Instance) -> list[int]:
    """Return the nodes of PyVRP's clients: all stops but of shipments."""
    others = {
        node
        for shipment in instance.shipments
        for node in (shipment.pickup, shipment.delivery)
    }
    stops = range(1, instance.num_customers + 1)
    return [node for node in stops if node not in others]


def _require_own_setups(instance: Instance) -> None:
    """Refuse set-ups that one visit may have done for the next one."""
    if OWN_WORK.isdisjoint(instance.features):
        return
    is_shared = have_company(instance)
    for each in instance.vehicle_types:
        _, setups = instance.work_of(each)
        for node in np.flatnonzero(setups * is_shared)[:1]:
            rule = f"PyVRP has no {SETUP_DURATIONS} that visits can share"
            name = instance.node_ids[node]
            raise UnsupportedProblemError(instance.name, "windows", rule, name)


def _require_fitting(instance: Instance) -> None:
    for feature in instance.features:
        if feature in ROUTE_RULES | DRIVERS_DAY | BEYOND_PYVRP:
            part = "fleet" if feature in BEYOND_PYVRP else "constraints"
            rule = f"PyVRP has no {feature}"
            raise UnsupportedProblemError(instance.name, part, rule)
    needed = _BYTES_PER_PAIR * len(instance.demands) ** 2
    if needed > MAX_MATRIX_BYTES:
        raise UnsupportedProblemError(
            instance.name,
            "num_customers",
            f"PyVRP needs {needed / 1e9:.0f} GB for the distances, the limit "
            f"is {MAX_MATRIX_BYTES / 1e9:.0f} GB",
            instance.num_customers,
        )
    require_whole_costs(instance)


def require_whole_costs(
    instance: Instance, given: Instance | None = None
) -> None:
    """Refuse fractional costs and durations, but for those of a CVRP.

    The message names those of the given instance, if any, of which this one is
    a simpler form.
    """
    if instance.is_unlimited_cvrp or instance.is_integral:
        return
    field, value = next(_fractions(given or instance))
    rule = "must be whole for PyVRP"
    if field == "rounding":
        rule += " (a file by metric exact, a table by rounding nearest)"
    raise UnsupportedProblemError(instance.name, field, rule, value)


def _fractions(instance: Instance) -> Iterator[tuple[str, object]]:
    """Yield what is no whole number: its name, and the value."""
    for idx, vehicle_type in enumerate(instance.vehicle_types):
        for name in COSTS:
            value = getattr(vehicle_type, name)
            if not float(value).is_integer():
                yield f"{name} of {instance.describe_type(idx)}", value
    named = [("distances", instance.matrix), ("durations", instance.durations)]
    for profile in instance.profiles:
        named += [("distances", profile.matrix)]
        named += [("durations", profile.durations)]
    if instance.selection is not None:
        named.append(("prizes", instance.selection.prizes))
    for name, values in named:
        if values is not None:
            yield from ((name, v) for v in values[values != np.rint(values)])
    yield "rounding", instance.rounding


def _times(windows: TimeWindows) -> list[dict[str, Any]]:
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


def _without_forbidden_arcs(
    instance: Instance, vehicle_type: VehicleType
) -> VehicleType:
    """Return a type with a limit that no forbidden arc keeps."""
    if not instance.has_forbidden_arcs:
        return vehicle_type
    most = min(vehicle_type.max_distance, MAX_VALUE - 1)
    return replace(vehicle_type, max_distance=most)


def _to_vehicle_type(
    vehicle_type: VehicleType, most: int
) -> pyvrp.VehicleType:
    """Return a type in PyVRP's form; ``most`` vehicles are no limit."""
    values = {name: getattr(vehicle_type, name) for name in _OF_TYPES}
    available = vehicle_type.num_available
    values |= {
        "num_available": most if available is None else available,
        "capacity": list(map(_to_limit, vehicle_type.capacities)),
        "start_depot": vehicle_type.start_depot or 0,
        "end_depot": vehicle_type.end_depot or 0,
    }
    if vehicle_type.max_reloads >= NO_LIMIT:
        del values["max_reloads"]
    for name, value in values.items():
        if isinstance(value, int | float):
            values[name] = _to_limit(value)
    return pyvrp.VehicleType(**values)


def _integer_matrices(instance: Instance) -> tuple[list[Any], list[Any]]:
    """Return distances and durations as int64, a matrix for each profile.

    PyVRP's stubs name no array types: hence ``Any``.
    """
    sources: list[Instance | Profile] = [instance, *instance.profiles]
    distances, durations = [], []
    for profile, source in enumerate(sources):
        matrix = _integer_matrix(instance, profile, arc_distances)
        distances.append(matrix)
        has_durations = source.durations is not None
        if profile == 0:
            has_durations = instance.has_durations
        durations.append(
            _integer_matrix(instance, profile, arc_durations)
            if has_durations
            else matrix
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
    return matrix


def to_pyvrp(
    solution: Solution,
    data: pyvrp.ProblemData,
    instance: Instance | None = None,
) -> pyvrp.Solution:
    """Return the solution in PyVRP's form, for data of the same instance.

    The instance is needed where its shipments do not come after its clients.
    Raises ``InfeasibleError`` if a type has more routes than vehicles. Check
    and caller ask for the same one: the last is kept.
    """
    known = _CONVERTED.get(solution)
    if known is not None and known[0] is data and known[1] is instance:
        return known[2]
    for vehicle_type, count in Counter(solution.vehicle_types).items():
        available = data.vehicle_type(vehicle_type).num_available
        if count > available:
            raise InfeasibleError(
                f"there are {count} routes for "
                f"{counted(available, 'vehicle')} of type {vehicle_type}."
            )
    if instance is None:
        activities = _activities(
            list(range(1, data.num_clients + 1)),
            _shipment_nodes(data),
            data.num_depots,
        )
    else:
        activities = _activities_of(instance)
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    routes = [
        pyvrp.Route(data, [activities[node] for node in nodes], vehicle_type)
        for nodes, vehicle_type in driven
    ]
    theirs = pyvrp.Solution(data, routes)
    _CONVERTED[solution] = data, instance, theirs
    return theirs


def feasible_in(
    data: pyvrp.ProblemData, solution: Solution, instance: Instance
) -> pyvrp.Solution:
    """Return the solution in PyVRP's form, for data that it fits.

    Raises ``ParameterError`` where the data are of another problem, and
    ``InfeasibleError`` as ``to_pyvrp``.
    """
    instance = with_types_as_arcs(instance)
    counts = {
        "clients": (data.num_clients, len(_client_nodes(instance))),
        "shipments": (data.num_shipments, len(instance.shipments)),
        "depots": (data.num_depots, instance.num_depots),
        "vehicle types": (data.num_vehicle_types, len(instance.vehicle_types)),
    }
    for what, (given, expected) in counts.items():
        if given != expected:
            raise ParameterError(
                f"data: have {given} {what}, and {instance.name} has "
                f"{expected}."
            )
    theirs = to_pyvrp(solution, data, instance)
    if not (theirs.is_feasible() and theirs.is_complete()):
        raise ParameterError(
            f"data: the routes of {instance.name} are infeasible there."
        )
    return theirs


def _shipment_nodes(data: pyvrp.ProblemData) -> list[tuple[int, int]]:
    first = data.num_clients + 1
    return [
        (first + 2 * k, first + 2 * k + 1) for k in range(data.num_shipments)
    ]


def _activities_of(instance: Instance) -> dict[int, pyvrp.Activity]:
    pairs = [(one.pickup, one.delivery) for one in instance.shipments]
    return _activities(_client_nodes(instance), pairs, instance.num_depots)


def _activities(
    clients: Sequence[int], pairs: Sequence[tuple[int, int]], num_depots: int
) -> dict[int, pyvrp.Activity]:
    kinds, last = pyvrp.ActivityType, len(clients) + 2 * len(pairs)
    depots = (0, *range(last + 1, last + num_depots))
    nodes = [
        (kinds.CLIENT, clients),
        (kinds.DEPOT, depots),
        (kinds.PICKUP, [pickup for pickup, _ in pairs]),
        (kinds.DELIVERY, [delivery for _, delivery in pairs]),
    ]
    return {
        node: pyvrp.Activity(kind, idx)
        for kind, nodes_of in nodes
        for idx, node in enumerate(nodes_of)
    }


def from_pyvrp(solution: pyvrp.Solution, instance: Instance) -> Solution:
    """Return PyVRP's routes with the cost that they have in ``instance``."""
    return Solution.from_routes(instance, *routes_of_pyvrp(solution, instance))


def routes_of_pyvrp(
    solution: object, instance: Instance
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the stops and the vehicle type of each of PyVRP's routes.

    Raises ``ParameterError`` for what is no solution of such an instance.
    """
    if not isinstance(solution, pyvrp.Solution):
        given = type(solution).__name__
        hint = ": give its best" if hasattr(solution, "best") else ""
        raise ParameterError(
            f"it must be PyVRP's Solution, got {given}{hint}."
        )
    nodes = {
        (activity.type, activity.idx): node
        for node, activity in _activities_of(instance).items()
    }
    try:
        routes = tuple(
            tuple(
                nodes[stop.type, stop.idx] for stop in route.schedule()[1:-1]
            )
            for route in solution.routes()
        )
    except KeyError as error:
        kind, idx = error.args[0]
        raise ParameterError(
            f"{instance.name} has no {kind.name.lower()} {idx} of PyVRP's "
            "Solution."
        ) from None
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
        return [f"its cost is {solution.cost:.10g}, and for PyVRP {cost:.10g}"]
    return []


def objective_of(solved: pyvrp.Solution | pyvrp.Route) -> int:
    """Return PyVRP's objective of a feasible solution or route.

    That of a solution has the prizes that are lost.
    """
    lost = 0
    if isinstance(solved, pyvrp.Solution):
        lost = solved.uncollected_prizes()
    return (
        solved.fixed_vehicle_cost()
        + solved.distance_cost()
        + solved.duration_cost()
        + lost
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


def from_problem_data(
    data: pyvrp.ProblemData | pyvrp.Model, name: str = "ProblemData"
) -> Instance:
    """Return PyVRP's data or model as an instance; client c - 1 is customer c.

    Two stops for each shipment follow the clients. The data's distances are
    dropped only where they are the rounded Euclidean ones; PyVRP's largest
    number stands for a missing arc. Data without any load get one dimension
    in which nobody has a demand. Names become ids where every client and
    every shipment has its own. There are coordinates unless all are equal.
    Raises ``InstanceError`` for a demand above the capacity or no client.
    """
    data = problem_data(data)
    vehicle_types, shipments = data.vehicle_types(), data.shipments()
    first, *others = data.depots()
    steps = [step for one in shipments for step in (one.pickup, one.delivery)]
    stops: list[Any] = [first, *data.clients(), *steps, *others]
    places = [stop.location for stop in stops]
    locations = map(data.location, places)
    coords = np.array([(one.x, one.y) for one in locations], dtype=float)
    loads = _loads_of(data, stops)
    types = [
        _from_vehicle_type(vehicle_type) for vehicle_type in vehicle_types
    ]
    distances, durations = _matrices(data, places, 0)
    rounding = ""
    if all(vehicle_type.unit_distance_cost == 1 for vehicle_type in types):
        rounding = _euclidean_rounding(coords, distances)
    has_coords = bool(
        np.isfinite(coords).all() and (coords != coords[0]).any()
    )
    return Instance(
        name=name,
        demands=loads.delivery[:, 0],
        capacity=max(vehicle_type.capacity for vehicle_type in types),
        coords=coords if rounding or has_coords else None,
        rounding=rounding or "nearest",
        matrix=None if rounding else distances,
        num_depots=data.num_depots,
        fleet=Fleet(tuple(types)),
        ids=_ids_of(data),
        source=Source(names_clients=True),
        windows=_windows_of(stops),
        durations=durations,
        profiles=tuple(
            Profile(*_matrices(data, places, profile))
            for profile in range(1, data.num_profiles)
        ),
        loads=loads if loads.num_dimensions > 1 or loads.has_pickups else None,
        selection=_selection_of(data, stops),
        shipments=tuple(
            Shipment(*nodes, tuple(shipment.amount) or (0,))
            for nodes, shipment in zip(
                _shipment_nodes(data), shipments, strict=True
            )
        ),
    )


def _loads_of(data: pyvrp.ProblemData, stops: Sequence[Any]) -> Loads:
    shape = (len(stops), max(1, data.num_load_dimensions))
    delivery, pickup = np.zeros(shape, dtype=int), np.zeros(shape, dtype=int)
    for node, client in enumerate(data.clients(), start=1):
        delivery[node] = client.delivery or 0
        pickup[node] = client.pickup or 0
    return Loads(delivery, pickup)


def _selection_of(
    data: pyvrp.ProblemData, stops: Sequence[Any]
) -> Selection | None:
    """Return who must be served, ``None`` where nobody has a prize."""
    required = np.ones(len(stops), dtype=bool)
    prizes = np.zeros(len(stops))
    chosen: list[tuple[tuple[int, ...], Any]] = [
        ((node,), client)
        for node, client in enumerate(data.clients(), start=1)
    ]
    chosen += zip(_shipment_nodes(data), data.shipments(), strict=True)
    for nodes, one in chosen:
        required[list(nodes)] = one.required
        prizes[nodes[0]] = one.prize
    groups = tuple(
        Group(
            tuple(client + 1 for client in group.clients),
            group.required,
            group.name,
        )
        for group in data.groups()
    )
    if not groups and required.all() and not prizes.any():
        return None
    return Selection(prizes, required, groups)


def _ids_of(data: pyvrp.ProblemData) -> tuple[str, ...] | None:
    """Return the names of the nodes, ``None`` unless each stop has one.

    A stop without a name has that of its location.
    """

    def name_of(stop: Any, given: str) -> str:
        return str(given or data.location(stop.location).name).strip()

    names = [name_of(client, client.name) for client in data.clients()]
    for one in data.shipments():
        for step, end in zip((one.pickup, one.delivery), _ENDS, strict=True):
            names.append(name_of(step, one.name and one.name + end))
    if not all(names) or len(set(names)) < len(names):
        return None
    if any(map(has_controls, names)):
        return None
    homes: list[str] = []
    for depot in data.depots():
        home = printable(name_of(depot, depot.name)) or "depot"
        while home in names or home in homes:
            home += "_"
        homes.append(home)
    return (homes[0], *names, *homes[1:])


def _windows_of(stops: Sequence[Any]) -> TimeWindows:
    """Return the times of all stops; depots and shipments have no release."""
    fields = ("tw_early", "tw_late", "service_duration", "release_time")
    return TimeWindows(
        *(
            np.array([getattr(stop, field, 0) for stop in stops])
            for field in fields
        )
    )


def _from_vehicle_type(vehicle_type: pyvrp.VehicleType) -> VehicleType:
    values: dict[str, Any] = {
        name: getattr(vehicle_type, name) for name in _OF_TYPES
    }
    loads = tuple(vehicle_type.initial_load)
    values |= {
        "capacity": vehicle_type.capacity or 0,
        "initial_load": loads if any(loads) else (),
    }
    return VehicleType(**values)


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
    return next(
        (r for r in ROUNDINGS if _are_rounded(coords, distances, r)), ""
    )


def _are_rounded(
    coords: np.ndarray, distances: np.ndarray, rounding: str
) -> bool:
    for start in range(0, len(coords), _BLOCK):
        rows = slice(start, start + _BLOCK)
        dx, dy = (axis[rows, None] - axis for axis in coords.T)
        lengths = np.sqrt(dx * dx + dy * dy)
        lengths = round_lengths(ROUNDINGS[rounding], lengths)
        if not np.array_equal(lengths, distances[rows]):
            return False
    return True
