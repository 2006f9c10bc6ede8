"""Calls of kernels that only other kernels call."""

from __future__ import annotations

from typing import Any

from numba import njit


@njit
def call(kernel: Any, *arguments: Any) -> Any:
    """Return what a kernel returns."""
    return kernel(*arguments)
