"""Cases that end badly, to see that the workers notice."""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import TYPE_CHECKING

from tests.attack.workers import MOST_MEMORY

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.attack.outcomes import Counts

ENDINGS = ("well", "raises", "hangs", "dies", "grows", "warns")


def end_badly(number: int, _: random.Random, folder: Path) -> Counts:
    """End as the number says, see ``ENDINGS``."""
    ending = ENDINGS[number]
    (folder / "input.txt").write_text(ending, encoding="utf-8")
    if ending == "raises":
        raise KeyError("nothing refuses this")
    if ending == "hangs":
        while True:
            pass
    if ending == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    if ending == "grows":
        bytearray(os.urandom(1)) * ((MOST_MEMORY + 100) * 2**20)
    if ending == "warns":
        import numpy as np

        np.array([1e200]) ** 2
    return Counter({"inputs": 1, "refused": 1})
