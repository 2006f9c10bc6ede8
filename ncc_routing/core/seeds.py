"""Seeds for the stages of a run: children of one seed sequence."""

from __future__ import annotations

import numpy as np


def stage_seed(seed: int, stage: str) -> int:
    """Return the seed of a stage that draws random numbers.

    Two stages of a run never draw from the same stream, whatever its seed,
    and a new stage changes nothing for the others: the name is the spawn key
    of a ``numpy.random.SeedSequence``. Seeds lie in 0..2**32 - 1, which every
    solver takes.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(stage.encode()))
    return int(sequence.generate_state(1)[0])
