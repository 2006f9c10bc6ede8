"""The rest of a day, from a moment on."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ncc_routing.desk.changes import placed_changes
from ncc_routing.desk.collecting import Problems
from ncc_routing.problems.routes.comparison import (
    aligned,
    differences,
    kept_routes,
)
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.dispatch.day import Day
from ncc_routing.vrp.dispatch.draft import DayDraft
from ncc_routing.vrp.dispatch.rest import rest_of
from ncc_routing.vrp.initial_solution import Start
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.changes import Change
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.comparison import Plan
    from ncc_routing.vrp.params import SolveOptions, SolveParams
    from ncc_routing.vrp.result import Result


def replan(  # noqa: PLR0913 - plan, changes, and how to solve
    result: Result,
    changes: Sequence[Change] | object = (),
    stop: AnyStop | None = None,
    *,
    now: float | str | None,
    actual: object = None,
    new_orders_compete: bool = False,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    **options: Unpack[SolveOptions],
) -> Result:
    """Plan the rest of a day.

    Stops whose service began before ``now`` stay as they are, and so does the
    next stop of a vehicle on its way. Deliveries that are on board stay on
    their vehicle; others are loaded at a depot, by a vehicle that has not left
    or may reload. Nothing departs before ``now``. A vehicle on its way home
    serves nobody else. Balances keep their prices and lose their limits.

    Parameters
    ----------
    result
        The plan that is driven: of :func:`ncc_routing.solve`, or of an earlier
        ``replan``.
    changes
        Changes: a list of :class:`ncc_routing.changes.AddOrder`, ``Cancel``,
        ``OutOfService``, ``Late``, ``Window`` and ``AddVehicle``, or a table
        of them (:func:`ncc_routing.desk.changes.read_changes`). Default:
        nothing.
    now
        Time from which to plan: a number in the unit of the instance, or a
        text such as "10:30". ``None``: no vehicle has left.
    actual
        Stops that were driven, with their times, in place of those of the
        plan: anything that the argument ``in_progress`` of
        :func:`ncc_routing.read` takes; a table needs no routes. Routes that it
        does not name have not begun. A vehicle without the departure from its
        last stop is still there. Default: the vehicles are on time.
    new_orders_compete
        Whether new orders count as much as those of the plan. Default no.
    stop, params, callbacks, display, **options
        As for :func:`ncc_routing.solve`, but ``allow_unserved`` is the
        default, without ``max_extra_cost``, and so is the objective of the
        plan, without ``params``. Orders on board are the last to be left out,
        and those of the plan come after others of their priority.

    Returns
    -------
    Result
        A plan of the whole day. Its instance has the new orders after the
        others, and the driven parts of routes in ``Instance.in_progress``.
        Its ``differences`` say what each driver must know.

    Raises
    ------
    ParameterError
        If a change names an order or a vehicle that does not exist, or an
        order that is already served.
    InstanceError
        If a new order or vehicle is wrong, or a row of a table of changes: all
        such rows are told together.
    InfeasibleError
        As for :func:`ncc_routing.solve`.
    """
    day = Day.of(result, now, actual)
    problems, form = Problems(), result.instance.source.table_form
    for place, change in placed_changes(changes, form, problems):
        with problems.collected(place):
            day.apply(change)
    problems.refuse()
    ids = day.draft.ids
    cancelled = {ids[node] for node in day.cancelled | day.passed}
    instance, plan = rest_of(day)
    instance = _without_largest_spreads(instance)
    planned = _planned(result, instance)
    said = options.get("allow_unserved"), options.get("max_extra_cost")
    if said == (None, None):
        options["allow_unserved"] = True
    if params is None:
        options = {**kept_objective(result), **options}
    after = solve(
        instance,
        stop,
        initial_solution=Start(
            plan,
            is_rest=True,
            planned=planned,
            new_orders_compete=new_orders_compete,
        ),
        params=params,
        callbacks=callbacks,
        display=display,
        **options,
    )
    before = result.instance, result.best
    best = aligned(before, (after.instance, after.best))
    plans = before, _with_numbers(before, (after.instance, best))
    found = differences(*plans, cancelled, day.stopped)
    instance, best = plans[1]
    return replace(after, instance=instance, best=best, differences=found)


def _without_largest_spreads(instance: Instance) -> Instance:
    """Return the rest of a day without limits that would leave orders out."""
    fleet = instance.fleet
    if fleet is None or not any(each.balances for each in fleet.types):
        return instance
    return instance.with_types(
        replace(
            each,
            balances=tuple(
                replace(one, max_spread=NO_LIMIT) for one in each.balances
            ),
        )
        for each in fleet.types
    )


def kept_objective(result: Result) -> SolveOptions:
    """Return the objective of a plan as a parameter of ``solve``."""
    objective = result.params.get("objective")
    return {"objective": str(objective)} if objective else {}


def _with_numbers(before: Plan, after: Plan) -> Plan:
    """Let routes keep the numbers of their vehicles among alike ones."""
    draft = DayDraft.of(after[0])
    if draft.numbers is None:
        return after
    old, new = (plan.vehicles(instance) for instance, plan in (before, after))
    types = list(after[1].vehicle_types)
    for first, last in kept_routes(before, after).items():
        idx, number = types[last], old[first]
        is_alike = draft.numbers[number - 1 : number] == [idx]
        if number != new[last] and is_alike:
            types[last] = draft.single(idx, number)
    if types == [*after[1].vehicle_types]:
        return after
    return draft.build(), replace(after[1], vehicle_types=tuple(types))


def _planned(result: Result, instance: Instance) -> tuple[int, ...]:
    """Return the customers of an instance whom a plan serves."""
    names = result.instance.node_ids
    planned = {names[node] for node in chain(*result.routes)}
    customers = range(1, 1 + instance.num_customers)
    ids = instance.node_ids
    return tuple(node for node in customers if ids[node] in planned)
