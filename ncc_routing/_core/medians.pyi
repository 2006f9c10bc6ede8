from typing import Annotated

import numpy
import numpy.random
from numpy.typing import NDArray

import ncc_routing._core.clustering

class Problem:
    def __init__(
        self,
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        matrix: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        rounds_down: bool,
        uses_means: bool,
        squares: bool,
        limits: ncc_routing._core.clustering.Limits,
        point_limits: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        near: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    @property
    def limits(self) -> ncc_routing._core.clustering.Limits: ...
    @property
    def point_limits(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None,), writable=False)
    ]: ...

class Clusters:
    def __init__(self, problem: Problem) -> None: ...
    def assign(
        self,
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        price: float,
    ) -> None: ...
    def evaluate(self) -> tuple[float, float]: ...
    @property
    def labels(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

class Openings:
    def __init__(self, clusters: Clusters, value: float) -> None: ...
    def exchange(
        self,
        temperature: float,
        price: float,
        num_moves: int,
        rng: numpy.random.Generator,
    ) -> None: ...

class LocalParams:
    def __init__(
        self,
        *,
        highest_temperature: float,
        lowest_temperature: float,
        price_share: float,
        effort: int,
    ) -> None: ...

class Annealing:
    def __init__(self, openings: Openings, params: LocalParams) -> None: ...
    def anneal(
        self,
        temperature: float,
        price: float,
        num_moves: int,
        rng: numpy.random.Generator,
    ) -> None: ...
    def anneal_locally(
        self, price: float, num_trials: int, rng: numpy.random.Generator
    ) -> None: ...
