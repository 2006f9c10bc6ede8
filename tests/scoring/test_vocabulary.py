"""Names that the command line lists without loading anything."""

import subprocess
import sys

from ncc_routing.learning.label_problems import LABEL_PROBLEMS
from ncc_routing.scoring.vocabulary import LABELLINGS


def test_every_labelling_has_its_problem() -> None:
    """The names are those of the table, in its order."""
    assert tuple(LABEL_PROBLEMS) == LABELLINGS


def test_names_load_nothing() -> None:
    """Neither numpy nor what is built on it."""
    code = (
        "import sys\n"
        "import ncc_routing.scoring.vocabulary\n"
        "print([m for m in ('numpy', 'torch') if m in sys.modules])\n"
    )
    found = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert found.strip() == "[]"
