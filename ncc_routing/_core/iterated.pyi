from typing import Annotated

import numpy
from numpy.typing import NDArray

import ncc_routing._core.search

class Params:
    def __init__(
        self,
        *,
        num_near: int,
        window: int,
        distance: tuple[float, float],
        threshold: tuple[float, float],
        partner_share: float,
        tolerance: float,
    ) -> None: ...
    def __getstate__(
        self,
    ) -> tuple[
        int, int, tuple[float, float], tuple[float, float], float, float
    ]: ...
    def __setstate__(
        self,
        arg: tuple[
            int, int, tuple[float, float], tuple[float, float], float, float
        ],
        /,
    ) -> None: ...

class IteratedSearch:
    def __init__(
        self,
        problem: ncc_routing._core.search.RoutingProblem,
        params: Params,
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
    ) -> None: ...
    def iterate(
        self, num_iterations: int, begin: float, end: float
    ) -> None: ...
    def add_partner(
        self,
        nodes: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
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
