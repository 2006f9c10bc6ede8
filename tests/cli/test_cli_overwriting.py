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
