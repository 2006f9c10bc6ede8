"""The layers and doors of the package, read off its import statements."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "ncc_routing"
COMMAND = REPOSITORY / "cli" / "ncc_route"

# A folder imports only from lines above its own, or from itself.
FLOORS = (
    ("core",),
    ("problems",),
    ("io", "generators", "clustering", "plotting"),
    ("scoring",),
    ("ccp", "vrp"),
    ("learning",),
    ("benchmarking",),
)

# The one place that may import a third-party library.
DOORS = {
    "vrplib": ("io/vrplib.py",),
    "elkai": ("vrp/tours/",),
    "highspy": ("core/mip.py",),
    "pyvrp": (
        "vrp/pyvrp_adapter.py",
        "vrp/polishing/pyvrp_search.py",
        "benchmarking/experiments/warm_start.py",  # what we compare with
    ),
    "torch": ("learning/",),
    "torch_geometric": ("learning/",),
    "matplotlib": ("plotting/",),
    "safetensors": ("scoring/", "learning/"),
    "joblib": ("benchmarking/", "vrp/polishing/", "learning/"),
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
            # "from ncc_routing.vrp import solve" imports a module as well.
            folder = REPOSITORY / (node.module or "").replace(".", "/")
            found |= {
                f"{node.module}.{alias.name}"
                for alias in node.names
                if (folder / f"{alias.name}.py").is_file()
            }
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
    """Return the folder of the package that a module lies in."""
    return module.split(".")[1] if "." in module else ""


def rank_of(unit: str) -> int:
    """Return the floor of a folder of the package."""
    for rank, units in enumerate(FLOORS):
        if unit in units:
            return rank
    raise AssertionError(f"{unit} has no floor: add it to FLOORS")


def private_imports_of(path: Path, tree: ast.Module) -> list[str]:
    """Return the modules with a leading underscore of other folders."""
    folder = path.relative_to(REPOSITORY).parent.as_posix().replace("/", ".")
    return [
        module
        for module in sorted(imported_modules(tree))
        if module.rpartition(".")[2].startswith("_")
        and module.startswith("ncc_routing.")
        and module.rpartition(".")[0] != folder
    ]


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


@pytest.mark.parametrize("path", MODULES, ids=names_of(MODULES))
def test_private_modules_stay_in_their_folder(path: Path) -> None:
    """No module whose name begins with ``_`` is used by another folder."""
    assert private_imports_of(path, parse(path)) == []


def test_private_imports_are_found() -> None:
    """The rule above catches both forms of an import."""
    tree = ast.parse(
        "from ncc_routing.vrp.ckm._layout import Plan\n"
        "from ncc_routing.vrp.ckm import buffers, _recluster_kernels\n"
    )
    path = PACKAGE / "vrp" / "solve.py"
    assert private_imports_of(path, tree) == [
        "ncc_routing.vrp.ckm._layout",
        "ncc_routing.vrp.ckm._recluster_kernels",
    ]
    assert private_imports_of(PACKAGE / "vrp/ckm/search.py", tree) == []


def test_upward_and_sideways_imports_are_found() -> None:
    """The rule above catches what it is meant to catch."""
    tree = ast.parse(
        "def f():\n"
        "    from ncc_routing.vrp.solve import solve\n"
        "    from ncc_routing.vrp.tours.tsp import solve_tsp\n"
        "    from ncc_routing.problems.instance import Instance\n"
        "    from ncc_routing.clustering.priority import Priority\n"
    )
    found = violations_of(PACKAGE / "clustering" / "seeding.py", tree)
    assert found == [
        "clustering imports ncc_routing.vrp.solve",
        "clustering imports ncc_routing.vrp.tours.tsp",
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
    """Compiled functions are in kernel files, and in distances.py.

    compilation.py listens to the compiler.
    """
    others = ("distances.py", "compilation.py")
    if not path.name.endswith("_kernels.py") and path.name not in others:
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
