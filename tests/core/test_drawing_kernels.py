"""Tests that compiled code keeps no random generator alive."""

import ast
from pathlib import Path

import pytest

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
