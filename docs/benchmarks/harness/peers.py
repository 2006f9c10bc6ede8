"""Solvers of others, run as programs on the instances of an experiment.

They are no part of this project: the page ``docs/benchmarks/routes.md`` tells
how to build them below the folder that ``NCC_ROUTING_PEERS`` names. PyVRP is
run by its own command, as its users do.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.harness.processes import last_line, run_process
from ncc_routing.bench.best_known import read_valid_solution
from ncc_routing.bench.protocol import ask_git
from ncc_routing.bench.records import whole
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.io.vrplib import write_instance

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.experiment import Allowance
    from benchmarks.harness.processes import EndedProcess
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

FOLDER = "NCC_ROUTING_PEERS"
"""Environment variable that names the folder of the programs."""

INSTANCE, SOLUTION = "instance.vrp", "found.sol"
"""Files of a run, each in a folder of its own."""

FIRST_TRIAL = 500
"""Iterations of the first trial of a program that takes no time limit."""

TRIAL_SHARES = (1 / 16, 1 / 4)
"""Shares of the time that the further trials are to take."""

TOLERANCE = 0.1
"""Share of the time by which a run may miss it; else there is one more."""

GROWTH = (0.8, 1.5)
"""Bounds on the power with which time grows with the iterations."""

Answer = tuple["EndedProcess", "Solution"]
"""What a run took, and its solution."""

_SHORTEST = 0.01
"""Seconds that a trial counts at least, the step of processor time."""


@dataclass(frozen=True)
class Order:
    """What a program is asked for: a seed and an end."""

    seed: int
    seconds: float
    iterations: int = 0


@dataclass(frozen=True)
class Peer:
    """A program that solves the CVRP, and how it is called.

    Parameters
    ----------
    name
        What tables call it.
    options
        Returns the arguments after the program, given an order. It works in
        a folder of its own, and writes one file that ends with ".sol".
    launch
        Words that start it. ``{program}`` is the built file, ``{place}``
        its folder, ``{python}`` this interpreter.
    repository, commit
        Where its source is, and the version that the page tells to build.
        Empty for one that is installed beside this package.
    folder, program
        Folder of the clone below ``NCC_ROUTING_PEERS``, and the file in it
        that the build makes.
    takes_seconds
        Whether it takes a time limit; else it gets the iterations that last
        about as long.
    """

    name: str
    options: Callable[[Order], tuple[object, ...]]
    launch: tuple[str, ...] = ("{program}",)
    repository: str = ""
    commit: str = ""
    folder: str = ""
    program: str = ""
    takes_seconds: bool = True

    @property
    def file(self) -> Path:
        """The built file; of an installed one nothing that counts."""
        folder = os.environ.get(FOLDER, "peers")
        return Path(folder, self.folder, self.program).absolute()

    @property
    def version(self) -> str:
        """Commit of the clone; version of an installed one."""
        if not self.repository:
            return version(self.name)
        said = ask_git(
            *("rev-parse", "--short=12", "HEAD"), folder=self.file.parent
        )
        return said or "unknown"

    def command(self) -> list[str]:
        """Return the words that start it on this machine."""
        return self._words(self.file, sys.executable)

    def describe(self, order: Order) -> str:
        """Return the whole command without the paths of this machine."""
        start = self._words(Path(self.folder, self.program), "python")
        return " ".join(map(str, (*start, *self.options(order))))

    def _words(self, program: Path, python: str) -> list[str]:
        values = {"program": program, "place": program.parent}
        return [word.format(python=python, **values) for word in self.launch]


def hgs_options(order: Order) -> tuple[object, ...]:
    """Return what HGS-CVRP is told; its limit counts processor time."""
    return (
        *(INSTANCE, SOLUTION, "-t", order.seconds),
        *("-seed", order.seed, "-round", 1, "-log", 0),
    )


def filo2_options(order: Order) -> tuple[object, ...]:
    """Return what FILO2 is told; it ends after some iterations."""
    return (
        *(INSTANCE, "--seed", order.seed),
        *("--coreopt-iterations", order.iterations),
    )


def ails_options(order: Order) -> tuple[object, ...]:
    """Return what AILS-II is told; it takes no seed.

    It compares whole seconds with the limit, and ends at the first that is
    above it.
    """
    return (
        *("-file", INSTANCE, "-rounded", "true"),
        *("-stoppingCriterion", "Time", "-limit", order.seconds - 0.5),
    )


def pyvrp_options(order: Order) -> tuple[object, ...]:
    """Return what PyVRP's command is told."""
    return (
        *(INSTANCE, "--seed", order.seed, "--round_func", "round"),
        *("--max_runtime", order.seconds, "--sol_dir", "."),
    )


PEERS: Final = {
    peer.name: peer
    for peer in (
        Peer(
            "HGS-CVRP",
            hgs_options,
            repository="https://github.com/vidalt/HGS-CVRP",
            commit="1a927955cd28",
            folder="HGS-CVRP",
            program="build/hgs",
        ),
        Peer(
            "FILO2",
            filo2_options,
            repository="https://github.com/acco93/filo2",
            commit="ffee4ce1b445",
            folder="filo2",
            program="build/filo2",
            takes_seconds=False,
        ),
        Peer(
            "AILS-II",
            ails_options,
            # One core: no thread of its own for the memory.
            launch=(
                *("java", "-Xmx4g", "-XX:+UseSerialGC"),
                *("-XX:ActiveProcessorCount=1", f"-Doutput={SOLUTION}"),
                *("-cp", "{place}", "SolveFile"),
            ),
            repository="https://github.com/INFORMSJoC/2023.0106",
            commit="4ff361153681",
            folder="2023.0106",
            program="build/SolveFile.class",
        ),
        Peer("PyVRP", pyvrp_options, launch=("{python}", "-m", "pyvrp.cli")),
    )
}
"""The programs by name."""


def why_absent(name: str) -> str | None:
    """Return why a program cannot run here, ``None`` where it can."""
    peer = PEERS[name]
    if peer.repository and not peer.file.is_file():
        return (
            f"{peer.file} does not exist: {FOLDER} has to name a folder that "
            "is filled as docs/benchmarks/routes.md tells."
        )
    start = peer.command()[0]
    return None if shutil.which(start) else f"{start} cannot be run."


def solve_by_peer(
    instance: Instance, seed: int, budget: Allowance, *, peer: str
) -> dict[str, object]:
    """Solve an instance by a program.

    Parameters
    ----------
    instance
        The instance; the program reads a file of it.
    seed
        Seed of the run, for the programs that take one.
    budget
        Seconds that the program is given.
    peer
        Its name.

    Returns
    -------
    dict
        Cost and routes of its solution, measured here, seconds of the
        process, version and options of the program.

    Raises
    ------
    NccRoutingError
        If it fails, or writes no solution that passes ``check_solution``.
    """
    known, order = PEERS[peer], Order(seed, float(budget or 0.0))
    if known.takes_seconds:
        ended, found = run_peer(known, instance, order)
    else:
        order, (ended, found) = run_about(
            order, partial(run_peer, known, instance)
        )
    return {
        "cost": whole(found.cost),
        "num_routes": found.num_routes,
        "feasible": True,
        "runtime_seconds": ended.seconds,
        "cpu_seconds": ended.cpu_seconds,
        "peak_mib": ended.peak_mib,
        "version": known.version,
        "options": known.describe(order),
    }


def run_peer(peer: Peer, instance: Instance, order: Order) -> Answer:
    """Run a program once; return what it took and its checked solution."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_for_peers(folder / INSTANCE, instance)
        ended = run_process(
            [*peer.command(), *map(str, peer.options(order))],
            folder,
            patience=120.0 + 3.0 * order.seconds,
        )
        written = sorted(folder.glob("*.sol"))
        if not written:
            said = last_line(ended.output)
            raise NccRoutingError(f"{peer.name} wrote no solution. {said}")
        return ended, read_valid_solution(instance, written[0])


def run_about(
    order: Order, run: Callable[[Order], Answer]
) -> tuple[Order, Answer]:
    """Run a program for the iterations that last about the ordered seconds.

    A trial of one iteration tells the time of the set-up. Beyond it, time
    grows with a power of the iterations: two longer trials, of a sixteenth
    and a quarter of the time, tell which. Where the run that follows misses
    the time by more than ``TOLERANCE``, there is one more, and the one that
    lasted nearer to it counts, whatever the costs. All times are processor
    time.

    Parameters
    ----------
    order
        Its iterations do not count.
    run
        Runs the program.

    Returns
    -------
    tuple
        The order with its iterations, and what came of it.
    """
    setup = run(replace(order, iterations=1))[0].cpu_seconds
    points: list[tuple[int, float]] = []
    tried: list[tuple[float, Order, Answer]] = []
    iterations = FIRST_TRIAL
    for share in (*TRIAL_SHARES, 1.0, 1.0, 1.0):
        asked = replace(order, iterations=iterations)
        answer = run(asked)
        took = answer[0].cpu_seconds
        if len(points) > len(TRIAL_SHARES):  # this one was no trial
            miss = abs(took - order.seconds)
            tried.append((miss, asked, answer))
            if miss <= TOLERANCE * order.seconds:
                break
        points.append((iterations, max(took - setup, _SHORTEST)))
        wanted = share * (order.seconds - setup)
        iterations = _extrapolate(points[-2:], wanted)
    _, asked, answer = min(tried, key=lambda each: each[0])
    return asked, answer


def _extrapolate(points: list[tuple[int, float]], wanted: float) -> int:
    """Return the iterations that take a time, given those of others."""
    before, took = points[-1]
    power = 1.0
    if points[0][0] != before:
        more = math.log(took / points[0][1]) / math.log(before / points[0][0])
        power = min(max(more, GROWTH[0]), GROWTH[1])
    share = max(wanted, 0.0) / took
    return max(1, round(before * math.pow(share, 1.0 / power)))


def write_for_peers(file: Path, instance: Instance) -> None:
    """Write an instance so that every program reads it.

    HGS-CVRP wants a COMMENT line and a blank before each colon.
    """
    write_instance(file, instance, "-")
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"^([A-Z_]+): ", r"\1 : ", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
