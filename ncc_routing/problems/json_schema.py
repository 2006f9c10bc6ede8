"""The JSON schema of declared classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

import numpy as np

from ncc_routing.problems.declared import Entry, facts_of, types_of

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_TYPES: Final = {
    **{int: "integer", float: "number", str: "string", bool: "boolean"},
    **{NoneType: "null", np.ndarray: "array", dict: "object"},
}


def schema_of(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a dataclass.

    Types are those of its annotations, bounds and keys those of its declared
    fields. Absent fields have their defaults.
    """
    known: dict[str, Any] = {}
    _of_class(kind, known)
    top = known.pop(kind.__name__)
    return {"$schema": DRAFT, "title": kind.__name__, **top, "$defs": known}


def _of_class(kind: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to a class, which is added to the known ones."""
    name = kind.__name__
    if name in known:
        return {"$ref": f"#/$defs/{name}"}
    known[name] = {}
    hints = types_of(kind)
    is_entry = issubclass(kind, Entry)
    rows = [row for row in fields(kind) if row not in fields(Entry)]
    known[name] = {
        "type": "object",
        "properties": {
            row.name: _of_type(hints[row.name], facts_of(row), known, is_entry)
            for row in rows
        },
        "required": [
            row.name
            for row in rows
            if row.default is MISSING and row.default_factory is MISSING
        ],
        "additionalProperties": False,
    }
    if issubclass(kind, Entry):
        known[name]["properties"] |= {key: {} for key in kind.unread}
        known[name]["additionalProperties"] = kind.takes_more
    return _of_class(kind, known)


def _of_type(
    hint: Any, facts: Mapping[str, Any], known: dict[str, Any], in_entry: bool
) -> dict[str, Any]:
    """Return the schema of a type; in an entry, ``None`` is an absent key."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        each = [
            _of_type(one, facts, known, in_entry)
            for one in args
            if one is not NoneType or not in_entry
        ]
        return each[0] if len(each) == 1 else {"anyOf": each}
    if origin is tuple:
        entries = [
            _of_type(one, facts, known, in_entry)
            for one in args
            if one is not Ellipsis
        ]
        if args[-1] is Ellipsis:
            return {"type": "array", "items": entries[0]}
        size = len(entries)
        facts = {"minItems": size, "maxItems": size}
        return {"type": "array", "prefixItems": entries, **facts}
    if origin is Mapping:
        value = _of_type(args[1], facts, known, in_entry)
        return {"type": "object", "additionalProperties": value}
    if isinstance(hint, type) and is_dataclass(hint):
        return _of_class(facts.get("of", hint), known)
    schema: dict[str, Any] = {"type": _TYPES[hint]} if hint in _TYPES else {}
    if hint in (int, float):
        names = {"minimum": "least", "maximum": "most"}
        schema |= {
            name: facts[fact] for name, fact in names.items() if fact in facts
        }
    return schema
