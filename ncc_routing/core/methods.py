"""Methods as data: what a name stands for, and what it can be given."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import naming_the_extra, require_extra

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Method:
    """One row of a table of methods; its function is imported when called.

    Parameters
    ----------
    name
        Name in Python, in the shell, and in every record.
    summary
        What it does, in a few words, for help and documentation.
    function
        "module:function", called with the problem, then by keyword.
    takes
        Keywords of the function that the run fills: "seed", "deadline", ...
    params
        Keyword of the function -> name in the run, where they differ.
    fixed
        Keywords with a value that belongs to the method.
    accepts
        Features of a problem (``Instance.features``, ``PointSet.features``)
        that it can deal with. A problem with others is refused.
    instead
        Method that runs where this one cannot, and "module:function" that
        returns the reason, ``None`` where it can. Default: none.
    default_seconds
        Time that it gets where none is given. Default: no limit.
    package
        Optional package that it needs. Default: none.
    """

    name: str
    summary: str
    function: str
    takes: tuple[str, ...] = ()
    params: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    accepts: frozenset[str] = frozenset()
    instead: tuple[str, str] | None = None
    default_seconds: float | None = None
    package: str | None = None

    def require_parameter(self, name: str) -> None:
        """Refuse a parameter that the method does not read."""
        if name not in self.takes and name not in self.params.values():
            raise ParameterError(f"method {self.name} takes no {name}.")

    def require_priority(self, priority: object) -> None:
        """Refuse a priority that is none, or that the method does not read."""
        self.require_parameter("priority")
        if not callable(getattr(priority, "formula", None)):
            raise ParameterError(
                f"priority must have a method formula(), got {priority!r}."
            )

    def __call__(self, *problem: object, run: Mapping[str, object]) -> Any:
        """Call the function with a problem, and with its part of a run."""
        arguments = {name: run[name] for name in self.takes}
        arguments |= {word: run[group] for word, group in self.params.items()}
        return load(self.function)(*problem, **self.fixed, **arguments)

    @property
    def is_routed(self) -> bool:
        """Whether a router shortens what it makes, unless it says none."""
        return self.fixed.get("router", True) is not None

    def accepted(self, features: Iterable[str]) -> bool:
        """Whether the method can deal with all features of a problem."""
        return not self.refused(features)

    def refused(self, features: Iterable[str]) -> list[str]:
        """Return the features of a problem that it cannot deal with."""
        return [name for name in features if name not in self.accepts]

    def require(self, source: str, features: Iterable[str]) -> None:
        """Refuse features that it does not accept, or a missing package."""
        if self.package is not None:
            require_extra(self.package)
        for feature in self.refused(features):
            rule = f"{self.name} does not accept {feature}"
            raise UnsupportedProblemError(source, "method", rule)


def runnable(
    method: Method, table: Mapping[str, Method], *situation: object
) -> Method:
    """Return the method that can run, with a warning where it is another."""
    if method.instead is None:
        return method
    other, why = method.instead
    reason = load(why)(*situation)
    if reason is None:
        return method
    _logger.warning("%s: %s instead of %s.", reason, other, method.name)
    return table[other]


def load(path: str) -> Any:
    """Return what "module:name" stands for."""
    module, _, name = path.partition(":")
    with naming_the_extra():
        return getattr(import_module(module), name)


def table_of(*methods: Method) -> dict[str, Method]:
    """Return methods by their names."""
    return {method.name: method for method in methods}


def require_name(field: str, value: object, names: Collection[str]) -> None:
    """Refuse a value that is not one of the names."""
    if value not in names:
        raise ParameterError(
            f"{field} must be one of {', '.join(names)}, got {value!r}."
        )
