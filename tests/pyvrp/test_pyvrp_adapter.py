"""Tests of the conversion to and from PyVRP's types."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    to_problem_data,
    to_pyvrp,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def generated() -> nr.Instance:
    """Return thirty customers of the X family."""
    return generate_uchoa(30, 1)


def test_problem_data_of_the_square(square: nr.Instance) -> None:
    """Depot, clients, demands, fleet and distances, value by value."""
    data = to_problem_data(square)
    assert (data.num_depots, data.num_clients) == (1, 4)
    assert [c.delivery for c in data.clients()] == [[1], [2], [3], [4]]
    assert [c.location for c in data.clients()] == [1, 2, 3, 4]
    vehicle = data.vehicle_type(0)
    assert (vehicle.num_available, vehicle.capacity) == (4, [5])
    assert data.distance_matrix(0).tolist() == [
        [0, 71, 71, 71, 71],
        [71, 0, 100, 141, 100],
        [71, 100, 0, 100, 141],
        [71, 141, 100, 0, 100],
        [71, 100, 141, 100, 0],
    ]


def test_customer_c_is_client_c_minus_1(square: nr.Instance) -> None:
    """The route (1, 4) visits the locations 1 and 4 and costs the same."""
    data = to_problem_data(square)
    solution = nr.Solution.from_routes(square, [[1, 4], [2, 3]])
    theirs = to_pyvrp(solution, data)
    assert theirs.is_feasible()
    assert theirs.distance() == solution.cost == 484
    visits = [
        [data.client(a.idx).location for a in route if a.is_client()]
        for route in theirs.routes()
    ]
    assert visits == [[1, 4], [2, 3]]
    assert from_pyvrp(theirs, square) == solution


def test_data_are_those_that_pyvrp_reads(
    generated: nr.Instance, tmp_path: Path
) -> None:
    """Clients, locations and distances equal those of PyVRP's reader."""
    file = tmp_path / "generated.vrp"
    nr.write_instance(file, generated)
    theirs = pyvrp.read(file, round_func="round")
    ours = to_problem_data(generated)
    assert ours.clients() == theirs.clients()
    assert ours.depots() == theirs.depots()
    assert ours.locations() == theirs.locations()
    assert np.array_equal(ours.distance_matrix(0), theirs.distance_matrix(0))
    vehicles = [v.replace(name="") for v in theirs.vehicle_types()]
    assert ours.vehicle_types() == vehicles


@pytest.mark.parametrize("rounding", ["nearest", "floor", "ceil", "exact"])
def test_there_and_back(generated: nr.Instance, rounding: str) -> None:
    """The rounding is found again, without a matrix."""
    instance = nr.Instance(
        "there",
        generated.demands,
        generated.capacity,
        generated.coords,
        rounding,
    )
    back = from_problem_data(to_problem_data(instance), name="back")
    assert back.name == "back"
    assert back.rounding == rounding
    assert back.matrix is None
    assert back.capacity == instance.capacity
    assert np.array_equal(back.demands, instance.demands)
    assert np.array_equal(
        back.require_coords("a test"), instance.require_coords("a test")
    )


@pytest.mark.parametrize("coords", [None, [[0, 0], [1, 0], [0, 1]]])
def test_other_distances_are_kept(coords: Any) -> None:
    """They stay a matrix; places that are all equal are no coordinates."""
    matrix = [[0, 5, 6], [7, 0, 8], [2, 3, 0]]
    instance = nr.Instance(
        "roads",
        np.array([0, 1, 1]),
        2,
        coords and np.array(coords),
        matrix=np.array(matrix),
    )
    back = from_problem_data(to_problem_data(instance))
    assert np.asarray(back.matrix).tolist() == matrix
    assert np.array_equal(np.array(back.coords), np.array(coords))


def test_locations_in_any_order() -> None:
    """Clients may name their locations freely; one may be unused."""
    coords = [(30, 40), (9, 9), (0, 0), (30, 0)]
    points = np.array(coords)
    lengths = np.linalg.norm(points[:, None] - points[None], axis=2)
    distances: list[Any] = [np.rint(lengths).astype(int)]
    data = pyvrp.ProblemData(
        locations=[pyvrp.Location(x, y) for x, y in coords],
        clients=[pyvrp.Client(3, [2]), pyvrp.Client(0, [1])],
        depots=[pyvrp.Depot(2)],
        vehicle_types=[pyvrp.VehicleType(2, [3])],
        distance_matrices=distances,
        duration_matrices=distances,
    )
    instance = from_problem_data(data)
    assert instance.coords is not None
    assert instance.coords.tolist() == [[0, 0], [30, 0], [30, 40]]
    assert instance.demands.tolist() == [0, 2, 1]
    solution = nr.Solution.from_routes(instance, [[1, 2]])
    theirs = to_pyvrp(solution, data)
    assert theirs.distance() == solution.cost == 30 + 40 + 50
    assert from_pyvrp(theirs, instance) == solution


def test_nan_coordinates_leave_the_matrix(square: nr.Instance) -> None:
    """PyVRP takes them, so they are no coordinates here."""
    data = to_problem_data(square)
    locations = [pyvrp.Location(np.nan, 0), *data.locations()[1:]]
    back = from_problem_data(data.replace(locations=locations))
    assert back.coords is None
    assert np.array_equal(np.asarray(back.matrix), data.distance_matrix(0))


def test_unrounded_distances_are_scaled() -> None:
    """The longest distance has six digits; costs are added up by us."""
    instance = nr.Instance(
        "unrounded",
        np.array([0, 1, 1]),
        2,
        np.array([[0, 0], [0.3, 0.4], [0.6, 0.8]]),
        "none",
    )
    data = to_problem_data(instance)
    assert data.distance_matrix(0).tolist() == [
        [0, 500_000, 1_000_000],
        [500_000, 0, 500_000],
        [1_000_000, 500_000, 0],
    ]
    solution = nr.Solution.from_routes(instance, [[2, 1]])
    back = from_pyvrp(to_pyvrp(solution, data), instance)
    assert back.cost == pytest.approx(2.0)
    assert nr.check_solution(instance, back) == []


@pytest.mark.parametrize("size", [0, 1e-7, 0.5, 3.0, 1414.2, 1.2e5, 3.3e8])
def test_scale_suits_any_size(size: float) -> None:
    """From 100,000 to 1,000,000; lengths of zero have no scale."""
    instance = nr.Instance(
        "scaled", np.array([0, 1]), 1, np.array([[0, 0], [size, 0]]), "none"
    )
    longest = to_problem_data(instance).distance_matrix(0).max()
    assert longest == 0 if size == 0 else 100_000 <= longest <= 1_000_000


@pytest.mark.parametrize(
    ("coords", "message"),
    [
        # 24 bytes for each pair of 18,258 nodes are more than 8 GB.
        (np.arange(18_258)[:, None] + np.zeros(2), "num_customers: PyVRP"),
        # PyVRP takes distances up to 2**44.
        (np.array([[0, 0], [2e13, 0]]), "distances: PyVRP"),
    ],
    ids=["large", "wide"],
)
def test_too_large_for_pyvrp(coords: np.ndarray, message: str) -> None:
    """The message says what is."""
    demands = np.minimum(np.arange(len(coords)), 1)
    instance = nr.Instance("large", demands, 9, coords)
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        to_problem_data(instance)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"cost per km": 0.7},
            r"unit_distance_cost of vehicle type 0 \(name van\): must be "
            r"whole for PyVRP, got 0.0007",
        ),
        ({"fixed cost": 8.5}, r"fixed_cost of .* for PyVRP, got 8.5"),
        ({"fixed cost": 9}, "metric exact, .* rounding nearest"),
    ],
)
def test_fractional_costs_are_named(
    changes: dict[str, float], message: str
) -> None:
    """As the user gave them, at once and not as a sum of distances."""
    van = {"name": "van", "capacity": 5, **changes}
    rows = [
        {"id": name, "x": 0.5 * k, "y": 0, "demand": k}
        for k, name in enumerate("abc")
    ]
    instance = nr.read(rows, [van])
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        nr.solve(instance, polish="pyvrp", time_limit=1.0)
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        to_problem_data(instance)


def test_fractional_lengths_and_prizes_are_named() -> None:
    """The first of them that is no whole number."""
    matrix = np.array([[0, 2.5, 3], [2, 0, 2], [3, 2, 0]])
    kind = nr.VehicleType(capacity=5, fixed_cost=1)
    lone: dict[str, Any] = {
        "demands": np.array([0, 1, 1]),
        "fleet": nr.Fleet((kind,)),
    }
    prizes = nr.Selection(np.array([0, 1.5, 0]), np.array([0, 1, 0]) > 0)
    for more, text in (
        ({"matrix": matrix}, "distances: must be whole for PyVRP, got 2.5"),
        (
            {"matrix": np.ceil(matrix), "durations": matrix},
            "durations: must be whole for PyVRP, got 2.5",
        ),
        (
            {"matrix": np.ceil(matrix), "selection": prizes},
            "prizes: must be whole for PyVRP, got 1.5",
        ),
    ):
        with pytest.raises(nr.UnsupportedProblemError, match=text):
            to_problem_data(nr.Instance("a", **lone, **more))


def test_stdout_stays_clean() -> None:
    """PyVRP's own log goes to stderr once the adapter is there."""
    code = (
        "import ncc_routing.pyvrp.adapter, logging\n"
        "logging.getLogger('pyvrp').info('progress')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert "progress" in done.stderr
