"""Random tables: read as they are meant, or refused; no constraint is lost."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.problems.values import NO_LIMIT
from tests.robustness.support import seeds

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
    "permitted,required papers,open 9,tw2_end,second window,Deadline,begin,"
    "until,truck type,picking,volume,weight_kg2,max wait,priority group,"
    "driver,price,colour,zone,Priorit\u00e4t,p\u00e9age"
)
"""Columns that may be costs or constraints."""

HARMLESS = "phone,note,Kundennummer,address,date de facture,e-mail"

WINDOWS = "window,Time Window,time_window,opening hours,Hours"
"""What one column for both ends may be called."""

DASHES = ("-", " - ", "\u2013", " to ")

STYLES = {
    "number": "",
    "minutes": "min",
    "clock": "clock",
    "seconds": "clock",
    "half": "am/pm",
    "dates": "dates",
}
"""How a table writes times, and the form that they come out in."""

DAY = dt.datetime(2026, 5, 4)


@dataclass
class Case:
    """A table as text, how it is read, and what must come of it."""

    style: str
    suffix: str
    titles: dict[str, str]
    cells: dict[str, list[str]]
    times: dict[str, list[int | None]]
    more: dict[str, list[Any]] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    refused: str = ""

    def shown(self, name: str, minutes: int | None) -> Any:
        """Return a time as this table writes it."""
        if minutes is None:
            return ""
        if self.style in ("number", "minutes"):
            return str(minutes) if self.suffix == "csv" else minutes
        at = DAY + dt.timedelta(minutes=minutes)
        if self.style == "dates" and name != "service":
            text = at.isoformat(timespec="minutes")
            return at if self.suffix == "xlsx" else text
        if self.suffix == "xlsx":
            return at.time()
        if self.style == "half" and name != "service":
            return f"{(at.hour - 1) % 12 + 1}:{at:%M %p}"
        end = ":00" if self.style == "seconds" else ""
        return f"{minutes // 60}:{minutes % 60:02d}{end}"

    def column(self, name: str) -> list[Any]:
        """Return the cells of a column."""
        if name in self.times:
            return [self.shown(name, at) for at in self.times[name]]
        if self.suffix == "csv" or name == "id":
            return self.cells[name]
        return [float(cell.replace(",", ".")) for cell in self.cells[name]]


def made(rng: random.Random) -> Case:
    """Return a table whose columns have names that are known."""
    size = rng.randint(3, 8)
    titles = {name: rng.choice(s.split(",")) for name, s in NAMES.items()}
    mark = rng.choice(",.")

    def places() -> list[str]:
        texts = (f"{rng.uniform(-9, 9):.2f}" for _ in range(size))
        return [text.replace(".", mark) for text in texts]

    def some(values: list[int]) -> list[int | None]:
        return [None if rng.random() < 0.2 else value for value in values]

    opens = [rng.randint(0, 700) for _ in range(size)]
    cells = {
        "id": [f"c{row}" for row in range(size)],
        "x": places(),
        "y": places(),
        "demand": ["0", *(str(rng.randint(1, 9)) for _ in range(size - 1))],
    }
    times: dict[str, list[int | None]] = {
        "open": some(opens),
        "close": some([at + rng.randint(0, 700) for at in opens]),
        "service": some([rng.randint(0, 30) for _ in range(size)]),
        "release": [
            None,
            *some([rng.randint(0, 90) for _ in range(size - 1)]),
        ],
    }
    style, suffix = rng.choice(list(STYLES)), rng.choice(SUFFIXES)
    return Case(style, suffix, titles, cells, times)


TIMED = ("open", "close", "service", "release")

CHANGES = (
    *("none", "missing", "doubled", "swapped", "exchanged", "unknown"),
    *("ignored", "renamed", "named", "harmless", "leftover"),
    *("window", "window", "windows", "window beside"),
)

SUFFIXES = ["csv", "json", *["xlsx"] * (find_spec("openpyxl") is not None)]


def changed(rng: random.Random, case: Case) -> None:  # noqa: C901
    """Change what a table says, and note what must come of it."""
    kind = rng.choice(CHANGES)
    name = rng.choice(TIMED)
    titles, times = case.titles, case.times
    if kind == "missing":
        for each in rng.sample(TIMED, rng.randint(1, 4)):
            del titles[each], times[each]
    elif kind == "doubled":
        name = rng.choice([*TIMED, "demand", "x"])
        others = NAMES[name].split(",")
        others = [t for t in others if plain(t) != plain(titles[name])]
        case.more[rng.choice(others)] = case.column(name)
        case.refused = "name the same field"
    elif kind == "swapped":
        times["open"], times["close"] = times["close"], times["open"]
        for early, late in zip(times["open"], times["close"], strict=True):
            if early is not None and late is not None and early > late:
                case.refused = "must not be before the window opens"
    elif kind == "exchanged":
        # The titles are the wrong way round, and the user says so.
        titles["open"], titles["close"] = titles["close"], titles["open"]
        case.columns = {each: titles[each] for each in ("open", "close")}
    elif kind in ("unknown", "ignored"):
        title = rng.choice(UNKNOWN.split(","))
        case.more[title] = ["", "yes", *[""] * (len(times["open"]) - 2)]
        case.refused = f"\n  {re.escape(title.lower())} "
        if kind == "ignored":
            case.ignored, case.refused = [title], ""
    elif kind in ("renamed", "named"):
        titles[name] = rng.choice(["from", "deadline", "end", "time 7"])
        times["open"][1] = times["close"][1] = None
        times[name][1] = 7
        # Times of a clock below the word of an end are read as they are.
        ends = {"from": "open", "deadline": "close", "end": "close"}
        is_plain = case.style in ("number", "minutes")
        if is_plain or ends.get(titles[name]) != name:
            case.refused = f"\n  {titles[name]} "
        if kind == "named":
            case.columns, case.refused = {name: titles[name]}, ""
    elif kind == "harmless":
        case.more[rng.choice(HARMLESS.split(","))] = case.cells["x"]
    elif kind == "leftover":
        case.ignored = [titles[name]]
        case.more[titles.pop(name)] = case.column(name)
        del times[name]
    elif kind.startswith("window"):
        in_one_cell(rng, case, kind)


def in_one_cell(rng: random.Random, case: Case, kind: str) -> None:
    """Write both ends of windows into one cell; perhaps too much of them."""
    case.suffix = case.suffix.replace("xlsx", "csv")
    columns, ends = [case.column(name) for name in ("open", "close")], []
    for row, pair in enumerate(zip(*columns, strict=True)):
        if "" in pair:
            case.times["open"][row] = case.times["close"][row] = None
        ends.append(
            "" if "" in pair else rng.choice(DASHES).join(map(str, pair))
        )
    if kind == "windows":
        ends[1] = f"{case.shown('open', 7)}-{case.shown('close', 9)}"
        ends[1] = rng.choice([", ", " / ", " and "]).join([ends[1]] * 5)
        case.refused = "must have at most 4 windows"
    title = rng.choice(WINDOWS.split(","))
    case.more[title] = ends
    del case.titles["open"]
    close = case.titles.pop("close")
    if kind == "window beside":
        case.more[close] = columns[1]
        case.refused = f"columns .*{title.lower()}.* mean the same"


def plain(title: str) -> str:
    """Return a name without what does not count in it."""
    return "".join(c for c in title.lower() if c.isalnum())


def written(file: Path, rng: random.Random, case: Case) -> None:
    """Write the columns in any order."""
    columns = {t: case.column(name) for name, t in case.titles.items()}
    columns |= case.more
    order = list(columns)
    rng.shuffle(order)
    rows = [*zip(*(columns[title] for title in order), strict=True)]
    if case.suffix == "json":
        content = [dict(zip(order, row, strict=True)) for row in rows]
        file.write_text(json.dumps({"customers": content}))
    elif case.suffix == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for row in (order, *rows):
            book.active.append(row)
        book.save(file)
    else:
        lines = [";".join(map(str, row)) for row in (order, *rows)]
        file.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", seeds(300, step=3))
def test_no_constraint_of_a_table_is_lost(seed: int, tmp_path: Path) -> None:
    """Every time of every row is in the instance, or the table is refused."""
    rng = random.Random(seed)
    case = made(rng)
    changed(rng, case)
    file = tmp_path / f"t.{case.suffix}"
    written(file, rng, case)
    read = partial(
        nr.read,
        file,
        capacity=9,
        columns=case.columns,
        ignore_columns=case.ignored,
        speed=None if case.style == "number" else "1m/s",
        time_unit="min" if case.style == "minutes" else None,
    )
    if case.refused:
        with pytest.raises(nr.InstanceError, match=case.refused):
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
        times = case.times.get(name, [None] * size)
        wanted = [empty if at is None else at * scale for at in times]
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
    lost = {title.lower() for title in case.more} - set(
        WINDOWS.lower().split(",")
    )
    assert set(found.source.unused_columns) == lost
    assert found.source.time_form.kind == form_of(case)


def form_of(case: Case) -> str:
    """Return the form of the first moment; without any, times are seconds."""
    style = (
        "clock"
        if case.suffix == "xlsx" and case.style == "half"
        else case.style
    )
    has_some = any(
        at is not None
        for name in ("open", "close", "release")
        for at in case.times.get(name, [])
    )
    is_number = style in ("number", "minutes")
    return STYLES[style] if has_some or is_number else "s"
