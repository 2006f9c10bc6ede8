"""Files that arguments stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.io.instance_files import expand_instances

if TYPE_CHECKING:
    from pathlib import Path


def test_files_of_folders_and_names(tmp_path: Path) -> None:
    """Folders are searched, files are taken as given, nothing twice."""
    inner = tmp_path / "inner"
    inner.mkdir()
    for name in ("b.vrp", "a.vrp", "a.sol", "inner/c.vrp"):
        (tmp_path / name).touch()
    found = expand_instances([tmp_path / "b.vrp", str(tmp_path), "X-n5", "-"])
    names = [path.name for path in found]
    assert names == ["b.vrp", "a.vrp", "c.vrp", "X-n5", "-"]


def test_folders_without_instances_are_refused(tmp_path: Path) -> None:
    """Nothing to do is not what was asked for."""
    with pytest.raises(InstanceError, match=r"holds no \.vrp"):
        expand_instances([tmp_path])
    with pytest.raises(ParameterError, match="path of an instance"):
        expand_instances([3])  # type: ignore[list-item]
