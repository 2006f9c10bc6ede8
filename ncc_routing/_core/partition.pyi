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
        limits: ncc_routing._core.clustering.Limits,
        scale: float,
    ) -> None: ...
    @property
    def coords(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), writable=False)
    ]: ...
    @property
    def limits(self) -> ncc_routing._core.clustering.Limits: ...
    @property
    def scale(self) -> float: ...
    @property
    def num_points(self) -> int: ...
    @property
    def num_clusters(self) -> int: ...

class Partition:
    def __init__(self, problem: Problem) -> None: ...
    @property
    def problem(self) -> Problem: ...
    def assign(
        self,
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> float: ...
    def rebuild(self) -> float: ...
    @property
    def labels(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def loads(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...
    @property
    def excess(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def means(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

class Descent:
    def __init__(
        self,
        partition: Partition,
        near: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        most: int,
    ) -> None: ...
    def run(self, num_steps: int, needed: float) -> float: ...
    @property
    def is_complete(self) -> bool: ...

class Relief:
    def __init__(
        self,
        partition: Partition,
        near: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        most: int,
    ) -> None: ...
    def run(
        self,
        points: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        heights: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        depths: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        prices: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        spare: float,
    ) -> bool: ...
    def settle(
        self,
        points: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> bool: ...

class Kicks:
    def __init__(
        self,
        partition: Partition,
        near: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def run(self, num_kicks: int, rng: numpy.random.Generator) -> float: ...

def reseed(
    problem: Problem,
    labels: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    rng: numpy.random.Generator,
) -> bool: ...

class PowerAssignment:
    def __init__(
        self,
        problem: Problem,
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def begin(
        self,
        means: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        prices: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        near: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def assign(self, low: int, high: int, stride: int) -> None: ...
    @property
    def labels(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    @property
    def margins(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def sums(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...
