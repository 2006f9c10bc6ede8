from typing import Annotated

import numpy
from numpy.typing import NDArray

import ncc_routing.problems.distances

class SearchParams:
    def __init__(
        self,
        *,
        mean_removed: float,
        max_string: float,
        split: float,
        blink: float,
        reach: float,
        tolerance: float,
        num_local_moves: float,
    ) -> None: ...
    @property
    def tolerance(self) -> float: ...
    @property
    def most_removed(self) -> int: ...
    def __getstate__(
        self,
    ) -> tuple[float, float, float, float, float, float, float]: ...
    def __setstate__(
        self, arg: tuple[float, float, float, float, float, float, float], /
    ) -> None: ...

class RoutingProblem:
    def __init__(
        self,
        *,
        metric: ncc_routing.problems.distances.Metric,
        demands: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacity: int,
        neighbours: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        near: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        num_candidates: int,
        round_trip: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        is_symmetric: bool,
    ) -> None: ...

class CenterTable:
    def __init__(
        self,
        *,
        ids: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        penalties: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        far: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...

class SameRouteTable:
    def __init__(
        self,
        *,
        districts: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        num_others: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        unit: float,
    ) -> None: ...

class RoutingSearch:
    def __init__(
        self,
        problem: RoutingProblem,
        params: SearchParams,
        nodes: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        num_slots: int,
        seed: int,
        centers: CenterTable | None = None,
        pairs: SameRouteTable | None = None,
    ) -> None: ...
    def anneal(
        self, num_iterations: int, temperature: float, cooling: float
    ) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def best_cost(self) -> float: ...
    @property
    def num_iterations(self) -> int: ...
    def current_routes(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]: ...
    def best_routes(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]: ...
    def ruin(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    def ruin_and_recreate(self, limit: float) -> bool: ...
    def improve_locally(self, temperature: float) -> None: ...
    @property
    def next(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def prev(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def to_next(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def to_prev(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def sizes(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def route_of(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def loads(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def free_routes(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def center_of(
        self,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    @property
    def district_counts(
        self,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
