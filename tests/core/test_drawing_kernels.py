"""Tests that compiled code keeps no random generator alive."""

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

from ncc_routing._core.clustering import Seeding, seed_centers

HOUSE = Path(__file__).parents[2] / "ncc_routing"


def drawing_kernels() -> list[tuple[str, str]]:
    """Return the kernels that take a generator, with their options."""
    found = []
    for file in sorted(HOUSE.rglob("*kernels.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                kinds = [ast.unparse(a.annotation) for a in node.args.args
                         if a.annotation]  # fmt: skip
                if any("Generator" in kind for kind in kinds):
                    option = ast.unparse(node.decorator_list[0])
                    found.append((f"{file.stem}.{node.name}", option))
    return found


@pytest.mark.parametrize(("name", "option"), drawing_kernels())
def test_a_generator_is_counted(name: str, option: str) -> None:
    """Kernels that Python calls count references; inner ones need not."""
    assert option != "njit(**OUTER)", name


def test_a_call_keeps_no_generator() -> None:
    """As many references afterwards as before."""
    rng = np.random.default_rng(1)
    before = sys.getrefcount(rng)
    points, ones = rng.random((30, 2)), np.ones(30)
    for _ in range(5):
        seed_centers(Seeding.CKM, points, ones, np.empty((3, 2)), rng)
    assert sys.getrefcount(rng) == before
