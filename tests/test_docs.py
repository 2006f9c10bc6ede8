"""What the pages and docstrings name exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import house
import method_tables
import ncc_routing

if TYPE_CHECKING:
    from pathlib import Path

DOCS = house.REPOSITORY / "docs"
PAGES = [
    house.REPOSITORY / "README.md",
    *sorted((house.REPOSITORY / "instances").glob("*.md")),
    *sorted((house.REPOSITORY / "ncc_routing").rglob("*.md")),
    *sorted(DOCS.rglob("*.md")),
]
SCRIPTS = [
    path
    for folder in ("ncc_routing", "cli", "docs", "instances")
    for path in sorted((house.REPOSITORY / folder).rglob("*.py"))
]


# What stands between backticks: a dotted path, or a Python file.
DOTTED = re.compile(r"`([a-z_]\w*(?:\.\w+)+)`|\b(ncc_routing(?:\.\w+)+)")
FILE = re.compile(r"`([\w/]+\.py)`")
ALIASES = {"nr": "ncc_routing", "np": "numpy"}

# Endings of the names of other files.
ENDINGS = (
    ".csv",
    ".json",
    ".md",
    ".py",
    ".safetensors",
    ".sol",
    ".svg",
    ".toml",
)


@cache
def names_in(module: str) -> set[str]:
    """Return what a module defines or imports at its top."""
    names = set(ncc_routing.__all__) if module == "ncc_routing" else set()
    for node in house.parse(house.module_files()[module]).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {ast.unparse(target) for target in node.targets}
        elif isinstance(node, ast.AnnAssign):
            names.add(ast.unparse(node.target))
    return names


def exists(path: str) -> bool:
    """Say whether a dotted path, perhaps cut in front, is in the tree."""
    words = path.split(".")
    for module in house.module_files():
        parts = module.split(".")
        for cut in range(len(words), 0, -1):
            if parts[-cut:] == words[:cut] and (
                cut == len(words) or words[cut] in names_in(module)
            ):
                return True
    return False


def variables(text: str) -> set[str]:
    """Return the names that a script gives to its values."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def missing_names(text: str, values: set[str]) -> list[str]:
    """Return the dotted paths in a text that are nowhere in the tree.

    Paths that begin with another package, or with one of the values at hand,
    are not ours to check.
    """
    missing = []
    for short, full in DOTTED.findall(text):
        path = short or full
        first = path.partition(".")[0]
        path = ALIASES.get(first, first) + path[len(first) :]
        first = path.partition(".")[0]
        if first in values or path.endswith(ENDINGS):
            continue
        if first in house.SOURCES or not find_spec(first):
            missing += [] if exists(path) else [path]
    return missing


@pytest.mark.parametrize(
    "path",
    [path for path in [*PAGES, *SCRIPTS] if path != DOCS / "house.py"],
    ids=lambda path: path.relative_to(house.REPOSITORY).as_posix(),
)
def test_paths_that_a_text_names_exist(path: Path) -> None:
    """A file or name that moved is followed by the words about it."""
    text = path.read_text(encoding="utf-8")
    values = variables(text) if path.suffix == ".py" else set()
    files = [
        f"/{file.relative_to(house.REPOSITORY).as_posix()}"
        for folder in ("ncc_routing", "cli", "docs", "instances", "tests")
        for file in (house.REPOSITORY / folder).rglob("*.py")
    ]
    assert missing_names(text, values) == []
    assert [
        word
        for word in FILE.findall(text)
        if not any(file.endswith(f"/{word}") for file in files)
    ] == []


def test_missing_names_are_found() -> None:
    """Cut or whole, of modules and of names in them."""
    text = (
        "``solve.SolveParams`` ``vrp.solve.solve`` `nr.solve` "
        "ncc_routing.vrp.solve.warm_start ``numpy.random`` ``state.group`` "
        "``pipeline.SolveParams`` ncc_routing.files ``solve.nothing`` `a.csv`"
    )
    assert missing_names(text, {"state"}) == [
        "pipeline.SolveParams",
        "ncc_routing.files",
        "solve.nothing",
    ]


def test_every_public_name_has_an_entry() -> None:
    """The reference lists each public name once, under its public path."""
    text = (DOCS / "api" / "ncc_routing.md").read_text(encoding="utf-8")
    entries = re.findall(r"\.\. auto\w+:: ncc_routing\.(\w+)$", text, re.M)
    assert sorted(entries) == sorted(ncc_routing.__all__)


def test_tables_of_methods_are_those_of_today() -> None:
    """``make tables`` would change nothing."""
    text = method_tables.PAGE.read_text(encoding="utf-8")
    assert method_tables.filled(text) == text
