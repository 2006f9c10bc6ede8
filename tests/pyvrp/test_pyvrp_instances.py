"""Tests of what becomes of PyVRP's data: kept, left out, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.problems.routes.simplification import Prepared, simplify
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    to_problem_data,
    to_pyvrp,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[pyvrp.ProblemData], pyvrp.ProblemData]


@pytest.fixture
def data(square: nr.Instance) -> pyvrp.ProblemData:
    """Return four clients about a depot, demands 1 to 4, capacity 5."""
    return to_problem_data(square)


def vehicles(*changes: dict[str, Any], **only: Any) -> Change:
    """Return a change of the vehicle type, or one for each type."""
    return lambda data: data.replace(
        vehicle_types=[
            data.vehicle_type(0).replace(**one) for one in changes or (only,)
        ]
    )


def client(**changes: Any) -> Change:
    """Return a change of the second client."""
    own = pyvrp.Client(**{"location": 2, "delivery": [2], **changes})
    return lambda data: data.replace(
        clients=[data.client(0), own, *data.clients()[2:]]
    )


def depot(**changes: Any) -> Change:
    """Return a change of the depot."""
    return lambda data: data.replace(depots=[pyvrp.Depot(0, **changes)])


def both(*changes: Change) -> Change:
    """Return several changes as one."""

    def change(data: pyvrp.ProblemData) -> pyvrp.ProblemData:
        for each in changes:
            data = each(data)
        return data

    return change


def two_depots(data: pyvrp.ProblemData) -> pyvrp.ProblemData:
    """Put a second depot at the place of the first, with a vehicle each."""
    changed = data.replace(depots=[pyvrp.Depot(0), pyvrp.Depot(0)])
    return vehicles({}, {"start_depot": 1, "end_depot": 1})(changed)


def other_durations(data: pyvrp.ProblemData) -> pyvrp.ProblemData:
    """Let everything take twice its distance."""
    durations: Any = 2 * data.distance_matrix(0)
    return data.replace(duration_matrices=[durations])


def two_profiles(data: pyvrp.ProblemData) -> pyvrp.ProblemData:
    """Give half of the vehicles longer ways."""
    own: Any = data.distance_matrix(0)
    matrices = [own, 2 * own]
    changed = data.replace(
        distance_matrices=matrices, duration_matrices=matrices
    )
    return vehicles({}, {"profile": 1})(changed)


BINDING: dict[str, list[Change]] = {
    "time windows": [
        client(tw_early=99),
        client(tw_late=100),
        depot(tw_late=200),
    ],
    "service durations": [
        both(client(service_duration=7), vehicles(shift_duration=400))
    ],
    "release times": [client(release_time=1)],
    "a limited number of vehicles": [
        vehicles(num_available=3),
        vehicles({"num_available": 1}, {"num_available": 2}),
    ],
    "fixed costs of vehicles": [vehicles(fixed_cost=1)],
    "unit distance costs": [vehicles({}, {"unit_distance_cost": 2})],
    "unit duration costs": [vehicles(unit_duration_cost=1)],
    "maximum distances": [vehicles(max_distance=400)],
    "shift durations": [vehicles(shift_duration=400)],
    "time windows of vehicles": [
        both(client(tw_early=99), vehicles(tw_early=1)),
        vehicles(tw_late=400, start_late=400),
    ],
    "several vehicle types": [vehicles({}, {"capacity": [4]})],
    "several depots": [two_depots],
    "several profiles": [two_profiles],
    "durations other than the distances": [
        both(other_durations, vehicles(shift_duration=500))
    ],
}


@pytest.mark.parametrize("feature", BINDING)
def test_names_what_may_bind(data: pyvrp.ProblemData, feature: str) -> None:
    """A method hears of everything that it has to respect."""
    for change in BINDING[feature]:
        instance = simplify(from_problem_data(change(data)))
        assert feature in instance.features
        assert not instance.is_unlimited_cvrp


@pytest.mark.parametrize(
    "change",
    [
        vehicles(num_available=5),
        vehicles({"num_available": 1}, {"num_available": 3}),
        vehicles({"fixed_cost": 0}, {"name": "the same"}),
        client(service_duration=7),
        depot(service_duration=7),
        depot(tw_early=1),
        client(prize=5),
        client(tw_late=5_000),
        client(tw_late=5_000, service_duration=7),
        vehicles(max_distance=1_000),
        vehicles(shift_duration=1_000),
        vehicles(shift_duration=500, max_overtime=500),
        vehicles(tw_late=5_000, start_late=5_000),
        vehicles(start_late=0),
        vehicles(tw_early=50),
        both(client(release_time=9), vehicles(tw_early=9)),
        both(client(tw_early=9), depot(tw_early=9)),
        other_durations,
        vehicles(capacity=[2**40]),
        vehicles(reload_depots=[0], max_reloads=0),
        vehicles(unit_overtime_cost=1, shift_duration=1_000),
        vehicles(unit_overtime_cost=1, shift_duration=500, max_overtime=500),
        vehicles(initial_load=[0]),
        vehicles({}, {"shift_duration": 900, "max_overtime": 900}),
        lambda data: data.replace(depots=[pyvrp.Depot(0), pyvrp.Depot(1)]),
    ],
)
def test_what_changes_nothing_is_left_out(
    data: pyvrp.ProblemData, change: Change
) -> None:
    """It is a plain CVRP, whose solutions are those of the data."""
    changed = change(data)
    given = from_problem_data(changed)
    simple = simplify(given)
    assert simple.features == ()
    assert (simple.fleet, simple.windows) == (None, None)
    assert nr.pyvrp.supports(changed) == []
    solution = nr.Solution.from_routes(simple, [[1, 4], [2, 3]])
    restored = Prepared.of(given).to_given(solution)
    theirs = to_pyvrp(restored, changed)
    assert theirs.is_feasible()
    assert theirs.distance_cost() + theirs.duration_cost() == solution.cost
    assert from_pyvrp(theirs, given) == restored


def test_a_unit_cost_that_all_share_scales(data: pyvrp.ProblemData) -> None:
    """The distances hold it, so that costs stay PyVRP's."""
    changed = vehicles(unit_distance_cost=3)(data)
    instance = simplify(from_problem_data(changed))
    assert not instance.features
    assert instance.coords is not None
    solution = nr.Solution.from_routes(instance, [[1, 4], [2, 3]])
    assert solution.cost == 3 * 484
    assert to_pyvrp(solution, changed).distance_cost() == solution.cost
    assert nr.pyvrp.supports(changed) == []


@pytest.mark.parametrize(
    ("field", "feature"),
    [
        ("max_distance", "maximum distances"),
        ("shift_duration", "shift durations"),
    ],
)
def test_limits_on_both_sides_of_the_bound(
    data: pyvrp.ProblemData, field: str, feature: str
) -> None:
    """Two customers fit, so a route has three arcs of 142 at most."""
    for limit, left in ((3 * 142, ()), (3 * 142 - 1, (feature,))):
        given = from_problem_data(vehicles({field: limit})(data))
        assert simplify(given).features == left


def test_more_routes_than_vehicles(data: pyvrp.ProblemData) -> None:
    """A start that PyVRP could not take is no start."""
    changed = vehicles(num_available=3)(data)
    instance = from_problem_data(changed)
    solution = nr.Solution.from_routes(instance, [[1], [2], [3], [4]])
    with pytest.raises(nr.InfeasibleError, match="4 routes for 3 vehicles"):
        to_pyvrp(solution, changed)


def test_without_loads(data: pyvrp.ProblemData) -> None:
    """A problem without any load dimension has no demands."""
    changed = data.replace(
        clients=[pyvrp.Client(c.location) for c in data.clients()],
        vehicle_types=[pyvrp.VehicleType(4)],
    )
    instance = from_problem_data(changed)
    assert instance.demands.tolist() == [0] * 5
    assert not simplify(instance).features


def test_demand_over_the_capacity(data: pyvrp.ProblemData) -> None:
    """As in PyVRP it is data without a solution, and the reason is said."""
    changed = vehicles(capacity=[3])(data)
    assert from_problem_data(changed).oversized
    with pytest.raises(nr.InfeasibleError, match="largest capacity, 3"):
        nr.solve(changed, time_limit=0.1)


def test_supports_takes_data_or_a_model(data: pyvrp.ProblemData) -> None:
    """A model counts as its data; what is no problem is an error."""
    assert nr.pyvrp.supports(pyvrp.Model.from_data(data)) == []
    with pytest.raises(nr.ParameterError, match="ProblemData or Model, got"):
        nr.pyvrp.supports(7)
    with pytest.raises(nr.InstanceError, match="a file"):
        nr.pyvrp.supports("a file")


def test_large_coordinates_with_distances(data: pyvrp.ProblemData) -> None:
    """A rounding under which they would be too large is not theirs."""
    places = [
        pyvrp.Location(1e13 * place.x, 1e13 * place.y)
        for place in data.locations()
    ]
    instance = from_problem_data(data.replace(locations=places))
    assert instance.matrix is not None
    assert instance.distances([0], [1]) == data.distance_matrix(0)[0, 1]


def named_model(*clients: str, home: str = "", place: str = "") -> pyvrp.Model:
    """Return a model whose clients have some names."""
    model = pyvrp.Model()
    locations = [
        model.add_location(9 * i, i, name=place and f"{place} {i}")
        for i in range(len(clients) + 1)
    ]
    model.add_depot(locations[0], name=home)
    for name, location in zip(clients, locations[1:], strict=True):
        model.add_client(location, delivery=1, name=name)
    model.add_vehicle_type(capacity=9)
    for one in locations:
        for other in locations:
            model.add_edge(one, other, int(one is not other))
    return model


@pytest.mark.parametrize(
    ("model", "ids"),
    [
        (named_model("ann", "bob", home="shop"), ("shop", "ann", "bob")),
        (named_model("ann", "depot"), ("depot_", "ann", "depot")),
        (named_model("", "", place="at"), ("at 0", "at 1", "at 2")),
        (named_model("ann", "", place="at"), ("at 0", "ann", "at 2")),
        (named_model("ann", ""), None),
        (named_model("ann", "ann"), None),
        (named_model("ann", "b\x1b"), None),
    ],
)
def test_names_of_clients_become_ids(
    model: pyvrp.Model, ids: tuple[str, ...] | None
) -> None:
    """Where each has one of its own, or its location has."""
    assert from_problem_data(model).ids == ids
    assert nr.solve(model, polish="none").instance.ids == ids
