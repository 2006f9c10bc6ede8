"""Names that the command line lists without loading anything."""

import subprocess
import sys


def test_names_load_nothing() -> None:
    """Neither numpy nor what is built on it."""
    code = (
        "import sys\n"
        "import ncc_routing.paper.scoring.vocabulary\n"
        "print([m for m in ('numpy', 'torch') if m in sys.modules])\n"
    )
    found = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert found.strip() == "[]"
