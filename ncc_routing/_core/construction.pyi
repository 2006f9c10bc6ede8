from typing import Annotated

import numpy
from numpy.typing import NDArray

import ncc_routing.problems.distances

def list_pairs(
    order: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    neighbours: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    pairs: Annotated[
        NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu")
    ],
) -> int: ...
def fill_savings(
    metric: ncc_routing.problems.distances.Metric,
    tails: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    heads: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    shape: float,
    savings: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def merge_routes(
    tails: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    heads: Annotated[
        NDArray[numpy.int32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    symmetric: bool,
    capacity: int,
    links: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")
    ],
    parent: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    loads: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def walk_routes(
    links: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    symmetric: bool,
    visits: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
