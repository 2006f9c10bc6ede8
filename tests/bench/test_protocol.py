"""What is said about a run."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from ncc_routing.bench.protocol import (
    append_protocol,
    read_protocol,
    tell_protocol,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_protocol_can_be_judged(tmp_path: Path) -> None:
    """Machine, versions, metric and parameters; each call is kept."""
    file = tmp_path / "table.json"
    assert read_protocol(file) == {}
    append_protocol(file, {"metric": "paper"}, (1,), 1, num_instances=7)
    setting = {"metric": "cvrplib", "polish": "p"}
    said = append_protocol(file, setting, (1,), 2)
    first, last = json.loads(file.read_text())
    assert last == said == read_protocol(file)
    assert last["cpu"]
    assert last["versions"]["numpy"]
    assert (last["polish"], last["seeds"], last["jobs"]) == ("p", [1], 2)
    assert "nearest" in last["rounding"]
    assert first["rounding"].startswith("none")
    assert first["num_instances"] == 7
    assert re.fullmatch("[0-9a-f]{12}", str(last["commit"])) or (
        last["commit"] is None
    )
    plain = append_protocol(file, {}, (1,), 1)
    assert "rounding" not in plain


def test_protocol_without_git(tmp_path: Path, monkeypatch: Any) -> None:
    """Outside of a checkout the commit is unknown."""

    def fail(*args: Any, **kwargs: Any) -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", fail)
    found = append_protocol(tmp_path / "table.json", {}, (1,), 1)
    assert found["commit"] is None
    assert found["uncommitted_changes"] is False


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ({}, "Commit unknown."),
        (
            {"recorded_in": "abc"},
            "Recorded in commit abc; machine and versions were not noted "
            "then.",
        ),
        (
            {"commit": "abc", "date": "d", "uncommitted_changes": True},
            "Commit abc with uncommitted changes, d.",
        ),
        (
            {"commit": "abc", "date": "d", "seeds": [1, 2], "jobs": 2}
            | {"cpu": "C", "num_cpus": 4, "python": "3"},
            "Seed(s) 1, 2, 2 run(s) at a time. 4 x C, Python 3. "
            "Commit abc, d.",
        ),
    ],
)
def test_protocol_in_words(protocol: dict[str, object], expected: str) -> None:
    """What is not known is not told."""
    assert tell_protocol(protocol) == expected
