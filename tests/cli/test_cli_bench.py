"""``ncc-route bench``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.row_files import read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.fixture
def drawn() -> None:
    """Draw the picture of a page, which takes longer than all else."""


@pytest.fixture(autouse=True)
def _drawn_if_asked(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr("ncc_route.bench._draw_gaps", lambda *_: False)


def test_rows_protocol_and_summary(
    run: Run, square_file: Path, random_file: Path, tmp_path: Path
) -> None:
    """One row per instance, method and seed, and how they were made."""
    table = tmp_path / "out.csv"
    done = run.succeeds(
        f"bench {tmp_path}",
        "--methods savings,sweep --seeds 2 --polish none --output",
        f"{table} --json",
    )
    rows = read_rows(table)
    runs = [(row["instance"], row["method"], row["seed"]) for row in rows]
    assert runs == [
        (name, method, seed)
        for name in ("square", "random60")
        for method in ("savings", "sweep")
        for seed in ("1", "2")
    ]
    assert "routes" not in rows[0]
    assert rows[0]["size_class"] == "N1"
    assert float(rows[0]["bks"]) == 484
    assert {row["error"] for row in rows} == {""}
    (protocol,) = json.loads(table.with_suffix(".json").read_text())
    assert protocol["methods"] == ["savings", "sweep"]
    assert protocol["seeds"] == [1, 2]
    page = table.with_suffix(".md").read_text()
    assert page.startswith("# out\n\n2 instances. Polish none")
    assert "seed(s) 1, 2" in page
    assert "| savings | N1 " in page
    answer = json.loads(done.out)
    assert len(answer["records"]) == 8
    assert [row["method"] for row in answer["summary"]] == ["savings", "sweep"]


@pytest.mark.usefixtures("drawn")
def test_pyvrp_runs_beside_the_methods(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """From its own start and from ours; the page has a picture of gaps."""
    table = tmp_path / "out.csv"
    words = f"bench {square_file} --methods auto,pyvrp,pyvrp-warm -o {table}"
    done = run(words)
    assert (done.code, "goes with --time-limit" in done.err) == (2, True)
    run.succeeds(words, "--time-limit 0.2 --polish none")
    rows = {row["method"]: row for row in read_rows(table)}
    assert list(rows) == ["auto", "pyvrp", "pyvrp-warm"]
    assert {row["cost"] for row in rows.values()} == {"484"}
    assert json.loads(rows["pyvrp"]["progress"])[-1][1] == 484
    page = table.with_suffix(".md").read_text()
    assert "| instance |    bks |   auto | auto, best |  pyvrp |" in page
    assert "![Gap over time](out.svg)" in page
    assert table.with_suffix(".svg").read_text().startswith("<?xml")


def test_summary_for_people_is_a_table(run: Run, square_file: Path) -> None:
    """Without --json the means are printed in Markdown."""
    done = run.succeeds(f"bench {square_file} --methods savings --polish none")
    lines = done.out.splitlines()
    assert lines[0].startswith("| method  | class | runs | failed | gap %")
    assert lines[2].startswith("| savings | N1    |    1 |      0 |")


def test_failed_instance_is_a_row_and_the_others_go_on(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """One broken file costs its own row and the exit code, no more."""
    broken = tmp_path / "broken.vrp"
    broken.write_text("NAME : broken\nEOF\n")
    table = tmp_path / "out.csv"
    done = run(
        f"bench {broken} {square_file}",
        f"--methods savings --polish none --output {table}",
    )
    assert done.code == 1
    rows = {row["instance"]: row for row in read_rows(table)}
    assert rows["square"]["feasible"] == "True"
    assert rows["broken"]["feasible"] == "False"
    assert "is missing" in rows["broken"]["error"]
    assert "error: broken, savings, seed 1" in done.err


def test_processes_give_the_same_rows(
    run: Run, square_file: Path, random_file: Path, tmp_path: Path
) -> None:
    """--jobs 2 changes the time and nothing else."""
    found = []
    for jobs in (1, 2):
        rows = run.json(
            f"bench {tmp_path} --methods savings --jobs {jobs} --polish none"
        )["records"]
        found.append([(row["instance"], row["cost"]) for row in rows])
    assert found[0] == found[1]


def test_folders_of_benchmarks(run: Run, tmp_path: Path) -> None:
    """Solomon's form and Li and Lim's; a best known value beside a file."""
    head = "T1\nVEHICLE\nNUMBER CAPACITY\n2 9\nCUSTOMER\nCUST NO. X Y\n"
    rows = "0 0 0 0 0 99 0\n1 3 4 1 0 99 0\n2 6 8 1 0 99 0\n"
    (tmp_path / "t1.txt").write_text(head + rows)
    (tmp_path / "t1.sol").write_text("Route #1: 1 2\nCost 20\n")
    stops = "0 0 0 0 0 99 0 0 0\n1 3 4 1 0 99 0 0 2\n2 6 8 -1 0 99 0 1 0\n"
    (tmp_path / "lt1.txt").write_text(f"1 5 0\n{stops}")
    (tmp_path / "readme.txt").write_text("Two instances\n")
    answer = run.json(f"bench {tmp_path} --time-limit 0.3")
    rows_of = {row["instance"]: row for row in answer["records"]}
    assert rows_of.keys() == {"t1", "lt1"}
    assert {row["cost"] for row in rows_of.values()} == {20}
    assert rows_of["t1"]["bks"] == 20
    assert rows_of["t1"]["gap_percent"] == 0
    assert rows_of["lt1"]["bks"] is None


def test_older_rows_are_kept_and_gone_on_with(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """Without --resume they are refused, with it only the rest is run."""
    table = tmp_path / "out.csv"
    words = ["bench", square_file, "--polish", "none", "-o", table]
    run.succeeds(*words, "--methods savings")
    before = table.read_text()
    done = run(*words, "--methods savings,sweep")
    assert done.code == 1
    assert done.err.startswith(f"ncc-route: error: {table} exists: --resume")
    assert table.read_text() == before
    more = ("--methods", "savings,sweep", "--seeds", 2)
    answer = run.json(*words, *more, "--resume")
    assert len(answer["records"]) == 3
    assert [row["method"] for row in answer["summary"]] == ["savings", "sweep"]
    assert before.splitlines()[1] in table.read_text().splitlines()
    assert len(table.read_text().splitlines()) == 5
    assert len(json.loads(table.with_suffix(".json").read_text())) == 2


def test_other_settings_are_not_mixed(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """Rows with another time limit would look the same."""
    table = tmp_path / "out.csv"
    words = ["bench", square_file, "--methods", "savings", "-o", table]
    run.succeeds(*words, "--polish none")
    limit = ("--polish", "none", "--time-limit", 1)
    run.fails(
        1,
        "holds runs with time_limit_seconds None, not 1.0",
        *words,
        *limit,
        "--resume",
    )


def test_an_interrupted_bench_keeps_its_rows(
    run: Run,
    square_file: Path,
    random_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first one is there as soon as it is known."""
    table = tmp_path / "out.csv"
    words = ["bench", square_file, random_file, "--methods", "savings"]
    words += ["--polish", "none", "-o", table]

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ncc_routing.core.row_files.Table.rewrite", interrupt)
        assert run(*words).code == 130
    assert len(table.read_text().splitlines()) == 3
    run.succeeds(*words, "--resume")
    assert len(table.read_text().splitlines()) == 3


@pytest.mark.parametrize("metric", ["round", "trunc", "none", "exact"])
def test_every_metric_is_told(
    run: Run, square_file: Path, metric: str
) -> None:
    """The settings say what it does."""
    words = "bench", square_file, "--methods savings,savings --polish none"
    answer = run.json(*words, "--metric", metric)
    assert answer["protocol"]["rounding"] == f"{metric}, for every file"
    assert answer["protocol"]["methods"] == ["savings"]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            ".csv",
            ",1,True,",
            ",one,True,",
            "line 2, column seed: must be",
        ),
        (".csv", "484", "abc", "line 2, column bks: must be a number"),
        (".csv", "num_customers", "customers", "column num_customers: is mi"),
        (".csv", "square", "\udcff", "file: must be UTF-8"),
        (".json", "[", "{", "file: holds no settings"),
    ],
)
def test_damaged_tables_are_not_continued(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    name: str,
    old: str,
    new: str,
    message: str,
) -> None:
    """The message names file, line and column."""
    table = tmp_path / "out.csv"
    words = "bench", square_file, "--methods savings --polish none -o", table
    run.succeeds(*words)
    file = table.with_suffix(name)
    text = file.read_text().replace(old, new, 1)
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    run.fails(1, f"{file}: {message}", *words, "--resume")


def test_resume_takes_a_new_name_and_a_cut_off_row(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """A new table replaces no other file; an incomplete row is run again."""
    table = tmp_path / "out.csv"
    words = "bench", square_file, "--methods savings --polish none -o", table
    notes = table.with_suffix(".md")
    notes.write_text("mine")
    run.fails(1, f"{notes} exists", *words, "--resume")
    notes.unlink()
    run.succeeds(*words)
    whole = table.read_text()
    table.write_text(whole[:-40])
    run.succeeds(*words, "--resume")
    assert len(read_rows(table)) == len(whole.splitlines()) - 1
    table.with_suffix(".json").write_text('{"a": 1}')
    run.fails(1, "holds no settings of a table", *words, "--resume")
