"""Words of tables in five languages, from ``words.toml``."""

from __future__ import annotations

import tomllib
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "fr", "es", "it")


@cache
def entry_of(key: str) -> Any:
    """Return an entry of the file, as of "customers.open"."""
    return reduce(getitem, key.split("."), _content())


@cache
def words_of(key: str, part: str = "") -> tuple[str, ...]:
    """Return the words of an entry, or of a part that it may have.

    A column without an entry is called as its field.
    """
    table, _, field = key.partition(".")
    if table in ("customers", "vehicles") and field not in entry_of(table):
        return () if part else (field,)
    entry = entry_of(key)
    return tuple(words_in(entry.get(part, {}) if part else entry))


@cache
def phrases_of(key: str) -> tuple[str, ...]:
    """Return the words of an entry with blanks, as they stand in cells."""
    return tuple(word.replace("_", " ") for word in words_of(key))


def words_in(entry: Any) -> list[str]:
    """Return the words of all languages, in the order of an entry."""
    if isinstance(entry, list):
        return [word for each in entry for word in words_in(each)]
    texts = (text for key, text in entry.items() if key in LANGUAGES)
    return [word for text in texts for word in text.split()]


@cache
def units_in(quantity: str) -> dict[str, str]:
    """Return the unit that each word is, as "h" for "hours"."""
    return {
        word: unit
        for unit in entry_of(f"units.{quantity}")
        for word in words_of(f"units.{quantity}.{unit}")
    }


@cache
def _content() -> dict[str, Any]:
    text = Path(__file__).with_name("words.toml").read_text("utf-8")
    return tomllib.loads(text)
