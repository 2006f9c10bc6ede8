"""What a file of labels holds: arrays, checked when they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io.arrays import read_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUFFIX: Final = ".npz"
PER_INSTANCE: Final = ("seeds", "sizes", "capacities", "costs")
PER_NODE: Final = ("coords", "demands", "labels")
FIELDS: Final = (*PER_INSTANCE, *PER_NODE, "settings")
"""Arrays that every label file has, and the ending of its name."""
COUNTS: Final = "num_clusters"
"""Array that the files of the CCP have besides: clusters of each instance."""

LARGEST_FILE: Final = 2**28
"""Bytes of a file when it is unpacked: 16 million nodes with two labels."""

_WHOLE: Final = frozenset({"seeds", "sizes", "labels", "settings", COUNTS})
"""Arrays of whole numbers; the others may hold any finite ones."""


class Shard(NamedTuple):
    """The arrays of a file.

    Attributes
    ----------
    arrays
        Those of ``FIELDS``, and of ``COUNTS`` where it is a CCP.
    nodes
        Place of the nodes of each instance in the arrays of nodes.
    """

    arrays: Mapping[str, np.ndarray]
    nodes: list[slice]

    @property
    def is_ccp(self) -> bool:
        """Whether it holds points without a depot."""
        return COUNTS in self.arrays


def read_shard(path: Path) -> Shard:
    """Read a file of labels; no code of the file is ever run.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Shard
        Its arrays, of shapes that agree. What they mean together is not
        checked.

    Raises
    ------
    InstanceError
        If the file is damaged or too large, an array is missing, of another
        kind or shape, or holds what is no finite number.
    """
    arrays = read_arrays(path, LARGEST_FILE)
    for name in FIELDS:
        if name not in arrays:
            raise InstanceError(path, name, "missing: not a label file")
    for name in (*FIELDS, COUNTS):
        if name in arrays:
            _require_numbers(path, name, arrays[name])
    sizes = arrays["sizes"]
    count, total = sizes.size, len(np.atleast_1d(arrays["coords"]))
    if sizes.ndim != 1 or count == 0:
        raise InstanceError(path, "sizes", "must be a list", sizes.shape)
    for value in sizes[(sizes < 1) | (sizes > total)][:1]:
        rule = f"must lie in 1..{total}"
        raise InstanceError(path, "sizes", rule, int(value))
    lengths = sizes.astype(np.int64) + (0 if COUNTS in arrays else 1)
    if int(lengths.sum()) != total:
        rule = f"must add up to the {total} nodes"
        raise InstanceError(path, "sizes", rule, int(lengths.sum()))
    _require_shapes(path, arrays, count, total)
    ends = np.cumsum(lengths).tolist()
    nodes = [slice(a, b) for a, b in zip([0, *ends], ends, strict=False)]
    return Shard(arrays, nodes)


def _require_numbers(path: Path, name: str, array: np.ndarray) -> None:
    """Refuse what is no array of whole, or else of finite numbers."""
    kinds = "iu" if name in _WHOLE else "iuf"
    if array.dtype.kind not in kinds:
        rule = "must be whole numbers" if kinds == "iu" else "must be numbers"
        raise InstanceError(path, name, rule, array.dtype.name)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InstanceError(path, name, "must be finite")
    if name == "costs" and (array < 0).any():
        raise InstanceError(path, name, "must not be negative")


def _require_shapes(
    path: Path, arrays: Mapping[str, np.ndarray], count: int, total: int
) -> None:
    """Refuse arrays whose shapes do not agree."""
    num_runs = len(np.atleast_1d(arrays["labels"]))
    shapes = {
        "seeds": (count,),
        "capacities": (count,),
        "costs": (count, num_runs),
        "coords": (total, 2),
        "demands": (total,),
        "labels": (num_runs, total),
        COUNTS: (count,),
    }
    for name, shape in shapes.items():
        if name in arrays and arrays[name].shape != shape:
            rule = f"must have shape {shape}"
            raise InstanceError(path, name, rule, arrays[name].shape)
    if num_runs == 0:
        raise InstanceError(path, "labels", "must be of one run at least")
