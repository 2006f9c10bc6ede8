"""Prints the lowest versions that pyproject.toml allows, as constraints.

``python .ci/lowest_versions.py [LEFT_OUT...]`` prints a line ``name==version``
for each package, those left out excepted; ``pip --constraint`` takes them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
BOUND = re.compile(r"([\w.-]+)(?:\[[^]]*\])?\s*>=\s*([\w.]+)")


def lowest_versions(
    project: Mapping[str, Any], left_out: Collection[str] = ()
) -> list[str]:
    """Return the lower bounds of a project as constraints, by name.

    Raises
    ------
    ValueError
        If a package has no lower bound, or two.
    """
    extras = project["optional-dependencies"].values()
    found: dict[str, str] = {}
    for text in chain(project["dependencies"], *extras):
        name = re.split(r"[\[<>=;]", text)[0].strip()
        if name == project["name"]:
            continue
        match = BOUND.match(text)
        if match is None:
            raise ValueError(f"{name} has no lower bound")
        if found.setdefault(name, match[2]) != match[2]:
            raise ValueError(f"{name} has two lower bounds")
    return [f"{n}=={found[n]}" for n in sorted(found) if n not in left_out]


if __name__ == "__main__":
    content = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    print("\n".join(lowest_versions(content["project"], sys.argv[1:])))
