"""The compiled module as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import layers

SOURCES = layers.REPOSITORY / "ncc_routing" / "cpp"
STUBS = layers.REPOSITORY / "ncc_routing" / "_core"

PYTHON = ("bindings.h", "bindings.cpp", "casters.h")
"""The files of C++ that know Python."""

FORBIDDEN = re.compile(
    r"#include <(chrono|iostream|fstream|filesystem|thread|random|map|set)>"
)
"""Clocks, files and threads are Python's; the others are slow or draw other
numbers on other systems."""


def test_loops_know_no_python() -> None:
    """Python is met at the border: parsing, policy and clocks are there."""
    files = [*SOURCES.rglob("*.h"), *SOURCES.rglob("*.cpp")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    assert len(texts) > len(PYTHON)
    know = {path for path, text in texts.items() if "nanobind" in text}
    assert {path.name for path in know} <= set(PYTHON)
    assert [path for path in texts if FORBIDDEN.search(texts[path])] == []


def test_stubs_are_current(tmp_path: Path) -> None:
    """``make stubs`` writes them anew."""
    pytest.importorskip("nanobind")
    stubgen = ("nanobind.stubgen", "--quiet", "--recursive")
    names = ("--include-private", "--module", "ncc_routing._core")
    subprocess.run(
        [sys.executable, "-m", *stubgen, *names, "--output-dir", tmp_path],
        check=True,
        capture_output=True,
    )
    made = sorted((tmp_path / "_core").glob("*.pyi"))
    assert [path.name for path in made] == sorted(
        path.name for path in STUBS.glob("*.pyi")
    )
    ruff = Path(sys.executable).with_name("ruff")
    for path in made:
        done = subprocess.run(
            [ruff, "format", "--stdin-filename", STUBS / path.name, "-"],
            input=path.read_bytes(),
            capture_output=True,
            check=True,
        )
        assert done.stdout == (STUBS / path.name).read_bytes(), path.name
