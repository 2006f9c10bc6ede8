from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

NO_ARC: int = 36028797018963968

MAX_SUBSET_ROWS: int = 128

RATIO_UNIT: int = 1024

class SubsetRows:
    def __init__(
        self,
        num_nodes: int,
        nodes: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        memories: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        memory_starts: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        prices: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def count(
        self,
        nodes: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        out: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu"),
        ],
    ) -> None: ...

class Pricer:
    def __init__(
        self,
        steps: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        early: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        late: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        extras: Sequence[
            Annotated[
                NDArray[numpy.int32],
                dict(
                    shape=(None, None), order="C", device="cpu", writable=False
                ),
            ]
        ],
        limits: Sequence[int],
        weights: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        main_is_weight: bool,
        near: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        is_symmetric: bool,
    ) -> None: ...
    def price(
        self,
        costs: numpy.ndarray,
        rows: SubsetRows,
        exact: bool,
        max_labels: int,
        is_over: Callable[[], bool],
    ) -> tuple[
        bool, int, int, numpy.ndarray, numpy.ndarray, numpy.ndarray
    ]: ...
    def read_near(self) -> None: ...
    def drop_arcs(
        self,
        costs: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        limit: int,
        out: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu"),
        ],
    ) -> int: ...
    @property
    def num_labels(self) -> int: ...

class LoadWalks:
    def __init__(
        self,
        loads: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacity: int,
        tails: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        cells: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        num_cells: int,
    ) -> None: ...
    def run(
        self,
        costs: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def run_listed(
        self,
        listed: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        others: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        of_nodes: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        largest: int,
    ) -> None: ...
    def least_ratios(
        self, ends: LoadWalks
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
    def add_visits(
        self,
        ends: LoadWalks,
        customers: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        visits: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu"),
        ],
    ) -> None: ...

def reduce_costs(
    costs: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    node_duals: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    nodes: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    starts: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    set_duals: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    out: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")
    ],
) -> None: ...
def find_capacity_cuts(
    flow: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    loads: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    capacity: int,
    least: float,
) -> list[list[int]]: ...
def find_subset_rows(
    num_rows: int,
    nodes: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    starts: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    uses: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    least: float,
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
