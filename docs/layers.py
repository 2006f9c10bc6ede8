"""The layers of the package, and who imports whom.

Layers and allowed importers are data here; ``tests/test_architecture.py``
holds them against the import statements of the tree.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

REPOSITORY = Path(__file__).resolve().parents[1]

# Where the two import packages of the repository lie.
SOURCES = {"ncc_routing": REPOSITORY, "ncc_route": REPOSITORY / "cli"}

# The layer of every folder. A module imports from strictly lower layers, or
# from its own folder.
LAYERS = {
    "core": 1,
    "problems": 2,
    "stop": 2,
    "changes": 3,
    "io": 3,
    "generators": 3,
    "clustering": 3,
    "plotting": 3,
    "desk": 4,
    "pyvrp": 4,
    "ccp": 5,
    "vrp": 5,
    "paper": 6,
    "bench": 8,
    "serve": 8,
    "vrp_model": 8,
    "ncc_route": 9,
}

# The public names are imported from above the folders that they come from.
PUBLIC_LAYER = 7

# The only files that name a room of a higher layer: in tables, as strings,
# which are no imports.
DOORS = {
    "paper": (
        *("ccp/methods.py", "vrp/methods.py"),
        "vrp/preferences/affinity.py",
    ),
}

# The same rule once more, inside the two folders with stages of their own.
STAGES = {
    "ccp": {
        "search_params": 0,
        "phases": 1,
        "local_search": 2,
        "medians": 2,
        "units": 1,
        "num_clusters": 2,
        "run": 2,
        "ckm": 3,
        "result": 4,
        "methods": 5,
        "params": 6,
        "solve": 7,
        "estimator": 8,
    },
    "vrp": {
        "tours": 1,
        "packed_routes": 0,
        "preferences": 1,
        "route_files": 1,
        "construction": 3,
        "search": 2,
        "ckm": 2,
        "problem": 3,
        "result": 3,
        "run": 4,
        "initial_solution": 4,
        "methods": 5,
        "params": 6,
        "bounds": 7,
        "extra_cost": 7,
        "stages": 7,
        "bounded": 8,
        "steps": 9,
        "reshape": 10,
        "solve": 11,
        "why": 5,
        "days": 12,
        "dispatch": 12,
        "lower_bound": 12,
        "many": 12,
        "drop_in": 12,
        "drop_in_model": 13,
    },
}

# The only files or folders that may import a library.
IMPORTERS = {
    "vrplib": ("io/_vrplib_text.py",),
    "elkai": ("vrp/tours/",),
    "highspy": ("core/mip.py",),
    "pyvrp": ("pyvrp/",),
    "torch": ("paper/learning/",),
    "torch_geometric": ("paper/learning/",),
    "matplotlib": ("plotting/",),
    "safetensors": ("paper/",),
    "joblib": (*("core/processes.py", "pyvrp/", "vrp/search/"),),
    "sklearn": ("ccp/estimator.py",),
    "openpyxl": ("desk/excel.py", "desk/_excel_sheet.py"),
    "xlsxwriter": ("desk/workbooks.py",),
    "pandas": ("vrp/result.py", "ccp/result.py"),
    "pyarrow": ("desk/tables.py", "vrp/many.py", "vrp/result.py"),
    "rich": ("core/display.py",),
    "scipy": (
        "core/neighbours.py",
        "problems/ccp/adjacency.py",
        "problems/routes/days.py",
        "paper/scoring/_layers.py",
    ),
    "pooch": ("io/names.py",),
    "fastapi": ("serve/app.py",),
    "starlette": ("serve/app.py",),
    "uvicorn": ("serve/app.py",),
    "mcp": ("serve/agents.py",),
    "vrp_model": ("vrp_model.py",),
}

# How a table names a function without importing it: "package.module:name".
REFERENCE = re.compile(r"([a-z_][\w.]*):\w+")


@cache
def module_files() -> dict[str, Path]:
    """Return the file of every module; a folder stands for its __init__."""
    found = {}
    for package, root in SOURCES.items():
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
            found[".".join(parts)] = path
    return found


@cache
def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs below a node: all but ``if TYPE_CHECKING:``."""
    yield node
    skipped: list[ast.stmt] = []
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        skipped = node.body
    for child in ast.iter_child_nodes(node):
        if child not in skipped:
            yield from executed(child)


def imports(
    tree: ast.AST, *, typed: bool = False, open_rooms: Collection[str] = ()
) -> set[str]:
    """Return the modules that a file imports, in functions as well.

    ``from a import b`` is the module ``a.b`` where the tree has one, and
    ``a`` otherwise. Of strings of the form ``"a.b:c"``, which tables of
    functions use, ``a.b`` counts, but not in ``open_rooms``. ``typed`` adds
    what only a type checker sees.
    """
    known = module_files()
    found: set[str] = set()
    for node in ast.walk(tree) if typed else executed(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module is None:
                raise ValueError("imports are absolute")
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in known else node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = REFERENCE.fullmatch(node.value)
            if match:
                names = {match[1], f"ncc_routing.{match[1]}"}
                found |= {
                    name
                    for name in names & known.keys()
                    if folder_of(name) not in open_rooms
                }
    return found


@cache
def module_graph(*, typed: bool = False) -> nx.DiGraph:
    """Return the graph of the imports between the modules of the tree."""
    files = module_files()
    graph = nx.DiGraph()
    graph.add_nodes_from(files)
    for module, path in files.items():
        rooms = {
            room
            for room, doors in DOORS.items()
            if path.as_posix().endswith(
                tuple(f"ncc_routing/{door}" for door in doors)
            )
        }
        targets = files.keys() & imports(
            parse(path), typed=typed, open_rooms=rooms
        )
        graph.add_edges_from((module, target) for target in targets)
    return graph


def folder_of(module: str) -> str:
    """Return the first folder of a module; the public names have none."""
    package, _, rest = module.partition(".")
    return package if package == "ncc_route" else rest.partition(".")[0]


def upward(
    modules: nx.DiGraph, layers: Mapping[str, int], folder: str = ""
) -> list[str]:
    """Return the imports that do not point to a lower layer.

    With ``folder`` the layers are those of its files and sub-folders.
    """
    prefix = f"ncc_routing.{folder}." if folder else "ncc_routing."
    found = []
    for user, used in sorted(modules.edges):
        if not user.startswith(prefix) or not used.startswith(prefix[:-1]):
            continue
        own, other = (
            name[len(prefix) :].partition(".")[0] for name in (user, used)
        )
        highest = layers.get(other, 99) if other else PUBLIC_LAYER
        if own != other and layers.get(own, 0) <= highest:
            found.append(f"{user} imports {used}")
    return found


def trespasses(modules: nx.DiGraph) -> list[str]:
    """Return the imports of a private module from outside its folder.

    What lies in a folder of that folder is inside.
    """
    found = []
    for user, used in sorted(modules.edges):
        folder, _, name = used.rpartition(".")
        is_inside = f"{user}.".startswith(f"{folder}.")
        if name.startswith("_") and not is_inside:
            found.append(f"{user} imports {used}")
    return found


def circles(modules: nx.DiGraph) -> list[list[str]]:
    """Return the sets of modules that import each other in a circle."""
    components = nx.strongly_connected_components(modules)
    return sorted(sorted(c) for c in components if len(c) > 1)
