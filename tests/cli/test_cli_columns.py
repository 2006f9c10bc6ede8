"""``ncc-route columns``: how columns are understood, and the file of it."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

ORDERS = """Order No;Customer;x;y;Weight (kg);Volume;When;Wunsch;Visit day;"q"
;;0;0;;;;;;
1;Ann;1;0;5;1;8-12;08:00-12:00;Mo;a
2;Bob;2;0;4;2;9-12;09:00-12:00;Tu;b
"""
VANS = """vehicle,capacity,max_load,per hour,fuel
v1,20,20,3,1
v2,20,30,4,2
"""
FIELDS = {
    "id": "order no",
    "x": "x",
    "y": "y",
    "demand": "weight (kg)",
    "demand_2": "volume",
    "window": "wunsch",
    "vehicle": "vehicle",
    "capacity": "capacity",
    "cost_per_time": "per hour",
}
ASKED = ["when", "visit day", "q", "max_load", "fuel"]


def test_the_file_has_every_kind_of_column(run: Run, tmp_path: Path) -> None:
    """By name, by cells, proposed, asked about, harmless, and two of one.

    Columns that nothing is proposed for stay comments; the file can be read,
    what it says is stated then, and solve asks about the rest.
    """
    orders, vans = tmp_path / "orders.csv", tmp_path / "vans.csv"
    kept, again = tmp_path / "columns.toml", tmp_path / "again.toml"
    orders.write_text(ORDERS)
    vans.write_text(VANS)
    job = ("columns", orders, "--vehicles", vans)
    told = run.succeeds(*job, "-o", kept).out
    for row in ("volume       demand_2              asked, 1", "cells, 08:00"):
        assert row in told
    content = kept.read_text()
    assert tomllib.loads(content) == {
        "columns": FIELDS,
        "ignore": ["customer"],
    }
    comments = [line for line in content.splitlines() if line[0:1] == "#"]
    assert len(comments) == len(ASKED)
    for line, title in zip(comments, ASKED, strict=True):
        assert line.startswith(f'# "{title}" may be a cost')
    told = run.succeeds(*job, "--columns", kept, "-o", again).out
    assert "demand_2              stated, 1" in told
    assert "customer     not read              ignored, Ann" in told
    read = tomllib.loads(again.read_text())
    assert read["columns"] == {**FIELDS, "capacity_2": "max_load"}
    asked = run.fails(1, "may be costs", "solve", *job[1:], "--columns", kept)
    assert "when (8-12" in asked.err
    assert "volume" not in asked.err
