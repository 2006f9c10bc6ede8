"""Programs of others; small programs that are written here stand for them."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import layers
from benchmarks.__main__ import EXPERIMENTS, run, without_absent
from benchmarks.experiments.routes import OURS, in_order
from benchmarks.harness.cases import X_ROUTE_LENGTHS, length_classes
from benchmarks.harness.experiment import Case, Task, Variant
from benchmarks.harness.peers import (
    PEERS,
    Order,
    Peer,
    run_about,
    run_peer,
    why_absent,
)
from benchmarks.harness.processes import EndedProcess, run_process
from ncc_routing import NccRoutingError, Solution
from ncc_routing.core.row_files import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing import Instance

BUILT = [name for name, peer in PEERS.items() if peer.repository]
"""The programs that a reader has to build."""

# Reads a file as HGS-CVRP does: three lines, then words with blanks around
# each colon. Writes what it is told, with a route for every customer in %s.
FAKE = """\
#!{python}
import sys
lines = open(sys.argv[1]).read().splitlines()
assert [line.split()[0] for line in lines[:3]] == ["NAME", "COMMENT", "TYPE"]
words = dict(line.split(" : ") for line in lines[3:6])
assert words["EDGE_WEIGHT_TYPE"] == "EUC_2D" and words["DIMENSION"] == "5"
assert lines[7].split() == ["1", "50", "50"]
{rest}
"""
ANSWERS = {
    "HGS-CVRP": "Route #1: 1 4\nRoute #2: 2 3\nCost 7\n",
    "FILO2": "Route #1: 1 4\nRoute #2: 2 3\nCost 7\n",
    "AILS-II": "Route #1: 1 4 \nRoute #2: 2 3 \nCost 7.0\n\n",
    "PyVRP": "Route #1: 1 4\nRoute #2: 2 3\nCost: 7\n",
}
"""Two routes of the fixture ``square``, as each program writes them."""


def program(path: Path, rest: str) -> Peer:
    """Write a program, and return how it is called."""
    path.write_text(FAKE.format(python=sys.executable, rest=rest))
    path.chmod(0o755)
    return Peer(
        "fake",
        lambda order: ("instance.vrp", order.seed, order.iterations),
        launch=(str(path),),
    )


@pytest.mark.parametrize("name", PEERS)
def test_recorded_command_names_no_path(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is run does, and what is recorded is the same elsewhere."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", "/here/peers")
    told = PEERS[name].describe(Order(3, 10.0, 777))
    assert "/here" not in told
    assert sys.executable not in told
    command = PEERS[name].command()
    if name in BUILT:
        assert any(word.startswith("/here/peers/") for word in command)
    else:
        assert command[0] == sys.executable


@pytest.mark.parametrize("name", ANSWERS)
def test_solution_of_each_program_is_read(
    name: str, square: Instance, tmp_path: Path
) -> None:
    """Its cost is measured here, whatever the file says."""
    rest = f"open('any.sol', 'w').write({ANSWERS[name]!r})"
    peer = program(tmp_path / "fake", rest)
    ended, found = run_peer(peer, square, Order(1, 1.0))
    best = Solution.from_routes(square, ((1, 4), (2, 3)))
    assert (found.routes, found.cost) == (best.routes, best.cost)
    assert found.cost > 7
    assert ended.seconds > 0


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("print('EXCEPTION')", "fake wrote no solution. EXCEPTION"),
        ("open('a.sol', 'w').write('Route #1: 1 4\\n')", "customer 2"),
        ("open('a.sol', 'w').write('Route #1: 1 2 3 4\\n')", "10 of 5"),
        ("sys.exit('no licence')", "no licence"),
        ("sys.exit(3)", "exit code 3"),
    ],
)
def test_answer_that_is_no_solution(
    rest: str, message: str, square: Instance, tmp_path: Path
) -> None:
    """A program that fails, drops a customer or overloads a vehicle."""
    peer = program(tmp_path / "fake", rest)
    with pytest.raises(NccRoutingError, match=message):
        run_peer(peer, square, Order(1, 1.0))


def test_program_that_does_not_end_is_killed(tmp_path: Path) -> None:
    """After the patience, with its exit code as the message."""
    script = tmp_path / "sleeps.py"
    script.write_text("import time\ntime.sleep(60)\n")
    with pytest.raises(NccRoutingError, match="exit code -9"):
        run_process([sys.executable, str(script)], patience=0.2)


def timed(
    law: Callable[[int], float], asked: list[int]
) -> Callable[[Order], tuple[EndedProcess, Solution]]:
    """Return a run that lasts as long as a law says."""

    def run(order: Order) -> tuple[EndedProcess, Solution]:
        asked.append(order.iterations)
        seconds = law(order.iterations)
        return EndedProcess("", seconds, seconds, 1.0), Solution((), 0.0)

    return run


@pytest.mark.parametrize("power", [0.9, 1.0, 1.2])
def test_iterations_last_the_ordered_seconds(power: float) -> None:
    """A power law is met to the percent, after four trials."""

    def law(iterations: int) -> float:
        return 0.5 + 1e-3 * math.pow(iterations, power)

    asked: list[int] = []
    order, (ended, _) = run_about(Order(4, 60.0), timed(law, asked))
    assert ended.cpu_seconds == pytest.approx(60.0, rel=0.01)
    assert (order.seed, order.iterations) == (4, asked[-1])
    assert asked[:2] == [1, 500]
    assert len(asked) == 5
    assert law(asked[2]) == pytest.approx(0.5 + 59.5 / 16, rel=0.5)
    assert law(asked[3]) == pytest.approx(0.5 + 59.5 / 4, rel=0.02)


def test_set_up_longer_than_the_time_leaves_one_iteration() -> None:
    """There is no time for more."""
    order, _ = run_about(Order(1, 2.0), timed(lambda n: 3.0 + 1e-3 * n, []))
    assert order.iterations == 1


@pytest.mark.parametrize("name", PEERS)
def test_absent_program_is_named_in_a_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line names the file and the variable."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", str(tmp_path))
    reason = why_absent(name)
    if name not in BUILT:
        assert reason is None
        return
    file = tmp_path / PEERS[name].folder / PEERS[name].program
    assert reason is not None
    assert reason.startswith(f"{file} does not exist: NCC_ROUTING_PEERS")
    assert "\n" not in reason
    assert (layers.REPOSITORY / "docs/benchmarks/routes.md").is_file()
    file.parent.mkdir(parents=True)
    file.touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    if name == "AILS-II":
        assert why_absent(name) == "java cannot be run."
        return
    assert why_absent(name) == f"{file} cannot be run."
    file.chmod(0o755)
    assert why_absent(name) is None


def test_runs_of_absent_programs_wait(caplog: Any) -> None:
    """They are left out with one line, however many they are."""
    case = Case("x", lambda: None)
    here = Variant("here", lambda *_: {})
    gone = Variant("gone", lambda *_: {}, why_absent=lambda: "not built.")
    tasks = [
        Task(case, v, seed, None) for v in (here, gone) for seed in (1, 2)
    ]
    assert without_absent(tasks) == tasks[:2]
    assert caplog.messages == ["gone is left out: not built."]


def test_record_of_a_run(
    square: Instance,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: Any,
) -> None:
    """A program in its place gives a row; the absent ones give none."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", str(tmp_path))
    file = tmp_path / PEERS["HGS-CVRP"].folder / PEERS["HGS-CVRP"].program
    file.parent.mkdir(parents=True)
    answer = ANSWERS["HGS-CVRP"]
    program(file, f"open(sys.argv[2], 'w').write({answer!r})")
    full = EXPERIMENTS["peers_x"]
    experiment = replace(
        full,
        cases=lambda: [Case("square", lambda: square, lambda _: 600.0)],
        variants=tuple(v for v in full.variants if v.name in BUILT),
        budgets=(1.0,),
        warm=None,
        jobs=1,
    )
    run(experiment, tmp_path / "peers_x.csv", None, None)
    (row,) = read_rows(tmp_path / "peers_x.csv")
    cost = int(Solution.from_routes(square, ((1, 4), (2, 3))).cost)
    expected = {
        "instance": "square", "solver": "HGS-CVRP", "seconds": "1.0",
        "feasible": "True", "cost": str(cost), "num_routes": "2",
        "bks": "600", "version": "unknown", "error": "",
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    assert float(row["gap_percent"]) == pytest.approx(cost / 6 - 100, abs=1e-3)
    assert 0 < float(row["taken"]) < 60
    assert "FILO2 is left out" in caplog.text
    assert "AILS-II is left out" in caplog.text


def test_page_tells_what_to_build() -> None:
    """Repository, commit, folder and built file of each program."""
    text = (layers.REPOSITORY / "docs/benchmarks/routes.md").read_text()
    for name in BUILT:
        peer = PEERS[name]
        clone = f"clone --no-checkout {peer.repository} {peer.folder}\n"
        assert f"git {clone}" in text
        assert f"git -C {peer.folder} checkout {peer.commit}\n" in text
        assert f" {peer.folder}/{Path(peer.program).parent}" in text


def test_classes_of_route_length() -> None:
    """Twenty instances each; the name tells nodes and routes."""
    classes = length_classes()
    assert len(classes) == 100
    for name, words in classes.items():
        low, high = map(int, words.split("-"))
        nodes, routes = (int(w[1:]) for w in name.split("-")[1:])
        assert low - 1 < (nodes - 1) / routes < high + 1
    counts = [list(classes.values()).count(each) for each in X_ROUTE_LENGTHS]
    assert counts == [20] * 5


def test_rows_stand_in_the_order_of_the_solvers() -> None:
    """Runs of two at a time end in no order of their own."""
    rows = [
        {"instance": instance, "solver": solver, "seconds": "10.0"}
        for instance in ("X-n101-k25", "X-n120-k6")
        for solver in ("FILO2", OURS)
    ]
    assert [row["solver"] for row in in_order(rows)] == [OURS, "FILO2"] * 2
