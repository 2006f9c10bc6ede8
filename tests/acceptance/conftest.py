"""An empty home and folder, in which commands run as they are typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY = Path(__file__).resolve().parents[2]

# The weights come first: read as x, y, weight the cost would not be 120.
FILES = {
    "named.csv": "weight,x,y\n0,0,0\n3,0,30\n4,40,0\n",
    "named.sol": "Route #1: 1 2\nCost 120\n",
    "bare.csv": "0,0,0\n3,0,30\n4,40,0\n",
    "ids.csv": "id,x,y,demand\nhome,0,0,0\nann,0,30,3\nbob,40,0,4\n",
    "ids.json": '[{"id": "home", "x": 0, "y": 0, "demand": 0},'
    ' {"id": "ann", "x": 0, "y": 30, "demand": 3}]',
    "world.csv": "id,lon,lat,demand\nhome,10,50,0\nann,10,51,1\n",
    "points.csv": "weight,x,y\n"
    + "".join(f"{1 + k % 3},{k % 7},{k * k % 11}\n" for k in range(60)),
    "unit.vrp": "NAME : unit\nTYPE : CVRP\nDIMENSION : 4\n"
    "EDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 2\nNODE_COORD_SECTION\n"
    "1 0.1 0.1\n2 0.3 0.2\n3 0.2 0.4\n4 0.4 0.4\nDEMAND_SECTION\n"
    "1 0\n2 1\n3 1\n4 1\nDEPOT_SECTION\n1\n-1\nEOF\n",
    "driven.csv": "0,4,9\n5,0,6\n9,7,0\n",
    "demands.csv": "id,demand\nhome,0\nann,3\nbob,4\n",
}


@dataclass(frozen=True)
class Seen:
    """What a command left behind."""

    code: int
    out: str
    err: str


Type = Callable[..., Seen]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.acceptance)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the variables of a new user."""
    home = tmp_path_factory.mktemp("home")
    kept = re.compile("PYTHONPATH|LANG|TORCH|PIP_.*|SSL_.*|.*_(?i:proxy)")
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    return {
        **{n: value for n, value in os.environ.items() if kept.fullmatch(n)},
        "PATH": path,
        "HOME": str(home),
        "TERM": "xterm",
        "COLUMNS": "200",
        "REPO": str(REPOSITORY),
    }


@pytest.fixture
def type_in(environment: Mapping[str, str], tmp_path: Path) -> Type:
    """Return a function that runs what is typed, in a folder with files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(
        command: str,
        *,
        language: str = "sh",
        code: int = 0,
    ) -> Seen:
        shell = {"sh": ["bash", "-c"], "python": [sys.executable, "-c"]}
        done = subprocess.run(
            [*shell[language], command],
            cwd=tmp_path,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == code, done.stderr or done.stdout
        return Seen(done.returncode, done.stdout, done.stderr)

    return run
