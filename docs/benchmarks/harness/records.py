"""Records: tables whose head tells how they were made.

Each call that adds rows adds lines ``# key: value`` before the header, after
a line ``#`` where there are some of an earlier call.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import TYPE_CHECKING

from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ncc_routing.bench.records import Json


def read_calls(file: Path) -> list[Json]:
    """Return the protocol of each call that wrote into a record."""
    calls: list[Json] = [{}]
    with file.open(encoding="utf-8") as lines:
        for line in takewhile(lambda line: line.startswith("#"), lines):
            key, _, text = line.strip("# \n").partition(": ")
            if key:
                calls[-1][key] = _value_of(text)
            else:
                calls.append({})
    return calls


def add_call(
    file: Path, columns: Iterable[str], call: Mapping[str, object]
) -> None:
    """Add the protocol of a call to a record, which is made if missing."""
    text = f"{','.join(columns)}\n"
    if file.is_file():
        text = file.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    head = list(takewhile(lambda line: line.startswith("#"), lines))
    told = [f"# {key}: {_text_of(value)}\n" for key, value in call.items()]
    added = ["#\n", *told] if head else told
    write_text(file, "".join([*head, *added, *lines[len(head) :]]))


def _text_of(value: object) -> str:
    """Return a value as JSON, and a text that is none as it is."""
    is_plain = isinstance(value, str) and _value_of(value) == value
    return str(value) if is_plain else json.dumps(value)


def _value_of(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
