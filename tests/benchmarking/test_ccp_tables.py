"""The tables of the clustering problem, in small."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.benchmarking import ccp, ccp_pages
from ncc_routing.problems.points import PointSet

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


def test_page_sums_up_the_rows(tmp_path: Path) -> None:
    """Means over the feasible runs, and the share of the others."""
    file = tmp_path / "gmm.csv"
    heads = "table,instance,method,seed,time_limit,feasible,inertia"
    heads += ",spectral_inertia,gap_percent,seconds,cpu_seconds"
    file.write_text(
        f"{heads}\n"
        "gmm,a,ckm,1,,True,1.0,0.5,,0.25,0.25\n"
        "gmm,a,gb21,1,2.0,True,3.0,2.0,,1.0,1.0\n"
        "gmm,b,gb21,1,2.0,False,,,,2.0,2.0\n"
    )
    ccp_pages.write_page(file)
    lines = (tmp_path / "gmm.md").read_text().splitlines()
    assert (
        "| ckm | 1 | 0.0 | 1.0000 | 0.5000 | 0.2500 | 0.2500 | none | 1.0 |"
        in lines
    )
    assert (
        "| gb21 | 2 | 50.0 | 3.0000 | 2.0000 | 1.0000 | 1.0000 | 2 | 6.0 |"
        in lines
    )


def test_medians_side_by_side(tmp_path: Path) -> None:
    """A line per instance; gaps, but no sums over different scales."""
    file = tmp_path / "cpmp.csv"
    heads = "table,instance,num_points,num_clusters,method,seed,time_limit"
    heads += ",feasible,cost,inertia,bks,gap_percent,seconds,cpu_seconds"
    file.write_text(
        f"{heads}\n"
        "cpmp,a,50,5,ckm,1,5,True,700,9,700,-1e-9,5,5\n"
        "cpmp,a,50,5,gb21,1,5,True,707,9,700,1.0,5,5\n"
        "cpmp,b,60,6,ckm,1,6,True,808,9,800,1.0,6,6\n"
        "cpmp,b,60,6,gb21,1,6,False,,,,,6,6\n"
    )
    ccp_pages.write_page(file)
    lines = (tmp_path / "cpmp.md").read_text().splitlines()
    assert (
        "| ckm | 2 | 0.0 | 0.50 | 5.5000 | 5.5000 | 1.00 | 5 to 6 | 1.0 |"
        in lines
    )
    assert (
        "| a | 50 | 5 | 700.00 | 700.00 | 0.00 | 5.00 | 707.00 | 1.00 "
        "| 5.00 |" in lines
    )
    assert "| b | 60 | 6 | 800.00 | 808.00 | 1.00 | 6.00 |  |  | 6.00 |" in (
        lines
    )


def test_runs_may_be_shared_by_processes(tmp_path: Path) -> None:
    """Rows come in the order of the tasks, and the page beside them."""
    ccp.main(
        ["ablation", "--output", str(tmp_path), "--first", "1", "--jobs", "2"]
    )
    rows = rows_of(tmp_path / "ablation.csv")
    assert [row["method"] for row in rows] == list(ccp.METHODS["ablation"])
    assert {row["feasible"] for row in rows} == {"True"}
    assert (tmp_path / "ablation.md").exists()


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
