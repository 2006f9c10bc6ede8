from typing import Annotated

import numpy
from numpy.typing import NDArray

class HullTable:
    def __init__(
        self,
        *,
        places: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        unit: float,
    ) -> None: ...

def find_inside_other_hulls(
    places: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    nodes: Annotated[
        NDArray[numpy.uint32],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    starts: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    is_inside: Annotated[
        NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None: ...
