"""``ncc-route bound``, and the bound beside a solution."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

LINE = "id,x,y,demand\nyard,0,0,0\na,1,0,1\nb,2,0,1\nc,3,0,1\nd,4,0,1\n"


def write_line(folder: Path) -> str:
    """Write customers on a line, whose two routes cost 12."""
    (folder / "line.csv").write_text(LINE)
    return f"{folder}/line.csv --capacity 2"


def test_the_bound_is_printed_as_json(run: Run, tmp_path: Path) -> None:
    """With the better plan that is met on the way."""
    words = write_line(tmp_path)
    done = run("bound", words, "--upper 13 --time-limit 5 --json")
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    # Distances of tables are not rounded, and the bound is from below.
    assert found["lower_bound"] == pytest.approx(12.0, rel=1e-6)
    assert found["lower_bound"] <= 12.0
    assert found["upper"] == 12.0
    assert sorted(map(sorted, found["routes"])) == [[1, 2], [3, 4]]
    assert found["bound_gap_percent"] == pytest.approx(0.0, abs=1e-4)
    assert not found["is_optimal"]  # costs that are not whole
    assert found["history"][-1]["lower_bound"] == found["lower_bound"]
    assert found["kind"] in ("q-routes", "ng-routes")
    assert found["relaxed"] == []


def test_the_bound_is_told_to_people(run: Run, tmp_path: Path) -> None:
    """A solution file is an upper bound too."""
    words = write_line(tmp_path)
    (tmp_path / "line.sol").write_text("Route #1: 1 2\nRoute #2: 3 4\n")
    done = run("bound", words, f"--upper {tmp_path}/line.sol --time-limit 5")
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert lines["gap"] == "0.00 % at most"


def test_solve_tells_the_distance_to_a_bound(run: Run, tmp_path: Path) -> None:
    """Where seconds for it are given."""
    words = write_line(tmp_path)
    done = run("solve", words, "--time-limit 0.3 --bound-seconds 5 --json")
    found = json.loads(done.out)
    assert found["cost"] == 12
    assert found["lower_bound"] == pytest.approx(12.0, rel=1e-6)
    assert found["bound_gap_percent"] == pytest.approx(0.0, abs=1e-4)
    done = run("solve", words, "--time-limit 0.3 --json")
    assert "lower_bound" not in json.loads(done.out)
