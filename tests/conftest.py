"""Fixtures that the whole test tree shares."""

from __future__ import annotations

import gc
import os
import signal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import typer

import ncc_routing as nr
from tests.oracles.system import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ("tests.budget", "tests.oracles.scorer_fixtures")

gc.disable()


def pytest_collection_finish() -> None:
    """Leave modules and tests out of all later collections."""
    gc.enable()
    gc.freeze()


REPOSITORY = Path(__file__).resolve().parents[1]


DATA = REPOSITORY.parent / "shared" / "data"


@pytest.fixture(scope="session", autouse=True)
def _one_tree_of_commands() -> Iterator[None]:
    """Build the commands once: it takes longer than most of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts, also where a shell has started the tests without."""
    with keeping_handlers():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield


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
def square() -> nr.Instance:
    """Four customers on the corners of a square around the depot.

    Depot (50, 50), corners at 0 and 100; demands 1, 2, 3, 4; capacity 5. The
    best plan pairs customers 1, 4 and 2, 3: load 5 each.
    """
    return nr.Instance(
        name="square",
        coords=np.array([[50, 50], [0, 0], [100, 0], [100, 100], [0, 100]]),
        demands=np.array([0, 1, 2, 3, 4]),
        capacity=5,
    )


@pytest.fixture(scope="session")
def random_instance() -> nr.Instance:
    """Sixty customers at random in a square of side 1000, capacity 50."""
    rng = np.random.default_rng(7)
    return nr.Instance(
        name="random60",
        coords=rng.integers(0, 1000, size=(61, 2)),
        demands=np.concatenate([[0], rng.integers(1, 15, size=60)]),
        capacity=50,
    )


@pytest.fixture(scope="session")
def two_depots() -> nr.Instance:
    """Four customers on a line between two depots, with times and types.

    Depots at 0 (node 0) and 100 (node 5), customers at 10, 20, 80, 90 with
    demands 3, 4, 5, 2; each service takes 5, and customer 2 opens from 30 to
    60. Two vehicles of type 0 at the first depot (capacity 7, fixed cost
    5), one of type 1 at the second (capacity 8, 2 a unit of distance, shift
    60). The best plan: 1, 2 by type 0 (cost 45), 4, 3 by type 1 (cost 80).
    """
    return nr.Instance(
        name="two_depots",
        demands=np.array([0, 3, 4, 5, 2, 0]),
        capacity=8,
        coords=np.array([[x, 0] for x in (0, 10, 20, 80, 90, 100)]),
        num_depots=2,
        fleet=nr.Fleet(
            (
                nr.VehicleType(capacity=7, num_available=2, fixed_cost=5),
                nr.VehicleType(
                    capacity=8,
                    num_available=1,
                    unit_distance_cost=2,
                    start_depot=1,
                    end_depot=1,
                    shift_duration=60,
                ),
            )
        ),
        windows=nr.TimeWindows.of(
            6,
            tw_early=[0, 0, 30, 0, 0, 0],
            tw_late=[200, 200, 60, 200, 200, 200],
            service_durations=[0, 5, 5, 5, 5, 0],
        ),
    )


@pytest.fixture(scope="session")
def two_depots_plan(two_depots: nr.Instance) -> nr.Solution:
    """Return the best plan of ``two_depots``, of cost 45 + 80 = 125."""
    return nr.Solution.from_routes(two_depots, [[1, 2], [4, 3]], [0, 1])


@pytest.fixture(scope="session")
def full_load() -> nr.Instance:
    """Two customers and a shipment on a line between two depots.

    The depots are at 0 (node 0) and 50 (node 5), the customers at 10 and 20,
    the shipment goes from 30 (node 3) to 40 (node 4). Two load dimensions:
    customer 1 gets (3, 0) and gives (0, 1), customer 2 gets (2, 2), and the
    shipment is (4, 0). Customers are one of a group, the shipment has the
    prize 90. A vehicle holds (5, 2), has (1, 0) on board at first and may
    reload once at the second depot, where the work takes 7. Its use pays 6;
    beyond a shift of 60 it may work for 40, at 2 a unit.
    """
    capacity: Any = (5, 2)
    return nr.Instance(
        name="full_load",
        demands=np.array([0, 3, 2, 0, 0, 0]),
        capacity=5,
        coords=np.array([[x, 0] for x in (0, 10, 20, 30, 40, 50)]),
        num_depots=2,
        fleet=nr.Fleet(
            (
                nr.VehicleType(
                    capacity=capacity,
                    fixed_cost=-6,
                    shift_duration=60,
                    initial_load=(1, 0),
                    reload_depots=(1,),
                    max_reloads=1,
                    max_overtime=40,
                    unit_overtime_cost=2,
                ),
            )
        ),
        windows=nr.TimeWindows.of(
            6,
            service_durations=[0, 0, 0, 0, 0, 7],
            release_times=[0, 0, 30, 0, 0, 0],
        ),
        loads=nr.Loads(
            np.array([[0, 0], [3, 0], [2, 2], [0, 0], [0, 0], [0, 0]]),
            np.array([[0, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]),
        ),
        selection=nr.Selection(
            np.array([0, 0, 0, 90, 0, 0]),
            np.zeros(6, dtype=bool),
            (nr.Group((1, 2)),),
        ),
        shipments=(nr.Shipment(3, 4, (4, 0)),),
    )
