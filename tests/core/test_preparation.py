"""Kernels made ready before a clock starts."""

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import numba
import pytest

import ncc_routing
from ncc_routing.ccp import methods as ccp_methods
from ncc_routing.core import preparation
from ncc_routing.core.preparation import KernelBuild, distribute, make_ready
from ncc_routing.vrp import methods as vrp_methods

PATHS = os.pathsep.join(path for path in sys.path if path)

CHECKED = """
import sys
from contextlib import contextmanager
import numpy as np
from numba.core.caching import Cache
import ncc_routing as nr
from ncc_routing.core.compilation import on_compilation
from ncc_routing.core.deadline import Deadline

def fail(*_):
    raise SystemExit("a kernel was compiled or loaded inside the run")

@contextmanager
def ready():
    # What comes from the cache would have been compiled on the first run.
    load, Cache.load_overload = Cache.load_overload, fail
    with on_compilation(fail):
        yield
    Cache.load_overload = load

rng = np.random.default_rng(1)
coords = np.rint(1000 * rng.random((41, 2)))
gaps = np.sqrt(((coords[:, None] - coords) ** 2).sum(axis=2))
demands = np.array([0, *rng.integers(1, 9, 40)])
"""

SOLVES = """
from ncc_routing.scoring.center_predictor import blank_predictor
from ncc_routing.vrp.preparation import prepare_kernels
blank = blank_predictor("cvrp", "geometry")
zones = [-1, *(k // 8 for k in range(40))]
for kind in sys.argv[1:]:
    method, polish, given = kind.split("/")
    instance = nr.Instance(
        "test", demands, 40,
        coords=None if given == "matrix" else coords,
        matrix=gaps if given == "matrix" else None,
        rounding="none" if given == "unrounded" else "nearest",
    )
    wanted = {
        "compact": {"compactness": 1.0},
        "steady": {"consistency": 1.0, "reference": zones},
    }.get(given, {})
    prepare_kernels(
        *(instance, method, polish, Deadline(0.4)),
        preference=next(iter(wanted), None),
    )
    with ready():
        nr.solve(
            instance, method=method, polish=polish, time_limit=0.4,
            **wanted,
            scorer=blank if "paper" in method else None,
        )
"""

KINDS = """
from dataclasses import replace
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.defaults import choose_method
from ncc_routing.vrp.polishing.fleets.limits import keep_to_fleet
from ncc_routing.vrp.preparation import prepare_kernels
plain = nr.Instance("test", demands, 40, coords=coords)
van, truck = nr.VehicleType(40, 8), nr.VehicleType(20, 9, fixed_cost=9)
kinds = {
    "plain": plain,
    "limited": replace(plain, fleet=nr.Fleet((van,))),
    "types": replace(plain, fleet=nr.Fleet((van, truck))),
    "windows": replace(
        plain, windows=nr.TimeWindows.of(41, tw_late=3000 + 99 * demands)
    ),
}
ahead, *names = sys.argv[1:]
if ahead == "warmup":
    nr.warmup()
for name in names:
    instance = kinds[name]
    if ahead == "prepare":
        method = choose_method(nr.SolveParams(), instance)
        prepare_kernels(
            *(instance, method.name, "auto", Deadline()),
            is_routed=method.is_routed,
        )
    with ready():
        # No limit: there is time for children of the annealed routes.
        nr.solve(instance)
        if instance.fleet is not None:
            singles = [(customer,) for customer in range(1, 41)]
            start = Solution.from_routes(instance, singles)
            keep_to_fleet(instance, start, 1, Deadline(9.0))
"""

CLUSTERS = """
from ncc_routing.scoring.center_predictor import blank_predictor
blank = blank_predictor("ccp", "geometry")
for kind in sys.argv[1:]:
    method, objective, weights = kind.split("/")
    number = {"int": int, "float": float}[weights]
    points = nr.PointSet(coords, np.ones(41, dtype=number), number(12))
    with ready():
        nr.cluster(
            points, 6, method=method, objective=objective, time_limit=0.3,
            scorer=blank if "paper" in method else None,
        )
"""


def run_code(code: str, *words: str, **variables: str) -> Any:
    """Run code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": PATHS, **variables},
    )


def add_two(x: float) -> float:
    """Return x + 2; compiled by the test below."""
    return x + 2.0


def note_part(file: str) -> None:
    """Leave a line in a file, as a part that was built."""
    with Path(file).open("a", encoding="utf-8") as text:
        text.write(f"{os.getpid()}\n")


@pytest.mark.parametrize(
    "given", ["coords", "matrix", "unrounded", "compact", "steady"]
)
def test_solve_compiles_nothing_after_the_preparation(given: str) -> None:
    """No method and no polish leaves a kernel to its run."""
    steering = ("savings", "ckm", "ncc")
    alone = {"matrix": "savings", "compact": steering, "steady": steering}
    words = [
        f"{method}/{polish}/{given}"
        for method, polish in product(
            vrp_methods.METHODS, vrp_methods.POLISH_NAMES
        )
        if (polish == "none" or method == "savings")
        and (given in ("coords", "unrounded") or method in alone[given])
        and (
            given not in ("compact", "steady")
            or polish in ("auto", "ruin-recreate")
            or method in ("ckm", "ncc")
        )
    ]
    done = run_code(CHECKED + SOLVES, *words)
    assert done.returncode == 0, done.stderr


NAMES = ("plain", "limited", "types", "windows")


@pytest.mark.parametrize(
    "words", [("warmup", *NAMES), *(("prepare", name) for name in NAMES)]
)
def test_a_default_run_without_a_limit_finds_its_kernels(
    words: tuple[str, ...],
) -> None:
    """After a warm-up, or its own preparation, whatever the problem has."""
    done = run_code(CHECKED + KINDS, *words)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("weights", ["int", "float"])
@pytest.mark.parametrize("objective", ccp_methods.OBJECTIVE_ACCEPTS)
def test_cluster_compiles_nothing(objective: str, weights: str) -> None:
    """No method leaves a kernel to its run."""
    words = [f"{name}/{objective}/{weights}" for name in ccp_methods.METHODS]
    done = run_code(CHECKED + CLUSTERS, *words)
    assert done.returncode == 0, done.stderr


def test_parts_are_built_only_where_something_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One run compiles, the next finds the kernel, and one key runs once."""
    monkeypatch.setattr(add_two, "__module__", "ncc_routing.fake")
    monkeypatch.setattr(preparation, "num_cores", lambda: 1)
    kernel: Any = numba.njit(add_two)
    built = tmp_path / "built"
    part = KernelBuild(f"{__name__}:note_part", (str(built),), 1.0)
    answers: list[float] = []

    def run() -> None:
        answers.append(kernel(1.0))

    for key in ("first", "second", "second"):
        make_ready((str(tmp_path), key), run, [part])
    assert built.read_text() == f"{os.getpid()}\n"
    # The trial of the first key ended before its answer.
    assert answers == [3.0, 3.0]


def test_parts_are_distributed_the_longest_first() -> None:
    """The helper starts a second later; 5 | 4, then 3 to the earlier one."""
    parts = [KernelBuild("m:f", (), seconds) for seconds in (3.0, 5.0, 4.0)]
    seconds = [[p.seconds for p in share] for share in distribute(parts, 2)]
    # Ends: 5 here and 1 + 4 = 5 there; a tie goes to this process.
    assert seconds == [[5.0, 3.0], [4.0]]
    assert distribute(parts[:1], 3) == [parts[:1]]


def test_without_a_folder_everything_works_with_one_line() -> None:
    """Numba finds no place for a cache: a warning, and the answer."""
    line = "caching.CompileResultCacheImpl._locator_classes = []\n"
    code = (
        "from numba.core import caching\n"
        f"{line}"
        "import ncc_routing as nr\n"
        "instance = nr.generate_uchoa(20, seed=1)\n"
        "print(nr.solve(instance, method='sweep', polish='none').best.cost)\n"
    )
    without, usual = run_code(code), run_code(code.replace(line, ""))
    assert without.returncode == 0, without.stderr
    assert float(without.stdout) > 0.0
    assert without.stderr.count("\n") == 1
    assert "no folder can be written" in without.stderr
    assert usual.stdout == without.stdout


@pytest.mark.skipif(
    not hasattr(os, "geteuid")
    or os.geteuid() != 0
    or shutil.which("setpriv") is None,
    reason="only root can run something as somebody else, by setpriv",
)
def test_read_only_install_works_for_anybody() -> None:
    """The package belongs to root, the user has no home."""
    package = Path(ncc_routing.__file__).parent
    ignore = shutil.ignore_patterns("__pycache__")
    code = (
        "import ncc_routing as nr\n"
        "from ncc_routing.core.compiling import HAS_CACHE\n"
        "from ncc_routing.problems.distances import distance\n"
        "print(HAS_CACHE, nr.__file__)\n"
    )
    somebody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    environment = {**os.environ, "HOME": "/nonexistent"}
    environment.pop("NUMBA_CACHE_DIR", None)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # pytest's own are closed to others
        copy = Path(folder) / "ncc_routing"
        shutil.copytree(package, copy, ignore=ignore)
        done = subprocess.run(
            [*somebody, sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env={**environment, "PYTHONPATH": folder},
            cwd=folder,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", str(copy / "__init__.py")]
    assert done.stderr.count("\n") == 1
