"""Parameters of a run from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import read_text

if TYPE_CHECKING:
    import os

_MOST_DOTS: Final = 50
"""Dots of a line. The memory that a key takes grows with their square, and
no parameter has more than one."""


def read_params(path: str | os.PathLike[str]) -> dict[str, object]:
    """Read the parameters of ``solve`` or ``cluster`` from a TOML file.

    A table holds the parameters of one algorithm. Names and values are checked
    where they are used.
    """
    file = Path(path)
    text = read_text(file)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#"):
            rule = f"must have at most {_MOST_DOTS} dots"
            raise InstanceError(file, f"line {number}", rule, line.count("."))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        rule = f"must be TOML: {error}"
        raise InstanceError(file, "file", rule) from None
