"""Loyal routes in the shell: from labels of a region to a curve."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.learning.checkpoint import read_checkpoint
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.weights_file import WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SHIPPED = WEIGHTS / "ncc-cvrp.safetensors"
LOYAL = ("--scorer", SHIPPED, "--affinity", "1")
SHORT = ("--time-limit", "0.3", "--json")


def test_solve_with_a_scorer(run: Run, random_file: Path) -> None:
    """The parameters are in the answer, the cost is that of the ways."""
    done = run("solve", random_file, *LOYAL, *SHORT)
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    assert answer["params"]["affinity"] == 1.0
    assert answer["params"]["scorer"] == str(SHIPPED)
    assert answer["method"] == "savings"
    instance = nr.read(random_file)
    found = Solution.from_routes(instance, answer["routes"])
    assert check_solution(instance, found) == []
    assert answer["cost"] == found.cost


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--affinity", "1"), 1, "affinity 1.0 needs a scorer"),
        (("--affinity", "-1"), 2, "--affinity"),
        (("--affinity", "1e7"), 1, "affinity must lie in [1e-06, 1e+06] or"),
        (("--compactness", "1e308"), 1, "compactness must lie in"),
        (("--compactness", "1e-320"), 1, "compactness must lie in"),
        (("--consistency", "1e308"), 1, "consistency must lie in"),
        (("--scorer", "no.st", "--affinity", "1"), 1, "no.st"),
        ((*LOYAL, "--compactness", "1"), 1, "do not go together"),
        ((*LOYAL, "--polish", "none"), 1, "affinity needs a polish"),
    ],
)
def test_wrong_wishes(
    run: Run,
    random_file: Path,
    words: tuple[object, ...],
    code: int,
    message: str,
) -> None:
    """Each is refused, and said."""
    done = run("solve", random_file, *words)
    assert done.code == code
    assert message in done.err


def test_a_curve_over_loyalty(run: Run, random_file: Path) -> None:
    """The plan without affinity needs no scorer; the curve does."""
    curve = ("trade-off", random_file, "--of", "affinity", "--weights", "1")
    done = run(*curve, "--scorer", SHIPPED, *SHORT)
    assert done.code == 0, done.err
    plans = json.loads(done.out)["plans"]
    assert [plan["affinity"] for plan in plans] == [0.0, 1.0]
    assert all("overlap" in plan for plan in plans)
    done = run(*curve)
    assert done.code == 1
    assert "affinity 1.0 needs a scorer" in done.err


def test_a_network_that_knows_places(run: Run, tmp_path: Path) -> None:
    """Trained with ``--places`` it knows its region, and solves in it."""
    labels, output = tmp_path / "labels", tmp_path / "out"
    words = ("--count", 2, "--sizes", 20, 25, "--iterations", 10)
    assert run("label", *words, "--seed", 3, labels).code == 0
    train = ("train", labels, "--validation", labels, "--schedule", "cpu")
    done = run(*train, "--epochs", 1, "--places", "--output", output)
    assert done.code == 0, done.err
    checkpoint = read_checkpoint(output)
    assert checkpoint is not None
    region = checkpoint[0]["network"]["region"]
    assert region is not None
    day = tmp_path / "day.vrp"
    nr.write_instance(day, nr.generate_uchoa(30, 9))
    best = ("--scorer", output / "best.safetensors", "--affinity", "1")
    done = run("solve", day, *best, *SHORT)
    assert done.code == 0, done.err
    assert sum(map(len, json.loads(done.out)["routes"])) == 30
    plain = run(*train, "--epochs", 1, "--output", tmp_path / "plain")
    assert plain.code == 0, plain.err
    other = read_checkpoint(tmp_path / "plain")
    assert other is not None
    assert other[0]["network"]["region"] is None
