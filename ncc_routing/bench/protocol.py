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

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.bench.records import Json

_PACKAGES = (
    *("ncc_routing", "elkai", "highspy", "numpy", "pyvrp", "scipy"),
    *("torch", "vrplib"),
)
"""Packages whose version a reader may have to know."""

_ROUNDING = {
    "paper": "none, coordinates / 1000",
    "cvrplib": "as EDGE_WEIGHT_TYPE says (EUC_2D: nearest integer)",
}

_MEASURES = (
    ("time_limit_seconds", "time limit {:g} s"),
    ("polish", "polish {}"),
    ("metric", "metric {}"),
    ("seeds", "seed(s) {}"),
    ("jobs", "{} run(s) at a time"),
    ("jobs_per_run", "{} core(s) each"),
)
"""What of a protocol is told in words, where it is there."""


def append_protocol(
    file: Path,
    setting: Mapping[str, object],
    seeds: Sequence[int],
    jobs: int,
    **more: object,
) -> Json:
    """Add the protocol of a call to a JSON file; return it."""
    protocol = describe_call(setting, seeds, jobs, **more)
    calls = _read_calls(file) if file.is_file() else []
    text = json.dumps([*calls, protocol], indent=2)
    write_text(file, f"{text}\n")
    return protocol


def describe_call(
    setting: Mapping[str, object],
    seeds: Sequence[int],
    jobs: int,
    **more: object,
) -> Json:
    """Return the protocol of a call.

    It tells date, commit (or ``None``), machine, versions and what is given.
    """
    metric = setting.get("metric")
    status = ask_git("status", "--porcelain", "--untracked-files=no")
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": ask_git("rev-parse", "--short=12", "HEAD"),
        "uncommitted_changes": bool(status),
        "cpu": _cpu_name(),
        "num_cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version_of(name) for name in _PACKAGES},
        **setting,
        **({"rounding": _rounding_of(str(metric))} if metric else {}),
        "seeds": list(seeds),
        "jobs": jobs,
        **more,
    }


def _rounding_of(metric: str) -> str:
    """Return what a metric of ``io.vrplib.read`` does, in words."""
    return _ROUNDING.get(metric, f"{metric}, for every file")


def read_protocol(file: Path) -> Json:
    """Return the protocol of the last call, empty where there is none."""
    return _read_calls(file)[-1] if file.is_file() else {}


def _read_calls(file: Path) -> list[Json]:
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:  # of the encoding too
        known = None
    calls = known if isinstance(known, list) else [known]
    if not calls or not all(isinstance(call, dict) for call in calls):
        raise InstanceError(file, "file", "holds no settings of a table")
    return calls


def tell_protocol(protocol: Json) -> str:
    """Return a protocol in words."""
    words = [
        form.format(_words(protocol[name]))
        for name, form in _MEASURES
        if protocol.get(name) is not None
    ]
    text = f"{', '.join(words).capitalize()}. " if words else ""
    if "cpu" in protocol:
        text += (
            f"{protocol['num_cpus']} x {protocol['cpu']}, "
            f"Python {protocol['python']}. "
        )
    if protocol.get("commit") is not None:
        changes = protocol.get("uncommitted_changes")
        added = " with uncommitted changes" if changes else ""
        return f"{text}Commit {protocol['commit']}{added}, {protocol['date']}."
    if "recorded_in" in protocol:
        return (
            f"{text}Recorded in commit {protocol['recorded_in']}; machine "
            "and versions were not noted then."
        )
    return f"{text}Commit unknown."


def _words(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def ask_git(*words: str, folder: Path | None = None) -> str | None:
    """Return what git says of a checkout, ``None`` where there is none."""
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


def _version_of(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
