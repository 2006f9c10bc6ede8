"""How kernels are compiled, and where they are kept: decided here once."""

from __future__ import annotations

from typing import Any, Final

from ncc_routing.core.compilation import (
    announce_compilation,
    discard_foreign_kernels,
    finds_cache,
)

HAS_CACHE: Final = finds_cache()
"""Whether compiled kernels are kept for the next process."""

if HAS_CACHE:
    discard_foreign_kernels()
    announce_compilation()

ALLOCATING: Final[dict[str, Any]] = {
    "cache": HAS_CACHE,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": True,
}
"""Options of a kernel that makes arrays. Nothing divides by zero, so that
the check of every divisor would only cost time."""

OUTER: Final[dict[str, Any]] = {**ALLOCATING, "_nrt": False}
"""Options of a kernel that makes no arrays, nor returns any: references to
them need not be counted."""

DRAWING: Final = ALLOCATING
"""Options of a kernel that takes a ``numpy.random.Generator`` from Python: the
reference to it is counted, or each call would keep the generator alive."""

_UNWRAPPED: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

INNER: Final[dict[str, Any]] = {**OUTER, **_UNWRAPPED}
"""Options of such a kernel that only other kernels call: without the
wrappers for calls from elsewhere it compiles in two thirds of the time."""

INNER_ALLOCATING: Final[dict[str, Any]] = {**ALLOCATING, **_UNWRAPPED}
"""The same for a kernel that makes arrays."""

INLINED: Final[dict[str, Any]] = {**INNER, "forceinline": True}
"""The same for a small kernel that is merged into each of its callers."""
