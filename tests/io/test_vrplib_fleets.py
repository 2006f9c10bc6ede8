"""Reading and writing of vehicles, times and depots in VRPLIB files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.io.metrics import METRICS
from ncc_routing.problems import features
from ncc_routing.problems.simplification import simplify
from ncc_routing.problems.values import NO_LIMIT
from tests.io.files import written

if TYPE_CHECKING:
    from collections.abc import Sequence

TINY = (Path(__file__).parent / "data" / "tiny.vrp").read_text()


def saved(folder: Path, *changes: tuple[str, str], text: str = TINY) -> Path:
    """Write a changed text to a file and return its path."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "case.vrp"
    file.write_text(text)
    return file


def added(name: str, *values: object) -> tuple[str, str]:
    """Return the change that adds a section with a row for each value."""
    rows = [f"{row} {value}" for row, value in enumerate(values, start=1)]
    lines = [f"{name}_SECTION", *rows, "DEPOT_SECTION"]
    return ("DEPOT_SECTION", "\n".join(lines))


def key(name: str, value: object) -> tuple[str, str]:
    """Return the change that adds a key."""
    return ("NAME", f"{name} : {value}\nNAME")


def test_vehicles_limit_the_fleet(tmp_path: Path) -> None:
    """Five customers: four vehicles may bind, five never do."""
    limited = nr.read(saved(tmp_path, key("VEHICLES", 4)))
    assert limited.features == (features.LIMITED_FLEET,)
    assert limited.vehicle_types[0].num_available == 4
    wide = nr.read(saved(tmp_path, key("VEHICLES", 5)))
    assert simplify(wide).fleet is None


def test_time_windows_in_whole_numbers(tmp_path: Path) -> None:
    """Windows, services of customers alone, and releases."""
    file = saved(
        tmp_path,
        added("TIME_WINDOW", "0 90", "5 40", "0 90", "0 90", "0 90", "0 90"),
        key("SERVICE_TIME", 7),
        added("RELEASE_TIME", 3, 0, 0, 0, 2, 0),
    )
    windows = nr.read(file).windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, 5, 0, 0, 0, 0]
    assert windows.tw_late.tolist() == [90, 40, 90, 90, 90, 90]
    assert windows.service_durations.tolist() == [0, 7, 7, 7, 7, 7]
    assert windows.release_times.tolist() == [0, 0, 0, 0, 2, 0]


def test_service_times_alone_change_nothing(tmp_path: Path) -> None:
    """They change nothing where no time is limited."""
    instance = nr.read(saved(tmp_path, key("SERVICE_TIME", 7)))
    assert simplify(instance).windows is None
    assert not simplify(instance).features


def test_distance_bounds_length_and_service(tmp_path: Path) -> None:
    """CVRPLIB's DISTANCE counts both, as in the CMT instances."""
    file = saved(tmp_path, key("SERVICE_TIME", 7), key("DISTANCE", 40))
    instance = nr.read(file)
    assert instance.vehicle_types[0].shift_duration == 40
    assert features.SHIFT_DURATIONS in instance.features
    assert instance.windows is not None
    assert instance.windows.service_durations.tolist() == [0, 7, 7, 7, 7, 7]


@pytest.mark.parametrize(
    ("field", "attribute"),
    [
        ("VEHICLES_MAX_DURATION", "shift_duration"),
        ("VEHICLES_MAX_DISTANCE", "max_distance"),
    ],
)
def test_limits_of_all_vehicles(
    tmp_path: Path, field: str, attribute: str
) -> None:
    """One number is for all; a large one is no limit."""
    narrow = nr.read(saved(tmp_path, key(field, 40)))
    assert getattr(narrow.vehicle_types[0], attribute) == 40
    wide = nr.read(saved(tmp_path, key(field, 2**62)))
    assert not simplify(wide).features


def test_vehicles_that_differ(tmp_path: Path) -> None:
    """Alike vehicles make a type; ``vehicles`` keeps the order of the file."""
    file = saved(
        tmp_path,
        ("CAPACITY : 10\n", "VEHICLES : 4\n"),
        added("CAPACITY", 10, 12, 10, 12),
        added("VEHICLES_FIXED_COST", 5, 6, 5, 7),
        added("VEHICLES_UNIT_DISTANCE_COST", 2, 3, 2, 3),
    )
    instance = nr.read(file)
    fleet = instance.fleet
    assert fleet is not None
    assert fleet.vehicles == (0, 1, 0, 2)
    assert [
        (k.capacity, k.num_available, k.fixed_cost, k.unit_distance_cost)
        for k in fleet.types
    ] == [(10, 2, 5, 2), (12, 1, 6, 3), (12, 1, 7, 3)]
    assert instance.capacity == 12


def test_several_depots(tmp_path: Path) -> None:
    """The first two nodes are depots: nodes 0 and 5, customers 1 to 4."""
    file = saved(
        tmp_path,
        ("2 4\n", "2 0\n"),
        ("\n1\n-1\n", "\n1\n2\n-1\n"),
        added("VEHICLES_DEPOT", 1, 2, 2, 1),
    )
    instance = nr.read(file)
    assert instance.num_depots == 2
    assert instance.num_customers == 4
    assert instance.depots == (0, 5)
    assert instance.demands.tolist() == [0, 6, 5, 5, 10, 0]
    assert instance.coords is not None
    assert instance.coords[[1, 5]].tolist() == [[6, 8], [3, 4]]
    assert [k.start_depot for k in instance.vehicle_types] == [0, 1]
    assert features.SEVERAL_DEPOTS in instance.features


def test_loads_may_be_missing(tmp_path: Path) -> None:
    """A problem of times alone has neither demands nor a capacity."""
    demands = TINY[TINY.index("DEMAND_SECTION") : TINY.index("DEPOT_SECT")]
    gone = ((demands, ""), ("CAPACITY : 10\n", ""))
    with pytest.raises(nr.UnsupportedProblemError, match="DEMAND_SECTION: is"):
        nr.read(saved(tmp_path, *gone))
    instance = nr.read(saved(tmp_path, *gone, ("TYPE : CVRP", "TYPE : VRP")))
    assert instance.demands.tolist() == [0] * 6
    assert not instance.features


def test_linehauls_are_demands(tmp_path: Path) -> None:
    """PyVRP's dialect has a second name for them, and zeros say nothing."""
    file = saved(
        tmp_path,
        ("DEMAND_SECTION", "LINEHAUL_SECTION"),
        added("BACKHAUL", 0, 0, 0, 0, 0, 0),
    )
    assert nr.read(file).demands.tolist() == [0, 4, 6, 5, 5, 10]


ZEROS = (0, 0, 0, 0, 0, 0)
CLIENTS = "VEHICLES_ALLOWED_CLIENTS_SECTION"
GROUPS = "MUTUALLY_EXCLUSIVE_GROUP_SECTION"
RELOADS = "VEHICLES_RELOAD_DEPOT_SECTION"
OF_TIMES = (
    "DEMAND_SECTION",
    "TIME_WINDOW_SECTION\n1 0 9\n2 0 9\n3 0 9\n4 0 9\n5 0 9\n6 0 9\n"
    "DEMAND_SECTION",
)
OF_SITES = added("VEHICLES_ALLOWED_CLIENTS", "2 3 4 5 6")
OF_RELOADS = added("VEHICLES_RELOAD_DEPOT", "1")
ONE = key("VEHICLES", 1)


@pytest.mark.parametrize(
    ("kind", "field", "given"),
    [
        ("DCVRP", "DISTANCE", [key("DISTANCE", 99)]),
        ("DCVRP", "DISTANCE", [key("VEHICLES_MAX_DISTANCE", 99)]),
        ("HFVRP", "CAPACITY_SECTION", [ONE, added("VEHICLES_FIXED_COST", 3)]),
        ("HVRP", "CAPACITY_SECTION", [ONE, added("VEHICLES_FIXED_COST", 3)]),
        ("GVRP", GROUPS, [added("MUTUALLY_EXCLUSIVE_GROUP", "2 3")]),
        ("VRPB", "BACKHAUL_SECTION", [added("BACKHAUL", *ZEROS)]),
        ("VRPSPD", "BACKHAUL_SECTION", [added("BACKHAUL", *ZEROS)]),
        ("PCVRP", "PRIZE_SECTION", [added("PRIZE", *ZEROS)]),
        ("PCVRPTW", "PRIZE_SECTION", [OF_TIMES, added("PRIZE", *ZEROS)]),
        ("PCVRPTW", "TIME_WINDOW_SECTION", [added("PRIZE", *ZEROS), OF_TIMES]),
        ("VRPTW", "TIME_WINDOW_SECTION", [OF_TIMES]),
        ("CVRPTW", "TIME_WINDOW_SECTION", [OF_TIMES]),
        ("MDVRPTW", "TIME_WINDOW_SECTION", [OF_TIMES]),
        ("MTVRP", RELOADS, [ONE, OF_RELOADS]),
        ("MTVRPTW", "TIME_WINDOW_SECTION", [ONE, OF_RELOADS, OF_TIMES]),
        (
            "MTVRPTWR",
            "RELEASE_TIME",
            [ONE, OF_RELOADS, OF_TIMES, key("RELEASE_TIME", 0)],
        ),
        ("SDVRP", CLIENTS, [ONE, OF_SITES]),
        ("SDVRPTW", "TIME_WINDOW_SECTION", [ONE, OF_SITES, OF_TIMES]),
    ],
)
def test_types_need_what_they_are_about(
    tmp_path: Path, kind: str, field: str, given: list[tuple[str, str]]
) -> None:
    """Without it the file would be another problem; the last one is it."""
    change = ("TYPE : CVRP", f"TYPE : {kind}")
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(saved(tmp_path, change, *given[:-1]))
    assert caught.value.field == field
    assert f"is missing, of TYPE {kind}" in str(caught.value)
    assert nr.read(saved(tmp_path, change, *given)).num_customers == 5


@pytest.mark.parametrize("kind", ["MDVRP", "MDVRPTW"])
def test_several_depots_are_listed(tmp_path: Path, kind: str) -> None:
    """Without the list the first node would be the only depot."""
    changes = [("TYPE : CVRP", f"TYPE : {kind}"), OF_TIMES]
    text = saved(tmp_path, *changes).read_text()
    assert nr.read(tmp_path / "case.vrp").num_depots == 1
    file = saved(tmp_path, ("DEPOT_SECTION\n1\n-1\n", ""), text=text)
    with pytest.raises(
        nr.UnsupportedProblemError, match="DEPOT_SECTION: is mi"
    ):
        nr.read(file)


COSTS, DEPOTS = "VEHICLES_FIXED_COST", "VEHICLES_DEPOT"
WINDOWS, SERVICE = "TIME_WINDOW", "SERVICE_TIME"


@pytest.mark.parametrize(
    ("num_vehicles", "name", "values", "message"),
    [
        (2, "CAPACITY", (10, 10), "must not be a key as well"),
        (3, COSTS, (1, 2), "must list VEHICLES = 3 vehicles, "),
        (2, "VEHICLES_MAX_DISTANCE", (1, -2), "must not be negative, got -2"),
        (2, DEPOTS, (1, 2), "must be depots 1..1, got 2"),
        (2, WINDOWS, ["0 9"] * 2, "must list DIMENSION = 6 nodes, got 2"),
        (2, WINDOWS, [*["0 9"] * 5, "9 8"], "must not be before tw_early 9"),
        (2, WINDOWS, [*["0 9"] * 5, "0 8.5"], "times must be whole numbers"),
        (2, SERVICE, (0, 1, 2, 3, 4, -5), "must not be negative, got -5"),
        (0, "", (), "VEHICLES: must be at least 1, got 0"),
        ("two", "", (), "VEHICLES: must be a whole number"),
        (2, SERVICE, "x", "must be a finite number"),
        (2, "VEHICLES_MAX_DURATION", "-1", "must not be negative"),
    ],
)
def test_refuses_wrong_vehicles_and_times(
    tmp_path: Path,
    num_vehicles: object,
    name: str,
    values: Sequence[object],
    message: str,
) -> None:
    """One line names the file, the field and the rule; texts are keys."""
    changes = [key("VEHICLES", num_vehicles)]
    if isinstance(values, str):
        changes.append(key(name, values))
        field = f"{name}: "
    elif values:
        changes.append(added(name, *values))
        field = f"{name}_SECTION: "
    else:
        field = ""
    file = saved(tmp_path, *changes)
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert str(caught.value).startswith(f"{file}: {field}{message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("metric", "length", "time"),
    [
        ("round", 6, 8),
        ("trunc", 6, 7),
        ("dimacs", 64, 75),
        ("exact", 6403, 7500),
    ],
)
def test_metrics_of_pyvrp(
    tmp_path: Path, metric: str, length: int, time: int
) -> None:
    """The length sqrt(41) = 6.4031 and a window that closes at 7.5."""
    file = saved(
        tmp_path,
        ("4 -5 0", "4 -2 0"),
        added("TIME_WINDOW", "0 99", *["0 7.5"] * 5),
    )
    instance = nr.read(file, metric=metric)
    assert instance.distances([1], [3]).item() == length
    assert instance.windows is not None
    assert instance.windows.tw_late[1] == time


def test_scaled_metrics_need_lengths_that_the_file_does_not_round(
    tmp_path: Path,
) -> None:
    """Ten times a rounded length is no length of "dimacs"."""
    file = saved(tmp_path, ("EUC_2D", "CEIL_2D"))
    assert nr.read(file, metric="trunc").rounding == "ceil"
    with pytest.raises(
        nr.InstanceError, match="EDGE_WEIGHT_TYPE: must be EUC"
    ):
        nr.read(file, metric="dimacs")


def test_the_papers_metric_is_for_a_capacity_alone(tmp_path: Path) -> None:
    """Times have no unit in it."""
    file = saved(tmp_path, key("VEHICLES", 4))
    with pytest.raises(nr.InstanceError, match="metric: the paper's metric"):
        nr.read(file, metric="paper")


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("EUC_2D", "XRAY1", "EDGE_WEIGHT_TYPE"),
        ("EUC_2D", "euc_2d", "EDGE_WEIGHT_TYPE"),
        ("NAME", "NODE_COORD_TYPE : THREED_COORDS\nNAME", "NODE_COORD_TYPE"),
        ("NAME", "EDGE_WEIGHT_FORMAT : UPPER\nNAME", "EDGE_WEIGHT_FORMAT"),
        ("NAME", "RELEASE : 3\nNAME", "RELEASE"),
        ("TYPE : CVRP", "TYPE : IRP", "TYPE"),
        ("TYPE : CVRP", "TYPE : PDPTW", "PICKUP_AND_DELIVERY_SECTION"),
        ("TYPE : CVRP", "TYPE : SDVRP", CLIENTS),
        ("TYPE : CVRP", "TYPE : MTVRPTW", RELOADS),
        ("EOF", "STAND_IN_SECTION\n1 0\n2 3\nEOF", "STAND_IN_SECTION"),
        ("1\n-1\n", "1\n3\n-1\n", "DEPOT_SECTION"),
        ("1\n-1\n", "2\n1\n-1\n", "DEPOT_SECTION"),
        ("1\n-1\n", "2\n-1\n", "DEPOT_SECTION"),
        ("1\n-1\n", "-1\n", "DEPOT_SECTION"),
        ("1\n-1\n", "0.5\n-1\n", "DEPOT_SECTION"),
    ],
)
def test_refuses_what_no_instance_can_hold(
    tmp_path: Path, old: str, new: str, field: str
) -> None:
    """A constraint is never ignored: the error names it."""
    file = saved(tmp_path, (old, new))
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(file)
    assert str(caught.value).startswith(f"{file}: {field}: ")
    assert "\n" not in str(caught.value)


def rich(**changes: object) -> nr.Instance:
    """Return an instance with two depots, types and windows."""
    values: dict[str, object] = {
        "name": "rich",
        "demands": np.array([0, 3, 4, 5, 0]),
        "capacity": 9,
        "coords": np.array([[0, 0], [3, 4], [6, 8], [5, 5], [9, 9]]),
        "num_depots": 2,
        "fleet": nr.Fleet(
            (
                nr.VehicleType(capacity=9, num_available=2, fixed_cost=3),
                nr.VehicleType(
                    capacity=7,
                    num_available=1,
                    unit_distance_cost=2,
                    start_depot=1,
                    end_depot=1,
                    shift_duration=30,
                ),
            ),
            vehicles=(0, 1, 0),
        ),
        "windows": nr.TimeWindows.of(
            5,
            tw_early=[0, 8, 0, 0, 0],
            tw_late=[50, 20, NO_LIMIT, 30, 60],
            service_durations=[0, 2, 3, 2, 0],
        ),
    }
    return nr.Instance(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("rounding", ["nearest", "floor", "exact", "dimacs"])
def test_what_is_written_is_read(tmp_path: Path, rounding: str) -> None:
    """Every part comes back as it was."""
    instance = rich(rounding=rounding)
    file = tmp_path / "rich.vrp"
    nr.write_instance(file, instance)
    back = nr.read(file)
    assert back.fleet == instance.fleet
    assert back.features == instance.features
    assert back.demands.tolist() == instance.demands.tolist()
    assert instance.windows is not None
    assert back.windows is not None
    for name in ("tw_early", "tw_late", "service_durations"):
        expected = getattr(instance.windows, name).tolist()
        assert getattr(back.windows, name).tolist() == expected
    nodes = np.arange(5)
    assert np.array_equal(
        back.distances(nodes, nodes), instance.distances(nodes, nodes)
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounding": "none"}, "no EDGE_WEIGHT_TYPE for unrounded"),
        ({"is_geographic": True}, "great circles in metres"),
        ({"durations": np.ones((5, 5))}, "one matrix for all vehicles"),
        (
            {
                "fleet": nr.Fleet(
                    (nr.VehicleType(capacity=9, unit_duration_cost=1),)
                )
            },
            "no section for unit duration costs",
        ),
        (
            {"fleet": nr.Fleet((nr.VehicleType(capacity=9, end_depot=1),))},
            "one depot for each vehicle",
        ),
        (
            {"fleet": nr.Fleet((nr.VehicleType(capacity=9, tw_late=9),))},
            "no section for time windows of vehicles",
        ),
        (
            {"windows": nr.TimeWindows.of(5, service_durations=1)},
            "no service durations of depots",
        ),
    ],
)
def test_refuses_to_write_what_has_no_place(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    """Nothing is left out of a file."""
    file = tmp_path / "rich.vrp"
    with pytest.raises(nr.ParameterError, match=message):
        nr.write_instance(file, rich(**changes))
    assert not file.exists()


def test_rules_of_routes_have_no_section(tmp_path: Path) -> None:
    """The message names the rule."""
    rules = nr.RouteConstraints(same_route=((1, 2),))
    with pytest.raises(
        nr.ParameterError, match="no section for customers on the"
    ):
        nr.write_instance(tmp_path / "a.vrp", rich(rules=rules))


HEAD = """TYPE: VRPSPD
DIMENSION: 3
CAPACITY: 9
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 4
3 6 8
"""
DEMANDS = "DEMAND_SECTION\n1 0\n2 1\n3 1\n"
PICKUPS = f"""{HEAD}{DEMANDS}BACKHAUL_SECTION
1 0
2 5
3 1
DEPOT_SECTION
1
-1
EOF"""
PAIRED = (
    HEAD.replace("VRPSPD", "PDPTW")
    + """PICKUP_AND_DELIVERY_SECTION
1 0 0 999 0 0 0
2 3 0 999 0 0 3
3 -3 0 999 0 2 0
DEPOT_SECTION
1
-1
EOF"""
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            PICKUPS.replace("CAPACITY: 9\n", "").replace(DEMANDS, ""),
            "CAPACITY: is missing",
        ),
        (PICKUPS.replace("1\n-1", "1\n-1\n2\n-1"), "end with the first -1"),
        (
            PICKUPS.replace("CAP", "VEHICLES_MAX_RELOADS: 1.5\nCAP"),
            "VEHICLES_MAX_RELOADS: must be a whole number",
        ),
        (PAIRED.replace("CAP", "SERVICE_TIME: 10\nCAP"), "SERVICE_TIME: must"),
        (PAIRED.replace("CAP", "RELEASE_TIME: 10\nCAP"), "RELEASE_TIME: must"),
    ],
)
def test_nothing_is_left_out(tmp_path: Path, text: str, message: str) -> None:
    """What the file says is read, or named and refused."""
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.read(written(tmp_path, text, "a.vrp"))


def test_comments_may_be_several_lines(tmp_path: Path) -> None:
    """As in files that PyVRP reads."""
    text = PICKUPS.replace("CAP", "COMMENT: one\nCOMMENT: two\nCAP")
    assert nr.read(written(tmp_path, text, "a.vrp")).num_customers == 2


def test_negative_costs_are_cut_towards_0() -> None:
    """As by PyVRP's "trunc"."""
    values = np.array([-1.5, -1.0, 1.5])
    assert METRICS["trunc"].measure(values).tolist() == [-1, -1, 1]


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    """A limit with a fraction, and a number that is too large."""
    kind = nr.VehicleType(capacity=9, max_distance=100.5)
    small = nr.generate_uchoa(5, 1)
    demands = np.array([0, *[1] * 5])
    fleet = nr.Fleet((kind,))
    limited = replace(small, fleet=fleet, demands=demands, capacity=9)
    large = replace(small, coords=3e9 * np.asarray(small.coords))
    for instance in (limited, large):
        file = tmp_path / "a.vrp"
        with pytest.raises(nr.ParameterError, match="be refused on reading"):
            nr.write_instance(file, instance)
        assert not file.exists()
