"""Pictures of ``solve`` and ``cluster``; ``plot`` has tests of its own."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SAVINGS = ("--method", "savings", "--polish", "none")


def test_solve_draws_into_pages_maps_and_figures(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """The suffix chooses; the picture is that of the routes found."""
    page, places = tmp_path / "a.html", tmp_path / "a.geojson"
    for file in (page, places):
        done = run("solve", square_file, *SAVINGS, "--plot", file)
        assert done.code == 0
        assert str(file) in done.out
    features = json.loads(places.read_text(encoding="utf-8"))["features"]
    total = sum(f["properties"].get("cost", 0) for f in features)
    assert f"{'cost':<10}{total:.0f}" in done.out
    assert f'"cost":{total:.0f},"objective"' in page.read_text("utf-8")
    figure = tmp_path / "a.png"
    options = ("--plot", figure, "--size", "4x3", "--dpi", 50)
    assert run("solve", square_file, *SAVINGS, *options).code == 0
    assert struct.unpack(">II", figure.read_bytes()[16:24]) == (200, 150)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Write two pairs of points."""
    file = tmp_path / "points.csv"
    file.write_text("x,y\n0,0\n1,0\n9,0\n10,0\n")
    return file


def test_clusters_are_drawn_into_pages_and_figures(
    run: Run, table: Path, tmp_path: Path
) -> None:
    """Two clusters of two points."""
    page, figure = tmp_path / "a.html", tmp_path / "a.png"
    words = ("cluster", table, "--capacity", 2, "-k", 2, "--plot")
    assert run(*words, page).code == 0
    assert '"name":"points","cost":1' in page.read_text(encoding="utf-8")
    assert run(*words, figure, "--size", "4x3", "--dpi", 50).code == 0
    assert struct.unpack(">II", figure.read_bytes()[16:24]) == (200, 150)


def test_clusters_have_no_map_data(
    run: Run, table: Path, tmp_path: Path
) -> None:
    """GeoJSON is for routes; the message lists the others."""
    file = tmp_path / "a.geojson"
    done = run("cluster", table, "--capacity", 2, "--plot", file)
    assert done.code == 2
    assert "must be .png or .svg or .html." in done.err
