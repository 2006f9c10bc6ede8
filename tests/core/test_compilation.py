"""The call when kernels are compiled."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from ncc_routing.core.compilation import on_compilation


def add_one(x: complex) -> complex:
    """Return x + 1; compiled by the test below."""
    return x + 1


@pytest.mark.parametrize(
    ("module", "expected"), [("ncc_routing.fake", 1), ("elsewhere", 0)]
)
def test_call_comes_once_and_only_for_our_kernels(
    monkeypatch: pytest.MonkeyPatch, module: str, expected: int
) -> None:
    """Two compilations of ours are one call, those of others none."""
    monkeypatch.setattr(add_one, "__module__", module)
    kernel: Any = numba.njit(add_one)
    calls: list[str] = []
    with on_compilation(lambda: calls.append("compiling")):
        kernel(1)
        kernel(1.5)
        kernel(2)
    assert calls == ["compiling"] * expected
    kernel(1j)  # outside of the block nobody listens
    assert len(calls) == expected
