"""A clock that tests set."""

import pytest


class Clock:
    """A clock that stands still until it is told the time."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


@pytest.fixture
def clock() -> Clock:
    """Return a clock at 100 s."""
    return Clock()
