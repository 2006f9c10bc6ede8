"""Every feature of PyVRP: costs, feasibility and data are PyVRP's."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.problems.features import TIME_WINDOWS, VEHICLE_WINDOWS
from ncc_routing.problems.plain import to_plain
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    objective_of,
    to_problem_data,
    to_pyvrp,
)
from tests.oracles.problems import (
    FLEETS,
    PARTS,
    random_plan,
    random_problem,
)
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS_ALONE = {"reload"}
"""Rules that PyVRP leaves to its search: where a vehicle may reload."""

FEW = tuple(part for part in FLEETS if part != "forbidden")
PARTS_OF = {"few": FEW, "many": (*FEW, *PARTS, "places")}
"""Problems of fleets, and of all that PyVRP knows."""

in_blocks = pytest.mark.parametrize("block", range(4))
with_parts = pytest.mark.parametrize("parts", PARTS_OF)


def drawn(
    parts: str, block: int, number: int = 2_000
) -> Iterator[tuple[int, pyvrp.ProblemData, nr.Instance, nr.Solution]]:
    """Yield seeds of a block, with a problem and random routes for each."""
    for seed in seeds(number, step=19)[block::4]:
        instance = random_problem(seed, PARTS_OF[parts], rounding="nearest")
        try:
            data = to_problem_data(instance)
        except nr.UnsupportedProblemError:
            continue  # a shipment closes before it opens
        yield seed, data, instance, random_plan(instance, seed)


def their_form(
    solution: nr.Solution, data: pyvrp.ProblemData
) -> pyvrp.Solution | None:
    """Return PyVRP's solution; none for routes that cannot be PyVRP's."""
    try:
        return to_pyvrp(solution, data)
    except (ValueError, RuntimeError):
        return None


@with_parts
@in_blocks
def test_costs_and_feasibility_are_those_of_pyvrp(
    parts: str, block: int
) -> None:
    """Of random routes; they come back as they are, and so do the data."""
    verdicts: Counter[str] = Counter()
    for seed, data, instance, solution in drawn(parts, block):
        kinds = {one.kind for one in nr.check_solution(instance, solution)}
        verdicts.update(kinds or {"feasible"})
        theirs = their_form(solution, data)
        if theirs is None:
            assert kinds, seed
            continue
        if kinds != OURS_ALONE:
            assert theirs.is_feasible() == (not kinds), (seed, kinds)
        assert from_pyvrp(theirs, instance) == solution, seed
        if not kinds:
            assert objective_of(theirs) == solution.cost, seed
    assert verdicts["feasible"] > verdicts.total() / 6
    assert len(verdicts) > 4, verdicts


@with_parts
@in_blocks
def test_schedules_are_those_of_pyvrp(parts: str, block: int) -> None:
    """Lengths and loads always; times where all is in time.

    Where nothing says when to start, any start is as good.
    """
    num_timely = 0
    for seed, data, instance, solution in drawn(parts, block):
        theirs = their_form(solution, data)
        if theirs is None:
            continue
        has_windows = bool(
            {TIME_WINDOWS, VEHICLE_WINDOWS}
            & set(Prepared.of(instance).simplified.features)
        )
        schedules = solution.schedules(instance)
        for ours, route in zip(schedules, theirs.routes(), strict=True):
            kind = data.vehicle_type(route.vehicle_type())
            assert ours.distance == route.distance()
            is_far = ours.distance > kind.max_distance
            assert route.has_excess_distance() == is_far
            most = np.max(ours.loads, axis=0)
            assert (most > kind.capacity).any() == route.has_excess_load()
            if route.time_warp() > 0:
                continue
            assert ours.duration == route.duration(), seed
            assert sum(ours.lateness) == 0
            if not has_windows or route.num_trips() > 1:
                continue
            num_timely += 1
            assert ours.start == route.start_time()
            begins = [stop.start_time for stop in route.schedule()]
            assert [*ours.begins] == begins, seed
    assert num_timely > 9


@with_parts
@in_blocks
def test_simple_problems_have_the_same_plans(parts: str, block: int) -> None:
    """The cost of each plan stays, and whether it is feasible."""
    for seed, _, given, _ in drawn(parts, block, 1_000):
        prepared = Prepared.of(given)
        simple = prepared.simplified
        assert simple.num_customers == given.num_customers
        plan = random_plan(simple, seed)
        whole = prepared.to_given(plan)
        again = nr.Solution.from_routes(
            given, whole.routes, whole.vehicle_types
        )
        broken = nr.check_solution(simple, plan)
        assert bool(broken) == bool(nr.check_solution(given, again)), seed
        if not broken:
            assert again == whole, seed


def test_data_there_and_back() -> None:
    """PyVRP's data are the same, and so is what an instance of them says."""
    for seed in seeds(2_000):
        data = to_problem_data(
            random_problem(
                seed, (*FLEETS, *PARTS, "places"), rounding="nearest"
            )
        )
        instance = from_problem_data(data)
        back = to_problem_data(instance)
        assert back == data, seed
        assert to_plain(from_problem_data(back)) == to_plain(instance), seed


def prefixed(end: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a step as PyVRP's shipment calls them."""
    return {f"{end}_{field}": value for field, value in fields.items()}


def test_shipments_at_any_nodes() -> None:
    """Files list stops in any order: clients are all but those of pairs."""
    lengths = np.abs(np.subtract.outer([0, 40, 10, 30], [0, 40, 10, 30]))
    instance = nr.Instance(
        "mixed",
        np.array([0, 0, 5, 0]),
        5,
        matrix=lengths,
        shipments=(nr.Shipment(3, 1, (4,)),),
        ids=("home", "s (delivery)", "c", "s (pickup)"),
    )
    data = to_problem_data(instance)
    assert [client.location for client in data.clients()] == [2]
    assert [client.name for client in data.clients()] == ["c"]
    shipment = data.shipment(0)
    assert (shipment.pickup.location, shipment.delivery.location) == (3, 1)
    assert shipment.name == "s"
    solution = nr.Solution.from_routes(instance, [[2, 3, 1]])
    assert solution.cost == 80
    assert nr.check_solution(instance, solution) == []
    theirs = to_pyvrp(solution, data, instance)
    assert theirs.is_feasible()
    assert theirs.distance() == 80
    assert from_pyvrp(theirs, instance) == solution
    back = from_problem_data(data)
    assert back.ids == ("home", "c", "s (pickup)", "s (delivery)")
    other = nr.Instance("two", np.array([0, 1]), 5, np.array([[0, 0], [1, 0]]))
    with pytest.raises(nr.ParameterError, match="two has no pickup 0 of PyVR"):
        from_pyvrp(theirs, other)


def base(**changes: Any) -> pyvrp.ProblemData:
    """Return data with a client, one of a group, and a shipment.

    Parts by the name of their class in small letters have changed fields.
    """
    given: dict[str, dict[str, Any]] = {
        "location": {"x": 1, "y": 2, "name": "c"},
        "client": {"location": 1, "delivery": [1], "pickup": [0]},
        "clientgroup": {"clients": [1]},
        "depot": {"location": 0},
        "pickup": {"location": 3},
        "delivery": {"location": 4},
        "shipment": {"amount": [1], "name": "s"},
        "vehicletype": {"capacity": [9], "max_reloads": 7},
    }
    given = {name: own | changes.get(name, {}) for name, own in given.items()}
    steps = {
        **prefixed("pickup", given["pickup"]),
        **prefixed("delivery", given["delivery"]),
    }
    size = 6
    shape = np.abs(np.subtract.outer(range(size), range(size)))
    matrices: list[Any] = [shape, 2 * shape]
    names = iter("abdef")
    return pyvrp.ProblemData(
        locations=[
            pyvrp.Location(**given["location"])
            if place == 1
            else pyvrp.Location(9, place, name=next(names))
            for place in range(size)
        ],
        clients=[
            pyvrp.Client(**given["client"]),
            pyvrp.Client(2, [0], required=False, group=0),
            pyvrp.Client(5, [0], required=False, group=1),
        ],
        depots=[pyvrp.Depot(**given["depot"]), pyvrp.Depot(5, name="hub")],
        vehicle_types=[pyvrp.VehicleType(**given["vehicletype"])],
        distance_matrices=matrices,
        duration_matrices=matrices,
        groups=[
            pyvrp.ClientGroup(**given["clientgroup"]),
            pyvrp.ClientGroup([2]),
        ],
        shipments=[pyvrp.Shipment(**steps, **given["shipment"])],
    )


STEP = {"location": 2, "tw_early": 3, "tw_late": 77, "service_duration": 5}

OTHER_VALUES: dict[str, dict[str, Any]] = {
    "Location": {"x": 5, "y": 5, "name": "other"},
    "Client": {
        **STEP,
        "delivery": [2],
        "pickup": [2],
        "release_time": 4,
        "prize": 6,
        "required": False,
        "name": "ann",
    },
    "ClientGroup": {"required": False, "name": "either"},
    "Depot": {**STEP, "name": "home"},
    "ShipmentStep": STEP,
    "Shipment": {"amount": [3], "prize": 8, "required": False, "name": "t"},
    "VehicleType": {
        "num_available": 3,
        "capacity": [8],
        "start_depot": 1,
        "end_depot": 1,
        "fixed_cost": -4,
        "tw_early": 2,
        "tw_late": 400,
        "shift_duration": 300,
        "max_distance": 200,
        "unit_distance_cost": 5,
        "unit_duration_cost": 6,
        "profile": 1,
        "start_late": 90,
        "initial_load": [2],
        "reload_depots": [1],
        "max_reloads": 2,
        "max_overtime": 9,
        "unit_overtime_cost": 7,
        "name": "van",
    },
}
"""A value of each field of PyVRP's data that is not the one of ``base``."""

DERIVED = {
    "Client": {"group"},  # said by the groups as well
    "ClientGroup": {"clients", "mutually_exclusive"},  # always exclusive
    "Shipment": {"pickup", "delivery"},  # the steps, below
    "VehicleType": {"max_duration", "max_trips"},
}
"""Fields that others say, or that have one value alone."""


def stub_fields() -> dict[str, set[str]]:
    """Return the fields of the classes that PyVRP's data are made of."""
    stubs = Path(pyvrp.__file__).with_name("_pyvrp.pyi")
    tree = ast.parse(stubs.read_text())
    return {
        node.name: {
            entry.target.id
            for entry in node.body
            if isinstance(entry, ast.AnnAssign)
            and isinstance(entry.target, ast.Name)
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name in OTHER_VALUES
    }


def test_the_table_of_features_has_no_empty_row() -> None:
    """Each field of PyVRP's classes changes an instance, and comes back."""
    fields = stub_fields()
    for name, values in OTHER_VALUES.items():
        derived = DERIVED.get(name, set())
        assert fields[name] - derived == set(values) - derived, name
    for name, values in OTHER_VALUES.items():
        parts = [name.lower()]
        if name == "ShipmentStep":
            parts = ["pickup", "delivery"]
        for field, value in values.items():
            for part in parts:
                data = base(**{part: {field: value}})
                instance = from_problem_data(data)
                own = to_plain(instance)
                assert own != to_plain(from_problem_data(base())), field
                back = from_problem_data(to_problem_data(instance))
                assert to_plain(back) == own, field


def test_the_page_names_every_field() -> None:
    """Of the classes of PyVRP's stubs, whether or not others say the same."""
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs/reference/pyvrp.md").read_text("utf-8")
    for name, fields in stub_fields().items():
        missing = {field for field in fields if f"`{field}`" not in page}
        assert missing == set(), name


def test_what_stands_in_no_field() -> None:
    """Members of groups, load dimensions, profiles and missing edges."""
    data = base()
    instance = from_problem_data(data)
    assert instance.selection is not None
    assert instance.selection.groups == (nr.Group((2,)), nr.Group((3,)))
    assert len(instance.profiles) == 1
    matrix: Any = np.array(data.distance_matrix(0))
    matrix[1, 2] = pyvrp.constants.MAX_VALUE
    holed = data.replace(
        distance_matrices=[matrix, matrix], duration_matrices=[matrix, matrix]
    )
    instance = from_problem_data(holed)
    assert instance.has_forbidden_arcs
    assert instance.durations is None
    back = to_problem_data(instance)
    assert back.distance_matrix(1)[1, 2] == pyvrp.constants.MAX_VALUE
    assert back.duration_matrix(0)[1, 2] == pyvrp.constants.MAX_VALUE


def test_routes_of_schedules() -> None:
    """A reload of PyVRP's is a depot of ours, with its time and place."""
    data = base(vehicletype={"reload_depots": [1]})
    instance = from_problem_data(data)
    ours = schedule_route(instance, [1, 6, 4, 5])
    kinds = pyvrp.ActivityType
    theirs = pyvrp.Route(
        data,
        [
            pyvrp.Activity(kinds.CLIENT, 0),
            pyvrp.Activity(kinds.DEPOT, 1),
            pyvrp.Activity(kinds.PICKUP, 0),
            pyvrp.Activity(kinds.DELIVERY, 0),
        ],
        0,
    )
    assert ours.distance == theirs.distance()
    assert theirs.num_trips() == 2
    assert nr.Solution.from_routes(instance, [[1, 6, 4, 5]]).routes == (
        (1, 6, 4, 5),
    )
