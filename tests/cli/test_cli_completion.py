"""What the shell offers after the Tab key, by its own protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.ccp import methods as ccp_methods
from ncc_routing.vrp import methods as vrp_methods
from tests.cli.conftest import run_python

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def asked(line: str) -> dict[str, str]:
    """Return how bash asks for the last word of a line."""
    return {
        "_NCC_ROUTE_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ncc-route inst", ["instances"]),
        ("ncc-route solve --method ", list(vrp_methods.METHOD_NAMES)),
        ("ncc-route solve --method sw", ["sweep", "sweep+"]),
        ("ncc-route solve --polish ", list(vrp_methods.IMPROVEMENT_NAMES)),
        ("ncc-route solve --router l", ["lkh", "local-search"]),
        ("ncc-route solve --metric p", ["paper"]),
        ("ncc-route cluster --objective c", ["cccp", "cpmp"]),
        ("ncc-route cluster --method ", list(ccp_methods.METHODS)),
        ("ncc-route bench --methods ckm,g", ["ckm,gap"]),
        ("ncc-route solve NCC-n0101-s", [f"NCC-n0101-s{i}" for i in "123"]),
        (
            "ncc-route instances get X-n10",
            ["X-n1001-k43", "X-n101-k25", "X-n106-k14"],
        ),
    ],
)
def test_values_are_offered(
    line: str, expected: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Methods, polishes, routers, and names of instances."""
    for name, value in asked(line).items():
        monkeypatch.setenv(name, value)
    done = run.succeeds()
    assert done.err == ""
    assert done.out.split() == expected


def test_own_instances_are_offered(tmp_path: Path) -> None:
    """Those below NCC_ROUTING_DATA count as well."""
    (tmp_path / "own-data.vrp").touch()
    done = run_python(
        *("-m", "ncc_route.app"),
        **asked("ncc-route check own"),
        NCC_ROUTING_DATA=str(tmp_path),
    )
    assert (done.stdout, done.stderr) == ("own-data\n", "")
