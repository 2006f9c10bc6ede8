"""Damaged files: each is read rightly and used, or refused in one line."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest
from hypothesis import given

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS as CLUSTER_METHODS
from ncc_routing.ccp.methods import OBJECTIVE_ACCEPTS
from ncc_routing.core.params import build_params
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.io.toml import read_params
from ncc_routing.io.vrplib import write_solution
from ncc_routing.paper.telecom import prepare_shanghai
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.methods import IMPROVEMENTS, METHODS, NO_IMPROVEMENT
from tests.oracles import samples
from tests.oracles.by_pyvrp import faults_by_pyvrp
from tests.robustness.mutations import (
    mutate_archive,
    mutate_arrays,
    mutate_bytes,
    mutate_json,
    mutate_tensors,
    mutate_text,
)
from tests.robustness.support import (
    RANDOMS,
    cases,
    check_line,
    reading,
    watched,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    Use = Callable[[], object]
    """What is done with an input that was accepted."""

    Samples = Callable[[], tuple[bytes, ...]]
    Mutation = Callable[[bytes, random.Random], bytes]
    Reader = Callable[[Path, random.Random], Use]

SECONDS: Final = 0.03
"""Time of a solve: an improvement takes all of it, on the smallest problem."""


def _solve(instance: nr.Instance, rng: random.Random) -> nr.Result | None:
    """Solve with a method and an improvement that accept the instance.

    Only a problem with a limited fleet may have no solution.
    """
    features = instance.features
    methods = list(METHODS.values())  # to be refused where none fits
    fitting = [m for m in methods if m.accepted(features)] or methods
    polishes = [p.name for p in IMPROVEMENTS.values() if p.accepted(features)]
    try:
        result = nr.solve(
            *(instance, TimeLimit(SECONDS)),
            params=nr.SolveParams(
                method=rng.choice(fitting).name,
                polish=rng.choice([NO_IMPROVEMENT, *polishes]),
                router=rng.choice(("lkh", "local-search")),
                seed=rng.randrange(100),
            ),
        )
    except (nr.UnsupportedProblemError, nr.ParameterError) as error:
        check_line(error)
        return None
    except nr.InfeasibleError as error:
        check_line(error)
        assert not instance.is_unlimited_cvrp
        return None
    assert nr.check_solution(instance, result.best) == []
    return result


def _solve_file(
    file: Path, instance: nr.Instance, metric: str, rng: random.Random
) -> None:
    """Solve an instance, and check the answer from the files alone."""
    result = _solve(instance, rng)
    if result is None:
        return
    answer = file.with_suffix(".sol")
    write_solution(answer, result.best, instance)
    if metric == "round" and file.suffix == ".vrp":
        assert faults_by_pyvrp(file, answer, result.cost) == []


def _cluster(points: nr.PointSet, rng: random.Random) -> None:
    """Cluster points, and check the answer; there may be none."""
    features = points.features
    aims = [k for k, v in OBJECTIVE_ACCEPTS.items() if {*features} <= v]
    methods = [m for m in CLUSTER_METHODS.values() if m.accepted(features)]
    if not aims or not methods:
        return
    try:
        found = nr.cluster(
            points,
            method=rng.choice(methods).name,
            objective=rng.choice(aims),
            seed=rng.randrange(100),
            stop=TimeLimit(SECONDS),
        )
    except (nr.InfeasibleError, nr.InstanceError) as error:
        check_line(error)
        return
    assert nr.check_clustering(points, found) == []


def _read_instance(file: Path, rng: random.Random) -> Use:
    """Read by the metric that PyVRP knows, or by any other."""
    metric = rng.choice(("round", rng.choice(METRIC_NAMES)))
    instance = nr.read(file, metric=metric)
    return partial(_solve_file, file, instance, metric, rng)


def _read_solution(file: Path, _: random.Random) -> Use:
    """Read routes, and check them as a solution of a square."""
    stated = nr.read_solution(file)
    places = np.array([[5, 5], [0, 0], [9, 0], [9, 9], [0, 9]])
    square = nr.Instance("square", np.arange(5), 5, places)

    def use() -> None:
        try:
            routes, types = stated.routes_of(square)
        except nr.NccRoutingError as error:
            check_line(error)
            return
        found = nr.Solution(routes, 0.0, types)
        visits = sorted(chain.from_iterable(found.routes))
        is_whole = visits == [1, 2, 3, 4]
        assert is_whole or nr.check_solution(square, found)

    return use


def _read_points(file: Path, rng: random.Random) -> Use:
    capacity = rng.choice((None, 6, 6.5))
    points = nr.read_points(file, capacity, rng.choice((None, 1, 2, 3)))
    return partial(_cluster, points, rng)


def _read_customers(file: Path, rng: random.Random) -> Use:
    capacity = 9 if file.suffix == ".csv" else rng.choice((None, 9))
    return partial(_solve, nr.read(file, capacity=capacity), rng)


def _read_matrix(file: Path, rng: random.Random) -> Use:
    table = {"id": [0, 1, 2, 3], "demand": [0, 2, 3, 1]}
    return partial(_solve, nr.read(table, capacity=4, matrix=file), rng)


def _read_timed(file: Path, rng: random.Random) -> Use:
    table = file.with_name("v.csv")
    table.write_text(samples.VEHICLES)
    instance = nr.read(file, vehicles=table, speed="40km/h")
    return partial(_solve, instance, rng)


def _read_sheet(file: Path, rng: random.Random) -> Use:
    instance = nr.read(file, capacity=4, speed="40km/h")
    return partial(_solve, instance, rng)


def _read_vehicles(file: Path, rng: random.Random) -> Use:
    rows = {"id": ["h", "a"], "lon": [4.9, 4.8], "lat": [52, 52.1]}
    instance = nr.read(rows, vehicles=file, speed="40km/h")
    return partial(_solve, instance, rng)


def _read_ways(file: Path, rng: random.Random) -> Use:
    due = [None, "8:00", "9:00", "9:30"]
    size = 2 if b"sources" in file.read_bytes() else 4
    table = {"demand": [0, 2, 3, 1][:size], "due": due[:size]}
    instance = nr.read(table, capacity=4, matrix=file, time_unit="s")
    return partial(_solve, instance, rng)


def _read_solve_params(file: Path, _: random.Random) -> Use:
    params = build_params(nr.SolveParams, read_params(file), str(file))
    instance = generate_uchoa(8, 8)
    return lambda: nr.solve(instance, TimeLimit(0.1), params=params)


def _read_cluster_params(file: Path, _: random.Random) -> Use:
    params = build_params(nr.ClusterParams, read_params(file), str(file))
    points = [[0, 1], [1, 1], [5, 5], [6, 5], [9, 0]]
    end = TimeLimit(0.1)
    return lambda: nr.cluster(points, 2, 3, params=params, stop=end)


def _read_weights(file: Path, rng: random.Random) -> Use:
    """Read weights with torch, or with numpy and then use them."""
    from ncc_routing.paper.learning.scorer import load_scorer
    from ncc_routing.paper.scoring.predictor import load_predictor

    if rng.randrange(2):
        load_scorer(file)
        return tuple
    predictor = load_predictor(file)
    if predictor.params.problem == "cvrp":
        predictor.pair_probabilities(generate_uchoa(8, 8))
    return tuple


def _read_labels(file: Path, _: random.Random) -> Use:
    """Read labels; what is accepted is a solution of its instance."""
    from ncc_routing.paper.learning.label_files import read_labels

    for entry in read_labels([file]):
        instance, labels = entry.instance, entry.labels
        if isinstance(instance, nr.Instance):
            weights = instance.demands
        else:
            weights = instance.weights
        assert labels.shape[1] == len(weights)
        assert labels.dtype.kind in "iu"
        for row in labels[:, weights > 0]:
            groups = np.unique(row, return_inverse=True)[1]
            loads = np.bincount(groups, weights[weights > 0])
            assert max(loads, default=0) <= instance.capacity * (1 + 1e-6)
    return tuple


def _read_sessions(file: Path, _: random.Random) -> Use:
    prepare_shanghai([file], num_clusters=1)
    return tuple


def _texts(*texts: str) -> Samples:
    return lambda: tuple(text.encode() for text in texts)


_RAW: Final = (mutate_bytes,)
_TEXT: Final = (mutate_text, mutate_text, mutate_text, mutate_bytes)
_JSON: Final = (*_TEXT, mutate_json)
_NPZ: Final = (mutate_bytes, mutate_arrays)
_ARCHIVE: Final = (mutate_bytes, mutate_archive, mutate_archive)
_TENSORS: Final = (mutate_bytes, mutate_tensors)
_POINTS: Final = _texts(samples.POINTS, samples.MEDIANS)
_TABLES: Final = _texts(samples.CUSTOMERS, samples.PLANE)
_WAYS: Final = _texts(samples.OSRM, samples.VALHALLA)
_CLUSTER: Final = _texts(samples.CLUSTER_PARAMS)

FORMS: Final[dict[str, tuple[Samples, tuple[Mutation, ...], Reader]]] = {
    "vrplib.vrp": (samples.vrplib_files, _TEXT, _read_instance),
    "solomon.txt": (_texts(samples.SOLOMON), _TEXT, _read_instance),
    "li_lim.txt": (_texts(samples.LI_LIM), _TEXT, _read_instance),
    "solution.sol": (_texts(samples.SOLUTION), _TEXT, _read_solution),
    "points.csv": (_POINTS, _TEXT, _read_points),
    "points.json": (_texts(samples.POINTS_JSON), _JSON, _read_points),
    "customers.csv": (_TABLES, _TEXT, _read_customers),
    "customers.json": (_texts(samples.CUSTOMERS_JSON), _JSON, _read_customers),
    "customers.xlsx": (samples.xlsx_files, _ARCHIVE, _read_sheet),
    "timed.csv": (_texts(samples.TIMED), _TEXT, _read_timed),
    "vehicles.csv": (_texts(samples.VEHICLES), _TEXT, _read_vehicles),
    "ways.json": (_WAYS, _JSON, _read_ways),
    "matrix.csv": (_texts(samples.MATRIX_CSV), _TEXT, _read_matrix),
    "matrix.npy": (samples.npy_files, _RAW, _read_matrix),
    "matrix.npz": (samples.npz_files, _NPZ, _read_matrix),
    "solve.toml": (_texts(samples.PARAMS), _TEXT, _read_solve_params),
    "cluster.toml": (_CLUSTER, _TEXT, _read_cluster_params),
    "net.safetensors": (samples.weight_files, _TENSORS, _read_weights),
    "labels.npz": (samples.label_files, _NPZ, _read_labels),
    "sessions.csv": (_texts(samples.SESSIONS), _TEXT, _read_sessions),
}
"""Every form of input: whole files, what damages them, and a reader that
returns what is to be done with the content."""


@pytest.mark.parametrize("name", FORMS)
@given(rng=RANDOMS)
@cases(5, 1200)
def test_damaged_files(name: str, tmp_path: Path, rng: random.Random) -> None:
    """A damaged file is read and used, or refused in clear words."""
    whole, mutations, read = FORMS[name]
    file = tmp_path / name
    mutate = rng.choice(mutations)
    file.write_bytes(mutate(rng.choice(whole()), rng))
    try:
        with reading():
            use = read(file, rng)
    except nr.NccRoutingError as error:
        check_line(error)
        return
    with watched():
        use()
