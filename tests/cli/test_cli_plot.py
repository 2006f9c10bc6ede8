"""``ncc-route plot``."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.mark.parametrize("hulls", ["--hulls", "--no-hulls"])
def test_figure_is_written(
    run: Run, square_file: Path, tmp_path: Path, hulls: bool
) -> None:
    """The routes of a solution file become a figure."""
    figure = tmp_path / "square.svg"
    solution = square_file.with_suffix(".sol")
    done = run("plot", square_file, solution, "-o", figure, hulls)
    assert done.code == 0
    assert "square: cost 484, 2 routes" in figure.read_text()


def test_unknown_customer_is_an_error(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """A customer that does not exist cannot be drawn."""
    solution = tmp_path / "broken.sol"
    solution.write_text("Route #1: 1 4 7\nCost 1\n")
    figure = tmp_path / "square.png"
    done = run("plot", square_file, solution, "-o", figure)
    assert done.code == 1
    assert "there is no customer 7" in done.err
    assert not figure.exists()


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("a.html", '"name":"square"'),
        ("a.HTML", '"name":"square"'),
        ("a.geojson", '"num_customers": 2'),
    ],
)
def test_suffix_chooses_pages_and_map_data(
    run: Run, square_file: Path, tmp_path: Path, name: str, part: str
) -> None:
    """An interactive page, or GeoJSON."""
    solution = square_file.with_suffix(".sol")
    done = run("plot", square_file, solution, "-o", tmp_path / name)
    assert done.code == 0
    assert part in (tmp_path / name).read_text(encoding="utf-8")


def test_hulls_are_shown_on_the_page(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """``--hulls`` holds for pages as well."""
    solution, page = square_file.with_suffix(".sol"), tmp_path / "a.html"
    run("plot", square_file, solution, "-o", page, "--hulls")
    assert '"hulls":true' in page.read_text(encoding="utf-8")
    run("plot", square_file, solution, "-o", page)
    assert '"hulls":false' in page.read_text(encoding="utf-8")


def test_size_and_resolution_are_options(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """4 x 3 inches of 50 pixels; the header of a PNG holds both sides."""
    solution, figure = square_file.with_suffix(".sol"), tmp_path / "a.png"
    options = ("--size", "4x3", "--dpi", 50)
    assert run("plot", square_file, solution, "-o", figure, *options).code == 0
    header = figure.read_bytes()[16:24]
    assert struct.unpack(">II", header) == (200, 150)


@pytest.mark.parametrize("size", ["7", "7x", "0x5", "7x5x3", "infx5", "-1x-1"])
def test_other_sizes_are_refused(
    run: Run, square_file: Path, tmp_path: Path, size: str
) -> None:
    """Two positive numbers with an x between them."""
    solution, figure = square_file.with_suffix(".sol"), tmp_path / "a.png"
    done = run("plot", square_file, solution, "-o", figure, f"--size={size}")
    assert done.code == 2
    assert "such as 7x5" in done.err
    assert not figure.exists()


def test_other_formats_are_refused(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """The message lists what is promised."""
    solution = square_file.with_suffix(".sol")
    done = run("plot", square_file, solution, "-o", tmp_path / "a.gif")
    assert done.code == 2
    assert ".png or .svg or .html or .geojson" in done.err
