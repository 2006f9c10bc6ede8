"""``ncc-route plot``."""

from __future__ import annotations

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


def test_other_formats_are_refused(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """Only PNG and SVG are promised."""
    solution = square_file.with_suffix(".sol")
    done = run("plot", square_file, solution, "-o", tmp_path / "a.gif")
    assert done.code == 2
    assert ".png or .svg" in done.err
