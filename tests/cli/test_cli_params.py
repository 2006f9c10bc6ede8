"""Parameters of the algorithms in a TOML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SOLVE = """
method = "savings"
polish = "ruin-recreate"
time_limit = 0.5
seed = 7

[ruin_recreate]
mean_removed = 12
"""


def test_a_file_sets_what_is_not_typed(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """The seed of the command line counts more than that of the file."""
    file = tmp_path / "run.toml"
    file.write_text(SOLVE)
    answer = run.json("solve", square_file, "--params", file, "--seed 3")
    assert answer["method"] == "savings"
    assert answer["polish"] == "ruin-recreate"
    assert answer["seed"] == 3
    assert answer["params"]["time_limit"] == 0.5
    assert answer["params"]["ruin_recreate"]["mean_removed"] == 12.0
    assert answer["params"]["ruin_recreate"]["max_string"] == 7


def test_a_file_of_parameters_for_clusters(run: Run, tmp_path: Path) -> None:
    """The same for the other verb."""
    points = tmp_path / "corners.csv"
    points.write_text("x,y\n0,0\n0,1\n1,0\n9,9\n9,8\n8,9\n")
    file = tmp_path / "run.toml"
    file.write_text("[search]\nnum_kicks = 3\n")
    arguments = ("cluster", points, "--capacity", 3, "--params", file)
    params = run.json(*arguments)["params"]
    assert params["search"] == {
        "num_starts": 2, "num_kicks": 3, "patience": 1000,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sede = 1", "there is no parameter 'sede' in"),
        ("[ckm]\nmax_cluster = 3", "'max_cluster' in"),
        ("[ckm]\nmax_clusters = 'x'", "max_clusters must be a whole number"),
        ("ckm = 3", "ckm must be a mapping"),
        ("seed = true", "seed must be a whole number, got True"),
        ("method = 'magic'", "method must be one of auto, ckm"),
        ("priority = 'mine'", "priority"),
        ("time_limit = 'long'", "time_limit must be"),
        ("seed =", "must be TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(
    run: Run, square_file: Path, tmp_path: Path, text: str, message: str
) -> None:
    """The file, the field and the rule are named; the exit code is 1."""
    file = tmp_path / "run.toml"
    file.write_text(text)
    done = run("solve", square_file, "--params", file)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert message in done.err
    assert "internal error" not in done.err


def test_a_key_of_many_parts_is_refused(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """So is a missing file; a key of 50,000 parts would take gigabytes."""
    file = tmp_path / "run.toml"
    run.fails(1, f"{file}: ", f"solve {square_file} --params {file}")
    file.write_text(f"# {100 * '.'}\n" + ".".join(1000 * "a") + " = 1\n")
    done = run("solve", square_file, "--params", file)
    assert (done.code, done.out) == (1, "")
    assert "run.toml: line 2: must have at most 50 dots, got 999" in done.err
