"""What is said about a run."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

from ncc_routing.benchmarking import protocol
from ncc_routing.benchmarking.protocol import describe_protocol


def test_protocol_can_be_judged() -> None:
    """Machine, versions, metric and parameters, as JSON."""
    found = describe_protocol({"metric": "cvrplib", "polish": "p"}, (1,), 2)
    found = json.loads(json.dumps(found))
    assert found["cpu"]
    assert found["versions"]["numba"]
    assert (found["polish"], found["seeds"], found["jobs"]) == ("p", [1], 2)
    assert "nearest" in str(found["rounding"])
    paper = describe_protocol({"metric": "paper"}, (1,), 1)
    assert str(paper["rounding"]).startswith("none")
    assert "rounding" not in describe_protocol({}, (1,), 1)


def test_uncommitted_changes_are_said(monkeypatch: Any) -> None:
    """The commit stays a commit; whether files differ is told beside it."""
    answers = {"rev-parse": "0123456789ab", "status": " M file"}
    monkeypatch.setattr(protocol, "ask_git", lambda *words: answers[words[0]])
    found = describe_protocol({}, (1,), 1)
    assert re.fullmatch("[0-9a-f]{12}", str(found["commit"]))
    assert found["uncommitted_changes"] is True
    answers["status"] = ""
    assert describe_protocol({}, (1,), 1)["uncommitted_changes"] is False


def test_protocol_without_git_and_without_elkai(monkeypatch: Any) -> None:
    """Outside of a checkout the commit is unknown; so is a missing package."""

    def fail(*args: Any, **kwargs: Any) -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", fail)
    monkeypatch.setattr(protocol, "_PACKAGES", ("numpy", "no-such-package"))
    found: Any = describe_protocol({}, (1,), 1)
    assert found["commit"] is None
    assert found["versions"]["no-such-package"] == "not installed"
