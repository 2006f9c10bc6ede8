"""Programs of others: their commands, their time, what they answer.

None of them is needed: small programs that are written here stand for them.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import layers
from ncc_routing.benchmarking.__main__ import run_page, without_absent
from ncc_routing.benchmarking.experiment import Case, Task, Variant
from ncc_routing.benchmarking.experiments.defaults import (
    X_ROUTE_LENGTHS,
    length_classes,
    stratified,
)
from ncc_routing.benchmarking.experiments.peers import OURS, PAGES, in_order
from ncc_routing.benchmarking.peers import (
    PEERS,
    Order,
    Peer,
    run_about,
    run_peer,
    solve_by_peer,
    why_absent,
)
from ncc_routing.benchmarking.processes import EndedProcess, run_process
from ncc_routing.benchmarking.row_files import read_rows
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance

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


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "HGS-CVRP",
            "build/hgs instance.vrp found.sol -t 10.0 -seed 3 -round 1 -log 0",
        ),
        (
            "FILO2",
            "build/filo2 instance.vrp --seed 3 --coreopt-iterations 777",
        ),
        (
            "AILS-II",
            "SolveFile -file instance.vrp -rounded true "
            "-stoppingCriterion Time -limit 9.5",
        ),
        (
            "PyVRP",
            "python -m pyvrp.cli instance.vrp --seed 3 --round_func round "
            "--max_runtime 10.0 --sol_dir .",
        ),
    ],
)
def test_command_of_each_program(
    name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed, time and rounding; what is recorded names no path of here."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", "/here/peers")
    told = PEERS[name].describe(Order(3, 10.0, 777))
    assert told.endswith(words)
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
        (
            "open('a.sol', 'w').write('Route #1: 1 2 3 4\\n')",
            "carries 10 of 5",
        ),
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


def test_run_that_misses_the_time_is_run_once_more() -> None:
    """A program that slows down; the run nearer to the time counts."""

    def law(iterations: int) -> float:
        return 1e-3 * iterations * (1.0 if iterations < 5000 else 1.6)

    asked: list[int] = []
    order, (ended, _) = run_about(Order(1, 10.0), timed(law, asked))
    assert len(asked) == 6
    assert law(asked[4]) == pytest.approx(16.0, rel=0.01)
    assert order.iterations == asked[5]
    assert ended.cpu_seconds == pytest.approx(10.0, rel=0.15)


def test_set_up_longer_than_the_time_leaves_one_iteration() -> None:
    """There is no time for more."""
    order, _ = run_about(Order(1, 2.0), timed(lambda n: 3.0 + 1e-3 * n, []))
    assert order.iterations == 1


@pytest.mark.parametrize("name", PEERS)
def test_absent_program_is_named_in_a_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line names the file, the variable and the page."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", str(tmp_path))
    reason = why_absent(name)
    if name not in BUILT:
        assert reason is None
        return
    file = tmp_path / PEERS[name].folder / PEERS[name].program
    assert reason is not None
    assert reason.startswith(f"{file} does not exist: NCC_ROUTING_PEERS")
    assert "\n" not in reason
    assert (layers.REPOSITORY / "docs/benchmarks/peers.md").is_file()
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
    (page,) = PAGES
    experiment = replace(
        page.experiments[0],
        cases=lambda: [Case("square", lambda: square, lambda _: 600.0)],
        variants=tuple(
            variant
            for variant in page.experiments[0].variants
            if variant.name in BUILT
        ),
        budgets=(1.0,),
        warm=None,
        jobs=1,
    )
    run_page(replace(page, experiments=(experiment,)), tmp_path, None, None)
    (row,) = read_rows(tmp_path / "peers_x.csv")
    cost = int(Solution.from_routes(square, ((1, 4), (2, 3))).cost)
    expected = {
        "instance": "square",
        "solver": "HGS-CVRP",
        "seconds": "1.0",
        "feasible": "True",
        "cost": str(cost),
        "num_routes": "2",
        "bks": "600",
        "version": "unknown",
        "error": "",
    }
    assert {name: row[name] for name in expected} == expected
    assert float(row["gap_percent"]) == pytest.approx(cost / 6 - 100, abs=1e-3)
    assert 0 < float(row["taken"]) < 60
    assert "FILO2 is left out" in caplog.text
    assert "AILS-II is left out" in caplog.text


def test_iterations_of_a_program_without_a_limit_are_recorded(
    square: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FILO2 is tried first, and its last command is what the row tells."""
    monkeypatch.setenv("NCC_ROUTING_PEERS", str(tmp_path))
    file = tmp_path / PEERS["FILO2"].folder / PEERS["FILO2"].program
    file.parent.mkdir(parents=True)
    log = tmp_path / "log"
    program(
        file,
        f"open({str(log)!r}, 'a').write(sys.argv[5] + '\\n')\n"
        "import time\n"
        "while time.process_time() < 1e-5 * int(sys.argv[5]): pass\n"
        f"open('s.vrp.sol', 'w').write({ANSWERS['FILO2']!r})",
    )
    row = solve_by_peer(square, 1, 0.4, peer="FILO2")
    asked = log.read_text().split()
    assert asked[:2] == ["1", "500"]
    assert str(row["options"]).split()[-1] in asked[4:]
    assert row["num_routes"] == 2


def test_page_tells_what_to_build() -> None:
    """Repository, commit, folder and built file of each program."""
    text = (layers.REPOSITORY / "docs/benchmarks/peers.md").read_text()
    for name in BUILT:
        peer = PEERS[name]
        assert (
            f"git clone --no-checkout {peer.repository} {peer.folder}\n"
            in (text)
        )
        assert f"git -C {peer.folder} checkout {peer.commit}\n" in text
        place = f"{peer.folder}/{Path(peer.program).parent}"
        assert f" {place}" in text


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


@pytest.mark.usefixtures("published_by_name")
def test_sample_has_five_of_each_class() -> None:
    """Five sizes, five lengths of routes."""
    try:
        names = [case.name for case in stratified()]
    except NccRoutingError as error:
        pytest.skip(f"published instances are not here: {error}")
    found = [length_classes()[name] for name in names]
    assert found == [*X_ROUTE_LENGTHS] * 5


def test_tables_compare_in_pairs() -> None:
    """Gaps of 1 and 3 against 2 and 5: behind by 1.5 +- 0.5."""
    gaps = {
        ("X-n120-k6", OURS): 1.0,
        ("X-n101-k25", "FILO2"): 5.0,
        ("X-n120-k6", "FILO2"): 2.0,
        ("X-n101-k25", OURS): 3.0,
    }
    rows = [
        {
            "instance": instance,
            "solver": solver,
            "seconds": "10.0",
            "seed": "1",
            "gap_percent": str(gap),
            "taken": "10.0",
        }
        for (instance, solver), gap in gaps.items()
    ]
    assert [row["solver"] for row in in_order(rows)] == [OURS, "FILO2"] * 2
    assert in_order(rows)[0]["customers/route"] == "3-5"
    (page,) = PAGES
    _, pairs, lengths, _ = (
        view.format(rows) for view in page.experiments[0].views
    )
    cells = pairs.splitlines()[-1].replace("|", " ").split()
    assert cells == ["10.0", "FILO2", "2", "2.00", "3.50", "+1.50", "0.50"]
    first = lengths.splitlines()[2].replace("|", " ").split()
    assert first == ["10.0", "3-5", "3.00", "5.00"]


def test_all_solvers_of_an_instance_stand_together() -> None:
    """The runs go instance by instance, so that none has a better hour."""
    (page,) = PAGES
    cases = [Case(name, partial(int)) for name in "ab"]
    experiment = replace(page.experiments[0], cases=lambda: cases)
    tasks = experiment.tasks()
    names = [(t.case.name, t.budget, t.variant.name) for t in tasks]
    solvers = [OURS, *PEERS]
    assert names == [
        (case, budget, solver)
        for case in "ab"
        for budget in (10.0, 60.0)
        for solver in solvers
    ]
