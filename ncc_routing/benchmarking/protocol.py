"""How a table of results was made: machine, versions, parameters."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncc_routing.benchmarking.records import Json
    from ncc_routing.benchmarking.runner import BenchmarkPlan

_PACKAGES = (
    "ncc_routing",
    "elkai",
    "highspy",
    "numba",
    "numpy",
    "pyvrp",
    "scipy",
    "torch",
    "vrplib",
)


def describe_protocol(plan: BenchmarkPlan) -> Json:
    """Return everything that a reader needs to judge or repeat a benchmark.

    Parameters
    ----------
    plan
        The plan that was run.

    Returns
    -------
    dict
        Date, commit, CPU, versions, and the parameters of the plan. The
        commit is ``None`` outside of a git checkout, and ends in "-dirty"
        where tracked files differ from it.
    """
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "cpu": _cpu_name(),
        "num_cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "versions": _versions(),
        "metric": plan.metric,
        "rounding": (
            "none, coordinates / 1000"
            if plan.metric == "paper"
            else "as EDGE_WEIGHT_TYPE says (EUC_2D: nearest integer)"
        ),
        "methods": list(plan.methods),
        "polish": plan.polish,
        "router": plan.router,
        "time_limit_seconds": plan.time_limit,
        "seeds": list(plan.seeds),
        "jobs": plan.jobs,
        "jobs_per_run": plan.jobs_per_run,
        "num_instances": len(plan.paths),
    }


def _commit() -> str | None:
    """Return the commit of the checkout that the package runs from."""
    folder = Path(__file__).resolve().parent
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(
            [*command, "--exclude=*"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def _cpu_name() -> str:
    """Return the model of the CPU; ``platform`` knows it on few systems."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
