"""Which rule keeps customers out of a plan: each one is relaxed alone."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.problems.constraints import CONSTRAINTS, CUSTOMER
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.routes.simplification import (
    Prepared,
    without_forbidden_arcs,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.why.findings import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ncc_routing.problems.instance import Instance

_MOST_CUSTOMERS: Final = 2_000
"""Customers of a problem whose rules are relaxed: each takes a matrix."""

MORE_VEHICLES: Final = CONSTRAINTS["vehicles"].cure

_OPEN: Final = CONSTRAINTS["window"].relaxed
"""A window that is always open."""


@contextmanager
def explained(prepared: Prepared, seed: int) -> Iterator[None]:
    """Let an ``InfeasibleError`` tell what keeps customers out.

    Its solution becomes one of the given problem.
    """
    try:
        yield
    except InfeasibleError as error:
        if error.solution is None:
            raise
        given, plan = prepared.given, prepared.to_given(error.solution)
        cures = cures_of(prepared.simplified, error.solution, seed)
        why = _why_absent(given, cures)
        raise InfeasibleError(
            f"{str(error).removesuffix('.')}; {why}.",
            # A prize that is never lost is no part of the simplified one.
            Solution.from_routes(given, plan.routes, plan.vehicle_types),
            error.absent,
        ) from None


def cures_of(
    simple: Instance, plan: Solution, seed: int
) -> dict[int, list[str]]:
    """Return the absent customers, and with what a plan has room for them.

    They are inserted into the plan as it stands, once for each rule, unless
    the problem is so large that this takes long.
    """
    from ncc_routing.vrp.search.fleets.search import insert_absent

    absent = simple.unserved(plan.routes)
    cures: dict[int, list[str]] = {customer: [] for customer in absent}
    is_small = simple.num_customers <= _MOST_CUSTOMERS
    for cure, relaxed in _relaxations(simple, absent) if is_small else ():
        inserted = insert_absent(without_forbidden_arcs(relaxed), plan, seed)
        left = simple.unserved(inserted.routes)
        for customer in set(absent).difference(left):
            cures[customer].append(cure)
    return cures


def _why_absent(given: Instance, cures: Mapping[int, Sequence[str]]) -> str:
    alike: dict[tuple[str, ...], list[int]] = {}
    for customer, cured in cures.items():
        # The number of vehicles has been said.
        helping = [cure for cure in cured if cure != MORE_VEHICLES]
        alike.setdefault(tuple(helping), []).append(customer)
    return ", and ".join(
        _clause(listed(given, customers), len(customers), helping)
        for helping, customers in alike.items()
    )


def _clause(names: str, count: int, cures: Sequence[str]) -> str:
    text = f"{names} {'is' if count == 1 else 'are'} left out"
    if cures:
        one = "it" if count == 1 else "all"
        text += f" (this plan would have room for {one} with "
        text += f"{' or '.join(cures)})"
    return text


def _relaxations(
    instance: Instance, absent: Sequence[int]
) -> Iterator[tuple[str, Instance]]:
    """Yield the problem without one of the rules that it has, and a cure.

    Windows and releases are relaxed for the absent customers alone.
    """
    groups = () if instance.selection is None else instance.selection.groups
    rivals = (g.customers for g in groups if g.customers[0] in absent)
    customers = [*absent, *chain(*rivals)]
    depots = list(instance.depots)
    for each in sorted(CONSTRAINTS.values(), key=lambda one: one.of):
        if not each.cure:
            continue
        relaxed = each.relaxed or {each.field: NO_LIMIT}
        if each.of == CUSTOMER:
            changes = _windows_with(instance, customers, relaxed)
        else:
            is_shift = relaxed.keys() >= _OPEN.keys()
            changes = _windows_with(
                instance, depots, _OPEN if is_shift else {}
            )
            changes |= _fleet_with(instance, relaxed)
        if changes:
            yield each.cure, replace(instance, **changes)


def _windows_with(
    instance: Instance, nodes: list[int], times: Mapping[str, int]
) -> dict[str, Any]:
    """Return other times of some nodes; nothing where they are the same."""
    windows = instance.windows
    if windows is None or all(
        (getattr(windows, name)[nodes] == time).all()
        and not (windows.has_several[nodes].any() and times is _OPEN)
        for name, time in times.items()
    ):
        return {}
    return {"windows": windows.with_times(nodes, (), **times)}


def _fleet_with(
    instance: Instance, limits: Mapping[str, Any]
) -> dict[str, Any]:
    """Return vehicles with other limits; nothing where they are the same."""
    if most := limits.get("capacity"):
        limits = {"capacity": [most] * instance.num_load_dimensions}
    given = instance.vehicle_types
    types = tuple(replace(vehicle_type, **limits) for vehicle_type in given)
    if types == given:
        return {}
    fleet = Fleet(types)
    return {"fleet": fleet, "capacity": fleet.capacity}
