"""The file of words: languages, fields, and no word twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ncc_routing.desk.fields import CUSTOMER_COLUMNS, VEHICLE_COLUMNS
from ncc_routing.desk.words import LANGUAGES, entry_of, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTIONS = (
    *("places", "customers", "vehicles", "points", "stops", "units"),
    *(
        "names",
        "topics",
        "senses",
        "cells",
        "times",
        "lists",
        "changes",
        "sheets",
    ),
)
BESIDE_LANGUAGES = {"spare", "customers", "vehicles", "opens", "closes"}
"""Keys of an entry that are no language."""


def entries(content: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the entries of a part of the file, with their names."""
    if isinstance(content, list):
        for number, each in enumerate(content):
            yield from entries(each, f"{name} {number}")
    elif any(isinstance(each, str) for each in content.values()):
        yield name, content
        yield from entries(content.get("spare", {}), f"{name}.spare")
    else:
        for key, each in content.items():
            yield from entries(each, f"{name}.{key}")


def test_each_entry_has_words_of_known_languages() -> None:
    """A misspelt language would be left out; no word stands twice."""
    found = [
        each for name in SECTIONS for each in entries(entry_of(name), name)
    ]
    assert len(found) > 200
    for name, entry in found:
        assert entry.keys() <= {*LANGUAGES, *BESIDE_LANGUAGES}, name
        counts = Counter(words_in(entry))
        assert counts
        assert [word for word in counts if counts[word] > 1] == [], name


def test_topics_are_those_of_fields() -> None:
    """Words of unknown columns propose no field that is none."""
    for topic in entry_of("topics"):
        assert set(topic.get("customers", "").split()) <= {*CUSTOMER_COLUMNS}
        assert set(topic.get("vehicles", "").split()) <= {*VEHICLE_COLUMNS}
