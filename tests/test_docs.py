"""What the pages and docstrings name exists."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from importlib.util import find_spec
from statistics import mean
from typing import TYPE_CHECKING

import pytest

import column_tables
import command_tables
import layers
import licence_table
import method_tables
import ncc_routing
import phase_table
import snippets
from ncc_routing.ccp.methods import PARAMS as CLUSTER_GROUPS
from ncc_routing.core.row_files import read_rows
from ncc_routing.vrp.methods import PARAMS as SOLVE_GROUPS

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

ROOT = layers.REPOSITORY
DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "instances").glob("*.md")),
    *sorted((ROOT / "ncc_routing").rglob("*.md")),
    *sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts),
]
FILES = [
    path
    for folder in ("ncc_routing", "cli", "docs", "instances", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
# What the compiled module holds.
STUBS = {
    f"ncc_routing._core.{path.stem}".removesuffix(".__init__"): path
    for path in (ROOT / "ncc_routing/_core").glob("*.pyi")
}
# What stands between backticks: a dotted path, or a Python file.
DOTTED = re.compile(r"`([a-z_]\w*(?:\.\w+)+)`|\b(ncc_routing(?:\.\w+)+)")
FILE = re.compile(r"`([\w/]+\.py)`")
ALIASES = {"nr": "ncc_routing", "np": "numpy"}
# Endings of the names of other files.
ENDINGS = (
    ".csv",
    ".cpp",
    ".h",
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
    path = STUBS.get(module) or layers.module_files()[module]
    for node in layers.parse(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {ast.unparse(target) for target in node.targets}
            if "__all__" in names and isinstance(node.value, ast.List):
                names |= set(ast.literal_eval(node.value))
        elif isinstance(node, ast.AnnAssign):
            names.add(ast.unparse(node.target))
    return names


@cache
def exists(path: str) -> bool:
    """Say whether a dotted path, perhaps cut in front, is in the tree."""
    words = path.split(".")
    for module in (*layers.module_files(), *STUBS):
        parts = module.split(".")
        for cut in range(len(words), 0, -1):
            if parts[-cut:] == words[:cut] and (
                cut == len(words) or words[cut] in names_in(module)
            ):
                return True
    return False


def variables(text: str) -> set[str]:
    """Return the names that a script gives to its values."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}


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
        is_ours = first in layers.SOURCES or not find_spec(first)
        if is_ours and not exists(path):
            missing.append(path)
    return missing


@pytest.mark.parametrize("kind", ["pages", "scripts"])
def test_paths_that_a_text_names_exist(kind: str) -> None:
    """A file or name that moved is followed by the words about it."""
    ours = [f"/{path.relative_to(ROOT).as_posix()}" for path in FILES]
    tests = ROOT / "tests"
    scripts = [path for path in FILES if not path.is_relative_to(tests)]
    found = {}
    for path in PAGES if kind == "pages" else scripts:
        if path == DOCS / "layers.py":  # it has examples of its own
            continue
        text = path.read_text(encoding="utf-8")
        values = variables(text) if kind == "scripts" else set()
        missing = missing_names(text, values) + [
            word
            for word in FILE.findall(text)
            if word not in snippets.FILES
            and not any(file.endswith(f"/{word}") for file in ours)
        ]
        if missing:
            found[path.relative_to(ROOT).as_posix()] = missing
    assert found == {}


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
    entries = re.findall(r"^   ncc_routing\.(\w+)$", text, re.M)
    assert sorted(entries) == sorted(ncc_routing.__all__)


@pytest.mark.parametrize(
    "table",
    [method_tables, command_tables, column_tables],
)
def test_tables_of_methods_and_options_are_current(table: ModuleType) -> None:
    """``make tables`` would change nothing."""
    text = table.PAGE.read_text(encoding="utf-8")
    assert table.filled(text) == text


def test_citation_is_of_this_version() -> None:
    """Who cites the package says which one."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert f"\nversion: {project['project']['version']}\n" in text


def column_of(name: str, column: str, **wanted: str) -> list[float]:
    """Return the numbers of a record in the rows with some values."""
    folder = DOCS / "benchmarks" / "records"
    if not folder.is_dir():
        pytest.skip("a source distribution has no records")
    (file,) = folder.rglob(f"{name}.csv")
    return [
        float(row[column])
        for row in read_rows(file)
        if wanted.items() <= row.items() and row[column]
    ]


def gap(name: str, **wanted: str) -> str:
    """Return the mean gap of these rows."""
    return f"{mean(column_of(name, 'gap_percent', **wanted)):.2f}"


def test_figures_of_readme_are_those_of_the_records() -> None:
    """Those of its list of gaps, times and sizes, in order."""
    peers = ("ncc_routing", "AILS-II", "FILO2", "HGS-CVRP", "PyVRP")
    rich = {"set": "vrptw", "budget": "10.0"}
    first = {"run": "first", "num_customers": "200000"}
    seconds = column_of("large", "process_seconds", **first)
    memory = column_of("large", "peak_mib", **first)
    expected = [
        *(
            gap("peers_x", solver=name, seconds=limit)
            for limit in ("10.0", "60.0")
            for name in peers
        ),
        *(
            gap("warm_start_classes", start=s, **rich)
            for s in ("cold", "warm")
        ),
        *(f"{seconds[0]:.0f} s", f"{memory[0]:.0f} MiB"),
        gap("cpmp", method="ckm"),
    ]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## How good it is\n\n")[2].partition("\n\n")[0]
    found = re.findall(r"\d+\.\d\d|: \d+ s|\d+ MiB", section)
    assert [each.removeprefix(": ") for each in found] == expected


@pytest.mark.parametrize("page", phase_table.PAGES)
def test_tables_of_plans_are_current(page: Path) -> None:
    """So would they."""
    text = page.read_text(encoding="utf-8")
    assert phase_table.filled(text, phase_table.PAGES[page]()) == text


def test_licences_are_those_of_the_dependencies() -> None:
    """A row for each; that of an installed version says what this one says."""
    rows = licence_table.rows_of(licence_table.PAGE.read_text("utf-8"))
    brought = licence_table.dependencies()
    assert list(rows) == list(brought)
    for name, row in rows.items():
        assert row.endswith(f" | {brought[name]} |")
        today = licence_table.row(name, brought[name])
        if today is not None and today.split()[3] == row.split()[3]:
            assert row == today
    assert "non-commercial" in rows["elkai"]


def test_every_group_of_parameters_is_in_the_reference() -> None:
    """What ``solve`` and ``cluster`` nest is described on a page."""
    pages = [path.read_text("utf-8") for path in (DOCS / "api").glob("*.md")]
    described = {
        name
        for page in pages
        for name in re.findall(r"automodule:: (\S+)\n   :members:\n", page)
    }
    groups = [*SOLVE_GROUPS.values(), *CLUSTER_GROUPS.values()]
    modules = {reference.partition(":")[0] for reference in groups}
    assert len(modules) > 2
    assert modules - described == set()
