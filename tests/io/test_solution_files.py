"""Reading and writing solutions."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
import pyvrp
import vrplib

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan
from ncc_routing.io.vrplib import write_solution
from tests.oracles.refusals import written

DATA = Path(__file__).parent / "data"


def test_reads_a_solution() -> None:
    """Routes, and the cost in CVRPLIB's form; they fit the instance."""
    stated = nr.read_solution(DATA / "tiny.sol")
    assert stated.routes == ((1, 2), (3, 4), (5,))
    assert stated.cost == 64
    instance = nr.read(DATA / "tiny.vrp")
    solution = nr.Solution(stated.routes, stated.cost)
    assert nr.check_solution(instance, solution) == []


@pytest.mark.parametrize(
    ("text", "routes", "cost"),
    [
        ("Route #1: 1 2\nCost: 12\n", ((1, 2),), 12.0),
        ("Route #1: 1 2\nCost 12.5", ((1, 2),), 12.5),
        ("Route 1: 1 2\nCOST 12", ((1, 2),), 12.0),
        ("Route #1:\t1\t2 \r\nCost\t12\r\n", ((1, 2),), 12.0),
        ("# found by us\n\nRoute #1: 7\nTime 3.4\nok\n", ((7,),), None),
        ("Route #1:\nRoute #2: 3\nCost 4", ((), (3,)), 4.0),
        ("Route #1: 1 0 2\nCost 4", ((1, 0, 2),), 4.0),
        ("Route #1: 0 2 0\nCost 4", ((0, 2, 0),), 4.0),
    ],
)
def test_variants_of_solutions(
    tmp_path: Path,
    text: str,
    routes: tuple[tuple[int, ...], ...],
    cost: float | None,
) -> None:
    """Both forms of the cost line; extra lines; an empty route is kept."""
    file = tmp_path / "case.sol"
    file.write_bytes(text.encode())
    assert nr.read_solution(file)[:2] == (routes, cost)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Cost 12\n", "Route: there is no route in the file"),
        ("Route #1: 1 -2\n", "line 1: a route must list customer numbers"),
        ("\nRoute #1: 1 2.5\n", "line 2: a route must list customer numbers"),
        ("Route #1: one\n", "line 1: a route must list customer numbers"),
        ("Route #1 1 2\n", "line 1: must be of the form 'Route #1: 3 5 2'"),
        ("The Route: 1 2\n", "line 1: must be of the form"),
        ("Route #1: 1\nCost much\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost nan\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost:\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost 5\nCost 6\n", "line 3: there must be one cost"),
        ("Route #1: 1\nCost 5\ncost: 5\n", "line 3: there must be one cost"),
        ("Route #1: 1\nCost 5 6\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost 1_0\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost: \u0663\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost inf\n", "Cost: must be a finite number"),
        ("Route #1: \u0663\n", "line 1: a route must list customer numbers"),
        (f"Route #1: {'9' * 5000}\n", "line 1: a route must list customer"),
        ("", "file: is empty"),
        ("\0", "file: is not a text file"),
    ],
)
def test_refuses_malformed_solutions(
    tmp_path: Path, text: str, message: str
) -> None:
    """Each error names the file and the line or the field."""
    file = tmp_path / "case.sol"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(nr.InstanceError) as caught:
        nr.read_solution(file)
    assert str(caught.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize("text", ["0 2", "1 0"])
def test_depots_at_the_ends_are_reloads(tmp_path: Path, text: str) -> None:
    """Only for a vehicle that may be loaded anew; others do not list them."""
    instance = nr.read(DATA / "tiny.vrp")
    file = tmp_path / "case.sol"
    file.write_text(f"Route #1: {text}\nCost 4\n")
    with pytest.raises(nr.InstanceError) as caught:
        read_plan(file, instance)
    rule = "the depot must not be listed at an end of a route, got 0"
    assert str(caught.value) == f"{file}: route 1: {rule}."
    for most in (0, 1):
        kind = nr.VehicleType(
            capacity=10, reload_depots=(0,), max_reloads=most
        )
        able = replace(instance, fleet=nr.Fleet((kind,)))
        if most == 0:
            with pytest.raises(nr.InstanceError, match=rule):
                read_plan(file, able)
        else:
            routes = (tuple(map(int, text.split())),)
            assert read_plan(file, able).routes == routes


def test_writes_cvrplib_form(tmp_path: Path) -> None:
    """A whole cost has no decimal point, any other has all its digits."""
    file = tmp_path / "out.sol"
    write_solution(file, nr.Solution(((1, 2), (3,)), 64.0))
    assert file.read_text() == "Route #1: 1 2\nRoute #2: 3\nCost 64\n"
    write_solution(file, nr.Solution(((1,),), 0.1 + 0.2))
    assert file.read_text().splitlines()[-1] == "Cost 0.30000000000000004"
    assert os.listdir(tmp_path) == ["out.sol"]


def test_written_solution_is_read_back_by_everyone(tmp_path: Path) -> None:
    """By us, by vrplib, and by PyVRP with the same cost."""
    instance = nr.read(DATA / "tiny.vrp")
    solution = nr.Solution.from_routes(instance, [[2, 1], [4, 3], [5]])
    file = tmp_path / "out.sol"
    write_solution(file, solution)
    assert nr.read_solution(file) == (
        solution.routes,
        solution.cost,
        (1, 2, 3),
    )
    assert vrplib.read_solution(file) == {
        "routes": [[2, 1], [4, 3], [5]],
        "cost": 64,
    }
    data = pyvrp.read(DATA / "tiny.vrp", round_func="round")
    theirs = pyvrp.read_solution(file, data)
    assert theirs.is_feasible()
    assert theirs.distance() == 64


def test_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new file appears when it is complete, or not at all."""
    file = tmp_path / "out.sol"
    file.write_text("old")

    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(nr.NccRoutingError, match="No space left on device"):
        write_solution(file, nr.Solution(((1,),), 1.0))
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.sol"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A missing folder, a folder as a file, a file as a folder."""
    file = tmp_path / "file"
    file.write_text("text")
    solution = nr.Solution(((1,),), 1.0)
    for target in (tmp_path / "no" / "a.sol", tmp_path, file / "a.sol"):
        with pytest.raises(nr.NccRoutingError, match="cannot be written"):
            write_solution(target, solution)


def test_devices_are_not_replaced() -> None:
    """A solution written to the null device leaves the device there."""
    null = Path(os.devnull)
    write_solution(null, nr.Solution(((1,),), 1.0))
    assert null.exists()
    assert not null.is_file()


def test_no_line_is_left_out(tmp_path: Path) -> None:
    """A route in capitals, a cost with a word before it, a broken line."""
    text = "ROUTE #1: 1 2\nroute #2: 3\nTotal cost: 99\n"
    found = nr.read_solution(written(tmp_path, text, "a.sol"))
    assert (found.routes, found.cost) == (((1, 2), (3,)), 99.0)
    broken = "Route #1: 1 2\n 3 4\nCost 5\n"
    with pytest.raises(nr.InstanceError, match="line 2: is neither a route"):
        nr.read_solution(written(tmp_path, broken, "b.sol"))
