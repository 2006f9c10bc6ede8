"""The recorded experiments, their pages, and the command that runs them."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks.__main__ import EXPERIMENTS, PLACES
from benchmarks.experiments import behaviour, size, warm_starts
from benchmarks.experiments.registry import JOINED, PAGES
from benchmarks.harness.cases import (
    SMALL_POINTS,
    SMALL_ROUTES,
    best_values,
    mixtures,
    scaled_points,
)
from benchmarks.harness.experiment import Case, Experiment, Task
from benchmarks.harness.pages import MAIN, MARK, RECORDS, write_pages
from benchmarks.harness.records import read_calls
from benchmarks.harness.runner import run_task
from ncc_routing import NccRoutingError, PointSet
from ncc_routing.core.row_files import read_rows
from ncc_routing.vrp.search.phases import Step, choose_phases

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS = Path(__file__).resolve().parents[2] / "docs" / "benchmarks"
NEEDS_A_REFERENCE = {"reference", "bks", "gap_percent", "error", "budget"}
"""Columns that a case without a reference leaves empty."""


def table_of(name: str) -> Path:
    """Return the record of an experiment."""
    return DOCS / RECORDS / PLACES[name]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_description_tells_its_runs_apart(name: str) -> None:
    """The key holds columns of the file, and no two variants share one."""
    experiment = EXPERIMENTS[name]
    key = experiment.key.split()
    assert set(key) <= set(experiment.header.values())
    case = Case("x", lambda: None)
    cells = [
        Task(case, variant, 1, (variant.budgets or (None,))[0]).cells
        for variant in experiment.variants
    ]
    found = [tuple(str(each[k]) for k in key) for each in cells]
    assert len(set(found)) == len(found)


def test_the_warm_up_reaches_the_last_step_of_the_search() -> None:
    """Else a run would load modules while it is timed."""
    instance = SMALL_ROUTES.load()
    seconds = warm_starts.SHARE * Experiment.warm_budget
    assert choose_phases(instance, 0.9 * seconds)[-1].step is Step.ITERATE


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, experiment in EXPERIMENTS.items()
        if experiment.warm in (SMALL_ROUTES, SMALL_POINTS)
    ],
)
def test_variants_fill_the_columns(name: str) -> None:
    """First and last variant on a small case: feasible, and all is known."""
    experiment = replace(EXPERIMENTS[name], warm=None)
    case = EXPERIMENTS[name].warm
    assert case is not None
    for variant in (experiment.variants[0], experiment.variants[-1]):
        budgets = variant.budgets or experiment.budgets
        budget = 0.05 if isinstance(budgets[0], float) else budgets[0]
        if budget == "n/50" or variant.name in ("gb21", "pack"):
            continue  # too slow for a test; the method has its own
        if variant.why_absent is not None and variant.why_absent():
            continue
        for row in run_task(experiment, Task(case, variant, 1, budget)):
            assert not row.get("error"), row["error"]
            columns = experiment.header.values()
            unknown = {name for name in columns if row.get(name) is None}
            assert unknown <= NEEDS_A_REFERENCE
            assert row["cost"] > 0


def test_recorded_pages_are_made_of_their_tables(tmp_path: Path) -> None:
    """Writing them again changes nothing: no figure in them is typed."""
    shutil.copytree(DOCS, tmp_path, dirs_exist_ok=True)
    for file in write_pages(PAGES, JOINED, tmp_path):
        text = file.read_text()
        assert text == (DOCS / file.name).read_text()
        assert "dirty" not in text


def test_every_record_has_its_place_on_a_page() -> None:
    """Each is in the marks of its name on the page of its folder, once."""
    joined = {view.name for view in JOINED}
    marks = [
        Path(file.stem, f"{mark}.csv")
        for file in DOCS.glob("*.md")
        if file.name != MAIN
        for mark in MARK.findall(file.read_text())
        if mark not in joined
    ]
    assert len(set(marks)) == len(marks)
    folder = DOCS / RECORDS
    tables = {file.relative_to(folder) for file in folder.rglob("*.csv")}
    assert set(marks) == tables
    assert set(PLACES.values()) <= tables
    assert {file.suffix for file in folder.rglob("*.*")} == {
        *(".csv", ".svg", ".png")
    }


def test_every_link_to_a_record_leads_to_one() -> None:
    """And every picture is shown."""
    shown = {
        link
        for file in DOCS.glob("*.md")
        for link in re.findall(r"\]\((records/[^)]*)\)", file.read_text())
    }
    files = (DOCS / RECORDS).rglob("*.*")
    assert shown == {file.relative_to(DOCS).as_posix() for file in files}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_recorded_table_belongs_to_its_description(name: str) -> None:
    """Its columns are those described, and its variants those named."""
    experiment = EXPERIMENTS[name]
    rows = read_rows(table_of(name))
    recorded = set(rows[0]) - {"error", "table"}
    assert recorded == set(experiment.header) - {"error"}
    shown = {v: k for k, v in experiment.header.items()}
    if "variant" in shown:
        names = {variant.name for variant in experiment.variants}
        assert {row[shown["variant"]] for row in rows} == names
    assert {int(row.get("seed", 1)) for row in rows} <= {*experiment.seeds}


def needed(make: Callable[[], Any]) -> Any:
    """Return what is made, or skip a test without published instances."""
    try:
        return make()
    except NccRoutingError as error:
        pytest.skip(f"published instances are not here: {error}")


@pytest.mark.usefixtures("published_by_name")
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_described_run_is_recorded(name: str) -> None:
    """The command has nothing to run where the recorded tables lie."""
    experiment = EXPERIMENTS[name]
    needed(experiment.tasks)
    with experiment.open_table(table_of(name)) as table:
        assert experiment.missing(table) == []


def test_pyvrp_with_and_without_a_start_fills_its_rows() -> None:
    """Both are feasible, and the start is not better than what follows."""
    data = warm_starts.small_fleet()
    cold, warm = warm_starts.COLD(data, 1, 0.3), warm_starts.WARM(data, 1, 0.5)
    assert cold["num_customers"] == warm["num_customers"] == 60
    assert 0 < warm["cost"] <= warm["start_cost"]
    assert 0 < cold["cost"] < 2 * warm["cost"]


@pytest.mark.usefixtures("published_by_name")
def test_pyvrp_gets_its_own_scale_of_loads() -> None:
    """Thousands in the exact metric, and the best known cost in its unit."""
    case = needed(partial(warm_starts.as_pyvrp_reads, "MDVRPTW"))[0]
    data = case.load()
    assert data.vehicle_type(0).capacity == [200_000]
    assert case.reference(data) == 6_655_548


def test_behaviour_is_checked_against_the_record() -> None:
    """The quick methods on the smallest case: equal, and a lie is found."""
    whole, quick = behaviour.BEHAVIOUR, ("savings", "sweep", "topk-nn/cpmp")
    variants = tuple(v for v in whole.variants if v.name in quick)
    few = replace(whole, jobs=1, variants=variants)
    assert command.check(few, 1, 1) == 0
    rows = read_rows(table_of("behaviour"))
    false = [{**row, "cost": row["cost"] + "1"} for row in rows[:1]]
    (line,) = command.differences(few, false, rows[:1])
    assert line == "NCC-n0021-s1, ckm: 6400.01 before, now 6400.0"
    (line,) = command.differences(few, [], rows[:1])
    assert "not recorded before" in line


def test_command_runs_and_goes_on(tmp_path: Path, caplog: Any) -> None:
    """Rows and the head of a record; a second call has nothing to run."""
    caplog.set_level("INFO")
    arguments = ["compactness", "--output", str(tmp_path), "--limit", "0"]
    assert command.main(arguments) == 0
    file = tmp_path / PLACES["compactness"]
    assert not file.exists()
    quick = replace(EXPERIMENTS["compactness"], budgets=(0.05,), warm=None)
    for _ in range(2):
        command.run(quick, file, 1, 1)
    assert len(read_rows(file)) == 4
    (call,) = read_calls(file)
    assert call["seeds"] == [1]
    assert "nothing is missing" in caplog.text


def test_generated_cases_have_the_names_of_their_instances() -> None:
    """The name is known before the instance is made, and is its own."""
    for case in (
        *mixtures(2, 5, 30),
        *behaviour.point_sets((0, 7)),
    ):
        assert case.load().name == case.name


def test_best_known_takes_the_lower_value(tmp_path: Path) -> None:
    """A value that is only reported counts as well."""
    file = tmp_path / "bks.csv"
    names = "instance,best_verified_feasible_here,better_value_reported"
    file.write_text(f"{names}\na,10,\nb,,9\nc,8,7\n")
    assert best_values(file) == {"a": 10.0, "b": 9.0, "c": 7.0}


def test_paper_units() -> None:
    """Global minimum and maximum, over both axes."""
    points = PointSet(np.array([[-1.0, 0.0], [1.0, 3.0]]), np.array([1, 1]), 2)
    scaled = scaled_points(points)
    assert scaled.coords == pytest.approx(np.array([[0.0, 0.25], [0.5, 1.0]]))


def test_cost_at_a_budget_is_the_last_before_it() -> None:
    """A budget before the first solution gets that one, and is late."""
    trace = [(1.0, 30), (2.0, 20), (3.0, 10)]
    assert warm_starts.cost_at(trace, 2.5) == (20, False)
    assert warm_starts.cost_at(trace, 3.0) == (10, False)
    assert warm_starts.cost_at(trace, 0.5) == (30, True)


@pytest.mark.parametrize(
    ("customers", "work", "process", "late"),
    [
        (10_000, 10.25, 0.0, "0"),
        (10_000, 10.35, 0.0, "1"),
        (10_001, 10.75, 0.0, "0"),
        (10_001, 10.85, 0.0, "1"),
        (100, 10.0, 11.45, "0"),
        (100, 10.0, 11.55, "1"),
    ],
)
def test_lateness_has_a_slack_that_grows_beyond_the_large(
    customers: int, work: float, process: float, late: str
) -> None:
    """0.3 s for the work, five percent more of 10 s beyond 10,000."""
    names = ("num_customers", "time_limit", "work_seconds", "process_seconds")
    values = map(str, (customers, 10, work, process))
    row = dict(zip(names, values, strict=True))
    assert size.seconds_over([row])[0]["late"] == late
