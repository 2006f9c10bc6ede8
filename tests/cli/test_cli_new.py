"""A workbook to fill in, which ``solve`` reads without a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

openpyxl = pytest.importorskip("openpyxl")

TITLES = {
    "en": ("Orders", "Vehicles"),
    "de": ("Aufträge", "Fahrzeuge"),
    "fr": ("Commandes", "Véhicules"),
    "es": ("Pedidos", "Vehículos"),
    "it": ("Ordini", "Veicoli"),
}


@pytest.mark.parametrize("language", TITLES)
def test_the_example_is_solved(
    run: Run,
    tmp_path: Path,
    language: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """All five orders, with two vans; the second sheet is told, no more."""
    file, plan = tmp_path / "orders.xlsx", tmp_path / "plan.xlsx"
    told = run.succeeds("new", file, "--language", language).out
    assert f"ncc-route solve {file} -o plan.xlsx" in told
    book = openpyxl.load_workbook(file)
    assert tuple(book.sheetnames) == TITLES[language]
    assert book.worksheets[0].max_row == 1 + 6
    assert book.worksheets[0]["A1"].comment.text
    done = run("solve", file, "--time-limit 0.2 --output", plan)
    sheet = f"{file}: sheet {TITLES[language][1]}"
    assert caplog.messages == [f"{sheet}: read as the vehicles."]
    assert done.err == ""
    assert (done.code, "orders    5 served\n" in done.out) == (0, True)
    rows = openpyxl.load_workbook(plan)["Anna"].iter_rows(values_only=True)
    who, _, names, *_ = rows
    assert who[0] == "Anna, K-AN 12"
    first = names.index("id") + 1
    heads = [cell.value for cell in book.worksheets[0][1][1:5]]
    assert [*names[first : first + 4]] == heads
    assert TITLES[language][1] in run.succeeds("columns", file).out


def test_what_new_refuses(run: Run, tmp_path: Path) -> None:
    """It overwrites nothing, and writes workbooks alone."""
    file = tmp_path / "orders.xlsx"
    run.succeeds("new", file)
    run.fails(1, "exists: name another", "new", file)
    run.fails(1, "is a workbook, .xlsx", "new", tmp_path / "a.csv")
    run.fails(2, "'xx' is not one of", "new a.xlsx --language xx")
