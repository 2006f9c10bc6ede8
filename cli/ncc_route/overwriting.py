"""A command that writes over none of the files that it reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from typer.core import TyperCommand

from ncc_routing.core.exceptions import ParameterError

_WRITTEN: Final = ("output", "plot")
"""Parameters of verbs that name files to write."""

_PLANS: Final = ("start", "solution")
"""Those that name plans: a better one may take the place of the first."""


class Command(TyperCommand):
    """A verb that refuses an output that is one of its inputs."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        _require_kept(ctx.params)
        return super().invoke(ctx)


def _require_kept(params: dict[str, Any]) -> None:
    """Refuse to write over a file that is read, by any of its names."""
    read: list[object] = []
    for name, value in params.items():
        if name not in (*_WRITTEN, *_PLANS):
            read += value if isinstance(value, (list, tuple)) else [value]
    files = [Path(each) for each in read if isinstance(each, (str, Path))]
    for name in _WRITTEN:
        value = params.get(name)
        if not isinstance(value, (str, Path)) or not _is_file(Path(value)):
            continue
        written = Path(value)
        if any(_is_file(file) and file.samefile(written) for file in files):
            raise ParameterError(
                f"{written}: --{name} is a file that the run reads; name "
                "another one."
            )


def _is_file(path: Path) -> bool:
    """Whether it is one; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
