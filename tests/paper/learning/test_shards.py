"""Files of labels that somebody damaged or made up: one clear line."""

import io
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncc_routing import InstanceError
from ncc_routing.paper.learning.label_files import LARGEST_FILE, read_labels

NAME = "labels-00000001.npz"


def arrays() -> dict[str, Any]:
    """Return a good file: an instance of three customers, one of two."""
    return {
        "seeds": np.array([1, 2]),
        "sizes": np.array([3, 2]),
        "capacities": np.array([4, 5]),
        "costs": np.array([[9.0, 8.0], [7.0, 6.0]]),
        "coords": np.arange(14.0).reshape(7, 2),
        "demands": np.array([0, 2, 2, 4, 0, 5, 1]),
        "labels": np.array([[-1, 0, 0, 1, -1, 0, 1]] * 2),
        "settings": np.array([2, 3, 2, 250]),
    }


def points() -> dict[str, Any]:
    """Return a good file of the CCP."""
    return {
        **arrays(),
        "sizes": np.array([4, 3]),
        "demands": np.array([0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0]),
        "capacities": np.array([1.0, 2.0]),
        "labels": np.array([[0, 0, 1, 1, 1, 0, 0]] * 2),
        "num_clusters": np.array([2, 2]),
    }


def refused(folder: Path, **content: Any) -> str:
    """Return the line with which a file is refused."""
    np.savez(folder / NAME, **content)
    with pytest.raises(InstanceError) as caught:
        read_labels([folder])
    line = str(caught.value)
    assert line.startswith(f"{folder / NAME}: ")
    assert "\n" not in line
    return line


@pytest.mark.parametrize("content", [arrays(), points()])
def test_good_files_are_read(content: dict[str, Any], tmp_path: Path) -> None:
    """What the other tests change is right before."""
    np.savez(tmp_path / NAME, **content)
    assert [len(entry.costs) for entry in read_labels([tmp_path])] == [2, 2]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("sizes", np.array([3.5, 2.0]), "sizes: must be whole numbers"),
        ("sizes", np.array([3, 3]), "sizes: must add up to the 7 nodes"),
        ("sizes", np.array([0, 5]), "sizes: must lie in 1..7"),
        ("sizes", np.array([2**62, 2**62]), "sizes: must lie in 1..7"),
        ("sizes", np.array([-1, 6]), "sizes: must lie in 1..7"),
        ("sizes", np.array(5), "sizes: must be a list"),
        ("seeds", np.array([1]), "seeds: must have shape"),
        ("costs", np.array([[9.0, np.inf], [7.0, 6.0]]), "costs: must be fin"),
        ("costs", np.array([[9.0, -1.0], [7.0, 6.0]]), "costs: must not be"),
        ("costs", np.zeros((2, 3)), "costs: must have shape"),
        ("coords", np.zeros((7, 3)), "coords: must have shape"),
        ("coords", np.full((7, 2), np.nan), "coords: must be finite"),
        ("coords", np.array(1.0), "sizes: must lie in"),
        ("labels", np.zeros((2, 7)), "labels: must be whole numbers"),
        ("labels", np.zeros((0, 7), dtype=int), "costs: must have shape"),
        ("demands", np.array(["a"] * 7), "demands: must be numbers"),
        ("capacities", np.array([3, 5]), "instance 1, labels: a cluster c"),
        ("capacities", np.array([4.5, 5.0]), "instance 1, capacity: must be"),
        ("settings", np.array([2.5]), "settings: must be whole numbers"),
    ],
)
def test_arrays_of_another_kind_are_refused(
    tmp_path: Path, field: str, value: np.ndarray, message: str
) -> None:
    """Fractions, shapes that differ, and what is not finite."""
    assert message in refused(tmp_path, **{**arrays(), field: value})


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ([-1, 0, 0, 3, -1, 0, 1], "instance 1, labels: must lie in 0..2"),
        ([-1, 0, 0, -1, -1, 0, 1], "instance 1, labels: must lie in 0..2"),
        ([0, 0, 0, 1, -1, 0, 1], "labels: the depot must have -1"),
        ([-1, 0, 0, 1, -1, 1, 1], "instance 2, labels: a cluster carries 6"),
        ([-1, 0, 0, 2**40, -1, 0, 1], "instance 1, labels: must lie in 0..2"),
    ],
)
def test_labels_that_are_no_solution_are_refused(
    tmp_path: Path, run: list[int], message: str
) -> None:
    """Out of range, unassigned, overloaded; one bad run is enough."""
    labels = np.array([arrays()["labels"][0], run])
    assert message in refused(tmp_path, **{**arrays(), "labels": labels})


def test_labels_of_points_are_checked_as_well(tmp_path: Path) -> None:
    """Clusters are numbered below K, and hold the capacity."""
    labels = np.array([[0, 0, 1, 2, 1, 0, 0]] * 2)
    line = refused(tmp_path, **{**points(), "labels": labels})
    assert "instance 1, labels: must lie in 0..1" in line
    labels = np.array([[0, 0, 0, 1, 1, 0, 0]] * 2)
    line = refused(tmp_path, **{**points(), "labels": labels})
    assert "a cluster carries 1.5 of 1" in line
    counts = np.array([2, -4])
    line = refused(tmp_path, **{**points(), "num_clusters": counts})
    assert "instance 2, num_clusters: must lie in" in line


def test_any_damage_is_one_line(tmp_path: Path) -> None:
    """Bytes changed, cut or doubled: refused with the file's name, or read.

    Where the damage hits nothing that counts, the content is the same.
    """
    buffer = io.BytesIO()
    np.savez(buffer, **arrays())
    good = buffer.getvalue()
    file = tmp_path / NAME
    lines = []
    for seed in range(300):
        rng = random.Random(seed)
        content = bytearray(good)
        for _ in range(rng.choice([1, 3, 30])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        if rng.random() < 0.2:
            del content[rng.randrange(len(content)) :]
        file.write_bytes(content)
        try:
            read_labels([file])
        except InstanceError as error:
            lines.append(str(error))
    assert len(lines) > 100
    assert all(line.startswith(f"{file}: ") for line in lines)
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize(
    "shape",
    ["(" * 3000, "(10**99,)", "(1000000000000,)", "(-1,)", "'x'", "(1,"],
)
def test_headers_that_lie_are_refused(tmp_path: Path, shape: str) -> None:
    """A header is a text of Python that states how much there is."""
    text = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}}}\n"
    size = len(text).to_bytes(2, "little")
    array = b"\x93NUMPY\x01\x00" + size + text.encode() + b"\0" * 16
    with zipfile.ZipFile(tmp_path / NAME, "w") as archive:
        archive.writestr("seeds.npy", array)
    with pytest.raises(InstanceError, match=NAME):
        read_labels([tmp_path])
    (tmp_path / NAME).write_bytes(array)
    with pytest.raises(InstanceError, match=NAME):
        read_labels([tmp_path])


def test_files_that_unpack_to_too_much_are_refused(tmp_path: Path) -> None:
    """A few kilobytes of zeros can be gigabytes; nothing is unpacked."""
    with (
        zipfile.ZipFile(tmp_path / NAME, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("seeds.npy", "w") as entry,
    ):
        for _ in range(LARGEST_FILE // 2**20 + 1):
            entry.write(bytes(2**20))
    with pytest.raises(InstanceError, match="must hold at most"):
        read_labels([tmp_path])
