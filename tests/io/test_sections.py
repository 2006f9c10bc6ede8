"""Every section of VRPLIB, by its row in the table of sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.io.sections import SECTIONS, SHIPMENTS, TYPES
from tests.io.files import written

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.io.sections import Section

HEAD = """TYPE : VRP
DIMENSION : 3
VEHICLES : 2
CAPACITY : 9
EDGE_WEIGHT_TYPE : EUC_2D
"""
"""A depot and two customers, two vehicles."""

OTHERS: dict[str, tuple[str, ...]] = {
    "NODE_COORD": ("0 0", "3 4", "6 8"),
    "DEMAND": ("0", "4", "5"),
}
ROWS: dict[str, tuple[str, ...]] = OTHERS | {
    "BACKHAUL": ("0", "1", "0"),
    "TIME_WINDOW": ("0 90", "5 40", "0 90"),
    "SERVICE_TIME": ("0", "7", "0"),
    "RELEASE_TIME": ("0", "3", "0"),
    SHIPMENTS: ("0 0 90 0 0 0", "4 0 90 1 0 3", "-4 0 90 1 2 0"),
    "PRIZE": ("0", "8", "0"),
    "MUTUALLY_EXCLUSIVE_GROUP": ("2 3",),
    "CAPACITY": ("9", "12"),
    "VEHICLES_DEPOT": ("1", "1"),
    "VEHICLES_MAX_DURATION": ("40", "50"),
    "VEHICLES_MAX_DISTANCE": ("40", "50"),
    "VEHICLES_FIXED_COST": ("-3", "5"),
    "VEHICLES_UNIT_DISTANCE_COST": ("2", "1.5"),
    "VEHICLES_MAX_RELOADS": ("1", "2"),
    "VEHICLES_RELOAD_DEPOT": ("1", "1"),
    "VEHICLES_ALLOWED_CLIENTS": ("2 3", "3"),
}
"""What a section may hold."""

SAID_BY_DEFAULT = ("VEHICLES_DEPOT",)
"""Sections that are not written where there is one depot."""

NUMBERED = [own for own in SECTIONS if own.of and own.form != "key"]


def text_with(name: str, rows: tuple[str, ...]) -> str:
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
    """The rows of the written file are those that were read."""
    rows = ROWS[section.name]
    file = written(tmp_path, text_with(section.name, rows), "a.vrp")
    nr.write_instance(tmp_path / "b.vrp", nr.read(file))
    lines = (tmp_path / "b.vrp").read_text().splitlines()
    if section.name in SAID_BY_DEFAULT:
        assert f"{section.name}_SECTION" not in lines
        return
    start = lines.index(f"{section.name}_SECTION") + 1
    found = [line.split() for line in lines[start : start + len(rows)]]
    assert found == [
        [str(number), *row.split()] for number, row in enumerate(rows, 1)
    ]


@pytest.mark.parametrize("section", NUMBERED, ids=lambda own: own.name)
@pytest.mark.parametrize("wrong", ["x", "1e400", "0.5e"])
def test_what_is_no_number_is_named(
    tmp_path: Path, section: Section, wrong: str
) -> None:
    """By the name of the section, of a value and of a row."""
    first, *others = ROWS[section.name]
    rows = (" ".join([*first.split()[:-1], wrong]), *others)
    file = written(tmp_path, text_with(section.name, rows), "a.vrp")
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert caught.value.field == f"{section.name}_SECTION"
    assert caught.value.source == file


@pytest.mark.parametrize("section", NUMBERED, ids=lambda own: own.name)
def test_rows_are_numbered_once(tmp_path: Path, section: Section) -> None:
    """A number that is there twice, or too large, is named."""
    text = text_with(section.name, ROWS[section.name])
    start = text.index(f"{section.name}_SECTION\n1\t")
    for number, rule in (("7", "must be 1.."), ("2", "once")):
        if rule == "once" and len(ROWS[section.name]) == 1:
            continue
        begin, _, end = text[start:].partition("\n1\t")
        file = written(tmp_path, f"{text[:start]}{begin}\n{number}\t{end}")
        file = file.rename(tmp_path / "a.vrp")
        with pytest.raises(nr.InstanceError, match=rule) as caught:
            nr.read(file)
        assert caught.value.field == f"{section.name}_SECTION"


@pytest.mark.parametrize(
    "section",
    [own for own in SECTIONS if own.form != "section"],
    ids=lambda own: own.name,
)
def test_keys_are_one_number_for_all(tmp_path: Path, section: Section) -> None:
    """It must be finite, and says what a section of equal rows does."""
    text = text_with("DEMAND", OTHERS["DEMAND"])
    if section.name != "CAPACITY":
        text = f"{section.name} : 7\n{text}"
    assert nr.read(written(tmp_path, text, "a.vrp")).num_customers == 2
    wrong = text.replace(f"{section.name} : ", f"{section.name} : x")
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(written(tmp_path, wrong, "b.vrp"))
    assert caught.value.field == section.name


def test_types_name_what_there_is() -> None:
    """Sections, and what sections show."""
    known = {own.name for own in SECTIONS}
    known |= {word for own in SECTIONS for word in own.shows.split()}
    assert {word for words in TYPES.values() for word in words.split()} < known


def test_prizes_alone_are_written(tmp_path: Path) -> None:
    """TYPE PCVRP needs loads; without them the first other type is."""
    text = text_with("PRIZE", ROWS["PRIZE"]).replace("CAPACITY : 9\n", "")
    start, end = text.index("DEMAND_SECTION"), text.index("PRIZE_SECTION")
    file = written(tmp_path, text[:start] + text[end:], "a.vrp")
    nr.write_instance(tmp_path / "b.vrp", nr.read(file))
    assert "TYPE: VRP\n" in (tmp_path / "b.vrp").read_text()
    again = nr.read(tmp_path / "b.vrp")
    assert again.selection is not None
    assert again.selection.prizes.tolist() == [0, 8, 0]
