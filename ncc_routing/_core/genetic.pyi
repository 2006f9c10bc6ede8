from typing import Annotated

import numpy
from numpy.typing import NDArray

class Problem:
    def __init__(
        self,
        matrix: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        demands: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacity: int,
        neighbours: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        bounds: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def neighbours_of(self, customer: int) -> list[int]: ...

class Params:
    def __init__(
        self,
        *,
        min_size: int = 25,
        generation_size: int = 40,
        num_elite: int = 4,
        num_close: int = 5,
        num_founders: int = 100,
        max_idle: int = 20000,
        repair_share: float = 0.5,
        repair_factor: float = 10.0,
        penalty_interval: int = 100,
        target_feasible: float = 0.2,
        tolerance: float = 0.05,
        penalty_increase: float = 1.2,
        penalty_decrease: float = 0.85,
        min_penalty: float = 0.1,
        max_penalty: float = 100000.0,
    ) -> None: ...
    @property
    def min_size(self) -> int: ...
    @property
    def generation_size(self) -> int: ...
    @property
    def num_elite(self) -> int: ...
    @property
    def num_close(self) -> int: ...

class LinkedRoutes:
    def __init__(
        self,
        problem: Problem,
        num_routes: int,
        nodes: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def current_routes(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]: ...
    def to_tour(self) -> list[int]: ...
    def measure(self) -> tuple[float, int]: ...
    def is_consistent(self) -> bool: ...

def make_best_move(
    routes: LinkedRoutes, u: int, v: int, penalty: float
) -> tuple[int, float]: ...
def swap_star(
    routes: LinkedRoutes, a: int, b: int, penalty: float
) -> bool: ...
def improve_locally(
    routes: LinkedRoutes, penalty: float, seed: int
) -> None: ...
def split(
    routes: LinkedRoutes,
    tour: Annotated[
        NDArray[numpy.uint32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    penalty: float,
) -> None: ...
def cross(
    first: Annotated[
        NDArray[numpy.uint32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    second: Annotated[
        NDArray[numpy.uint32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    seed: int,
) -> list[int]: ...

class Individual:
    @property
    def length(self) -> float: ...
    @property
    def excess(self) -> int: ...
    @property
    def fitness(self) -> float: ...

class Population:
    def __init__(
        self, problem: Problem, params: Params, penalty: float
    ) -> None: ...
    def add(self, routes: LinkedRoutes) -> bool: ...
    def update_fitness(self) -> None: ...
    def select_parent(self, seed: int) -> Individual: ...
    def adapt_penalty(self, is_feasible: bool) -> None: ...
    @property
    def penalty(self) -> float: ...
    @property
    def best_length(self) -> float: ...
    def best_routes(self) -> list[list[int]]: ...
    def members(self, is_feasible: bool) -> list[Individual]: ...
    def distance(self, is_feasible: bool, place: int, other: int) -> int: ...

class GeneticSearch:
    def __init__(
        self,
        problem: Problem,
        max_routes: int,
        penalty: float,
        seed: int,
        params: Params = ...,
    ) -> None: ...
    def add(
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
    def evolve(self, num_offspring: int) -> None: ...
    @property
    def num_offspring(self) -> int: ...
    @property
    def population(self) -> Population: ...
