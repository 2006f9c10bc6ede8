"""What a new user types into a shell, and what has to come of it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import Type

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="types into bash"
)
LARGE = "ncc-route solve NCC-n0401-s1 --time-limit 10 --json"
SMALL = "ncc-route solve NCC-n0101-s1 --time-limit 2"


def answer(type_in: Type, command: str) -> dict[str, Any]:
    """Return the JSON that a command prints."""
    return dict(json.loads(type_in(command).out))


def test_defaults_are_the_best(type_in: Type) -> None:
    """No method or polish is better by 0.3 points in 10 s."""
    best = answer(type_in, LARGE)
    assert best["feasible"]
    assert 9.0 <= best["runtime_seconds"] <= 10.3
    for options in (
        "--method ckm --polish ruin-recreate",
        "--method savings --polish ruin-recreate",
        "--polish pyvrp",
    ):
        other = answer(type_in, f"{LARGE} {options}")
        assert best["gap_percent"] <= other["gap_percent"] + 0.3, options


@pytest.mark.parametrize(
    ("name", "seconds"), [("NCC-n0021-s1", 2.3), ("NCC-n0401-s1", 4.3)]
)
def test_without_options(type_in: Type, name: str, seconds: float) -> None:
    """The time grows with the customers."""
    found = answer(type_in, f"ncc-route solve {name} --json")
    assert found["runtime_seconds"] <= seconds
    assert found["gap_percent"] <= (0.0 if name == "NCC-n0021-s1" else 2.0)


@pytest.mark.parametrize(
    "command",
    [
        "cluster points.csv --capacity 12",
        "cluster points.csv --capacity 12 --objective cpmp --time-limit 3",
        "check named.csv named.sol --capacity 7",
        "plot NCC-n0101-s1 $REPO/instances/NCC-n0101-s1.sol -o first.png",
        "bench NCC-n0021-s1 --polish none",
        "label train --count 1 --sizes 30 30 && ncc-route label valid "
        "--count 1 --sizes 30 30 --seed 9 && ncc-route train train "
        "--validation valid --epochs 1 --schedule cpu --output weights",
    ],
)
def test_first_run_of_other_verbs(type_in: Type, command: str) -> None:
    """Every verb works for a new user."""
    type_in(f"ncc-route {command}")


def test_progress(type_in: Type) -> None:
    """On a terminal, and into a pipe on request alone."""
    script = 'script -qec "{}" /dev/null'
    shown = " of 2 s, best"
    assert shown in type_in(script.format(SMALL)).out
    assert shown not in type_in(script.format(f"{SMALL} --no-progress")).out
    assert type_in(SMALL).err == ""
    assert "best" in type_in(f"{SMALL} --progress").err
    log = type_in(SMALL.replace("ncc-route", "ncc-route -v")).err
    assert "savings" in log


def test_ctrl_c_keeps_the_best(type_in: Type) -> None:
    """The solution so far is written, and Python returns it."""
    stop = "timeout --preserve-status -s INT 10"
    line = "ncc-route solve NCC-n0401-s1 --time-limit 60 -o best.sol"
    type_in(line.replace("60", "1"))  # compiles
    type_in("rm best.sol")
    type_in(f"{stop} {line}", code=130)
    assert "feasible" in type_in("ncc-route check NCC-n0401-s1 best.sol").out
    code = (
        "import ncc_routing as nr; "
        'r = nr.solve("NCC-n0401-s1", time_limit=60.0); print(r.interrupted)'
    )
    assert "True" in type_in(f"{stop} python -c '{code}'").out


@pytest.mark.parametrize(
    ("kind", "begin"),
    [
        ("html", b"<!doctype"),
        ("png", b"\x89PNG"),
        ("svg", b"<?xml"),
        ("geojson", b"{"),
    ],
)
def test_plots(type_in: Type, tmp_path: Path, kind: str, begin: bytes) -> None:
    """Every kind of figure, by the ending of its name."""
    type_in(f"{SMALL} --plot F.{kind}")
    assert (tmp_path / f"F.{kind}").read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("solve named.csv --capacity 7 -o -", "Cost 120"),
        ("solve ids.csv --capacity 7 -o a.csv && cat a.csv", "ann"),
        ("solve ids.json --capacity 7 -o -", "Cost 60"),
        # One degree of latitude there and back, in metres.
        ("solve world.csv --capacity 7 -o -", "Cost 222390"),
        ("cluster points.csv --capacity 12 -o - | sed -n 3p", "1.0,1.0,2,"),
        ("solve ncc-N0021-S1 --time-limit 1", "NCC-n0021-s1"),
        ("solve NCC-n0101-s1 --method ncc --polish none", "ncc, polish none"),
        ("solve --help", "/ 100, but 2 to 60"),
        ("--version", "pyvrp"),
    ],
)
def test_answers(type_in: Type, command: str, text: str) -> None:
    """Tables are read as their headers say, and ids are kept."""
    assert text in type_in(f"ncc-route {command}").out


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("solve bare.csv --capacity 7", ("bare.csv",)),
        ("solve unit.vrp", ("unit.vrp", "EUC_2D")),
        ("solve NCC-n0021", ("NCC-n0021-s1",)),
    ],
)
def test_refusals(type_in: Type, command: str, texts: tuple[str, ...]) -> None:
    """One line on stderr names the file and the reason."""
    seen = type_in(f"ncc-route {command}", code=1)
    assert seen.out == ""
    assert len(seen.err.splitlines()) == 1
    assert all(text in seen.err for text in texts)


@pytest.mark.parametrize("method", ["savings", "ckm", "sweep", "petal"])
def test_matrices(type_in: Type, method: str) -> None:
    """Distances of a file count, beside coordinates or without them."""
    table = "named.csv" if method != "savings" else "demands.csv"
    seen = type_in(
        f"ncc-route solve {table} --capacity 7 --matrix driven.csv "
        f"--method {method} --polish none -o -"
    )
    assert "Cost 19" in seen.out  # 4 + 6 + 9


def test_pipes_and_folders(type_in: Type) -> None:
    """Standard streams, named pipes, folders in and out."""
    seen = type_in(
        "ncc-route generate 50 -o - > g.vrp\n"
        "ncc-route solve - --time-limit 1 -o - < g.vrp "
        "| ncc-route check g.vrp -"
    )
    assert "feasible" in seen.out
    seen = type_in(
        "mkdir many && cp $REPO/instances/NCC-n00[25]1-s1.vrp many\n"
        "ncc-route solve NCC-n0034-s1 many --time-limit 1 --sol-dir s && ls s"
    )
    names = [f"NCC-n{n}-s1.sol" for n in ("0021", "0034", "0051")]
    assert seen.out.split()[-3:] == names
    seen = type_in(
        "mkfifo pipe; cat pipe > piped.sol &\n"
        "ncc-route solve NCC-n0021-s1 --time-limit 1 -o pipe; wait\n"
        "ncc-route check NCC-n0021-s1 piped.sol"
    )
    assert "feasible" in seen.out
