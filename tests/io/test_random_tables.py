"""Random tables: read as they are meant, or refused; no constraint is lost."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "id": "id,Name,customer,Customer ID",
    "x": "x,x_coord,XCOORD",
    "y": "y,Y-Coord,ycoord",
    "demand": "demand,Quantity,qty,amount",
    "open": "open,ready,Ready Time,tw_early,earliest,TW-Start,windowStart",
    "close": "close,due,DUE DATE,tw_late,latest,tw_end,time window end",
    "service": "service,service_time,Service Duration,stop-time",
    "release": "release,Release Time,release_date",
}
"""What a person may call each column; the names are those of the test."""

UNKNOWN = (
    "skills,required skill,open 2,tw2_end,second window,Deadline,begin,until,"
    "vehicle type,pickup,volume,weight_kg2,max wait,priority group,driver"
)
"""Columns that may be constraints, and that no table here can state."""

HARMLESS = "phone,note,colour,address,price,e-mail"


@dataclass
class Case:
    """A table as text, how it is read, and what must come of it."""

    style: str
    titles: dict[str, str]
    cells: dict[str, list[str]]
    more: dict[str, list[str]] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    refused: str = ""

    def shown(self, minutes: int) -> str:
        """Return a time as this table writes it."""
        if self.style in ("number", "minutes"):
            return str(minutes)
        end = ":00" if self.style == "seconds" else ""
        return f"{minutes // 60}:{minutes % 60:02d}{end}"


def made(rng: random.Random) -> Case:
    """Return a table whose columns have names that are known."""
    size = rng.randint(3, 8)
    titles = {name: rng.choice(s.split(",")) for name, s in NAMES.items()}
    case = Case(
        rng.choice(["number", "minutes", "clock", "seconds"]), titles, {}
    )
    mark = rng.choice(",.")

    def places() -> list[str]:
        texts = (f"{rng.uniform(-9, 9):.2f}" for _ in range(size))
        return [text.replace(".", mark) for text in texts]

    def some(values: list[int]) -> list[str]:
        return ["" if rng.random() < 0.2 else case.shown(v) for v in values]

    opens = [rng.randint(0, 700) for _ in range(size)]
    case.cells = {
        "id": [f"c{row}" for row in range(size)],
        "x": places(),
        "y": places(),
        "demand": ["0", *(str(rng.randint(1, 9)) for _ in range(size - 1))],
        "open": some(opens),
        "close": some([at + rng.randint(0, 700) for at in opens]),
        "service": some([rng.randint(0, 30) for _ in range(size)]),
        "release": ["", *some([rng.randint(0, 90) for _ in range(size - 1)])],
    }
    return case


TIMED = ("open", "close", "service", "release")

CHANGES = (
    *("none", "missing", "doubled", "swapped", "exchanged", "unknown"),
    *("ignored", "renamed", "named", "harmless", "leftover"),
)


def changed(rng: random.Random, case: Case) -> None:
    """Change what a table says, and note what must come of it."""
    kind = rng.choice(CHANGES)
    name = rng.choice(TIMED)
    titles, cells = case.titles, case.cells
    if kind == "missing":
        for each in rng.sample(TIMED, rng.randint(1, 4)):
            del titles[each], cells[each]
    elif kind == "doubled":
        name = rng.choice([*TIMED, "demand", "x"])
        others = NAMES[name].split(",")
        others = [t for t in others if plain(t) != plain(titles[name])]
        case.more[rng.choice(others)] = cells[name]
        case.refused = "say the same thing"
    elif kind == "swapped":
        cells["open"], cells["close"] = cells["close"], cells["open"]
        for early, late in zip(cells["open"], cells["close"], strict=True):
            if minutes(early, 0) > minutes(late, NO_LIMIT):
                case.refused = "must not be before the window opens"
    elif kind == "exchanged":
        # The titles are the wrong way round, and the user says so.
        titles["open"], titles["close"] = titles["close"], titles["open"]
        case.columns = {each: titles[each] for each in ("open", "close")}
    elif kind in ("unknown", "ignored"):
        title = rng.choice(UNKNOWN.split(","))
        case.more[title] = ["", "yes", *[""] * (len(cells["id"]) - 2)]
        case.refused = f"column {title.lower()}: may be a"
        if kind == "ignored":
            case.ignored, case.refused = [title], ""
    elif kind in ("renamed", "named"):
        titles[name] = rng.choice(["from", "deadline", "end", "time 7"])
        cells["open"][1] = cells["close"][1] = ""
        cells[name][1] = case.shown(7)
        case.refused = f"column {titles[name]}: may be a"
        if kind == "named":
            case.columns, case.refused = {name: titles[name]}, ""
    elif kind == "harmless":
        case.more[rng.choice(HARMLESS.split(","))] = cells["x"]
    elif kind == "leftover":
        case.ignored = [titles.pop(name)]
        case.more[case.ignored[0]] = cells.pop(name)


def plain(title: str) -> str:
    """Return a name without what does not count in it."""
    return "".join(c for c in title.lower() if c.isalnum())


def minutes(cell: str, empty: int) -> int:
    """Return the minutes of a cell."""
    if not cell:
        return empty
    parts = [int(part) for part in cell.split(":")]
    return parts[0] if len(parts) == 1 else 60 * parts[0] + parts[1]


def written(file: Path, rng: random.Random, case: Case) -> None:
    """Write the columns in any order."""
    columns = {t: case.cells[name] for name, t in case.titles.items()}
    columns |= case.more
    order = list(columns)
    rng.shuffle(order)
    lines = [";".join(order)]
    for row in range(len(case.cells["id"])):
        lines.append(";".join(columns[title][row] for title in order))
    file.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(300))
def test_no_constraint_of_a_table_is_lost(seed: int, tmp_path: Path) -> None:
    """Every time of every row is in the instance, or the table is refused."""
    rng = random.Random(seed)
    case = made(rng)
    changed(rng, case)
    written(tmp_path / "t.csv", rng, case)
    read = partial(
        nr.problem,
        tmp_path / "t.csv",
        capacity=9,
        columns=case.columns,
        ignore_columns=case.ignored,
        speed=None if case.style == "number" else "1m/s",
        time_unit="min" if case.style == "minutes" else None,
    )
    if case.refused:
        with pytest.raises(InstanceError, match=case.refused):
            read()
        return
    found = read()
    size = len(case.cells["id"])
    scale = 1 if case.style == "number" else 60
    for name, attribute, empty in (
        ("open", "tw_early", 0),
        ("close", "tw_late", NO_LIMIT),
        ("service", "service_durations", 0),
        ("release", "release_times", 0),
    ):
        cells = case.cells.get(name, [""] * size)
        wanted = [min(minutes(c, empty) * scale, NO_LIMIT) for c in cells]
        kept = [empty] * size
        if found.windows is not None:
            kept = getattr(found.windows, attribute).tolist()
        assert kept == wanted, name
    assert list(found.ids or ()) == case.cells["id"]
    assert found.demands.tolist() == [int(d) for d in case.cells["demand"]]
    places = [
        [float(cell.replace(",", ".")) for cell in case.cells[axis]]
        for axis in ("x", "y")
    ]
    assert found.require_coords("test").T.tolist() == places
    assert set(found.unused_columns) == {t.lower() for t in case.more}
