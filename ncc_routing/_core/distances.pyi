from typing import Annotated

import numpy
from numpy.typing import NDArray

import ncc_routing.problems.distances

def fill_block(
    metric: ncc_routing.problems.distances.Metric,
    nodes: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    out: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None: ...
