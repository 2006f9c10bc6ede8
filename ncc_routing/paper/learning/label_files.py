"""Files of labels: instances with several solutions of each."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import write_bytes
from ncc_routing.io.arrays import read_arrays
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.instance import Instance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True, eq=False)
class LabelledInstance:
    """An instance with the clusters of several good solutions.

    Parameters
    ----------
    instance
        The instance; of a CCP the points.
    labels
        Int array of shape (num_runs, num_nodes): route or cluster of each
        node in each solution; -1 for a depot, which is node 0.
    costs
        Cost of each solution, shape (num_runs,).
    """

    instance: Instance | PointSet
    labels: np.ndarray
    costs: np.ndarray

    def together(self, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        """Return how often pairs of nodes share a cluster, in [0, 1].

        The nodes broadcast: customers are 1..n, points 0..n - 1.
        """
        shared = self.labels[:, rows] == self.labels[:, cols]
        return np.asarray(shared.mean(axis=0, dtype=np.float32))


@dataclass(frozen=True)
class LabelFiles:
    """Label files, to be read one at a time."""

    paths: tuple[Path, ...]

    @classmethod
    def of(cls, places: Sequence[Path]) -> LabelFiles:
        """Return the label files of some places, which may be folders.

        ``InstanceError`` is raised if there is none.
        """
        files: list[Path] = []
        for place in places:
            folder = sorted(place.glob(f"labels-*{SUFFIX}"))
            files += folder if place.is_dir() else [place]
        if not files:
            first = places[0] if places else "labels"
            raise InstanceError(first, "files", "no label file found")
        return cls(tuple(files))

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.paths)

    def read(self, number: int) -> list[LabelledInstance]:
        """Return what a file holds, as ``read_labels``."""
        return list(_labelled(self.paths[number]))

    def instances(self) -> Iterator[Instance | PointSet]:
        """Read all instances, a file at a time."""
        for number in range(len(self)):
            yield from (one.instance for one in self.read(number))


def read_labels(paths: Sequence[Path]) -> list[LabelledInstance]:
    """Read label files.

    Parameters
    ----------
    paths
        Files; a folder stands for all label files in it.

    Returns
    -------
    list[LabelledInstance]
        In the order of the seeds within each file.

    Raises
    ------
    InstanceError
        If a file is damaged or there is none, or labels are no solutions:
        out of range, or of an overloaded cluster.
    """
    files = LabelFiles.of(paths)
    return [entry for i in range(len(files)) for entry in files.read(i)]


def _labelled(path: Path) -> Iterator[LabelledInstance]:
    shard = read_shard(path)
    arrays = shard.arrays
    for i, nodes in enumerate(shard.nodes):
        name = f"{path.stem}-{arrays['seeds'][i]}"
        try:
            instance = _instance_of(shard, i, name)
        except InstanceError as error:  # say which file it is
            field = f"instance {i + 1}, {error.field}"
            raise InstanceError(path, field, error.rule, error.value) from None
        labels = arrays["labels"][:, nodes]
        for rule in _broken_rules(instance, labels)[:1]:
            raise InstanceError(path, f"instance {i + 1}, labels", rule)
        yield LabelledInstance(instance, labels, arrays["costs"][i])


def _instance_of(shard: Shard, i: int, name: str) -> Instance | PointSet:
    arrays, nodes = shard.arrays, shard.nodes[i]
    demands, coords = arrays["demands"][nodes], arrays["coords"][nodes]
    capacity = arrays["capacities"][i].item()
    if not shard.is_ccp:
        return Instance(name, demands, capacity, coords)
    count = int(arrays[COUNTS][i])
    return PointSet(coords, demands, capacity, name, num_clusters=count)


def _broken_rules(
    instance: Instance | PointSet, labels: np.ndarray
) -> list[str]:
    if isinstance(instance, PointSet):
        members, weights = labels, instance.weights
        count = instance.num_clusters or 1
        limit = instance.largest_load()
    else:
        if (labels[:, 0] != -1).any():
            return ["the depot must have -1"]
        members, weights = labels[:, 1:], instance.demands[1:]
        count, limit = instance.num_customers, instance.capacity
    if (members < 0).any() or (members >= count).any():
        return [f"must lie in 0..{count - 1}"]
    loads = [np.bincount(run, weights, count).max() for run in members]
    if max(loads) > limit:
        return [f"a cluster carries {max(loads):.10g} of {limit:.10g}"]
    return []


class Shard(NamedTuple):
    """The arrays of a file, and the place of each instance among the nodes."""

    arrays: Mapping[str, np.ndarray]
    nodes: list[slice]

    @property
    def is_ccp(self) -> bool:
        """Whether it holds points without a depot."""
        return COUNTS in self.arrays


def read_shard(path: Path) -> Shard:
    """Read the arrays of a file of labels; no code of the file is ever run.

    Kinds, shapes and finite numbers are checked, or ``InstanceError`` is
    raised; what the arrays mean together is not checked.
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


def write_shard(
    path: Path,
    labelled: Sequence[LabelledInstance],
    seeds: Sequence[int],
    settings: Sequence[int],
) -> None:
    """Write labelled instances into a file; it appears when it is whole.

    All are of one problem with as many solutions; ``seeds`` name the
    instances. ``settings`` determine the content of files that are made alike.
    """
    arrays: dict[str, Any] = _arrays_of([entry.instance for entry in labelled])
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        seeds=np.array(seeds),
        labels=np.concatenate([entry.labels for entry in labelled], axis=1),
        costs=np.array([entry.costs for entry in labelled]),
        settings=np.array(settings),
        **arrays,
    )
    write_bytes(path, packed.getvalue())


def _arrays_of(
    instances: Sequence[Instance | PointSet],
) -> dict[str, np.ndarray]:
    points = [one for one in instances if isinstance(one, PointSet)]
    if points:
        return {
            "sizes": np.array([one.num_points for one in points]),
            "capacities": np.array([one.capacity for one in points]),
            "coords": np.concatenate([one.coords for one in points]),
            "demands": np.concatenate([one.weights for one in points]),
            COUNTS: np.array([one.num_clusters for one in points]),
        }
    problems = [one for one in instances if not isinstance(one, PointSet)]
    coords = [one.require_coords("labels") for one in problems]
    return {
        "sizes": np.array([one.num_customers for one in problems]),
        "capacities": np.array([one.capacity for one in problems]),
        "coords": np.concatenate(coords),
        "demands": np.concatenate([one.demands for one in problems]),
    }
