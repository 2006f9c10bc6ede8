"""Tests of the instance: what it checks and what it computes."""

from dataclasses import fields
from inspect import signature

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.distances import ROUNDINGS
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.source import Source

TRIANGLE = np.array([[0, 0], [3, 4], [0, 1]])


def make(**changes: object) -> nr.Instance:
    """Return a depot with two customers, with some arguments replaced."""
    arguments: dict[str, object] = {
        "name": "tiny",
        "demands": [0, 2, 3],
        "capacity": 4,
        "coords": TRIANGLE,
    }
    return nr.Instance(**(arguments | changes))  # type: ignore[arg-type]


def test_counts_and_bound() -> None:
    """Two customers of demand 2 and 3 need two vehicles of capacity 4."""
    instance = make()
    assert instance.num_customers == 2
    assert instance.min_num_routes == 2
    assert make(capacity=5).min_num_routes == 1
    assert make(demands=[0, 0, 0]).min_num_routes == 1
    assert make(demands=[0, 0, 4]).demands.tolist() == [0, 0, 4]


def test_arrays_are_read_only_copies() -> None:
    """An instance cannot be changed, not even through its input."""
    coords = TRIANGLE.astype(float)
    instance = make(coords=coords)
    coords[0] = 99
    assert instance.coords is not None
    assert instance.coords[0].tolist() == [0, 0]
    with pytest.raises(ValueError, match="read-only"):
        instance.demands[1] = 7
    with pytest.raises(ValueError, match="read-only"):
        instance.coords[1] = 7


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"demands": [0, 2.5, 1]}, "demands: must be whole numbers, got 2.5"),
        ({"demands": [0, np.nan, 1]}, "demands: must be whole numbers"),
        ({"demands": ["a", 2, 1]}, "demands: must be numbers"),
        ({"demands": [0, -1, 1]}, "customer 1 must not be negative, got -1"),
        ({"demands": [1, 1, 1]}, "the demand of the depot must be 0, got 1"),
        ({"demands": [0]}, "a depot and a customer are needed"),
        ({"demands": [[0, 1]]}, "a depot and a customer are needed"),
        ({"capacity": 0}, "capacity: must be positive, got 0"),
        ({"capacity": 4.5}, "capacity: must be a whole number, got 4.5"),
        ({"capacity": np.inf}, "capacity: must be at most"),
        ({"coords": TRIANGLE[:2]}, r"coords: must have shape \(3, 2\)"),
        ({"coords": [[0, 0], [np.inf, 0], [1, 1]]}, r"\(2, 1\) must be fin"),
        ({"coords": None}, "coordinates or a matrix must be given"),
        ({"matrix": np.zeros((2, 3))}, r"matrix: must have shape \(3, 3\)"),
        ({"matrix": np.full((3, 3), -1)}, "must not be negative, as entry"),
        ({"rounding": "up"}, "rounding: must be one of nearest, ceil"),
        ({"demands": None}, "demands: must be given, got None"),
        ({"demands": [[0, 1], [2]]}, "demands: must be numbers"),
        ({"capacity": [5, 6]}, "capacity: must be a whole number, got \\[5"),
        ({"capacity": "five"}, "capacity: must be numbers"),
        ({"coords": "abc"}, "coords: must be numbers"),
        ({"matrix": [[0, 1], [2]]}, "matrix: must be numbers"),
        ({"rounding": ["none"]}, "rounding: must be one of"),
        (
            {"rounding": "ceil", "is_geographic": True},
            "nearest, none for long",
        ),
        ({"ids": ["a", "b"]}, "ids: must hold 3 ids, one for each row, got 2"),
        ({"ids": ["a", "b", "a"]}, r"repeat \(entries 1 and 3\), got 'a'"),
        ({"ids": ["a", "b", " "]}, "ids: an id must not be empty"),
        ({"ids": ["a", "b", "\ud800"]}, "must not hold control characters"),
        ({"ids": "abc"}, "ids: must be a list of texts"),
        ({"ids": 7}, "ids: must be a list of texts"),
    ],
)
def test_refuses_what_breaks_a_rule(
    changes: dict[str, object], message: str
) -> None:
    """Each error names the instance, the field, the rule and the value."""
    with pytest.raises(nr.InstanceError, match=message) as caught:
        make(**changes)
    assert str(caught.value).startswith("tiny: ")


def test_matrix_takes_the_place_of_coordinates() -> None:
    """Distances come from the matrix, in its direction."""
    matrix = [[0, 7, 9], [1, 0, 2], [4, 8, 0]]
    instance = make(matrix=matrix)
    assert instance.distances([0, 2], [1]).tolist() == [[7], [8]]
    assert instance.route_cost([1, 2]) == 7 + 2 + 4
    assert not instance.is_symmetric
    assert instance.is_integral


def test_route_cost_goes_out_and_back() -> None:
    """0 -> 1 -> 2 -> 0 is 5 + 4 + 1; an empty route costs nothing."""
    costs = [make().route_cost(route) for route in ([1, 2], [1], [])]
    assert costs == [10, 10, 0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"rounding": "none"}, False),
        ({"matrix": np.full((3, 3), 2.0), "rounding": "none"}, True),
        ({"matrix": np.full((3, 3), 2.5)}, False),
    ],
)
def test_is_integral(changes: dict[str, object], expected: bool) -> None:
    """The matrix decides where there is one, else the rounding."""
    assert make(**changes).is_integral is expected


def test_coordinates_can_be_required() -> None:
    """Who needs coordinates is named where there are none."""
    assert make().require_coords("method sweep").shape == (3, 2)
    matrix_only = make(coords=None, matrix=np.ones((3, 3)))
    message = "coords: node coordinates are needed by method sweep"
    with pytest.raises(nr.InstanceError, match=message) as caught:
        matrix_only.require_coords("method sweep")
    assert "NODE_COORD_SECTION" not in str(caught.value)


def test_metric_holds_what_kernels_take() -> None:
    """Missing parts are empty or zero arrays; the rounding is a rule."""
    metric = make(rounding="ceil").metric
    assert metric.coords.tolist() == TRIANGLE.tolist()
    assert metric.matrix.shape == (0, 0)
    assert metric.rounding == ROUNDINGS["ceil"]
    metric = make(coords=None, matrix=np.ones((3, 3))).metric
    assert metric.coords.shape == (3, 2)
    assert metric.matrix.shape == (3, 3)


def test_costs_of_many_routes(square: nr.Instance) -> None:
    """As one by one, an empty route included: it stays at the depot."""
    routes = [[1, 4], [], [2, 3, 1], [2]]
    costs = square.route_costs(routes)
    assert costs.tolist() == [square.route_cost(route) for route in routes]
    assert costs.tolist()[1] == 0.0
    assert square.route_costs([]).tolist() == []


def test_nodes_in_words() -> None:
    """Customers with their ids; one depot needs no name, several do."""
    assert make(ids=[7, "b", 1.5]).node_ids == ("7", "b", "1.5")
    assert (make().ids, make().node_ids) == (None, ("0", "1", "2"))
    named = make(ids=["home", "Main\nSt", 50 * "x"])
    assert named.describe_node(0) == "the depot"
    assert named.describe_node(1) == "customer 1 (id Main\\nSt)"
    assert named.describe_node(2) == f"customer 2 (id {40 * 'x'}...)"
    assert make().describe_node(2) == "customer 2"
    two = make(
        demands=[0, 2, 0],
        num_depots=2,
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=4),
                nr.VehicleType(capacity=4, start_depot=1),
            )
        ),
        ids=["north", "a", "south"],
    )
    assert two.describe_node(0) == "depot 1 (id north)"
    assert two.describe_node(2) == "depot 2 (id south)"


def test_the_plane_is_that_of_the_coordinates() -> None:
    """Of longitude and latitude a map about the depot, in metres."""
    assert make().plane_coords("test").tolist() == TRIANGLE.tolist()
    plane = make(is_geographic=True).plane_coords("test")
    assert plane[0].tolist() == [0.0, 0.0]
    # Three degrees of longitude near the equator, four of latitude.
    assert plane[1] == pytest.approx([333585, 444780], rel=3e-3)


def test_a_part_has_some_customers_in_their_order() -> None:
    """By hand, with coordinates, a matrix, and ids that get lost."""
    matrix = [[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]]
    whole = make(matrix=matrix, ids=("d", "a", "b"))
    part = restrict(whole, np.array([2]))
    assert part.demands.tolist() == [0, 3]
    assert part.coords is not None
    assert part.coords.tolist() == [[0, 0], [0, 1]]
    assert part.matrix is not None
    assert part.matrix.tolist() == [[0, 2], [5, 0]]
    assert part.ids is None
    turned = restrict(make(), np.array([2, 1]))
    assert turned.demands.tolist() == [0, 3, 2]
    assert turned.route_cost([2]) == make().route_cost([1])


def test_a_part_keeps_all_that_its_customers_have() -> None:
    """By hand: depots, durations, profiles, loads and the fleet."""
    matrix = np.arange(16.0).reshape(4, 4)
    np.fill_diagonal(matrix, 0.0)
    kept = matrix[np.ix_([0, 2, 3], [0, 2, 3])].tolist()
    loads = nr.Loads(np.array([[0], [2], [3], [0]]), np.zeros((4, 1)))
    whole = nr.Instance(
        "depots",
        np.array([0, 2, 3, 0]),
        matrix=matrix,
        durations=2 * matrix,
        profiles=(nr.Profile(3 * matrix),),
        num_depots=2,
        loads=loads,
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=5, num_available=1),
                nr.VehicleType(capacity=3, num_available=1, start_depot=1),
            ),
            vehicles=(1, 0),
        ),
    )
    part = restrict(whole, np.array([2]))
    assert part.depots == (0, 2)
    assert part.matrix is not None
    assert part.matrix.tolist() == kept
    assert part.durations is not None
    assert (part.durations / 2).tolist() == kept
    assert (part.profiles[0].matrix / 3).tolist() == kept
    assert part.loads is not None
    assert part.loads.delivery.tolist() == [[0], [3], [0]]
    assert part.fleet is not None
    assert part.fleet.vehicles is None
    assert part.vehicle_types == whole.vehicle_types


def test_the_diagonal_of_a_matrix_counts_as_0() -> None:
    """Nobody drives from a place to itself; the given array stays."""
    given = np.array([[9.0, 1.0], [2.0, 7.0]])
    made = nr.Instance("m", np.array([0, 1]), 1, matrix=given, durations=given)
    for matrix in (made.matrix, made.durations, nr.Profile(given).matrix):
        assert np.array_equal(np.array(matrix), [[0, 1], [2, 0]])
    assert given[0, 0] == 9.0


def test_a_depot_has_no_release_time() -> None:
    """Of the first depot, and of another one."""
    types = tuple(
        nr.VehicleType(capacity=5, start_depot=k, end_depot=k)
        for k in range(2)
    )
    for node in (0, 3):
        releases = np.zeros(4)
        releases[node] = 50
        windows = nr.TimeWindows.of(4, release_times=releases)
        with pytest.raises(
            nr.InstanceError, match=rf"release_times, node {node}: must be 0"
        ):
            nr.Instance(
                "late",
                np.array([0, 1, 1, 0]),
                5,
                np.arange(8).reshape(4, 2),
                num_depots=2,
                windows=windows,
                fleet=nr.Fleet(types),
            )


def test_one_line_says_name_size_and_features() -> None:
    """What a prompt shows of an instance has no arrays."""
    windows = nr.TimeWindows.of(3, tw_late=9)
    timed = make(windows=windows)
    assert repr(make()) == "Instance(tiny: 2 customers, capacity 4)"
    assert repr(timed) == (
        "Instance(tiny: 2 customers, capacity 4, time windows)"
    )


def test_a_field_that_moved_names_its_place() -> None:
    """That of the source, which says how tables write a problem."""
    for field in vars(Source()):
        with pytest.raises(TypeError, match=rf"Source\({field}=\.\.\.\)"):
            make(**{field: ()})
        with pytest.raises(AttributeError, match=rf"is source\.{field}\."):
            getattr(make(), field)
    with pytest.raises(AttributeError, match=r"no attribute colour\.$"):
        make().colour  # type: ignore[attr-defined]  # noqa: B018


def test_clients_of_pyvrp_have_their_numbers() -> None:
    """From 0 on; shipments stand behind clients, depots behind all."""
    given = {
        "demands": [0, 2, 0, 0, 0],
        "coords": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]],
        "shipments": (nr.Shipment(2, 3, (1,)),),
        "num_depots": 2,
        "fleet": nr.Fleet((nr.VehicleType(capacity=4),)),
    }
    ours = make(**given)
    theirs = make(**given, source=Source(names_clients=True))
    assert [ours.describe_node(node) for node in range(5)] == [
        *("depot 1", "customer 1", "customer 2", "customer 3", "depot 2"),
    ]
    assert [theirs.describe_node(node) for node in range(5)] == [
        *("depot 0", "client 0", "the pickup of shipment 0"),
        *("the delivery of shipment 0", "depot 1"),
    ]
    content = nr.solve(theirs, nr.stop.MaxIterations(1)).to_json()
    again = nr.Result.from_json(content).instance
    assert again.describe_node(1) == "client 0"


def test_the_signature_has_the_fields() -> None:
    """Tools that complete names read it."""
    names = [*signature(nr.Instance).parameters]
    assert names == [field.name for field in fields(nr.Instance)]
