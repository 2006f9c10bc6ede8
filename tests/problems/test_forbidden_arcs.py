"""Arcs that no vehicle may drive: infinite lengths, and PyVRP's largest."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.simplification import without_forbidden_arcs
from ncc_routing.pyvrp.adapter import from_problem_data, to_problem_data

INF = np.inf


@pytest.fixture
def one_way() -> nr.Instance:
    """Two customers, and only 0 - 1 - 2 - 0 can be driven."""
    matrix = np.array([[0.0, 1.0, 9.0], [INF, 0.0, 1.0], [1.0, INF, 0.0]])
    return nr.Instance("one-way", np.array([0, 1, 1]), 9, matrix=matrix)


def test_a_route_goes_round_them(one_way: nr.Instance) -> None:
    """The way back to the depot leads by the second customer."""
    assert features.FORBIDDEN_ARCS in one_way.features
    result = nr.solve(one_way, stop=nr.MaxIterations(50))
    assert result.routes == ((1, 2),)
    assert result.cost == 3.0
    assert result.instance is one_way


def test_the_duration_alone_may_forbid_an_arc() -> None:
    """Durations count for nothing else here."""
    matrix = np.array([[0, 4, 9], [5, 0, 6], [9, 6, 0.0]])
    durations = np.array([[0, INF, 9], [5, 0, 6], [9, 6, 0.0]])
    kind = nr.VehicleType(capacity=10, unit_distance_cost=2)
    for fleet, unit in ((None, 1), (nr.Fleet((kind,)), 2)):
        instance = nr.Instance(
            "durations",
            np.array([0, 3, 4]),
            10,
            matrix=matrix,
            durations=durations,
            fleet=fleet,
        )
        result = nr.solve(instance, stop=nr.MaxIterations(50))
        assert result.routes == ((2, 1),)
        assert result.cost == unit * 20.0
    places = np.array([[0, 0], [3, 4], [6, 8.0]])
    instance = nr.Instance(
        "places", np.array([0, 3, 4]), 10, places, durations=durations
    )
    assert nr.solve(instance, stop=nr.MaxIterations(50)).routes == ((2, 1),)


def test_there_may_be_no_plan_without_them(one_way: nr.Instance) -> None:
    """Customer 1 cannot be left any more."""
    matrix = np.array(one_way.matrix)
    matrix[1, 2] = INF
    stuck = nr.Instance("stuck", np.array([0, 1, 1]), 9, matrix=matrix)
    with pytest.raises(nr.InfeasibleError, match="customer 1"):
        nr.solve(stuck, stop=nr.MaxIterations(50), time_limit=2.0)


def test_the_check_names_them(one_way: nr.Instance) -> None:
    """Nothing is said of a cost that is none."""
    solution = nr.Solution.from_routes(one_way, [[2, 1]])
    assert solution.cost == INF
    found = nr.check_solution(one_way, solution)
    assert [violation.kind for violation in found] == ["arc", "arc"]
    assert found[0].message == (
        "route 1 takes the forbidden arc from customer 2 to customer 1"
    )


def test_a_free_kilometre_does_not_open_them() -> None:
    """Nor does an infinite duration beside a finite distance."""
    durations = np.ones((3, 3))
    durations[1, 0] = durations[2, 1] = INF
    instance = nr.Instance(
        "free",
        np.array([0, 1, 1]),
        9,
        coords=np.array([[0, 0], [1, 0], [2, 0]]),
        durations=durations,
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=9, fixed_cost=5, unit_distance_cost=0),)
        ),
    )
    assert nr.Solution.from_routes(instance, [[2, 1]]).cost == INF
    result = nr.solve(instance, stop=nr.MaxIterations(50))
    assert result.routes == ((1, 2),)
    assert result.cost == 5.0


def test_each_profile_has_its_own(one_way: nr.Instance) -> None:
    """A type may drive where another may not."""
    barred = np.full((3, 3), 5.0)
    barred[:, 1] = INF  # customer 1 is not for the second type
    profiles = (nr.Profile(np.ones((3, 3))), nr.Profile(barred))
    types = tuple(
        nr.VehicleType(capacity=1, num_available=1, profile=number)
        for number in (1, 2)
    )
    instance = replace(
        one_way, capacity=1, fleet=nr.Fleet(types), profiles=profiles
    )
    best = nr.solve(instance, stop=nr.MaxIterations(50)).best
    driven = dict(zip(best.vehicle_types, best.routes, strict=True))
    assert driven == {0: (1,), 1: (2,)}
    assert best.cost == 2.0 + 10.0


def test_plans_without_them_keep_their_cost() -> None:
    """On random matrices: the same plans are feasible, at the same cost."""
    rng = np.random.default_rng(5)
    for _ in range(100):
        matrix = rng.integers(0, 90, (6, 6)).astype(float)
        matrix[rng.random((6, 6)) < 0.2] = INF
        demands = np.array([0, 1, 2, 3, 1, 2])
        instance = nr.Instance("random", demands, 5, matrix=matrix)
        finite = without_forbidden_arcs(instance)
        order = rng.permutation(5) + 1
        routes = [order[:2].tolist(), order[2:4].tolist(), [int(order[4])]]
        plan = nr.Solution.from_routes(instance, routes)
        same = nr.Solution.from_routes(finite, routes)
        broken = {each.kind for each in nr.check_solution(finite, same)}
        expected = {each.kind for each in nr.check_solution(instance, plan)}
        assert ("arc" in expected) == ("distance" in broken)
        if np.isfinite(plan.cost):
            assert plan.cost == same.cost


def model_without_an_edge(num_clients: int) -> pyvrp.Model:
    """Return a model on a line that lacks the edge from the last to home."""
    model = pyvrp.Model()
    places = [model.add_location(x, 0) for x in range(num_clients + 1)]
    model.add_depot(places[0])
    for place in places[1:]:
        model.add_client(place, delivery=1)
    model.add_vehicle_type(num_clients, capacity=num_clients)
    for i, tail in enumerate(places):
        for j, head in enumerate(places):
            if i != j and (i, j) != (num_clients, 0):
                length = abs(i - j)
                model.add_edge(tail, head, distance=length, duration=length)
    return model


def test_a_missing_edge_of_pyvrp_is_forbidden() -> None:
    """It counted as its largest number, too large from 65 customers on."""
    model = model_without_an_edge(70)
    assert nr.supports(model) == []
    result = nr.solve(model, stop=nr.MaxIterations(200))
    assert result.cost == 140.0
    assert all(route[-1] != 70 for route in result.routes)
    start = nr.warm_start(model, time_limit=1.0)
    assert start.is_feasible()
    assert start.distance() == 140


def test_a_customer_out_of_reach_is_refused_at_once() -> None:
    """By the shortest ways there and back, whatever they lead by."""
    matrix = np.array([[0.0, 4.0, 9.0], [4.0, 0.0, 1.0], [5.0, 1.0, 0.0]])
    for limit, is_served in ((10, True), (9, False)):
        fleet = nr.Fleet((nr.VehicleType(capacity=9, max_distance=limit),))
        instance = nr.Instance(
            "reach", np.array([0, 1, 1]), 9, matrix=matrix, fleet=fleet
        )
        if is_served:
            assert nr.solve(instance, stop=nr.MaxIterations(50)).cost == 10.0
            continue
        with pytest.raises(nr.InfeasibleError, match="can serve customer 2"):
            nr.solve(instance, stop=nr.MaxIterations(50))


def test_there_and_back_to_pyvrp(one_way: nr.Instance) -> None:
    """Its largest number stands for them."""
    data = to_problem_data(one_way)
    matrix = data.distance_matrix(0)
    assert matrix[1, 0] == matrix[2, 1] == pyvrp.constants.MAX_VALUE
    again = from_problem_data(data)
    assert np.array_equal(np.asarray(again.matrix), np.asarray(one_way.matrix))


def test_json_keeps_them_and_vrplib_refuses(
    one_way: nr.Instance, tmp_path: Path
) -> None:
    """As null in JSON; VRPLIB has no number for them."""
    text = nr.solve(one_way, stop=nr.MaxIterations(5)).to_json()
    assert "Infinity" not in text
    again = nr.Result.from_json(text).instance
    assert np.array_equal(np.asarray(again.matrix), np.asarray(one_way.matrix))
    with pytest.raises(nr.ParameterError, match="forbidden arcs"):
        nr.write_instance(tmp_path / "one-way.vrp", one_way)


def test_marks_in_arrays_are_said(caplog: pytest.LogCaptureFixture) -> None:
    """Once, with their number and an example; infinity needs no word."""
    lengths = [[0, 2**31 - 1, 3], [1, 0, np.nan], [INF, 2, 0]]
    cut = nr.Instance("cut", np.array([0, 1, 1]), 2, matrix=np.array(lengths))
    assert replace(cut, name="again").has_forbidden_arcs
    [message] = (record.getMessage() for record in caplog.records)
    assert message == (
        "cut: matrix: 2 forbidden arcs (length 2147483647 or missing), such "
        "as entry (1, 2)."
    )
    with pytest.raises(nr.InstanceError, match="must not be negative"):
        replace(cut, matrix=np.array([[0, -INF, 1], [1, 0, 1], [1, 1, 0]]))


def test_a_limit_of_half_a_mark_keeps_its_arcs() -> None:
    """A forbidden arc is longer than 2 * (2**30 - 1) + 1, which is a mark."""
    most = 2**30 - 1
    matrix = np.array([[0, most // 2, INF], [most // 2, 0, 1], [1, 1, 0]])
    fleet = nr.Fleet((nr.VehicleType(capacity=9, max_distance=most),))
    tight = nr.Instance(
        "a", np.array([0, 1, 1]), 9, matrix=matrix, fleet=fleet
    )
    assert not without_forbidden_arcs(tight).has_forbidden_arcs
    assert nr.solve(tight, stop=nr.MaxIterations(9)).routes == ((1, 2),)


def test_a_customer_cut_off_is_infeasible() -> None:
    """The largest number of int32 is no length."""
    none = 2**31 - 1
    matrix = [[0, 5, none], [5, 0, none], [none, none, 0]]
    cut = nr.Instance("cut", np.array([0, 1, 1]), 2, matrix=np.array(matrix))
    with pytest.raises(
        nr.InfeasibleError, match="forbidden arcs leave no way"
    ):
        nr.solve(cut, stop=nr.MaxIterations(9))
    assert [each.kind for each in nr.diagnose(cut)] == ["arc"]


def test_site_dependence_is_taken(data_dir: Path) -> None:
    """PyVRP writes clients that a vehicle must not visit as missing edges."""
    files = sorted((data_dir / "vrp" / "SDVRPTW").glob("*.vrp"))[:1]
    if not files:
        pytest.skip("the sets beyond the CVRP are not here")
    data = pyvrp.read(files[0], round_func="exact")
    result = nr.solve(data, stop=nr.MaxIterations(200))
    kinds = data.vehicle_types()
    driven = zip(result.best.vehicle_types, result.routes, strict=True)
    for kind, route in driven:
        matrix = data.distance_matrix(kinds[kind].profile)
        assert all(
            matrix[tail, head] < pyvrp.constants.MAX_VALUE
            for tail, head in pairwise((0, *route, 0))
        )
