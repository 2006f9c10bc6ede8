"""Files that a run reads are not written over."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

TABLE = "id,x,y,demand\nhome,0,0,0\nann,10,0,2\nbob,0,10,3\n"
LIMITS = ("--time-limit", "0.2", "--capacity", "5")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Write a table of customers, which can be one of points."""
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    return file


@pytest.mark.parametrize("verb", ["solve", "trade-off", "cluster"])
def test_an_input_is_no_output(run: Run, table: Path, verb: str) -> None:
    """The table stays as it is, by whatever name it is given."""
    link = table.with_name("link.csv")
    os.link(table, link)
    for output in (table, link):
        message = f"{output}: --output is a file that the run reads"
        run.fails(1, message, verb, table, "-o", output, *LIMITS)
    assert table.read_text() == TABLE


def test_files_of_options_are_no_output(run: Run, table: Path) -> None:
    """A table of vehicles and a reference stay too."""
    vehicles = table.with_name("vehicles.csv")
    vehicles.write_text("name,capacity\nvan,5\n")
    fleet = ("--vehicles", vehicles, "-o", vehicles)
    run.fails(1, "is a file that the run reads", "solve", table, *fleet)
    days = ("--reference", vehicles, "--consistency", "1", "-o", vehicles)
    run.fails(1, "is a file that the run reads", "solve", table, *days)


def test_a_plan_takes_the_place_of_its_start(run: Run, table: Path) -> None:
    """The same file may hold the routes before and after."""
    plan = table.with_name("plan.sol")
    run.succeeds("solve", table, "-o", plan, *LIMITS)
    run.succeeds("solve", table, "--start", plan, "-o", plan, *LIMITS)
    assert plan.read_text().startswith("Route #1: ")


def test_files_in_a_folder_are_no_output(run: Run, table: Path) -> None:
    """The routes of another day stay, when those of several are written."""
    other = table.with_name("other.csv")
    other.write_text(TABLE)
    before = table.with_suffix(".sol")
    before.write_text("Route #1: 1 2\n")
    words = "solve", table, other, "--sol-dir", table.parent, *LIMITS
    more = "--reference", before, "--consistency", "1"
    message = f"{before}: --sol-dir is a file that the run reads"
    run.fails(1, message, *words, *more)
    assert before.read_text() == "Route #1: 1 2\n"


def test_files_of_a_parameter_file_are_no_output(
    run: Run, table: Path
) -> None:
    """A reference that it names stays."""
    before = table.with_name("before.csv")
    before.write_text("id,district\nann,1\nbob,2\n")
    params = table.with_name("run.toml")
    params.write_text(f'reference = "{before}"\nconsistency = 1.0\n')
    message = f"{before}: --output is a file that the run reads"
    words = "solve", table, "--params", params, "-o", before
    run.fails(1, message, *words, *LIMITS)
    assert before.read_text().startswith("id,district")


@pytest.mark.parametrize("more", [(), ("--plot", "a.html")])
def test_options_of_a_figure_need_one(
    run: Run, table: Path, more: tuple[str, ...]
) -> None:
    """Otherwise nothing would read them."""
    for option in (("--size", "3x3"), ("--dpi", "30")):
        message = f"{option[0]} is for a figure, and the run writes none"
        run.fails(1, message, "solve", table, *option, *more, *LIMITS)


def test_two_outputs_are_two_files(run: Run, tmp_path: Path) -> None:
    """The second would replace the first; a table of CSV says so."""
    points = tmp_path / "points.csv"
    points.write_text("x,y\n0,0\n1,1\n")
    words = "cluster", points, "--capacity 1 -o"
    run.fails(2, "the suffix must be .csv", *words, tmp_path / "c.svg")
    both = tmp_path / "c.svg", "--plot", tmp_path / "c.svg"
    plan = "solve", points, "--capacity 1 -o"
    run.fails(1, "must be different files", *plan, *both)
