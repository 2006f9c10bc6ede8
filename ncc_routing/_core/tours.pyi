from typing import Annotated

import numpy
import numpy.random
from numpy.typing import NDArray

import ncc_routing.problems.distances

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
