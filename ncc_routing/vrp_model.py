"""A solver for the package vrp-model, whose models have many solvers.

Source: https://pypi.org/project/vrp-model, version 0.3.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import vrp_model
from vrp_model import Feature, SolverStopReason
from vrp_model.core.travel_edges import TRAVEL_COST_INF
from vrp_model.solvers.registry import register

import ncc_routing as nr
from ncc_routing.core.exceptions import OutOfTimeError
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.stop import MaxIterations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vrp_model import Job, Model, Vehicle

    Types = dict[nr.VehicleType, list[Vehicle]]

NAME: Final = "ncc_routing"
"""Name of the solver in the registry of vrp-model."""

_UNSUPPORTED: Final = {Feature.FLEXIBLE_TIME_WINDOWS, Feature.VEHICLE_GROUPS}


class NccRoutingSolver(vrp_model.Solver):
    """Solver of a ``vrp_model.Model``, which minimises ``solution_cost``.

    It supports all features but ``FLEXIBLE_TIME_WINDOWS`` and
    ``VEHICLE_GROUPS``.

    Parameters
    ----------
    options
        Those of vrp-model: ``time_limit`` in seconds (default 3), ``seed``
        and ``max_iterations``. Others have no effect.

    Raises
    ------
    MappingError
        From ``solve``, if a depot has neither a location nor travel edges, a
        delivery has not the demand of its pickup with a minus, a job is in two
        pairs, a prize is not finite, or a vehicle may start only after its
        longest route time.
    """

    name = NAME
    supported_features = frozenset(set(Feature) - _UNSUPPORTED)

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self._options = vrp_model.merge_solver_options(options)

    def _run(self, model: Model) -> vrp_model.SolutionStatus:
        most, seconds, error = self._options["max_iterations"], 0.0, None
        routes: list[vrp_model.Route] = []
        try:
            if any(model.jobs):
                types = _types_of(model)
                result = nr.solve(
                    _instance_of(model, types),
                    None if most is None else MaxIterations(most),
                    seed=self._options["seed"],
                    time_limit=self._options["time_limit"],
                )
                seconds = result.runtime
                routes = _routes_of(model, types, result)
            status = vrp_model.SolveStatus.FEASIBLE
            reason = SolverStopReason.COMPLETED
        except nr.InfeasibleError as none:
            # With a part of a plan nothing is proven.
            is_proven = none.solution is None and not isinstance(
                none, OutOfTimeError
            )
            name = "INFEASIBLE" if is_proven else "UNKNOWN"
            error, reason = str(none), SolverStopReason[name]
            status = vrp_model.SolveStatus[name]
        except nr.NccRoutingError as refused:
            raise vrp_model.MappingError(str(refused)) from refused
        found = None if error else vrp_model.Solution(routes)
        model._solution = found  # noqa: SLF001 (what a solver has to set)
        return vrp_model.SolutionStatus(
            mapped_status=status,
            solver_name=self.name,
            wall_time_seconds=seconds,
            optimality_gap=None,
            solver_reported_cost=None if error else model.solution_cost(),
            stop_reason=reason,
            solution_found=not error,
            error_message=error,
        )


register(NAME, NccRoutingSolver)


def _instance_of(model: Model, types: Types) -> nr.Instance:
    """Return an instance: the first depot, the jobs, the other depots."""
    jobs, (first, *others) = list(model.jobs), list(model.depots)
    nodes: list[Any] = [first, *jobs, *others]
    place = {node.node_id: idx for idx, node in enumerate(nodes)}

    def of_nodes(values: Iterable[Any], blank: Any = 0) -> list[Any]:
        return [blank, *values, *[blank] * len(others)]

    windows = [one.time_window or (0, NO_LIMIT) for one in jobs]
    skills = (tuple(map(str, sorted(one.skills_required))) for one in jobs)
    loads, shipments = _loads_of(model, place)
    return nr.Instance(
        name="vrp-model",
        demands=loads.delivery[:, 0],
        num_depots=1 + len(others),
        fleet=nr.Fleet(
            tuple(
                replace(kind, num_available=len(vehicles))
                for kind, vehicles in types.items()
            )
        ),
        windows=nr.TimeWindows.of(
            len(nodes),
            tw_early=of_nodes(early for early, _ in windows),
            tw_late=of_nodes((late for _, late in windows), NO_LIMIT),
            service_durations=of_nodes(one.service_time for one in jobs),
        ),
        loads=loads,
        selection=_selection_of(model, place, shipments),
        shipments=shipments,
        constraints=nr.RouteConstraints(
            skills=tuple(of_nodes(skills, ())),
            different_routes=_different_routes(model, place),
        ),
        **_lengths_of(model, nodes, place),
    )


def _types_of(model: Model) -> Types:
    """Return the vehicle types, each with its vehicles."""
    depots = [depot.node_id for depot in model.depots]
    size = _num_dimensions(model)
    found: Types = {}
    for one in model.vehicles:
        early, late = one.time_window or (0, NO_LIMIT)
        values: dict[str, Any] = {
            "capacity": _padded(one.capacity, size)
            if one.capacity
            else (NO_LIMIT,) * size
        }
        if one.max_route_time is not None:
            # A route is as long as if it began as early as it may.
            if early > one.max_route_time:
                rule = "a vehicle starts after its longest route time."
                raise vrp_model.MappingError(rule)
            values |= {
                "start_late": early,
                "shift_duration": one.max_route_time - early,
                "max_overtime": one.max_route_overtime or 0,
                "unit_overtime_cost": one.route_overtime_unit_cost,
            }
        if one.max_slack_time is not None:
            values["max_wait"] = one.max_slack_time
        kind = nr.VehicleType(
            start_depot=depots.index(one.start_depot.node_id),
            end_depot=depots.index(one.end_depot.node_id),
            skills=tuple(map(str, sorted(one.skills))),
            tw_early=early,
            tw_late=late,
            fixed_cost=one.fixed_use_cost,
            max_distance=one.max_route_distance or NO_LIMIT,
            **values,
        )
        found.setdefault(kind, []).append(one)
    return found


def _num_dimensions(model: Model) -> int:
    loads = [one.demand for one in model.jobs]
    loads += [one.capacity for one in model.vehicles]
    return max(1, *map(len, loads))


def _padded(amounts: list[int], size: int) -> tuple[int, ...]:
    return (*amounts, *[0] * (size - len(amounts)))


def _lengths_of(
    model: Model, nodes: list[Any], place: dict[int, int]
) -> dict[str, Any]:
    """Return distances and durations: of coordinates, or of travel edges."""
    if not model.travel_edges:
        coords = [node.location for node in nodes]
        if None in coords:
            raise vrp_model.MappingError("a depot has no location.")
        return {"coords": np.array(coords)}
    shape = (len(nodes), len(nodes))
    lengths = {key: np.full(shape, np.inf) for key in ("matrix", "durations")}
    for (tail, head), edge in model.travel_edges.items():
        for key, length in (
            ("matrix", edge.distance),
            ("durations", edge.duration),
        ):
            if length is not None and length < TRAVEL_COST_INF:
                lengths[key][place[tail], place[head]] = length
    return lengths


def _loads_of(
    model: Model, place: dict[int, int]
) -> tuple[nr.Loads, tuple[nr.Shipment, ...]]:
    """Return what jobs alone and pairs of them carry.

    Beside pairs, demands of others add up on the way as those of pickups.
    """
    size = _num_dimensions(model)
    loads = {one.node_id: _padded(one.demand, size) for one in model.jobs}
    shipments = []
    for pair in model.pickup_deliveries:
        ends = pair.pickup.node_id, pair.delivery.node_id
        if not loads.keys() >= {*ends}:
            rule = f"jobs {ends[0]} and {ends[1]}: one is in another pair too."
            raise vrp_model.MappingError(rule)
        amount, left = (loads.pop(node) for node in ends)
        if any(np.add(amount, left)) or min(amount) < 0:
            rule = f"jobs {ends[0]} and {ends[1]}: the demand of a delivery "
            rule += "must be that of its pickup with a minus."
            raise vrp_model.MappingError(rule)
        pickup, delivery = (place[node] for node in ends)
        shipments.append(nr.Shipment(pickup, delivery, amount))
    alone, none = np.zeros((2, len(place), size), dtype=int)
    for node, demand in loads.items():
        alone[place[node]] = demand
    both = (none, alone) if shipments else (alone, none)
    return nr.Loads(*both), tuple(shipments)


def _selection_of(
    model: Model, place: dict[int, int], shipments: Iterable[nr.Shipment]
) -> nr.Selection:
    """Return who may be left out, and what that costs."""
    prizes, required = np.zeros(len(place)), np.ones(len(place), dtype=bool)
    for one in model.jobs:
        if one.prize is not None:
            if not math.isfinite(one.prize):
                rule = f"job {one.node_id} has a prize that is not finite."
                raise vrp_model.MappingError(rule)
            prizes[place[one.node_id]] = round(one.prize)
            required[place[one.node_id]] = False
    for shipment in shipments:
        ends = [shipment.pickup, shipment.delivery]
        required[ends] = required[ends].any()
        prizes[ends] = (0 if required[ends[0]] else prizes[ends].sum()), 0
    groups = []
    for group in model.job_groups:
        members = [place[one.node_id] for one in group.member_jobs]
        required[members] = False
        # Serving a member loses the prizes of the others: a constant.
        prizes[members] = group.skip_penalty or 0
        is_required = group.skip_penalty is None
        groups.append(nr.Group(tuple(members), is_required))
    return nr.Selection(prizes, required, tuple(groups))


def _different_routes(
    model: Model, place: dict[int, int]
) -> tuple[tuple[int, int], ...]:
    """Return the pairs of jobs whose types share no route."""
    of_type: dict[int | None, list[Job]] = {}
    for one in model.jobs:
        of_type.setdefault(one.job_type, []).append(one)
    return tuple(
        (place[one.node_id], place[other.node_id])
        for types in {*model.job_type_incompatibilities}
        for one, other in product(*(of_type.get(each, []) for each in types))
    )


def _routes_of(
    model: Model, types: Types, result: nr.Result
) -> list[vrp_model.Route]:
    """Return the routes of a result, each by another vehicle of its type."""
    jobs = list(model.jobs)
    idle = [iter(vehicles) for vehicles in types.values()]
    vehicles = [next(idle[kind]) for kind in result.best.vehicle_types]
    return [
        vrp_model.Route(
            *(one, one.start_depot, one.end_depot),
            [jobs[node - 1] for node in nodes],
        )
        for nodes, one in zip(result.routes, vehicles, strict=True)
    ]
