"""Objects of JSON, each key of which is there once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ncc_routing.core.printable import shortened


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object for ``json.loads``.

    A key that is there twice is a ``ValueError``.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {shortened(repr(key))} is there twice")
    return found
