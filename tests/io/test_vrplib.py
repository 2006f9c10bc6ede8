"""Reading the text of an instance: right ones and wrong ones."""

from __future__ import annotations

import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.problems import features
from ncc_routing.problems.routes.simplification import simplify
from tests.oracles.refusals import edited, refused, rows, written

DATA = Path(__file__).parent / "data"
TINY = (DATA / "tiny.vrp").read_text()
EXPLICIT = (DATA / "tiny-full-matrix.vrp").read_text()
LOWER = (DATA / "tiny-lower-row.vrp").read_text()
SOLOMON = (DATA / "solomon.txt").read_text()
TINY_COORDS = [[0, 0], [3, 4], [6, 8], [-5, 0], [-5, 12], [0, -7]]
save = partial(written, name="case.vrp")


def read(folder: Path, changes: str, text: str = TINY) -> nr.Instance:
    """Read a text with changes."""
    return nr.read(save(folder, edited(text, changes) if changes else text))


def test_reads_every_field() -> None:
    """Coordinates, demands, capacity, name and the rounding."""
    instance = nr.read(str(DATA / "tiny.vrp"))
    assert instance.name == "tiny"
    assert instance.capacity == 10
    assert instance.rounding == "nearest"
    assert instance.demands.tolist() == [0, 4, 6, 5, 5, 10]
    assert instance.require_coords("a test").tolist() == TINY_COORDS
    assert instance.matrix is None
    assert instance.distances([0], [1, 2, 4]).tolist() == [[5, 10, 13]]


@pytest.mark.parametrize(
    ("kind", "metric", "length", "late"),
    [
        ("EUC_2D", "cvrplib", 6, 8),
        ("CEIL_2D", "cvrplib", 7, 8),
        ("FLOOR_2D", "cvrplib", 6, 8),
        ("EXACT_2D", "cvrplib", 6403, 8),
        ("EUC_2D", "round", 6, 8),
        ("EUC_2D", "trunc", 6, 7),
        ("CEIL_2D", "trunc", 7, 7),
        ("EUC_2D", "dimacs", 64, 75),
        ("EUC_2D", "exact", 6403, 7500),
    ],
)
def test_types_of_lengths_and_metrics(
    tmp_path: Path, kind: str, metric: str, length: int, late: int
) -> None:
    """The length sqrt(41) = 6.4031, and a window that closes at 7.5."""
    text = edited(TINY, f"EUC_2D -> {kind} & 4 -5 0 -> 4 -2 0")
    file = save(tmp_path, text)
    assert nr.read(file, metric=metric).distances([1], [3]).item() == length
    if metric == "cvrplib":
        return
    windows = "".join(f"\n{n} 0 7.5" for n in range(2, 7))
    text = edited(text, f"TIME_WINDOW_SECTION\n1 0 99{windows}")
    found = nr.read(save(tmp_path, text), metric=metric).windows
    assert found is not None
    assert found.tw_late[1] == late


def test_costs_are_cut_towards_0(tmp_path: Path) -> None:
    """By "trunc", as PyVRP does; -1.5 and 1.5 are -1 and 1."""
    changes = "VEHICLES : 2 & VEHICLES_FIXED_COST_SECTION\n1 -1.5\n2 1.5"
    file = save(tmp_path, edited(TINY, changes))
    types = nr.read(file, metric="trunc").vehicle_types
    assert [kind.fixed_cost for kind in types] == [-1, 1]


def test_paper_metric(tmp_path: Path) -> None:
    """Coordinates by 1000, unrounded; a capacity alone, in the plane."""
    instance = nr.read(DATA / "tiny.vrp", metric="paper")
    assert instance.rounding == "none"
    assert instance.require_coords("test")[2].tolist() == [0.006, 0.008]
    assert instance.distances([0], [2]).item() == pytest.approx(0.01)
    for text, field, metric, rule in (
        (EXPLICIT, TYPE, "paper", "paper's metric needs"),
        (edited(TINY, "VEHICLES : 4"), "metric", "paper", "paper's metric"),
        (edited(TINY, "EUC_2D -> CEIL_2D"), TYPE, "dimacs", "must be EUC"),
    ):
        with refused(field, rule):
            nr.read(save(tmp_path, text), metric=metric)
    with refused("", "metric must be", error=nr.ParameterError):
        nr.read(DATA / "tiny.vrp", metric="other")


TYPE = "EDGE_WEIGHT_TYPE"


def test_matrices(tmp_path: Path) -> None:
    """Full or by rows, wrapped anywhere; the diagonal becomes 0."""
    full = nr.read(DATA / "tiny-full-matrix.vrp")
    assert full.coords is not None
    assert full.matrix is not None
    assert full.matrix.tolist() == [[0, 5, 6], [7, 0, 8], [2.5, 3, 0]]
    assert not full.is_symmetric
    wrapped = "9999 5 6\n7 9999 8\n -> 9999 5\n6 7 9999 8\n"
    assert read(tmp_path, wrapped, EXPLICIT).distances([1], [0]).item() == 7
    rows = [[0, 5, 6, 8], [5, 0, 7, 9], [6, 7, 0, 10], [8, 9, 10, 0]]
    for changes in ("", "5\n6 7\n8 9 10\n -> 5 6 7\n8 9\n10\n"):
        lower = read(tmp_path, changes, LOWER)
        assert lower.coords is None
        assert lower.matrix is not None
        assert lower.matrix.tolist() == rows


@pytest.mark.parametrize(
    "text",
    [
        TINY.replace("\n", "\r\n"),
        TINY.replace("EOF\n", ""),
        TINY.replace("-1\nEOF\n", ""),
        TINY.replace("1\n-1\n", "1 -1\n"),
        TINY.replace(" : ", ":"),
        TINY.replace(" : ", " :\t"),
        TINY.replace("SECTION\n", "SECTION :\n"),
        "# a comment\n\n" + TINY.replace("\n", "\n\n"),
        "\ufeff" + TINY,
        TINY.replace("TYPE : CVRP\n", ""),
        edited(TINY, "-CAPACITY").replace("DEM", "CAPACITY : 10\nDEM"),
        TINY.replace("CAPACITY : 10", "CAPACITY : 10.0"),
        edited(TINY, "VEHICLES : 5"),
        *(
            edited(TINY, f"SERVICE_TIME : {z}")
            for z in ("0", "0.0", "0e5", "-0")
        ),
        edited(TINY, "COMMENT: one & COMMENT: two"),
        TINY.replace("1 0 0\n", "1 0.0 0e3\n"),
        TINY + "anything after the end",
        # The number of a node is part of its row.
        edited(TINY, "2 3 4\n3 6 8 -> 3 6 8\n2 3 4 & 3 6\n4 5 -> 4 5\n3 6"),
        # PyVRP's dialect has a second name, and zeros say nothing.
        edited(
            TINY.replace("DEMAND", "LINEHAUL"),
            "BACKHAUL_SECTION\n1 0\n2 0\n3 0\n4 0\n5 0\n6 0",
        ),
    ],
)
def test_harmless_variants(tmp_path: Path, text: str) -> None:
    """Line ends, blanks, comments and orders do not matter, nor zeros."""
    file = tmp_path / "case.vrp"
    file.write_bytes(text.encode())
    instance = nr.read(file)
    assert instance.demands.tolist() == [0, 4, 6, 5, 5, 10]
    assert instance.capacity == 10
    assert instance.require_coords("a test").tolist() == TINY_COORDS
    assert not simplify(instance).features


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("NAME : GEOFF", "GEOFF"),
        ("NAME : MY_SECTION", "MY_SECTION"),
        ("NAME : a: b", "a: b"),
        ("NAME :", "case"),
        ("COMMENT : EOF comes later", "case"),
    ],
)
def test_names_are_free_text(tmp_path: Path, line: str, name: str) -> None:
    """A name that looks like a keyword is a name all the same."""
    text = TINY.partition("\n")[2].partition("\n")[2]
    instance = nr.read(save(tmp_path, f"{line}\n{text}"))
    assert instance.name == name
    assert instance.num_customers == 5


@pytest.mark.parametrize(
    "line",
    [
        *("TIME_WINDOW_SECTION", "time_window_section :", "VEHICLES : 1"),
        *("WHATEVER: 3", "6 10", "-1"),
    ],
)
def test_nothing_is_said_behind_the_end(tmp_path: Path, line: str) -> None:
    """A field or a row there would be a constraint that nobody reads."""
    start = TINY.count("\n") + 2
    for text in (f"{TINY}\n{line}\n", f"{TINY}\n{line}\n1 0 5\nEOF\n"):
        with refused(f"line {start}", "must come before EOF", line):
            nr.read(save(tmp_path, text))
    for remark in ("# 1 2", "Solved by A. B.", "EOF", "COMMENT : a", "-- x"):
        again = nr.read(save(tmp_path, f"{TINY}\n{remark}\n"))
        assert again.num_customers == 5


FLEET = edited(
    TINY,
    "VEHICLES : 2 & SERVICE_TIME_SECTION\n1 0\n2 1\n3 2\n4 3\n5 4\n6 5 & "
    "TIME_WINDOW_SECTION\n1 0 91\n2 0 92\n3 0 93\n4 0 94\n5 0 95\n6 0 96 & "
    "VEHICLES_FIXED_COST_SECTION\n1 81\n2 82 & "
    "VEHICLES_MAX_DISTANCE_SECTION\n1 71\n2 72 & "
    "VEHICLES_DEPOT_SECTION\n1 1\n2 1",
)
PICKUPS = edited(
    TINY, "CVRP -> VRPSPD & BACKHAUL_SECTION\n1 0\n2 5\n3 1\n4 0\n5 0\n6 0"
)
PAIRED = """TYPE : PDPTW\nDIMENSION : 3\nCAPACITY : 9
EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 8
PICKUP_AND_DELIVERY_SECTION
1 0 0 999 0 0 0\n2 3 0 999 0 0 3\n3 -3 0 999 0 2 0\nDEPOT_SECTION\n1\n-1\nEOF
"""


@pytest.mark.parametrize(
    ("changes", "field", "rule", "value"),
    rows(r"""
3 6 8\n -> 2 6 8\n | NODE_COORD_SECTION | a node number must appear once | 2
2 4\n -> 3 4\n     | DEMAND_SECTION | a node number must appear once | 3
6 0 -7 -> 7 0 -7   | NODE_COORD_SECTION | node numbers must be 1..6 | 7
1 0 0\n -> 0 0 0\n | NODE_COORD_SECTION | node numbers must be 1..6 | 0
1 0 0\n -> a 0 0\n | NODE_COORD_SECTION | every value must be a number | a 0 0
6 0 -7\n ->        | NODE_COORD_SECTION | must list DIMENSION = 6 nodes | 5
6 10\n ->          | DEMAND_SECTION | must list DIMENSION = 6 nodes | 5
SION : 6 -> SION : 7 | NODE_COORD_SECTION | must list DIMENSION = 7 nodes | 6
SION : 6 -> SION : six | DIMENSION | must be a whole number | six
SION : 6 -> SION : 6.5 | DIMENSION | must be a whole number | 6.5
N : 6 -> N : 1000000000000000000 | DIMENSION | must be a whole number of at | 1
SION : 6 -> SION : 1 | DIMENSION | must count a depot and at least one | 1
3 6 8\n -> 3 6 1e10\n | NODE_COORD_SECTION | every value must be finite and | 1
# vrplib would stop at this EOF and lose the rest.
4 -5 0 -> 4 EOF-5 0 | NODE_COORD_SECTION | every value must be a | 4 EOF-5
3 6\n4 5\n -> 3 EOF6\n4 5\n | DEMAND_SECTION | every value must be a | 3 EOF6
3 6 8\n -> 3 6\n | NODE_COORD_SECTION | a row must hold a node number and 2 | 3
3 6 8\n -> 3 6 8 1\n | NODE_COORD_SECTION | a row must hold a node | 3 6 8 1
3 6\n -> 3 6 1\n | DEMAND_SECTION | a row must hold a node number and 1 | 3 6 1
3 6\n -> 3 -6\n  | DEMAND_SECTION | demand of customer 2 must not be neg | -6
3 6\n -> 3 6.5\n | DEMAND_SECTION | must be whole numbers | 6.5
SECTION\n1 0\n -> SECTION\n1 2\n | DEMAND_SECTION | the demand of the depot | 2
TY : 10 -> TY : 0    | CAPACITY | must be positive and at most 1e+09 | 0
TY : 10 -> TY : 10.5 | CAPACITY | must be a whole number | 10.5
CAPACITY : 9 | CAPACITY | must appear once
DEPOT_S -> DEMAND_S | DEMAND | must appear once
NAME : tiny -> NAME tiny | line 1 | must be a 'KEY : value' or | NAME tiny
EDGE_WEIGHT_SECTION\n1 2 | EDGE_WEIGHT_SECTION | must come with
-DIMENSION           | DIMENSION | is missing
-EDGE_WEIGHT_TYPE    | EDGE_WEIGHT_TYPE | is missing
-CAPACITY            | CAPACITY | is missing
-NODE_COORD_SECTION  | NODE_COORD_SECTION | is missing
-DEPOT_SECTION       | DEPOT_SECTION | is missing
VEHICLES : 0         | VEHICLES | must be at least 1 | 0
VEHICLES : two       | VEHICLES | must be a whole number | two
VEHICLES_MAX_DURATION : -1 | VEHICLES_MAX_DURATION | must not be negative | -1
"""),
)
def test_refuses_what_breaks_the_format(
    tmp_path: Path, changes: str, field: str, rule: str, value: str
) -> None:
    """Each error names file, field, rule and value in one line."""
    file = save(tmp_path, edited(TINY, changes))
    with refused(field, rule, value, file):
        nr.read(file)


WEIGHTS = "EDGE_WEIGHT_SECTION"


@pytest.mark.parametrize(
    ("text", "changes", "field", "rule", "value"),
    [
        (text, *row.values)
        for text, table in (
            (
                EXPLICIT,
                r"""
9999 5 6\n -> 9999 5\n | EDGE_WEIGHT_SECTION | must hold 9 weights for 3 | 8
2.5 3 9999 -> 2.5 3 1 1 | EDGE_WEIGHT_SECTION | must hold 9 weights for 3 | 10
2.5 3 -> 2.5 x   | EDGE_WEIGHT_SECTION | every value must be a number | 2.5 x
2.5 3 -> 2.5 nan | EDGE_WEIGHT_SECTION | every value must be a number | 2.5 n
2.5 3 -> 2.5 -3  | EDGE_WEIGHT_SECTION | distances must not be negative | -3
FULL_MATRIX -> FUNCTION | EDGE_WEIGHT_FORMAT | must be FULL_MATRIX, | FUNCTION
-EDGE_WEIGHT_FORMAT  | EDGE_WEIGHT_FORMAT | must be FULL_MATRIX, LOWER_ROW, UPP
-EDGE_WEIGHT_SECTION | EDGE_WEIGHT_SECTION | is missing
""",
            ),
            (LOWER, f"8 9 10 -> 8 9 10 11 | {WEIGHTS} | must hold 6 wei | 7"),
            (
                FLEET,
                r"""
CAPACITY_SECTION\n1 9\n2 9 | CAPACITY_SECTION | must not be a key as well
S : 2 -> S : 3 | VEHICLES_DEPOT_SECTION | must list VEHICLES = 3 vehicles | 2
2 72 -> 2 -2 | VEHICLES_MAX_DISTANCE_SECTION | must not be negative | -2
1 1\n2 1\nDEP -> 1 1\n2 2\nDEP | VEHICLES_DEPOT_SECTION | be depots 1..1 | 2
6 0 96\n ->      | TIME_WINDOW_SECTION | must list DIMENSION = 6 nodes | 5
6 0 96 -> 6 9 8  | TIME_WINDOW_SECTION | must not be before tw_early 9 | 8
6 0 96 -> 6 0 8.5 | TIME_WINDOW_SECTION | times must be whole numbers | 8.5
5 4\n6 5 -> 5 4\n6 -5 | SERVICE_TIME_SECTION | must not be negative | -5
""",
            ),
            (
                PICKUPS,
                r"""
-DEMAND_SECTION & -CAPACITY | CAPACITY | is missing
1\n-1 -> 1\n-1\n2\n-1 | DEPOT_SECTION | must end with the first -1
VEHICLES_MAX_RELOADS : 1.5 | VEHICLES_MAX_RELOADS | must be a whole n | 1.5
""",
            ),
            (
                PAIRED,
                """
SERVICE_TIME : 10 | SERVICE_TIME | must
RELEASE_TIME : 10 | RELEASE_TIME | must
""",
            ),
        )
        for row in rows(table)
    ],
)
def test_refuses_wrong_sections(
    tmp_path: Path, text: str, changes: str, field: str, rule: str, value: str
) -> None:
    """Of weights, vehicles, times, pickups and shipments."""
    file = save(tmp_path, edited(text, changes))
    with refused(field, rule, value, file):
        nr.read(file)


@pytest.mark.parametrize(
    ("changes", "field", "rule", "value"),
    rows(r"""
EUC_2D -> XRAY1  | EDGE_WEIGHT_TYPE | must be one of | XRAY1
EUC_2D -> euc_2d | EDGE_WEIGHT_TYPE | must be one of | euc_2d
NODE_COORD_TYPE : THREED_COORDS | NODE_COORD_TYPE | must be one of | THREED
EDGE_WEIGHT_FORMAT : UPPER | EDGE_WEIGHT_FORMAT | must be one of | UPPER
RELEASE : 3 | RELEASE | this field is not | 3
CVRP -> IRP | TYPE | must be one of PDPTW, | IRP
CVRP -> PDPTW   | PICKUP_AND_DELIVERY_SECTION | is missing, and TYPE PDPTW
EOF -> STAND_IN_SECTION\n1 0\n2 3\nEOF | STAND_IN_SECTION | this field
1\n-1\n -> 1\n3\n-1\n | DEPOT_SECTION | the depots must be the first | 1 3
1\n-1\n -> 2\n1\n-1\n | DEPOT_SECTION | the depots must be the first | 2 1
1\n-1\n -> 2\n-1\n    | DEPOT_SECTION | the depots must be the first | 2
1\n-1\n -> -1\n       | DEPOT_SECTION | the depots must be the first
1\n-1\n -> 0.5\n-1\n  | DEPOT_SECTION | the depots must be the first | 0.5
-DEMAND_SECTION       | DEMAND_SECTION | is missing, and TYPE CVRP needs it
-DEPOT_SECTION & CVRP -> MDVRP | DEPOT_SECTION | is missing, and TYPE MDVRP
"""),
)
def test_refuses_what_no_instance_can_hold(
    tmp_path: Path, changes: str, field: str, rule: str, value: str
) -> None:
    """A constraint is never ignored: the error names it."""
    file = save(tmp_path, edited(TINY, changes))
    with refused(field, rule, value, file, nr.UnsupportedProblemError):
        nr.read(file)


COST = r"VEHICLES : 1 & VEHICLES_FIXED_COST_SECTION\n1 3"
SITES = r"VEHICLES : 1 & VEHICLES_ALLOWED_CLIENTS_SECTION\n1 2 3 4 5 6"
RELOAD = r"VEHICLES : 1 & VEHICLES_RELOAD_DEPOT_SECTION\n1 1"
TIMES = r"TIME_WINDOW_SECTION\n1 0 9\n2 0 9\n3 0 9\n4 0 9\n5 0 9\n6 0 9"
BACK = TIMES.replace("TIME_WINDOW", "BACKHAUL").replace(" 0 9", " 0")
PRIZE = BACK.replace("BACKHAUL", "PRIZE")
GROUP = "MUTUALLY_EXCLUSIVE_GROUP_SECTION"


@pytest.mark.parametrize(
    ("kind", "field", "more", "last"),
    rows(rf"""
DCVRP    | DISTANCE            |          | DISTANCE : 99
DCVRP    | DISTANCE            |          | VEHICLES_MAX_DISTANCE : 99
HFVRP    | CAPACITY_SECTION    |          | {COST}
HVRP     | CAPACITY_SECTION    |          | {COST}
GVRP     | {GROUP} | | {GROUP}\n1 2 3
VRPB     | BACKHAUL_SECTION    |          | {BACK}
VRPSPD   | BACKHAUL_SECTION    |          | {BACK}
PCVRP    | PRIZE_SECTION       |          | {PRIZE}
PCVRPTW  | PRIZE_SECTION       | {TIMES}  | {PRIZE}
PCVRPTW  | TIME_WINDOW_SECTION | {PRIZE}  | {TIMES}
VRPTW    | TIME_WINDOW_SECTION |          | {TIMES}
CVRPTW   | TIME_WINDOW_SECTION |          | {TIMES}
MDVRPTW  | TIME_WINDOW_SECTION |          | {TIMES}
MTVRP    | VEHICLES_RELOAD_DEPOT_SECTION || {RELOAD}
MTVRPTW  | TIME_WINDOW_SECTION | {RELOAD} | {TIMES}
MTVRPTWR | RELEASE_TIME        | {RELOAD} & {TIMES} | RELEASE_TIME : 0
SDVRP    | VEHICLES_ALLOWED_CLIENTS_SECTION || {SITES}
SDVRPTW  | TIME_WINDOW_SECTION | {SITES}  | {TIMES}
"""),
)
def test_types_need_what_they_are_about(
    tmp_path: Path, kind: str, field: str, more: str, last: str
) -> None:
    """Without it the file would be another problem; the last one is it."""
    text = edited(TINY, f"CVRP -> {kind}")
    text = edited(text, more) if more else text
    rule = f"is missing, and TYPE {kind} needs it"
    with refused(field, rule, error=nr.UnsupportedProblemError):
        nr.read(save(tmp_path, text))
    assert read(tmp_path, last, text).num_customers == 5


def test_loads_may_be_missing(tmp_path: Path) -> None:
    """A problem of times alone has neither demands nor a capacity."""
    instance = read(tmp_path, "-DEMAND_SECTION & -CAPACITY & CVRP -> VRP")
    assert instance.demands.tolist() == [0] * 6
    assert not instance.features


def test_several_depots(tmp_path: Path) -> None:
    """The first two nodes are depots: nodes 0 and 5, customers 1 to 4."""
    instance = read(
        tmp_path,
        "2 4\n -> 2 0\n & \n1\n-1\n -> \n1\n2\n-1\n & VEHICLES : 4 & "
        "VEHICLES_DEPOT_SECTION\n1 1\n2 2\n3 2\n4 1",
    )
    assert instance.num_customers == 4
    assert instance.depots == (0, 5)
    assert instance.demands.tolist() == [0, 6, 5, 5, 10, 0]
    coords = instance.require_coords("a test")
    assert coords[[1, 5]].tolist() == [[6, 8], [3, 4]]
    assert [k.start_depot for k in instance.vehicle_types] == [0, 1]
    assert features.SEVERAL_DEPOTS in instance.features


def test_vehicles_that_differ(tmp_path: Path) -> None:
    """Alike vehicles make a type; ``vehicles`` keeps the order of the file."""
    instance = read(
        tmp_path,
        "-CAPACITY & VEHICLES : 4 & CAPACITY_SECTION\n1 10\n2 12\n3 10\n4 12 "
        "& VEHICLES_FIXED_COST_SECTION\n1 5\n2 6\n3 5\n4 7",
    )
    assert instance.fleet is not None
    assert instance.fleet.vehicles == (0, 1, 0, 2)
    assert [
        (k.capacity, k.num_available, k.fixed_cost)
        for k in instance.fleet.types
    ] == [(10, 2, 5), (12, 1, 6), (12, 1, 7)]
    assert instance.capacity == 12


@pytest.mark.parametrize(
    ("changes", "feature"),
    [
        ("VEHICLES : 4", features.LIMITED_FLEET),
        ("VEHICLES : 5", None),
        ("SERVICE_TIME : 7", None),
        # CVRPLIB's DISTANCE counts length and services, as in the CMT set.
        ("SERVICE_TIME : 7 & DISTANCE : 40", features.SHIFT_DURATIONS),
        ("VEHICLES_MAX_DURATION : 40", features.SHIFT_DURATIONS),
        ("VEHICLES_MAX_DISTANCE : 40", features.MAX_DISTANCES),
        (f"VEHICLES_MAX_DURATION : {2**62}", None),
        (f"VEHICLES_MAX_DISTANCE : {2**62}", None),
    ],
)
def test_limits_that_may_bind(
    tmp_path: Path, changes: str, feature: str | None
) -> None:
    """Five customers: five vehicles and large numbers limit nothing."""
    left = simplify(read(tmp_path, changes))
    assert (feature in left.features) if feature else not left.features
    if "SERVICE_TIME" in changes and feature:
        assert left.vehicle_types[0].shift_duration == 40
        assert left.windows is not None
        services = left.windows.service_durations.tolist()
        assert services == [0, 7, 7, 7, 7, 7]


@pytest.mark.parametrize(
    ("content", "field", "rule"),
    [
        (b"", "file", "is empty"),
        (b" \n\n", "file", "is empty"),
        (b"\xef\xbb\xbf", "file", "is empty"),
        (b"\xff\xfe", "file", "is empty"),
        (b"\x7fELF\x00\x01\x02", "file", "is not a text file"),
        (b"\xff\xfe\x80garbage", "line 1", "must be a 'KEY : value'"),
        (b"EOF\n", "DIMENSION", "is missing"),
        (b"{" + b"a" * 9999, "line 1", "aaa...'"),
    ],
)
def test_refuses_what_is_no_instance(
    tmp_path: Path, content: bytes, field: str, rule: str
) -> None:
    """Any file can be given by mistake; the error stays short."""
    file = tmp_path / "case.vrp"
    file.write_bytes(content)
    with refused(field, rule, source=file):
        nr.read(file)
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert len(str(caught.value)) < 200 + len(str(file))


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_damage_is_read_right_or_refused(
    two_depots: nr.Instance, tmp_path: Path, data: st.DataObject
) -> None:
    """Damaged text never ends in another kind of error, or two lines."""
    nr.write_instance(tmp_path / "whole.vrp", two_depots)
    rich = (tmp_path / "whole.vrp").read_text()
    text = data.draw(st.sampled_from([TINY, EXPLICIT, LOWER, rich, SOLOMON]))
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 12))
    filler = data.draw(
        st.text(alphabet="0123456789.- \n:_#eEOFINna", max_size=8)
    )
    file = save(tmp_path, text[:start] + filler + text[start + length :])
    metric = data.draw(st.sampled_from(METRIC_NAMES))
    try:
        instance = nr.read(file, metric=metric)
    except nr.InstanceError as error:
        message = str(error)
    else:
        assert instance.num_customers in (2, 3, 4, 5)
        return
    assert message.startswith(f"{file}: ")
    assert "\n" not in message


def test_a_large_file_needs_no_matrix(tmp_path: Path) -> None:
    """A matrix of bytes alone would take 400 MB."""
    size = 20_000
    places = np.random.default_rng(1).integers(0, 1000, (size, 2))
    file = tmp_path / "large.vrp"
    demands = np.minimum(np.arange(size), 1)
    nr.write_instance(file, nr.Instance("large", demands, 100, coords=places))
    tracemalloc.start()
    try:
        assert nr.read(file).num_customers == size - 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6
