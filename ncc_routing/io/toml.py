"""Parameters of a run from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import read_text

if TYPE_CHECKING:
    import os


def read_params(path: str | os.PathLike[str]) -> dict[str, object]:
    """Read the parameters of ``solve`` or ``cluster``.

    Parameters
    ----------
    path
        A TOML file with the names of ``SolveParams`` or ``ClusterParams``;
        a table holds the parameters of one algorithm::

            method = "savings"
            polish = "ruin-recreate"

            [ruin_recreate]
            mean_removed = 12.0

    Returns
    -------
    dict[str, object]
        Its content. Names and values are checked where they are used.

    Raises
    ------
    InstanceError
        If the file is missing, unreadable, or no TOML.
    """
    file = Path(path)
    try:
        return tomllib.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        rule = f"must be TOML: {error}"
        raise InstanceError(file, "file", rule) from None
