"""Damaged command lines: done, or refused as documented."""

from __future__ import annotations

import io
import os
import sys
from collections import Counter
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from ncc_route.app import main
from tests.attack import samples
from tests.attack.mutations import WORDS
from tests.attack.outcomes import Counts, require, require_line
from tests.signal_handlers import keeping_handlers

if TYPE_CHECKING:
    import random
    from pathlib import Path

USAGE: Final = 2
"""Exit code of a wrong use, which may take several lines to say."""


@dataclass(frozen=True)
class Line:
    """A command line, and what keeps its damaged forms short.

    Parameters
    ----------
    words
        Verb, arguments and options; each but the verb may be damaged.
    bounds
        Options that come last, so that they count: those which may lawfully
        take hours, or many processes.
    """

    words: tuple[str, ...]
    bounds: tuple[str, ...] = ()


def _line(words: str, bounds: str = "") -> Line:
    return Line(tuple(words.split()), tuple(bounds.split()))


LINES: Final = (
    _line(
        "solve tiny.vrp --method ckm --polish none --seed 3 --output a.sol "
        "--bks tiny.sol --metric cvrplib --json",
        "--time-limit 0.2 --jobs 1",
    ),
    _line(
        "solve customers.csv --capacity 9 --depot shop --output a.csv "
        "--method savings --polish ruin-recreate --no-progress",
        "--time-limit 0.2 --jobs 1",
    ),
    _line(
        "solve tiny.vrp matrix.vrp --sol-dir answers --method savings "
        "--params params.toml",
        "--time-limit 0.2 --jobs 1",
    ),
    _line("solve tiny.vrp --polish none --method sweep --time-limit 0.2"),
    _line(
        "solve plane.csv --capacity 6 --matrix matrix.csv --method savings "
        "--polish none --router local-search --plot a.geojson"
    ),
    _line(
        "cluster points.csv --capacity 6 --clusters 3 --objective cpmp "
        "--method ckm --floor --output labels.csv --seed 1",
        "--time-limit 0.2",
    ),
    _line(
        "cluster medians.txt -k fewest --method pack --params clusters.toml",
        "--time-limit 0.5",
    ),
    _line("check tiny.vrp tiny.sol --metric round --json"),
    _line("check customers.csv shop.sol --capacity 9 --depot shop"),
    _line("plot tiny.vrp tiny.sol --output a.svg --hulls --size 3x2"),
    _line("plot tiny.vrp tiny.sol --output a.html --metric none"),
    _line(
        "bench tiny.vrp matrix.vrp --methods savings,insertion --polish none "
        "--output b.csv --json",
        "--time-limit 0.2 --jobs 1 --seeds 1 --jobs-per-run 1",
    ),
    _line(
        "generate 5 --seed 2 --depot central --customers half --demands 1-10 "
        "--route-length 4 --output out --json",
        "--count 2",
    ),
    _line(
        "prepare shanghai sessions.csv --clusters 1 --seed 4 --output out",
        "--parts 1 --part-size 3",
    ),
    _line(
        "label labels --problem cvrp --seed 3",
        "--count 1 --sizes 5 6 --runs 1 --iterations 1 --shard-size 1 "
        "--jobs 1",
    ),
    _line("instances --json"),
    _line("--version"),
    _line("--verbose solve tiny.vrp --method gap --time-limit 0.5"),
)
"""Command lines of every verb that ends soon and stays on this machine."""

FILES: Final = {
    "tiny.vrp": samples.EUCLIDEAN,
    "matrix.vrp": samples.FULL_MATRIX,
    "tiny.sol": "Route #1: 1 2\nRoute #2: 3 4\nCost 24\n",
    "shop.sol": "Route #1: 1 2\nRoute #2: 3 4\n",
    "customers.csv": samples.CUSTOMERS,
    "plane.csv": samples.PLANE,
    "matrix.csv": samples.MATRIX_CSV,
    "points.csv": samples.POINTS,
    "medians.txt": samples.MEDIANS,
    "sessions.csv": samples.SESSIONS,
    "params.toml": samples.PARAMS,
    "clusters.toml": samples.CLUSTER_PARAMS,
}

NAMES: Final = (
    *(word for word in WORDS if "/" not in word),
    *FILES,
    ".",
    "/dev/null",
    "/dev/full",
    "/nonexistent/a.sol",
    "a/b/c.sol",
    "a.png",
    "a.unknown",
    "--",
    "-k",
    "--json",
    "--debug-",
    "--seed",
    "--output",
    "--plot",
)
"""Words of a damaged command line."""


def damage_command(_: int, rng: random.Random, folder: Path) -> Counts:
    """Run a damaged command line; it is done, or refused as documented."""
    line = rng.choice(LINES)
    words = damaged(line, rng)
    write_files(folder)
    (folder / "command.txt").write_text(repr(words), encoding="utf-8")
    code, errors = run_command(words, folder)
    require(code in (0, 1, USAGE), f"exit code {code}: {errors}")
    for sign in ("Traceback", "internal error", "Please report"):
        require(sign not in errors, f"{sign}: {errors[-2000:]}")
    if code == 1 and line.words[0] not in ("solve", "bench", "check"):
        require_line(errors.splitlines()[-1] if errors else "")
    if code == 0:
        return Counter({"inputs": 1, "accepted": 1})
    return Counter({"inputs": 1, "refused": 1})


def write_files(folder: Path) -> None:
    """Write every file that a command line reads."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def damaged(line: Line, rng: random.Random) -> list[str]:
    """Return the words of a command line with one to three damages."""
    words = list(line.words)
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(min(1, len(words) - 1), len(words))
        kind = rng.random()
        if kind < 0.6:
            words[place] = rng.choice(NAMES)
        elif kind < 0.7:
            del words[place]
        elif kind < 0.8:
            words.insert(place, rng.choice(NAMES))
        elif kind < 0.9:
            words.insert(place, rng.choice(words))
        else:
            words[place] = words[place][: rng.randrange(len(words[place]) + 1)]
        if len(words) < 2:
            break
    # A word of the system holds no zero byte.
    return [word.replace("\0", "") for word in (*words, *line.bounds)]


def run_command(words: list[str], folder: Path) -> tuple[int, str]:
    """Run ``ncc-route`` in this process; return exit code and stderr."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        chdir(folder),
        patch.dict(os.environ, {"HOME": str(folder), "COLUMNS": "200"}),
        patch.object(sys, "argv", ["ncc-route", *words]),
        patch.object(sys, "stdin", io.StringIO("")),
        redirect_stdout(out),
        redirect_stderr(errors),
        keeping_handlers(),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code
    number = code if isinstance(code, int) else int(code is not None)
    return number, errors.getvalue()
