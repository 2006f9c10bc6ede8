"""The table of processor time by folder of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.budget import MOST, SECONDS, over_budget

TESTS = Path(__file__).parent


def test_every_folder_of_tests_has_a_budget() -> None:
    """A new one needs a line, and all together keep the limit."""
    names = {
        folder if names else "tests"
        for file in TESTS.rglob("test_*.py")
        for folder, *names in [file.relative_to(TESTS).parts]
    }
    assert names - {"acceptance"} == SECONDS.keys()
    assert sum(SECONDS.values()) <= MOST


@pytest.mark.parametrize("speed", [1, 7])
def test_a_folder_that_grows_is_over_its_budget(speed: int) -> None:
    """On a fast and on a slow machine; small changes are noise."""
    budget = {"io": 40, "vrp": 150, "cli": 60}
    taken = {name: float(speed * each) for name, each in budget.items()}
    assert over_budget(taken, budget) == []
    assert over_budget(taken | {"io": speed * 48.0}, budget) == []
    for name, seconds in (("io", 70), ("vrp", 240), ("cli", 100)):
        [line] = over_budget(taken | {name: speed * seconds}, budget)
        most = speed * (1.5 * budget[name] + 3)
        assert line == (
            f"tests/budget.py: {name} takes {speed * seconds:.1f} s, on this "
            f"machine it may take {most:.1f} s"
        )
    [line] = over_budget(taken | {"new": 0.1}, budget)
    assert "new takes 0.1 s, on this machine it may take 0.0 s" in line
