"""Arcs that no vehicle may drive: infinite lengths, and PyVRP's largest."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.problems.routes.simplification import without_forbidden_arcs

INF = np.inf


@pytest.fixture
def one_way() -> nr.Instance:
    """Two customers, and only 0 - 1 - 2 - 0 can be driven."""
    matrix = np.array([[0.0, 1.0, 9.0], [INF, 0.0, 1.0], [1.0, INF, 0.0]])
    return nr.Instance("one-way", np.array([0, 1, 1]), 9, matrix=matrix)


def test_the_check_names_them(one_way: nr.Instance) -> None:
    """Nothing is said of a cost that is none."""
    solution = nr.Solution.from_routes(one_way, [[2, 1]])
    assert solution.cost == INF
    found = nr.check_solution(one_way, solution)
    assert [violation.kind for violation in found] == ["arc", "arc"]
    assert found[0].message == (
        "route 1 takes the forbidden arc from customer 2 to customer 1"
    )


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
    assert nr.pyvrp.supports(model) == []
    result = nr.solve(model, stop=nr.stop.MaxIterations(200))
    assert result.cost == 140.0
    assert all(route[-1] != 70 for route in result.routes)
    start = nr.warm_start(model, time_limit=0.3)
    assert start.is_feasible()
    assert start.distance() == 140


def test_json_keeps_them_and_vrplib_refuses(
    one_way: nr.Instance, tmp_path: Path
) -> None:
    """As null in JSON; VRPLIB has no number for them."""
    text = nr.solve(one_way, stop=nr.stop.MaxIterations(5)).to_json()
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
    assert nr.solve(tight, stop=nr.stop.MaxIterations(9)).routes == ((1, 2),)
