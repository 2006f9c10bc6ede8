"""Known instances and the files of a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing import write_instance
from ncc_routing.bench.catalogue import list_instances

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance


def test_instances_are_sorted_by_size(
    square: Instance, random_instance: Instance, tmp_path: Path
) -> None:
    """Name, size, capacity and stated cost come from the files."""
    folder = tmp_path / "deep"
    folder.mkdir()
    write_instance(tmp_path / "b.vrp", random_instance)
    write_instance(folder / "c.vrp", square)
    (folder / "c.sol").write_text("Route #1: 1\nCost: 12.5\n")
    (tmp_path / "a.vrp").write_text("nothing\n")
    entries = list_instances([tmp_path])
    assert [entry.name for entry in entries] == ["a", "c", "b"]
    assert entries[0].num_customers is None
    assert entries[1].num_customers == 4
    assert entries[1].capacity == 5
    assert entries[1].bks == 12.5
    assert entries[2].bks is None


def test_odd_files_do_not_hide_the_others(
    square: Instance, tmp_path: Path
) -> None:
    """A cost that is none, a folder and a link to nothing."""
    for name in ("a", "b"):
        write_instance(tmp_path / f"{name}.vrp", square)
    (tmp_path / "a.sol").write_text("Route #1: 1\nCost 1.2.3\n")
    (tmp_path / "b.sol").write_text("The cost ...\nCost 12\n")
    (tmp_path / "d.vrp").mkdir()
    (tmp_path / "e.vrp").symlink_to(tmp_path / "nothing")
    entries = list_instances([tmp_path])
    assert [(entry.name, entry.bks) for entry in entries] == [
        ("a", None), ("b", 12.0),
    ]  # fmt: skip
