"""Methods as data: what a name stands for, and what it can be given."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import require_extra
from ncc_routing.core.params import load

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

P = ParamSpec("P")
Found_co = TypeVar("Found_co", covariant=True)

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Method(Generic[P, Found_co]):
    """One row of a table of methods, called with the problem and the run.

    Functions are "module:name", which is imported at the first call.

    Parameters
    ----------
    name
        Name in Python, in the shell, and in every record.
    summary
        What it does, in a few words, for help and documentation.
    function
        What it does, called with the problem and the run.
    gives
        Fields of the run that become keywords of the function, by keyword.
        Default: none.
    options
        Further keywords of the function. Default: none.
    also_reads
        Fields of the run that the function reads itself. Default: none.
    accepts
        Features of a problem (``Instance.features``, ``PointSet.features``)
        that it can deal with. A problem with others is refused.
    instead
        Method that runs where this one cannot, and the function that returns
        the reason, or ``None`` where it can. Default: none.
    default_seconds
        Time that it gets where none is given. Default: no limit.
    package
        Optional package that it needs. Default: none.
    """

    name: str
    summary: str
    function: str
    gives: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    also_reads: tuple[str, ...] = ()
    accepts: frozenset[str] = frozenset()
    instead: tuple[str, str] | None = None
    default_seconds: float | None = None
    package: str | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Found_co:
        """Return what the function makes of the problem and the run."""
        run = args[-1]
        given = {key: getattr(run, name) for key, name in self.gives.items()}
        work: Callable[..., Any] = load(self.function)
        found: Found_co = work(*args, **kwargs, **given, **self.options)
        return found

    @property
    def reads(self) -> tuple[str, ...]:
        """Fields that it reads beyond those of ``Run``; it refuses others."""
        return (*self.gives.values(), *self.also_reads)

    def require_parameter(self, name: str) -> None:
        """Refuse a parameter that the method does not read."""
        if name not in self.reads:
            raise ParameterError(f"method {self.name} takes no {name}.")

    def require_priority(self, priority: object) -> None:
        """Refuse a priority that is none, or that the method does not read."""
        self.require_parameter("priority")
        if not callable(getattr(priority, "formula", None)):
            raise ParameterError(
                f"priority must have a method formula(), got {priority!r}."
            )

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
    method: Method[P, Found_co],
    table: Mapping[str, Method[P, Found_co]],
    *situation: P.args,
    **options: P.kwargs,
) -> Method[P, Found_co]:
    """Return the method that can run, with a warning where it is another."""
    if method.instead is None:
        return method
    other, why = method.instead
    reason: str | None = load(why)(*situation, **options)
    if reason is None:
        return method
    _logger.warning("%s: %s instead of %s.", reason, other, method.name)
    return table[other]


def table_of(*methods: Method[P, Found_co]) -> dict[str, Method[P, Found_co]]:
    """Return methods by their names."""
    return {method.name: method for method in methods}


def require_name(field: str, value: object, names: Collection[str]) -> None:
    """Refuse a value that is not one of the names."""
    if value not in names:
        raise ParameterError(
            f"{field} must be one of {', '.join(names)}, got {value!r}."
        )
