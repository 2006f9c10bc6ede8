"""The compiled module as a whole."""

from __future__ import annotations

import re

import layers

SOURCES = layers.REPOSITORY / "ncc_routing" / "cpp"

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
