"""What a route takes, begun at known times or not, and what it breaks."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr


def line(
    begun: dict[str, Any] | None,
    van: dict[str, Any] | None = None,
    **times: Any,
) -> nr.Instance:
    """Return customers at 10, 20 and 30, who take 2.

    The first two have been served, or as many as there are departures. Time
    costs 1 a unit, ways nothing.
    """
    given: dict[str, Any] = {
        "capacity": 9,
        "unit_distance_cost": 0,
        "unit_duration_cost": 1,
        **(van or {}),
    }
    rules = None
    if begun is not None:
        customers = (1, 2)[: len(begun["departures"]) - 1]
        one = nr.InProgressRoute(0, **{"customers": customers, **begun})
        rules = nr.RouteConstraints(in_progress=(one,))
    return nr.Instance(
        demands=np.array([0, 1, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [20, 0], [30, 0]]),
        fleet=nr.Fleet((nr.VehicleType(**given),)),
        windows=nr.TimeWindows.of(
            4, **{"service_durations": [0, 2, 2, 2], **times}
        ),
        constraints=rules,
    )


def driven(
    instance: nr.Instance, *routes: list[int]
) -> tuple[float, float, list[str]]:
    """Return the start, the duration, and what is wrong, of a first route."""
    given = routes or ([1, 2, 3],)
    plan = nr.Solution.from_routes(instance, given)
    schedules = plan.schedules(instance)
    assert plan.cost == sum(one.duration for one in schedules)
    found = nr.check_solution(instance, plan)
    return (
        schedules[0].start,
        schedules[0].duration,
        [violation.message for violation in found],
    )


@pytest.mark.parametrize(
    ("departures", "start", "begins", "end"),
    [
        ((5, 20, 32), 5, (18, 30), 74),  # as they were
        ((5, 20, 40), 5, (18, 38), 82),
        ((0, 12, 15), 0, (10, 13), 57),  # quicker than the ways
        ((0, 11, 12), 0, (9, 11), 54),  # a service cut short
        ((None, 20, None), 8, (18, 30), 74),  # back by 10 and 2
        ((None, 7, None), 0, (5, 17), 61),
        ((None, None, 32), 8, (18, 30), 74),
        ((None, None, 15), 0, (10, 13), 57),
        ((None, None, 11), 0, (9, 11), 53),
        ((3, None, 40), 3, (13, 38), 82),
        ((3, None, 11), 3, (9, 11), 53),
        ((3, None, None), 3, (13, 25), 69),
    ],
)
def test_times_that_are_not_known_follow(
    departures: tuple[float | None, ...],
    start: float,
    begins: tuple[float, float],
    end: float,
) -> None:
    """From the last one known, it is 10 to each of the rest, and 30 home.

    The begins of the past cost 1 and 100 a unit, if nobody wants to wait.
    """
    begun = {"departures": departures}
    assert driven(line(begun)) == (start, end - start, [])
    wanted = line(
        begun,
        preferred=[None, (0, 0), (0, 0), None],
        late_costs=[0, 1, 100, 0],
    )
    plan = nr.Solution.from_routes(wanted, [[1, 2, 3]])
    assert plan.cost == end - start + begins[0] + 100 * begins[1]
    assert nr.check_solution(wanted, plan) == []
    wanted = line(
        begun,
        preferred=[None, (50, 50), (50, 50), None],
        early_costs=[0, 1, 100, 0],
    )
    plan = nr.Solution.from_routes(wanted, [[1, 2, 3]])
    assert plan.cost == end - start + 50 - begins[0] + 100 * (50 - begins[1])
    assert nr.check_solution(wanted, plan) == []


def test_who_is_traced_back_has_not_waited() -> None:
    """Before 32, the first was served from 18 on, although it opens at 20."""
    instance = line(
        {"departures": (None, None, 32)},
        tw_early=[0, 20, 0, 0],
        preferred=[None, (20, 20), None, None],
        early_costs=[0, 1, 0, 0],
    )
    plan = nr.Solution.from_routes(instance, [[1, 2, 3]])
    assert plan.cost == 66 + 2
    assert nr.check_solution(instance, plan) == []


@pytest.mark.parametrize(
    ("begun", "end"),
    [
        ({"departures": (0, None, None)}, 66),
        ({"departures": (0, None, None), "delays": ((0, 3),)}, 69),
        ({"departures": (0, None, None), "delays": ((1, 4),)}, 70),
        ({"departures": (0, None, None), "delays": ((2, 4),)}, 70),
        ({"departures": (0, 20, None), "delays": ((0, 3), (1, 1))}, 75),
        ({"departures": (0, None, 24), "delays": ((0, 3), (1, 1))}, 66),
        (
            {
                "departures": (0, None, None),
                "delays": ((0, 3), (1, 4), (2, 5)),
            },
            78,
        ),
    ],
)
def test_delays_take_time_until_a_departure_is_known(
    begun: dict[str, Any], end: float
) -> None:
    """Each is longer than its way of 10 by so much."""
    assert driven(line(begun)) == (0, end, [])


@pytest.mark.parametrize(
    ("departures", "taken", "end"),
    [
        ((0, None, None), (0, 0, 4, 5), 71),
        ((0, None, None), (0, 0, None, 5), 71),
        ((0, None, None), (0, 0, 12, 5), 73),  # it waits for it from 10 on
        ((0, None, None), (0, 1, 14, 5), 71),
        ((0, None, None), (0, 1, 25, 5), 74),  # from 22 on
        ((0, None, None), (0, 2, 24, 5), 71),
        ((0, None, None), (0, 2, None, 5), 71),
        ((0, None, None), (0, 2, 60, 5), 71),  # who goes on has not waited
        ((0, 20, None), (0, 0, 4, 5), 74),
        ((0, None, 24), (0, 1, 14, 5), 66),
    ],
)
def test_breaks_that_were_had_take_time(
    departures: tuple[float | None, ...],
    taken: tuple[int, int, float | None, float],
    end: float,
) -> None:
    """A break of 5 before some stop, or on the way from the last one."""
    begun = {"departures": departures, "breaks_taken": (taken,)}
    van = {"breaks": (nr.Break(5),)}
    assert driven(line(begun, van)) == (0, end, [])


@pytest.mark.parametrize(
    ("begin", "end"), [(None, 49), (30, 49), (44, 49), (60, 65)]
)
def test_breaks_on_the_way_home_may_have_to_wait(
    begin: float | None, end: float
) -> None:
    """The vehicle has left the last stop at 24, and is 20 away."""
    begun = {
        "departures": (0, 12, 24),
        "is_over": True,
        "breaks_taken": ((0, 2, begin, 5),),
    }
    instance = line(begun, {"breaks": (nr.Break(5),)})
    assert driven(instance, [1, 2], [3]) == (0, end, [])


def test_who_has_opened_late_was_served_late() -> None:
    """The first opens at 20, and is left at 22; the third is left at 46."""
    begun = {"departures": (0, None, None)}
    assert driven(line(begun, tw_early=[0, 20, 0, 0])) == (0, 76, [])


def test_what_has_happened_is_not_late() -> None:
    """They closed at 1; the third is reached at 39."""
    begun = {"departures": (5, 17, 29)}
    late = [99, 1, 1, 39]
    assert driven(line(begun, tw_late=late)) == (5, 66, [])
    late = [99, 1, 1, 38]
    assert driven(line(begun, tw_late=late))[2] == [
        "route 1 reaches customer 3 1 too late"
    ]
    assert driven(line(begun, {"tw_late": 65}))[2] == [
        "route 1 reaches its depot 6 too late"
    ]
    assert driven(line(begun, {"tw_early": 9})) == (5, 66, [])
    assert driven(line(begun, {"start_late": 1})) == (5, 66, [])


def test_goods_are_not_awaited_by_who_has_been_served() -> None:
    """They came at 50, which matters to the third alone."""
    begun: dict[str, Any] = {"departures": (5, 17, 29)}
    release = [0, 50, 50, 0]
    assert driven(line(begun, release_times=release)) == (5, 66, [])
    release = [0, 0, 0, 50]
    assert driven(line(begun, release_times=release))[2] == [
        "route 1 reaches its depot 45 too late"
    ]
    begun = {"departures": (5,), "customers": (), "on_board": (1,)}
    for release in ([0, 50, 0, 0], [0, 0, 0, 50]):
        assert driven(line(begun, release_times=release))[2] == [
            "route 1 reaches its depot 45 too late"
        ]
    assert driven(line({"departures": (0, 12, 24)}), [1, 2], [3]) == (
        *(0, 44),
        [],
    )


RELOAD = {"reload_depots": (0,), "max_reloads": 1}


@pytest.mark.parametrize(
    ("departures", "release", "end", "expected"),
    [
        (None, [0, 0, 50, 0], 114, []),
        (None, [0, 0, 0, 50], 114, []),
        ((2, 14), [0, 0, 0, 50], 114, []),
        ((2, 14, None), [0, 0, 50, 0], 114, []),  # it is there, and waits
        ((2, 14, 30), [0, 50, 0, 0], 94, []),
        ((2, 14, 30, 60), [0, 50, 50, 0], 102, []),
        ((2, 14, None, 60), [0, 50, 50, 0], 102, []),
    ],
)
def test_goods_come_to_the_depot_of_their_trip(
    departures: tuple[float | None, ...] | None,
    release: list[int],
    end: float,
    expected: list[str],
) -> None:
    """The first, by 12, is 10 away, the depot at 24, and 84 later the end.

    Between them lie 20, 10 and 30, and services of 2.
    """
    begun = None
    if departures is not None:
        customers = (1, 2)[: max(1, len(departures) - 2)]
        reloads = ((1, 0),) if len(departures) > 2 else ()
        begun = {
            "departures": departures,
            "customers": customers,
            "reloads": reloads,
        }
    given = line(
        begun, RELOAD, release_times=release, tw_late=[999, 12, 999, 999]
    )
    assert driven(given, [1, 0, 2, 3]) == (2, end - 2, expected)


@pytest.mark.parametrize(
    "departures", [(2, 14, 24), (2, 14, 24, 46), (2, 14, None, 46)]
)
def test_goods_do_not_follow_a_vehicle(
    departures: tuple[float | None, ...],
) -> None:
    """Those of the third came at 50, after it had left at 24."""
    begun = {
        "departures": departures,
        "customers": (1, 2)[: len(departures) - 2],
        "reloads": ((1, 0),),
    }
    given = line(begun, RELOAD, release_times=[0, 0, 0, 50])
    plan = nr.Solution.from_routes(given, [[1, 0, 2, 3]])
    assert [one.message for one in nr.check_solution(given, plan)] == [
        "route 1 reaches the depot 26 too late"
    ]


@pytest.mark.parametrize(
    ("times", "duration", "late"),
    [
        # It begins at 4 where it comes at 10, and waits from 16 to 30.
        (
            {"tw_late": [99, 4, 99, 99], "tw_early": [0, 0, 30, 0]},
            *(74, [(1, 6)]),
        ),
        # It leaves at 8, and does not wait.
        ({"tw_late": [99, 99, 30, 99], "tw_early": [0, 0, 30, 0]}, 66, []),
        # It must leave at 1, and waits from 23 to 30.
        ({"tw_late": [99, 11, 30, 99], "tw_early": [0, 0, 30, 0]}, 73, []),
    ],
)
def test_waits_and_delays_of_a_route_that_may_start_later(
    times: dict[str, Any], duration: float, late: list[tuple[int, int]]
) -> None:
    """Ways of 60 and services of 6, and what it waits."""
    assert driven(line(None, **times))[1:] == (
        duration,
        [
            f"route 1 reaches customer {node} {delay} too late"
            for node, delay in late
        ],
    )


def test_late_stops_have_the_window_still_open_or_the_last() -> None:
    """It waits from 10 to 20, comes at 32, and at 20 after a service at 8.

    A late service begins at the end of its window, here at 8 and 51.
    """
    windows = [
        [(0, 51)],
        [(0, 5), (20, 25)],
        [(0, 4), (6, 8)],
        [(0, 18), (20, 21), (40, 50)],
    ]
    assert driven(line(None, windows=windows)) == (
        *(0, 66),
        [
            "route 1 reaches customer 2 24 too late",
            "route 1 reaches its depot 1 too late",
        ],
    )


def test_a_later_window_may_be_better_than_the_first() -> None:
    """From 10 to 12 the first would be served before a wait of 10."""
    windows = [[(0, 76)], [(0, 12), (20, 25)], [(0, 5), (32, 32)], [(0, 44)]]
    assert driven(line(None, windows=windows)) == (10, 66, [])


@pytest.mark.parametrize(
    "several", [None, [[(0, 99)], *[[(0, 9), (9, 99)]] * 3]]
)
def test_a_break_that_cannot_fit_is_told(several: Any) -> None:
    """It begins at 100, and the route must be over at 99."""
    times = {"windows": several} if several else {"tw_late": [99] * 4}
    van = {"breaks": (nr.Break(5, ((100, 120),)),)}
    assert driven(line(None, van, **times))[2] == [
        "route 1 has no time for the break of 5 between 100 and 120"
    ]


def test_a_rest_is_not_what_has_been_driven() -> None:
    """A driver of 10 before 12 comes at 22, at 34, and rests nowhere.

    The time before 12 was no rest of 12. It needs two, one on the way home.
    """
    hours = nr.HoursOfService(driving_block=25, rest=12)
    so_far = nr.HoursSoFar(driven=10, worked=12, work=12)
    begun = {"departures": (0, 12), "hours_so_far": so_far}
    van = {"hours_of_service": hours}
    late = {"tw_late": [99, 99, 22, 34]}
    assert driven(line(begun, van, **late))[2] == [
        "route 1 drives 30 without a rest of 12, at most 25"
    ]
    late = {"tw_late": [99, 99, 34, 46]}
    assert driven(line(begun, van, **late)) == (0, 66 + 2 * 12, [])


@pytest.mark.parametrize(
    ("begun", "van", "times", "duration", "expected"),
    [
        (None, {"setup_durations": (0, 5, 0, 0)}, {"setup": 1}, 71, []),
        (None, {}, {"setup": 1}, 69, []),
        (None, {"start_depot": None}, {}, 56, []),
        (None, {"end_depot": None}, {}, 36, []),
        (None, {"service_durations": (0, 3, 3, 4)}, {}, 70, []),
        (None, {"breaks": (nr.Break(5, ((0, 5),)),)}, {}, 71, []),
        (
            {"departures": (0, 12, 24)},
            {"breaks": (nr.Break(5, ((0, 5),)),)},
            {},
            *(66, ["route 1 has no time for the break of 5 between 0 and 5"]),
        ),
        (
            {"departures": (0, 12), "undelivered": ((7,),)},
            *({}, {}, 66, ["route 1 carries 10 of 9"]),
        ),
        ({"departures": (0, 12), "undelivered": ((6,),)}, {}, {}, 66, []),
        (
            *(None, {"min_stops": 4}, {}, 66),
            ["route 1 has 3 stops, fewer than 4"],
        ),
        ({"departures": (0, 12)}, {"min_stops": 4, "min_load": 4}, {}, 66, []),
        (
            None,
            {"hours_of_service": nr.HoursOfService(max_driving=70, rest=5)},
            {"tw_late": [99, 4, 99, 99]},
            *(66, ["route 1 reaches customer 1 6 too late"]),
        ),
    ],
)
def test_what_a_route_takes(
    begun: dict[str, Any] | None,
    van: dict[str, Any],
    times: dict[str, Any],
    duration: float,
    expected: list[str],
) -> None:
    """It is 60 for the ways, 6 for services, and what is more or less."""
    if "setup" in times:
        times = {"setup_durations": [0, *[times["setup"]] * 3]}
    assert driven(line(begun, van, **times))[1:] == (duration, expected)


def test_who_is_late_is_told_that_first() -> None:
    """A break has no place either, and a service takes more than a shift."""
    late = {"tw_late": [99, 9, 99, 99]}
    van = {"breaks": (nr.Break(5, ((100, 120),)),)}
    assert driven(line(None, van, **late))[2] == [
        "route 1 reaches customer 1 1 too late"
    ]
    long = {**late, "service_durations": [0, 61, 2, 2]}
    assert driven(line(None, {"tw_late": 60}, **long))[2] == [
        "route 1 reaches customer 1 1 too late",
        "route 1 reaches its depot 64 too late: the service at customer 1 "
        "takes 61, longer than the shift of 60",
    ]


def test_an_empty_route_breaks_nothing_else() -> None:
    """It has fewer stops, and less load, than the least."""
    van = {"min_stops": 3, "min_load": 3}
    plan = nr.Solution(((), (1, 2, 3)), 66.0)
    found = nr.check_solution(line(None, van), plan)
    assert [one.message for one in found] == ["route 1 is empty"]


def test_reloads_are_no_stops() -> None:
    """Three customers are as many as may be; of two routes one has two."""
    van = {**RELOAD, "max_stops": 3}
    assert driven(line(None, van), [1, 0, 2, 3]) == (0, 86, [])
    assert driven(line(None, {"max_stops": 1}), [1, 2], [3])[2] == [
        "route 1 has 2 stops of 1"
    ]


@pytest.mark.parametrize(
    ("van", "cost"),
    [
        ({"breaks": (nr.Break(5, paid=False),)}, 66),
        ({"breaks": (nr.Break(5),)}, 71),
        (
            {
                "unit_duration_cost": 0,
                "unit_overtime_cost": 2,
                "shift_duration": 60,
                "max_overtime": 40,
            },
            12,
        ),
        ({"unit_duration_cost": 0, "unit_driving_cost": 3}, 180),
    ],
)
def test_what_time_costs(van: dict[str, Any], cost: float) -> None:
    """A start at 10 is the best: the second opens at 32 alone."""
    windows = [[(0, 99)], [(0, 12), (20, 25)], [(0, 5), (32, 40)], [(0, 99)]]
    instance = line(None, van, windows=windows)
    plan = nr.Solution.from_routes(instance, [[1, 2, 3]])
    assert plan.cost == cost
    assert nr.check_solution(instance, plan) == []


def test_late_customers_who_prefer_a_time() -> None:
    """There is no best time, and only what is late is wrong."""
    instance = line(
        None,
        tw_late=[99, 4, 99, 99],
        preferred=[None, (0, 0), None, None],
        late_costs=[0, 5, 0, 0],
    )
    plan = nr.Solution.from_routes(instance, [[1, 2, 3]])
    assert [one.message for one in nr.check_solution(instance, plan)] == [
        "route 1 reaches customer 1 6 too late"
    ]


def test_least_loads_count_what_is_picked_up() -> None:
    """Route 1 brings 1 and gets 2; route 2 moves 4, and brings 1."""
    pickup = np.array([[0], [2], [0], [0], [0]])
    delivery = np.array([[0], [1], [0], [0], [1]])
    for least, expected in (
        (3, []),
        (4, ["route 1 has a load of 3, less than 4"]),
        (
            6,
            [
                "route 1 has a load of 3, less than 6",
                "route 2 has a load of 5, less than 6",
            ],
        ),
    ):
        instance = nr.Instance(
            demands=delivery[:, 0],
            matrix=np.ones((5, 5)),
            fleet=nr.Fleet((nr.VehicleType(capacity=9, min_load=least),)),
            loads=nr.Loads(delivery, pickup),
            shipments=(nr.Shipment(2, 3, (4,)),),
        )
        plan = nr.Solution.from_routes(instance, [[1], [2, 3, 4]])
        found = nr.check_solution(instance, plan)
        assert [one.message for one in found] == expected


def test_types_have_their_own_arcs_and_speeds() -> None:
    """The second drives 5 in 8 on each arc, at twice the speed in 4."""
    instance = line(None, {"unit_distance_cost": 100})
    assert instance.fleet is not None
    [van] = instance.fleet.types
    quick = replace(van, profile=1, speed_factor=2)
    profile = nr.Profile(np.full((4, 4), 5.0), np.full((4, 4), 8.0))
    both = replace(instance, fleet=nr.Fleet((van, quick)), profiles=(profile,))
    plan = nr.Solution.from_routes(both, [[1], [2, 3]], [0, 1])
    assert plan.route_costs(both) == [2022, 1500 + 12 + 4]
    assert nr.check_solution(both, plan) == []


def test_forbidden_arcs_hide_the_cost() -> None:
    """What is stated of it cannot be right, and is not said to be wrong."""
    matrix = np.ones((3, 3))
    matrix[1, 2] = np.inf
    instance = nr.Instance(
        demands=np.array([0, 1, 1]), capacity=5, matrix=matrix
    )
    found = nr.check_solution(instance, nr.Solution(((1, 2),), 3.0))
    assert [one.kind for one in found] == ["arc"]


@pytest.mark.parametrize("windows", [((0, 99),), ((0, 30), (40, 99))])
def test_as_many_breaks_as_there_may_be(windows: Any) -> None:
    """Six of 1 to 6 beside 60 of ways and 6 of services; any order will do."""
    breaks = tuple(nr.Break(length, windows) for length in range(1, 7))
    instance = line(None, {"breaks": breaks}, tw_early=[0, 12, 0, 0])
    start, duration, found = driven(instance)
    assert (start, duration, found) == (0, 87, [])


def test_threads_share_the_schedules_that_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One is kept, of 6 routes, each of which takes 1 to any stop."""
    monkeypatch.setattr(
        "ncc_routing.problems.routes.schedules._MOST_SCHEDULES", 1
    )
    instance = line(None, {}, service_durations=[0, 0, 0, 0])
    instance = replace(instance, coords=None, matrix=np.ones((4, 4)))
    routes = [*permutations((1, 2, 3))]

    def costs(_: int) -> list[float]:
        return [
            nr.Solution.from_routes(instance, [route]).cost
            for route in 20 * routes
        ]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = [*pool.map(costs, range(8))]
    finally:
        sys.setswitchinterval(interval)
    assert found == [[4.0] * 120] * 8
