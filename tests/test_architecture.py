"""The contracts of the house, held against its import statements."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

import networkx as nx
import pytest

import house
import ncc_routing

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = house.SOURCES["ncc_routing"] / "ncc_routing"
MODULES = [
    path
    for path in house.module_files().values()
    if path.is_relative_to(PACKAGE)
]
WRITTEN = [
    path
    for folder in ("ncc_routing", "cli", "docs", "instances", "tests")
    for path in sorted((house.REPOSITORY / folder).rglob("*.py"))
]

# Bounds of the house: rooms of the package, its floors, and lines.
MOST_ROOMS, MOST_FLOORS = 14, 8
MOST_LINES_OF_FILE, MOST_LINES_OF_FUNCTION, MOST_LINES_OF_KERNEL = 400, 70, 100


@cache
def libraries(path: Path) -> set[str]:
    """Return the top-level packages that a file imports when it runs."""
    found = house.imports(house.parse(path))
    return {module.partition(".")[0] for module in found}


def lengths(name: str, text: str) -> dict[str, tuple[int, int]]:
    """Return lines and bound of a file and of each of its functions."""
    found = {name: (len(text.splitlines()), MOST_LINES_OF_FILE)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            compiled = any(mark.startswith("njit") for mark in marks)
            bound = (
                MOST_LINES_OF_KERNEL if compiled else MOST_LINES_OF_FUNCTION
            )
            found[f"{name}:{node.name}"] = (lines, bound)
    return found


def test_imports_point_to_lower_floors() -> None:
    """A module imports from strictly lower floors or its own folder."""
    graph = house.module_graph(typed=True)
    assert house.upward(graph, house.FLOORS) == []


@pytest.mark.parametrize("folder", house.STAGES)
def test_stages_import_earlier_stages(folder: str) -> None:
    """Inside ``vrp/`` and ``ccp/`` the stages are floors as well."""
    graph = house.module_graph(typed=True)
    assert house.upward(graph, house.STAGES[folder], folder) == []


@pytest.mark.parametrize("folder", ["", *house.STAGES])
def test_every_room_has_a_floor(folder: str) -> None:
    """The contracts name what is there, and nothing else."""
    rooms = {
        path.stem
        for path in (PACKAGE / folder).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    floors = house.STAGES[folder] if folder else house.FLOORS
    assert rooms - {"__init__"} == floors.keys() - {"ncc_route"}


def test_the_house_is_small() -> None:
    """There are at most fourteen rooms on at most eight floors."""
    assert len(house.FLOORS.keys() - {"ncc_route"}) <= MOST_ROOMS
    assert len(set(house.FLOORS.values())) <= MOST_FLOORS


def test_public_names_come_from_below() -> None:
    """What imports the public names imports no higher folder by them."""
    folders = {
        house.folder_of(getattr(ncc_routing, name).__module__)
        for name in ncc_routing.__all__
    }
    assert max(house.FLOORS[f] for f in folders) < house.PUBLIC_FLOOR


def test_private_modules_stay_in_their_folder() -> None:
    """No module whose name begins with ``_`` is used outside its folder."""
    assert house.trespasses(house.module_graph(typed=True)) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither between folders nor inside one, not even in functions."""
    assert house.circles(house.module_graph()) == []


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
    found = {str(path): unbounded(house.parse(path)) for path in MODULES}
    assert {path: names for path, names in found.items() if names} == {}
    kinds = [
        node
        for path in MODULES
        for node in ast.walk(house.parse(path))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Params")
    ]
    for kind in kinds:
        if "bounded(" in ast.unparse(kind):
            assert "check_bounds(self)" in ast.unparse(kind), kind.name


def test_files_and_functions_are_short() -> None:
    """No line count is above its bound."""
    found = {
        name
        for path in WRITTEN
        for name, (lines, bound) in lengths(
            path.relative_to(house.REPOSITORY).as_posix(),
            path.read_text(encoding="utf-8"),
        ).items()
        if lines > bound
    }
    assert found == set()


@pytest.mark.parametrize("library", house.DOORS)
def test_third_party_solver_has_one_door(library: str) -> None:
    """Each library is imported behind its own door and nowhere else."""
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if library in libraries(path)
    ]
    doors = house.DOORS[library]
    assert [user for user in users if not user.startswith(doors)] == []
    unused = [d for d in doors if not any(u.startswith(d) for u in users)]
    assert unused == []


def test_command_uses_the_package_only() -> None:
    """The command line reaches no solver but through the package."""
    command = house.SOURCES["ncc_route"] / "ncc_route"
    used = {name: libraries(name) for name in sorted(command.rglob("*.py"))}
    assert {n: u for n, u in used.items() if u & house.DOORS.keys()} == {}


def test_package_does_not_know_its_command() -> None:
    """The library imports nothing of the command line."""
    command = {"ncc_route", "typer"}
    assert [path for path in MODULES if libraries(path) & command] == []


def test_numba_lives_in_kernels() -> None:
    """Compiled functions are in kernel files, and in distances.py.

    compilation.py listens to the compiler.
    """
    users = [path.name for path in MODULES if "numba" in libraries(path)]
    others = {name for name in users if not name.endswith("_kernels.py")}
    assert others <= {"distances.py", "compilation.py"}


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_library_never_prints_nor_swallows(path: Path) -> None:
    """The library logs, and a handler of everything ends with ``raise``."""
    for node in ast.walk(house.parse(path)):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) != "print", node.lineno
        elif isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "Exception"
            if caught in ("Exception", "BaseException"):
                assert isinstance(node.body[-1], ast.Raise), node.lineno


def test_upward_and_sideways_imports_are_found() -> None:
    """The rule of the floors tells lower floors from others."""
    graph = nx.DiGraph()
    for used in ("core.x", "vrp.solve", "plotting.x", "clustering.y"):
        graph.add_edge("ncc_routing.clustering.x", f"ncc_routing.{used}")
    graph.add_edge("ncc_routing.ccp.solve", "ncc_routing")
    graph.add_edge("ncc_routing.bench.runner", "ncc_routing")
    graph.add_edge("ncc_route.app", "ncc_routing.vrp.solve")
    assert house.upward(graph, house.FLOORS) == [
        "ncc_routing.ccp.solve imports ncc_routing",
        "ncc_routing.clustering.x imports ncc_routing.plotting.x",
        "ncc_routing.clustering.x imports ncc_routing.vrp.solve",
    ]
    graph = nx.DiGraph()
    for used in ("ckm.search", "polishing.x", "solve", "tours.tsp"):
        graph.add_edge("ncc_routing.vrp.ckm.x", f"ncc_routing.vrp.{used}")
    assert house.upward(graph, house.STAGES["vrp"], "vrp") == [
        "ncc_routing.vrp.ckm.x imports ncc_routing.vrp.polishing.x",
        "ncc_routing.vrp.ckm.x imports ncc_routing.vrp.solve",
    ]


def test_uses_of_private_modules_are_found() -> None:
    """It is open to its own folder and those in it, not to those around."""
    graph = nx.DiGraph()
    inside = ("vrp.ckm", "vrp.ckm.search", "vrp.ckm.regions.search")
    for user in (*inside, "vrp.solve", "vrp.ckm_search", "ccp.ckm.search"):
        graph.add_edge(f"ncc_routing.{user}", "ncc_routing.vrp.ckm._layout")
    assert house.trespasses(graph) == [
        "ncc_routing.ccp.ckm.search imports ncc_routing.vrp.ckm._layout",
        "ncc_routing.vrp.ckm_search imports ncc_routing.vrp.ckm._layout",
        "ncc_routing.vrp.solve imports ncc_routing.vrp.ckm._layout",
    ]


def test_circles_are_found() -> None:
    """Three modules in a ring are one circle, a chain is none."""
    ring = nx.DiGraph([("c", "a"), ("a", "b"), ("b", "c"), ("c", "d")])
    assert house.circles(ring) == [["a", "b", "c"]]


def test_lengths_count_from_def_to_the_last_line() -> None:
    """Decorators and lines below do not count; kernels may be longer."""
    text = (
        "@njit(cache=True)\ndef f():\n    return 1\n\n"
        "def g():\n    return (\n        2\n    )\n"
    )
    assert lengths("a.py", text) == {
        "a.py": (8, MOST_LINES_OF_FILE),
        "a.py:f": (2, MOST_LINES_OF_KERNEL),
        "a.py:g": (4, MOST_LINES_OF_FUNCTION),
    }
