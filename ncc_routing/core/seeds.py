"""Seeds for the stages of a run: children of one seed sequence."""

from __future__ import annotations

import numpy as np


def stage_seed(seed: int, stage: str) -> int:
    """Return the seed of a stage that draws random numbers.

    Two stages of a run never see the same stream, whatever its seed, and a
    new stage changes nothing for the others.

    Parameters
    ----------
    seed
        Seed of the run, >= 0.
    stage
        Name of the stage.

    Returns
    -------
    int
        In 0..2**32 - 1: every solver takes such a seed.

    References
    ----------
    ``numpy.random.SeedSequence``; the name is the spawn key.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(stage.encode()))
    return int(sequence.generate_state(1)[0])
