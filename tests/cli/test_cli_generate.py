"""``ncc-route generate``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing import read

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_instances_are_written_by_seed(run: Run, tmp_path: Path) -> None:
    """Two instances with seeds 5 and 6, the same again in a second run."""
    files = []
    for folder in ("a", "b"):
        done = run.succeeds(
            "generate 20 --seed 5 --count 2 --depot central --output",
            tmp_path / folder,
            "--json",
        )
        files.append(json.loads(done.out)["files"])
    assert len(files[0]) == 2
    for first, second in zip(*files, strict=True):
        one, other = (
            read(file).require_coords("a test") for file in (first, second)
        )
        assert len(one) == 21
        assert np.array_equal(one, other)
        assert one[0].tolist() == [500, 500]
    first = read(files[0][0]).require_coords("a test")
    assert not np.array_equal(first, one)


def test_written_files_are_named(run: Run, tmp_path: Path) -> None:
    """Without --json each file is a line."""
    done = run("generate 5 -o", tmp_path)
    assert done.out.split()[0] == "instance"
    assert read(done.out.split()[1]).num_customers == 5
