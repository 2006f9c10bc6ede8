"""Workbooks in five languages: what is pasted unread loses no meaning."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.robustness.support import IS_LARGE
from tests.robustness.workbooks import (
    MORE,
    QUESTIONLESS,
    REFUSED,
    outcome_of,
    readable,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("is_odd", [False, True])
def test_no_line_to_paste_loses_a_meaning(
    is_odd: bool, tmp_path: Path
) -> None:
    """Each is the problem of its plain form, by at most a few questions."""
    number = 300 if IS_LARGE else 25
    books = readable(number, tmp_path, is_odd=is_odd)
    counts = Counter(outcome_of(book, tmp_path) for book in books)
    assert counts[MORE] + counts[REFUSED] <= number * (0.01, 0.04)[is_odd]
    if not is_odd:
        assert counts[QUESTIONLESS] >= 0.8 * number
