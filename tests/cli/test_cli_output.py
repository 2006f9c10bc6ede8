"""The line that says that kernels are compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from ncc_route.output import COMPILATION_MESSAGE

if TYPE_CHECKING:
    from pathlib import Path


def test_first_run_says_that_it_compiles(tmp_path: Path) -> None:
    """With an empty cache the line appears, with a filled one it does not.

    ``distance`` is the smallest kernel of the package.
    """
    code = (
        "from ncc_route.output import compilation_notice\n"
        "with compilation_notice():\n"
        "    import numpy as np\n"
        "    from ncc_routing.problems.distances import Metric, distance\n"
        "    from ncc_routing.problems.rounding import ROUNDINGS\n"
        "    coords = np.array([[0.0, 0.0], [3.0, 4.0]])\n"
        "    metric = Metric(coords, np.zeros((0, 0)), ROUNDINGS['none'])\n"
        "    print(distance(metric, 0, 1))\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    errors = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        assert done.stdout == "5.0\n"
        errors.append(done.stderr)
    assert errors == [f"{COMPILATION_MESSAGE}\n", ""]
