"""How a table of results was made: machine, versions, parameters."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.benchmarking.experiment import Experiment
    from ncc_routing.benchmarking.records import Json

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
"""Packages whose version a reader may have to know."""


def describe_protocol(
    setting: Mapping[str, object], seeds: Sequence[int], jobs: int
) -> Json:
    """Return everything that a reader needs to judge or repeat a benchmark.

    Parameters
    ----------
    setting
        What the experiment says about itself.
    seeds
        Seeds of the runs.
    jobs
        Number of runs at a time.

    Returns
    -------
    dict
        Date, commit, CPU, versions, and the setting. The commit is ``None``
        outside of a git checkout.
    """
    metric = setting.get("metric")
    rounding = {
        "paper": "none, coordinates / 1000",
        "cvrplib": "as EDGE_WEIGHT_TYPE says (EUC_2D: nearest integer)",
    }
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": ask_git("rev-parse", "--short=12", "HEAD"),
        "uncommitted_changes": bool(
            ask_git("status", "--porcelain", "--untracked-files=no")
        ),
        "cpu": _cpu_name(),
        "num_cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "versions": _versions(),
        **setting,
        **({"rounding": rounding[str(metric)]} if metric else {}),
        "seeds": list(seeds),
        "jobs": jobs,
    }


def append_protocol(
    file: Path,
    experiment: Experiment,
    jobs: int | None = None,
    **more: object,
) -> Json:
    """Add the protocol of a call to the file beside a table.

    Parameters
    ----------
    file
        A JSON file with a list of protocols; made where it is missing.
    experiment
        What is run.
    jobs
        Number of runs at a time. Default that of the experiment.
    **more
        Further entries.

    Returns
    -------
    dict
        The protocol.
    """
    calls: list[Json] = []
    if file.is_file():
        known = json.loads(file.read_text(encoding="utf-8"))
        calls = known if isinstance(known, list) else [known]
    protocol = describe_protocol(
        experiment.setting,
        experiment.seeds,
        experiment.jobs if jobs is None else jobs,
    )
    calls.append({**protocol, **more})
    write_text(file, json.dumps(calls, indent=2) + "\n")
    return calls[-1]


def ask_git(*words: str, folder: Path | None = None) -> str | None:
    """Return what git says of a checkout, ``None`` where there is none.

    Parameters
    ----------
    *words
        What git is asked.
    folder
        A folder of the checkout; default that of this package.
    """
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=folder or Path(__file__).resolve().parent,
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
