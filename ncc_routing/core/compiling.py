"""How kernels are compiled."""

from __future__ import annotations

from typing import Any

INNER: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Options of a kernel that only other kernels call: without the wrappers for
calls from elsewhere it compiles in two thirds of the time."""
