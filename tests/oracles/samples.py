"""Whole inputs of every form, small, to be damaged."""

from __future__ import annotations

import datetime as dt
import io
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa

PLAIN: Final = """NAME : five
COMMENT : five nodes
TYPE : CVRP
DIMENSION : 5
EDGE_WEIGHT_TYPE : {}
CAPACITY : 7
{}_SECTION
{}
DEMAND_SECTION
1 0\n2 3\n3 4\n4 2\n5 5
DEPOT_SECTION
1\n-1
EOF
"""
FULL_MATRIX: Final = PLAIN.format(
    "EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX",
    "EDGE_WEIGHT",
    "0 5 6 7 8\n6 0 8 3 4\n2.5 3 0 9 9\n4 4 4 0 1\n7 7 2 2 0",
)
LOWER_ROW: Final = PLAIN.format(
    "EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_ROW",
    "EDGE_WEIGHT",
    "5\n6 7\n8 9 10\n3 2 1 4",
)
EUCLIDEAN: Final = PLAIN.format(
    "EUC_2D", "NODE_COORD", "1 5 5\n2 5 9\n3 8 9\n4 8 5\n5 8 1"
)
SOLOMON: Final = """T101

VEHICLE
NUMBER     CAPACITY
  3         60

CUSTOMER
CUST NO.   XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE TIME

    0      40         50          0          0       1236          0
    1      45         68         10         12        667         90
    2      42         66         30          0        870         90
    3      42         68         10         65        946         90
    4      42         65         10        127        982         10
"""
LI_LIM: Final = """2\t20\t1
0\t0\t0\t0\t0\t90\t0\t0\t0
1\t1\t1\t10\t5\t40\t3\t0\t2
2\t4\t5\t-10\t0\t60\t3\t1\t0
3\t0\t9\t-7\t0\t70\t2\t4\t0
4\t0\t3\t7\t0\t50\t2\t0\t3
"""
SOLUTION: Final = "Route #1: 1 4\nRoute #2: 2 3\nCost 484\n"
POINTS: Final = """id,x,y,weight
a,0.5,1.5,2
b,1,1,3.5
c,-2,4e1,1
d,7,7,2
e,3,1,1.25
"""
POINTS_JSON: Final = """{"capacity": 6, "name": "five", "points": [
{"id": "a", "x": 0, "y": 1.5, "weight": 2}, {"id": "b", "x": 1, "y": 1},
{"x": 3, "y": 5, "id": "c"}, {"id": "d", "x": 4, "y": 5, "weight": 0.5}]}
"""
MEDIANS: Final = "5 2\n1 1 10 3\n2 5 10 4\n7 3 10 2\n9 9 10 5\n4 4 10 1\n"
CUSTOMERS: Final = """name,lon,lat,demand,depot
shop,4.9,52.37,0,1
a,4.91,52.38,2,
b,4.95,52.36,3,
c,4.85,52.35,1,
d,4.88,52.4,4,
"""
PLANE: Final = "id;x;y;demand\n0;0;0;0\n1;3;4;2\n2;-3.5;4;3\n3;6;8;1\n"
TIMED: Final = """id;lon;lat;demand;ready;due;service_min;release
shop;4,9;52,37;0;7:00;18:00;;
a;4,91;52,38;2;08:30;10 a.m.;5;
b;4,95;52,36;3;;2026-05-04T12:00;0:10;7:30
c;4,85;52,35;1;9 am;;7,5;
"""
VEHICLES: Final = """name;number;capacity;shift start;shift end;cost per km;\
cost per hour;max_distance_km;max_duration_h;start_late
van;2;6;7:00;17:00;0,5;18;90;8,5;9:00
bike;3;3;;;;;;;
"""
OSRM: Final = """{"code": "Ok",
"durations": [[0, 300.5, 90, 40], [310, 0, 80, null], [90, 70, 0, 35],
[40, 350, 30, 0]],
"distances": [[0, 3000, 900, 400], [3100, 0, 800, null], [900, 700, 0, 350],
[400, 3500, 300, 0]]}
"""
VALHALLA: Final = """{"units": "miles", "sources_to_targets": [
[{"distance": 0, "time": 0}, {"distance": 1.5, "time": 200}],
[{"distance": 2, "time": 210}, {"distance": null, "time": null}]]}
"""
CUSTOMERS_JSON: Final = """{"capacity": 6, "depot": "hub", "customers": [
{"id": "hub", "x": 0, "y": 0, "demand": 0},
{"id": "a", "x": 3, "y": 4, "demand": 1},
{"id": "b", "x": 6, "y": 8, "demand": 2}]}
"""
MATRIX_CSV: Final = ",0,1,2,3\n0,0,5,5,9\n1,5,0,7,4\n2,5,7,0,8\n3,9,4,8,0\n"
PARAMS: Final = """method = "ncc"
polish = "ruin-recreate"
seed = 3
time_limit = 0.1

[ckm]
max_trials = 20

[ruin_recreate]
mean_removed = 8.0

[ncc]
num_samples = 2
"""
CLUSTER_PARAMS: Final = """method = "ckm"
objective = "cpmp"
seed = 2

[annealing]
global_moves = 100
"""
SESSIONS: Final = "\n".join(
    (
        "start time,end time,latitude,longitude,user id",
        *(
            f"2014-06-01 00:00:00,2014-06-01 00:1{k % 10}:01,"
            f"{31 + 0.01 * (7 * k % 12)},{121 + 0.01 * k},{user}"
            for k in range(12)
            for user in "ab"
        ),
        "",
    )
)

DAYS: Final = """NAME: CVRP_BENCHMARK
TYPE: CVRP
DIMENSION: 4
NUM_DAYS: 2
CAPACITY: 10
DISTANCE: 50
EDGE_WEIGHT_TYPE: FUNCTION
EDGE_WEIGHT_FORMAT: EUC_2D
NODE_COORD_SECTION
1 3.0 4.0
2 0 10
3 6 8
DEMAND_SECTION
1 7 -1
2 -1 5
3 2 1
SVC_TIME_SECTION
1 1.0 0
2 0 2
3 1 2
DEPOT_SECTION
0.0 0.0
-1
EOF
"""
"""Two days of three customers, as in the ConVRP sets."""
DISTANCES: Final = np.where(np.eye(4), 0.0, np.arange(16.0).reshape(4, 4))


def rich_instance() -> nr.Instance:
    """Return six customers, two depots, two vehicle types, and times."""
    depots: Any = {"start_depot": 1, "end_depot": 1}
    types = (
        nr.VehicleType(capacity=9, num_available=3, fixed_cost=5),
        nr.VehicleType(
            capacity=8, num_available=3, max_distance=400, **depots
        ),
    )
    windows = nr.TimeWindows.of(
        8,
        tw_early=[0, 0, 30, 0, 0, 0, 10, 0],
        tw_late=[900, 500, 600, 700, 700, 700, 700, 900],
        service_durations=[0, 5, 5, 5, 5, 5, 5, 0],
    )
    return nr.Instance(
        "rich",
        np.array([0, 3, 4, 5, 2, 1, 6, 0]),
        9,
        np.array([[x, x * x % 17] for x in (0, 10, 20, 80, 90, 40, 60, 99)]),
        num_depots=2,
        fleet=nr.Fleet(types),
        windows=windows,
    )


def full_instance() -> nr.Instance:
    """Return an instance with the other sections of PyVRP's dialect."""
    capacity: Any = (9, 4)
    kind = nr.VehicleType(
        capacity=capacity, num_available=2, reload_depots=(0,), max_reloads=1
    )
    loads = np.array([[0, 0], [3, 1], [4, 0], [5, 2], [1, 1]])
    return nr.Instance(
        "full",
        loads[:, 0],
        coords=np.array([[0, 0], [3, 4], [6, 8], [5, 5], [9, 9]]),
        fleet=nr.Fleet((kind,)),
        loads=nr.Loads(loads, loads[::-1] * (loads > 0)),
        selection=nr.Selection(
            np.array([0, 7, 2, 0, 0]),
            np.array([True, False, False, False, True]),
            (nr.Group((2, 3)),),
        ),
    )


@cache
def vrplib_files() -> tuple[bytes, ...]:
    """Return VRPLIB files of several kinds."""
    instances = (
        rich_instance(),
        full_instance(),
        *(generate_uchoa(size, size) for size in (3, 8, 20, 40)),
    )
    texts = [EUCLIDEAN, FULL_MATRIX, LOWER_ROW]
    with tempfile.TemporaryDirectory() as folder:
        for instance in instances:
            file = Path(folder, "instance.vrp")
            nr.write_instance(file, instance)
            texts.append(file.read_text(encoding="utf-8"))
    texts += [texts[-1].replace("EUC_2D", k) for k in ("CEIL_2D", "EXACT_2D")]
    return tuple(text.encode() for text in texts)


def npy_files() -> tuple[bytes, ...]:
    """Return a matrix of distances as .npy."""
    file = io.BytesIO()
    np.save(file, DISTANCES)
    return (file.getvalue(),)


@cache
def xlsx_files() -> tuple[bytes, ...]:
    """Return customers with times of day and a window as .xlsx."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (
        ("id", "x", "y", "demand", "open", "close"),
        ("hub", 0, 0, 0, dt.time(7), dt.time(18)),
        ("a", 3000, 4000.5, 1, dt.time(8, 30), dt.datetime(2026, 5, 4, 12)),
        ("b", 6000, 0, 2, None, dt.timedelta(hours=25)),
        (7, 0, 900, 2, "9 a.m.", None),
    ):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return (file.getvalue(),)


def npz_files() -> tuple[bytes, ...]:
    """Return a matrix of distances as .npz."""
    file = io.BytesIO()
    np.savez(file, matrix=DISTANCES)
    return (file.getvalue(),)


@cache
def weight_files() -> tuple[bytes, ...]:
    """Return tiny networks of both architectures, with random weights.

    A third one is large enough for whole numbers.
    """
    from ncc_routing.paper.learning.scorer import (
        ClusterScorer,
        build_network,
        save_scorer,
    )
    from ncc_routing.paper.scoring.network_params import NetworkParams
    from ncc_routing.paper.scoring.vocabulary import ARCHITECTURES, PAIRS

    found = []
    tiny = (8, 2, 5, 6, 7, 10, 2)
    shapes = {NetworkParams(name, *tiny): 32 for name in ARCHITECTURES}
    shapes[NetworkParams(PAIRS, 64, 1, *tiny[2:])] = 8
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "weights.safetensors")
        for shape, bits in shapes.items():
            scorer = ClusterScorer(
                shape, build_network(shape), {"weight": 1.5}
            )
            save_scorer(file, scorer, bits=bits)
            found.append(file.read_bytes())
    return tuple(found)


@cache
def label_files() -> tuple[bytes, ...]:
    """Return a shard of labels of routes, and one of clusters."""
    from ncc_routing.paper.learning.labels import LabelPlan, write_labels

    found = []
    with tempfile.TemporaryDirectory() as folder:
        for problem in ("cvrp", "ccp"):
            plan = LabelPlan(
                2, 3, (8, 9), iterations_per_customer=5, shard_size=2,
                problem=problem,
            )  # fmt: skip
            files = write_labels(plan, Path(folder, problem))
            found += [file.read_bytes() for file in files]
    return tuple(found)
