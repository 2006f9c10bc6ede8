"""A command whose outputs go with its other options."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperCommand

from ncc_route.options import was_typed
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.plotting.figures import FIGURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITTEN: Final = ("output", "also", "plot")
"""Parameters of verbs that name files to write."""

_OF_FIGURES: Final = ("size", "dpi")
"""Those that say how a figure looks."""

_BEGUN: Final = ("start", "solution", "result")
"""Those that name the plan that a run begins with, and may replace."""


class Command(TyperCommand):
    """A verb that refuses an output that is one of its inputs.

    The plan that a run begins with may be replaced. It also refuses options of
    figures without a figure.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        written = [
            (name, Path(each))
            for name in _WRITTEN
            for each in _each(ctx.params.get(name))
        ]
        suffixes = [path.suffix.lower() for _, path in written]
        if set(FIGURE_SUFFIXES).isdisjoint(suffixes):
            for name in filter(partial(was_typed, ctx), _OF_FIGURES):
                raise ParameterError(
                    f"--{name} is for a figure, and the run writes none: give "
                    f"a {' or '.join(FIGURE_SUFFIXES)} file."
                )
        names_of: dict[Path, list[str]] = {}
        for name, path in written:
            names_of.setdefault(path, []).append(f"--{name}")
        for path, names in names_of.items():
            if len(names) > 1:
                both = " and ".join(names)
                raise ParameterError(
                    f"{path}: {both} must be different files."
                )
        begun = [ctx.params.get(name) for name in _BEGUN]
        for name, path in written:
            if not any(each and _is_same(each, path) for each in begun):
                require_kept(read_files(ctx.params), [path], name)
        return super().invoke(ctx)


def read_files(params: dict[str, Any]) -> list[Path]:
    """Return what the parameters of a verb may name as files to read."""
    # Imported here: a help text needs no reader.
    from ncc_routing.io.toml import read_params

    read: list[object] = []
    for name, value in params.items():
        if name not in (*_WRITTEN, *_BEGUN):
            read += _each(value)
    source = params.get("params")
    if source is not None and _is_file(Path(source)):
        named = read_params(source).items()
        read += [each for name, each in named if params.get(name) is None]
    return [Path(each) for each in read if isinstance(each, (str, Path))]


def _each(value: Any) -> list[Any]:
    """Return what an option names: one thing, several, or nothing."""
    several = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in several if isinstance(each, (str, Path))]


def require_kept(
    read: Iterable[Path], written: Iterable[Path], option: str
) -> None:
    """Refuse to write over a file that is read, by any of its names."""
    files = list(read)
    for path in written:
        if any(_is_same(file, path) for file in files):
            raise ParameterError(
                f"{path}: --{option} is a file that the run reads; name "
                "another one."
            )


def _is_same(file: str | Path, other: str | Path) -> bool:
    file, other = Path(file), Path(other)
    return _is_file(file) and _is_file(other) and file.samefile(other)


def _is_file(path: Path) -> bool:
    """Whether it is one; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
