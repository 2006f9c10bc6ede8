"""Damaged files: each is read rightly, or refused in one line.

What is read is used shortly afterwards, and the answer is checked.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.io.customers import read_customers
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.io.telecom import prepare_shanghai
from ncc_routing.io.toml import read_params
from tests.attack import mutations, samples, solving
from tests.attack.outcomes import Counts, require, require_line

if TYPE_CHECKING:
    import random

Use = Callable[[], Counts]
"""What is done with an input that was accepted."""

Read = Callable[[Path, "random.Random"], Use]
"""Reads a file, and returns what is to be done with its content."""

Mutate = Callable[[bytes, "random.Random"], bytes]


@dataclass(frozen=True)
class Form:
    """One form of input.

    Parameters
    ----------
    name
        Its name, for the counts.
    suffix
        Ending of its files.
    samples
        Whole inputs of this form.
    mutations
        The damages, of which one is drawn.
    read
        The reader.
    weight
        How often it is drawn, relative to the others. Default 1.
    """

    name: str
    suffix: str
    samples: Callable[[], tuple[bytes, ...]]
    mutations: tuple[Mutate, ...]
    read: Read
    weight: float = 1.0


def damage_file(_: int, rng: random.Random, folder: Path) -> Counts:
    """Damage a file of any form, read it, and use it where it is accepted."""
    weights = [form.weight for form in FORMS]
    return damage(rng.choices(FORMS, weights)[0], rng, folder)


def damage(form: Form, rng: random.Random, folder: Path) -> Counts:
    """Damage a file of one form, read it, and use it if it is accepted."""
    content = rng.choice(form.samples())
    content = rng.choice(form.mutations)(content, rng)
    file = folder / f"input{form.suffix}"
    file.write_bytes(content)
    try:
        use = form.read(file, rng)
    except NccRoutingError as error:
        require_line(str(error))
        return Counter({"inputs": 1, "refused": 1})
    return Counter({"inputs": 1, "accepted": 1}) + use()


def _by_text(content: bytes, rng: random.Random) -> bytes:
    text = mutations.mutate_text(content.decode(), rng)
    return text.encode("utf-8", errors="surrogatepass")


def _by_json(content: bytes, rng: random.Random) -> bytes:
    return mutations.mutate_json(content.decode(), rng).encode()


def _texts(*texts: str) -> Callable[[], tuple[bytes, ...]]:
    return lambda: tuple(text.encode() for text in texts)


def _read_instance(file: Path, rng: random.Random) -> Use:
    """Read by the metric that the checker knows, or by any other."""
    metric = solving.known_metric(file)
    if rng.random() < 0.1:
        metric = rng.choice(METRIC_NAMES)
    instance = nr.read(file, metric=metric)
    return partial(solving.solve_file, file, instance, metric, rng)


def _read_solution(file: Path, _: random.Random) -> Use:
    """Read routes, and check them as a solution of the square."""
    stated = nr.read_solution(file)
    places = np.array([[5, 5], [0, 0], [9, 0], [9, 9], [0, 9]])
    square = nr.Instance("square", np.arange(5), 5, places)

    def use() -> Counts:
        try:
            routes, types = stated.routes_of(square)
        except NccRoutingError as error:
            require_line(str(error))
            return Counter({"refused": 1, "accepted": -1})
        found = nr.Solution(routes, 0.0, types)
        whole = sorted(reduce(operator.iadd, map(list, found.routes), [])) == [
            1,
            2,
            3,
            4,
        ]
        broken = nr.check_solution(square, found)
        require(whole or broken, f"no violation: {found.routes}")
        return Counter({"solutions": 1})

    return use


def _read_points(file: Path, rng: random.Random) -> Use:
    capacity = rng.choice((None, 6, 6.5))
    points = nr.read_points(file, capacity, rng.choice((None, 1, 2, 3)))
    return partial(solving.cluster_points, points, rng)


def _read_customers(file: Path, rng: random.Random) -> Use:
    capacity = 9 if file.suffix == ".csv" else rng.choice((None, 9))
    instance = read_customers(file, capacity)
    return partial(solving.solve_instance, instance, rng)


def _read_matrix(file: Path, rng: random.Random) -> Use:
    table = {"id": [0, 1, 2, 3], "demand": [0, 2, 3, 1]}
    instance = read_customers(table, 4, matrix=file)
    return partial(solving.solve_instance, instance, rng)


def _read_solve_params(file: Path, rng: random.Random) -> Use:
    """Read parameters of ``solve``, and run it for a moment."""
    from ncc_routing.core.params import build_params

    params = build_params(nr.SolveParams, read_params(file), str(file))

    def use() -> Counts:
        instance = nr.generate_uchoa(8, 8)
        nr.solve(instance, params, deadline=Deadline(0.1))
        return Counter({"solves": 1})

    return use


def _read_cluster_params(file: Path, rng: random.Random) -> Use:
    """Read parameters of ``cluster``, and run it for a moment."""
    from ncc_routing.core.params import build_params

    params = build_params(nr.ClusterParams, read_params(file), str(file))

    def use() -> Counts:
        points = [[0, 1], [1, 1], [5, 5], [6, 5], [9, 0]]
        nr.cluster(points, 2, 3, params=params, deadline=Deadline(0.1))
        return Counter({"clusterings": 1})

    return use


def _read_weights(file: Path, rng: random.Random) -> Use:
    """Read weights with numpy, and with torch; both refuse the same."""
    from ncc_routing.learning.scorer import load_scorer
    from ncc_routing.scoring.predictor import load_predictor

    if rng.random() < 0.5:
        predictor = load_predictor(file)
        instance = nr.generate_uchoa(8, 8)
        if predictor.params.problem != "cvrp":
            return Counter
        predictor.pair_probabilities(instance)
    else:
        load_scorer(file)
    return Counter


def _read_labels(file: Path, _: random.Random) -> Use:
    """Read labels; what is accepted is a solution of its instance."""
    from ncc_routing.learning.label_files import read_labels

    for entry in read_labels([file]):
        instance, labels = entry.instance, entry.labels
        if isinstance(instance, nr.Instance):
            weights, size = instance.demands, instance.num_customers + 1
        else:
            weights, size = instance.weights, instance.num_points
        require(labels.shape[1] == size, f"labels of shape {labels.shape}")
        require(labels.dtype.kind in "iu", f"labels of type {labels.dtype}")
        for row in labels[:, weights > 0]:
            loads = Counter[int]()
            for label, weight in zip(row, weights[weights > 0], strict=True):
                loads[label] += weight
            limit = instance.capacity * (1 + 1e-6)
            largest = max(loads.values(), default=0)
            require(largest <= limit, "labels overload a route")
    return Counter


def _read_sessions(file: Path, _: random.Random) -> Use:
    prepare_shanghai([file], num_clusters=1)
    return Counter


_RAW: Final = (mutations.mutate_bytes,)
_TEXT: Final = (_by_text, _by_text, _by_text, mutations.mutate_bytes)

FORMS: Final = (
    Form(
        "vrplib",
        ".vrp",
        lambda: tuple(text.encode() for text in samples.vrplib_texts()),
        _TEXT,
        _read_instance,
        weight=6.0,
    ),
    Form("solomon", ".txt", _texts(samples.SOLOMON), _TEXT, _read_instance),
    Form("solution", ".sol", _texts(samples.SOLUTION), _TEXT, _read_solution),
    Form(
        "points",
        ".csv",
        _texts(samples.POINTS, samples.MEDIANS),
        _TEXT,
        _read_points,
        weight=2.0,
    ),
    Form(
        "points in JSON",
        ".json",
        _texts(samples.POINTS_JSON),
        (*_TEXT, _by_json),
        _read_points,
    ),
    Form(
        "customers",
        ".csv",
        _texts(samples.CUSTOMERS, samples.PLANE),
        _TEXT,
        _read_customers,
        weight=2.0,
    ),
    Form(
        "customers in JSON",
        ".json",
        _texts(samples.CUSTOMERS_JSON),
        (*_TEXT, _by_json),
        _read_customers,
    ),
    Form("matrix", ".csv", _texts(samples.MATRIX_CSV), _TEXT, _read_matrix),
    Form(
        "npy", ".npy", lambda: samples.matrix_files()[:1], _RAW, _read_matrix
    ),
    Form(
        "npz",
        ".npz",
        lambda: samples.matrix_files()[1:],
        (*_RAW, mutations.mutate_arrays),
        _read_matrix,
    ),
    Form("TOML", ".toml", _texts(samples.PARAMS), _TEXT, _read_solve_params),
    Form(
        "TOML of clusters",
        ".toml",
        _texts(samples.CLUSTER_PARAMS),
        _TEXT,
        _read_cluster_params,
    ),
    Form(
        "weights",
        ".safetensors",
        samples.weight_files,
        (*_RAW, mutations.mutate_tensors),
        _read_weights,
        weight=2.0,
    ),
    Form(
        "labels",
        ".npz",
        samples.label_files,
        (*_RAW, mutations.mutate_arrays),
        _read_labels,
        weight=2.0,
    ),
    Form("sessions", ".csv", _texts(samples.SESSIONS), _TEXT, _read_sessions),
)
"""Every form of input that the package reads."""


def warm() -> None:
    """Load what the first case of a form loads, torch above all."""
    for form in FORMS:
        form.samples()
