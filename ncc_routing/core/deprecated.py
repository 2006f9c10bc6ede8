"""Old names that still work for one release, with a warning."""

from __future__ import annotations

import inspect
import warnings
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

RENAMED: Final = {"stay": "consistency", "loyalty": "affinity"}
"""Old names of parameters, and those of today."""


def current_name(name: str) -> str:
    """Return today's name of a parameter, with a warning for an old one."""
    if name not in RENAMED:
        return name
    warn_of(name, RENAMED[name])
    return RENAMED[name]


def with_current_names(values: Mapping[str, T]) -> dict[str, T]:
    """Return parameters by name, the old names replaced.

    ``ParameterError`` is raised if one is given by both of its names.
    """
    for name in values:
        if RENAMED.get(name) in values:
            new = RENAMED[name]
            raise ParameterError(f"{name} is the old name of {new}: give one.")
    return {current_name(name): value for name, value in values.items()}


def taking_old_names(kind: type[T]) -> type[T]:
    """Let a dataclass be made with the old names of its fields."""
    original: Any = kind.__init__

    @wraps(original)
    def init(self: T, *values: Any, **named: Any) -> None:
        original(self, *values, **with_current_names(named))

    kind.__init__ = init  # type: ignore[assignment]
    return kind


def warmup(*, everything: bool = False) -> float:
    """Do nothing: kernels are compiled before they are installed.

    Warns, and returns 0.0 seconds. ``everything`` has no effect.
    """
    warnings.warn(
        "there is nothing to compile; warmup() goes with the next release.",
        DeprecationWarning,
        stacklevel=2,
    )
    return 0.0


def warn_of(old: str, new: str) -> None:
    """Warn the caller of the package that a name has another one now."""
    level, frame = 1, inspect.currentframe()
    while frame and _is_ours(frame.f_globals["__name__"]):
        level, frame = level + 1, frame.f_back
    warnings.warn(
        f"{old} is now {new}; the old name goes with the next release.",
        DeprecationWarning,
        stacklevel=level,
    )


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in ("ncc_routing", "ncc_route")
