"""Every verb that writes, what it reads, and when its files are whole."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

import numpy as np
from safetensors import safe_open

import ncc_routing as nr
from ncc_routing.desk.points import write_points
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.vrplib import write_solution
from tests.oracles import samples
from tests.oracles.by_pyvrp import faults_by_pyvrp

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NUM_POINTS: Final = 300
NUM_EPOCHS: Final = 2


@dataclass(frozen=True)
class Verb:
    """The words of a command that writes, and its outputs.

    A folder ends with "/", and may hold more of the outputs at any time. A
    verb resumes where an interrupted call stopped, or starts other processes.
    """

    words: str
    outputs: tuple[str, ...]
    resumes: bool = False
    parallel: bool = False


SOLVE: Final = "solve one.vrp"
CLUSTER: Final = "cluster points.csv --capacity 80 -o labels.csv"
BENCH: Final = (
    "bench one.vrp two.vrp --methods savings,sweep --polish none --seeds 3 "
    "--output fresh/b.csv"
)
LABEL: Final = (
    "label made --count 4 --sizes 8 9 --runs 1 --iterations 5 --shard-size 1"
)
TRAIN: Final = (
    "train labels --validation valid --output training --schedule cpu "
    f"--epochs {NUM_EPOCHS}"
)
VERBS: Final = (
    Verb(f"{SOLVE} --method savings --time-limit 0.5 -o a.sol", ("a.sol",)),
    Verb(
        f"{SOLVE} --jobs 2 --time-limit 0.5 -o a.csv", ("a.csv",), False, True
    ),
    Verb(
        f"{SOLVE} --method sweep --polish none -o a.json --plot a.svg",
        ("a.json", "a.svg"),
    ),
    Verb(
        f"{SOLVE} two.vrp --method ckm --polish none --sol-dir answers",
        ("answers/",),
    ),
    Verb(f"{CLUSTER} --time-limit 0.5", ("labels.csv",)),
    Verb(
        f"{CLUSTER} --method pack --time-limit 2 --plot labels.html",
        ("labels.csv", "labels.html"),
        parallel=True,
    ),
    Verb("plot one.vrp one.sol -o a.png", ("a.png",)),
    Verb("columns points.csv -o a.toml", ("a.toml",)),
    Verb("plot one.vrp one.sol -o a.html", ("a.html",)),
    Verb("plot one.vrp one.sol -o a.geojson", ("a.geojson",)),
    Verb(BENCH, ("fresh/",)),
    Verb(f"{BENCH} --jobs 2", ("fresh/",), parallel=True),
    Verb(
        "solve one.vrp --start one.sol --max-extra-cost 0.01 --compactness 1 "
        "--time-limit 0.5 -o a.sol",
        ("a.sol",),
    ),
    Verb("replan past.json --now 9 --time-limit 0.5 -o a.json", ("a.json",)),
    Verb("offer past.json new.json --take 1 -o a.json", ("a.json",)),
    Verb("explain past.json 1 -o a.html", ("a.html",)),
    Verb("what-if past.json --time-limit 0.5 -o a.json", ("a.json",)),
    Verb("solve-days one.vrp two.vrp --time-limit 0.5 -o week", ("week/",)),
    Verb(
        "solve-many one.vrp two.vrp --method savings --polish none -o many",
        ("many/",),
        resumes=True,
        parallel=True,
    ),
    Verb("generate 200 --count 9 --output out", ("out/",)),
    Verb(
        "prepare shanghai sessions.csv -k 1 --parts 2 --part-size 3 -o out",
        ("out/",),
    ),
    Verb("new a.xlsx", ("a.xlsx",)),
    Verb(LABEL, ("made/",), resumes=True),
    Verb(TRAIN, ("training/",), resumes=True),
)
"""Every verb that writes, by every writer."""


def write_inputs(folder: Path) -> None:
    """Write everything that the verbs read."""
    from ncc_routing.paper.learning.labels import LabelPlan, write_labels

    (folder / "fresh").mkdir(parents=True)  # bench makes no folder
    for name, seed in (("one", 4), ("two", 5)):
        instance = generate_uchoa(120, seed)
        nr.write_instance(folder / f"{name}.vrp", instance)
        result = nr.solve(instance, method="savings", polish="none")
        write_solution(folder / f"{name}.sol", result.best, instance)
        result.write(folder / "past.json")
    order = json.dumps([{"id": "new", "x": 3, "y": 4, "demand": 1}])
    (folder / "new.json").write_text(order, encoding="utf-8")
    rng = np.random.default_rng(1)
    points = nr.PointSet(
        rng.random((NUM_POINTS, 2)), rng.integers(1, 9, NUM_POINTS), 80
    )
    write_points(folder / "points.csv", points)
    (folder / "sessions.csv").write_text(samples.SESSIONS, encoding="utf-8")
    for name, seed in (("labels", 3), ("valid", 9)):
        list(
            write_labels(LabelPlan(2, seed, (20, 30), 2, 5, 1), folder / name)
        )


def check_whole(file: Path, folder: Path) -> None:
    """Demand that a file is whole, and an answer to the inputs in a folder."""
    content = file.read_bytes()
    assert content, f"empty: {file.name}"
    try:
        _CHECKS[file.suffix](file, folder)
    except Exception as error:
        error.add_note(f"{file.name}, {len(content)} bytes")
        raise


def _check_routes(file: Path, folder: Path) -> None:
    stated = nr.read_solution(file)
    name = file.stem if file.stem in ("one", "two") else "one"
    assert stated.cost is not None
    assert faults_by_pyvrp(folder / f"{name}.vrp", file, stated.cost) == []


def _check_table(file: Path, _: Path) -> None:
    """Rows of equal length, and a row for each point or epoch."""
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n")
    rows = list(csv.reader(text.splitlines()))
    assert len({len(row) for row in rows}) == 1
    if file.stem == "labels":
        assert len(rows) == NUM_POINTS + 1
    if file.stem == "learning_curve":
        epochs = [int(float(row[0])) for row in rows[1:]]
        assert epochs == list(range(1, len(epochs) + 1))


def _ends_with(ending: str) -> Callable[[Path, Path], None]:
    def check(file: Path, _: Path) -> None:
        text = file.read_bytes().decode("latin-1")
        assert text.removesuffix("\n").endswith(ending.removesuffix("\n"))
        assert text.endswith("\n") or not ending.endswith("\n")

    return check


def _check_tensors(file: Path, _: Path) -> None:
    with safe_open(file, framework="np") as tensors:
        for name in tensors.keys():  # noqa: SIM118 - no mapping
            tensors.get_tensor(name)


def _check_labels(file: Path) -> None:
    from ncc_routing.paper.learning.label_files import read_labels

    read_labels([file])


def _alone(read: Callable[[Path], object]) -> Callable[[Path, Path], None]:
    """Return a check that a reader of the file alone makes."""

    def check(file: Path, _: Path) -> None:
        read(file)

    return check


_CHECKS: Final[dict[str, Callable[[Path, Path], None]]] = {
    ".sol": _check_routes,
    ".csv": _check_table,
    ".xlsx": _alone(nr.read),
    ".json": _alone(lambda file: json.loads(file.read_bytes())),
    ".geojson": _alone(lambda file: json.loads(file.read_bytes())),
    ".svg": _alone(ElementTree.parse),
    ".png": _ends_with("IEND\xaeB`\x82"),
    ".html": _ends_with("</html>"),
    ".md": _ends_with("\n"),
    ".vrp": _alone(nr.read),
    ".npz": _alone(_check_labels),
    ".safetensors": _check_tensors,
}
"""What each kind of file is checked by."""
