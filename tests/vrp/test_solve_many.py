"""Many problems at a time: the same answers whatever ends on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import joblib
import pytest

import ncc_routing as nr
from ncc_routing.core.row_files import read_rows
from ncc_routing.generators import generate_uchoa
from tests.oracles.system import small_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

STOP = nr.stop.MaxIterations(500)
NUM_PROBLEMS = 8


def problems() -> Iterator[nr.Instance]:
    """Yield instances of 20 to 27 customers."""
    for number in range(NUM_PROBLEMS):
        yield generate_uchoa(20 + number, 1 + number)


@cache
def alone() -> dict[str, nr.Result]:
    """Return the results of ``solve``, by name."""
    return {one.name: nr.solve(one, STOP) for one in problems()}


def require_same(answers: Iterable[tuple[str, Any]]) -> None:
    """Compare routes and costs with those of ``solve``."""
    pairs = list(answers)
    found = dict(pairs)
    assert len(found) == len(pairs)
    assert found.keys() == alone().keys()
    for name, result in alone().items():
        assert found[name].best == result.best, name


def test_order_and_processes_do_not_matter() -> None:
    """From a generator, from a list the other way, and with names."""
    assert len(alone()) == NUM_PROBLEMS
    require_same(nr.solve_many(problems(), STOP))
    turned = list(problems())[::-1]
    require_same(nr.solve_many(turned, STOP, jobs=2))
    first = turned[0]
    [(name, result)] = nr.solve_many([("Monday", first)], STOP, seed=1)
    assert name == "Monday"
    assert isinstance(result, nr.Result)
    assert result.best == alone()[first.name].best


def test_problems_are_taken_one_after_the_other() -> None:
    """An endless generator gives answers, and is not read to its end."""
    taken = []

    def endless() -> Iterator[nr.Instance]:
        while True:
            taken.append(0)
            yield generate_uchoa(9, len(taken))

    for jobs in (1, 2):
        taken.clear()
        answers = nr.solve_many(endless(), nr.stop.MaxIterations(9), jobs=jobs)
        assert isinstance(next(answers)[1], nr.Result)
        answers.close()  # type: ignore[attr-defined]
        assert len(taken) < 20


def test_errors_are_answers(square: nr.Instance, tmp_path: Path) -> None:
    """Of files, of types, of problems, and of what no code expects."""
    file = tmp_path / "square.vrp"
    nr.write_instance(file, square)
    huge = nr.Instance(
        name="huge",
        coords=square.coords,
        demands=square.demands * 10,
        capacity=5,
    )

    def fails(cost: float) -> bool:
        raise KeyError(cost)

    given: list[Any] = [tmp_path / "none.vrp", 3, huge, ("s", str(file)), file]
    found = dict(nr.solve_many(given, STOP, jobs=2))
    assert [*sorted(found)] == ["huge", "none", "problem-2", "s", "square"]
    texts = {name: str(each) for name, each in found.items()}
    assert "none.vrp: file: does not exist" in texts["none"]
    assert isinstance(found["huge"], nr.NccRoutingError)
    assert isinstance(found["problem-2"], nr.ParameterError)
    for name in ("s", "square"):
        result = found[name]
        assert isinstance(result, nr.Result)
        assert result.cost == 484
    [(_, error)] = nr.solve_many([square], fails, time_limit=0.5)
    assert isinstance(error, KeyError)


def test_what_is_not_for_many_is_refused(
    square: nr.Instance, tmp_path: Path
) -> None:
    """Before the work, or at the second of two names."""
    for wrong, message in (
        ({"params": nr.SolveParams(jobs=2)}, "jobs are problems at a time"),
        ({"max_extra_cost": 0.1}, "needs an initial solution"),
        ({"stop": nr.stop.TimeLimit(9.0)}, "TimeLimit is for one run"),
        ({"stop": 3}, "stop must be a criterion"),
        ({"seed": -1}, "seed must lie in"),
        ({"jobs": 0}, "jobs must lie in"),
    ):
        options: dict[str, Any] = wrong
        with pytest.raises(nr.ParameterError, match=message):
            nr.solve_many([square], **options)
    ones: tuple[Any, ...] = "a.vrp", {"x": [0]}, square
    for one in ones:
        with pytest.raises(nr.ParameterError, match="must be a list of"):
            nr.solve_many(one)
    twice = nr.solve_many([square, ("SQUARE", square)], STOP)
    with pytest.raises(nr.ParameterError, match="the name 'SQUARE'"):
        list(twice)
    (tmp_path / "notes.txt").touch()
    with pytest.raises(nr.ParameterError, match="files of something else"):
        list(nr.solve_many([square], STOP, output=tmp_path))


def test_a_changed_reference_is_noticed(
    square: nr.Instance, tmp_path: Path
) -> None:
    """Its name is the same, and the plans in the folder are others'."""
    reference = tmp_path / "before.sol"
    options: dict[str, Any] = {"output": tmp_path / "out"}
    options |= {"consistency": 1.0, "reference": str(reference)}
    reference.write_text("Route #1: 1 2\nRoute #2: 3 4\nCost 484\n")
    [(_, first)] = nr.solve_many([square], STOP, **options)
    assert isinstance(first, nr.Result)
    reference.write_text("Route #1: 1 3\nRoute #2: 2 4\nCost 484\n")
    with pytest.raises(nr.ParameterError, match="reference_content"):
        list(nr.solve_many([square], STOP, **options))


def test_a_failure_leaves_no_earlier_answer(
    square: nr.Instance, tmp_path: Path
) -> None:
    """The folder has what the last call found."""
    [(name, _)] = nr.solve_many([square], STOP, output=tmp_path)
    assert (tmp_path / f"{name}.json").is_file()
    huge = replace(square, demands=square.demands * 10)
    [(_, error)] = nr.solve_many([huge], STOP, output=tmp_path)
    assert isinstance(error, nr.NccRoutingError)
    assert not (tmp_path / f"{name}.json").exists()


def test_a_folder_is_completed(tmp_path: Path) -> None:
    """Whole results of the same problem stay; the others are made again."""
    folder = tmp_path / "new" / "results"
    options: dict[str, Any] = {"stop": STOP, "output": folder}
    given: list[Any] = list(problems())
    first, damaged, cut, other = (one.name for one in given[:4])
    broken = [*given[:5], ("../manifest", 3), ("manifest", given[5])]
    answers = dict(nr.solve_many(broken, **options))
    assert len(list(folder.glob("*.json"))) == 7  # with the settings
    assert len(read_rows(folder / "manifest.csv")) == len(answers) == 7
    path = folder / f"{damaged}.json"
    path.write_text(path.read_text().replace('"routes": [[', '"routes": [[1,'))
    path = folder / f"{cut}.json"
    path.write_text(path.read_text()[:-100])
    before = (folder / f"{first}.json").stat().st_mtime_ns
    # The fourth is another problem now, and the sixth has failed.
    given[3] = nr.Instance(
        name=other,
        coords=given[3].coords + 1,
        demands=given[3].demands,
        capacity=given[3].capacity,
    )
    again = dict(nr.solve_many(given, jobs=2, **options))
    assert (folder / f"{first}.json").stat().st_mtime_ns == before
    assert again[first].runtime == answers[first].runtime  # type: ignore[union-attr]
    moved = again.pop(other)
    assert isinstance(moved, nr.Result)
    assert (moved.instance.coords == given[3].coords).all()
    again[other] = alone()[other]
    require_same(again.items())
    rows = {row["name"]: row for row in read_rows(folder / "manifest.csv")}
    assert len(rows) == NUM_PROBLEMS + 2
    assert rows["../manifest"]["error"].startswith("the problem must be")
    for name, result in alone().items():
        assert nr.Result.read(folder / rows[name]["file"]).routes
        assert float(rows[name]["num_routes"]) == result.num_routes
    with pytest.raises(nr.ParameterError, match="holds results: name a new"):
        list(nr.solve_many(given, resume=False, **options))
    with pytest.raises(nr.ParameterError, match="with seed 1, not 2: name"):
        list(nr.solve_many(given, seed=2, **options))
    (folder / "manifest.json").write_text("[]")
    with pytest.raises(nr.InstanceError, match="holds no settings"):
        list(nr.solve_many(given, **options))


def test_any_name_is_one_of_a_file(
    square: nr.Instance, tmp_path: Path
) -> None:
    """Long ones are cut, and control characters become escapes."""
    long = 90 * "\N{CJK UNIFIED IDEOGRAPH-4E00}"
    names = [f"{long}1", f"{long}2", "a\rb", "c\n", "b\udcfc.", "x/y", "e "]
    given = [(name, square) for name in names]
    shown = [*names[:2], r"a\rb", r"c\n", r"b\udcfc.", "x/y", "e "]
    first = dict(nr.solve_many(given, STOP, output=tmp_path))
    assert [*first] == shown
    again = dict(nr.solve_many(given, STOP, output=tmp_path))
    assert [one.runtime for one in again.values()] == [  # type: ignore[union-attr]
        one.runtime  # type: ignore[union-attr]
        for one in first.values()
    ]
    rows = read_rows(tmp_path / "manifest.csv")
    assert [row["name"] for row in rows] == sorted(shown)
    assert len({row["file"] for row in rows}) == len(names)
    with pytest.raises(nr.ParameterError, match=r"the name 'a\\\\rb'"):
        list(nr.solve_many([("a\rb", square), (r"a\rb", square)], STOP))


def test_a_table_without_a_column_is_another_one(
    square: nr.Instance, tmp_path: Path
) -> None:
    """With rows or without, it stays as it is."""
    list(nr.solve_many([square], STOP, output=tmp_path))
    for text in ("name,cost\nsquare,1\n", "name,cost\n"):
        (tmp_path / "manifest.csv").write_text(text)
        with pytest.raises(nr.InstanceError, match="column file: missing"):
            list(nr.solve_many([square], STOP, output=tmp_path))
        assert (tmp_path / "manifest.csv").read_text() == text


def test_timetables_are_one_data_set(
    square: nr.Instance, random_instance: nr.Instance, tmp_path: Path
) -> None:
    """Kept results have one too, and what fails later has none any more."""
    parquet = pytest.importorskip("pyarrow.parquet")
    given: list[Any] = [("a/b", square), random_instance]
    names, folder = ["a/b", random_instance.name], tmp_path / "timetables"

    def found(*problems: Any, timetables: bool = True) -> dict[str, Any]:
        options: dict[str, Any] = {"output": tmp_path}
        return dict(
            nr.solve_many(problems, STOP, timetables=timetables, **options)
        )

    found(*given, timetables=False)
    assert not folder.exists()
    results = found(*given)
    assert sorted(path.name for path in folder.iterdir()) == [
        "a%2Fb.parquet",
        f"{names[1]}.parquet",
    ]
    tables = [parquet.read_table(path) for path in sorted(folder.iterdir())]
    for table, name in zip(tables, names, strict=True):
        assert set(table["problem"].to_pylist()) == {name}
        assert table.drop(["problem"]).equals(results[name].to_arrow())
    assert parquet.read_table(folder).num_rows == sum(map(len, tables))
    found(("a/b", 3))
    found((names[1], square), timetables=False)
    assert not [*folder.iterdir()]
    found(("a/b", square))
    assert parquet.read_table(folder).equals(tables[0])


def test_timetables_need_a_folder_and_pyarrow(
    square: nr.Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said before the first problem."""
    with pytest.raises(nr.ParameterError, match="timetables need a folder"):
        nr.solve_many([square], STOP, timetables=True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(nr.NccRoutingError, match=r'"ncc_routing\[arrow\]"'):
        nr.solve_many([square], STOP, timetables=True, output=tmp_path)


def test_a_criterion_is_known_again(
    square: nr.Instance, tmp_path: Path
) -> None:
    """As ours, as PyVRP's, and as a function; another one is refused."""
    pyvrp_stop = pytest.importorskip("pyvrp.stop")

    def asked(cost: float) -> bool:
        return cost < 485

    def others(cost: float) -> bool:
        return cost < 484

    for place, (first, second, other) in enumerate(
        (
            (STOP, pyvrp_stop.MaxIterations(500), pyvrp_stop.MaxIterations(9)),
            (pyvrp_stop.MaxRuntime(0.1), pyvrp_stop.MaxRuntime(0.1), STOP),
            (asked, asked, others),
        )
    ):
        options: dict[str, Any] = {"output": tmp_path / str(place)}
        for stop in (first, second):
            [(_, result)] = nr.solve_many([square], stop, **options)
            assert isinstance(result, nr.Result)
        with pytest.raises(nr.ParameterError, match="holds results with stop"):
            list(nr.solve_many([square], other, **options))


def test_one_process_writes_a_folder(tmp_path: Path) -> None:
    """Another one is refused as long as that one works."""
    options: dict[str, Any] = {"stop": STOP, "output": tmp_path}
    one = nr.solve_many(problems(), **options)
    next(one)
    with pytest.raises(nr.NccRoutingError, match="another process is writing"):
        next(nr.solve_many(problems(), **options))
    one.close()  # type: ignore[attr-defined]
    require_same(nr.solve_many(problems(), **options))


def test_a_full_disk_ends_the_run(tmp_path: Path) -> None:
    """What is written stays, and the rest is made when there is room."""
    answers = nr.solve_many(problems(), STOP, output=tmp_path)
    first, _ = next(answers)
    with (
        small_files(1000),
        pytest.raises(nr.NccRoutingError, match=r"json: .* cannot be written"),
    ):
        list(answers)
    rows = read_rows(tmp_path / "manifest.csv")
    assert [row["name"] for row in rows] == [first]
    require_same(nr.solve_many(problems(), STOP, output=tmp_path))


DRIVER = """
import sys
import ncc_routing as nr
from ncc_routing.generators import generate_uchoa

problems = (generate_uchoa(20 + n, 1 + n) for n in range({count}))
stop = nr.stop.MaxIterations(500)
for name, _ in nr.solve_many(problems, stop, jobs=2, output=sys.argv[1]):
    print(name, flush=True)
    if name == {last!r}:
        input()
"""


def test_a_killed_driver_loses_nothing(tmp_path: Path) -> None:
    """Killed at half, with the lock on the folder and work in progress."""
    last = list(problems())[NUM_PROBLEMS // 2].name
    code = DRIVER.format(count=NUM_PROBLEMS, last=last)
    folder = tmp_path / "results"
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as driver:
        assert driver.stdout is not None
        for line in driver.stdout:
            if line.strip() == last:
                break
        driver.kill()
    done = read_rows(folder / "manifest.csv")
    assert 0 < len(done) < NUM_PROBLEMS
    with (folder / "manifest.csv").open("a") as table:
        table.write("cut off,")
    times = {row["name"]: row["runtime_seconds"] for row in done}
    answers = dict(nr.solve_many(problems(), STOP, jobs=2, output=folder))
    require_same(answers.items())
    for name, seconds in times.items():
        assert answers[name].runtime == pytest.approx(float(seconds), abs=1e-4)  # type: ignore[union-attr]


def test_killed_workers_are_replaced() -> None:
    """Three of them, whatever they do at that moment."""
    psutil = pytest.importorskip("psutil")
    answers, killed = [], 0
    for answer in nr.solve_many(problems(), STOP, jobs=2):
        answers.append(answer)
        children = psutil.Process().children()
        if killed < 3 and children:
            children[killed % len(children)].send_signal(signal.SIGKILL)
            killed += 1
    assert killed == 3
    require_same(answers)


def test_dask_gives_the_same() -> None:
    """Two workers on this machine."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        require_same(nr.solve_many(problems(), STOP, jobs=2))


def test_ray_gives_the_same() -> None:
    """Its backend returns lists, so slices are sent to it."""
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.util.joblib").register_ray()
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1")
    try:
        with joblib.parallel_config(backend="ray"):
            require_same(nr.solve_many(problems(), STOP, jobs=2))
    finally:
        ray.shutdown()
