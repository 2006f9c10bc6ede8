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


def test_unknown_customer_is_an_error(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """A customer that does not exist cannot be drawn."""
    solution = tmp_path / "broken.sol"
    solution.write_text("Route #1: 1 4 7\nCost 1\n")
    figure = tmp_path / "square.png"
    run.fails(
        1,
        "there is no customer 7",
        f"plot {square_file} {solution} -o {figure}",
    )
    assert not figure.exists()


@pytest.mark.parametrize("size", ["7", "7x", "0x5", "7x5x3", "infx5", "-1x-1"])
def test_other_sizes_are_refused(
    run: Run, square_file: Path, tmp_path: Path, size: str
) -> None:
    """Two positive numbers with an x between them."""
    solution, figure = square_file.with_suffix(".sol"), tmp_path / "a.png"
    run.fails(
        2,
        "such as 7x5",
        f"plot {square_file} {solution} -o {figure}",
        f"--size={size}",
    )
    assert not figure.exists()


def test_two_dollars_are_no_formula(run: Run, tmp_path: Path) -> None:
    """A name stays as it is in the title."""
    table = tmp_path / "tour_$5_$.csv"
    table.write_text("x,y,demand\n0,0,0\n3,4,1\n5,1,1\n")
    words = "solve", table, "--capacity 5 --method sweep --polish none"
    figure = tmp_path / "a.svg"
    run.succeeds(*words, "-o", figure)
    assert figure.exists()


@pytest.mark.parametrize("suffix", ["png", "html", "geojson"])
def test_a_picture_without_places_is_refused_at_once(
    run: Run, tmp_path: Path, suffix: str
) -> None:
    """Before a search of an hour."""
    table, matrix = tmp_path / "a.csv", tmp_path / "m.csv"
    table.write_text("id,demand\nhome,0\na,1\nb,1\n")
    matrix.write_text("0,1,2\n1,0,3\n2,1,0\n")
    words = "solve", table, "--capacity 5 --matrix", matrix
    picture = tmp_path / f"x.{suffix}"
    for option in ("--plot", "-o"):
        long = "--time-limit 3600", option, picture
        run.fails(1, "coords: node coordinates are needed", *words, *long)
    other = tmp_path / "b.csv"
    other.write_bytes(table.read_bytes())
    days = "solve-days", table, other, *words[2:], "-o", tmp_path / "out"
    run.fails(1, "needed", *days, "--time-limit 3600 --format", suffix)
    short = "--compactness 1 --time-limit 0.2"
    assert run.json(*words, short)["feasible"] is True
    run.succeeds(*words, short)
