"""Standard input, standard output and pipes in every verb."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run

CUSTOMERS = "id,lon,lat,demand\nhome,10,50,0\nann,10,50.1,2\nbob,10,50.2,3\n"
ROUTES = "Route #1: 1\nRoute #2: 2\n"
POINTS = "id,x,y\na,0,0\nb,0,1\nc,9,9\nd,9,8\n"
CLUSTERS = [
    "id,x,y,weight,cluster",
    "a,0.0,0.0,1,0",
    "b,0.0,1.0,1,0",
    "c,9.0,9.0,1,1",
    "d,9.0,8.0,1,1",
]


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let standard input be a text."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def relabelled(lines: list[str]) -> list[str]:
    """Return the lines with the cluster of the first point as 0."""
    swap = str.maketrans("01", "10") if lines[1].endswith("1") else {}
    return [
        lines[0],
        *(line[:-1] + line[-1].translate(swap) for line in lines[1:]),
    ]


def test_cluster_reads_and_writes_streams(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table alone is on standard output, the report beside it."""
    feed(monkeypatch, POINTS)
    done = run.succeeds("cluster - --capacity 2 -o -")
    assert relabelled(done.out.splitlines()) == CLUSTERS
    assert "inertia" in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipes_are_written(run: Run, tmp_path: Path) -> None:
    """The reader gets the table, and not an early end."""
    file, pipe = tmp_path / "points.csv", tmp_path / "pipe"
    file.write_text(POINTS)
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(
        target=lambda: found.append(pipe.read_text()), daemon=True
    )
    reader.start()
    run.succeeds("cluster", file, "--capacity 2 -o", pipe)
    reader.join(timeout=30)
    assert relabelled(found[0].splitlines()) == CLUSTERS


def test_check_takes_a_table_of_customers(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of a degree of a meridian is 11,120 m."""
    table, routes = tmp_path / "shop.csv", tmp_path / "shop.sol"
    table.write_text(CUSTOMERS)
    routes.write_text(ROUTES)
    feed(monkeypatch, CUSTOMERS)
    answer = run.json("check -", routes, "--capacity 4")
    assert answer["cost"] == 2 * 11120 + 2 * 22239
    assert answer["feasible"] is True
    feed(monkeypatch, ROUTES)
    assert run("check", table, "- --capacity 2").code == 1
    assert run("check - - --capacity 2").code == 2


def test_check_takes_a_matrix_and_a_depot(run: Run, tmp_path: Path) -> None:
    """Distances of the matrix, from the depot that is named."""
    table, routes = tmp_path / "shop.csv", tmp_path / "shop.sol"
    matrix = tmp_path / "matrix.csv"
    table.write_text("id,demand\nann,1\nhome,0\nbob,1\n")
    matrix.write_text("0,1,2\n4,0,8\n16,32,0\n")
    routes.write_text("Route #1: 1 2\n")  # ann, then bob
    options = ["--capacity", 4, "--matrix", matrix, "--depot", "home"]
    assert run.json("check", table, routes, *options)["cost"] == 4 + 2 + 32


def test_plot_takes_a_table_of_customers(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solution comes from standard input."""
    table, figure = tmp_path / "shop.csv", tmp_path / "shop.svg"
    table.write_text(CUSTOMERS)
    feed(monkeypatch, ROUTES)
    run.succeeds("plot", table, "- --capacity 4 -o", figure)
    assert "<svg" in figure.read_text()


def test_a_generated_instance_goes_through_pipes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From generate to bench, whose rows go on."""
    made = run("generate 5 --seed 3 -o -")
    assert made.code == 0
    assert made.out.startswith("NAME: NCC-n0006-s3\n")
    assert run("generate 5 --count 2 -o -").code == 2
    feed(monkeypatch, made.out)
    done = run.succeeds("bench - --methods savings -o -")
    header, row = done.out.splitlines()
    assert header.startswith("instance,num_customers,")
    assert row.startswith("NCC-n0006-s3,5,")
    assert "| savings |" in done.err


def test_prepare_reads_and_writes_streams(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file of sessions in, the whole map out."""
    header = "start time,end time,latitude,longitude,user id"
    times = "2014-06-01 10:00:00,2014-06-01 20:00:00"
    rows = [
        f"{times},{lat},{lon},user{user}"
        for lat, lon in ((31.2, 121.4), (31.3, 121.5))
        for user in (1, 2)
    ]
    text = "\n".join([header, *rows, ""])
    feed(monkeypatch, text)
    done = run.succeeds("prepare shanghai - -k 1 -o -")
    lines = done.out.splitlines()
    assert lines[0] == "2 1"
    assert [len(line.split()) for line in lines] == [2, 4, 4]
    assert run("prepare shanghai - -o - --parts 1").code == 2


def run_in_shell(
    arguments: str, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run ``ncc-route`` in a shell, in a process of its own."""
    command = f"exec {shlex.quote(sys.executable)} -P -m ncc_route {arguments}"
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        ["sh", "-c", command],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("2>&-", 0, ""),
        ("--progress 2>/dev/full", 0, ""),
        ("--progress 2>&-", 0, ""),
        (">&-", 1, "ncc-route: error: standard output: Bad file descriptor."),
        ("--json >&-", 1, "ncc-route: error: standard output: Bad file desc"),
        (">/dev/full", 1, "ncc-route: error: standard output: No space left"),
        ("<&- >&- 2>&-", 1, ""),
    ],
)
def test_no_answer_is_lost_by_a_broken_stream(
    square_file: Path, tmp_path: Path, options: str, code: int, message: str
) -> None:
    """The file is written, and a broken stderr is no failure at all."""
    job = f"solve {square_file} --polish none --time-limit 2"
    done = run_in_shell(f"{job} -o answer.sol {options}", tmp_path)
    assert done.returncode == code
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == bool(message)
    assert "Cost 484" in (tmp_path / "answer.sol").read_text()
    assert ("feasible" in done.stdout) is (code == 0)


def test_a_closed_standard_input_is_empty(tmp_path: Path) -> None:
    """As any file without content."""
    done = run_in_shell("solve - <&-", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "ncc-route: error: -: file: is empty.\n"
