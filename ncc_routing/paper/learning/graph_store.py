"""The graphs of a training, in bounded memory and in random order."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np
import torch

from ncc_routing.paper.learning.label_files import LabelFiles, LabelledInstance
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch_geometric.data import Data


WINDOW: Final = 32
"""Files whose instances are shuffled among each other."""

MEMORY: Final = 2**31
"""Bytes of graphs that are kept; the others are made anew in each epoch."""


class GraphStore:
    """The graphs of labelled instances, file by file.

    All files are read once, so that a damaged one is known before the first
    step. The graphs of the first files stay within ``memory`` bytes; the
    batches do not depend on how many those are.
    """

    def __init__(
        self,
        source: LabelFiles | Sequence[LabelledInstance],
        prepare: Callable[[LabelledInstance], Data],
        memory: int = MEMORY,
    ) -> None:
        self._source, self._prepare = source, prepare
        self._kept: dict[int, list[Data]] = {}
        self.num_graphs = 0
        count = len(source) if isinstance(source, LabelFiles) else 1
        self.num_files = count
        self._hash = hashlib.sha256()
        for number in range(count):
            graphs = self._made(number, note=self._note)
            self.num_graphs += len(graphs)
            memory -= sum(map(num_bytes, graphs))
            if memory >= 0:
                self._kept[number] = graphs

    @property
    def digest(self) -> str:
        """What tells the labelled instances from others."""
        return self._hash.hexdigest()

    def _note(self, entry: LabelledInstance) -> None:
        """Count an instance into the digest."""
        instance = entry.instance
        weights = (
            instance.weights
            if isinstance(instance, PointSet)
            else instance.demands
        )
        for array in (instance.coords, weights, entry.labels):
            self._hash.update(np.ascontiguousarray(array).tobytes())

    def _made(
        self,
        number: int,
        note: Callable[[LabelledInstance], None] = lambda _: None,
    ) -> list[Data]:
        source = self._source
        labelled = (
            source.read(number) if isinstance(source, LabelFiles) else source
        )
        made = []
        for entry in labelled:
            note(entry)
            made.append(self._prepare(entry))
        return made

    def __iter__(self) -> Iterator[Data]:
        """Yield all graphs in the order of the files."""
        for number in range(self.num_files):
            yield from self._graphs(number)

    def _graphs(self, number: int) -> list[Data]:
        return self._kept.get(number) or self._made(number)

    def batches(
        self, size: int, rng: np.random.Generator
    ) -> Iterator[list[Data]]:
        """Yield batches of random graphs, each graph at most once.

        The files come in random order, and the graphs of ``WINDOW`` files are
        shuffled together. The remainder is left out.
        """
        size = min(size, self.num_graphs)
        files = rng.permutation(self.num_files).tolist()
        waiting: list[Data] = []
        for a in range(0, len(files), WINDOW):
            near = [g for i in files[a : a + WINDOW] for g in self._graphs(i)]
            waiting += [near[i] for i in rng.permutation(len(near))]
            while len(waiting) >= size:
                yield waiting[:size]
                del waiting[:size]


def num_bytes(graph: Data) -> int:
    """Return the size of the arrays of a graph."""
    return sum(
        int(value.nbytes)
        for value in graph.to_dict().values()
        if isinstance(value, (torch.Tensor, np.ndarray))
    )
