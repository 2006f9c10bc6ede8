"""The words of a file in errors about its problem."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@contextmanager
def in_words_of(
    source: object, fields: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Name the file and its words for fields in errors about a problem."""
    try:
        yield
    except InstanceError as error:
        field = (fields or {}).get(error.field, error.field)
        raise type(error)(source, field, error.rule, error.value) from None
