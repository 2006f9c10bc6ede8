"""Calls in a process that is ended at the deadline."""

from __future__ import annotations

import logging
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.processes import call_in_child

if TYPE_CHECKING:
    from collections.abc import Callable


def double_twice(
    request: int, seconds: float, send: Callable[[object], None]
) -> None:
    """Send the doubled request, print, and send the remaining time."""
    send(2 * request)
    print("not a message")
    send(seconds)


def send_and_sleep(
    request: str, seconds: float, send: Callable[[object], None]
) -> None:
    """Send the request and outstay the deadline."""
    send(request)
    time.sleep(60 + seconds)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the child import this file."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def test_messages_arrive_in_order() -> None:
    """Prints of the child do not get between its messages."""
    messages = call_in_child(double_twice, 21, Deadline(30))
    assert messages[0] == 42
    assert 0 < messages[1] < 30


def test_a_sleeper_is_ended_and_its_messages_kept() -> None:
    """What was sent before the deadline is returned."""
    deadline = Deadline(3)
    assert call_in_child(send_and_sleep, "early", deadline) == ["early"]
    assert deadline.passed()


def test_a_failing_child_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A function that fails gives no messages, and a warning."""
    with caplog.at_level(logging.WARNING, logger="ncc_routing"):
        assert call_in_child(math.sqrt, 2, Deadline(30)) == []  # type: ignore[arg-type]
    assert "failed with code 1" in caplog.text
