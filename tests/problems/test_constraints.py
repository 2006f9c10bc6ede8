"""Each constraint of the table is a violation, and keeps an order out."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.problem import choose_times
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.problems.constraints import (
    CONSTRAINTS,
    FINDING,
    LIMIT,
    REASON,
)
from ncc_routing.problems.routes.checking import Violation
from ncc_routing.problems.routes.unserved import Reason
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.dispatch.explain import Limit
from ncc_routing.vrp.why.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_PLAN = Path(__file__).parents[2] / "docs" / "reference" / "no_plan.md"
PROOFS = {
    "capacity": "demand",
    "shipment": "in_progress",
    "stops": "fleet-stops",
}
"""Kinds of findings about a customer that are not the constraint."""

FLEETS = {
    "capacity": ("fleet-load",),
    "shift": ("fleet-time",),
    "distance": ("fleet-distance",),
    "break": ("fleet-break",),
    "start": ("release",),
}
"""Further kinds."""

WORDS = {"violation", "reason", "finding", "limit", "topic", "largest"}


class Case(NamedTuple):
    """Routes that break a constraint of a problem.

    In the best plan of the problem an order stays out because of it.
    """

    problem: nr.Instance
    routes: Sequence[Sequence[int]] = ((1,),)
    vehicle_type: int = 0


def day(
    *places: int,
    demands: int = 1,
    times: dict[str, Any] | None = None,
    rules: dict[str, Any] | None = None,
    number: int = 1,
    more: dict[str, Any] | None = None,
    **kind: Any,
) -> nr.Instance:
    """Return customers on a line with a depot at 0, and vans for them."""
    size = 1 + len(places)
    van = nr.VehicleType(**{"capacity": 9, "num_available": number} | kind)
    return nr.Instance(
        "day",
        coords=np.array([[x, 0] for x in (0, *places)]),
        demands=np.array([0, *[demands] * len(places)]),
        windows=None if times is None else nr.TimeWindows.of(size, **times),
        fleet=nr.Fleet((van,)),
        constraints=None if rules is None else nr.RouteConstraints(**rules),
        **(more or {}),
    )


def apart() -> nr.Instance:
    """Return a customer whom no arc reaches."""
    matrix = np.array(
        [[0.0, np.inf, 1.0], [1.0, 0.0, 1.0], [1.0, np.inf, 0.0]]
    )
    return nr.Instance("day", np.array([0, 1, 1]), 9, matrix=matrix)


def started(*routes: nr.InProgressRoute, **more: Any) -> dict[str, Any]:
    """Return rules with routes that have begun."""
    return {"in_progress": routes, **more}


BOTH = (
    nr.InProgressRoute(0, (1,), (0, 10)),
    nr.InProgressRoute(0, departures=(90,), on_board=(2,)),
)
WAITS = {"tw_early": [0, 0, 40], "tw_late": [900, 12, 60]}
"""Two customers at a place, 10 away: until 12, and from 40."""

GROUP = nr.Selection(np.zeros(3), np.zeros(3, bool), (nr.Group((1, 2)),))

CASES = {
    "over": Case(
        day(1, 2, rules=started(nr.InProgressRoute(0, (1,), is_over=True))),
        [(1, 2)],
    ),
    "skill": Case(day(1, rules={"skills": ((), ("lift",))})),
    "pin": Case(
        nr.Instance(
            "day",
            np.array([0, 2]),
            coords=np.array([[0, 0], [1, 0]]),
            fleet=nr.Fleet(
                (nr.VehicleType(capacity=9), nr.VehicleType(capacity=1))
            ),
            constraints=nr.RouteConstraints(vehicles=(None, (1,))),
        )
    ),
    "arc": Case(apart()),
    "capacity": Case(day(1, demands=3, capacity=2)),
    "window": Case(day(9, times={"tw_late": [99, 8]})),
    "start": Case(day(1, times={"release_times": [0, 8]}, start_late=7)),
    "return": Case(day(5, tw_late=9)),
    "shift": Case(day(5, shift_duration=9)),
    # On its way from 0 to 10, with less than 5 to spare.
    "break": Case(day(5, tw_late=14, breaks=(nr.Break(5, ((0, 99),)),))),
    "hours": Case(
        day(
            5,
            tw_late=99,
            hours_of_service=nr.HoursOfService(driving_block=9, rest=99),
        )
    ),
    "distance": Case(day(5, max_distance=9)),
    # At 5 until 5, and at -5 until 9: the second is late, or later ones are.
    "later-windows": Case(day(5, -5, times={"tw_late": [99, 5, 9]}), [(2, 1)]),
    "apart": Case(day(1, 2, rules={"different_routes": ((1, 2),)}), [(1, 2)]),
    "district": Case(
        day(1, 2, rules={"districts": (-1, 0, 1), "max_districts": 1}),
        [(1, 2)],
    ),
    "driving": Case(day(5, max_driving_time=9)),
    "stops": Case(day(1, 2, max_stops=1), [(1, 2)]),
    "waiting": Case(day(10, 10, times=WAITS, max_waiting=27), [(1, 2)]),
    "wait": Case(day(10, 10, times=WAITS, max_wait=27), [(1, 2)]),
    "least": Case(day(1, min_stops=2)),
    "load": Case(day(1, min_load=2)),
    "order": Case(
        day(10, 20, rules={"positions": ("", "last", "last")}), [(1, 2)]
    ),
    "together": Case(
        day(1, 2, rules={"same_route": ((1, 2),)}, number=2, capacity=1),
        [(1,), (2,)],
    ),
    "in_progress": Case(
        day(
            *(10, 20),
            times={"tw_late": [900, 900, 100]},
            rules=started(*BOTH),
            number=2,
        ),
        [(1, 2)],
    ),
    "goods": Case(day(1, starts_empty=True)),
    "reload": Case(
        day(1, 2, 3, reload_depots=(0,), max_reloads=1), [(1, 0, 2, 0, 3)]
    ),
    "vehicles": Case(day(1, 2, capacity=1), [(1,), (2,)]),
    "shipment": Case(
        day(1, 2, demands=0, more={"shipments": (nr.Shipment(1, 2, (1,)),)}),
        [(2, 1)],
    ),
    "group": Case(day(1, 2, more={"selection": GROUP}), [(1, 2)]),
    "spread": Case(
        day(
            *(1, 2, 3),
            number=2,
            capacity=2,
            balances=(nr.Balance("stops", max_spread=0),),
        ),
        [(1, 2), (3,)],
    ),
    "missing": Case(day(1, 2)),
    "duplicate": Case(day(1), [(1, 1)]),
    "empty": Case(day(1, number=2), [(1,), ()]),
}


def with_words(what: str) -> list[str]:
    """Return the constraints that have such words, or a variant of them."""
    return [
        name
        for name, one in CONSTRAINTS.items()
        if any(words.split("_")[0] == what for words in one.words)
    ]


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_check_names_what_is_broken(name: str) -> None:
    """The routes of the case have a violation of its kind, and no other."""
    problem, routes, idx = CASES[name]
    plan = nr.Solution(
        tuple(map(tuple, routes)), 0.0, tuple(idx for _ in routes)
    )
    found = nr.check_solution(problem, plan)
    kinds = {one.kind for one in found} - {"missing", "cost"}
    expected = CONSTRAINTS[name].violation
    assert kinds | {expected} == {expected}, found
    assert expected in {one.kind for one in found}


@pytest.mark.parametrize("name", with_words(REASON))
def test_an_order_stays_out_because_of_it(name: str) -> None:
    """It is among the reasons for an unserved order."""
    result = nr.solve(
        CASES[name].problem, nr.stop.MaxIterations(50), allow_unserved=True
    )
    reasons = [each for one in result.unserved for each in one.reasons]
    assert name in {each.constraint for each in reasons}


@pytest.mark.parametrize("name", with_words(LIMIT))
def test_a_route_has_it_among_its_limits(name: str) -> None:
    """Every limit of a route is explained."""
    fields: dict[str, Any] = {
        **{"shift_duration": 90, "max_distance": 80, "max_stops": 4},
        **{"max_driving_time": 70, "max_waiting": 60, "max_wait": 55},
    }
    if name == "break":
        fields |= {"max_wait": NO_LIMIT, "breaks": (nr.Break(5, ((0, 40),)),)}
    problem = day(5, 9, times={"tw_late": [99, 99, 50]}, **fields)
    result = nr.solve(problem, nr.stop.MaxIterations(50))
    limits = nr.explain(result, "Route 1").limits
    (limit,) = (one for one in limits if one.constraint == name)
    assert re.fullmatch(rf"(load|{name})\b.* [\d.]+ of [\d.]+", limit.text)


def test_vroom_names_what_is_broken() -> None:
    """Every cause is one of a route in plan mode that breaks all it can."""
    ways = [[0, 9, 9], [9, 0, 9], [9, 9, 0]]
    job = {"id": 1, "location_index": 1, "skills": [1], "delivery": [9]}
    problem = {
        "matrices": {"car": {"durations": ways, "distances": ways}},
        "jobs": [job | {"time_windows": [[0, 1]]}],
        "shipments": [
            {
                "pickup": {"id": 2, "location_index": 1},
                "delivery": {"id": 3, "location_index": 2},
            }
        ],
        "vehicles": [
            {
                **{"id": 1, "start_index": 0, "end_index": 0},
                **{"capacity": [5], "max_tasks": 1, "max_distance": 1},
                "max_travel_time": 1,
                "breaks": [{"id": 1, "service": 1, "time_windows": [[0, 9]]}],
                "steps": [
                    {"type": "job", "id": 1},
                    {"type": "delivery", "id": 3},
                    {"type": "pickup", "id": 2},
                ],
            }
        ],
    }
    answer = choose_times(TableOptions(), problem)
    causes = {one["cause"] for one in answer["summary"]["violations"]}
    known = {row.vroom for row in CONSTRAINTS.values() if row.vroom}
    assert causes - {"lead_time"} == known


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_docs_name_each_constraint(name: str) -> None:
    """Kinds of violations, reasons and limits stand where users look."""
    row = CONSTRAINTS[name]
    assert f'"{row.violation}"' in str(Violation.__doc__)
    assert REASON not in row.words or f'"{name}"' in str(Reason.__doc__)
    assert LIMIT not in row.words or f'"{name}"' in str(Limit.__doc__)


@pytest.mark.parametrize("name", with_words(FINDING))
def test_docs_name_each_proof(name: str) -> None:
    """The kinds of findings stand in their docs, and on the page of these."""
    for kind in (PROOFS.get(name, name), *FLEETS.get(name, ())):
        assert f'"{kind}"' in str(Finding.__doc__)
        assert f"`{kind}`" in NO_PLAN.read_text(encoding="utf-8")


def test_words_are_of_a_kind_and_have_names() -> None:
    """No word is misnamed, and no value is given by its place."""
    for row in CONSTRAINTS.values():
        for what, words in row.words.items():
            assert what.split("_")[0] in WORDS
            names = [name for _, name, *_ in Formatter().parse(words)]
            assert "" not in names
