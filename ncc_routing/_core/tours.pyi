from typing import Annotated

import numpy
import numpy.random
from numpy.typing import NDArray

import ncc_routing.problems.distances

def fill_nearest_neighbour_tour(
    dist: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    order: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def move_segment(
    order: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    start: int,
    length: int,
    gap: int,
) -> None: ...
def optimize_tour(
    dist: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    order: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    num_kicks: int,
    rng: numpy.random.Generator,
) -> float: ...
def route_members(
    metric: ncc_routing.problems.distances.Metric,
    members: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    offsets: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    kicks_per_node: int,
    rng: numpy.random.Generator | None,
    costs: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
