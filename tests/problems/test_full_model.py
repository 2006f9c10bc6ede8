"""Loads, choices, shipments and reloads: what they hold and refuse."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.plain import from_plain, to_plain

NEW = {
    features.NEGATIVE_FIXED_COSTS,
    features.INITIAL_LOADS,
    features.RELOAD_DEPOTS,
    features.OVERTIME,
    features.LOAD_DIMENSIONS,
    features.PICKUPS,
    features.SHIPMENTS,
    features.CLIENT_GROUPS,
    features.OPTIONAL_CUSTOMERS,
}


def test_features_name_everything(full_load: nr.Instance) -> None:
    """Each in a word."""
    assert set(full_load.features) == NEW | {
        features.SEVERAL_DEPOTS,
        features.SHIFT_DURATIONS,
        features.SERVICE_DURATIONS,
        features.RELEASE_TIMES,
    }


def test_parts_that_say_nothing_are_no_features(square: nr.Instance) -> None:
    """One dimension without pickups, and a choice of everybody."""
    demands = square.demands[:, None]
    same = replace(
        square,
        loads=nr.Loads(demands, 0 * demands),
        selection=nr.Selection(np.array([0, 5, 5, 5, 5]), np.ones(5, bool)),
    )
    assert same.features == square.features
    assert not same.features
    assert same.num_load_dimensions == 1
    assert not same.required[0]


def test_json_keeps_everything(full_load: nr.Instance) -> None:
    """There and back, the same in all parts."""
    content = to_plain(full_load)
    back = from_plain(nr.Instance, content)
    assert to_plain(back) == content
    assert back.fleet == full_load.fleet
    assert back.shipments == full_load.shipments
    assert back.selection is not None
    assert back.selection.groups == (nr.Group((1, 2)),)


def test_the_cost_has_the_prizes_that_are_lost(full_load: nr.Instance) -> None:
    """Customer 1 alone: -6 + 20, and 90 for the shipment."""
    assert nr.Solution.from_routes(full_load, [[1]]).cost == 14 + 90
    nothing = nr.Solution.from_routes(full_load, [[], [5]])
    assert (nothing.routes, nothing.cost) == ((), 90)


@pytest.mark.parametrize(
    ("route", "changes", "expected"),
    [
        ([1], {"initial_load": (2, 0)}, None),
        ([1], {"initial_load": (3, 0)}, "carries 6 of 5 in dimension 1"),
        ([1], {"capacity": (5, 1)}, None),
        ([1], {"capacity": (5, 0)}, "carries 1 of 0 in dimension 2"),
        ([1, 0], {}, "must not reload at depot 1"),
        ([1, 5], {"max_overtime": 47}, None),
        ([1, 5], {"max_overtime": 46}, "takes 107 of 106"),
        ([1, 5, 5], {"max_overtime": 54}, "reloads 2 times of 1"),
        ([1, 5, 5], {"max_overtime": 54, "max_reloads": 2}, None),
        (
            [5, 2, 3],
            {"max_overtime": 99, "capacity": (3, 2)},
            "carries 4 of 3 in trip 2 in dimension 1",
        ),
        ([2, 3, 4], {}, None),
        ([2, 4, 3], {}, "visits customer 4 before customer 3"),
        (
            [2, 3, 5, 4],
            {"max_overtime": 99},
            "reloads between customer 3 and customer 4",
        ),
        ([2, 3], {}, "customer 3 and customer 4 must be on one route"),
        ([3, 4], {}, "no customer of group 1 is visited"),
        (
            [1, 2],
            {"initial_load": ()},
            "customer 1 and customer 2 of group 1 are visited, one may be",
        ),
    ],
)
def test_rules_of_trips(
    full_load: nr.Instance,
    route: list[int],
    changes: dict[str, Any],
    expected: str | None,
) -> None:
    """Both sides of each. Route 1, 5 takes 10 + 40 + 7 + 50."""
    assert full_load.fleet is not None
    kind = replace(full_load.fleet.types[0], **changes)
    instance = replace(
        full_load, fleet=nr.Fleet((kind,)), capacity=kind.capacity
    )
    found = nr.check_solution(
        instance, nr.Solution.from_routes(instance, [route])
    )
    messages = [one.message.removeprefix("route 1 ") for one in found]
    assert expected in messages if expected else messages == []


def test_what_is_left_out(full_load: nr.Instance) -> None:
    """Nothing but what must be served is missing; a prize is in the cost."""
    selection = full_load.selection
    assert selection is not None
    free = replace(selection, groups=(nr.Group((1, 2), required=False),))
    nothing = nr.Solution((), 90)
    assert nr.check_solution(replace(full_load, selection=free), nothing) == []
    cheap = replace(nothing, cost=0)
    found = nr.check_solution(replace(full_load, selection=free), cheap)
    assert [one.kind for one in found] == ["cost"]
    bound = replace(free, required=np.arange(6) >= 3)
    found = nr.check_solution(replace(full_load, selection=bound), nothing)
    assert [one.kind for one in found] == ["missing", "missing"]


LOADS = np.array([[0, 0], [3, 0], [2, 2], [0, 0], [0, 0], [0, 0]])
NONE = np.zeros((6, 2))
PRIZES = np.array([0, 0, 0, 90, 0, 0])


def loads(delivery: Any, pickup: Any) -> nr.Loads:
    """Return loads of lists."""
    return nr.Loads(delivery, pickup)


def choice(**changes: Any) -> nr.Selection:
    """Return the selection of the instance with some changes."""
    given: dict[str, Any] = {
        "prizes": PRIZES,
        "required": np.zeros(6, dtype=bool),
        "groups": (nr.Group((1, 2)),),
    }
    return nr.Selection(**(given | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"loads": nr.Loads(LOADS[:5], LOADS[:5])}, "loads: must hold 6 rows"),
        ({"loads": nr.Loads(LOADS, LOADS)}, None),
        ({"demands": np.array([0, 3, 1, 0, 0, 0])}, "the first delivery of n"),
        (
            {"loads": nr.Loads(LOADS, NONE + 1)},
            "the pickup of a depot must be 0",
        ),
        (
            {"loads": None, "shipments": ()},
            "capacity: must hold 1 number, one a load dimens",
        ),
        (
            {"selection": choice(prizes=np.eye(6)[5])},
            "prize of a depot must be",
        ),
        (
            {"selection": nr.Selection(np.zeros(5), np.zeros(5))},
            "selection: must hold 6 prizes, one for each node, got 5",
        ),
        (
            {"selection": choice(groups=(nr.Group((1, 5)),))},
            "group 1, customers: must be customers, got 5",
        ),
        (
            {"selection": choice(groups=(nr.Group((1,)), nr.Group((1, 2))))},
            r"group 2, customers: customer 1 \(id a\) must be in no other",
        ),
        (
            {"selection": choice(required=np.ones(6))},
            r"customer 1 \(id a\) must not be required itself",
        ),
        (
            {"selection": choice(required=np.arange(6) == 3)},
            "required: must be that of the pickup at the delivery",
        ),
        (
            {"selection": choice(prizes=np.array([0, 0, 0, 0, 1, 0]))},
            "prizes: must stand at the pickup, and be 0 at the delivery",
        ),
        (
            {"selection": choice(groups=(nr.Group((1, 3)),))},
            r"pickup: customer 3 \(id c\) must be in no group",
        ),
        (
            {"shipments": (nr.Shipment(3, 4, (4,)),)},
            "shipment 1: amount: must hold 2 amounts, one a load dimension",
        ),
        ({"shipments": (nr.Shipment(3, 5, (4, 0)),)}, "must be a stop 1..4"),
        (
            {"shipments": (nr.Shipment(3, 2, (4, 0)),), "selection": None},
            r"delivery: customer 2 \(id b\) must have no load beside the am",
        ),
        ({"shipments": (nr.Shipment(3, 4, (6, 0)),)}, None),
    ],
)
def test_parts_that_do_not_agree(
    full_load: nr.Instance, changes: dict[str, Any], message: str | None
) -> None:
    """The message names the field, the id, and the rule."""
    named = replace(full_load, ids=("depot", *"abcd", "hub"))
    if message is None:
        assert replace(named, **changes).features
        return
    with pytest.raises(nr.InstanceError, match=message):
        replace(named, **changes)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: loads([[1]], [[1], [2]]),
            "pickup: must have the shape of delivery",
        ),
        (lambda: loads([1, 2], [1, 2]), "delivery: must hold a row for each"),
        (lambda: loads([[0], [-1]], [[0], [0]]), r"negative \(node 2\), got"),
        (lambda: loads([[], []], [[], []]), "delivery: must have a dimension"),
        (lambda: nr.Group(()), "must be one or more different customers"),
        (lambda: nr.Group((1, 1)), "must be one or more different customers"),
        (lambda: choice(prizes=-PRIZES), r"not negative \(entry 4\), got -90"),
        (lambda: choice(required=[True]), "as many as prizes"),
        (
            lambda: nr.Shipment(3, 3, (1,)),
            "another stop than the pickup, got 3",
        ),
        (
            lambda: nr.Shipment(3, 4, (-1,)),
            "amount: must not be negative, got",
        ),
    ],
)
def test_wrong_parts(make: Any, message: str) -> None:
    """Each is refused on its own."""
    with pytest.raises(nr.InstanceError, match=message):
        make()


def test_negative_fixed_costs_count_in_sums(full_load: nr.Instance) -> None:
    """2**51 for all four customers is the bound."""
    assert full_load.fleet is not None
    kind = full_load.fleet.types[0]
    for cost, is_right in ((-(2**49), True), (-(2**49) - 1, False)):
        types = (replace(kind, fixed_cost=cost),)
        fleet = replace(full_load.fleet, types=types)
        if is_right:
            assert replace(full_load, fleet=fleet).is_integral
        else:
            with pytest.raises(
                nr.InstanceError, match="fixed_cost: must add up"
            ):
                replace(full_load, fleet=fleet)
