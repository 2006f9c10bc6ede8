"""Running experiments, the files they write, and their tables."""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.experiments.clusters import method
from benchmarks.experiments.size import SpeedUp
from benchmarks.harness.cases import SMALL_POINTS, SMALL_ROUTES
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runner import append, run_tasks
from benchmarks.harness.runs import solve_cvrp
from benchmarks.harness.views import Column, Differences, Summary, gap_to_best
from ncc_routing import NccRoutingError
from ncc_routing.core.row_files import read_rows

if TYPE_CHECKING:
    from pathlib import Path


def measure(
    problem: str, seed: int, budget: Any, *, factor: int
) -> dict[str, object]:
    """Return a cost that says what it was called with."""
    if problem == "bad":
        raise NccRoutingError("no\nway")
    cost = factor * seed + (budget or 0)
    return {"cost": cost}


def hundred(_problem: object) -> float:
    """Return a reference."""
    return 100.0


def case(name: str) -> Case:
    """Return a case whose problem is its name."""
    return Case(name, partial(str, name), hundred)


def single(
    run: Any, *names: str, columns: str = "instance", **more: Any
) -> Experiment:
    """Return an experiment of one variant on some cases."""
    variants = (Variant("v", run),)
    return Experiment(
        "e", lambda: [*map(case, names)], variants, columns, **more
    )


EXPERIMENT = Experiment(
    "small",
    cases=lambda: [case("good"), case("bad")],
    variants=(
        Variant("ten", partial(measure, factor=10)),
        Variant("twenty", partial(measure, factor=20), budgets=(None,)),
    ),
    columns="instance how=variant seed budget cost gap_percent",
    seeds=(1, 2),
    budgets=(5, 7),
)


def run_all(
    experiment: Experiment, file: Path, limit: int | None = None
) -> int:
    """Run what is missing; return how much that was."""
    with experiment.open_table(file) as table:
        tasks = experiment.missing(table, limit)
        for rows in run_tasks(experiment, tasks):
            append(table, experiment, rows)
    return len(tasks)


def test_tasks_are_the_product() -> None:
    """Two cases, two seeds; three pairs of variant and budget."""
    tasks = EXPERIMENT.tasks()
    assert len(tasks) == 12
    assert [(t.variant.name, t.budget) for t in tasks[:6:2]] == [
        ("twenty", None),
        ("ten", 5),
        ("ten", 7),
    ]
    assert {task.case.name for task in EXPERIMENT.tasks(1)} == {"good"}


def test_rows_are_not_run_again(tmp_path: Path) -> None:
    """A second call runs what the first one left, a third nothing.

    An error is a row of one line without a cost.
    """
    file = tmp_path / "small.csv"
    assert run_all(EXPERIMENT, file, limit=1) == 6
    assert run_all(EXPERIMENT, file) == 6
    assert run_all(EXPERIMENT, file) == 0
    rows = read_rows(file)
    assert len(rows) == 12
    assert list(rows[0]) == [
        "instance", "how", "seed", "budget", "cost", "gap_percent", "error",
    ]  # fmt: skip
    best = next(r for r in rows if (r["seed"], r["budget"]) == ("2", "7"))
    assert (best["cost"], best["gap_percent"]) == ("27", "-73.0")
    bad = [row for row in rows if row["instance"] == "bad"]
    assert {(row["error"], row["cost"]) for row in bad} == {(r"no\nway", "")}
    assert len(bad) == 6


def test_both_problems_are_run_by_the_same_runner() -> None:
    """A CVRP gives a row with routes, a CCP one with inertia."""
    routes = Experiment(
        "routes",
        lambda: [Case("NCC-n0021-s1", SMALL_ROUTES.load)],
        (Variant("savings", partial(solve_cvrp, method="savings")),),
        "instance cost",
        is_loading_timed=True,
        budgets=(5.0,),
    )
    ((row,),) = run_tasks(routes, routes.tasks())
    assert (row["instance"], row["feasible"]) == ("NCC-n0021-s1", True)
    assert row["num_routes"] > 0
    assert row["num_customers"] == 20
    cases, variants = [SMALL_POINTS], (method("ckm"),)
    clusters = Experiment("clusters", lambda: cases, variants, "instance")
    ((row,),) = run_tasks(clusters, clusters.tasks())
    assert row["feasible"]
    assert row["cost"] == row["inertia"] > 0
    assert row["seconds"] >= 0


def test_warm_up_comes_once_and_before(monkeypatch: Any) -> None:
    """Each variant first solves the small case, with the small budget."""
    calls: list[tuple[str, object]] = []

    def note(problem: str, _seed: int, budget: object) -> dict[str, object]:
        calls.append((problem, budget))
        return {}

    monkeypatch.setattr("benchmarks.harness.runner._is_warm", set())
    budgets: dict[str, Any] = {"budgets": (3.0,), "warm_budget": 0.5}
    experiment = single(note, "x", seeds=(1, 2), warm=case("w"), **budgets)
    list(run_tasks(experiment, experiment.tasks()))
    assert calls == [("w", 0.5), ("x", 3.0), ("x", 3.0)]


def test_a_wrong_answer_type_is_no_record() -> None:
    """A description that returns nonsense is a bug, and said as one."""
    experiment = single(lambda *_: 7, "x")
    with pytest.raises(TypeError, match="no record of int"):
        list(run_tasks(experiment, experiment.tasks()))


def die(problem: str, seed: int, _budget: object) -> dict[str, object]:
    """Die by a signal where the case says so."""
    if problem == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"cost": seed}


@pytest.mark.parametrize("is_fresh", [False, True])
def test_a_dead_worker_is_a_row(is_fresh: bool) -> None:
    """The other runs go on."""
    experiment = single(
        die, "dies", "lives", columns="instance cost", is_fresh=is_fresh
    )
    rows = {
        row["instance"]: row
        for (row,) in run_tasks(experiment, experiment.tasks(), jobs=2)
    }
    message = "a worker process was killed by signal 9."
    assert rows["dies"]["error"] == message
    assert rows["dies"]["feasible"] is False
    assert rows["lives"]["cost"] == 1
    assert "error" not in rows["lives"]


def row_of(method: str, place: str, cost: str, **more: str) -> dict[str, str]:
    """Return a row of a class."""
    return {"method": method, "class": place, "cost": cost, **more}


ROWS = [
    row_of("b", "N2", "10"),
    row_of("b", "N1", "20"),
    row_of("a", "N1", "30", feasible="True"),
    row_of("a", "N1", "99", feasible="False"),
]


def cells_of(view: Any, rows: Any) -> list[list[str]]:
    """Return the cells of a table: its heading, its rule, its rows."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in view.format(rows).splitlines()
    ]


def rows_of(names: str, *lines: str) -> list[dict[str, str]]:
    """Return rows that are written as words."""
    keys = names.split()
    return [dict(zip(keys, x.split(), strict=True)) for x in lines]


def test_groups_with_totals_are_in_order_of_their_numbers() -> None:
    """As numbers, not as text: 3-5 comes before 11-17, and all last."""
    rows = rows_of("c", "11-17", "3-5", "N2", "N10", "8-12")
    found = cells_of(Summary("c", "runs", total=True), rows)[2:]
    order = ["3-5", "8-12", "11-17", "N2", "N10", "all"]
    assert [cells[0] for cells in found] == order


def test_summary_leaves_the_infeasible_out_but_counts_them() -> None:
    """The mean of a is 30, of two runs one failed."""
    text = "runs; failed; cost: cost .1f; worst: cost .0f max"
    lines = cells_of(Summary("method", text), ROWS)
    assert lines[2] == ["b", "2", "0", "15.0", "20"]
    assert lines[3] == ["a", "2", "1", "30.0", "30"]


def test_values_across_stand_side_by_side() -> None:
    """A group without a run of some value has a dash there."""
    lines = cells_of(Summary("method", "cost: cost .0f", across="class"), ROWS)
    assert lines[0] == ["method", "N2 cost", "N1 cost"]
    assert lines[2:] == [["b", "10", "20"], ["a", "-", "30"]]


def test_difference_pairs_rows_of_the_same_case() -> None:
    """Changes of +1 and +3: mean 2, standard error 1; the third is alone."""
    rows = rows_of(
        "m instance gap",
        *("old x 1", "old y 2", "new x 2", "new y 5", "new z 50"),
    )
    lines = cells_of(Differences("m", "old", "gap"), rows)
    assert lines[2:] == [["new", "2", "1.50", "3.50", "+2.00", "1.00"]]


def test_pairs_across_budgets_are_refused() -> None:
    """Two runs of the base that a pair cannot tell apart."""
    rows = rows_of(
        "m instance seconds gap",
        *("old x 1 1", "old x 10 1", "new x 1 1", "new x 10 1"),
    )
    with pytest.raises(ValueError, match="2 rows of 'old'"):
        Differences("m", "old", "gap").format(rows)
    assert len(cells_of(Differences("m", "old", "gap", "seconds"), rows)) == 4


def test_relative_difference_is_in_percent_of_the_base() -> None:
    """110 for 100, and 180 for 200: +10 and -10 percent."""
    rows = rows_of(
        "m instance cost", "old x 100", "old y 200", "new x 110", "new y 180"
    )
    worst = "worst: cost .0f max"
    view = Differences("m", "old", "cost", relative=True, shown=worst)
    lines = cells_of(view, rows)
    assert lines[2][-3:] == ["-", "-", "200"]
    assert lines[3][-3:] == ["+0.00", "10.00", "180"]


def test_gap_to_the_best_of_a_group() -> None:
    """20 to 10 is 100 %; a row without a cost has no gap."""
    rows = [*ROWS[:2], row_of("c", "N1", "")]
    found = gap_to_best()(rows)
    assert [row["gap_percent"] for row in found] == ["0.0", "100.0", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runs", Column("runs", how="runs")),
        ("infeasible: failed", Column("infeasible", how="failed")),
        ("cost", Column("cost", "cost")),
        ("gap %: gap .3f", Column("gap %", "gap", ".3f")),
        ("gap: gap max", Column("gap", "gap", ".2f", "max")),
        ("s: x seconds median", Column("s", "x", "seconds", "median")),
    ],
)
def test_columns_are_described_by_a_text(text: str, expected: Column) -> None:
    """Heading, column of the file, format and statistic."""
    assert Column.parse(f" {text} ") == expected


def test_speed_up_is_read_between_the_budgets_of_one_core() -> None:
    """Halfway from 4 % at 1 s to 2 % at 4 s stands 3 % at 2 s."""
    rows = rows_of(
        "cores seconds gap_percent", "1 1.0 4", "1 4.0 2", "2 1.0 3", "2 4.0 1"
    )
    lines = cells_of(SpeedUp(), rows)
    assert lines[2] == ["1.0", "2", "3.00", "2.00"]
    assert lines[3] == ["4.0", "2", "1.00", "-"]
