"""Frozen data as plain values that JSON can hold, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text import unique_keys
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.declared import kind_of, types_of
from ncc_routing.problems.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = TypeVar("Kind")

_LISTS: Final = ("must_link", "cannot_link", "forbidden_centers")
"""Rules of clusters that hold names, or lists of different lengths."""

_LISTED: Final = {int: "whole numbers", str: "texts"}

_JSON_NAMES: Final[dict[type[Any], str]] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}

_WRONG: Final = (
    *(ValueError, KeyError, TypeError, AttributeError, IndexError),
    *(OverflowError, RecursionError),
)
"""What a text that is no result makes of its reader."""


def to_plain(value: Any) -> dict[str, Any]:
    """Return the fields of a frozen dataclass for JSON, arrays as lists.

    ``None`` is left out where it is the default, and an infinite length
    becomes ``None``.
    """
    content = {}
    for field in fields(value):
        entry = getattr(value, field.name)
        if isinstance(entry, np.ndarray | np.generic):
            entry = _listed(np.asarray(entry))
        elif is_dataclass(entry):
            entry = to_plain(entry)
        elif is_dataclass(kind_of(field)) and entry is not None:
            entry = [*map(to_plain, entry)]
        if entry is not None or field.default not in (None, MISSING):
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

    A missing or unknown field is a ``TypeError``.
    """
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    if "source" in known and "source" not in content:
        # Older results have its fields beside it.
        names = {field.name for field in fields(Source)}
        beside = {name: content[name] for name in names & content.keys()}
        rest = {k: v for k, v in content.items() if k not in beside}
        content = {**rest, "source": beside}
    for name in content.keys() - known.keys():
        raise TypeError(f"another version has {kind.__name__}.{name}")
    return kind(
        **{name: _entry(known[name], each) for name, each in content.items()}
    )


def _entry(field: Field[Any], entry: Any) -> Any:
    kind = kind_of(field)
    if is_dataclass(kind) and isinstance(entry, dict):
        return from_plain(kind, entry)
    if not isinstance(entry, list):
        return entry
    if is_dataclass(kind):
        return tuple(from_plain(kind, each) for each in entry)
    is_array = "ndarray" in str(field.type) or field.type == "Any"
    if not is_array or field.name in _LISTS:
        return entry
    array = np.array(entry)
    if array.dtype.kind == "O":
        array = np.where(array == None, np.inf, array)  # noqa: E711 (by entry)
    return array


def parse_object(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds.

    Errors: ``TypeError`` for other values, ``ValueError`` for no JSON or a key
    that is there twice, and ``RecursionError`` for what is nested too deeply.
    """
    content = json.loads(text, object_pairs_hook=unique_keys)
    if not isinstance(content, dict):
        raise TypeError("it must be an object")
    return content


def entry_of(content: Mapping[str, Any], name: str, *kinds: type[Any]) -> Any:
    """Return an entry of a JSON object; ``bool`` is none of ``int``.

    A missing entry is a ``KeyError``, one of another type a ``TypeError``.
    """
    entry = content[name]
    if type(entry) not in kinds:
        wanted = " or ".join(_JSON_NAMES[kind] for kind in kinds)
        raise TypeError(
            f"{name} must be {wanted}, got {describe_value(entry)}"
        )
    return entry


def typed_entry(content: Mapping[str, Any], name: str, kind: Any) -> Any:
    """Return an entry of a JSON object as a type says, lists as tuples.

    Objects of a class may leave out what has a default. Errors: as of
    ``entry_of``.
    """
    args = get_args(kind) or (kind,)
    if NoneType in args and is_dataclass(args[0]):
        kind = NoneType if content[name] is None else args[0]
        args = (kind,)
    if get_origin(kind) is tuple:
        of, what = args[0], _LISTED.get(args[0])
        entries = entry_of(content, name, list)
        for each in entries if what else ():
            if type(each) is not of:
                rule = f"must be a list of {what}"
                text = describe_value(each)
                raise TypeError(f"{name} {rule}, not {text}")
        one = name.removesuffix("s")
        numbered = {f"{one} {k}": each for k, each in enumerate(entries, 1)}
        return tuple(typed_entry(numbered, each, of) for each in numbered)
    if isinstance(kind, type) and is_dataclass(kind):
        given, known = entry_of(content, name, dict), fields(kind)
        types = types_of(kind)
        return kind(
            **{
                row.name: typed_entry(given, row.name, types[row.name])
                for row in known
                if row.name in given or row.default is MISSING
            }
        )
    kinds = [dict] if get_origin(kind) is Mapping else [*args]
    if float in kinds:
        kinds.insert(0, int)
    return entry_of(content, name, *kinds)


def phases_of(content: dict[str, Any]) -> tuple[str, ...]:
    """Take out the phases of a run, which older results call ``plan``."""
    content.setdefault("phases", content.pop("plan", []))
    phases: tuple[str, ...] = typed_entry(content, "phases", tuple[str, ...])
    return phases


def routes_of(content: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the entry "routes": lists of customers by their numbers."""
    routes: tuple[tuple[int, ...], ...] = typed_entry(
        content, "routes", tuple[tuple[int, ...], ...]
    )
    return routes


@contextmanager
def reading_result(source: object = "this") -> Iterator[None]:
    """Refuse a text that is no result in one line (``ParameterError``)."""
    try:
        yield
    except _WRONG as error:
        reason = str(error) if error.args else ""
        if isinstance(error, KeyError):
            reason = f"{reason} is missing"
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        text = f"{source} is no result: {reason.rstrip('.')}."
        raise ParameterError(text) from None
