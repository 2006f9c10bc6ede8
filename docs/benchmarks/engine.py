"""Two checkouts side by side: their speed, their start, and their answers.

python docs/benchmarks/engine.py TABLE BEFORE AFTER --output FOLDER --name NAME

TABLE is one of

- ``speed``: iterations a second, by the processor's clock, of processes that
  take turns. Each works on one case on one thread: it loads the package of its
  checkout, runs a few iterations, and then times some thousand more.
- ``start``: the first and further runs of commands in a new copy of each
  checkout, as an installation leaves it: its Python is compiled to bytecode.
- ``costs``: costs at a time limit; one process of each checkout at a time,
  on a core each.
- ``pairs``: costs of generated problems with windows, fleets and depots after
  twenty seconds by the processor's clock, likewise.

The interpreter has the packages that both need, and `ncc_routing` itself not
installed; each checkout has its compiled module beside its sources. The folder
gets ``NAME_TABLE.csv``, one row a process. ``NCC_ROUTING_DATA`` names the
folder of the published instances, which are for reporting alone.
"""

from __future__ import annotations

import argparse
import compileall
import csv
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

ROUNDS = 5
"""Processes of each checkout and case."""

COLUMNS = {
    "speed": ("iterations", "seconds", "megabytes"),
    "start": ("run", "wall_seconds", "cpu_seconds"),
    "costs": ("instance", "limit", "cost", "seconds"),
    "pairs": ("seed", "limit", "cost", "seconds"),
}
"""Columns of each table beside case, checkout and commit."""

PLAIN = {
    "plain, n = 200, 5 a route": (200, 5.0),
    "plain, n = 200, 20 a route": (200, 20.0),
    "plain, n = 1,000, 9 a route": (1000, 9.0),
    "plain, n = 1,000, 25 a route": (1000, 25.0),
    "plain, n = 3,000, 15 a route": (3000, 15.0),
}
"""Generated instances of the X family: customers, and mean customers a
route."""

PUBLISHED = {
    "windows, R1": "VRPTW/R1_10_2.vrp",
    "windows, C1": "VRPTW/C1_10_2.vrp",
    "windows, R2": "VRPTW/R2_10_2.vrp",
    "windows, C2": "VRPTW/C2_10_2.vrp",
    "windows, RC2": "VRPTW/RC2_10_2.vrp",
    "fleet": "HFVRP/X655-HD.vrp",
    "several depots": "MDVRPTW/PR11A.vrp",
}
"""Published instances, read for their speed."""


def plain(num_customers: int, route_size: float) -> Instance:
    """Generate an instance of the X family."""
    from ncc_routing.generators.uchoa import generate_uchoa

    return generate_uchoa(num_customers, 6000001, route_length=route_size)


def published(name: str) -> Instance:
    """Read a published instance."""
    import ncc_routing as nr

    file = Path(os.environ["NCC_ROUTING_DATA"], "vrp", name)
    return nr.read(file, "dimacs" if "VRPTW" in name else "exact")


def search(make: Callable[[], Instance]) -> Callable[[int], object]:
    """Return ruin and recreate of an instance by a number of iterations."""
    import ncc_routing as nr
    from ncc_routing.vrp.methods import POLISHES

    instance = make()
    method = "insertion" if instance.fleet or instance.windows else "savings"
    start = nr.solve(instance, method=method, polish="none").best
    polish: Any = POLISHES["ruin-recreate"].function
    if isinstance(polish, str):  # an older checkout
        module, _, name = polish.partition(":")
        older = getattr(import_module(module), name)
        return lambda number: older(instance, start, max_iterations=number)
    from ncc_routing.core.budget import Budget

    params = nr.SolveParams()
    return lambda number: polish(
        instance, start, params.run(Budget.of(iterations=number))
    )


def clusters(num_points: int, objective: str) -> Callable[[int], object]:
    """Return a clustering by a number of kicks or of moves."""
    import numpy as np

    import ncc_routing as nr
    from ncc_routing.core.stopping import MaxIterations

    points = np.random.default_rng(1).random((num_points, 2))
    size = num_points // 40
    return lambda number: nr.cluster(
        points,
        num_clusters=size,
        capacity=44.0,
        objective=objective,
        method="ckm",
        stop=MaxIterations(number),
    )


CASES: dict[str, tuple[Callable[[], Callable[[int], object]], int]] = {
    **{
        name: (partial(search, partial(plain, *shape)), 1_000_000)
        for name, shape in PLAIN.items()
    },
    **{
        name: (partial(search, partial(published, file)), 1_000_000)
        for name, file in PUBLISHED.items()
    },
    "clusters, inertia": (partial(clusters, 2000, "inertia"), 2000),
    "clusters, medians": (partial(clusters, 2000, "cpmp"), 20_000),
}
"""What makes the work of each case, and its iterations."""


COMMANDS = {
    "solve": "solve {data}/cvrp/X/X-n101-k25.vrp --time-limit 0.2",
    "solve, windows": "solve {data}/vrp/VRPTW/R1_10_2.vrp --time-limit 0.2",
    "solve, fleet": "solve {data}/vrp/HFVRP/X275-HVRP.vrp --time-limit 0.2",
    "cluster": "cluster {points} --capacity 20 --time-limit 0.2",
    "bench": "bench {data}/cvrp/X/X-n101-k25.vrp --time-limit 0.2",
    "label": "label labels --count 1 --sizes 50 50 --runs 1 --iterations 1",
}
"""What the command is asked to do."""

LIMITS = {
    "X, 1 s": ("cvrp/X/*.vrp", 1.0, 1),
    "X, 10 s": ("cvrp/X/*.vrp", 10.0, 4),
    "windows, 20 s": ("vrp/VRPTW/*.vrp", 20.0, 1),
    "AGS, 120 s": ("cvrp/AGS/[AL]*.vrp", 120.0, 1),
}
"""Instances, seconds, and the step from one instance to the next: four
takes all classes of lengths of routes in turn."""


PAIRS = {
    "windows, R1": ("generate_time_windows", "random", "short"),
    "windows, RC1": ("generate_time_windows", "half", "short"),
    "windows, C1": ("generate_time_windows", "clustered", "short"),
    "windows, R2": ("generate_time_windows", "random", "long"),
    "windows, RC2": ("generate_time_windows", "half", "long"),
    "windows, C2": ("generate_time_windows", "clustered", "long"),
    "fleet, unit costs": ("generate_fleet", "costs"),
    "fleet, capacities": ("generate_fleet", "capacities"),
    "several depots": ("generate_depots",),
}
"""Generators of problems of 1,000 customers, and their kinds."""

PAIR_SEEDS = range(8000001, 8000005)
PAIR_SECONDS = 20.0
"""Seeds of the instances, and the time of a search."""


def pair(case: str, seed: int) -> None:
    """Print the limit, the cost of a generated problem, and the seconds."""
    import ncc_routing as nr
    from ncc_routing.generators import time_windows

    try:
        older = import_module(".core.deadline", "ncc_routing")
        limited: Any = older.Deadline
    except ImportError:  # a checkout from then on
        limited = import_module("ncc_routing.core.stopping").TimeLimit

    name, *kind = PAIRS[case]
    instance = getattr(time_windows, name)(1000, seed, *kind)
    start = nr.solve(instance, method="insertion", polish="none").best
    begun = time.process_time()
    deadline = limited(PAIR_SECONDS, clock=time.process_time)
    polish = search_from(instance, start, deadline)
    print(PAIR_SECONDS, polish.cost, round(time.process_time() - begun, 3))


def search_from(
    instance: Instance, start: Solution, deadline: TimeLimit
) -> Solution:
    """Return what ruin and recreate makes of a start until a deadline."""
    from ncc_routing.vrp.search import ruin_recreate

    polish: Any = ruin_recreate.ruin_and_recreate
    try:
        from ncc_routing.core.budget import Budget
        from ncc_routing.core.run import Run
    except ImportError:  # an older checkout
        found: Solution = polish(instance, start, deadline=deadline)
    else:
        found = polish(instance, start, Run(Budget(deadline)))
    return found


def measure(case: str) -> None:
    """Print iterations, seconds of the processor, and peak memory in MB."""
    make, number = CASES[case]
    run = make()
    run(10)
    begun = time.process_time()
    run(number)
    seconds = time.process_time() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(number, round(seconds, 4), round(memory, 1))


def solve(file: Path, limit: float) -> None:
    """Print the cost of an instance after a limit, and the seconds."""
    import ncc_routing as nr
    from ncc_routing.generators.uchoa import generate_uchoa

    read = partial(
        nr.read, metric="dimacs" if "VRPTW" in str(file) else "cvrplib"
    )
    nr.solve(generate_uchoa(150, 1), time_limit=1.0)
    if "VRPTW" in str(file):
        nr.solve(read(file), time_limit=1.0)
    instance = read(file)
    begun = time.perf_counter()
    found = nr.solve(instance, time_limit=limit, seed=1, jobs=1)
    print(limit, found.best.cost, round(time.perf_counter() - begun, 3))


def start(
    checkout: Path, words: list[str], folder: Path | None = None
) -> subprocess.Popen[str]:
    """Start a process of a checkout."""
    folders = os.pathsep.join(map(str, (checkout, checkout / "cli")))
    return subprocess.Popen(
        [sys.executable, "-P", *words],
        env={**os.environ, "PYTHONPATH": folders},
        stdout=subprocess.PIPE,
        stderr=None if folder is None else subprocess.DEVNULL,
        cwd=folder,
        text=True,
    )


def last_words(process: subprocess.Popen[str]) -> list[str]:
    """Return the last line that a process prints, by words."""
    output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{process.args!r}: {process.returncode}")
    return output.splitlines()[-1].split()


def commit(checkout: Path) -> str:
    """Return the commit of a checkout, with a sign where it has changes."""
    run = partial(subprocess.check_output, cwd=checkout, text=True)
    name = run(["git", "describe", "--always", "--dirty=+", "--abbrev=12"])
    return name.strip()


def speed_rows(checkouts: list[Path], rounds: int) -> Iterator[list[Any]]:
    """Yield case, checkout and measures, in turns."""
    for case in CASES:
        for _ in range(rounds):
            for path in checkouts:
                process = start(path, [__file__, "measure", "--case", case])
                yield [case, path, *last_words(process)]


def cost_rows(checkouts: list[Path], _: int) -> Iterator[list[Any]]:
    """Yield case, checkout, instance and its cost, both checkouts at once."""
    data = Path(os.environ["NCC_ROUTING_DATA"])
    for case, (pattern, limit, step) in LIMITS.items():
        files = sorted(
            data.glob(pattern),
            key=lambda f: (int((re.findall(r"-n(\d+)", f.stem) or [0])[0]), f),
        )
        for file in files[::step]:
            words = [__file__, "solve", str(file), "--limit", str(limit)]
            processes = [start(path, words) for path in checkouts]
            for path, process in zip(checkouts, processes, strict=True):
                yield [case, path, file.stem, *last_words(process)]


def pair_rows(checkouts: list[Path], _: int) -> Iterator[list[Any]]:
    """Yield case, checkout, seed and cost, both checkouts at once."""
    for seed in PAIR_SEEDS:
        for case in PAIRS:
            words = [__file__, "pair", "--case", case, "--seed", str(seed)]
            processes = [start(path, words) for path in checkouts]
            for path, process in zip(checkouts, processes, strict=True):
                yield [case, path, seed, *last_words(process)]


def start_rows(checkouts: list[Path], rounds: int) -> Iterator[list[Any]]:
    """Yield command, checkout, number of the run, and its seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = {
            "data": os.environ["NCC_ROUTING_DATA"],
            "points": write_points(folder),
        }
        copies = {path: copy_of(path, folder) for path in checkouts}
        for command, text in COMMANDS.items():
            for number in range(1 + rounds):
                for path, copy in copies.items():
                    out = folder / "out"
                    shutil.rmtree(out, ignore_errors=True)
                    out.mkdir()
                    words = text.format(**places).split()
                    yield [command, path, number, *timed(copy, words, out)]


def write_points(folder: Path) -> Path:
    """Write a table of 200 points."""
    file = folder / "points.csv"
    rows = [f"{7 * k % 101},{13 * k % 97},1" for k in range(200)]
    file.write_text("\n".join(("x,y,weight", *rows, "")))
    return file


def copy_of(checkout: Path, folder: Path) -> Path:
    """Return a copy of a checkout as an installation leaves it."""
    copy = Path(tempfile.mkdtemp(dir=folder))
    skip = shutil.ignore_patterns("__pycache__", "cpp")
    for part in ("ncc_routing", "cli"):
        shutil.copytree(checkout / part, copy / part, ignore=skip)
        compileall.compile_dir(copy / part, quiet=1)
    return copy


def timed(copy: Path, words: list[str], folder: Path) -> tuple[float, float]:
    """Run the command; return seconds by the wall and of the processor."""
    begun = time.perf_counter()
    process = start(copy, ["-m", "ncc_route", *words], folder)
    with process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begun
    if process.returncode:
        raise SystemExit(f"{words}: {process.returncode}")
    return round(wall, 3), round(usage.ru_utime + usage.ru_stime, 3)


TABLES = {
    "speed": speed_rows,
    "start": start_rows,
    "costs": cost_rows,
    "pairs": pair_rows,
}


def summary(table: str, rows: list[list[Any]]) -> Iterator[list[str]]:
    """Yield the lines of a table: medians, or means of costs."""
    if table == "pairs":
        rows = rows + [["all", *row[1:]] for row in rows]
    for case in dict.fromkeys(row[0] for row in rows):
        by_side: dict[Any, list[list[Any]]] = {}
        for row in rows:
            if row[0] == case:
                by_side.setdefault(row[1], []).append(row[2:])
        before, after = by_side.values()
        if table == "speed":
            (n, s, m), (_, t, k) = (
                [
                    statistics.median(float(r[c]) for r in side)
                    for c in (0, 1, 2)
                ]
                for side in (before, after)
            )
            yield [
                case,
                f"{n / s:,.0f}",
                f"{n / t:,.0f}",
                f"{s / t:.2f}",
                f"{m:.0f}",
                f"{k:.0f}",
            ]
        elif table == "start":
            yield [case] + [
                f"{statistics.median(float(r[c]) for r in part):.2f}"
                for side in (before, after)
                for part in (side[:1], side[1:])
                for c in (1, 2)
            ]
        else:
            change = [
                100.0 * (float(b[2]) / float(a[2]) - 1.0)
                for a, b in zip(before, after, strict=True)
            ]
            error = statistics.stdev(change) / len(change) ** 0.5
            yield [
                case,
                str(len(change)),
                f"{statistics.mean(change):+.3f}",
                f"{error:.3f}",
            ]


HEADS = {
    "speed": (
        "case",
        "before, 1/s",
        "after, 1/s",
        "ratio",
        "before, MB",
        "after, MB",
    ),
    "start": (
        "command",
        "before, first: wall",
        "cpu",
        "next: wall",
        "cpu",
        "after, first: wall",
        "cpu",
        "next: wall",
        "cpu",
    ),
    "costs": ("case", "instances", "after against before, %", "+-"),
    "pairs": ("case", "instances", "after against before, %", "+-"),
}
"""Heads of the tables that are printed."""


def main() -> None:
    """Run both checkouts, write the rows, and print the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=(*TABLES, "measure", "solve", "pair"))
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--case")
    parser.add_argument("--limit", type=float)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=Path())
    parser.add_argument("--name", default="engine")
    chosen = parser.parse_args()
    if chosen.table == "measure":
        measure(chosen.case)
        return
    if chosen.table == "solve":
        solve(chosen.paths[0], chosen.limit)
        return
    if chosen.table == "pair":
        pair(chosen.case, chosen.seed)
        return
    checkouts = [path.resolve() for path in chosen.paths]
    names = dict(zip(checkouts, ("before", "after"), strict=True))
    commits = {path: commit(path) for path in checkouts}
    rows = []
    file = chosen.output / f"{chosen.name}_{chosen.table}.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        columns = COLUMNS[chosen.table]
        writer.writerow(("case", "checkout", "commit", *columns))
        for row in TABLES[chosen.table](checkouts, chosen.rounds):
            case, path, *rest = row
            rows.append([case, names[path], *rest])
            writer.writerow([case, names[path], commits[path], *rest])
            out.flush()
    sys.path.insert(0, str(checkouts[-1]))
    from ncc_routing.bench.protocol import append_protocol
    from ncc_routing.bench.tables import format_table

    before = {"before": commits[checkouts[0]]}
    jobs = 2 if chosen.table in ("costs", "pairs") else 1
    append_protocol(file.with_suffix(".json"), before, [1], jobs)
    print(format_table(HEADS[chosen.table], list(summary(chosen.table, rows))))


if __name__ == "__main__":
    main()
