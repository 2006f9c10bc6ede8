"""``ncc-route cluster``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from ncc_route.app import app

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "x,y,weight\n0,0,1\n0,1,1\n1,0,1\n9,9,1\n9,8,1\n8,9,1\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two corners of three points each."""
    file = tmp_path / "corners.csv"
    file.write_text(TABLE)
    return file


def run(*arguments: object) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr."""
    done = CliRunner().invoke(app, ["cluster", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_json_is_one_object(table: Path) -> None:
    """The labels and the cost computed by hand."""
    code, out, _ = run(table, "--capacity", 3, "--objective", "cpmp", "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["cost"] == 4.0
    assert answer["num_clusters"] == 2
    labels = answer["labels"]
    assert labels[0] == labels[1] == labels[2] != labels[3]


def test_files_are_written(table: Path, tmp_path: Path) -> None:
    """A table with the labels, and a figure."""
    output, plot = tmp_path / "labels.csv", tmp_path / "figure.svg"
    code, out, _ = run(
        table, "--capacity", 4, "-k", 2, "-o", output, "--plot", plot
    )
    assert code == 0
    assert "inertia" in out
    assert len(output.read_text().splitlines()) == 7
    assert "<svg" in plot.read_text()


def test_wrong_usage(table: Path) -> None:
    """Unknown names end with exit code 2."""
    assert run(table, "--method", "magic")[0] == 2
    assert run(table, "-k", "many")[0] == 2


@pytest.mark.parametrize("count", ["²", "٣", "1_0", "-1", "9" * 5000])
def test_number_of_clusters_is_in_plain_digits(
    table: Path, count: str
) -> None:
    """Digits of other scripts are no number, as in files."""
    code, _, err = run(table, "--capacity", 2, f"--clusters={count}")
    assert code == 2
    assert "is not a whole number" in " ".join(err.split())


@pytest.mark.parametrize("method", ["ncc", "ncc-sampling"])
def test_scorer_methods(table: Path, method: str) -> None:
    """The two corners are found; the method is named."""
    code, out, _ = run(table, "--capacity", 3, "--method", method, "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["method"] == method
    assert answer["inertia"] == pytest.approx(8 / 3)
