"""Errors of one input, told together."""

from __future__ import annotations

import re
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
    UnsupportedProblemError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


class Problems:
    """Errors of one input, which ``refuse`` raises as one.

    ``source`` is what the input is called. Default: as its first error says.
    """

    def __init__(self, source: object = "") -> None:
        self.errors: list[NccRoutingError] = []
        self._source = source

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Keep the error of a step, which has no further effect then."""
        try:
            yield
        except (InstanceError, ParameterError) as error:
            known = set(map(str, self.errors))
            parts = getattr(error, "parts", ()) or (error,)
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
