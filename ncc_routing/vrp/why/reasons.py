"""Why vehicles do not serve an order: what each place for it would break."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.problems.constraints import CONSTRAINTS, REASON, say
from ncc_routing.problems.route_constraints import (
    IN_SERVICE,
    LOST_GOODS,
    OUT_OF_SERVICE,
    RETIRED,
)
from ncc_routing.problems.routes.timetable import type_titles
from ncc_routing.problems.routes.unserved import (
    Reason,
    absent_of,
)
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.why.arcs import Arcs
from ncc_routing.vrp.why.placements import (
    MOST_STOPS,
    Broken,
    Order,
    costs_before,
    evaluate,
    on_board_of,
    order_of,
    placed,
)
from ncc_routing.vrp.why.reach import limits_broken_alone

if TYPE_CHECKING:
    from collections.abc import (
        Collection,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.vrp.why.placements import Evaluation

_RANKS: Final = {name: rank for rank, name in enumerate(CONSTRAINTS)}


def unserved_of(
    instance: Instance, plan: Solution, planned: Collection[int] = ()
) -> tuple[Unserved, ...]:
    """Return the required customers whom a plan leaves out, and why.

    Those who were ``planned`` come first. Where looking at all places would
    take long, the last ones have no reasons.
    """
    return absent_of(instance, plan, _reasons_of(instance, plan), planned)


def filled(
    instance: Instance,
    plan: Solution,
    ranks: np.ndarray,
    planned: Collection[int] = (),
) -> tuple[Solution, tuple[Unserved, ...]]:
    """Return routes on which no unserved customer has a place any more.

    Each, the highest of ``ranks_of`` first, comes where it costs least. The
    others are returned as by ``unserved_of``.
    """
    num_stops = 0
    reasons: dict[int, tuple[Reason, ...]] = {}
    is_full = False
    before = costs_before(instance, plan)
    while not is_full:
        is_full = True
        absent = instance.unserved(plan.routes)
        certain = _certain(instance, absent)
        for node in sorted(absent, key=lambda node: -ranks[node]):
            if node not in instance.unserved(plan.routes):
                continue  # it came with its shipment
            order = order_of(instance, node)
            found = evaluate(instance, plan, order, before=before)
            num_stops += sum(map(len, found.placements.routes))
            if num_stops > MOST_STOPS:
                return plan, absent_of(instance, plan, reasons, planned)
            places = np.flatnonzero(found.is_possible)
            if len(places):
                place = int(places[found.costs[places].argmin()])
                plan = placed(instance, plan, found.placements, place)
                is_full, reasons = False, {}
                before = costs_before(instance, plan)
            else:
                reasons[node] = _reasons_in(instance, node, found, certain)
    return plan, absent_of(instance, plan, reasons, planned)


def _reasons_of(
    instance: Instance, plan: Solution
) -> dict[int, tuple[Reason, ...]]:
    """Return why each unserved customer is on no route, by vehicle type."""
    absent = instance.unserved(plan.routes)
    certain = _certain(instance, absent)
    reasons: dict[int, tuple[Reason, ...]] = {}
    num_stops, before = 0, costs_before(instance, plan)
    for node in absent:
        order = order_of(instance, node)
        found = evaluate(instance, plan, order, before=before)
        num_stops += sum(map(len, found.placements.routes))
        if num_stops > MOST_STOPS:
            break
        reasons[node] = _reasons_in(instance, node, found, certain)
    return reasons


def _reasons_in(
    instance: Instance,
    node: int,
    found: Evaluation,
    certain: Mapping[tuple[int, int], set[str]],
) -> tuple[Reason, ...]:
    """Return why an order has none of its places."""
    order, types = order_of(instance, node), found.placements.types
    ends = {end for choice in order for end in choice}
    reasons = [
        reason
        for idx in range(len(instance.vehicle_types))
        for reason in reasons_by(
            instance,
            idx,
            order,
            {k: each.of(types == idx) for k, each in found.broken.items()},
            {kind for end in ends for kind in certain.get((end, idx), ())},
        )
    ]
    of_all = _of_all(instance, reasons)
    # What is said of all vehicles comes first.
    return tuple(
        replace(one, text=of_all[one.text])
        if one.text in of_all
        else _with_type(instance, one)
        for one in sorted(reasons, key=lambda one: one.text not in of_all)
    )


def _of_all(instance: Instance, reasons: Sequence[Reason]) -> dict[str, str]:
    """Return texts that are not about a vehicle type, and what to say.

    That all vehicles are in use says nothing about those on their way.
    """
    if len({one.vehicle_type for one in reasons}) < len(
        instance.vehicle_types
    ):
        return {}  # some vehicle has a place
    texts = {one.text for one in reasons if one.constraint != "vehicles"}
    over = {one.text for one in reasons if one.constraint == "over"}
    left = say(instance, "start", REASON, "left")
    if texts == over:
        ended = say(instance, "over", REASON)
        return {ended: say(instance, "over", REASON, "all")}
    if texts - over == {left}:
        variant = "rest_left" if over else "all_left"
        return {left: say(instance, "start", REASON, variant)}
    end = say(instance, "skill", REASON, "lost", carrier="\n").split("\n")[1]
    return {text: text for text in texts if text.endswith(end)}


def reasons_by(
    instance: Instance,
    idx: int,
    order: Order,
    broken: Mapping[str, Broken],
    certain: Container[str] = (),
) -> Iterator[Reason]:
    """Yield the fewest constraints of which each placement breaks one.

    What is certain comes first, then what explains most placements; the excess
    is that of those which the ones before it leave.
    """
    left = np.ones_like(next(iter(broken.values())).where)
    ranks: dict[str, float] = dict(_RANKS)
    if _has_left(instance, idx, order):
        # The times of others follow from a start that is past.
        ranks["start"] = ranks["over"] + 0.5
    chosen = []
    while left.any():
        kind = max(
            broken,
            key=lambda kind: (
                np.count_nonzero(broken[kind].where & left),
                kind in certain,
                -ranks[kind.split()[0]],
            ),
        )
        where = broken[kind].where & left
        if not where.any():
            return  # there is a place
        excess = None
        by = broken[kind].excess
        if by is not None:
            # Of vehicles that there are, if any.
            used = where & ~broken["vehicles"].where
            excess = float(by[used if used.any() else where].min())
        chosen.append((kind, excess))
        left &= ~where
    if len(chosen) > 1 and instance.vehicle_types[idx].can_reload:
        # Goods are missing only where it has not loaded yet.
        chosen = [pair for pair in chosen if pair[0] != "goods"]
    for kind, excess in chosen:
        is_certain = kind in certain
        if kind == "skill" and IN_SERVICE in _lacking(instance, idx, order):
            kind = "over"
        text = _text(instance, idx, order, kind, excess or 0.0)
        yield Reason(idx, kind, text, excess, is_certain)


def _with_type(instance: Instance, reason: Reason) -> Reason:
    if len(instance.vehicle_types) == 1:
        return reason
    name = type_titles(instance)[reason.vehicle_type]
    return replace(reason, text=f"{name}: {reason}")


def _text(
    instance: Instance, idx: int, order: Order, kind: str, excess: float
) -> str:
    (name, *dimension), variant = kind.split(), ""
    vehicle = instance.vehicle_types[idx]
    lacking = _lacking(instance, idx, order)
    limit = _limit(instance, vehicle, name, order)
    values: dict[str, Any] = {
        **{"limit": limit, "value": limit + excess, "excess": excess},
        **{"breaks": vehicle.breaks, "hours": vehicle.hours, "which": kind},
        "skills": sorted(lacking),
    }
    if name == "capacity":
        place = int(dimension[0]) - 1 if dimension else 0
        values["excess"] = instance.stated_load(round(excess), place)
    elif name == "skill" and (lost := _lost_on(instance, lacking)):
        variant, values["carrier"] = "lost", lost
    elif name == "start" and _has_left(instance, idx, order):
        variant = "without" if vehicle.can_reload else "left"
    elif name == "window" and len([*chain(*order)]) > 1:
        variant = "several"
    elif name == "window" and limit >= NO_LIMIT:
        variant = "far"
    elif name == "over" and IN_SERVICE in lacking:
        states = [each for each in vehicle.skills if each in RETIRED]
        variant, values["state"] = "state", [*states, OUT_OF_SERVICE][0]
    elif name == "hours" and values["hours"].work_block < NO_LIMIT:
        variant = "work"
    elif name == "together" and not _shares_route(instance, order):
        variant = "served"
    elif name == "in_progress":
        values["carrier"] = _carrier(instance, idx, order)
    return say(instance, name, REASON, variant, **values)


def _shares_route(instance: Instance, order: Order) -> bool:
    """Return whether some stop must be on the route of others."""
    stops = {*chain(*order)}
    groups = instance.constraints.same_route if instance.constraints else ()
    return any(not stops.isdisjoint(group) for group in groups)


def _limit(
    instance: Instance, vehicle: VehicleType, name: str, order: Order
) -> float:
    """Return the limit of a constraint; no limit where it has none."""
    limit: float = NO_LIMIT
    if field := CONSTRAINTS[name].field or "tw_late" * (name == "return"):
        limit = getattr(vehicle, field)
    node = order[0][0] if name == "window" else None
    if name == "return" and vehicle.end_depot is not None:
        node = instance.depots[vehicle.end_depot]
    if instance.windows is not None and node is not None:
        limit = min(limit, int(instance.windows.tw_late[node]))
    return limit


def _carrier(instance: Instance, idx: int, order: Order) -> str:
    """Return the vehicle that has goods of an order, other than one's own."""
    [number] = on_board_of(instance, chain.from_iterable(order))
    other = instance.in_progress[number].vehicle_type
    carrier = instance.vehicle_types[other]
    is_one = bool(carrier.name) and carrier.num_available == 1
    is_known = other != idx and is_one
    return type_titles(instance)[other] if is_known else "another vehicle"


def _lost_on(instance: Instance, lacking: Iterable[str]) -> str:
    """Return the failed vehicle that has goods of an order, "" for none."""
    for skill in lacking:
        title = skill.removeprefix(LOST_GOODS[0]).removesuffix(LOST_GOODS[1])
        if title != skill:
            titles = {each.lower(): each for each in type_titles(instance)}
            return titles.get(title, title)
    return ""


def _has_left(instance: Instance, idx: int, order: Order) -> bool:
    """Whether all vehicles of a type left before goods from a depot came."""
    begun = [
        one
        for one in instance.in_progress
        if one.vehicle_type == idx and one.departures
    ]
    ends = [end for choice in order for end in choice]
    is_brought = instance.deliveries[ends].any(axis=1).all()
    count = instance.vehicle_types[idx].num_available
    return bool(is_brought) and len(begun) == count


def _lacking(instance: Instance, idx: int, order: Order) -> set[str]:
    """Return the skills of an order that a vehicle type does not have."""
    if instance.constraints is None or not instance.constraints.skills:
        return set()
    needed = instance.constraints.skills
    nodes = chain.from_iterable(order)
    skills = set(chain.from_iterable(needed[node] for node in nodes))
    return skills - set(instance.vehicle_types[idx].skills)


def _certain(
    instance: Instance, absent: Sequence[int]
) -> dict[tuple[int, int], set[str]]:
    """Return what a customer breaks with each type in every solution."""
    ends = {
        end
        for node in absent
        for choice in order_of(instance, node)
        for end in choice
    }
    groups = () if instance.selection is None else instance.selection.groups
    # Another member of a group may be served.
    alone = sorted(ends.difference(*(group.customers for group in groups)))
    return limits_broken_alone(Arcs(instance), alone)
