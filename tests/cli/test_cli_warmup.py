"""``ncc-route warmup``: kernels compiled ahead."""

from __future__ import annotations

from tests.cli.conftest import run_python


def test_warmup_compiles_at_most_once() -> None:
    """The second call finds everything, and says nothing of compiling."""
    first, second = (run_python("-m", "ncc_route", "warmup") for _ in "ab")
    assert first.returncode == second.returncode == 0, first.stderr
    assert second.stdout.startswith("kernels are ready after ")
    assert second.stderr == ""


def test_warmup_without_a_folder_is_refused() -> None:
    """There is nothing that it could do for later runs."""
    done = run_python(
        "-c",
        "from numba.core import caching\n"
        "caching.CompileResultCacheImpl._locator_classes = []\n"
        "import sys\nsys.argv = ['ncc-route', 'warmup']\n"
        "from ncc_route.app import main\nmain()\n",
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("ncc-route: error: ")
