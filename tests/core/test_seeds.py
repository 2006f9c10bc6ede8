"""Seeds of stages."""

import numpy as np

from ncc_routing.core.run import stage_seed


def test_stages_have_streams_of_their_own() -> None:
    """Another seed or another name, another stream; the same one again."""
    names = ("cluster", "route", "polish", "rout", "route2")
    seeds = [stage_seed(seed, name) for seed in range(50) for name in names]
    assert len(set(seeds)) == len(seeds)
    assert stage_seed(3, "route") == stage_seed(3, "route")
    whole = stage_seed(np.int64(3), "route")  # type: ignore[arg-type]
    assert whole == stage_seed(3, "route")
    # 32 bits, no sign, and plain ints suit every solver.
    found = stage_seed(2**40, "polish")
    assert type(found) is int
    assert 0 <= found < 2**32
