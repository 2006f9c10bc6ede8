"""Random days that are driven and changed, against a simulation of goods."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from tests.oracles.checker import Checker
from tests.oracles.driven_day import Order, Row, World
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from ncc_routing.problems.routes.unserved import Reason

STOP = nr.stop.MaxIterations(60)
PREFERS = 0.2
SCALE = 60
"""Largest coordinate of a random day."""

SHORT_HOURS = nr.HoursOfService(
    driving_block=90,
    rest=20,
    first_part=5,
    second_part=15,
    work_block=140,
    rest_in_all=((140, 10), (240, 20)),
)


def random_breaks(rng: np.random.Generator) -> tuple[nr.Break, ...]:
    """Return breaks of different lengths, or none."""
    count = int(rng.choice([0, 0, 1, 2]))
    opens = rng.integers(0, 200, count).tolist()
    return tuple(
        nr.Break(5 + 5 * number, ((early, early + 150),))
        for number, early in enumerate(opens)
    )


def random_day(rng: np.random.Generator) -> nr.Instance:
    """Return deliveries, pickups, shipments, windows, breaks and reloads."""
    num, depots = int(rng.integers(4, 14)), int(rng.integers(1, 3))
    size = num + depots
    is_depot = np.isin(np.arange(size), [0, *range(num + 1, size)])
    num_ends = 2 * int(rng.integers(0, num // 2)) * (rng.random() < 0.5)
    ends = rng.permutation(np.arange(1, num + 1))[:num_ends].tolist()
    amounts = np.where(is_depot, 0, rng.integers(1, 6, size))
    amounts[ends] = 0
    is_pickup = rng.random(size) < rng.choice([0.0, 0.3])
    early = rng.integers(0, 300, size) * (rng.random(size) < 0.4)
    early[is_depot] = 0
    late = np.minimum(early + rng.integers(60, 300, size), 600)
    setup = rng.integers(0, 12, size) * ~is_depot * (rng.random() < 0.3)
    setups = tuple((rng.integers(0, 12, size) * ~is_depot).tolist())
    types = [
        nr.VehicleType(
            name=f"v{idx}",
            capacity=int(rng.integers(8, 20)),
            num_available=int(rng.integers(1, 4)),
            start_depot=int(rng.integers(depots)),
            end_depot=None
            if rng.random() < 0.1
            else int(rng.integers(depots)),
            fixed_cost=int(rng.integers(0, 30)),
            shift_duration=int(rng.integers(200, 600)),
            reload_depots=(0,) if rng.random() < 0.5 else (),
            tw_early=int(rng.integers(0, 60)),
            tw_late=int(rng.integers(400, 700)),
            breaks=random_breaks(rng),
            setup_durations=setups if rng.random() < 0.2 else (),
            hours_of_service=SHORT_HOURS if rng.random() < 0.2 else None,
        )
        for idx in range(int(rng.integers(1, 4)))
    ]
    deliveries = np.where(is_pickup, 0, amounts)
    return nr.Instance(
        demands=deliveries,
        coords=rng.integers(0, SCALE, (size, 2)),
        ids=tuple(f"o{node}" for node in range(size)),
        num_depots=depots,
        fleet=nr.Fleet(tuple(types)),
        loads=nr.Loads(deliveries[:, None], (amounts - deliveries)[:, None]),
        shipments=tuple(
            nr.Shipment(*pair, (int(rng.integers(1, 5)),))
            for pair in zip(ends[::2], ends[1::2], strict=True)
        ),
        windows=nr.TimeWindows(
            early,
            np.where(is_depot, 900, late),
            rng.integers(0, 15, size),
            np.zeros(size, dtype=int),
            setup_durations=setup,
        ),
    )


def preferring(rng: np.random.Generator, day: nr.Instance) -> nr.Instance:
    """Return a day with preferred windows, and without hours of service."""
    size, windows, fleet = len(day.demands), day.windows, day.fleet
    assert windows is not None
    assert fleet is not None
    opens = rng.integers(0, 400, size).tolist()
    preferred = [
        None if node in day.depots or node % 3 == 0 else (early, early + 60)
        for node, early in enumerate(opens)
    ]
    prices: Any = {"preferred": preferred, "late_costs": 1.5}
    times = replace(windows, **prices)
    paid = int(rng.integers(0, 2))
    types = tuple(
        replace(one, hours_of_service=None, unit_duration_cost=paid)
        for one in fleet.types
    )
    return replace(day, windows=times, fleet=nr.Fleet(types))


def world_of(day: nr.Instance) -> World:
    """Return the orders of a day before it begins."""
    assert day.loads is not None
    names = day.node_ids
    both = zip(day.loads.delivery, day.loads.pickup, strict=True)
    orders = {
        name: Order(int(gets[0]), int(gives[0]))
        for name, (gets, gives) in zip(names, both, strict=True)
    }
    for one in day.shipments:
        orders[names[one.pickup]].pickup = one.amount[0]
        orders[names[one.delivery]].delivery = one.amount[0]
        orders[names[one.delivery]].source = names[one.pickup]
    depots = {names[depot] for depot in day.depots}
    return World({k: o for k, o in orders.items() if k not in depots}, depots)


def rows_of(result: nr.Result) -> list[Row]:
    """Return the rows of its routes."""
    rows: list[Row] = result.to_dataframe(clock=False).to_dict("records")
    return [row for row in rows if row["kind"] != "unserved"]


def moments(rows: list[Row], now: float) -> list[float]:
    """Return times from now on at which something begins or ends."""
    names = ("arrival", "service_start", "departure")
    times = {
        row[name] + more for row in rows for name in names for more in (0, 1)
    }
    return sorted(time for time in times if time >= now)


def random_changes(
    rng: np.random.Generator, result: nr.Result, world: World
) -> list[Any]:
    """Return what may happen now, and let the world know."""
    now, rows, changes = int(world.now), rows_of(result), list[Any]()
    begins = {
        r["id"]: r["service_start"] for r in rows if r["kind"] == "customer"
    }
    free = [name for name in world.orders if begins.get(name, now) >= now]
    rng.shuffle(free)
    titles = list(dict.fromkeys((r["route"], r["vehicle_name"]) for r in rows))
    for number in range(int(rng.integers(0, 3))):
        x, y = rng.integers(1, SCALE, 2).tolist()
        amounts = int(rng.integers(5)), int(rng.choice([0, 0, 3]))
        name = f"n{len(rows)}_{now}_{number}"
        name += "x" * (name in result.instance.node_ids)
        row = {"id": name, "x": x, "y": y}
        row |= dict(zip(("demand", "pickup"), amounts, strict=True))
        changes.append(nr.changes.AddOrder(row))
        world.add(name, Order(*amounts))
    for name in free[:1]:
        opens = now + int(rng.integers(-30, 60))
        if rng.random() < 0.3:
            changes.append(
                nr.changes.Window(name, [max(0, opens), max(1, opens) + 60])
            )
    for name in free[1:2]:
        if rng.random() < 0.3:
            changes.append(nr.changes.Cancel(name))
    if titles and rng.random() < 0.3:
        number, _ = titles[int(rng.integers(len(titles)))]
        changes.append(nr.changes.Late(number, int(rng.integers(1, 60))))
    if titles and rng.random() < 0.3:
        number, _ = titles[int(rng.integers(len(titles)))]
        changes.append(
            nr.changes.OutOfService(number, bool(rng.random() < 0.5))
        )
    if rng.random() < 0.1:
        taxi = nr.VehicleType(name=f"taxi{now}", capacity=9, num_available=1)
        changes.append(nr.changes.AddVehicle(taxi))
    return changes


def tell(world: World, rows: list[Row], changes: list[Any]) -> None:
    """Let the world know of cancellations and vehicles out of service."""
    for change in changes:
        if isinstance(change, nr.changes.Cancel):
            world.cancel(change.id)
        elif isinstance(change, nr.changes.OutOfService):
            for van in world.vans:
                is_home = not van.plan[len(van.rows) :]
                if van.plan[0]["route"] == change.vehicle and not is_home:
                    world.stop(van, transfer=change.transfer)


TIMES = {"window", "break", "hours", "shift"}
"""Kinds that are told apart by how a route is driven."""

MEANT = {
    **dict.fromkeys(("window", "later-windows", "start", "return"), TIMES),
    **dict.fromkeys(("break", "hours", "shift"), TIMES),
    "skill": {"skill"},
    "over": {"skill", "in_progress"},
    "in_progress": {"in_progress"},
    "capacity": {"capacity"},
    "vehicles": {"vehicles"},
}
"""Violations that each constraint of a reason stands for."""


def require_reasons(after: nr.Result, world: World) -> None:
    """Require of each place for who is left out that a reason is true there.

    Shipments that are not on board have two places, and are passed over.
    """
    instance, plan = after.instance, after.best
    pairs = {e for s in instance.shipments for e in (s.pickup, s.delivery)}
    driven = list(zip(plan.routes, plan.vehicle_types, strict=True))
    for one in after.unserved:
        order = world.orders[one.id]
        if one.customer in pairs:
            continue
        given: dict[int, set[str]] = {}
        for reason in one.reasons:
            kinds = MEANT[reason.constraint]
            given[reason.vehicle_type] = (
                given.get(reason.vehicle_type, set()) | kinds
            )
            require_names(reason, order, instance)
        for idx in range(len(instance.vehicle_types)):
            tries = [[*driven, ((one.customer,), idx)]]
            for number, (route, own) in enumerate(driven):
                begun = instance.begun(route, own)
                first = len(begun.stops(instance.depots)) if begun else 0
                for place in range(first, len(route) + 1):
                    if own == idx:
                        more = (*route[:place], one.customer, *route[place:])
                        tries.append([*driven])
                        tries[-1][number] = (more, idx)
            for tried in tries:
                routes, types = zip(*tried, strict=True)
                found = nr.check_solution(
                    instance, nr.Solution.from_routes(instance, routes, types)
                )
                kinds = {each.kind for each in found} - {"missing"}
                assert kinds & given.get(idx, set()), (one, idx, tried, found)


def require_names(
    reason: Reason,
    order: Order,
    instance: nr.Instance,
) -> None:
    """Require the vehicle that a reason names to be the one with the goods."""
    text = str(reason)
    fleet = instance.fleet
    assert fleet is not None
    listed = fleet.all_vehicles(instance.num_customers)
    names = [fleet.types[idx].name for idx in listed]

    def title(vehicle: int) -> str:
        own = names[vehicle - 1]
        rank = names[:vehicle].count(own)
        return own if names.count(own) == 1 else f"{own} {rank}"

    if reason.constraint == "in_progress":
        number = order.place.rows[0]["vehicle"]
        others = [k for k in listed if k == reason.vehicle_type]
        assert listed[number - 1] != reason.vehicle_type or len(others) > 1
        who = (title(number), names[number - 1], "another vehicle")
        assert text.endswith(tuple(f"on board {each}" for each in who))
    if "goods on board" in text and "out of service" in text:
        said = f"goods on board {title(order.lost_by)} ("
        assert said in text


FOUND = (102, 408, 775, 933)
"""Seeds of days that were wrong, each for another reason."""


@pytest.mark.parametrize("seed", [*FOUND, *seeds(1000, step=97)])
def test_random_days(seed: int) -> None:
    """There is always a plan, what was is so, and no goods jump."""
    rng = np.random.default_rng(seed)
    day = random_day(rng)
    day = preferring(rng, day) if rng.random() < PREFERS else day
    result = nr.solve(day, STOP, allow_unserved=True)
    world = world_of(day)
    for _ in range(3):
        rows = rows_of(result)
        times = moments(rows, world.now)
        if not times:
            return
        now = times[int(len(times) * rng.random() ** 2)]
        world.drive(rows, now)
        changes = random_changes(rng, result, world)
        after = nr.replan(result, changes, STOP, now=now)
        tell(world, rows, changes)
        world.require(rows_of(after))
        names = {row["id"] for row in rows_of(after)}
        left_out = {one.id for one in after.unserved}
        assert left_out == world.orders.keys() - names
        is_full = all(
            isinstance(
                one,
                nr.changes.AddOrder
                | nr.changes.Cancel
                | nr.changes.AddVehicle,
            )
            for one in changes
        )
        require_reasons(after, world)
        if is_full:
            assert not any(one.was_planned for one in after.unserved)
        result = nr.Result.from_json(after.to_json())


def random_rest(rng: np.random.Generator) -> nr.Instance:
    """Return a van that has served 1, with goods for 2 and 3 on board.

    It may be at the depot twice more; 4 and 5 get and give something as well.
    """
    size = 6
    gets, gives = rng.integers(0, 7, (2, size))
    gets[[0, 5]], gives[:5] = 0, 0
    begun = nr.InProgressRoute(
        *(0, (1,), (0, 70)),
        on_board=(2, 3),
        undelivered=((int(rng.integers(0, 3)),),),
    )
    lunch = nr.Break(5, ((80, 300),), max_load=(int(rng.integers(0, 9)),))
    van = nr.VehicleType(
        capacity=int(rng.integers(9, 15)),
        num_available=1,
        reload_depots=(0,),
        max_reloads=2,
        breaks=(lunch,) if rng.random() < 0.4 else (),
    )
    return nr.Instance(
        demands=gets,
        coords=rng.integers(0, 40, (size, 2)),
        fleet=nr.Fleet((van,)),
        loads=nr.Loads(gets[:, None], gives[:, None]),
        windows=nr.TimeWindows.of(
            size, tw_late=np.where(rng.random(size) < 0.3, 160, 900)
        ),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )


def least_cost(instance: nr.Instance) -> float:
    """Return that of the routes that keep all rules, all of them tried.

    The check has to agree. No search looks for an empty trip before a break
    with a largest load.
    """
    judge, least = Checker(instance), math.inf
    for order in permutations((2, 3, 4, 5)):
        for calls in product((0, 1), repeat=4):
            if sum(calls) > 2:
                continue
            rest = [
                stop
                for at, node in zip(calls, order, strict=True)
                for stop in (*[0] * at, node)
            ]
            alone = nr.Solution.from_routes(instance, [[1, *rest]], [0])
            cost = judge.plan_cost(alone)
            assert bool(nr.check_solution(instance, alone)) == (
                cost == math.inf
            )
            least = min(least, cost)
    return least


@pytest.mark.parametrize("seed", seeds(300))
def test_goods_on_board_are_brought_at_least_cost(seed: int) -> None:
    """Also where they have to come off at the depot first."""
    instance = random_rest(np.random.default_rng(seed))
    least = least_cost(instance)
    if least == math.inf:
        with pytest.raises(nr.InfeasibleError):
            nr.solve(instance, nr.stop.MaxIterations(500))
        return
    assert nr.solve(instance, nr.stop.MaxIterations(500)).cost == least


def test_what_is_on_board_is_delivered_before_a_reload() -> None:
    """A picked-up shipment has no place behind a call at the depot."""
    van = nr.VehicleType(
        capacity=10, num_available=1, reload_depots=(0,), max_reloads=2
    )
    begun = nr.InProgressRoute(0, (1, 2), ())
    instance = nr.Instance(
        "day",
        np.array([0, 4, 0, 0, 7]),
        coords=np.array([[0, 0], [-10, 0], [-30, 0], [30, 0], [15, 0]]),
        fleet=nr.Fleet((van,)),
        shipments=(nr.Shipment(2, 3, (3,)),),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    found = nr.solve(instance, nr.stop.MaxIterations(50))
    assert found.routes == ((1, 2, 3, 0, 4),)
    assert found.cost == 150
