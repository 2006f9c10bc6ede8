"""Random time limits, by the wall clock, with warm kernels."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final

import ncc_routing as nr
from ncc_routing.vrp.methods import NO_POLISH, POLISHES, READY

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.attack.outcomes import Counts

LEAST, MOST = 0.5, 10.0
"""Seconds of a limit."""

SLACK: Final = (0.1, 0.05)
"""Seconds, and share of the limit, by which a run may be late."""

SIZES: Final = (50, 200, 500, 1_000, 3_000)


def keep_limit(number: int, rng: random.Random, folder: Path) -> Counts:
    """Solve with a random limit, method, polish and number of jobs."""
    instance = nr.generate_uchoa(rng.choice(SIZES), number)
    method = rng.choice(("auto", *READY))
    polish = rng.choice((NO_POLISH, *POLISHES))
    jobs = rng.choice((1, 1, 2))
    limit = LEAST * (MOST / LEAST) ** rng.random()
    begun = time.perf_counter()
    found = nr.solve(
        instance, method=method, polish=polish, jobs=jobs, time_limit=limit
    )
    over = time.perf_counter() - begun - limit
    assert not nr.check_solution(instance, found.best)
    fixed, share = SLACK
    is_late = over > fixed + share * limit
    (folder / "run.txt").write_text(
        f"{instance.num_customers} {method} {polish} {jobs} {limit} {over}",
        encoding="utf-8",
    )
    return Counter({"timed runs": 1, "late": int(is_late)})
