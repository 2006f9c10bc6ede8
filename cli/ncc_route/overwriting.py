"""A command that writes over none of the files that it reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperCommand

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITTEN: Final = ("output", "plot")
"""Parameters of verbs that name files to write."""

_PLANS: Final = ("start", "solution")
"""Those that name plans: a better one may take the place of the first."""


class Command(TyperCommand):
    """A verb that refuses an output that is one of its inputs."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        read = read_files(ctx.params)
        for name in _WRITTEN:
            value = ctx.params.get(name)
            if isinstance(value, (str, Path)):
                require_kept(read, [Path(value)], name)
        return super().invoke(ctx)


def read_files(params: dict[str, Any]) -> list[Path]:
    """Return what the parameters of a verb may name as files to read."""
    read: list[object] = []
    for name, value in params.items():
        if name not in (*_WRITTEN, *_PLANS):
            read += value if isinstance(value, (list, tuple)) else [value]
    return [Path(each) for each in read if isinstance(each, (str, Path))]


def require_kept(
    read: Iterable[Path], written: Iterable[Path], option: str
) -> None:
    """Refuse to write over a file that is read, by any of its names."""
    files = [file for file in read if _is_file(file)]
    for path in filter(_is_file, written):
        if any(file.samefile(path) for file in files):
            raise ParameterError(
                f"{path}: --{option} is a file that the run reads; name "
                "another one."
            )


def _is_file(path: Path) -> bool:
    """Whether it is one; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
