"""Writing instances as VRPLIB, all of PyVRP's dialect, and reading them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

import ncc_routing as nr
from ncc_routing.desk.points import write_points
from ncc_routing.desk.routes import write_routes
from ncc_routing.io.vrplib import write_solution
from ncc_routing.problems import features
from ncc_routing.problems.odd_lengths import require_distances
from ncc_routing.problems.routes.schedules import arc_distances
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.oracles.problems import FLEETS, PARTS, random_problem
from tests.oracles.same_meaning import (
    METRIC_OF_SET,
    assert_same_meaning,
    times_of,
)
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Callable


def of_a_file(seed: int) -> nr.Instance:
    """Return a full problem without what files have no place for."""
    rng = np.random.default_rng([seed, 4])
    parts = [part for part in FLEETS + PARTS if part != "shipments"]
    given = random_problem(seed, parts, share=0.5)
    size, depots = len(given.demands), list(given.depots)
    selection = given.selection
    windows = given.windows or nr.TimeWindows.of(size)
    services = windows.service_durations.copy()
    services[depots] = 0
    if selection is not None:
        free = ~given.required
        prizes = np.where(free, np.maximum(1, selection.prizes), 0)
        prizes[depots] = 0
        groups = tuple(
            replace(group, required=True, name="")
            for group in selection.groups
            if len(group.customers) > 1
        )
        grouped = [node for group in groups for node in group.customers]
        required = prizes == 0
        required[grouped] = False
        chosen = nr.Selection(prizes, required, groups)
        selection = chosen if groups or prizes.any() else None
    matrix = np.array(given.matrix)
    matrix[np.isinf(matrix)] = 50
    matrices = [matrix]
    if rng.random() < 0.4:  # vehicles that may not visit everybody
        masks = rng.random((2, size)) < 0.7
        masks[:, depots] = True
        matrices = [without(matrix, ~mask) for mask in masks]
    elif rng.random() < 0.5 and given.loads is not None:  # TYPE VRPB
        gets = given.loads.delivery.any(axis=1)
        gives = given.loads.pickup.any(axis=1)
        matrix[np.ix_(gives, gets)] = np.inf
        matrix[0, gives] = np.inf
        np.fill_diagonal(matrix, 0)
    assert given.fleet is not None
    types = tuple(
        replace(
            kind,
            name="",
            unit_duration_cost=0,
            end_depot=kind.start_depot,
            tw_early=0,
            tw_late=NO_LIMIT,
            start_late=NO_LIMIT,
            profile=int(rng.integers(len(matrices))),
            initial_load=(),
            max_overtime=0,
            unit_overtime_cost=0,
        )
        for kind in given.vehicle_types
    )
    return replace(
        given,
        ids=None,
        fleet=nr.Fleet(types),
        windows=replace(windows, service_durations=services),
        durations=None,
        matrix=matrices[0],
        profiles=tuple(map(nr.Profile, matrices[1:])),
        selection=selection,
    )


def shipments_of_a_file(seed: int) -> nr.Instance:
    """Return a problem of shipments alone, in the order of PyVRP's stops."""
    rng = np.random.default_rng([seed, 5])
    size = 1 + 2 * int(rng.integers(1, 4))
    matrix = rng.integers(1, 50, (size, size)).astype(float)
    np.fill_diagonal(matrix, 0)
    matrices = [matrix]
    if rng.random() < 0.5:
        masks = rng.random((2, size)) < 0.7
        masks[:, :2] = True  # PyVRP takes nobody for everybody here
        matrices = [without(matrix, ~mask) for mask in masks]
    types = tuple(
        nr.VehicleType(
            capacity=int(rng.integers(6, 12)),
            num_available=int(rng.integers(1, 3)),
            fixed_cost=int(rng.integers(-9, 9)),
            shift_duration=int(rng.integers(100, 200)),
            reload_depots=(0,) if rng.random() < 0.4 else (),
            profile=int(rng.integers(len(matrices))),
        )
        for _ in range(rng.integers(1, 4))
    )
    early = rng.integers(0, 60, size)
    late = 60 + rng.integers(0, 90, size)
    services = rng.integers(0, 9, size)
    services[0] = 0
    return nr.Instance(
        "case",
        np.zeros(size),
        matrix=matrices[0],
        fleet=nr.Fleet(types),
        profiles=tuple(map(nr.Profile, matrices[1:])),
        windows=nr.TimeWindows.of(size, early, late, services),
        shipments=tuple(
            nr.Shipment(stop, stop + 1, (int(rng.integers(0, 6)),))
            for stop in range(1, size, 2)
        ),
    )


def without(matrix: np.ndarray, is_gone: np.ndarray) -> np.ndarray:
    """Return the matrix without the arcs of some nodes."""
    left = matrix.copy()
    left[is_gone] = np.inf
    left[:, is_gone] = np.inf
    np.fill_diagonal(left, 0)
    return left


def assert_equal(given: nr.Instance, back: nr.Instance) -> None:
    """Vehicle by vehicle and node by node; types may be in another order."""
    assert back.num_depots == given.num_depots
    assert back.shipments == given.shipments
    assert np.array_equal(back.deliveries, given.deliveries)
    assert np.array_equal(back.load_changes, given.load_changes)
    for one, other in zip(*map(times_of, (given, back)), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(back.required, given.required)
    if given.selection is not None:
        assert back.selection is not None
        assert np.array_equal(back.selection.prizes, given.selection.prizes)
        assert back.selection.groups == given.selection.groups
    nodes, known = np.arange(len(given.demands)), set()
    for idx, new in zip(*map(vehicles_of, (given, back)), strict=True):
        if (idx, new) in known:
            continue
        known.add((idx, new))
        kind, other = given.vehicle_types[idx], back.vehicle_types[new]
        assert replace(kind, num_available=1, profile=0, name="") == replace(
            other, num_available=1, profile=0
        )
        mine, yours = (
            arc_distances(one, own.profile, nodes[:, None], nodes)
            for one, own in ((given, kind), (back, other))
        )
        assert np.array_equal(mine, yours)


def vehicles_of(instance: nr.Instance) -> tuple[int, ...]:
    """Return the type of each vehicle."""
    if instance.fleet is None:
        return (0,)
    return instance.fleet.all_vehicles(instance.num_customers)


def test_full_problems_come_back(tmp_path: Path) -> None:
    """All sections in all combinations, for us and for PyVRP."""
    file = tmp_path / "case.vrp"
    found: Counter[str] = Counter()
    problems = seeds(400, step=11)
    for seed in problems:
        make = shipments_of_a_file if seed % 5 == 0 else of_a_file
        instance = make(seed)
        nr.write_instance(file, instance)
        back = nr.read(file)
        assert_equal(instance, back)
        found.update(instance.features)
        if is_read_by_pyvrp(instance, "TYPE: VRPB" in file.read_text()):
            theirs = from_problem_data(pyvrp.read(file, round_func="round"))
            assert_same_meaning(back, theirs)
            found["PyVRP"] += 1
    assert found["PyVRP"] > 3 / 4 * len(problems)
    assert min(found[name] for name in SECTIONS) > len(problems) / 8


SECTIONS = (
    features.LOAD_DIMENSIONS,
    features.PICKUPS,
    features.OPTIONAL_CUSTOMERS,
    features.CLIENT_GROUPS,
    features.FORBIDDEN_ARCS,
    features.PROFILES,
    features.RELOAD_DEPOTS,
    features.RELEASE_TIMES,
    features.SHIPMENTS,
)


def is_read_by_pyvrp(instance: nr.Instance, is_vrpb: bool) -> bool:
    """Whether PyVRP's reader does not fail.

    It does for TYPE VRPB with several load dimensions, or with customers who
    both get and give.
    """
    if not is_vrpb or instance.loads is None:
        return True
    both = instance.loads.delivery * instance.loads.pickup
    return instance.num_load_dimensions == 1 and not both.any()


@pytest.mark.parametrize("folder", METRIC_OF_SET)
def test_published_files_come_back(
    data_dir: Path, tmp_path: Path, folder: str
) -> None:
    """Each one is written and read again as it was at first."""
    files = sorted((data_dir / "vrp" / folder).glob("*.vrp"))
    if not files:
        pytest.skip("the sets beyond the CVRP are not here")
    file = tmp_path / "again.vrp"
    for number in seeds(len(files), step=3):
        source = files[number]
        instance = nr.read(source, metric=METRIC_OF_SET[folder])
        nr.write_instance(file, instance)
        assert_equal(instance, nr.read(file))


SHIPPED = nr.Instance(
    "shipped",
    np.zeros(5),
    9,
    np.array([[0, 0], [3, 4], [6, 8], [5, 5], [9, 9]]),
    windows=nr.TimeWindows.of(
        5,
        tw_early=[0, 8, 0, 0, 0],
        tw_late=[90, 20, NO_LIMIT, 30, 60],
        service_durations=[0, 2, 3, 2, 0],
    ),
    shipments=(nr.Shipment(1, 2, (4,)), nr.Shipment(3, 4, (0,))),
)
"""Two shipments and nothing else; PyVRP numbers their stops alike."""


def test_shipments_come_back(tmp_path: Path) -> None:
    """As Li and Lim's columns; a vehicle for each stop is no limit."""
    file = tmp_path / "shipped.vrp"
    nr.write_instance(file, SHIPPED)
    text = file.read_text()
    assert "TYPE: PDPTW\n" in text
    assert "\n2\t4\t8\t20\t2\t0\t3\n3\t-4\t0\t" in text
    back = nr.read(file)
    assert back.fleet == nr.Fleet(
        (nr.VehicleType(capacity=9, num_available=4),)
    )
    assert_equal(replace(SHIPPED, fleet=back.fleet), back)
    theirs = from_problem_data(pyvrp.read(file, round_func="round"))
    assert_same_meaning(back, theirs)


def chosen(
    prizes: list[int], required: list[bool], *groups: nr.Group
) -> nr.Selection:
    """Return who must be served of four customers."""
    return nr.Selection(
        np.array([0, *prizes]), np.array([True, *required]), groups
    )


CUSTOMERS: dict[str, Any] = {"demands": [0, 1, 1, 1, 1], "shipments": ()}
NOBODY = nr.Group((1, 2), required=False)
ALONE = nr.Group((4,), required=False)
TYPES = (
    nr.VehicleType(capacity=9, num_available=2, fixed_cost=3),
    nr.VehicleType(
        capacity=7,
        num_available=1,
        unit_distance_cost=2,
        start_depot=1,
        end_depot=1,
        shift_duration=30,
    ),
)
RICH = nr.Instance(
    "rich",
    np.array([0, 3, 4, 5, 0]),
    9,
    np.array([[0, 0], [3, 4], [6, 8], [5, 5], [9, 9]]),
    num_depots=2,
    fleet=nr.Fleet(TYPES, vehicles=(0, 1, 0)),
    windows=SHIPPED.windows,
)
"""Two depots, types and windows."""


def of(capacity: Any = 9, **changes: Any) -> dict[str, Any]:
    """Return the change of a fleet to one type."""
    types = (nr.VehicleType(capacity=capacity, **changes),)
    return {"fleet": nr.Fleet(types), "capacity": None}


NO_PLACE: list[tuple[nr.Instance, dict[str, Any], str]] = [
    (RICH, {"rounding": "none"}, "no EDGE_WEIGHT_TYPE for unrounded"),
    (RICH, {"is_geographic": True}, "no EDGE_WEIGHT_TYPE for great circles"),
    (RICH, {"durations": np.ones((5, 5))}, "one matrix for all vehicles"),
    (RICH, of(unit_duration_cost=1), "no section for unit duration costs"),
    (RICH, of(end_depot=1), "one depot for each vehicle"),
    (RICH, of(tw_late=9), "no section for time windows of vehicles"),
    (RICH, of(initial_load=(1,)), "no section for initial loads"),
    (RICH, of(max_overtime=1), "no section for overtime"),
    (
        RICH,
        {"windows": nr.TimeWindows.of(5, service_durations=1)},
        "no service durations of depots",
    ),
    (
        RICH,
        {"constraints": nr.RouteConstraints(same_route=((1, 2),))},
        "no section for customers on the",
    ),
    (
        SHIPPED,
        CUSTOMERS | {"selection": chosen([0] * 4, [True] * 3 + [False])},
        "no optional customer without a prize, as customer 4",
    ),
    (
        SHIPPED,
        CUSTOMERS
        | {"selection": chosen([0] * 4, [False] * 2 + [True] * 2, NOBODY)},
        "no optional groups",
    ),
    (
        SHIPPED,
        CUSTOMERS
        | {"selection": chosen([0] * 4, [True] * 3 + [False], ALONE)},
        "no optional customer without a prize, as customer 4",
    ),
    (
        SHIPPED,
        {"selection": chosen([9, 0, 0, 0], [False] * 2 + [True] * 2)},
        "no optional shipments, such as that of customer 1",
    ),
    (
        SHIPPED,
        {"shipments": SHIPPED.shipments[:1], "demands": [0, 0, 0, 1, 0]},
        "no customers without a shipment, as customer 3, in PICKUP",
    ),
    (
        SHIPPED,
        of() | {"num_depots": 2, "shipments": SHIPPED.shipments[:1]},
        "one depot beside PICKUP_AND_DELIVERY_SECTION",
    ),
]


@pytest.mark.parametrize(("instance", "changes", "rule"), NO_PLACE)
def test_what_has_no_place_is_refused(
    tmp_path: Path, instance: nr.Instance, changes: dict[str, Any], rule: str
) -> None:
    """By name, in one line, and no file is left."""
    file = tmp_path / "case.vrp"
    with pytest.raises(nr.ParameterError) as caught:
        nr.write_instance(file, replace(instance, **changes))
    assert str(caught.value).startswith(f"{instance.name}: VRPLIB has {rule}")
    assert not file.exists()


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    """A limit with a fraction, and a number that is too large."""
    file = tmp_path / "a.vrp"
    far = 3e9 * RICH.require_coords("a test")
    for changes in (of(max_distance=100.5), {"coords": far}):
        with pytest.raises(nr.ParameterError, match="be refused on reading"):
            nr.write_instance(file, replace(RICH, **changes))
        assert not file.exists()


@pytest.mark.parametrize("rounding", ["nearest", "floor", "exact", "dimacs"])
def test_roundings_come_back(tmp_path: Path, rounding: str) -> None:
    """And all else, with the order of the vehicles."""
    instance = replace(RICH, rounding=rounding)
    nr.write_instance(tmp_path / "a.vrp", instance)
    back = nr.read(tmp_path / "a.vrp")
    assert (back.fleet, back.features) == (instance.fleet, instance.features)
    assert_equal(instance, back)


WHOLE = st.integers(-1000, 1000).map(float)
FRACTIONS = st.floats(-1e6, 1e6, allow_nan=False)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    coords=stn.arrays(float, (4, 2), elements=WHOLE | FRACTIONS),
    demands=stn.arrays(int, 3, elements=st.integers(0, 50)),
    rounding=st.sampled_from(["nearest", "ceil", "floor", "exact"]),
    matrix=st.none() | stn.arrays(float, (4, 4), elements=FRACTIONS.map(abs)),
    has_coords=st.booleans(),
)
def test_numbers_come_back_to_the_last_bit(
    tmp_path: Path,
    coords: np.ndarray,
    demands: np.ndarray,
    rounding: str,
    matrix: np.ndarray | None,
    has_coords: bool,
) -> None:
    """Of places and of matrices; the comment says nothing."""
    if matrix is not None:
        np.fill_diagonal(matrix, 0.0)
        rounding = "none"
    try:
        instance = nr.Instance(
            name="round trip",
            demands=np.concatenate([[0], demands]),
            capacity=50,
            coords=None if matrix is not None and not has_coords else coords,
            rounding=rounding,
            matrix=matrix,
        )
        require_distances(instance)
    except nr.InstanceError:
        reject()  # too small for any distance, or for one after rounding
    file = tmp_path / "out.vrp"
    nr.write_instance(file, instance, comment="two\nlines EOF")
    back = nr.read(file)
    assert (back.name, back.capacity) == ("round trip", 50)
    assert back.rounding == rounding
    assert np.array_equal(back.demands, instance.demands)
    for name in ("coords", "matrix"):
        ours, theirs = getattr(back, name), getattr(instance, name)
        assert (
            np.array_equal(ours, theirs)
            if ours is not None
            else (theirs is None)
        )


def test_the_file_is_plain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Others read it, and it goes to standard output to the letter."""
    tiny = Path(__file__).parent / "data" / "tiny.vrp"
    file = tmp_path / "out.vrp"
    nr.write_instance(file, nr.read(tiny))
    ours = pyvrp.read(file, round_func="round")
    assert ours == pyvrp.read(tiny, round_func="round")
    nr.write_instance("-", nr.read(tiny))
    text = capsys.readouterr().out
    assert text == file.read_text()
    assert text.startswith("NAME: tiny\nTYPE: CVRP\n")
    assert text.endswith("EOF\n")


def test_swapped_arguments_are_said() -> None:
    """Of each function that writes a file."""
    points = nr.PointSet(np.eye(2), np.ones(2), capacity=2)
    plan = nr.Solution.from_routes(RICH, [[1]])
    swapped: list[tuple[Callable[..., None], tuple[object, ...]]] = [
        (nr.write_instance, (RICH, "x.vrp")),
        (write_solution, (plan, "x.sol")),
        (write_routes, (RICH, "x.csv", plan)),
        (write_points, (points, "x.csv")),
    ]
    for function, arguments in swapped:
        with pytest.raises(nr.ParameterError, match="a string or a path"):
            function(*arguments)


@pytest.mark.parametrize(
    ("selection", "prizes", "required"),
    [
        # A prize that cannot be lost says nothing.
        (
            chosen([7, 0, 0, 5], [True, True, True, False]),
            [0, 0, 0, 5],
            [True, True, True, False],
        ),
        # A group of one is its customer.
        (
            chosen(
                [7, 0, 0, 5],
                [False, True, True, False],
                nr.Group((1,)),
                nr.Group((4,), required=False),
            ),
            [0, 0, 0, 5],
            [True, True, True, False],
        ),
    ],
)
def test_choices_are_written_by_their_meaning(
    tmp_path: Path,
    selection: nr.Selection,
    prizes: list[int],
    required: list[bool],
) -> None:
    """What changes no plan and no cost is left out."""
    file = tmp_path / "case.vrp"
    nr.write_instance(file, replace(SHIPPED, selection=selection, **CUSTOMERS))
    back = nr.read(file)
    assert back.selection is not None
    assert back.selection.groups == ()
    assert back.selection.prizes.tolist() == [0, *prizes]
    assert back.required.tolist() == [False, *required]


def test_capacities_without_a_limit_hold_everything(tmp_path: Path) -> None:
    """4 + 5 of shipments; files hold no larger number than 10**9."""
    file = tmp_path / "case.vrp"
    shipments = (nr.Shipment(1, 2, (4,)), nr.Shipment(3, 4, (5,)))
    for capacity, written in ((10**9, 10**9), (10**9 + 1, 9)):
        nr.write_instance(
            file, replace(SHIPPED, shipments=shipments, capacity=capacity)
        )
        assert nr.read(file).capacity == written


def test_arcs_that_no_type_forbids_are_refused(tmp_path: Path) -> None:
    """One arc less than those of a customer whom nobody may visit."""
    file = tmp_path / "case.vrp"
    lengths = np.full((5, 5), 3.0)
    np.fill_diagonal(lengths, 0)
    gone = without(lengths, np.arange(5) == 4)
    fleet = nr.Fleet((nr.VehicleType(capacity=9, num_available=1),))
    instance = replace(SHIPPED, matrix=gone, fleet=fleet, **CUSTOMERS)
    nr.write_instance(file, instance)
    assert_equal(instance, nr.read(file))
    gone[2, 4] = 3
    with pytest.raises(nr.ParameterError, match="forbidden arcs only"):
        nr.write_instance(file, replace(instance, matrix=gone))


def test_site_dependence_keeps_the_rounding(tmp_path: Path) -> None:
    """Lengths that coordinates give need no matrix in the file."""
    file = tmp_path / "case.vrp"
    plain = replace(SHIPPED, rounding="exact", **CUSTOMERS)
    nodes = np.arange(5)
    lengths = plain.distances(nodes, nodes)
    profiles = (nr.Profile(without(lengths, nodes == 4)),)
    types = (
        nr.VehicleType(capacity=9, num_available=1),
        nr.VehicleType(capacity=9, num_available=2, profile=1),
    )
    instance = replace(plain, profiles=profiles, fleet=nr.Fleet(types))
    nr.write_instance(file, instance)
    assert "EDGE_WEIGHT_TYPE: EXACT_2D" in file.read_text()
    assert "VEHICLES_ALLOWED_CLIENTS_SECTION\n1\t2\t3" in file.read_text()
    assert_equal(instance, nr.read(file))
