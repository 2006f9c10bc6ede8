"""Running experiments, and the files they write."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ncc_routing.benchmarking.cases import SMALL_POINTS, generated, uniform
from ncc_routing.benchmarking.experiment import Case, Experiment, Variant
from ncc_routing.benchmarking.experiments.clusters import method
from ncc_routing.benchmarking.experiments.routes import Setting, solving
from ncc_routing.benchmarking.row_files import (
    Table,
    read_rows,
    trace_file,
)
from ncc_routing.benchmarking.runner import run_tasks
from ncc_routing.benchmarking.runs import solve_cvrp
from ncc_routing.core.exceptions import NccRoutingError


def measure(
    problem: str, seed: int, budget: Any, *, factor: int
) -> dict[str, object]:
    """Return a cost that says what it was called with."""
    if problem == "bad":
        raise NccRoutingError("no\nway")
    cost = factor * seed + (budget or 0)
    return {"cost": cost, "trace": [(0.5, cost + 1), (1.0, cost)]}


def same(value: str) -> str:
    """Return a value."""
    return value


def hundred(_problem: object) -> float:
    """Return a reference."""
    return 100.0


def cases() -> list[Case]:
    """Return a case that is solved and one that is not."""
    return [
        Case("good", partial(same, "good"), hundred),
        Case("bad", partial(same, "bad"), hundred),
    ]


EXPERIMENT = Experiment(
    "small",
    cases=cases,
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
    with Table(experiment, file) as table:
        tasks = table.missing(experiment.tasks(limit))
        for rows in run_tasks(experiment, tasks):
            table.append(rows)
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


def test_own_cases_and_seeds_win() -> None:
    """A variant may have cases of its own, a case seeds of its own."""
    other = [Case("other", partial(same, "x"), seeds=(9,))]
    variant = Variant("own", partial(measure, factor=1), cases=lambda: other)
    experiment = Experiment("e", cases, (variant,), "instance", seeds=(1, 2))
    (task,) = experiment.tasks()
    assert (task.case.name, task.seed) == ("other", 9)


def test_rows_are_not_run_again(tmp_path: Path) -> None:
    """A second call runs what the first one left, a third nothing."""
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


def test_an_error_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    """On one line, without a cost."""
    file = tmp_path / "small.csv"
    run_all(EXPERIMENT, file)
    bad = [row for row in read_rows(file) if row["instance"] == "bad"]
    assert {(row["error"], row["cost"]) for row in bad} == {(r"no\nway", "")}
    assert len(bad) == 6


def test_an_existing_file_keeps_its_columns(tmp_path: Path) -> None:
    """Rows are added in the form that is there."""
    file = tmp_path / "small.csv"
    file.write_text("instance,seed,how,budget,cost\ngood,1,ten,5,3\n")
    assert run_all(EXPERIMENT, file, limit=1) == 5
    rows = read_rows(file)
    assert rows[0]["cost"] == "3"
    assert list(rows[1]) == ["instance", "seed", "how", "budget", "cost"]


def test_traces_go_to_a_file_beside(tmp_path: Path) -> None:
    """The key, and each moment with its cost."""
    file = tmp_path / "small.csv"
    run_all(EXPERIMENT, file, limit=1)
    first = read_rows(trace_file(file))[0]
    assert first == {
        "instance": "good",
        "how": "twenty",
        "seed": "1",
        "budget": "",
        "seconds": "0.5",
        "cost": "21",
    }


def test_both_problems_are_run_by_the_same_runner() -> None:
    """A CVRP gives a row with routes, a CCP one with inertia."""
    routes = Experiment(
        "routes",
        partial(generated, ((20, 1),)),
        (Variant("savings", partial(solve_cvrp, method="savings")),),
        "instance cost",
        is_loading_timed=True,
        budgets=(5.0,),
    )
    ((row,),) = run_tasks(routes, routes.tasks())
    assert (row["instance"], row["feasible"]) == ("NCC-n0021-s1", True)
    assert row["num_routes"] > 0
    assert row["num_customers"] == 20
    clusters = Experiment(
        "clusters", lambda: [SMALL_POINTS], (method("ckm"),), "instance"
    )
    ((row,),) = run_tasks(clusters, clusters.tasks())
    assert row["feasible"]
    assert row["cost"] == row["inertia"] > 0
    assert row["seconds"] >= 0


def test_row_says_what_was_asked_for(tmp_path: Path) -> None:
    """A method that chooses another one is found again by its own name."""
    experiment = solving(
        "e", partial(generated, ((20, 1),)), ("auto",), Setting()
    )
    ((row,),) = run_tasks(experiment, experiment.tasks())
    assert (row["method"], row["polish"]) == ("auto", "none")
    with Table(experiment, tmp_path / "e.csv") as table:
        table.append([row])
    with Table(experiment, tmp_path / "e.csv") as again:
        assert again.missing(experiment.tasks()) == []


def two_moments(_problem: object, _seed: int, _budget: object) -> list[Any]:
    """Return what one run had after one second, and at its end."""
    return [{"budget": 1.0, "cost": 9}, {"budget": 2.0, "cost": 8}]


def test_row_says_what_the_run_says_of_itself() -> None:
    """A run with several rows names the budget of each."""
    experiment = Experiment(
        "e",
        partial(generated, ((20, 1),)),
        (Variant("twice", two_moments),),
        "instance budget cost",
        budgets=(2.0,),
    )
    (rows,) = run_tasks(experiment, experiment.tasks())
    assert [row["budget"] for row in rows] == [1.0, 2.0]


def test_unknown_method_is_a_row_with_the_size() -> None:
    """What was read before the error is kept."""
    experiment = Experiment(
        "e",
        partial(generated, ((20, 1),)),
        (Variant("magic", partial(solve_cvrp, method="magic")),),
        "instance",
    )
    ((row,),) = run_tasks(experiment, experiment.tasks())
    assert "magic" in row["error"]
    assert row["num_customers"] == 20
    assert row["feasible"] is False


def test_a_fresh_process_tells_its_own_memory() -> None:
    """Each run comes back from a process of its own."""
    experiment = Experiment(
        "e",
        partial(uniform, (1000,)),
        (method("topk-nn"),),
        "instance peak_mb",
        is_fresh=True,
    )
    ((row,),) = run_tasks(experiment, experiment.tasks())
    assert row["instance"] == "uniform-1000"
    assert row["peak_mb"] > 20


def test_warm_up_comes_once_and_before(monkeypatch: Any) -> None:
    """Each variant first solves the small case, with the small budget."""
    calls: list[tuple[str, object]] = []

    def note(problem: str, _seed: int, budget: object) -> dict[str, object]:
        calls.append((problem, budget))
        return {}

    monkeypatch.setattr("ncc_routing.benchmarking.runner._is_warm", set())
    experiment = Experiment(
        "e",
        lambda: [Case("x", partial(same, "x"))],
        (Variant("v", note),),
        "instance",
        seeds=(1, 2),
        budgets=(3.0,),
        warm=Case("w", partial(same, "w")),
        warm_budget=0.5,
    )
    list(run_tasks(experiment, experiment.tasks()))
    assert calls == [("w", 0.5), ("x", 3.0), ("x", 3.0)]


def test_a_wrong_answer_type_is_no_record() -> None:
    """A description that returns nonsense is a bug, and said as one."""
    experiment = Experiment(
        "e",
        lambda: [Case("x", partial(same, "x"))],
        (Variant("v", lambda *_: 7),),
        "instance",
    )
    with pytest.raises(TypeError, match="no record of int"):
        list(run_tasks(experiment, experiment.tasks()))


def die(problem: str, seed: int, _budget: object) -> dict[str, object]:
    """Die by a signal: always, or where the case is a file to be made."""
    place = Path(problem)
    if problem == "always" or not place.exists():
        if problem != "always":
            place.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"cost": seed}


@pytest.mark.parametrize("is_fresh", [False, True])
def test_a_dead_worker_is_a_row_after_a_second_try(
    tmp_path: Path, is_fresh: bool
) -> None:
    """Its task is tried once more; the other ones go on."""
    names = ("always", str(tmp_path / "once"), str(tmp_path))
    experiment = Experiment(
        "e",
        lambda: [Case(name, partial(same, name)) for name in names],
        (Variant("v", die),),
        "instance cost",
        is_fresh=is_fresh,
    )
    rows = {
        row["instance"]: row
        for (row,) in run_tasks(experiment, experiment.tasks(), jobs=2)
    }
    assert [rows[name].get("cost") for name in names] == [None, 1, 1]
    message = "a worker process was killed by signal 9."
    assert rows["always"]["error"] == message
    assert rows["always"]["feasible"] is False
    assert "error" not in rows[names[1]]


def test_what_a_script_defines_reaches_the_workers() -> None:
    """A function that no module has, as in a script of the user."""
    experiment = Experiment(
        "e",
        lambda: [Case("x", partial(same, "x"))],
        (Variant("v", lambda *_: {"cost": os.getpid()}),),
        "instance",
    )
    ((row,),) = run_tasks(experiment, experiment.tasks(), jobs=2)
    assert row["cost"] != os.getpid()
