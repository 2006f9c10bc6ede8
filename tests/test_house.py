"""How imports are read off the files, and the picture of them."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import house
import picture

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
import numpy as np
from typing import TYPE_CHECKING
from ncc_routing.vrp import solve
from ncc_routing.generators import generate_uchoa
if TYPE_CHECKING:
    import torch
else:
    import pyvrp
TABLE = ("vrp.tours.tsp:solve_tsp", "ncc_routing.ccp.solve:x", "a.b:c")
def f():
    from ncc_routing.core.deadline import Deadline
"""
EXECUTED = {
    "numpy",
    "typing",
    "pyvrp",
    "ncc_routing.vrp.solve",
    "ncc_routing.generators",
    "ncc_routing.vrp.tours.tsp",
    "ncc_routing.ccp.solve",
    "ncc_routing.core.deadline",
}


def test_imports_of_every_form_are_read() -> None:
    """In functions, of modules and of names, and named in tables."""
    tree = ast.parse(SOURCE)
    assert house.imports(tree) == EXECUTED
    assert house.imports(tree, typed=True) == {*EXECUTED, "torch"}


def test_relative_imports_are_refused() -> None:
    """They would hide where an arrow ends."""
    with pytest.raises(ValueError, match="absolute"):
        house.imports(ast.parse("from . import solve"))


def test_graph_has_known_arrows() -> None:
    """The graph of the modules holds two imports that the page explains."""
    graph = house.module_graph()
    solver, points = "ncc_routing.ccp.solve", "ncc_routing.problems.points"
    assert graph.has_edge("ncc_routing.ccp.estimator", solver)
    assert not graph.has_edge(points, solver)
    assert house.folder_of(points) == "problems"
    assert house.folder_of("ncc_route.app") == "ncc_route"
    assert house.folder_of("ncc_routing") == ""


def test_arrows_that_follow_from_others_are_not_drawn() -> None:
    """A chain a -> b -> c says that a may use c: the box counts it."""
    folders = {"a": {"b": 1, "c": 2}, "b": {"c": 3}, "c": {}}
    assert picture.drawn_arrows(folders) == {("a", "b"), ("b", "c")}


def test_every_room_has_its_place_in_the_picture() -> None:
    """No two boxes of a floor overlap."""
    assert picture.COLUMNS.keys() == house.FLOORS.keys()
    for floor in house.FLOORS.values():
        row = sorted(
            column
            for folder, column in picture.COLUMNS.items()
            if house.FLOORS[folder] == floor
        )
        gaps = [b - a for a, b in pairwise(row)]
        assert all(gap > 2 * picture.HALF_WIDTH for gap in gaps)


def test_picture_is_up_to_date() -> None:
    """The picture in the pages shows today's imports: ``make picture``."""
    folders = house.folder_graph(house.module_graph())
    assert picture.pictured_graph() == folders


def test_picture_is_reproducible(tmp_path: Path) -> None:
    """The same imports give the same file, which carries its graph."""
    for name in ("a.svg", "b.svg"):
        picture.write_picture(tmp_path / name)
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    graph = picture.pictured_graph(tmp_path / "a.svg")
    assert graph == house.folder_graph(house.module_graph())
    assert b">bench/<" in first


def test_page_states_the_contracts() -> None:
    """The page has a row for every floor and every door, and no other."""
    page = house.REPOSITORY / "docs" / "dev" / "architecture.md"
    text = page.read_text(encoding="utf-8")
    floors = re.findall(r"^\| (\d) \| `(\w+)/` \|", text, re.M)
    assert {folder: int(floor) for floor, folder in floors} == house.FLOORS
    doors = re.findall(r"^\| `(\w+)` \| (`.*`) \|$", text, re.M)
    assert {
        library: tuple(places.replace("`", "").split(", "))
        for library, places in doors
    } == house.DOORS
