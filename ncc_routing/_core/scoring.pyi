from typing import Annotated

import numpy
from numpy.typing import NDArray

NUM_FEATURES: int = 16

def decode(
    own: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    other: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    between: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    weight: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    listed: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    seen: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    scores: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None: ...
def fill_lengths(
    places: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    depot: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    axis: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    local: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    scales: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    medoids: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    listed: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    lengths: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
    features: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None: ...
def fill_loads(
    shares: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    num_centers: int,
    listed: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    lengths: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    features: Annotated[
        NDArray[numpy.float32],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None: ...
