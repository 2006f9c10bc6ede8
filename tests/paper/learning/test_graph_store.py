"""The graphs of a training: all of them, in random order, in some memory."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from torch_geometric.data import Data

from ncc_routing import InstanceError
from ncc_routing.paper.learning.graph_store import GraphStore, num_bytes
from ncc_routing.paper.learning.label_files import LabelFiles, LabelledInstance
from ncc_routing.paper.learning.labels import LabelPlan, write_labels
from ncc_routing.paper.learning.tasks import CenterTask


@pytest.fixture(scope="module")
def folder(
    tiny_plan: LabelPlan, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a folder with two files of two instances."""
    place = tmp_path_factory.mktemp("labels")
    list(write_labels(tiny_plan, place))
    return place


def places(graphs: Iterable[Data]) -> list[bytes]:
    """Return what tells one graph from another."""
    return [graph.coords.tobytes() for graph in graphs]


@pytest.mark.parametrize("memory", [0, 30_000, 2**31])
def test_memory_changes_nothing(folder: Path, memory: int) -> None:
    """Kept or made anew, each graph is seen once, in the same order."""
    files = LabelFiles.of([folder])
    task = CenterTask(5)
    known = places(task.prepare(e) for i in (0, 1) for e in files.read(i))
    store = GraphStore(files, task.prepare, memory)
    assert store.num_graphs == 4
    assert places(store) == known
    orders = []
    for seed in (1, 1, 2):
        batches = store.batches(2, np.random.default_rng(seed))
        orders.append([name for batch in batches for name in places(batch)])
        assert sorted(orders[-1]) == sorted(known)
    assert orders[0] == orders[1]
    whole = GraphStore(files, task.prepare)
    again = whole.batches(2, np.random.default_rng(1))
    assert orders[0] == [name for batch in again for name in places(batch)]


def test_files_are_read_again_where_memory_is_short(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that does not fit is read in every pass, one that fits once."""
    files = LabelFiles.of([folder])
    task = CenterTask(5)
    size = sum(num_bytes(task.prepare(entry)) for entry in files.read(0))
    read = []

    def counting(self: LabelFiles, number: int) -> list[LabelledInstance]:
        read.append(number)
        return real(self, number)

    real = LabelFiles.read
    monkeypatch.setattr(LabelFiles, "read", counting)
    store = GraphStore(files, task.prepare, size)
    list(store.batches(2, np.random.default_rng(1)))
    list(store)
    assert sorted(read) == [0, 1, 1, 1]


def test_batches_are_whole(tiny_labels: list[LabelledInstance]) -> None:
    """Three of four graphs; all where a batch is larger than the data."""
    store = GraphStore(tiny_labels, CenterTask(5).prepare)
    rng = np.random.default_rng(1)
    assert [len(batch) for batch in store.batches(3, rng)] == [3]
    assert [len(batch) for batch in store.batches(9, rng)] == [4]


def test_a_damaged_file_is_known_at_once(folder: Path, tmp_path: Path) -> None:
    """And not in the first epoch that comes to it."""
    good = sorted(folder.iterdir())[0]
    bad = tmp_path / "labels-00000009.npz"
    bad.write_bytes(good.read_bytes()[:-200])
    with pytest.raises(InstanceError, match="labels-00000009"):
        GraphStore(LabelFiles((good, bad)), CenterTask(5).prepare)
