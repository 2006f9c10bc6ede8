"""Errors of one input, told together."""

from __future__ import annotations

import re
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
    UnsupportedProblemError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


_ONLY_ROW: Final = re.compile(r"row 1( \(id [^)]*\))?, ")


class Place(NamedTuple):
    """A row of a table: what the table is called, and where the row is."""

    source: str
    where: str


class Problems:
    """Errors of one input, which ``refuse`` raises as one.

    ``source`` is what the input is called. Default: as its first error says.
    """

    def __init__(self, source: object = "") -> None:
        self.errors: list[NccRoutingError] = []
        self._source = source

    @contextmanager
    def collected(self, place: Place | None = None) -> Iterator[None]:
        """Keep the error of a step, which has no further effect then.

        It is about a ``place``, the only row of what was read, if given.
        """
        try:
            yield
        except (InstanceError, ParameterError) as error:
            known = set(map(str, self.errors))
            parts = getattr(error, "parts", ()) or (error,)
            if place is not None:
                parts = [_at(place, part) for part in parts]
            self.errors += [part for part in parts if str(part) not in known]

    def refuse(self) -> None:
        """Raise the errors so far: the one, or one that has them all."""
        if len(self.errors) == 1:
            raise self.errors[0]
        if not self.errors:
            return
        named = [getattr(error, "source", "") for error in self.errors]
        source = self._source or next(filter(None, named), "input")
        lines: list[str] = []
        for error in self.errors:
            first, *more = str(error).splitlines()
            shown = re.sub(
                rf"^{re.escape(str(source))}: (?!vehicles)", "", first
            )
            lines += [f"- {shown}", *more]
        is_any = any(
            isinstance(error, UnsupportedProblemError) for error in self.errors
        )
        kind = UnsupportedProblemError if is_any else InstanceError
        joined = kind(
            source,
            "table",
            f"has {len(self.errors)} problems",
            details=tuple(lines),
        )
        joined.parts = tuple(self.errors)
        options = (getattr(error, "options", ()) for error in self.errors)
        joined.options = tuple(dict.fromkeys(chain.from_iterable(options)))
        raise joined


def _at(place: Place, error: NccRoutingError) -> InstanceError:
    """Return an error of a row as one of the table that has it."""
    source, where = place
    if not isinstance(error, InstanceError):
        return InstanceError(source, where, str(error).removesuffix("."))
    given = _ONLY_ROW.sub("", error.field, count=1)
    details = (re.sub(r"\brow 1\b", where, each) for each in error.details)
    rest = error.value, tuple(details)
    return type(error)(source, f"{where}, {given}", error.rule, *rest)
