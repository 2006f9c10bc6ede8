"""Numbers as the text of a file spells them."""

import math

import pytest

from ncc_routing.core.text import has_foreign_signs, may_be_number, number_of

NOT_NUMBERS = [
    *("1_0", "\u0663", "\u22121", "inf", "-Infinity", "nan", "0x10"),
    *("", " ", "1 0", "1,5", ".", "e5", "1e", "--1", "1e1.5", "9" * 401),
]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12.0),
        (" -1.5\t", -1.5),
        ("+5.", 5.0),
        (".5", 0.5),
        ("0e5", 0.0),
        ("1E-2", 0.01),
        ("1e400", math.inf),
        ("9" * 400, math.inf),
    ],
)
def test_decimal_numbers_are_read(text: str, value: float) -> None:
    """Signs, points and exponents; what is too large is infinite."""
    assert number_of(text) == value


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_what_python_reads_beyond_that_is_no_number(text: str) -> None:
    """Underscores, other digits, and words for what is no number."""
    assert math.isnan(number_of(text))


@pytest.mark.parametrize("text", ["1_0", "\u0663", "inf", "1 x", "1\u20002"])
def test_lists_of_numbers_hold_nothing_else(text: str) -> None:
    """One foreign sign is enough."""
    assert has_foreign_signs(f"1 2.5\n-3e5 {text}")
    assert not has_foreign_signs("1 2.5\n-3e5\t+4")


def test_names_are_told_from_what_looks_like_a_number() -> None:
    """A column may not be called nan, but x it may."""
    texts = ("1_0", "nan", "x", "")
    assert [may_be_number(t) for t in texts] == [True, True, False, False]
