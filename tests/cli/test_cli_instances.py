"""``ncc-route instances``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Run


def test_known_instances_are_listed(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder in NCC_ROUTING_DATA is searched."""
    monkeypatch.setenv("NCC_ROUTING_DATA", str(square_file.parent))
    done = run("instances", "--json")
    assert done.code == 0
    entries = json.loads(done.out)["instances"]
    assert entries[0] == {
        "name": "square",
        "num_customers": 4,
        "capacity": 5,
        "bks": 484,
        "path": str(square_file),
    }
    lines = run("instances").out.splitlines()
    assert lines[0].split() == ["name", "customers", "capacity", "bks"]
    assert lines[1].split() == ["square", "4", "5", "484"]


def test_empty_catalogue_says_where_to_look(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any instance the variable is named."""
    monkeypatch.setattr(
        "ncc_routing.benchmarking.catalogue.data_folders", lambda: []
    )
    done = run("instances")
    assert done.code == 0
    assert "NCC_ROUTING_DATA" in done.err
