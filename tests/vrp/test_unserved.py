"""Plans that leave customers out where not all can be served."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.unserved import Reason
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import RULES, random_problem

LOST = 100_000
"""What an unserved customer costs here, more than any plan."""


def on_a_line(*places: int, **more: object) -> nr.Instance:
    """Return customers of demand 1 right of the depot at 0."""
    coords = np.array([[x, 0] for x in (0, *places)])
    demands = np.array([0, *[1] * len(places)])
    fields = {"fleet": vans(2), **more}
    return nr.Instance("line", demands, coords=coords, **fields)  # type: ignore[arg-type]


def vans(capacity: int, number: int | None = 1) -> nr.Fleet:
    """Return a fleet of one type."""
    return nr.Fleet((nr.VehicleType(capacity=capacity, num_available=number),))


def names(result: nr.Result) -> list[int]:
    """Return the unserved customers of a result."""
    return [one.customer for one in result.unserved]


def test_the_farthest_stays_out() -> None:
    """There is room for two of three: the nearest two cost 4."""
    instance = on_a_line(1, 2, 3)
    with pytest.raises(nr.InfeasibleError):
        nr.solve(instance, time_limit=0.2)
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) == [3]
    capacity, vehicles = result.unserved[0].reasons
    assert str(capacity) == result.unserved[0].why == "needs 1 more of load"
    assert (capacity.excess, capacity.certain) == (1.0, False)
    assert vehicles.constraint == "vehicles"
    assert result.cost == 4.0
    assert not result.is_feasible
    assert {v.kind for v in nr.check_solution(instance, result.best)} == {
        "missing"
    }


def test_a_window_keeps_out() -> None:
    """The last customer, at 9, closes at 8."""
    windows = nr.TimeWindows.of(4, np.zeros(4, int), np.array([99, 99, 99, 8]))
    instance = on_a_line(1, 2, 9, fleet=vans(9, None), windows=windows)
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) == [3]
    assert result.unserved[0].reasons == (
        Reason(0, "window", "reached 9 of 8", 1.0, certain=True),
    )
    assert result.cost == 4.0


def test_an_order_that_no_vehicle_can_hold_stays_out() -> None:
    """Without a limit on vehicles too; of several dimensions each counts."""
    instance = nr.Instance(
        "line",
        np.array([0, 1, 3]),
        2,
        np.array([[0, 0], [1, 0], [2, 0]]),
        ids=("yard", "small", "large"),
    )
    message = r"customer 2 \(id large\): its demand of 3 exceeds the larg"
    with pytest.raises(nr.InfeasibleError, match=message) as error:
        nr.solve(instance, time_limit=0.1)
    assert error.value.absent == ("large",)
    (finding,) = nr.diagnose(instance).fatal
    assert (finding.kind, finding.ids) == ("demand", ("large",))
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert [one.id for one in result.unserved] == ["large"]
    assert result.unserved[0].why == "needs 1 more of load"
    assert result.unserved[0].reasons[0].certain
    wide = replace(
        instance,
        demands=np.array([0, 1, 1]),
        loads=nr.Loads(np.array([[0, 0], [1, 4], [1, 0]]), np.zeros((3, 2))),
        capacity=2,
        fleet=nr.Fleet((nr.VehicleType(capacity=2, other_capacities=(3,)),)),
    )
    message = (
        "its delivery of 4 exceeds the largest capacity in dimension 2, 3"
    )
    with pytest.raises(nr.InfeasibleError, match=message):
        nr.solve(wide, time_limit=0.1)


def test_who_can_all_be_served_are() -> None:
    """Where nobody must stay out the answer is the same, bit by bit."""
    instance = on_a_line(1, 2, 3, 5, fleet=vans(2, 2))
    stop = nr.MaxIterations(500)
    plain = nr.solve(instance, stop)
    result = nr.solve(instance, stop, allow_unserved=True)
    assert result.unserved == ()
    assert result.is_feasible
    assert result.best == plain.best


def test_both_ends_of_a_shipment_stay_out() -> None:
    """The shipment of 5 is too large for the van, which serves the others."""
    instance = replace(
        on_a_line(1, 2, 3, 4, fleet=vans(4)),
        demands=np.zeros(5, int),
        shipments=(nr.Shipment(1, 2, (2,)), nr.Shipment(3, 4, (2,))),
        constraints=nr.RouteConstraints(different_routes=((1, 3),)),
    )
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) == [3, 4]
    assert result.cost == 4.0


def test_who_share_a_route_stay_out_together() -> None:
    """The van has room for two: 1 and 2, who share it, or 3 alone."""
    instance = on_a_line(
        *(1, 2, 3),
        constraints=nr.RouteConstraints(same_route=((1, 2),)),
    )
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) == [3]
    crowded = replace(instance, fleet=vans(1), capacity=1)
    result = nr.solve(crowded, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) in ([1, 2], [1, 2, 3])


def test_a_required_group_stays_out() -> None:
    """One of 2 and 3 must be served, and there is room for one stop."""
    instance = on_a_line(
        *(1, 2, 3),
        fleet=vans(1),
        selection=nr.Selection(
            np.zeros(4), np.array([0, 1, 0, 0]), (nr.Group((2, 3)),)
        ),
    )
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert names(result) == [2]
    assert result.routes == ((1,),)


def test_json_keeps_them() -> None:
    """A result is read with its unserved customers, and not without."""
    stop = nr.MaxIterations(300)
    result = nr.solve(on_a_line(1, 2, 3), stop, allow_unserved=True)
    again = nr.Result.from_json(result.to_json())
    assert again.unserved == result.unserved
    assert "unserved  1" in again.summary()
    text = result.to_json().replace('"unserved": [{', '"left": [{')
    with pytest.raises(nr.ParameterError, match="is not visited"):
        nr.Result.from_json(text)


def test_a_prize_is_worth_less_than_a_required_customer() -> None:
    """Customer 3 has a prize of 50, and 1 and 2 must be served."""
    instance = on_a_line(
        *(1, 2, 3),
        selection=nr.Selection(
            np.array([0, 0, 0, 50]), np.array([0, 1, 1, 0])
        ),
        fleet=vans(2),
    )
    result = nr.solve(instance, nr.MaxIterations(300), allow_unserved=True)
    assert result.unserved == ()
    assert result.cost == 54.0


@pytest.mark.parametrize("name", ["reshape", "solve_days", "trade_off"])
def test_complete_plans_are_compared(name: str) -> None:
    """Who compares plans serves all."""
    instance = on_a_line(1, 2)
    params = nr.SolveParams(allow_unserved=True, consistency=0.0)
    given = {
        "reshape": (instance, nr.solve(instance, time_limit=0.1)),
        "solve_days": ([instance, instance],),
        "trade_off": (instance, "compactness", [0.0, 1.0]),
    }
    message = f"allow_unserved goes with solve alone, not with {name}"
    with pytest.raises(nr.ParameterError, match=message):
        getattr(nr, name)(*given[name], params=params)


def test_as_few_as_possible_stay_out() -> None:
    """Small problems with all route constraints against all their plans."""
    verdicts: Counter[str] = Counter()
    for seed in range(24):
        instance = random_problem(
            seed, ("types", "costs", "optional", *RULES), 5, share=0.5
        )
        nobody = nr.Selection(*np.zeros((2, len(instance.demands))))
        selection = instance.selection or nobody
        required = instance.required
        optional = replace(
            instance,
            selection=nr.Selection(
                selection.prizes + LOST * required, np.zeros(len(required))
            ),
        )
        optimum = cheapest_plan(optional)
        if optimum == math.inf:  # an in-progress route breaks a rule
            continue
        result = nr.solve(
            *(instance, nr.MaxIterations(500)), seed=seed, allow_unserved=True
        )
        cost = result.cost + LOST * len(result.unserved)
        assert cost > optimum - 1e-6, seed
        rules = instance.constraints
        parted = rules is not None and rules.same_route
        verdicts["parted" if parted else str(cost < optimum + 1e-6)] += 1
    assert verdicts["True"] >= 8
    assert verdicts["False"] <= 1
