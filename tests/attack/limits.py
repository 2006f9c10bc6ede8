"""Random time limits, with warm kernels."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.methods import METHODS, NO_POLISH, POLISHES
from tests.attack.workers import processor_seconds

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.attack.outcomes import Counts

LEAST, MOST = 0.5, 10.0
"""Seconds of a limit."""

SLACK: Final = (0.1, 0.05)
"""Seconds, and share of the limit, by which a run may be late."""

SIZES: Final = (50, 200, 500, 1_000, 3_000)


def keep_limit(number: int, rng: random.Random, folder: Path) -> Counts:
    """Solve within a random limit, by the clock on the wall."""
    return _keep_limit(number, rng, folder, time.monotonic)


def keep_processor_limit(
    number: int, rng: random.Random, folder: Path
) -> Counts:
    """Solve within a random limit, by processor time.

    For a machine that others use as well: their work brings the end of a
    run no nearer, and makes no run late.
    """
    return _keep_limit(number, rng, folder, used_seconds)


def used_seconds() -> float:
    """Return the processor time of this process and its helpers (Linux).

    What they wait for each other counts: one of them works then.
    """
    ended = os.times()
    total = time.process_time() + ended.children_user + ended.children_system
    for place in Path("/proc/self/task").glob("*/children"):
        children = ""
        with suppress(OSError):  # The thread may just have ended.
            children = place.read_text()
        for pid in children.split():
            total += processor_seconds(int(pid), ended=0.0)
    return total


def _keep_limit(
    number: int,
    rng: random.Random,
    folder: Path,
    clock: Callable[[], float],
) -> Counts:
    """Draw size, method, polish, number of jobs, and a limit to keep."""
    instance = nr.generate_uchoa(rng.choice(SIZES), number)
    method = rng.choice(("auto", *METHODS))
    polish = rng.choice((NO_POLISH, *POLISHES))
    jobs = rng.choice((1, 1, 2))
    limit = LEAST * (MOST / LEAST) ** rng.random()
    solve = partial(nr.solve, method=method, polish=polish, jobs=jobs)
    # What a process loads once is no work of the run.
    solve(nr.generate_uchoa(SIZES[0], number), time_limit=0.1)
    begun = clock()
    found = solve(instance, deadline=Deadline(limit, clock=clock))
    over = clock() - begun - limit
    assert not nr.check_solution(instance, found.best)
    fixed, share = SLACK
    is_late = over > fixed + share * limit
    (folder / "run.txt").write_text(
        f"{instance.num_customers} {method} {polish} {jobs} {limit} {over}",
        encoding="utf-8",
    )
    return Counter({"timed runs": 1, "late": int(is_late)})
