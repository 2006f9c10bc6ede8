"""Optional packages: one line names the extra that brings them."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import invalidate_caches
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import layers
from ncc_routing.core import extras
from ncc_routing.core.exceptions import MissingDependencyError
from ncc_routing.core.extras import (
    EXTRA_OF,
    is_installed,
    naming_the_extra,
    require_extra,
)

# What a slim installation has not, as import names.
ABSENT = (*EXTRA_OF, "scipy", "platformdirs")

BLOCKER = f"""
import sys
for name in {ABSENT!r}:
    sys.modules[name] = None
import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
"""


SERVE = (
    BLOCKER
    + """
import io, json, traceback
from contextlib import redirect_stderr, redirect_stdout

for line in sys.stdin:
    code, *sys.argv[1:] = json.loads(line)
    status, out, err = 0, io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            exec(code, {"nr": nr, "generate_uchoa": generate_uchoa})
        except SystemExit as stop:
            status = stop.code or 0
        except Exception:
            status = 1
            traceback.print_exc()
    print(json.dumps([status, out.getvalue(), err.getvalue()]), flush=True)
"""
)

RunWithoutExtras = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def run_without_extras() -> Iterator[RunWithoutExtras]:
    """Run code where no optional package can be imported.

    All of it in one process, whose imports take longer than most of it.
    """
    with subprocess.Popen(
        [sys.executable, "-c", SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def run(code: str, *arguments: str) -> tuple[int, str, str]:
            asked.write(json.dumps([code, *arguments]) + "\n")
            asked.flush()
            status, out, err = json.loads(answers.readline())
            return status, out, err

        yield run


def test_extras_are_those_of_the_project() -> None:
    """Every extra that a message names exists and brings the package."""
    text = (layers.REPOSITORY / "pyproject.toml").read_text()
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    core = " ".join(project["dependencies"])
    distributions = packages_distributions()
    for package, extra in EXTRA_OF.items():
        names = distributions.get(package, [package])
        brought = {
            re.split(r"[^\w-]", line)[0].replace("_", "-").lower()
            for line in extras[extra]
        }
        assert brought & {name.replace("_", "-").lower() for name in names}
        assert not any(re.search(rf"\b{name}\b", core) for name in names)


def test_absence_is_seen_without_an_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both kinds of absence, and a package that is there."""
    assert is_installed("numpy")
    assert not is_installed("no_such_package")
    monkeypatch.setitem(sys.modules, "pooch", None)
    assert not is_installed("pooch")
    with pytest.raises(MissingDependencyError) as caught:
        require_extra("pooch")
    assert str(caught.value) == (
        'pooch is not installed: pip install "ncc_routing[names]" installs it.'
    )
    assert caught.value.name == "pooch"


def test_only_known_packages_become_a_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A submodule counts for its package; other failures pass."""
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    with (
        pytest.raises(MissingDependencyError, match="torch_geometric is not"),
        naming_the_extra(),
    ):
        import torch_geometric.nn  # noqa: F401
    with pytest.raises(ModuleNotFoundError) as caught, naming_the_extra():
        import no_such_package  # type: ignore[import-not-found]  # noqa: F401
    assert not isinstance(caught.value, MissingDependencyError)


def test_core_works_without_any_extra(
    run_without_extras: RunWithoutExtras,
) -> None:
    """Solve, polish, cluster and read by name need nothing optional."""
    code = """
import numpy as np
instance = nr.read("ncc-n0021-s1")
result = nr.solve(instance, polish="auto", time_limit=0.3)
assert nr.check_solution(instance, result.best) == []
assert result.params["router"] == "local-search"
points = np.random.default_rng(1).random((40, 2))
points = nr.PointSet(points, np.ones(40), 12.0)
for objective in ("inertia", "cpmp"):
    found = nr.cluster(points, 4, objective=objective, time_limit=0.3)
    assert found.loads.max() <= 12
solved = nr.solve(instance, method="ncc", time_limit=1.0)
assert solved.method == "ncc"
"""
    status, text, messages = run_without_extras(code)
    assert (status, text, messages) == (0, "", "")


def test_star_import_works_without_any_extra(
    run_without_extras: RunWithoutExtras,
) -> None:
    """Names that need an extra stay out of it, and say so when asked for."""
    code = """
from ncc_routing import *
assert callable(solve) and "CapacitatedClustering" not in globals()
try:
    nr.CapacitatedClustering
except ImportError as error:
    print(error)
"""
    assert run_without_extras(code)[1] == (
        "sklearn is not installed: "
        'pip install "ncc_routing[sklearn]" installs it.\n'
    )


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("from ncc_routing.plotting import plot_solution", "plot"),
        ("nr.warm_start(None)", "pyvrp"),
        ("nr.solve(nr.read('NCC-n0021-s1'), polish='pyvrp')", "pyvrp"),
        (
            "nr.solve(nr.read('NCC-n0021-s1'), "
            "params=nr.SolveParams(router='lkh'))",
            "lkh",
        ),
        ("nr.solve_days(['NCC-n0021-s1'])", "large"),
        ("import ncc_routing.paper.learning.training", "learning"),
        ("import ncc_routing.ccp.estimator", "sklearn"),
    ],
)
def test_python_names_the_extra(
    code: str, extra: str, run_without_extras: RunWithoutExtras
) -> None:
    """The last line of the traceback is the hint."""
    status, out, err = run_without_extras(code)
    assert (status, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("ncc_routing.core.exceptions.MissingDependency")
    assert f'pip install "ncc_routing[{extra}]" installs it.' in last


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("solve NCC-n0021-s1 --polish pyvrp", "pyvrp"),
        ("solve NCC-n0021-s1 --router lkh", "lkh"),
        ("solve NCC-n0021-s1 --polish none --plot {tmp}/a.png", "plot"),
        ("plot NCC-n0021-s1 {known}/NCC-n0021-s1.sol -o {tmp}/a.svg", "plot"),
        ("solve-days NCC-n0021-s1 NCC-n0101-s1", "large"),
        ("instances get X-n101-k25", "names"),
        ("label {tmp}/labels --count 1 --sizes 20 30", "learning"),
        ("train {tmp} --validation {tmp} --output {tmp}/o", "learning"),
    ],
)
def test_shell_names_the_extra(
    line: str,
    extra: str,
    tmp_path: Path,
    instances_dir: Path,
    run_without_extras: RunWithoutExtras,
) -> None:
    """One line on stderr and exit code 1."""
    words = line.format(tmp=tmp_path, known=instances_dir).split()
    code = "from ncc_route.app import main; main()"
    status, _, err = run_without_extras(code, *words)
    assert status == 1
    assert err.startswith("ncc-route: error: ")
    assert err.endswith(f'pip install "ncc_routing[{extra}]" installs it.\n')
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("found", "is_known"),
    [
        ("0.13.9", False),
        ("0.14.0", True),
        ("0.14.1", True),
        ("1.0.0a0", True),
        ("1.9", True),
        ("2.0.0", False),
    ],
)
def test_versions_on_both_sides(
    monkeypatch: pytest.MonkeyPatch, found: str, is_known: bool
) -> None:
    """One line names the version, the range and the extra."""
    monkeypatch.setattr("importlib.metadata.version", lambda _: found)
    if is_known:
        extras.require_version("pyvrp", (0, 14), (2, 0))
        return
    with pytest.raises(MissingDependencyError) as error:
        extras.require_version("pyvrp", (0, 14), (2, 0))
    assert str(error.value) == (
        f"pyvrp {found} is installed, but it must be at least 0.14 and below "
        '2.0: pip install "ncc_routing[pyvrp]" installs such a version.'
    )


@pytest.mark.parametrize(
    "call",
    [
        "nr.solve(case, stop=stop).plot()",
        "nr.solve(case, stop=stop).plot_trace()",
        "nr.cluster(nr.PointSet.from_instance(case), 4).plot()",
        "nr.cluster(nr.PointSet.from_instance(case), 4).plot_trace()",
    ],
)
def test_figures_of_results_name_their_extra(
    call: str, run_without_extras: RunWithoutExtras
) -> None:
    """As the functions that draw them."""
    code = f"""
case, stop = generate_uchoa(9, 1, route_length=3), nr.stop.MaxIterations(5)
try:
    {call}
except nr.NccRoutingError as error:
    print(error)
"""
    status, out, err = run_without_extras(code)
    assert status == 0, err
    assert out.startswith("matplotlib is not installed: pip install")


def test_a_folder_of_that_name_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python takes it for a namespace."""
    (tmp_path / "some_library").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert not is_installed("some_library")
    (tmp_path / "some_library" / "__init__.py").touch()
    invalidate_caches()
    assert is_installed("some_library")
