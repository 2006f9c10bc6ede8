"""The line that says that kernels are compiled."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import pytest

from ncc_route.kernels import MESSAGE, compilation_notice


def add_one(x):
    """Return x + 1; compiled by the tests below."""
    return x + 1


@pytest.mark.parametrize(
    ("module", "expected"), [("ncc_routing.fake", 1), ("elsewhere", 0)]
)
def test_notice_comes_once_and_only_for_our_kernels(
    capsys, monkeypatch, module, expected
):
    """Two compilations of ours are one line, those of others none."""
    monkeypatch.setattr(add_one, "__module__", module)
    kernel = numba.njit(add_one)
    with compilation_notice():
        kernel(1)
        kernel(1.5)
        kernel(2)
    assert capsys.readouterr().err == f"{MESSAGE}\n" * expected


def test_first_run_says_that_it_compiles(tmp_path):
    """With an empty cache the line appears, with a filled one it does not.

    ``distance`` is the smallest kernel of the package.
    """
    code = (
        "from ncc_route.kernels import compilation_notice\n"
        "with compilation_notice():\n"
        "    import numpy as np\n"
        "    from ncc_routing.problems.distances import Metric, distance\n"
        "    coords = np.array([[0.0, 0.0], [3.0, 4.0]])\n"
        "    metric = Metric(coords, np.zeros((0, 0)), 0)\n"
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
    assert errors == [f"{MESSAGE}\n", ""]
