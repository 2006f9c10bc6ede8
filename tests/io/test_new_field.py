"""A new field of a vehicle type is one row of its class."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ncc_routing.problems import fleet

ROW = """
    colour: str = text(
        "",
        says="its colour",
        vrplib="VEHICLES_COLOUR text",
        vroom="colour",
    )
"""

SCRIPT = """
import json, pathlib, sys, types
fleet = types.ModuleType("ncc_routing.problems.fleet")
sys.modules[fleet.__name__] = fleet
exec(sys.argv[1], vars(fleet))
import ncc_routing as nr

def colours(problem):
    return [one.colour for one in problem.vehicle_types]

rows = [{"id": "yard", "x": 0, "y": 0}, {"id": "ann", "x": 3, "y": 4}]
vans = [{"capacity": 3, "Colour": "dark red"}, {"capacity": 3, "Colour": ""}]
table = nr.read(rows, vans, rounding="nearest")
nr.write_instance(sys.argv[2], table)
result = nr.solve(table, nr.stop.MaxIterations(2))
vroom = {
    "vehicles": [{"id": 1, "start": [8, 50], "colour": "blue"}],
    "jobs": [{"id": 1, "location": [8, 51]}],
}
file = pathlib.Path(sys.argv[2])
problems = [table, nr.read(file)]
file.write_text(file.read_text().replace("\\t", " "))
problems += [nr.read(file), nr.read(vroom)]
problems += [nr.Result.from_json(result.to_json()).instance]
print(json.dumps([*map(colours, problems)]))
"""


def test_a_row_is_all_that_it_needs(tmp_path: Path) -> None:
    """It is read from tables, VRPLIB, VROOM and results, and written."""
    source = Path(fleet.__file__).read_text("utf-8")
    head, name, tail = source.partition("\n    def __post_init__")
    done = subprocess.run(
        [
            *(sys.executable, "-c", SCRIPT, head + ROW + name + tail),
            str(tmp_path / "vans.vrp"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    two = '["dark red", ""]'
    assert done.stdout.strip() == f'[{two}, {two}, {two}, ["blue"], {two}]', (
        done.stderr
    )
