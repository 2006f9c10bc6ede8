"""The layers and doors of the package, read off its import statements."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "ncc_routing"
COMMAND = REPOSITORY / "cli" / "ncc_route"

# A module imports only from lines above its own, or from its own folder.
LAYERS = (
    ("exceptions", "constants", "deadline"),
    ("distances",),
    ("instance",),
    ("points",),
    ("graph", "clusters", "solution"),
    ("_processes", "_text_files"),
    ("_vrplib_text",),
    ("_vrplib_rules",),
    (
        "checking",
        "files",
        "generators",
        "mip",
        "points_files",
        "pyvrp_adapter",
        "result",
        "telecom",
    ),
    ("clustering", "routing"),
    # It makes solutions of pools of routes.
    ("polishing",),
    ("baselines", "cluster_first"),
    # Its labels are made by the solvers below it.
    ("scoring",),
    ("methods", "ccp_methods"),
    ("pipeline", "ccp_pipeline"),
    ("estimators",),
    ("benchmarking", "plotting"),
)

# The one place that may import a third-party solver.
DOORS = {
    "vrplib": ("files.py",),
    "elkai": ("routing/tsp.py",),
    "highspy": ("mip.py",),
    "pyvrp": ("pyvrp_adapter.py", "polishing/pyvrp_search.py"),
    "torch": ("scoring/",),
    "torch_geometric": ("scoring/",),
    "matplotlib": ("plotting/",),
    "safetensors": ("scoring/",),
    "joblib": ("benchmarking/", "polishing/", "scoring/"),
}

MODULES = sorted(PACKAGE.rglob("*.py"))
COMMANDS = sorted(COMMAND.rglob("*.py"))


def names_of(paths: list[Path]) -> list[str]:
    """Return readable test ids."""
    return [str(path.relative_to(REPOSITORY)) for path in paths]


def imported_modules(tree: ast.AST) -> set[str]:
    """Return every imported module, those inside functions included."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add(node.module or "")
            # "from ncc_routing import pipeline" imports a module as well.
            if node.module == "ncc_routing":
                found |= {f"ncc_routing.{alias.name}" for alias in node.names}
    return found


def executed(tree: ast.Module) -> ast.Module:
    """Return the module without what only a type checker sees."""

    class Remover(ast.NodeTransformer):
        """Drops the body of ``if TYPE_CHECKING:``."""

        def visit_If(self, node: ast.If) -> ast.AST:
            test = node.test
            if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
                return ast.Pass()
            return self.generic_visit(node)

    return Remover().visit(tree)


def libraries_of(path: Path) -> set[str]:
    """Return the top-level packages that a file imports when it runs."""
    modules = imported_modules(executed(parse(path)))
    return {module.split(".")[0] for module in modules}


def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def unit_of(module: str) -> str:
    """Return the file or folder below the package that a module lies in."""
    return module.split(".")[1] if "." in module else ""


def rank_of(unit: str) -> int:
    """Return the layer of a file or folder of the package."""
    for rank, units in enumerate(LAYERS):
        if unit in units:
            return rank
    raise AssertionError(f"{unit} has no layer: add it to LAYERS")


def violations_of(path: Path, tree: ast.Module) -> list[str]:
    """Return the imports of a module that point upwards or sideways."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    own = parts[0]
    found = []
    for module in sorted(imported_modules(tree)):
        if module.split(".")[0] != "ncc_routing" or module == "ncc_routing":
            continue
        unit = unit_of(module)
        if unit != own and rank_of(unit) >= rank_of(own):
            found.append(f"{own} imports {module}")
    return found


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_imports_point_to_lower_layers(path: Path) -> None:
    """A module imports from strictly lower layers or its own folder."""
    if path == PACKAGE / "__init__.py":
        pytest.skip("re-exports the public names")
    assert violations_of(path, parse(path)) == []


def test_upward_and_sideways_imports_are_found() -> None:
    """The rule above catches what it is meant to catch."""
    tree = ast.parse(
        "def f():\n"
        "    from ncc_routing.pipeline import solve\n"
        "    from ncc_routing.routing.tsp import solve_tsp\n"
        "    from ncc_routing.instance import Instance\n"
        "    from ncc_routing.clustering.priority import Priority\n"
    )
    found = violations_of(PACKAGE / "clustering" / "seeding.py", tree)
    assert found == [
        "clustering imports ncc_routing.pipeline",
        "clustering imports ncc_routing.routing.tsp",
    ]


@pytest.mark.parametrize("path", COMMANDS, ids=names_of(COMMANDS))
def test_command_uses_the_package_only(path: Path) -> None:
    """The command line reaches no solver but through the package."""
    assert not libraries_of(path) & set(DOORS)


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_package_does_not_know_its_command(path: Path) -> None:
    """The library imports nothing of the command line."""
    assert not libraries_of(path) & {"ncc_route", "typer", "rich"}


@pytest.mark.parametrize("library", DOORS)
def test_third_party_solver_has_one_door(library: str) -> None:
    """Each solver is imported behind its own door and nowhere else."""
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        if library in libraries_of(path)
    ]
    assert [u for u in users if not u.startswith(DOORS[library])] == []


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_library_never_prints(path: Path) -> None:
    """The library logs; only the command line writes to the terminal."""
    calls = [
        node.lineno
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert calls == []


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_numba_lives_in_kernels(path: Path) -> None:
    """Compiled functions are in kernel files, and in distances.py."""
    is_kernel = path.name.endswith("_kernels.py")
    if not is_kernel and path.name != "distances.py":
        assert "numba" not in libraries_of(path)


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_no_error_is_swallowed(path: Path) -> None:
    """A handler that catches everything ends with ``raise``."""
    caught = [
        node.lineno
        for node in ast.walk(parse(path))
        if isinstance(node, ast.ExceptHandler)
        and not isinstance(node.body[-1], ast.Raise)
        and (
            node.type is None
            or (
                isinstance(node.type, ast.Name)
                and node.type.id in ("Exception", "BaseException")
            )
        )
    ]
    assert caught == []
