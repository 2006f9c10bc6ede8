"""Frozen data as plain values that JSON can hold, and back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.profiles import Profile
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = TypeVar("Kind")

_PARTS: Final[dict[str, type[Any]]] = {
    "fleet": Fleet,
    "types": VehicleType,
    "windows": TimeWindows,
    "profiles": Profile,
}
"""Fields that hold a dataclass, or a tuple of them."""


def to_plain(value: Any) -> dict[str, Any]:
    """Return the fields of a frozen dataclass, arrays as lists.

    Parameters
    ----------
    value
        An ``Instance``, a ``PointSet``, a ``Clustering``. What is ``None``
        is left out, an infinite length becomes ``None``, which JSON can hold,
        and dataclasses inside become mappings too.
    """
    content = {}
    for field in fields(value):
        entry = getattr(value, field.name)
        if isinstance(entry, np.ndarray | np.generic):
            entry = _listed(np.asarray(entry))
        elif field.name in _PARTS and entry is not None:
            is_one = is_dataclass(entry)
            entry = to_plain(entry) if is_one else [*map(to_plain, entry)]
        if entry is not None:
            content[field.name] = entry
    return content


def _listed(array: np.ndarray) -> Any:
    """Return the entries of an array, ``None`` for infinite ones."""
    if array.dtype.kind == "f" and np.isinf(array).any():
        array = array.astype(object)
        array[np.isinf(array.astype(float))] = None
    return array.tolist()


def from_plain(kind: type[Kind], content: Mapping[str, Any]) -> Kind:
    """Return the dataclass that ``to_plain`` was given.

    Parameters
    ----------
    kind
        The dataclass; lists become arrays again, and mappings dataclasses.
    content
        Its fields by name.

    Raises
    ------
    TypeError
        If a field is missing or unknown.
    """
    return kind(**{name: _entry(name, e) for name, e in content.items()})


def _entry(name: str, entry: Any) -> Any:
    """Return the value of a field."""
    if name in _PARTS:
        kind = _PARTS[name]
        if isinstance(entry, list):
            return tuple(from_plain(kind, each) for each in entry)
        return from_plain(kind, entry)
    if not isinstance(entry, list):
        return entry
    array = np.array(entry)
    if array.dtype.kind == "O":
        array = np.where(array == None, np.inf, array)  # noqa: E711 (by entry)
    return array


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
