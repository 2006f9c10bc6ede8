from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import ncc_routing._core.fleets

class Vehicle:
    def __init__(
        self,
        *,
        fixed_cost: float,
        distance_cost: float,
        duration_cost: float,
        overtime_cost: float,
        driving_cost: float,
        unpaid_duration: float,
        regular_duration: float,
        max_duration: float,
        early: float,
        late: float,
        latest_start: float,
        initial_load: Sequence[int],
        whole: tuple[
            ncc_routing._core.fleets.Hours,
            Sequence[ncc_routing._core.fleets.Break],
        ],
        real: tuple[
            ncc_routing._core.fleets.Hours,
            Sequence[ncc_routing._core.fleets.Break],
        ],
    ) -> None: ...

class Past:
    def __init__(
        self,
        *,
        departures: Sequence[float],
        on_board: Sequence[int],
        num_reloads: int,
        undelivered: Sequence[Sequence[int]],
        is_over: bool,
        breaks: Sequence[tuple[int, int, float, float, float]],
        delays: Sequence[tuple[int, float]],
        so_far: ncc_routing._core.fleets.HoursSoFar,
    ) -> None: ...

class RouteProblem:
    def __init__(
        self,
        *,
        early: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        late: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        release: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        services: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        setups: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        places: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        deliveries: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        load_changes: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        depots: Sequence[int],
        several: Sequence[tuple[int, Sequence[tuple[float, float]]]],
        preferred: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        vehicles: Sequence[Vehicle],
        in_progress: Sequence[Past],
        tolerance: tuple[float, float],
    ) -> None: ...
    def work_of(
        self,
        type: int,
        visits: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> tuple[list[float], list[float]]:
        """Return the services and the set-ups of a route."""

    def schedule(
        self,
        type: int,
        visits: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        legs: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        travel: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        begun: int,
    ) -> tuple[Schedule, list[int]]:
        """
        Return the times of a route that cost least, and its loads.

        Legs and travel are those of its arcs. ``begun`` is the
        number of the route in progress that it goes on with, or -1.
        Loads are what is on board after each visit, row by row.
        """

    def measure(
        self,
        *,
        types: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        visits: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        legs: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        travel: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        begun: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        is_added: Annotated[
            NDArray[numpy.bool_],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        found: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu"),
        ],
        loads: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu"),
        ],
    ) -> None:
        """
        Set what many routes take, and by how much they are late.

        A row of ``found`` has the amounts and the cost, and by how
        much the start, added and other stops, and the end are late;
        one of ``loads`` the most on board. Each stop has the first of
        its windows that is open, and no break is taken.
        """

def amount_names() -> list[str]:
    """Return the names of what a route has of all that is limited."""

class Schedule:
    @property
    def start(self) -> float: ...
    @property
    def begins(self) -> list[float]: ...
    @property
    def services(self) -> list[float]: ...
    @property
    def setups(self) -> list[float]: ...
    @property
    def waits(self) -> list[float]: ...
    @property
    def lateness(self) -> list[float]: ...
    @property
    def amounts(self) -> list[float]: ...
    @property
    def window_cost(self) -> float: ...
    @property
    def cost(self) -> float: ...
    @property
    def misses_break(self) -> bool: ...
    @property
    def misses_rest(self) -> bool: ...
    @property
    def is_late(self) -> bool: ...
    @property
    def breaks(self) -> list[tuple[int, int, float, float, float, float]]: ...
