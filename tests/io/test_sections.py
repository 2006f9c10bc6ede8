"""Every section of VRPLIB, by its row in the table of sections."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.io.sections import SECTIONS, SHIPMENTS, TYPES
from tests.oracles.refusals import refused, written

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ncc_routing.io.sections import Section

HEAD = """TYPE : VRP
DIMENSION : 3
VEHICLES : 2
CAPACITY : 9
EDGE_WEIGHT_TYPE : EUC_2D
"""
"""A depot and two customers, two vehicles."""


ALLOWED = "VEHICLES_ALLOWED_CLIENTS"


def of_vehicles(name: str) -> Callable[[Any], list[Any]]:
    """Return what reads a field of each vehicle."""
    return lambda found: [
        getattr(found.vehicle_types[idx], name)
        for idx in found.fleet.all_vehicles(2)
    ]


def visits(found: nr.Instance) -> list[list[bool]]:
    """Return whom each type may visit."""
    return [
        [
            isfinite(nr.Solution.from_routes(found, [[c]], [k]).cost)
            for c in (1, 2)
        ]
        for k in range(len(found.vehicle_types))
    ]


def of_times(*names: str) -> Callable[[Any], list[Any]]:
    """Return what reads fields of the windows."""
    return lambda found: [getattr(found.windows, n).tolist() for n in names]


OTHERS = {"NODE_COORD": ["0 0", "3 4", "6 8"], "DEMAND": ["0", "4", "5"]}
ROWS: dict[str, tuple[list[str], Callable[[Any], Any], Any]] = {
    "NODE_COORD": (
        OTHERS["NODE_COORD"],
        lambda found: found.coords.tolist(),
        [[0, 0], [3, 4], [6, 8]],
    ),
    "DEMAND": (
        OTHERS["DEMAND"],
        lambda found: found.demands.tolist(),
        [0, 4, 5],
    ),
    "BACKHAUL": (
        ["0", "1", "0"],
        lambda found: found.loads.pickup.tolist(),
        [[0], [1], [0]],
    ),
    "TIME_WINDOW": (
        ["0 90", "5 40", "0 90"],
        of_times("tw_early", "tw_late"),
        [[0, 5, 0], [90, 40, 90]],
    ),
    "SERVICE_TIME": (
        ["0", "7", "0"],
        of_times("service_durations"),
        [[0, 7, 0]],
    ),
    "RELEASE_TIME": (["0", "3", "0"], of_times("release_times"), [[0, 3, 0]]),
    SHIPMENTS: (
        ["0 0 90 0 0 0", "4 0 90 1 0 3", "-4 0 90 1 2 0"],
        lambda found: found.shipments,
        (nr.Shipment(1, 2, (4,)),),
    ),
    "PRIZE": (
        ["0", "8", "0"],
        lambda found: [*found.selection.prizes, *found.required],
        [0, 8, 0, False, False, True],
    ),
    "PRIORITY": (
        ["0", "80", "0"],
        lambda found: [*found.selection.priorities, found.required.sum()],
        [0, 80, 0, 2],
    ),
    "MUTUALLY_EXCLUSIVE_GROUP": (
        ["2 3"],
        lambda found: [own.customers for own in found.selection.groups],
        [(1, 2)],
    ),
    "CAPACITY": (["9", "12"], of_vehicles("capacity"), [9, 12]),
    "VEHICLES_DEPOT": (["1", "1"], of_vehicles("start_depot"), [0, 0]),
    "VEHICLES_MAX_DURATION": (
        ["40", "50"],
        of_vehicles("shift_duration"),
        [40, 50],
    ),
    "VEHICLES_MAX_DISTANCE": (
        ["40", "50"],
        of_vehicles("max_distance"),
        [40, 50],
    ),
    "VEHICLES_FIXED_COST": (["-3", "5"], of_vehicles("fixed_cost"), [-3, 5]),
    "VEHICLES_UNIT_DISTANCE_COST": (
        ["2", "1.5"],
        of_vehicles("unit_distance_cost"),
        [2, 1.5],
    ),
    "VEHICLES_MAX_RELOADS": (["1", "2"], of_vehicles("max_reloads"), [1, 2]),
    "VEHICLES_RELOAD_DEPOT": (
        ["1", "1"],
        of_vehicles("reload_depots"),
        [(0,), (0,)],
    ),
    ALLOWED: (
        ["2 3", "3"],
        visits,
        [[True, True], [False, True]],
    ),
}
"""What a section may hold, and what an instance has of it."""

SAID_BY_DEFAULT = ("VEHICLES_DEPOT",)
"""Sections that are not written where there is one depot."""

SCALED = (
    *("TIME_WINDOW", "SERVICE_TIME", "RELEASE_TIME"),
    *("VEHICLES_MAX_DURATION", "VEHICLES_MAX_DISTANCE", "VEHICLES_FIXED_COST"),
)
"""Sections of times, lengths and costs."""

NUMBERED = [
    own
    for own in SECTIONS
    if own.of and own.form != "key" and own.kind != "text"
]
WRONG = ("x", "0.5e", "1_0", "\u0663", "inf", "nan", "0x10", "1e400")


def text_with(name: str, rows: list[str]) -> str:
    """Return a file with these rows of a section."""
    sections = dict(OTHERS)
    if name == SHIPMENTS:
        del sections["DEMAND"]
    sections[name] = rows
    head = HEAD.replace("CAPACITY : 9\n", "") if name == "CAPACITY" else HEAD
    lines = [head.rstrip()]
    for section, own in sections.items():
        lines.append(f"{section}_SECTION")
        lines += [f"{number}\t{row}" for number, row in enumerate(own, 1)]
    return "\n".join([*lines, "DEPOT_SECTION\n1\n-1\nEOF\n"])


@pytest.mark.parametrize("section", NUMBERED, ids=lambda own: own.name)
def test_sections_are_read_and_written(
    tmp_path: Path, section: Section
) -> None:
    """By their meaning; the written rows are those that were read."""
    rows, value, expected = ROWS[section.name]
    file = written(tmp_path, text_with(section.name, rows), "a.vrp")
    instance = nr.read(file)
    assert value(instance) == expected
    nr.write_instance(tmp_path / "b.vrp", instance)
    assert value(nr.read(tmp_path / "b.vrp")) == expected
    lines = (tmp_path / "b.vrp").read_text().splitlines()
    if section.name in SAID_BY_DEFAULT:
        assert f"{section.name}_SECTION" not in lines
        return
    start = lines.index(f"{section.name}_SECTION") + 1
    found = [line.split() for line in lines[start : start + len(rows)]]
    assert found == [
        [str(number), *row.split()] for number, row in enumerate(rows, 1)
    ]


@pytest.mark.parametrize(
    "section",
    [own for own in NUMBERED if own.name not in (SHIPMENTS, "PRIZE", ALLOWED)],
    ids=lambda own: own.name,
)
def test_times_and_costs_are_scaled_as_lengths(
    tmp_path: Path, section: Section
) -> None:
    """Tenfold by "dimacs"; amounts, counts and numbers of nodes are not."""
    rows, value, expected = ROWS[section.name]
    file = written(tmp_path, text_with(section.name, rows), "a.vrp")
    found = value(nr.read(file, metric="dimacs"))
    scale = 10 if section.name in SCALED else 1
    assert np.array_equal(found, scale * np.array(expected))


@pytest.mark.parametrize("section", NUMBERED, ids=lambda own: own.name)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_number_is_named(
    tmp_path: Path, section: Section, wrong: str
) -> None:
    """By the name of the section."""
    first, *others = ROWS[section.name][0]
    rows = [" ".join([*first.split()[:-1], wrong]), *others]
    file = written(tmp_path, text_with(section.name, rows), "a.vrp")
    with refused(f"{section.name}_SECTION", "must ", source=file):
        nr.read(file)


@pytest.mark.parametrize("section", NUMBERED, ids=lambda own: own.name)
def test_rows_are_numbered_once(tmp_path: Path, section: Section) -> None:
    """A number that is there twice, or too large, is named."""
    rows = ROWS[section.name][0]
    text = text_with(section.name, rows)
    start = text.index(f"{section.name}_SECTION\n1\t")
    for number, rule in (("7", "must be 1.."), ("2", "once"))[: len(rows)]:
        begin, _, end = text[start:].partition("\n1\t")
        whole = f"{text[:start]}{begin}\n{number}\t{end}"
        with refused(f"{section.name}_SECTION", rule):
            nr.read(written(tmp_path, whole, "a.vrp"))


@pytest.mark.parametrize(
    "section",
    [own for own in SECTIONS if own.form != "section"],
    ids=lambda own: own.name,
)
@pytest.mark.parametrize("wrong", WRONG)
def test_keys_are_one_number_for_all(
    tmp_path: Path, section: Section, wrong: str
) -> None:
    """It must be finite, and says what a section of equal rows does."""
    text = text_with("DEMAND", OTHERS["DEMAND"])
    if section.name != "CAPACITY":
        text = f"{section.name} : 9\n{text}"
    found = nr.read(written(tmp_path, text, "a.vrp"))
    if section.name in ROWS:
        rows, value, _ = ROWS[section.name]
        rows = ["9" for _ in rows]
        if section.of == "customer":
            rows[0] = "0"
        other = text_with(section.name, rows)
        assert value(found) == value(nr.read(written(tmp_path, other, "b")))
    else:
        assert of_vehicles(section.target)(found) == [9, 9]
    text = text.replace(f"{section.name} : 9", f"{section.name} : {wrong}")
    with refused(section.name, "must ", wrong):
        nr.read(written(tmp_path, text, "b.vrp"))


@pytest.mark.parametrize("wrong", WRONG)
def test_sizes_are_numbers(tmp_path: Path, wrong: str) -> None:
    """Those of sections, too."""
    text = text_with("DEMAND", OTHERS["DEMAND"])
    for key in ("DIMENSION", "VEHICLES"):
        first, _, last = text.partition(f"{key} : ")
        whole = f"{first}{key} : {wrong}{last[1:]}"
        with refused(key, "must be a whole number", wrong):
            nr.read(written(tmp_path, whole, "a.vrp"))


def test_types_name_what_there_is() -> None:
    """Sections, and what sections show."""
    known = {own.name for own in SECTIONS}
    known |= {word for own in SECTIONS for word in own.shows.split()}
    assert {word for words in TYPES.values() for word in words.split()} < known


def test_prizes_alone_are_written(tmp_path: Path) -> None:
    """TYPE PCVRP needs loads; without them the first other type is."""
    text = text_with("PRIZE", ROWS["PRIZE"][0]).replace("CAPACITY : 9\n", "")
    start, end = text.index("DEMAND_SECTION"), text.index("PRIZE_SECTION")
    file = written(tmp_path, text[:start] + text[end:], "a.vrp")
    nr.write_instance(tmp_path / "b.vrp", nr.read(file))
    assert "TYPE: VRP\n" in (tmp_path / "b.vrp").read_text()
    again = nr.read(tmp_path / "b.vrp")
    assert again.selection is not None
    assert again.selection.prizes.tolist() == [0, 8, 0]
