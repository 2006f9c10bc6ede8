"""The processor time that each folder of tests may take.

With ``--budget`` a run of all tests fails where a folder takes too much beside
the others, on a slow machine as on a fast one. The sum is only that of the
table: seconds themselves differ between machines.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SECONDS: Final = {
    "bench": 2,
    "benchmarking": 22,
    "ccp": 36,
    "cli": 92,
    "clustering": 3,
    "core": 18,
    "generators": 3,
    "io": 50,
    "paper": 32,
    "plotting": 3,
    "problems": 12,
    "pyvrp": 30,
    "robustness": 26,
    "serve": 13,
    "tests": 44,
    "vrp": 204,
}
"""Processor seconds of each folder, with what its tests start; "tests" are
the files beside the folders. A folder that needs more gets it here."""

MOST: Final = 600
"""Processor seconds of all tests together."""

SLACK: Final = 1.5
"""How often a folder may take its seconds, for noise."""

SMALL: Final = 3
"""Seconds that it may take on top of that."""

_taken: Final[dict[str, float]] = defaultdict(float)
_over: Final[list[str]] = []


def over_budget(
    taken: Mapping[str, float], budget: Mapping[str, float]
) -> list[str]:
    """Return a line for each folder that takes too much.

    What all others take tells how slow the machine is.
    """
    whole, planned = sum(taken.values()), sum(budget.values())
    lines = []
    for folder, seconds in sorted(taken.items()):
        own = budget.get(folder, 0)
        # How long this machine takes for a second of the others.
        pace = (whole - seconds) / (planned - own)
        most = pace * (SLACK * own + SMALL) if own else 0.0
        if seconds > most:
            lines.append(
                f"tests/budget.py: {folder} takes {seconds:.1f} s, on this "
                f"machine it may take {most:.1f} s"
            )
    return lines


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of whole runs."""
    parser.addoption(
        "--budget", action="store_true", help="fail beyond tests/budget.py"
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Count what a test, its fixtures and its processes take."""
    before = os.times()
    try:
        return (yield)
    finally:
        taken = sum(os.times()[:4]) - sum(before[:4])
        folder, *names = item.nodeid.split("::")[0].split("/")[:-1]
        _taken[names[0] if names else folder] += taken


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a process of the tests has counted."""
    output = getattr(node, "workeroutput", {})
    for folder, seconds in output.get("processor_time", {}).items():
        _taken[folder] += seconds


def _is_whole(session: pytest.Session) -> bool:
    """Whether a run had all tests, and came to its end."""
    config = session.config
    is_selected = config.args_source != pytest.Config.ArgsSource.TESTPATHS
    return not (is_selected or config.option.keyword or session.exitstatus)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts to the process that looks at all of them, or look."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["processor_time"] = dict(_taken)
    elif session.config.getoption("budget") and _is_whole(session):
        _over.extend(over_budget(_taken, SECONDS))
        session.exitstatus = session.exitstatus or bool(_over)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the folders that take too much."""
    for line in _over:
        terminalreporter.write_line(line, red=True)
