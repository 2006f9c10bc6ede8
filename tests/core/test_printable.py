"""Texts that a terminal cannot be led astray by."""

import pickle

import pytest

import ncc_routing as nr
from ncc_routing.core.text import has_controls, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("X-n101-k25, Z\u00fcrich \u4e1c", "X-n101-k25, Z\u00fcrich \u4e1c"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x9b2J\x7f", r"\x9b2J\x7f"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("bad\udcff", r"bad\udcff"),
    ],
)
def test_controls_become_escapes(text: str, shown: str) -> None:
    """Letters of every script stay."""
    assert printable(text) == shown
    assert printable(shown) == shown


def test_white_space_is_no_control() -> None:
    """Ids may hold it."""
    assert not has_controls("two\nlines\tand a tab")
    assert has_controls("\x1b[0m")
    assert has_controls("\x9b")


def test_errors_are_one_plain_line() -> None:
    """Files, fields and rules with controls; also after a worker."""
    error = nr.InstanceError(
        "\x1b]0;a\x07.vrp", "x\n", "must be\x1b[2J", "\x1b"
    )
    line = str(pickle.loads(pickle.dumps(error)))
    assert line == str(error)
    assert line.isprintable()
    assert str(nr.NccRoutingError("\x1bc")) == r"\x1bc"


def test_messages_end() -> None:
    """Whatever a file or an argument holds, the rule can be read."""
    long = "A" * 10_000
    for parts in ((long, "f", "is wrong"), ("a", long, "is wrong", long)):
        text = str(nr.InstanceError(*parts))
        assert len(text) < 1_100
        assert "is wrong" in text
    assert len(str(nr.NccRoutingError(long))) < 1_100
    line = str(nr.InstanceError("a", "field", "rule", long))
    assert len(line) < 300
    assert line.endswith("....")
