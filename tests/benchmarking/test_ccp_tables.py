"""The tables of the clustering problem, in small."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.benchmarking import ccp
from ncc_routing.points import PointSet

if TYPE_CHECKING:
    from pathlib import Path


def rows_of(file: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_gmm_rows_are_written_once(tmp_path: Path) -> None:
    """A second run adds only what is missing."""
    arguments = ["gmm", "--output", str(tmp_path), "--first", "2"]
    ccp.main([*arguments, "--methods", "topk-nn"])
    ccp.main([*arguments, "--methods", "topk-nn", "ckm-quick"])
    rows = rows_of(tmp_path / "gmm.csv")
    assert [row["method"] for row in rows] == ["topk-nn"] * 2 + [
        "ckm-quick"
    ] * 2
    assert {row["feasible"] for row in rows} == {"True"}
    for worse, better in zip(rows[:2], rows[2:], strict=True):
        assert float(better["inertia"]) < float(worse["inertia"])
        assert float(better["spectral_inertia"]) < float(better["inertia"])


def test_best_known_takes_the_lower_value(tmp_path: Path) -> None:
    """A value that is only reported counts as well."""
    file = tmp_path / "bks.csv"
    file.write_text(
        "instance,best_verified_feasible_here,better_value_reported\n"
        "a,10,\nb,,9\nc,8,7\n"
    )
    assert ccp.best_known(file) == {"a": 10.0, "b": 9.0, "c": 7.0}


def test_paper_units() -> None:
    """Global minimum and maximum, over both axes."""
    points = PointSet(np.array([[-1.0, 0.0], [1.0, 3.0]]), np.array([1, 1]), 2)
    scaled = ccp.in_paper_units(points)
    assert scaled.coords == pytest.approx(np.array([[0.0, 0.25], [0.5, 1.0]]))
