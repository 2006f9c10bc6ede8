"""Running a plan."""

from __future__ import annotations

import json
from pathlib import Path

from ncc_routing.benchmarking import protocol
from ncc_routing.benchmarking.protocol import describe_protocol
from ncc_routing.benchmarking.runner import (
    BenchmarkPlan,
    run_benchmark,
)
from ncc_routing.io.vrplib import write_instance


def test_tasks_are_the_product(tmp_path):
    """Every instance with every method and seed."""
    plan = BenchmarkPlan((Path("a"), Path("b")), ("ckm",), seeds=(1, 2))
    assert plan.tasks == [
        (Path("a"), "ckm", 1),
        (Path("a"), "ckm", 2),
        (Path("b"), "ckm", 1),
        (Path("b"), "ckm", 2),
    ]


def test_each_run_is_a_record(square, tmp_path):
    """A missing file is a record too."""
    file = tmp_path / "square.vrp"
    write_instance(file, square)
    plan = BenchmarkPlan((file, tmp_path / "no.vrp"), ("savings",))
    records = {record.instance: record for record in run_benchmark(plan)}
    assert records["square"].feasible
    assert records["square"].error is None
    assert records["square"].runtime_seconds > 0
    assert not records["no"].feasible
    assert "does not exist" in records["no"].error


def test_unknown_method_is_a_record(square, tmp_path):
    """The error of the library is kept, and nothing is raised."""
    file = tmp_path / "square.vrp"
    write_instance(file, square)
    (record,) = run_benchmark(BenchmarkPlan((file,), ("magic",)))
    assert "magic" in record.error
    assert record.num_customers == 4


def test_protocol_can_be_judged():
    """Machine, versions, metric and parameters, as JSON."""
    plan = BenchmarkPlan((Path("a"),), ("ckm",), time_limit=2.0, jobs=2)
    found = json.loads(json.dumps(describe_protocol(plan)))
    assert found["cpu"]
    assert found["versions"]["numba"]
    assert found["time_limit_seconds"] == 2.0
    assert found["seeds"] == [1]
    assert "nearest" in found["rounding"]
    paper = BenchmarkPlan((Path("a"),), ("ckm",), metric="paper")
    assert describe_protocol(paper)["rounding"].startswith("none")


def test_protocol_without_git_and_without_elkai(monkeypatch):
    """Outside of a checkout the commit is unknown; so is a missing package."""

    def fail(*args, **kwargs):
        raise FileNotFoundError("git")

    monkeypatch.setattr(protocol.subprocess, "run", fail)
    monkeypatch.setattr(protocol, "_PACKAGES", ("numpy", "no-such-package"))
    found = describe_protocol(BenchmarkPlan((Path("a"),), ("ckm",)))
    assert found["commit"] is None
    assert found["versions"]["no-such-package"] == "not installed"
