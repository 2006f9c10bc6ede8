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
def fill_ends(
    ring: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    demands: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    capacity: int,
    ends: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def fill_lengths(
    metric: ncc_routing.problems.distances.Metric,
    ring: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    lengths: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def find_best_start(
    metric: ncc_routing.problems.distances.Metric,
    ring: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    ends: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    lengths: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
) -> tuple[int, int, float]: ...
def walk_sweeps(
    ends: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    starts: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    costs: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
    totals: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
    lasts: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
def cut_into_petals(
    ends: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    costs: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    closing_costs: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    start: int,
    reach: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")
    ],
    came_from: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> float: ...
def grow_petals(
    ring: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    demands: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    capacity: int,
    radii: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    band: float,
    span: int,
    members: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
    offsets: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
