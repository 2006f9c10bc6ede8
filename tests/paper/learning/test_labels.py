"""Labelled instances and their files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncc_routing import (
    Instance,
    InstanceError,
    NccRoutingError,
    ParameterError,
)
from ncc_routing.paper.learning.label_files import (
    LabelledInstance,
    read_labels,
)
from ncc_routing.paper.learning.labels import (
    LabelPlan,
    label_instance,
    write_labels,
)
from tests.oracles.system import small_files

Labels = list[LabelledInstance]


def test_labels_are_feasible_routes(tiny_labels: Labels) -> None:
    """Each run places every customer and respects the capacity."""
    for entry in tiny_labels:
        instance = entry.instance
        assert isinstance(instance, Instance)
        assert entry.labels.shape == (2, instance.num_customers + 1)
        for labels in entry.labels:
            assert labels[0] == -1
            assert labels[1:].min() == 0
            loads = np.bincount(labels[1:], instance.demands[1:])
            assert loads.max() <= instance.capacity
        assert (entry.costs > 0).all()


def test_same_seed_same_labels(
    tiny_plan: LabelPlan, tiny_labels: Labels
) -> None:
    """The runs are limited by iterations, so that they repeat."""
    again = label_instance(tiny_plan, 8)
    np.testing.assert_array_equal(again.labels, tiny_labels[1].labels)
    np.testing.assert_array_equal(again.costs, tiny_labels[1].costs)


def test_together_is_a_frequency(square: Instance) -> None:
    """Customers 1 and 4 share a route in one of two solutions."""
    labels = np.array([[-1, 0, 1, 1, 0], [-1, 0, 0, 1, 1]])
    entry = LabelledInstance(square, labels, np.array([1.0, 2.0]))
    found = entry.together(np.array([[1], [2]]), np.array([[4, 2], [3, 4]]))
    assert found.tolist() == [[0.5, 0.5], [0.5, 0.0]]


def test_files_are_written_and_read(
    tiny_plan: LabelPlan, tiny_labels: Labels, tmp_path: Path
) -> None:
    """Two files of two instances each hold what was labelled."""
    files = sorted(write_labels(tiny_plan, tmp_path))
    assert len(files) == 2
    found = read_labels([tmp_path])
    assert len(found) == 4
    for one, other in zip(found, tiny_labels, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        np.testing.assert_array_equal(one.costs, other.costs)
        for field in ("coords", "demands", "capacity"):
            np.testing.assert_array_equal(
                getattr(one.instance, field), getattr(other.instance, field)
            )


def test_a_full_disk_leaves_no_part(
    tiny_plan: LabelPlan, tmp_path: Path
) -> None:
    """The message names the file."""
    with small_files(50), pytest.raises(NccRoutingError, match="labels-0000"):
        list(write_labels(tiny_plan, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_processes_label_alike(
    tiny_plan: LabelPlan, tiny_labels: Labels, tmp_path: Path
) -> None:
    """Two at a time make the same labels."""
    assert len(list(write_labels(tiny_plan, tmp_path, jobs=2))) == 2
    for one, other in zip(read_labels([tmp_path]), tiny_labels, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)


def test_only_missing_files_are_made(
    tiny_plan: LabelPlan, tmp_path: Path
) -> None:
    """A second call keeps what is there and fills the gap."""
    files = sorted(write_labels(tiny_plan, tmp_path))
    before = files[0].stat().st_mtime_ns
    content = files[1].read_bytes()
    files[1].unlink()
    assert sorted(write_labels(tiny_plan, tmp_path)) == files
    assert files[0].stat().st_mtime_ns == before
    assert len(files[1].read_bytes()) == len(content)
    assert list(tmp_path.glob(".*")) == []


def test_folder_of_other_settings_is_refused(
    tiny_plan: LabelPlan, tmp_path: Path
) -> None:
    """Labels of different quality are not mixed."""
    list(write_labels(tiny_plan, tmp_path))
    other = LabelPlan(
        num_instances=4, first_seed=7, sizes=(20, 31), shard_size=2
    )
    with pytest.raises(ParameterError, match="other settings"):
        list(write_labels(other, tmp_path))


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 not a zip", b"\x80\x04K\x05."]
)
def test_damaged_files_are_refused(content: bytes, tmp_path: Path) -> None:
    """Neither rubbish nor a pickle is read."""
    path = tmp_path / "labels-00000001.npz"
    path.write_bytes(content)
    with pytest.raises(InstanceError, match="labels-00000001"):
        read_labels([path])


def test_other_npz_and_empty_folder_are_refused(tmp_path: Path) -> None:
    """A missing array is named; no file at all is an error."""
    with pytest.raises(InstanceError, match="no label file"):
        read_labels([tmp_path])
    np.savez(tmp_path / "labels-1.npz", seeds=np.arange(3))
    with pytest.raises(InstanceError, match="sizes: missing"):
        read_labels([tmp_path])


@pytest.mark.parametrize(
    "changes",
    [
        {"num_runs": 0},
        {"sizes": (1, 5)},
        {"sizes": (9, 5)},
        {"first_seed": -1},
    ],
)
def test_bad_plans_are_refused(changes: dict[str, Any]) -> None:
    """Values out of range name themselves."""
    with pytest.raises(ParameterError, match=next(iter(changes))):
        LabelPlan(**changes)
