"""Seeds for the stages of a run: children of one seed sequence."""

from __future__ import annotations

import numpy as np


def stage_seed(seed: int, stage: str) -> int:
    """Return the seed of a stage, in 0..2**32 - 1, which every solver takes.

    The name is the spawn key of a ``numpy.random.SeedSequence``, so that
    stages draw from different streams and a new stage changes no other.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(stage.encode()))
    return int(sequence.generate_state(1)[0])
