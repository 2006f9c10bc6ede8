"""What no plan can do, a row each: the finding, and the limit just kept."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import ncc_routing as nr

Fields = dict[str, Any]
NO = np.inf
NINE_AWAY = [[0, 0], [0, 3], [0, 9]]
FIVE_APART = [[0, 9, 9, 9], [9, 0, 5, 5], [9, 5, 0, 5], [9, 5, 5, 0]]
DETOUR = [[0, 9, 9, 9], [9, 0, 2, 50], [9, 2, 0, 2], [9, 50, 2, 0]]
AT_20: Fields = {"tw_early": [0, 20, 20, 20], "tw_late": [99, 25, 25, 25]}
NEAR_2: Fields = {"matrix": [[0, 4, 50], [4, 0, 4], [50, 4, 0]]}


@pytest.mark.parametrize(
    ("capacity", "message"),
    [
        (2, "its demand of 2.25 exceeds the largest capacity, 2 "),
        (3, "demands add up to 4.5, more than the capacity of 3 of"),
    ],
)
def test_loads_are_those_of_the_table(capacity: int, message: str) -> None:
    """Inside they count in hundredths."""
    rows = [(0, ""), (1, 2.25), (2, 2.25)]
    table = [{"id": x, "x": x, "y": 0, "demand": load} for x, load in rows]
    vans = [{"name": "van", "number": 1, "capacity": capacity}]
    with pytest.raises(nr.InfeasibleError, match=re.escape(message)):
        nr.solve(nr.read(table, vans))
    instance = nr.read(table, capacity=3)
    broken, *_ = nr.check_solution(instance, nr.Solution(((1, 2),), 4.0))
    assert broken.message == "route 1 carries 4.5 of 3"


def case(
    demands: list[int], *vehicles: Fields, ids: Any = None, **more: Any
) -> nr.Instance:
    """Return a problem named case; ``more`` are arcs and times of nodes."""
    size = len(demands) + 1
    arcs: Fields = {
        k: np.array(more.pop(k)) for k in ("coords", "matrix") & more.keys()
    }
    fleet = nr.Fleet(tuple(nr.VehicleType(**each) for each in vehicles))
    return nr.Instance(
        "case",
        np.array([0, *demands]),
        fleet=fleet,
        windows=nr.TimeWindows.of(size, **more) if more else None,
        ids=ids,
        **arcs,
    )


def nine(vehicle: Fields | None = None, **times: Any) -> nr.Instance:
    """Return a depot, a customer 3 away, and one with a demand 9 away."""
    return case(
        [0, 1],
        {"capacity": 5, **(vehicle or {})},
        ids=("home", "1st", "Main St"),
        coords=NINE_AWAY,
        **times,
    )


def lone(demand: int, *vehicles: Fields) -> nr.Instance:
    """Return one customer 9 away."""
    return case([demand], *vehicles, coords=[[0, 0], [0, 9]])


def three(matrix: Any, vehicle: Fields, **times: Any) -> nr.Instance:
    """Return three customers of 1."""
    kind = {"capacity": 5, **vehicle}
    names = ("yard", "A", "B", "C")
    return case([1, 1, 1], kind, ids=names, matrix=matrix, **times)


def star(demands: list[int], *types: tuple[int, int | None]) -> nr.Instance:
    """Return customers 1 apart, and types of capacity and number."""
    size = len(demands) + 1
    kinds = [{"capacity": c, "num_available": n} for c, n in types]
    return case(demands, *kinds, matrix=np.ones((size, size)) - np.eye(size))


def six(*vehicles: Fields) -> nr.Instance:
    """Return three demands of 5 and three of 1; services are 2, arcs 1."""
    services = {"service_durations": [0, *[2] * 6]}
    arcs = np.ones((7, 7)) - np.eye(7)
    return case([5, 5, 5, 1, 1, 1], *vehicles, matrix=arcs, **services)


def van(**changes: Any) -> Fields:
    """Return two vehicles that carry all six."""
    return {"capacity": 18, "num_available": 2, **changes}


def fork(demand: int, **times: Any) -> nr.Instance:
    """Return customers who want the one van; five bikes carry 2."""
    types = [
        {"capacity": 9, "num_available": 1, "name": "van"},
        {"capacity": 2, "num_available": 5, "name": "bike"},
    ]
    return case([4, demand, 1], *types, matrix=FIVE_APART, **times)


class Row(NamedTuple):
    """A problem that has no plan, why, and the same just within the limit."""

    kind: str
    message: str
    broken: nr.Instance
    kept: nr.Instance
    customers: tuple[int, ...] = (2,)
    numbers: Fields = {}  # noqa: RUF012 (never changed)


AT_12 = nr.Break(5, ((12, 12),))
MAIN = "no vehicle can serve customer 2 (id Main St): "
ONE = "no vehicle can serve customer 1: "
PAIRS = "no two of 3 customers fit into one route by their windows, loads and "
ABC = "customer 1 (id A), customer 2 (id B), customer 3 (id C)"

ROWS = [
    Row(
        "window",
        MAIN + "it is reached at 9 at the earliest, after its window from 0 "
        "to 8",
        nine(tw_late=[100, 50, 8]),
        nine(tw_late=[100, 50, 9]),
    ),
    Row(
        "window",
        MAIN + "it is reached at 59 at the earliest, after its window from 0 "
        "to 58",
        nine(tw_late=[100, 50, 58], release_times=[0, 0, 50]),
        nine(tw_late=[100, 50, 59], release_times=[0, 0, 50]),
    ),
    Row(
        "return",
        MAIN + "a vehicle is back at 18 at the earliest, after its end at 17",
        nine({"tw_late": 17}),
        nine({"tw_late": 18}),
    ),
    Row(
        "release",
        MAIN + "its goods are released at 21, after the latest start at 20",
        nine({"start_late": 20}, release_times=[0, 0, 21]),
        nine({"start_late": 20}, release_times=[0, 0, 20]),
    ),
    Row(
        "shift",
        MAIN + "its route alone takes 20, with shifts of at most 19.5",
        nine({"shift_duration": 19.5}, service_durations=[0, 0, 2]),
        nine({"shift_duration": 20}, service_durations=[0, 0, 2]),
    ),
    Row(  # 10 to 59: who starts until 10 waits for the window from 50 on
        "shift",
        MAIN + "its route alone takes 49, with shifts of at most 48",
        nine({"start_late": 10, "shift_duration": 48}, tw_early=[0, 0, 50]),
        nine({"start_late": 10, "shift_duration": 49}, tw_early=[0, 0, 50]),
        numbers={"duration": 49},
    ),
    Row(
        "distance",
        MAIN + "its route alone is 18 long, with a maximum distance of 17",
        nine({"max_distance": 17}),
        nine({"max_distance": 18}),
    ),
    Row(  # the van is in time and too far away, the bike is late
        "distance",
        ONE + "its route alone is 18 long, with a maximum distance of 17 "
        "(vehicle type 1, van)",
        lone(
            3,
            {"capacity": 3, "tw_late": 10},
            {"capacity": 5, "max_distance": 17, "name": "van"},
        ),
        lone(
            3,
            {"capacity": 3, "tw_late": 10},
            {"capacity": 5, "max_distance": 18},
        ),
        (1,),
    ),
    Row(
        "demand",
        ONE + "its demand of 4 is above 3, the largest capacity of the "
        "vehicles that could serve it otherwise; of the larger ones, a "
        "vehicle is back at 18 at the earliest, after its end at 17 (vehicle "
        "type 1)",
        lone(4, {"capacity": 3}, {"capacity": 5, "tw_late": 17}),
        lone(3, {"capacity": 3}, {"capacity": 5, "tw_late": 17}),
        (1,),
    ),
    Row(  # 50 away, and 4 + 4 over customer 1, whose service takes 1
        "window",
        "no vehicle can serve customer 2: it is reached at 9 at the earliest, "
        "after its window from 0 to 8",
        case(
            *([1, 1], {"capacity": 5}),
            **NEAR_2,
            tw_late=[100, 100, 8],
            service_durations=[0, 1, 0],
        ),
        case(
            *([1, 1], {"capacity": 5}),
            **NEAR_2,
            tw_late=[100, 100, 9],
            service_durations=[0, 1, 0],
        ),
        numbers={"earliest_arrival": 9},
    ),
    Row(
        "arc",
        "no vehicle can serve customer 1: forbidden arcs leave no path there "
        "from a depot, or none back",
        case([1], {"capacity": 1}, matrix=[[0, NO], [1, 0]]),
        case([1], {"capacity": 1}, matrix=[[0, 1], [1, 0]]),
        (1,),
    ),
    Row(
        "group",
        "forbidden arcs leave no path there from a depot, or none back, to 2 "
        "customers that are connected with each other: customer 1, customer 2",
        case([1, 1], {}, matrix=[[0, NO, NO], [NO, 0, 1], [1, 1, 0]]),
        case([1, 1], {}, matrix=[[0, 1, NO], [NO, 0, 1], [1, 1, 0]]),
        (1, 2),
    ),
    Row(
        "fleet-load",
        "the demands add up to 15, more than the capacity of 14 of the 2 "
        "vehicles that can carry them",
        star([5, 5, 5], (7, 2)),
        star([3, 4, 4, 3], (7, 2)),
        (),
    ),
    Row(
        "fleet-load",
        "the demands above 1 add up to 20, more than the capacity of 10 of "
        "the 1 vehicle that can carry them",
        star([10, 10], (10, 1), (1, 10)),
        star([10, 1, 1], (10, 1), (1, 2)),
        (1, 2),
    ),
    Row(
        "fleet-load",
        "the 2 vehicles that can carry a demand of 6 or more can carry only 2 "
        "of the 3 customers with such a demand",
        star([6, 6, 6], (10, 2)),
        star([6, 6], (10, 2)),
        (1, 2, 3),
    ),
    Row(
        "fleet-load",
        "the demands above 3 add up to 21, more than the capacity of 19 of "
        "the 3 vehicles that can carry them",
        star([4, 4, 4, 9, 1], (9, 1), (5, 2), (3, None)),
        star([9, 9, 9], (9, None), (1, 1)),
        (1, 2, 3, 4),
    ),
    Row(  # six services of 2 and at least seven arcs are 19, not twice 9
        "fleet-time",
        "services and shortest arcs of the 6 customers take 19 together, more "
        "than the 18 of 2 vehicles",
        six(van(shift_duration=9)),
        six(van(shift_duration=10)),
        (),
        {"least": 19, "available": 18, "vehicles": 2},
    ),
    Row(
        "fleet-time",
        "services and shortest arcs of the 3 customers with demands above 4 "
        "take 10 together, more than the 9 of 1 vehicle",
        six(van(num_available=1, shift_duration=9), {"capacity": 4}),
        six(van(num_available=1, shift_duration=10), {"capacity": 4}),
        (1, 2, 3),
    ),
    Row(  # 9 there, 9 back, and a break of 5 from 4 to 9
        "break",
        MAIN + "the break of 5 between 4 and 9 cannot fit into its route "
        "alone",
        nine({"breaks": (nr.Break(5, ((4, 9),)),), "tw_late": 22}),
        nine({"breaks": (nr.Break(5, ((4, 9),)),), "tw_late": 23}),
        (2,),
        {"latest_return": 22, "earliest_end": 23},
    ),
    Row(  # it is reached at 9, before the break, or at 14
        "break",
        MAIN + "the break of 5 between 0 and 9 or between 19 and 29 cannot "
        "fit into its route alone",
        nine(
            {"breaks": (nr.Break(5, ((0, 9), (19, 29))),), "tw_late": 44},
            tw_early=[0, 0, 10],
            tw_late=[99, 99, 13],
            service_durations=[0, 0, 20],
        ),
        nine(
            {"breaks": (nr.Break(5, ((0, 9), (19, 30))),), "tw_late": 44},
            tw_early=[0, 0, 10],
            tw_late=[99, 99, 13],
            service_durations=[0, 0, 20],
        ),
    ),
    Row(
        "fleet-break",
        "vehicle type 0 (name van) can drive no route: the break from 12 to "
        "17 cannot fit into its shift from 0 to 16",
        nine(
            {
                "breaks": (nr.Break(5, ((12, 12),)),),
                "tw_late": 16,
                "name": "van",
            }
        ),
        nine(
            {
                "breaks": (nr.Break(5, ((12, 12),)),),
                "tw_late": 23,
                "name": "van",
            }
        ),
        (),
        {"closes": 16},
    ),
    Row(
        "fleet-distance",
        "the shortest arcs to the 6 customers are 7 long together, more than "
        "the 6 that 2 vehicles may drive",
        six(van(max_distance=3)),
        six(van(max_distance=4)),
        (),
    ),
    Row(
        "fleet-pairs",
        f"{PAIRS}travel, with only 2 vehicles: {ABC}",
        three(
            *(FIVE_APART, {"num_available": 2}),
            **AT_20,
            service_durations=[0, 1, 1, 1],
        ),
        three(FIVE_APART, {"num_available": 2}, **AT_20),
        (1, 2, 3),
    ),
    Row(  # from A to C are 50, and 2 + 2 over B
        "fleet-pairs",
        PAIRS.replace("3", "2") + "travel, with only 1 vehicle: customer 1 "
        "(id A), customer 3 (id C)",
        three(
            *(DETOUR, {"num_available": 1}),
            tw_early=[0, 20, 20, 20],
            tw_late=[99, 23, 99, 23],
        ),
        three(
            *(DETOUR, {"num_available": 1}),
            tw_early=[0, 20, 20, 20],
            tw_late=[99, 24, 24, 24],
        ),
        (1, 3),
    ),
    Row(
        "fleet-pairs",
        PAIRS.replace("3", "2") + "travel, with only 1 vehicle that can carry "
        "demands above 2: customer 1, customer 2",
        fork(3, tw_early=[0, 20, 20, 20], tw_late=[99, 20, 20, 20]),
        fork(2, tw_early=[0, 20, 20, 20], tw_late=[99, 20, 20, 20]),
        (1, 2),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.kind)
def test_the_limit_is_named_and_just_kept(row: Row) -> None:
    """With customers, ids and numbers, and as ``solve`` says it at once."""
    [found] = nr.diagnose(row.broken).fatal
    assert (found.kind, found.customers) == (row.kind, row.customers)
    ids = row.broken.ids
    assert found.ids == tuple(
        str(node) if ids is None else ids[node] for node in row.customers
    )
    assert found.message == row.message
    assert {name: found.numbers[name] for name in row.numbers} == row.numbers
    with pytest.raises(nr.InfeasibleError) as error:
        nr.solve(row.broken, time_limit=60.0)
    assert str(error.value) == f"case: {row.message}."
    assert error.value.solution is None
    assert nr.diagnose(row.kept).fatal == ()
    kept = nr.solve(row.kept, stop=nr.stop.MaxIterations(50))
    assert nr.check_solution(row.kept, kept.best) == []


@pytest.mark.parametrize(
    ("instance", "kinds"),
    [
        (star([0, 0], (1, 1)), []),
        (star([9, 9, 9], (2**60, 2**60), (2**60, 1)), []),
        # Loads for two routes are eight arcs, and three of 5 do not fit.
        (
            six(van(capacity=9, tw_late=9, shift_duration=9)),
            ["fleet-load", "fleet-time", "fleet-pairs"],
        ),
        (three(FIVE_APART, van(shift_duration=23)), []),
        (three(FIVE_APART, van(max_distance=23)), []),
        (three(FIVE_APART, van(shift_duration=22)), ["fleet-pairs"]),
        (three(FIVE_APART, van(max_distance=22)), ["fleet-pairs"]),
        # Nobody can be served from a vehicle that starts after its depot.
        (nine({"tw_early": 10}, tw_late=[9, 50, 50]), ["start", "start"]),
        (nine({"tw_early": 10}, tw_late=[28, 50, 50]), []),
    ],
)
def test_several_limits_at_once(instance: nr.Instance, kinds: Any) -> None:
    """Each is found, and nothing else."""
    assert [each.kind for each in nr.diagnose(instance).fatal] == kinds


def test_what_a_limit_counts() -> None:
    """Two routes have eight arcs; a depot may close before a shift begins."""
    two = six(van(capacity=9, tw_late=9, shift_duration=9))
    least = {one.kind: one.numbers for one in nr.diagnose(two).fatal}
    assert least["fleet-time"]["least"] == 20
    early = nine({"tw_early": 10}, tw_late=[9, 50, 50])
    assert nr.diagnose(early).fatal[1].message == (
        f"{MAIN}its vehicle starts at 10 at the earliest, after its depot "
        "closes at 9"
    )


def test_vehicles_that_never_drive() -> None:
    """A break outside of the shift is a warning, as others drive."""
    never = {"capacity": 5, "breaks": (AT_12,), "tw_early": 13}
    instance = lone(1, never, {"capacity": 5})
    kinds = {one.kind: one.is_fatal for one in nr.diagnose(instance).findings}
    assert kinds["fleet-break"] is False
    assert "into its shift from 13 on" in str(nr.diagnose(instance))
    assert nr.solve(instance, nr.stop.MaxIterations(9)).best.vehicle_types == (
        1,
    )


def test_a_service_longer_than_the_shift_is_told() -> None:
    """The vehicle would be back at 9 + 31 + 9; its shift is 30 long."""
    vehicle = {"tw_early": 0, "tw_late": 30}
    instance = nine(vehicle, service_durations=[0, 0, 31])
    [found] = nr.diagnose(instance).fatal
    assert found.message == (
        f"{MAIN}its service takes 31, longer than the time from 0 to the end "
        "at 30"
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    assert [each.message for each in nr.check_solution(instance, plan)] == [
        "route 1 reaches its depot 19 too late: the service at customer 2 "
        "(id Main St) takes 31, longer than the shift of 30"
    ]
    instance = nine(vehicle, service_durations=[0, 0, 30])
    [found] = nr.diagnose(instance).fatal
    assert "a vehicle is back at 48 at the earliest" in found.message


def test_times_are_told_as_the_user_writes_them() -> None:
    """Opens at 14:00, 9 minutes away, 5 minutes of service."""
    rows = [
        {"id": "home", "x": 0, "y": 0},
        {"id": "Miller", "x": 0, "y": 9000, "open": "14:00", "service": 300},
    ]
    vans = [{"capacity": 5, "shift end": "14:00"}]
    instance = nr.read(rows, vans, speed="60km/h", time_unit="s")
    [found] = nr.diagnose(instance).fatal
    assert found.message == (
        "no vehicle can serve customer 1 (id Miller): its window opens at "
        "14:00, and a vehicle is back at 14:14 at the earliest, after its end "
        "at 14:00"
    )
    assert found.numbers["earliest_return"] == 14 * 3600 + 840
    assert found.numbers["latest_return"] == found.numbers["opens"]
    assert "closes" not in found.numbers  # there is no limit


def test_of_many_customers_each_is_found() -> None:
    """Customers 2 to 5 are too far; ``solve`` names the first."""
    instance = case(
        [1] * 5,
        {"capacity": 5, "max_distance": 10},
        coords=[[0, y] for y in (0, 1, 6, 7, 8, 9)],
    )
    found = nr.diagnose(instance).fatal
    assert [each.customers for each in found] == [(2,), (3,), (4,), (5,)]
    assert [each.numbers["distance"] for each in found] == [12, 14, 16, 18]
    with pytest.raises(nr.InfeasibleError) as error:
        nr.solve(instance)
    assert str(error.value).endswith("of 10 (and 3 more: see diagnose).")
    assert error.value.absent == ("2", "3", "4", "5")
