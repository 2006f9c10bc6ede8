"""Every verb that writes, what it reads, and when its files are whole."""

from __future__ import annotations

import csv
import json
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

import numpy as np

import ncc_routing as nr
from ncc_routing.vrp.construction.savings import solve_savings
from tests.attack import samples
from tests.attack.independent import faults_of
from tests.attack.outcomes import require

if TYPE_CHECKING:
    from collections.abc import Callable

NUM_POINTS: Final = 300
NUM_EPOCHS: Final = 2


@dataclass(frozen=True)
class Verb:
    """A command that writes.

    Parameters
    ----------
    name
        Its name.
    words
        The words of the command.
    outputs
        Files that it writes; a folder ends with "/", and may hold more of
        them at any time.
    resumes
        Whether it goes on where an interrupted call stopped. Default no.
    parallel
        Whether it starts other processes. Default no.
    weight
        How often it is drawn, relative to the others. Default 1.
    """

    name: str
    words: str
    outputs: tuple[str, ...]
    resumes: bool = False
    parallel: bool = False
    weight: float = 1.0


VERBS: Final = (
    Verb(
        "solve",
        "solve one.vrp --method savings --time-limit 1 --output a.sol",
        ("a.sol",),
        weight=3.0,
    ),
    Verb(
        "solve with jobs",
        "solve one.vrp --jobs 2 --time-limit 1 --output a.csv",
        ("a.csv",),
        parallel=True,
    ),
    Verb(
        "solve into JSON and SVG",
        "solve one.vrp --method sweep --polish none -o a.json --plot a.svg",
        ("a.json", "a.svg"),
    ),
    Verb(
        "solve many",
        "solve one.vrp two.vrp --method ckm --polish none --sol-dir answers",
        ("answers/",),
    ),
    Verb(
        "cluster",
        "cluster points.csv --capacity 80 --time-limit 1 -o labels.csv",
        ("labels.csv",),
        weight=2.0,
    ),
    Verb(
        "cluster by a MIP",
        "cluster points.csv --capacity 80 --method pack --time-limit 2 "
        "-o labels.csv --plot labels.html",
        ("labels.csv", "labels.html"),
        parallel=True,
    ),
    Verb("plot PNG", "plot one.vrp one.sol -o a.png", ("a.png",)),
    Verb("plot HTML", "plot one.vrp one.sol -o a.html", ("a.html",)),
    Verb("plot GeoJSON", "plot one.vrp one.sol -o a.geojson", ("a.geojson",)),
    Verb(
        "bench",
        "bench one.vrp two.vrp --methods savings,sweep --polish none "
        "--seeds 3 --output fresh/b.csv",
        ("fresh/",),
    ),
    Verb(
        "bench with jobs",
        "bench one.vrp two.vrp --methods savings,sweep --polish none "
        "--seeds 3 --jobs 2 --output fresh/b.csv",
        ("fresh/",),
        parallel=True,
    ),
    Verb(
        "trade-off",
        "trade-off one.vrp --weights 1 --time-limit 1 -o a.csv --plot a.svg",
        ("a.csv", "a.svg"),
    ),
    Verb("generate", "generate 200 --count 9 --output out", ("out/",)),
    Verb(
        "prepare",
        "prepare shanghai sessions.csv -k 1 --parts 2 --part-size 3 -o out",
        ("out/",),
    ),
    Verb(
        "label",
        "label made --count 4 --sizes 8 9 --runs 1 --iterations 5 "
        "--shard-size 1",
        ("made/",),
        resumes=True,
    ),
    Verb(
        "train",
        "train labels --validation valid --output training --schedule cpu "
        f"--epochs {NUM_EPOCHS}",
        ("training/",),
        resumes=True,
        weight=0.5,
    ),
)
"""Every verb that writes, by every writer."""


@cache
def input_folder() -> Path:
    """Return a folder with everything that the verbs read."""
    from ncc_routing.learning.labels import LabelPlan, write_labels

    # It lives as long as the process.
    keeper = tempfile.TemporaryDirectory(prefix="attack-inputs-")
    _KEEPERS.append(keeper)
    folder = Path(keeper.name)
    (folder / "fresh").mkdir()  # bench makes no folder
    for name, seed in (("one", 4), ("two", 5)):
        instance = nr.generate_uchoa(120, seed)
        nr.write_instance(folder / f"{name}.vrp", instance)
        best = solve_savings(instance)
        nr.write_solution(folder / f"{name}.sol", best, instance)
    rng = np.random.default_rng(1)
    points = nr.PointSet(
        rng.random((NUM_POINTS, 2)), rng.integers(1, 9, NUM_POINTS), 80
    )
    nr.write_points(folder / "points.csv", points)
    (folder / "sessions.csv").write_text(samples.SESSIONS, encoding="utf-8")
    for name, seed in (("labels", 3), ("valid", 9)):
        plan = LabelPlan(2, seed, (20, 30), 2, 5, 1)
        list(write_labels(plan, folder / name))
    return folder


_KEEPERS: Final[list[tempfile.TemporaryDirectory[str]]] = []


def require_whole(file: Path, folder: Path) -> None:
    """Report a file that a verb wrote by half.

    Parameters
    ----------
    file
        The file.
    folder
        Folder with the inputs of the verb.

    Raises
    ------
    Found
        If it is cut, or no answer to the inputs.
    """
    check = _CHECKS.get(file.suffix)
    require(check is not None, f"an unknown file {file.name}")
    require(file.stat().st_size > 0, f"an empty {file.name}")
    try:
        assert check is not None
        check(file, folder)
    except (ValueError, KeyError, OSError, ElementTree.ParseError) as error:
        size = file.stat().st_size
        require(False, f"half of {file.name}, {size} bytes: {error}")


def _check_routes(file: Path, folder: Path) -> None:
    stated = nr.read_solution(file)
    name = file.stem if file.stem in ("one", "two") else "one"
    cost = float("nan") if stated.cost is None else stated.cost
    faults = faults_of(folder / f"{name}.vrp", file, cost)
    require(faults == [], f"{file.name}: {faults}")


def _check_table(file: Path, _: Path) -> None:
    """Rows of equal length, and a row for each point or customer."""
    text = file.read_text(encoding="utf-8")
    require(text.endswith("\n"), f"half a row in {file.name}")
    rows = list(csv.reader(text.splitlines()))
    require(len({len(row) for row in rows}) == 1, f"ragged rows: {file.name}")
    if file.stem == "labels":
        require(len(rows) == NUM_POINTS + 1, f"{len(rows)} rows of labels")
    if file.stem == "learning_curve":
        epochs = [int(float(row[0])) for row in rows[1:]]
        expected = list(range(1, len(epochs) + 1))
        require(epochs == expected, f"epochs {epochs} in the curve")


def _check_json(file: Path, _: Path) -> None:
    json.loads(file.read_text(encoding="utf-8"))


def _check_svg(file: Path, _: Path) -> None:
    ElementTree.fromstring(file.read_text(encoding="utf-8"))


def _check_png(file: Path, _: Path) -> None:
    closing = file.read_bytes().endswith(b"IEND\xaeB`\x82")
    require(closing, f"half of {file.name}")


def _check_page(file: Path, _: Path) -> None:
    closing = file.read_text(encoding="utf-8").rstrip().endswith("</html>")
    require(closing, f"half of {file.name}")


def _check_text(file: Path, _: Path) -> None:
    closing = file.read_text(encoding="utf-8").endswith("\n")
    require(closing, f"half of {file.name}")


def _check_instance(file: Path, _: Path) -> None:
    nr.read(file)


def _check_arrays(file: Path, _: Path) -> None:
    from ncc_routing.learning.label_files import read_labels

    read_labels([file])


def _check_tensors(file: Path, _: Path) -> None:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="np") as tensors:
            names = list(tensors.keys())
            for name in names:
                tensors.get_tensor(name)
    except SafetensorError as error:
        raise ValueError(str(error)) from None


_CHECKS: Final[dict[str, Callable[[Path, Path], None]]] = {
    ".sol": _check_routes,
    ".csv": _check_table,
    ".json": _check_json,
    ".geojson": _check_json,
    ".svg": _check_svg,
    ".png": _check_png,
    ".html": _check_page,
    ".md": _check_text,
    ".vrp": _check_instance,
    ".npz": _check_arrays,
    ".safetensors": _check_tensors,
}
"""What each kind of file is checked by."""
