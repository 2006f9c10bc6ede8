"""``ncc-route warmup``: kernels compiled ahead."""

from __future__ import annotations

import os
import subprocess
import sys


def run_warmup(prelude: str = "") -> subprocess.CompletedProcess[str]:
    """Run the verb in a process of its own."""
    code = (
        f"{prelude}import sys\nsys.argv = ['ncc-route', 'warmup']\n"
        "from ncc_route.app import main\nmain()\n"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )


def test_warmup_compiles_at_most_once() -> None:
    """The second call finds everything, and says nothing of compiling."""
    first, second = run_warmup(), run_warmup()
    assert first.returncode == second.returncode == 0, first.stderr
    assert second.stdout.startswith("kernels are ready after ")
    assert second.stderr == ""


def test_warmup_without_a_folder_is_refused() -> None:
    """There is nothing that it could do for later runs."""
    done = run_warmup(
        "from numba.core import caching\n"
        "caching.CompileResultCacheImpl._locator_classes = []\n"
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("ncc-route: error: ")
