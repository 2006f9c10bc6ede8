"""Frozen data as plain values that JSON can hold, and back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = TypeVar("Kind")


def to_plain(value: Any) -> dict[str, Any]:
    """Return the fields of a frozen dataclass, arrays as lists.

    Parameters
    ----------
    value
        An ``Instance``, a ``PointSet``, a ``Clustering``. What is ``None``
        is left out.
    """
    content = {}
    for field in fields(value):
        entry = getattr(value, field.name)
        if isinstance(entry, np.ndarray | np.generic):
            entry = entry.tolist()
        if entry is not None:
            content[field.name] = entry
    return content


def from_plain(kind: type[Kind], content: Mapping[str, Any]) -> Kind:
    """Return the dataclass that ``to_plain`` was given.

    Parameters
    ----------
    kind
        The dataclass; lists become arrays again.
    content
        Its fields by name.

    Raises
    ------
    TypeError
        If a field is missing or unknown.
    """
    return kind(
        **{
            name: np.array(entry) if isinstance(entry, list) else entry
            for name, entry in content.items()
        }
    )


@contextmanager
def reading_result() -> Iterator[None]:
    """Say in one line that a text is no result, whatever is wrong with it.

    Raises
    ------
    ParameterError
        Instead of the error inside the block.
    """
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ParameterError(f"this is no result: {reason}.") from None
