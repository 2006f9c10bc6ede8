"""Pictures of ``plot``, ``solve`` and ``cluster``."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Write two pairs of points."""
    file = tmp_path / "points.csv"
    file.write_text("x,y\n0,0\n1,0\n9,0\n10,0\n")
    return file


@pytest.mark.parametrize("verb", ["plot", "solve", "cluster"])
def test_the_suffix_chooses_the_kind_of_picture(
    run: Run, square_file: Path, table: Path, tmp_path: Path, verb: str
) -> None:
    """Figures of 4 x 3 inches of 50 pixels, pages, and map data."""
    solution = square_file.with_suffix(".sol")
    words = {
        "plot": ("plot", square_file, solution, "--output"),
        "solve": ("solve", square_file, "--polish", "none", "--plot"),
        "cluster": ("cluster", table, "--capacity", 2, "-k", 2, "--plot"),
    }[verb]
    figure, drawn = tmp_path / "a.png", tmp_path / "a.SVG"
    run.succeeds(*words, figure, "--size 4x3 --dpi 50")
    assert struct.unpack(">II", figure.read_bytes()[16:24]) == (200, 150)
    run.succeeds(*words, drawn)
    page, places = tmp_path / "a.html", tmp_path / "a.geojson"
    done = run(*words, page)
    assert str(page) in done.out
    if verb == "cluster":
        assert "<svg" in drawn.read_text()
        assert '"name":"points","cost":1' in page.read_text("utf-8")
    else:
        assert "square: cost 484, 2 routes" in drawn.read_text()
        assert '"cost":484,"objective"' in page.read_text("utf-8")
    done = run(*words, places)
    if verb == "cluster":
        assert done.code == 2
        assert "must be .png or .svg or .html." in done.err
    else:
        features = json.loads(places.read_text("utf-8"))["features"]
        costs = [f["properties"].get("cost", 0) for f in features]
        assert sum(costs) == 484
    run.fails(2, ".png or .svg or .html", *words, tmp_path / "a.gif")


def test_hulls_are_shown(run: Run, square_file: Path, tmp_path: Path) -> None:
    """On a page, and not by default."""
    solution, page = square_file.with_suffix(".sol"), tmp_path / "a.html"
    for option, shown in (("--hulls", "true"), ("--no-hulls", "false")):
        run("plot", square_file, solution, "-o", page, option)
        assert f'"hulls":{shown}' in page.read_text(encoding="utf-8")
