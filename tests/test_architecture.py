"""The contracts of the architecture, held against the import statements."""

from __future__ import annotations

import ast
import re
import textwrap
from functools import cache
from typing import TYPE_CHECKING

import networkx as nx
import pytest

import layers
import ncc_routing

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = layers.SOURCES["ncc_routing"] / "ncc_routing"
MODULES = [
    path
    for path in layers.module_files().values()
    if path.is_relative_to(PACKAGE)
]


@cache
def libraries(path: Path) -> set[str]:
    """Return the top-level packages that a file imports when it runs."""
    found = layers.imports(layers.parse(path))
    return {module.partition(".")[0] for module in found}


def test_imports_point_to_lower_layers() -> None:
    """A module imports from strictly lower layers or its own folder."""
    graph = layers.module_graph(typed=True)
    assert layers.upward(graph, layers.LAYERS) == []


@pytest.mark.parametrize("folder", layers.STAGES)
def test_stages_import_earlier_stages(folder: str) -> None:
    """The stages inside ``vrp/`` and ``ccp/`` are layers as well."""
    graph = layers.module_graph(typed=True)
    assert layers.upward(graph, layers.STAGES[folder], folder) == []


@pytest.mark.parametrize("folder", ["", *layers.STAGES])
def test_every_folder_has_a_layer(folder: str) -> None:
    """The contracts name what is there, and nothing else."""
    parts = {
        path.stem
        for path in (PACKAGE / folder).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    known = layers.STAGES[folder] if folder else layers.LAYERS
    assert parts - {"__init__"} == known.keys() - {"ncc_route"}


def test_public_names_come_from_below() -> None:
    """Importing the public names brings in no higher folder."""
    folders = {
        layers.folder_of(getattr(ncc_routing, name).__module__)
        for name in ncc_routing.__all__
    }
    assert max(layers.LAYERS[f] for f in folders) < layers.PUBLIC_LAYER


def test_private_modules_stay_in_their_folder() -> None:
    """No module whose name begins with ``_`` is used outside its folder."""
    assert layers.trespasses(layers.module_graph(typed=True)) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not between folders, inside one, in functions, or for types."""
    circles = layers.circles(layers.module_graph(typed=True))
    assert circles == []


@pytest.mark.parametrize("library", layers.IMPORTERS)
def test_libraries_have_few_importers(library: str) -> None:
    """Each library is imported by its allowed importers, and by each."""
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if library in libraries(path)
    ]
    allowed = layers.IMPORTERS[library]
    assert [user for user in users if not user.startswith(allowed)] == []
    unused = [a for a in allowed if not any(u.startswith(a) for u in users)]
    assert unused == []


def test_pages_and_benchmarks_import_no_tests() -> None:
    """What lies in the docs works without them."""
    files = sorted((layers.REPOSITORY / "docs").rglob("*.py"))
    assert [path for path in files if "tests" in libraries(path)] == []


def test_command_reaches_libraries_through_the_package() -> None:
    """The command imports no solver, and the package no command."""
    command = layers.SOURCES["ncc_route"] / "ncc_route"
    used = {name: libraries(name) for name in sorted(command.rglob("*.py"))}
    assert {n: u for n, u in used.items() if u & layers.IMPORTERS.keys()} == {}
    above = {"ncc_route", "typer"}
    assert [path for path in MODULES if libraries(path) & above] == []


def unbounded(tree: ast.Module) -> list[str]:
    """Return the numbers of classes named ``*Params`` without bounds."""
    return [
        f"{kind.name}.{ast.unparse(field.target)}"
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef) and kind.name.endswith("Params")
        if "NamedTuple" not in map(ast.unparse, kind.bases)
        for field in kind.body
        if isinstance(field, ast.AnnAssign)
        and {"int", "float"} & set(ast.unparse(field.annotation).split(" | "))
        and not ast.unparse(field).partition(" = ")[2].startswith("bounded(")
    ]


def test_every_parameter_has_bounds() -> None:
    """A number without them would reach the kernels as it is."""
    assert unbounded(ast.parse("class AParams:\n    a: int = 3")) == [
        "AParams.a"
    ]
    found = {str(path): unbounded(layers.parse(path)) for path in MODULES}
    assert {path: names for path, names in found.items() if names} == {}
    for path in MODULES:
        for kind in ast.walk(layers.parse(path)):
            if isinstance(kind, ast.ClassDef) and kind.name.endswith("Params"):
                text = ast.unparse(kind)
                checks = "check_bounds(self)" in text
                assert checks or "bounded(" not in text, kind.name


def test_library_never_prints_nor_swallows() -> None:
    """The library logs, and a handler of everything ends with ``raise``."""
    found = []
    for path in MODULES:
        for node in ast.walk(layers.parse(path)):
            if isinstance(node, ast.Call):
                is_wrong = ast.unparse(node.func) == "print"
            elif isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "Exception"
                is_wrong = caught in (
                    "Exception",
                    "BaseException",
                ) and not isinstance(node.body[-1], ast.Raise)
            else:
                continue
            if is_wrong:
                found.append(f"{path}:{node.lineno}")
    assert found == []


MOST_LINES = 60
"""Lines of code that a function may have."""

LONG_FUNCTIONS = {
    "ncc_route.check:check": 74,
    "ncc_routing.desk.changes:read_orders": 62,
    "ncc_routing.desk.customers:_read": 81,
    "ncc_routing.io.days:read_days": 61,
    "ncc_routing.io.geojson:_features_of": 64,
    "ncc_routing.desk.routes:_of_table": 70,
    "ncc_routing.plotting.html:routes_html": 70,
    "ncc_routing.problems.instance:_check_parts": 67,
    "ncc_routing.problems.ccp.normal_rules:normal_rules": 75,
    "ncc_routing.serve.app:make_app": 77,
    "ncc_routing.vrp.search.fleets._state:of": 73,
}
"""Those that have more. The table only ever shrinks."""

NUM_COMPLEX = 12
"""Exceptions to C901 and PLR0915 in the package; they only ever get fewer."""


def lines_of_code(source: str) -> dict[str, int]:
    """Return those of each function, without its docstring and comments."""
    found = {}
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_text = ast.get_docstring(node) is not None
            first = [*node.body, node.body[-1]][has_text]
            code = map(str.strip, lines[first.lineno - 1 : node.end_lineno])
            found[node.name] = sum(
                bool(line) and not line.startswith("#") for line in code
            )
    return found


def test_lines_of_code_are_counted() -> None:
    """Neither texts and comments nor the head of a function are code."""
    source = """
        def one(
            a,
        ):
            '''Do it.'''

            # At once.
            return a

        def two():
            if True:

                return 2
    """
    found = lines_of_code(textwrap.dedent(source))
    assert found == {"one": 1, "two": 2}


def test_functions_are_short() -> None:
    """None grows beyond a page; the exceptions are known, and shrink."""
    sources = {
        name: path.read_text() for name, path in layers.module_files().items()
    }
    found = {
        f"{name}:{function}": lines
        for name, source in sources.items()
        for function, lines in lines_of_code(source).items()
        if lines > MOST_LINES
    }
    assert found == LONG_FUNCTIONS
    allowed = re.compile(r"noqa: .*\b(C901|PLR0915)")
    lines = "\n".join(sources.values()).splitlines()
    assert sum(bool(allowed.search(x)) for x in lines) == NUM_COMPLEX


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
    from ncc_routing.core.stopping import TimeLimit
"""
EXECUTED = {
    "numpy",
    "typing",
    "pyvrp",
    "ncc_routing.vrp.solve",
    "ncc_routing.generators",
    "ncc_routing.vrp.tours.tsp",
    "ncc_routing.ccp.solve",
    "ncc_routing.core.stopping",
}


def test_imports_of_every_form_are_read() -> None:
    """In functions, of modules and of names, and named in tables."""
    tree = ast.parse(SOURCE)
    assert layers.imports(tree) == EXECUTED
    assert layers.imports(tree, typed=True) == {*EXECUTED, "torch"}
    with pytest.raises(ValueError, match="absolute"):
        layers.imports(ast.parse("from . import solve"))


def test_violations_are_found() -> None:
    """Imports upward, sideways, of private modules, and in a circle."""
    graph = nx.DiGraph()
    for used in ("core.x", "vrp.solve", "plotting.x", "clustering.y"):
        graph.add_edge("ncc_routing.clustering.x", f"ncc_routing.{used}")
    graph.add_edge("ncc_routing.ccp.solve", "ncc_routing")
    graph.add_edge("ncc_routing.bench.runner", "ncc_routing")
    graph.add_edge("ncc_route.app", "ncc_routing.vrp.solve")
    assert layers.upward(graph, layers.LAYERS) == [
        "ncc_routing.ccp.solve imports ncc_routing",
        "ncc_routing.clustering.x imports ncc_routing.plotting.x",
        "ncc_routing.clustering.x imports ncc_routing.vrp.solve",
    ]
    graph = nx.DiGraph()
    for used in ("ckm.search", "search.x", "solve", "tours.tsp"):
        graph.add_edge("ncc_routing.vrp.ckm.x", f"ncc_routing.vrp.{used}")
    assert layers.upward(graph, layers.STAGES["vrp"], "vrp") == [
        "ncc_routing.vrp.ckm.x imports ncc_routing.vrp.search.x",
        "ncc_routing.vrp.ckm.x imports ncc_routing.vrp.solve",
    ]
    # A private module is open to its own folder and the folders in it.
    graph = nx.DiGraph()
    inside = ("vrp.ckm", "vrp.ckm.search", "vrp.ckm.regions.search")
    for user in (*inside, "vrp.solve", "ccp.ckm.search"):
        graph.add_edge(f"ncc_routing.{user}", "ncc_routing.vrp.ckm._layout")
    assert layers.trespasses(graph) == [
        "ncc_routing.ccp.ckm.search imports ncc_routing.vrp.ckm._layout",
        "ncc_routing.vrp.solve imports ncc_routing.vrp.ckm._layout",
    ]
    ring = nx.DiGraph([("c", "a"), ("a", "b"), ("b", "c"), ("c", "d")])
    assert layers.circles(ring) == [["a", "b", "c"]]
