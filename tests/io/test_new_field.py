"""A new field of vehicles or customers is one row of its class."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

from ncc_routing.problems.breaks import Break
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows

ROWS = {
    Break: """
    room: str = text("", says="where it is", column="break_room")
""",
    VehicleType: """
    colour: str = text(
        "",
        says="its colour",
        vrplib="VEHICLES_COLOUR text",
        vroom="colour",
        pyvrp=False,
    )
    deck: int = whole(0, says="load on deck", unit="loads", pyvrp=False)
""",
    TimeWindows: """
    washing: np.ndarray | None = per_node(
        _times,
        None,
        says="time to wash",
        cells="service",
        vrplib="WASHING_TIME time",
    )
""",
    Selection: """
    glass: np.ndarray | None = per_node(
        _wholes,
        None,
        least=0,
        most=9,
        says="panes of glass",
        vrplib="GLASS amount",
    )
    ice: np.ndarray | None = per_node(
        _wholes, None, least=0, most=9, says="bags of ice"
    )
""",
}

SCRIPT = """
import json, pathlib, sys, types
for name, source in json.loads(sys.argv[1]).items():
    module = sys.modules[name] = types.ModuleType(name)
    exec(source, vars(module))
import ncc_routing as nr

def said(problem):
    parts = [(problem.selection, "glass"), (problem.windows, "washing")]
    each = [getattr(part, name, None) for part, name in parts]
    colours = [one.colour for one in problem.vehicle_types]
    return colours, [None if x is None else x.tolist() for x in each]

def refusal(call, *given):
    try:
        call(*given)
    except nr.NccRoutingError as error:
        return str(error)

rows = [
    {"id": "yard", "x": 0, "y": 0, "demand": 0},
    {"id": "ann", "x": 3, "y": 4, "demand": 0.5, "Glass": 7},
    {"id": "bob", "x": 3, "y": 5, "demand": 1, "washing": 4},
]
vans = [{"capacity": 3, "Colour": "dark red"}, {"capacity": 3, "Colour": ""}]
table = nr.read(rows, vans, rounding="nearest")
file = pathlib.Path(sys.argv[2])
nr.write_instance(file, table)
result = nr.solve(table, nr.stop.MaxIterations(2))
vroom = {
    "vehicles": [{"id": 1, "start": [8, 50], "colour": "blue"}],
    "jobs": [{"id": 1, "location": [8, 51]}],
}
problems = [table, nr.read(file)]
file.write_text(file.read_text().replace("\\t", " "))
problems += [nr.read(file), nr.read(vroom)]
problems += [nr.Result.from_json(result.to_json()).instance]
decks = [{"capacity": 3, "deck": 2}]
rest = {"capacity": 3, "break_duration": 5, "break_room": "hall"}
own = nr.Fleet((nr.VehicleType(capacity=3, deck=2),))
loaded = [nr.read(rows, each, rounding="nearest") for each in (decks, own)]
iced = nr.read([row | {"ice": 1} for row in rows], vans, rounding="nearest")
answers = {
    "said": [*map(said, problems)],
    "rooms": [one.room for one in nr.read(rows, [rest]).fleet.types[0].breaks],
    "decks": [each.vehicle_types[0].deck for each in loaded],
    "refused": [
        refusal(nr.write_instance, file, loaded[0]),
        refusal(nr.write_instance, file, iced),
        refusal(nr.read, [row | {"Glass": 10} for row in rows], vans),
    ],
}
print(json.dumps(answers))
"""


def test_a_row_is_all_that_it_needs(tmp_path: Path) -> None:
    """It is read from tables, VRPLIB, VROOM and results, and written.

    Loads with decimals are counted as others are. What VRPLIB has no section
    for is refused by name, and so is a cell beyond the bounds.
    """
    sources = {}
    for kind, rows in ROWS.items():
        source = Path(inspect.getfile(kind)).read_text("utf-8")
        before, word, rest = source.partition(f"class {kind.__name__}(")
        head, name, tail = rest.partition("\n    def __post_init__")
        sources[kind.__module__] = before + word + head + rows + name + tail
    done = subprocess.run(
        [
            *(sys.executable, "-c", SCRIPT, json.dumps(sources)),
            str(tmp_path / "vans.vrp"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    answers = json.loads(done.stdout)
    both = [["dark red", ""], [[0, 7, 0], [0, 0, 4]]]
    blue = [["blue"], [None, None]]
    assert answers["said"] == [both, both, both, blue, both]
    assert answers["rooms"] == ["hall"]
    assert answers["decks"] == [20, 20]
    deck, ice, glass = answers["refused"]
    assert deck.endswith("VRPLIB has no section for deck.")
    assert ice.endswith("VRPLIB has no section for ice.")
    assert "row 1 (id yard), column glass: must lie in 0..9" in glass
