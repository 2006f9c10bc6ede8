"""Files with fleets and windows that somebody damaged: one clear line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.io.vrplib import parse_instance, write_instance

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

SOLOMON = (Path(__file__).parent / "data" / "solomon.txt").read_text()

WORDS = (
    "-1", "0", "1e400", "nan", "x", "2.5", "9" * 20, "", "1 1", "EOF", "-",
    "VEHICLES", "1e18",
)  # fmt: skip
"""What a number may be replaced by."""


def damaged(text: str, rng: random.Random) -> str:
    """Leave out, double, move or change one or two lines."""
    lines = text.splitlines()
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(len(lines))
        kind = rng.random()
        if kind < 0.2 and len(lines) > 1:
            del lines[place]
        elif kind < 0.3:
            lines.insert(place, rng.choice(lines))
        elif kind < 0.4:
            lines[place], lines[-1] = lines[-1], lines[place]
        elif words := lines[place].split():
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            lines[place] = " ".join(words)
    return "\n".join(lines)


@pytest.mark.parametrize("form", ["vrplib", "solomon"])
def test_damage_is_read_right_or_refused(
    two_depots: Instance, tmp_path: Path, form: str
) -> None:
    """No other error, and no message of several lines."""
    text = SOLOMON
    if form == "vrplib":
        write_instance(tmp_path / "whole.vrp", two_depots)
        text = (tmp_path / "whole.vrp").read_text()
    rng = random.Random(1)
    messages = []
    for _ in range(1_500):
        content = damaged(text, rng)
        try:
            parse_instance(Path("case"), content, rng.choice(METRIC_NAMES))
        except NccRoutingError as error:
            messages.append(str(error))
    assert all(text.startswith("case: ") for text in messages)
    assert not any("\n" in text for text in messages)
    assert 500 < len(messages) < 1_500
