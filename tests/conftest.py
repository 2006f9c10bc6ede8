"""Fixtures that the whole test tree shares."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from ncc_routing.problems.instance import Instance

pytest_plugins = ("scorer_fixtures",)

REPOSITORY = Path(__file__).resolve().parents[1]


DATA = REPOSITORY.parent / "shared" / "data"


@pytest.fixture
def published_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package find the published benchmarks, where they are."""
    if DATA.is_dir() and "NCC_ROUTING_DATA" not in os.environ:
        monkeypatch.setenv("NCC_ROUTING_DATA", str(DATA))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Folder of the published benchmarks; skips where it is absent."""
    folder = Path(os.environ.get("NCC_ROUTING_DATA", DATA))
    if not folder.is_dir():
        pytest.skip(
            f"benchmark data not found; set NCC_ROUTING_DATA ({folder})"
        )
    return folder


@pytest.fixture(scope="session")
def instances_dir() -> Path:
    """Folder of the generated instances that the repository ships."""
    return REPOSITORY / "instances"


@pytest.fixture(scope="session")
def square() -> Instance:
    """Four customers on the corners of a square around the depot.

    Depot (50, 50), corners at 0 and 100; demands 1, 2, 3, 4; capacity 5. The
    best plan pairs customers 1, 4 and 2, 3: load 5 each.
    """
    return Instance(
        name="square",
        coords=np.array([[50, 50], [0, 0], [100, 0], [100, 100], [0, 100]]),
        demands=np.array([0, 1, 2, 3, 4]),
        capacity=5,
    )


@pytest.fixture(scope="session")
def random_instance() -> Instance:
    """Sixty customers at random in a square of side 1000, capacity 50."""
    rng = np.random.default_rng(7)
    return Instance(
        name="random60",
        coords=rng.integers(0, 1000, size=(61, 2)),
        demands=np.concatenate([[0], rng.integers(1, 15, size=60)]),
        capacity=50,
    )
